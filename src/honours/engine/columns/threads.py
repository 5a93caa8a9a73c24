"""Work shared out over the cores of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
Answer = TypeVar("Answer")

SMALL = 20_000
"""Entrants below which one thread is enough."""
_CHUNKS = 8
_thread = threading.local()


def threads() -> int:
    """How many threads to use: all cores, unless HONOURS_THREADS says otherwise."""
    return int(os.environ.get("HONOURS_THREADS") or 0) or os.cpu_count() or 1


def free_threads() -> int:
    """How many of them the caller may use: only one if all cores are busy with similar work."""
    return 1 if hasattr(_thread, "busy") else threads()


def each_on_all_cores(work: Callable[[Item], Answer], items: Sequence[Item]) -> Iterator[Answer]:
    """The result of ``work`` for every item, in order; the work should release the interpreter's
    lock.

    Nested calls run in the calling thread, because all cores are already busy.
    """
    workers = min(free_threads(), len(items))
    if workers < 2:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(workers, initializer=lambda: setattr(_thread, "busy", True)) as pool:
        yield from pool.map(work, items)


def on_all_cores(work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    """The same, returned when all are done."""
    return list(each_on_all_cores(work, items))


def share_out(
    loop: Callable[..., None], offsets: NDArray[np.int64], rows: int, arguments: tuple[Any, ...]
) -> None:
    """Run a loop over all fields, in spans of about the same number of rows on every core."""
    fields = len(offsets) - 1
    free = free_threads()
    parts = 1 if rows < SMALL or free == 1 else free * _CHUNKS
    marks = np.searchsorted(offsets, np.linspace(0, offsets[-1], parts + 1))
    marks[0], marks[-1] = 0, fields
    on_all_cores(lambda span: loop(*span, *arguments), list(pairwise(marks)))
