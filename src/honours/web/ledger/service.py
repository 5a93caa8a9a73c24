"""The ledger as the pages use it: opened when asked for, made when somebody wants one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request

from honours import clock
from honours.errors import LedgerError
from honours.files import flush, make_folder
from honours.ledger import members, receipts, requests
from honours.ledger.answers import verification_data
from honours.ledger.receipts import Receipt
from honours.ledger.release import Draft, all_drafts, find
from honours.ledger.requests import Answer
from honours.ledger.schema import end_of, records
from honours.ledger.schema import members as known
from honours.ledger.statement import PostingReason, reason
from honours.ledger.store import Ledger, create_ledger, open_ledger
from honours.ledger.submissions import Submission, all_submissions, overview
from honours.ledger.verify import Verification, processes_for, verify
from honours.model.member import Member
from honours.model.message import Message, mark
from honours.model.rights import LOOK, Action
from honours.web.http.access import Thing, may_at
from honours.web.http.forms import whole
from honours.web.http.problems import Forbidden, InTheWay, NotBegun, NotThere
from honours.web.jobs.kept_answers import KeptAnswers
from honours.web.jobs.service import Progress
from honours.web.ledger.seasons import seasons_of
from honours.web.settings import Settings


@dataclass(frozen=True, slots=True)
class LedgerSize:
    """The number of members, records and postings, and the head of the chain."""

    members: int
    records: int
    postings: int
    head: str


VERIFICATION = "verification of the ledger"
"""What the last verification is kept as."""


def verification(progress: Progress, settings: Settings) -> Answer:
    """Derive everything again and compare: a job, because a ledger may be long."""
    progress.step(0, 1)
    service = LedgerService(settings)
    data = verification_data(service.verify())
    at = clock.here().isoformat(" ", "minutes")[:16]
    KeptAnswers(settings.data).put(VERIFICATION, {"at": at, "where": service.where, "found": data})
    service.close()
    progress.step(1, 1)
    return data


_BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside a ledger's file."""


def _gather(file: Path) -> None:
    """Bring what SQLite keeps beside a ledger into its file; nothing of one that is damaged."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(own: Path, aside: Path) -> None:
    """Give a ledger's file, and what is beside it, another name too."""
    _gather(own)
    for ending in ("", *_BESIDE):
        part = Path(f"{own}{ending}")
        if part.exists():
            try:
                os.link(part, f"{aside}{ending}")
            except OSError:  # a disk without links
                shutil.copy2(part, f"{aside}{ending}")
    flush(own.parent)


def one_member(connection: Connection, member_id: int) -> Member:
    """The member of this id, also one that was erased."""
    if connection.scalar(select(known.c.id).where(known.c.id == member_id)) is None:
        raise NotThere(mark("there is no member {name}"), name=member_id)
    return members.get(connection, [member_id])[member_id]


