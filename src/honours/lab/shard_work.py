"""Work on every shard of a corpus, here or on a Dask cluster, in random order.

The order is random so that the result after a tenth of the shards comes from a fair sample of the
whole; it is always the same for the same corpus, and so is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from honours.errors import InputError
from honours.lab import store
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


def each_shard(corpus: Corpus, work: Callable[[Shard], T], on: str = "") -> Iterator[T]:
    """The result of the work for every piece of a corpus, in random order; ``on`` is the address
    of a Dask scheduler whose workers see the folder under the same path."""
    groups = pieces_of(corpus)
    if not on:
        for group in groups:
            yield from (work(shard) for shard in together([corpus.read(n) for n in group]))
        return
    from honours.lab.distributed import mapped

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


def _on_shards(
    folder: Path, checked: bool, work: Callable[[Shard], T], numbers: list[int]
) -> list[T]:
    read = [read_shard(folder, number, checked) for number in numbers]
    return [work(shard) for shard in together(read)]
