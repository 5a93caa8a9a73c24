"""At most so many of something in a given time, for each requester of a server."""

from __future__ import annotations

import hashlib
import mmap
import struct
import threading
import time
from contextlib import AbstractContextManager

_ROW = struct.Struct("=QQII")
"""Who, in which period, how often in it, and how often in the one before."""
_ROWS, _NEAR = 1 << 15, 8
_LIMITS = 2
"""How many limits a server has."""


class Rate:
    """At most ``most`` in so many seconds, smoothed over two periods. Whoever was quiet longest is
    forgotten where many come together."""

    def __init__(
        self,
        most: int,
        seconds: float,
        rows: memoryview | None = None,
        lock: AbstractContextManager[object] | None = None,
    ) -> None:
        self.most, self.seconds = most, seconds
        self._rows = memoryview(bytearray(_ROW.size * _ROWS)) if rows is None else rows
        self._lock = lock or threading.Lock()

    def allows(self, who: str) -> bool:
        """Return whether they may once more; if so, it is counted."""
        digest = hashlib.blake2b(who.encode(), digest_size=8).digest()
        key = int.from_bytes(digest, "big") or 1
        period, part = divmod(time.monotonic() / self.seconds, 1)
        with self._lock:
            place, now, before = self._find(key, int(period))
            if now + before * (1 - part) >= self.most:
                return False
            _ROW.pack_into(self._rows, place, key, int(period), now + 1, before)
        return True

    def _find(self, key: int, period: int) -> tuple[int, int, int]:
        """Return where somebody is counted, and how often they came in this period and the last."""
        near = [(key + n) % _ROWS * _ROW.size for n in range(_NEAR)]
        rows = {place: _ROW.unpack_from(self._rows, place) for place in near}
        for place, (other, last, now, before) in rows.items():
            if other == key:
                if last == period:
                    return place, now, before
                return place, 0, now if last == period - 1 else 0
        return min(rows, key=lambda place: rows[place][1]), 0, 0


_shared: list[tuple[memoryview, AbstractContextManager[object]]] = []


def share() -> None:
    """Let the processes that are begun from now on count together."""
    from multiprocessing import get_context

    context = get_context("fork")
    _shared[:] = [
        (memoryview(mmap.mmap(-1, _ROW.size * _ROWS)), context.Lock()) for _ in range(_LIMITS)
    ]


def shared_rate(number: int, most: int, seconds: float) -> Rate:
    """The limit of this number, counted with the other processes if there are some."""
    return Rate(most, seconds, *(_shared[number] if _shared else ()))
