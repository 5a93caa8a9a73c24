"""Long work as a resource: it has progress, can be cancelled, and its result is kept a while."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from honours.errors import HonoursError
from honours.web.problems import InTheWay, NotThere

_KEPT, _AT_ONCE = 50, 4


class Cancelled(HonoursError):
    """Somebody called the work off."""


@dataclass
class Job:
    """``state`` is running, done, failed or cancelled; the work calls ``step`` as it goes."""

    id: str
    what: str
    state: str = "running"
    done: int = 0
    total: int = 0
    result: Any = None
    error: str = ""
    _stop: threading.Event = field(default_factory=threading.Event)

    def step(self, done: int, total: int) -> None:
        """Say how far the work is; the place where it can be stopped."""
        self.done, self.total = done, total
        if self._stop.is_set():
            raise Cancelled("cancelled")

    def cancel(self) -> None:
        self._stop.set()

    def data(self) -> dict[str, Any]:
        """What a client is told; the result once there is one."""
        told: dict[str, Any] = {"id": self.id, "what": self.what, "state": self.state}
        told |= {"done": self.done, "total": self.total, "error": self.error or None}
        return told | {"result": self.result}


class Jobs:
    """The jobs of one server, the latest few remembered."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, what: str, work: Callable[[Job], Any]) -> Job:
        """Start the work in a thread of its own."""
        job = Job(secrets.token_hex(8), what)
        with self._lock:
            if sum(one.state == "running" for one in self._jobs.values()) >= _AT_ONCE:
                raise InTheWay(f"{_AT_ONCE} jobs are running; wait for one, or cancel it")
            self._jobs[job.id] = job
            while len(self._jobs) > _KEPT:
                self._jobs.popitem(last=False)
        threading.Thread(target=_run, args=(job, work), daemon=True, name=f"job {what}").start()
        return job

    def all(self) -> list[Job]:
        return list(reversed(self._jobs.values()))

    def get(self, job_id: str) -> Job:
        if job_id not in self._jobs:
            raise NotThere(f"there is no job {job_id[:40]!r}")
        return self._jobs[job_id]


def _run(job: Job, work: Callable[[Job], Any]) -> None:
    try:
        job.result = work(job)
        job.state = "done"
    except Cancelled:
        job.state = "cancelled"
    except HonoursError as error:
        job.error, job.state = str(error), "failed"
    except Exception:
        job.error, job.state = "something went wrong on our side", "failed"
        raise
