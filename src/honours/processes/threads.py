"""Work beside other work in the same process; in a browser, which has one thread, in its place."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from honours.rings import TAB

S = TypeVar("S")
T = TypeVar("T")
THREADS = not TAB


def begin(work: Callable[[], object], name: str) -> None:
    """Have something done while the caller goes on; it ends with the process."""
    if THREADS:
        threading.Thread(target=work, name=name, daemon=True).start()
    else:
        work()


def side_by_side(work: Callable[[S], T], what: Iterable[S], at_once: int) -> Iterator[T]:
    """Yield what the work gives for each, in their order, so many done at once."""
    if not THREADS:
        yield from map(work, what)
        return
    with ThreadPoolExecutor(at_once) as workers:
        yield from workers.map(work, what)
