"""The ledger as the pages use it: opened when asked for, made when somebody wants one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from honours.errors import LedgerError
from honours.ledger import members, requests
from honours.ledger.events import EventToPost
from honours.ledger.release import Draft, all_drafts, draft, release, withdraw
from honours.ledger.schema import chain, records
from honours.ledger.shown import verification_data
from honours.ledger.statement import Reason, Statement, reason, statement
from honours.ledger.store import Ledger, create_ledger, open_ledger
from honours.ledger.verify import Verification, verify
from honours.web.problems import InTheWay, NotThere
from honours.web.texts import mark

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from honours.ledger.members import Member
    from honours.ledger.post import Outcome
    from honours.ledger.requests import Answer
    from honours.web.jobs import Progress
    from honours.web.settings import Settings


@dataclass(frozen=True, slots=True)
class Size:
    """How many there are of each, and the head of the chain."""

    members: int
    records: int
    postings: int
    head: str


def verification(progress: Progress, settings: Settings) -> Answer:
    """Derive everything again and compare: a job, because a ledger may be long."""
    progress.step(0, 1)
    book = Book(settings)
    told = verification_data(book.verify())
    book.close()
    progress.step(1, 1)
    return told


class Book:
    """One ledger: a file in the data folder unless the settings name another."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        own = str(settings.data / "ledger.db")
        self.where = settings.ledger or settings.database or own
        self._ledger: Ledger | None = None
        self._lock = threading.Lock()

    @property
    def there(self) -> bool:
        """Whether there is a ledger; on a database server one is made when first needed."""
        return "://" in self.where or Path(self.where).is_file()

    def begin(self) -> None:
        """Make the ledger, once."""
        with self._lock:
            if not self.there:
                Path(self.where).parent.mkdir(parents=True, exist_ok=True)
                self._ledger = create_ledger(self.where)

    @property
    def ledger(self) -> Ledger:
        if not self.there:
            raise NotThere(mark("there is no ledger yet"))
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
        except requests.KeyUsed as error:
            raise InTheWay(str(error)) from error

    def size(self, connection: Connection) -> Size:
        """How long the chain is."""
        row = connection.execute(select(chain)).one()
        return Size(row.members, row.records, row.postings, row.head)

    # --- whose ------------------------------------------------------------------------------------

    def club_of_draft(self, number: int) -> str:
        """The club whose event was drafted."""
        found = [d for d in self.drafts() if d.id == number]
        if not found:
            raise NotThere(mark("there is no draft %(name)s"), name=number)
        return str(found[0].content["club"])

    def club_of_record(self, number: int) -> str:
        """The club whose event was posted."""
        with self.reading() as connection:
            wanted = select(records.c.club).where(records.c.id == number)
            club = connection.scalar(wanted)
        if club is None:
            raise NotThere(mark("there is no record %(name)s"), name=number)
        return str(club)

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

    def statement(self, member_id: int) -> Statement:
        """All of a member's postings and what they add up to."""
        with self.reading() as connection:
            return statement(connection, self._member(connection, member_id))

    def _member(self, connection: Connection, member_id: int) -> Member:
        found = members.get(connection, [member_id])
        if member_id not in found:
            raise NotThere(mark("there is no member %(name)s"), name=member_id)
        return found[member_id]

    def reason(self, posting: int) -> Reason:
        with self.reading() as connection:
            return reason(connection, posting)

    def draft(self, event: EventToPost, who: str) -> Outcome:
        return draft(self.ledger, event, who)

    def release(self, number: int, who: str) -> Outcome:
        return release(self.ledger, number, who, self.settings.rulebooks)

    def withdraw(self, number: int, who: str, why: str) -> None:
        withdraw(self.ledger, number, who, why)

    def verify(self) -> Verification:
        """Derive everything again and compare."""
        return verify(self.ledger, self.settings.rulebooks)
