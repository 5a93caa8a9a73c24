"""Whose turn it is: so many work at once, and people take turns, so that nobody who asks for much
keeps the others waiting."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from honours.errors import HonoursError
from honours.model.message import Message

_LONGEST_SECONDS = 600
_MOST_WAITING = 32


class Busy(HonoursError):
    """There is enough to do already; the caller should ask again a little later."""

    def __init__(self) -> None:
        super().__init__(Message("too much is being read and scored; try again in a minute"))


class Turns:
    """``at_once`` places; whoever waits is served after everybody else who waits was, once."""

    def __init__(
        self, at_once: int, waiting: int = _MOST_WAITING, seconds: float = _LONGEST_SECONDS
    ) -> None:
        self._free, self._most, self._seconds = at_once, waiting, seconds
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, deque[object]] = OrderedDict()

    @contextmanager
    def taken(self, who: str = "") -> Iterator[None]:
        """A place, when it is their turn; one person may only have so many waiting."""
        self._take(who)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def _take(self, who: str) -> None:
        ticket, until = object(), time.monotonic() + self._seconds
        with self._changed:
            mine = self._waiting.setdefault(who, deque())
            if len(mine) >= self._most:
                raise Busy
            mine.append(ticket)
            in_turn = self._changed.wait_for(
                lambda: self._is_next(who, ticket), max(0.0, until - time.monotonic())
            )
            mine.remove(ticket)
            if not mine:
                self._waiting.pop(who, None)
            if not in_turn:
                raise Busy
            self._free -= 1
            if who in self._waiting:
                self._waiting.move_to_end(who)
            self._changed.notify_all()

    def _is_next(self, who: str, ticket: object) -> bool:
        first = next(iter(self._waiting), None)
        return self._free > 0 and first == who and self._waiting[who][0] is ticket
