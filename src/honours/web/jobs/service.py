"""Long work as a resource: it has progress, can be cancelled, and its result is kept a while.

The work is done by a process of its own (:mod:`honours.processes`), at a low priority: the server
goes on answering, and what is cancelled ends at once. So many are done at once; people take turns.
"""

from __future__ import annotations

import copy
import logging
import os
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from honours.errors import HonoursError
from honours.model.message import mark
from honours.processes import LONG, Processes, Progress, Running, Turns, Work, WorkStopped
from honours.processes.pool import CalledOff
from honours.processes.threads import begin
from honours.web.http.problems import InTheWay, NotThere

__all__ = ("FAILED", "RUNNING", "Job", "Jobs", "Progress", "Work")

RUNNING = "running"
FAILED = "something went wrong on our side"
_KEPT = 50
_AT_ONCE = max(2, os.cpu_count() or 1)
_EACH = 3
_log = logging.getLogger(__name__)


@dataclass
class Job:
    """``state`` is running (or waiting for its turn to), done, failed or cancelled."""

    id: str
    what: str
    state: str = RUNNING
    done: int = 0
    total: int = 0
    so_far: str = ""
    """What is known of the answer while the work goes on."""
    result: Any = None
    error: str = ""
    owners: set[str] = field(default_factory=set)
    """Who asked for it; only they may look at it, and call it off together."""
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _running: Running | None = None

    def run(self, work: Work, processes: Processes) -> None:
        """Have the work done and follow it to its end."""
        if self._cancelled.is_set():
            self.state = "cancelled"
            return
        try:
            self._running = processes.begin(work, LONG)
            if self._cancelled.is_set():
                self._running.call_off()
            self._end("done", self._running.follow(self._step).value)
        except CalledOff:
            self._end("cancelled")
        except WorkStopped:
            _log.warning("job %s, %s: stopped or failed", self.id, self.what)
            self._end("failed", error=FAILED)
        except HonoursError as error:
            self._end("failed", error=error.message)

    def _step(self, done: int, total: int, so_far: str = "") -> None:
        self.done, self.total, self.so_far = done, total, so_far or self.so_far

    def _end(self, state: str, result: Any = None, error: str = "") -> None:
        cancelled = self._cancelled.is_set() and state != "done"
        self.result, self.error = result, "" if cancelled else error
        self.state = "cancelled" if cancelled else state

    def cancel(self) -> None:
        """Call the work off; what is done already is not undone."""
        self._cancelled.set()
        if self._running is not None and self.state == RUNNING:
            self._running.call_off()

    def now(self) -> Job:
        """The job as it is at this moment: what is asked of it afterwards fits together."""
        return copy.copy(self)

    def data(self) -> dict[str, Any]:
        """Return what a client sees of the job."""
        data: dict[str, Any] = {"id": self.id, "what": self.what, "state": self.state}
        data |= {"done": self.done, "total": self.total, "so_far": self.so_far or None}
        return data | {"error": self.error or None}


class Jobs:
    """The jobs of one server, the latest few remembered."""

    def __init__(self, processes: Processes) -> None:
        self._processes, self._turns = processes, Turns(_AT_ONCE)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, what: str, work: Work, owner: str = "") -> Job:
        """Have the work begun for somebody, as soon as it is their turn."""
        job = Job(secrets.token_hex(8), what, owners={owner} - {""})
        with self._lock:
            mine = [one for one in self._jobs.values() if owner in one.owners or not owner]
            if sum(one.state == RUNNING for one in mine) >= max(_EACH, _AT_ONCE):
                raise InTheWay(
                    mark("{count} jobs are running; wait for one, or cancel it"),
                    count=max(_EACH, _AT_ONCE),
                )
            self._jobs[job.id] = job
            while len(self._jobs) > _KEPT:
                self._jobs.popitem(last=False)[1].cancel()
        begin(partial(self._run, job, work, owner), name="job")
        return job

    def ended(self, what: str, result: Any) -> Job:
        """A job whose answer is known already."""
        job = Job(secrets.token_hex(8), what, "done", 1, 1, result=result)
        with self._lock:
            self._jobs[job.id] = job
        return job

    def _run(self, job: Job, work: Work, owner: str) -> None:
        try:
            with self._turns.taken(owner):
                job.run(work, self._processes)
        except Exception:  # whatever it was, the job has ended
            _log.exception("job %s, %s", job.id, job.what)
            job.error, job.state = FAILED, "failed"

    def all(self) -> list[Job]:
        """Every job, the latest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def get(self, job_id: str) -> Job:
        """The job of this id."""
        job = self._jobs.get(job_id)
        if job is None:
            raise NotThere(mark("there is no job {name}"), name=job_id[:40])
        return job

    def cancel(self, job_id: str, who: str = "") -> Job:
        """Call a job off for somebody; others who asked for it too still get it."""
        job = self.get(job_id)
        job.owners.discard(who)
        if not job.owners:
            job.cancel()
        return job

    def remove(self, job_id: str, who: str = "") -> None:
        """Call a job off if it still runs, and forget it, unless others asked for it too."""
        if not self.cancel(job_id, who).owners:
            with self._lock:
                self._jobs.pop(job_id, None)

    def close(self) -> None:
        """Call everything off: the server stops."""
        for job in self.all():
            job.cancel()
