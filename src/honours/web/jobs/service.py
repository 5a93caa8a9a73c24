"""Long work as a resource: it has progress, can be cancelled, and its result is kept a while.

The work is done by a process of its own (:mod:`honours.web.jobs.process`), at a low priority: the
server goes on answering, and what is cancelled ends at once.
"""

from __future__ import annotations

import copy
import logging
import os
import pickle
import secrets
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from honours.model.message import mark
from honours.web.http.problems import InTheWay, NotThere


class Progress(Protocol):
    """Where work says how far it is."""

    def step(self, done: int, total: int) -> None:
        """So many are done, of so many."""


Work = Callable[[Progress], Any]
"""What a job does: a module's function, or a ``partial`` of one, so that it can be sent."""

RUNNING = "running"
_log = logging.getLogger(__name__)
FAILED = "something went wrong on our side"
_KEPT = 50
_AT_ONCE = max(2, os.cpu_count() or 1)
_GRACE_SECONDS = 5


@dataclass
class Job:
    """``state`` is running, done, failed or cancelled."""

    id: str
    what: str
    state: str = RUNNING
    done: int = 0
    total: int = 0
    result: Any = None
    error: str = ""
    owners: set[str] = field(default_factory=set)
    """Who asked for it; only they may look at it, and call it off together."""
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _process: subprocess.Popen[bytes] | None = None

    def run(self, work: Work) -> None:
        """Have the work done and follow it to its end."""
        command = [sys.executable, "-m", "honours.web.jobs.process"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            self._process = process
            try:
                self._follow(process, work)
            except Exception:  # whatever it was, the job has ended
                if not self._cancelled.is_set():
                    _log.exception("job %s, %s", self.id, self.what)
                self._end("failed", error=FAILED)
            finally:
                self._stop(process)

    def _follow(self, process: subprocess.Popen[bytes], work: Work) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(work, process.stdin)
        process.stdin.flush()  # and it stays open: its end would say that the server is gone
        if self._cancelled.is_set():
            process.terminate()
        while self.state == RUNNING:
            kind, *told = pickle.load(process.stdout)
            if kind == "step":
                self.done, self.total = told
            elif kind == "done":
                self._end("done", result=told[0])
            else:
                self._end("failed", error=told[0])

    def _end(self, state: str, result: Any = None, error: str = "") -> None:
        self.result = result
        cancelled = self._cancelled.is_set() and state == "failed"
        self.error = "" if cancelled else error
        self.state = "cancelled" if cancelled else state

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        try:
            process.terminate()
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()

    def cancel(self) -> None:
        """Call the work off; what is done already is not undone."""
        self._cancelled.set()
        if self._process is not None:
            self._process.terminate()

    def now(self) -> Job:
        """The job as it is at this moment: what is asked of it afterwards fits together."""
        return copy.copy(self)

    def data(self) -> dict[str, Any]:
        """What a client is told."""
        told: dict[str, Any] = {"id": self.id, "what": self.what, "state": self.state}
        return told | {"done": self.done, "total": self.total, "error": self.error or None}


class Jobs:
    """The jobs of one server, the latest few remembered."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, what: str, work: Work, owner: str = "") -> Job:
        """Have the work begun for somebody."""
        job = Job(secrets.token_hex(8), what, owners={owner} - {""})
        with self._lock:
            if sum(one.state == RUNNING for one in self._jobs.values()) >= _AT_ONCE:
                raise InTheWay(
                    mark("{count} jobs are running; wait for one, or cancel it"), count=_AT_ONCE
                )
            self._jobs[job.id] = job
            while len(self._jobs) > _KEPT:
                self._jobs.popitem(last=False)[1].cancel()
        threading.Thread(target=job.run, args=(work,), daemon=True, name=f"job {what}").start()
        return job

    def all(self) -> list[Job]:
        with self._lock:
            return list(reversed(self._jobs.values()))

    def get(self, job_id: str) -> Job:
        found = self._jobs.get(job_id)
        if found is None:
            raise NotThere(mark("there is no job {name}"), name=job_id[:40])
        return found

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
