"""At most so many of something in a given time, for each requester."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque

_STRANGERS = 10_000


class Rate:
    """At most ``most`` in so many seconds, remembered for as long as the server runs."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, who: str) -> bool:
        """Whether they may once more; if so, it is counted."""
        now = time.monotonic()
        with self._lock:
            seen = self._seen.setdefault(who, deque())
            self._seen.move_to_end(who)
            while seen and seen[0] < now - self.seconds:
                seen.popleft()
            if len(seen) >= self.most:
                return False
            seen.append(now)
            if len(self._seen) > _STRANGERS:  # the one who was quiet longest is forgotten
                self._seen.popitem(last=False)
            return True
