"""Work on every shard of a corpus, here or on a Dask cluster, in an order drawn at random.

The order is random so that what is known after a tenth of the shards is a fair sample of what will
be known after all; it is always the same for the same corpus, and so is the answer.
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
    """The numbers of the shards, small ones in groups that follow each other, the groups mixed:
    each takes as long to begin as a thousand events."""
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
    """Whether another tenth of the pieces is done, and not all: time to say what is known."""
    return done < of and done % max(1, of // 10) == 0


def each_shard(
    corpus: Corpus, work: Callable[[Shard], T], on: str = "", sides: Sequence[Side] = ()
) -> Iterator[T]:
    """What the work makes of every piece of a corpus, in random order; ``on`` is the address of a
    Dask scheduler, whose workers see the folder under the same path. The ``sides`` are those that
    the work awards by."""
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
    """Refuse to award the parts of a corpus in no order by a rulebook that asks what was awarded
    before: that is known only in the order of days, where all of it is in one place."""
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
