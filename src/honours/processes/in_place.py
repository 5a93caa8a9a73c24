"""Work done in place: where no process can be started, as in a browser, whose worker is the process
that can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from honours.processes.limits import READING, Limits
from honours.processes.pool import Processes, Running, Work, WorkDone

_SIZE = 1 << 16
"""What an answer counts as in a cache that asks how large it was on its way: it had none."""


class InPlace(Processes):
    """Does every piece of work at once, for the one person there is."""

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass

    def answer(
        self,
        about: str,  # noqa: ARG002
        work: Callable[[], Any],
        limits: Limits = READING,  # noqa: ARG002
        who: str = "",  # noqa: ARG002
    ) -> WorkDone:
        return WorkDone(work(), _SIZE)

    def begin(self, work: Work, limits: Limits) -> Running:  # noqa: ARG002
        return _Begun(work)


class _Begun(Running):
    """Work that is done when somebody follows it; whoever would call it off is waiting for it."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._told: Callable[[int, int, str], None] | None = None

    def follow(self, progress: Callable[[int, int, str], None] | None = None) -> WorkDone:
        self._told = progress
        return WorkDone(self._work(self), _SIZE)

    def step(self, done: int, total: int, so_far: str = "") -> None:
        if self._told is not None:
            self._told(done, total, so_far)

    def call_off(self) -> None:
        pass
