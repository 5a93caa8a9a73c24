"""The ledger as the pages use it: opened when asked for, made when somebody wants one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from honours.ledger import members
from honours.ledger.events import EventToPost
from honours.ledger.release import Draft, all_drafts, draft, release, withdraw
from honours.ledger.statement import Reason, Statement, reason, statement
from honours.ledger.store import Ledger, create_ledger, open_ledger
from honours.ledger.verify import Verification, verify
from honours.web.problems import NotThere

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from honours.ledger.members import Member
    from honours.ledger.post import Outcome
    from honours.web.settings import Settings


class Book:
    """One ledger: a file in the data folder unless the settings name another."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.where = settings.ledger or str(settings.data / "ledger.db")
        self._ledger: Ledger | None = None

    @property
    def there(self) -> bool:
        """Whether there is a ledger; one that a URL names is expected to be."""
        return bool(self.settings.ledger) or (self.settings.data / "ledger.db").is_file()

    def begin(self) -> None:
        """Make the ledger, once."""
        if not self.there:
            self.settings.data.mkdir(parents=True, exist_ok=True)
            self._ledger = create_ledger(self.where)

    @property
    def ledger(self) -> Ledger:
        if self._ledger is None:
            if not self.there:
                raise NotThere("there is no ledger yet")
            self._ledger = open_ledger(self.where)
        return self._ledger

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
            raise NotThere(f"there is no member {member_id}")
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
