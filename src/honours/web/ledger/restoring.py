"""A copy of the ledger brought back: read and verified beside the ledger, looked at, then put in
its place. The ledger that was there is set aside, never deleted."""

from __future__ import annotations

import json
import re
import secrets
import threading
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from honours import clock
from honours.errors import InputError
from honours.files import make_folder, write_whole
from honours.ledger.answers import verification_data
from honours.ledger.copies import restore
from honours.ledger.schema import people, postings, records
from honours.ledger.store import open_ledger
from honours.model.message import mark
from honours.web.http.problems import NotThere
from honours.web.jobs.service import RUNNING, Job, Jobs, Progress
from honours.web.ledger.service import LedgerService

_ID = re.compile(r"[0-9a-f]{16}")
_LISTED = 100


@dataclass(frozen=True, slots=True)
class LedgerExtent:
    """The extent of a ledger: how much it holds, and the last thing that was posted to it."""

    members: int
    records: int
    postings: int
    last: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Restoration:
    """A restoration: when, by whom and why, from which file, and where the earlier ledger is."""

    at: str
    who: str
    why: str
    file: str
    aside: str


def read_back(progress: Progress, source: str, target: str) -> dict[str, Any]:
    """Makes a ledger of a backup and verifies it: a job, because it may be long."""
    progress.step(0, 1)
    verification = verification_data(restore(source, target))
    progress.step(1, 1)
    return {**verification, "postings": []}


def extent(connection: Connection) -> LedgerExtent:
    """Return how much there is in a ledger."""
    held, posted, lines = (
        int(connection.scalar(select(func.count()).select_from(one)) or 0)
        for one in (people, records, postings)
    )
    last = connection.execute(select(records).order_by(records.c.id.desc()).limit(1)).first()
    if last is None:
        return LedgerExtent(held, posted, lines)
    return LedgerExtent(held, posted, lines, last.title, last.day or last.at[:10])


class LedgerCopies:
    """Copies that were brought in to be looked at, in a folder of their own."""

    def __init__(self, service: LedgerService, jobs: Jobs) -> None:
        self._service, self._jobs = service, jobs
        self.folder = service.settings.data / "restoring"
        self._done = service.settings.data / "restored.jsonl"
        self._reading: dict[str, tuple[str, Job]] = {}
        self._lock = threading.Lock()

    @property
    def in_a_file(self) -> bool:
        """True if the ledger is a file of ours; what a database server keeps is restored there."""
        return "://" not in self._service.where

    def take(self, name: str, content: bytes) -> str:
        """Begin to read a copy; its id."""
        with self._lock:
            self.tidy()
        make_folder(self.folder)
        copy_id = secrets.token_hex(8)
        source = self._source(copy_id)
        write_whole(source, content)
        work = partial(read_back, source=str(source), target=str(self._target(copy_id)))
        self._reading[copy_id] = (name, self._jobs.start("restoring", work))
        return copy_id

    def job(self, copy_id: str) -> tuple[str, Job]:
        """Return the name of the file, and the job that reads it."""
        if not _ID.fullmatch(copy_id) or copy_id not in self._reading:
            raise NotThere(mark("this copy is not here any more; bring it in again"))
        name, job = self._reading[copy_id]
        return name, job.now()

    def held(self, copy_id: str) -> tuple[LedgerExtent, list[Any]]:
        """Return how much the copy holds, and what was posted since that it does not."""
        opened = open_ledger(str(self._target(copy_id)))
        with opened.reading() as connection:
            held = extent(connection)
            known = {(row.id, row.at) for row in connection.execute(select(records))}
        opened.close()
        return held, self._since(known)

    def _since(self, known: set[tuple[int, str]]) -> list[Any]:
        if not self._service.there:
            return []
        latest = select(records).order_by(records.c.id.desc()).limit(_LISTED)
        with self._service.reading() as connection:
            rows = connection.execute(latest).all()
        return [row for row in rows if (row.id, row.at) not in known]

    def put_in_place(self, copy_id: str, who: str, why: str) -> Restoration:
        """Make the copy the ledger; the one that was there is set aside under a name of its own."""
        with self._lock:  # of two clicks the second finds it done
            name, job = self.job(copy_id)
            if job.state != "done" or job.result["verdict"] == "altered":
                raise InputError("this copy was not found sound: nothing was changed")
            if not self.in_a_file:
                raise InputError("the ledger is on a database server and is restored there")
            now = clock.now()
            stamp = now.strftime("%Y%m%d-%H%M%S")
            aside = self._service.replace_with(self._target(copy_id), stamp)
            self._reading.pop(copy_id)
        done = Restoration(now.isoformat(" ", "minutes")[:16], who, why, name, aside)
        with self._done.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(done), ensure_ascii=False) + "\n")
        self._source(copy_id).unlink(missing_ok=True)
        return done

    def last(self) -> Restoration | None:
        """Return the last restoration, if there ever was one."""
        try:
            lines = self._done.read_text(encoding="utf-8").splitlines()
            return Restoration(**json.loads(lines[-1])) if lines else None
        except (OSError, ValueError, TypeError):
            return None

    def tidy(self) -> None:
        """Take away the copies that nobody decided about; those being read stay."""
        busy = {one for one, (_, job) in self._reading.items() if job.state == RUNNING}
        for path in self.folder.glob("*"):
            if path.name.partition(".")[0] not in busy:
                path.unlink(missing_ok=True)
        self._reading = {one: self._reading[one] for one in busy}

    def _source(self, copy_id: str) -> Path:
        return self.folder / f"{copy_id}.backup.gz"

    def _target(self, copy_id: str) -> Path:
        return self.folder / f"{copy_id}.db"
