"""Work shared out over the cores of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_thread = threading.local()


def threads() -> int:
    """Return how many threads to use: all cores, unless HONOURS_THREADS says otherwise."""
    return int(os.environ.get("HONOURS_THREADS") or 0) or os.cpu_count() or 1


def free_threads() -> int:
    """Return how many threads the caller may use: one if all cores are busy with similar work."""
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
