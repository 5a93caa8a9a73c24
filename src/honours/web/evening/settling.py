"""Makes the standings of an evening final when its correction period has ended, by itself."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from honours import clock
from honours.evening.live import correctable_until
from honours.processes.threads import THREADS

if TYPE_CHECKING:
    from honours.evening.store import KeptEvening
    from honours.web.evening.service import EveningService

_LONGEST = 15.0
"""Seconds between two looks at most: another process of the server may have ended an evening."""
_log = logging.getLogger(__name__)


class Settling:
    """A thread that waits for the correction periods of all evenings; what ended while no server
    ran is seen to first."""

    def __init__(self, service: EveningService) -> None:
        self._service = service
        self._woken, self._closed = threading.Event(), False
        self._settled: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="evenings", daemon=True)

    def start(self) -> None:
        if THREADS:
            self._thread.start()

    def wake(self) -> None:
        """Look again now: an evening has ended."""
        self._woken.set()

    def close(self) -> None:
        self._closed = True
        self._woken.set()
        if THREADS:
            self._thread.join(_LONGEST)

    def _run(self) -> None:
        while not self._closed:
            self._woken.clear()
            self._woken.wait(self.look())

    def look(self) -> float:
        """Make final what is due; in how many seconds to look again."""
        try:
            evenings = self._service.evenings.all()
        except OSError:
            _log.exception("evenings could not be looked through")
            evenings = []
        left = [self._left(kept) for kept in evenings if not self._closed]
        return max(0.05, min([_LONGEST, *left]))

    def _left(self, kept: KeptEvening) -> float:
        """The seconds until an evening is due; one that cannot be settled keeps no other back."""
        try:
            evening = kept.now()
            until = correctable_until(evening)
            if until is None or (kept.id in self._settled and evening.settled):
                return _LONGEST
            left = (until - clock.now()).total_seconds()
            if left > 0:
                return left
            if self._service.settle(kept):
                self._settled.add(kept.id)
        except Exception:  # whatever it is: the thread must go on for the others
            _log.exception("evening %s could not be settled", kept.id)
        return _LONGEST