class LedgerService:
    """One ledger: a file in the data folder unless the settings name another."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        own = str(settings.data / "ledger.db")
        self.where = settings.ledger or settings.database or own
        self._ledger: Ledger | None = None
        self._lock = threading.Lock()

    @property
    def there(self) -> bool:
        """True if there is a ledger; on a database server one is made when first needed."""
        return "://" in self.where or Path(self.where).is_file()

    def begin(self) -> None:
        """Make the ledger, once."""
        with self._lock:
            if not self.there:
                Path(self.where).parent.mkdir(parents=True, exist_ok=True)
                self._ledger = create_ledger(self.where)

    def replace_with(self, file: Path, stamp: str) -> str:
        """Put another ledger in the place of this one, which is set aside; its name there."""
        own = Path(self.where)
        aside = own.with_name(f"{own.stem}.before-{stamp}{own.suffix}")
        with self._lock:
            if aside.exists() or not file.is_file():
                raise InTheWay(
                    mark("the ledger was replaced a moment ago; look at the new one first")
                )
            if self._ledger is not None:
                self._ledger.close()
                self._ledger = None
            make_folder(own.parent)
            _gather(file)
            new = Path(shutil.move(file, own.with_name(f"{own.name}.new")))  # from another disk too
            flush(new)
            if kept := own.exists():
                _set_aside(own, aside)
            for ending in _BESIDE:
                Path(f"{own}{ending}").unlink(missing_ok=True)
            new.replace(own)  # at every moment there is one ledger or the other
            flush(own.parent)
        return aside.name if kept else ""

    @property
    def ledger(self) -> Ledger:
        if not self.there:
            raise NotBegun(Message("there is no ledger yet"), at="/ledger")
        with self._lock:
            if self._ledger is None:
                self._ledger = self._opened()
            return self._ledger

    def _opened(self) -> Ledger:
        try:
            return open_ledger(self.where)
        except LedgerError:
            if "://" not in self.where:
                raise
            try:
                return create_ledger(self.where)  # which only an empty database allows
            except LedgerError:
                pass
            raise

    def once(self, key: str, asked: str, work: Callable[[Ledger], Answer]) -> Answer:
        """Do the work and remember its answer under a key, both or neither."""
        try:
            return requests.once(self.ledger, key, asked, work)
        except requests.KeyAlreadyUsed as error:
            raise InTheWay(error.message) from error

    def size(self, connection: Connection) -> LedgerSize:
        """Return the counts of the chain and its head."""
        row = end_of(connection)
        return LedgerSize(row.members, row.records, row.postings, row.head)

    # --- whose ------------------------------------------------------------------------------------

    def club_of_draft(self, number: int) -> str:
        """The club whose event was drafted."""
        return str(self.held(number).content["club"])

    def club_of_record(self, number: int) -> str:
        """The club whose event was posted."""
        return str(self.record(number).club)

    def club_of_submission(self, made: Submission) -> str:
        """The club whose awards are sent."""
        return self.club_of_record(made.records[0])

    def close(self) -> None:
        if self._ledger is not None:
            self._ledger.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.ledger.reading() as connection:
            yield connection

    def drafts(self) -> list[Draft]:
        with self.reading() as connection:
            return all_drafts(connection)

    def held(self, number: int) -> Draft:
        """One draft, whatever became of it."""
        with self.reading() as connection:
            found = find(connection, number)
        if found is None:
            raise NotThere(mark("there is no draft {name}"), name=number)
        return found

    def submission(self, number: int) -> Submission:
        """One submission, whatever became of it."""
        with self.reading() as connection:
            made = [one for one in all_submissions(connection) if one.id == number]
        if not made:
            raise NotThere(mark("there is no submission {name}"), name=number)
        return made[0]

    def receipt(self, number: int) -> Receipt:
        """The receipt for something that was sent in."""
        with self.reading() as connection:
            found = receipts.find(connection, number)
        if found is None:
            raise no_receipt(number)
        return found

    def record(self, number: int) -> Any:
        """One record of the chain."""
        with self.reading() as connection:
            row = connection.execute(select(records).where(records.c.id == number)).first()
        if row is None:
            raise NotThere(mark("there is no record {name}"), name=number)
        return row

    def reason(self, posting: int) -> PostingReason:
        with self.reading() as connection:
            return reason(connection, posting)

    def verify(self) -> Verification:
        """Derive everything again and compare."""
        processes = processes_for(self.ledger)
        return verify(self.ledger, self.settings.rulebooks, processes=processes)


def no_receipt(number: int) -> NotThere:
    """Return the answer that there is no such receipt, given as well to whoever may not see it."""
    return NotThere(mark("there is no receipt {name}"), name=number)


def ledger_service(request: Request) -> LedgerService:
    """The ledger of this application."""
    service: LedgerService = request.app.state.ledger
    return service


def _number(request: Request, name: str) -> int:
    """The number that an address has in this place."""
    number = whole(str(request.path_params[name]))
    if number is None:
        raise NotThere(Message("Not Found"))
    return number


def draft(request: Request) -> Thing:
    """The draft an address names: of the club whose event it is."""
    return Thing(ledger_service(request).club_of_draft(_number(request, "draft_id")))


def record(request: Request) -> Thing:
    """The record an address names: of the club whose event was posted."""
    return Thing(ledger_service(request).club_of_record(_number(request, "record_id")))


def submission(request: Request) -> Thing:
    """The submission an address names: of the club whose awards are in it."""
    number = _number(request, "submission_id")
    service = ledger_service(request)
    return Thing(service.club_of_submission(service.submission(number)))


def receipt(request: Request) -> Thing:
    """The receipt an address names: of the club that sent what it is for, and unknown to everybody
    else."""
    number = _number(request, "receipt_id")
    found = ledger_service(request).receipt(number)
    return Thing(found.club, unknown=no_receipt(number))


def season(request: Request) -> Thing:
    """The season an address names: of the club it says."""
    return Thing(seasons_of(request).club_of(str(request.path_params["season_id"])))


def require_at(request: Request, action: Action, club: str) -> None:
    """Refuse whoever may not do this at a club."""
    if not may_at(request, action, club):
        raise Forbidden(action, club)


def own_drafts(request: Request) -> list[Draft]:
    """Return what was drafted for the clubs of whoever asks, the latest last."""
    every = ledger_service(request).drafts()
    return [one for one in every if may_at(request, LOOK, str(one.content["club"]))]


def own_submissions(request: Request) -> tuple[list[Any], list[Submission]]:
    """The records that wait to be sent and the submissions made, for the clubs of whoever asks."""
    service = ledger_service(request)
    with service.reading() as connection:
        pending, made = overview(connection)
    return (
        [one for one in pending if may_at(request, LOOK, one.club)],
        [one for one in made if may_at(request, LOOK, service.club_of_submission(one))],
    )


def sees_everybody(request: Request) -> bool:
    """Return whether the requester sees members who opted out too."""
    return may_at(request, LOOK)


def seen_member(request: Request, connection: Connection, member_id: int) -> Member:
    """The member of this id, if whoever asks may see them."""
    member = one_member(connection, member_id)
    if member.opted_out and not sees_everybody(request):
        raise NotThere(mark("there is no member {name}"), name=member_id)
    return member
