"""Results kept at hand, as many as fit: what counts is how large they are, not how many."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from honours.processes.pool import WorkDone

MOST_BYTES = 32 << 20
"""Of results as they travel; at hand they take several times as much."""


class SizedCache:
    """A cache of limited size, where what was used longest ago makes room."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[Hashable, WorkDone] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], WorkDone]) -> Any:
        """Return what is kept under a key, made now if need be."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key].value
        answer = make()
        with self._lock:
            self._drop(key)
            if answer.size <= self._most:
                self._kept[key] = answer
                self._size += answer.size
            while self._size > self._most:
                self._drop(next(iter(self._kept)))
        return answer.value

    def _drop(self, key: Hashable) -> None:
        gone = self._kept.pop(key, None)
        self._size -= gone.size if gone else 0

    def __len__(self) -> int:
        return len(self._kept)
