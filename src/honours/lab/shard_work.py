"""Work on every shard of a corpus, here or on a Dask cluster, in random order.

The order is random so that the result after a tenth of the shards comes from a fair sample of the
whole; it is always the same for the same corpus, and so is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.engine.written_names import public
from honours.errors import InputError
from honours.lab import store
from honours.lab.compared_sides import Side
from honours.lab.corpus import A_PIECE, Corpus
from honours.lab.shards import Shard, read_shard, together

T = TypeVar("T")
_SEED = 10


def pieces_of(corpus: Corpus) -> list[list[int]]:
    """The numbers of the shards in random order, with small neighbouring shards grouped, because
    starting one takes as long as a thousand events."""
    groups: list[list[int]] = [[]]
    many = 0
    for number in corpus.shards:
        groups[-1].append(number)
        many += store.rows_of(store.shard_file(corpus.folder, "entrants", number))
        if many >= A_PIECE:
            groups.append([])
            many = 0
    whole = [group for group in groups if group]
    return [whole[k] for k in np.random.default_rng(_SEED).permutation(len(whole))]


def is_tenth(done: int, of: int) -> bool:
    """Whether another tenth of the pieces is done, but not all: time to report interim results."""
    return done < of and done % max(1, of // 10) == 0


def passes_before(
    corpus: Corpus, sides: Sequence[Side], pieces: int, progress: Callable[..., None], on: str = ""
) -> int:
    """Work out what players were awarded before by the sides that ask for it, as so many passes
    over the pieces, each shown as it goes; returns how many pieces that were."""
    asking = [side for side in sides if isinstance(side, Rulebook) and side.asked_before]
    if on or not asking:
        return 0
    every = pieces * (len(asking) + 1)
    for number, book in enumerate(asking):

        def advance(done: int, of: int, earlier: int = number * pieces) -> None:
            progress(earlier + pieces * done // max(of, 1), every)

        corpus.history.work_out(book, advance)
    return pieces * len(asking)


def each_shard(
    corpus: Corpus, work: Callable[[Shard], T], on: str = "", sides: Sequence[Side] = ()
) -> Iterator[T]:
    """The result of the work for every piece of a corpus, in random order; ``on`` is the address
    of a Dask scheduler whose workers see the folder under the same path. The ``sides`` are those
    by which the work awards."""
    groups = pieces_of(corpus)
    if not on:
        for group in groups:
            yield from (work(shard) for shard in together([corpus.read(n) for n in group]))
        return
    from honours.lab.distributed import mapped

    check_any_order(sides)
    there = partial(_on_shards, corpus.folder.resolve(), corpus.checked, work)
    try:
        for made in mapped(on, there, groups):
            yield from made
    except (AttributeError, TypeError, ImportError) as error:
        raise InputError(
            "{address}: the rulebook cannot be sent there ({why}); bundled rulebooks can",
            address=on,
            why=str(error).splitlines()[0],
        ) from error


def check_any_order(sides: Sequence[Side]) -> None:
    """Refuse to award the parts of a corpus in arbitrary order by a rulebook that asks what was
    awarded before: that is known only in the order of days, with the whole corpus in one place."""
    for side in sides:
        if isinstance(side, Rulebook) and side.asked_before:
            raise InputError(
                "{rulebook} asks what players were awarded before ({name}), which is known only "
                "where all events are awarded in the order of their days: ask on one machine, "
                "not on a cluster",
                rulebook=side.id,
                name=", ".join(map(public, side.asked_before)),
            )


def _on_shards(
    folder: Path, checked: bool, work: Callable[[Shard], T], numbers: list[int]
) -> list[T]:
    read = [read_shard(folder, number, checked) for number in numbers]
    return [work(shard) for shard in together(read)]
