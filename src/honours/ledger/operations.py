"""The operations on the ledger, each declared once: command, route, form and documentation follow.

An operation is a typed function. It is handed who acts (:class:`Acting`), what it is done to, and
what else its signature asks; it returns a thing that has a shape (:data:`SHAPES`), or what was
recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from sqlalchemy import Connection

from honours.formats.reading import iso_day
from honours.ledger import living, members, release, submissions, years
from honours.ledger.canonical import digest, text_of
from honours.ledger.kinds import scheme_of
from honours.ledger.post import resting_on_record, reverse
from honours.ledger.ranks import declared
from honours.ledger.release import Draft
from honours.ledger.requests import once
from honours.ledger.shapes import DRAFTS, MEMBERS, SUBMISSIONS
from honours.ledger.store import Ledger
from honours.ledger.submissions import Submission
from honours.model.about import About
from honours.model.member import Member
from honours.model.message import Message
from honours.model.shape import Shape
from honours.model.table import Table

Why = Annotated[str, About("The reason, which is kept.", "TEXT")]
Day = Annotated[str, About("When.", "YYYY-MM-DD")]
Whose = Annotated[str, About("Whose points; of the only body unless said.", "ID")]
SHAPES: dict[type, Shape[Any]] = {Draft: DRAFTS, Member: MEMBERS, Submission: SUBMISSIONS}
"""What is told of the things that operations return."""


@dataclass(frozen=True, slots=True)
class Acting:
    """The person acting, the ledger and the rulebooks; a dry run leaves no trace."""

    ledger: Ledger
    who: str
    dry_run: bool = False
    folders: Sequence[str | Path] = ()

    def writing(self) -> AbstractContextManager[Connection]:
        """The ledger, to be written in the name of who acts."""
        return self.ledger.writing(self.dry_run, self.who)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The record that was written, what it says, and what may have to follow from it; as the answer
    to a request it is kept, so that nobody is named in it."""

    record: int
    said: Message
    remarks: tuple[Message, ...] = ()

    def data(self) -> dict[str, Any]:
        """As programs are told."""
        return {"record": self.record, "said": str(self.said), "remarks": [*map(str, self.remarks)]}

    def answer(self) -> list[str]:
        """As people are told."""
        return [self.said, *(Message("Note: {note}", note=note) for note in self.remarks)]


Operation = Callable[..., Any]


class Done(NamedTuple):
    """The outcome of an operation, for people and for programs."""

    answer: Sequence[str | Table]
    data: dict[str, Any]


def perform(operation: Operation, at: Acting, key: str = "", **values: Any) -> Done:
    """Do something to the ledger; asked again under the same key, only what came of it is said."""
    told: list[Done] = []

    def work(ledger: Ledger) -> dict[str, Any]:
        done = operation(replace(at, ledger=ledger), **values)
        told.append(_told(done))
        return told[0].data

    asked = {name: one.id if isinstance(one, Member) else one for name, one in values.items()}
    data = once(at.ledger, key, digest(text_of([operation.__name__, asked])), work)
    return told[0] if told else Done([str(data.get("said", ""))], data)


def _told(thing: Any) -> Done:
    if isinstance(thing, Recorded):
        return Done(thing.answer(), thing.data())
    shape = SHAPES[type(thing)]
    return Done([shape.table([thing])], shape.data(thing))


def withdraw_draft(at: Acting, draft: int, why: Why) -> Draft:
    """Give a draft up; it stays in the list with the reason."""
    release.withdraw(at.ledger, draft, at.who, why, at.dry_run)
    with at.ledger.reading() as connection:
        found = release.find(connection, draft)
    assert found is not None
    return found


def reverse_record(at: Acting, record: int, why: Why) -> Recorded:
    """Take a record's postings back by posting their opposite."""
    by = reverse(at.ledger, record, at.who, why, at.dry_run)
    with at.ledger.reading() as connection:
        rests = resting_on_record(connection, record)
    said = Message("record {record} reversed by record {by}", record=record, by=by)
    return Recorded(by, said, rests)


def mark_submission(
    at: Acting,
    submission: int,
    status: Annotated[str, About("pending, sent or rejected.", "WORD")],
    remark: Annotated[str, About("The reason of a rejection.", "TEXT")] = "",
) -> Submission:
    """Note what became of a submission; the awards of a rejected one can be sent again."""
    submissions.mark(at.ledger, submission, status, remark, at.dry_run, at.who)
    with at.ledger.reading() as connection:
        return submissions.find(connection, submission)


def merge_member(at: Acting, member: Member, into: Member, why: Why) -> Recorded:
    """Count a member's postings as another's; nothing is moved, so it can be taken back."""
    with at.writing() as connection:
        record = members.merge(connection, member.id, into.id, at.who, why)
    said = Message("#{member} counts as #{other}", member=member.id, other=into.id)
    return Recorded(record, said)


def unmerge_member(at: Acting, member: Member, why: Why) -> Recorded:
    """Take a merger back: the postings count as before."""
    with at.writing() as connection:
        record = members.unmerge(connection, member.id, at.who, why)
    return Recorded(record, Message("#{member} counts for itself again", member=member.id))


def erase_member(
    at: Acting,
    member: Member,
    why: Annotated[str, About("The reason, without the name.", "TEXT")] = "on request",
) -> Recorded:
    """Forget a person: name and number go for good, the points stay with a bare id.

    Backups made before still hold the name. Titles, reasons and names of files with the name in
    them are part of the chain and stay: they are listed.
    """
    with at.writing() as connection:
        left = members.left_for_good(connection, members.group(connection, member.id))
        record = members.erase(connection, member.id, at.who, why)
    remarks = (
        Message("the name also stands where nothing is ever deleted: {place}", place=place)
        for place in left
    )
    said = Message("the name and numbers of member #{member} are erased", member=member.id)
    return Recorded(record, said, tuple(remarks))


def record_act(
    at: Acting,
    act: str,
    member: Member,
    event: Annotated[str, About("At what, or for what.", "TEXT")],
    date: Day,
    rulebook: Whose = "",
    why: Why = "",
) -> Recorded:
    """Write down an act by which a body lets points change: attending, being selected."""
    with at.writing() as connection:
        known = declared(scheme_of(connection, rulebook or None), "living", at.folders)
        record = living.record_act(
            connection, member, act, known, title=event, day=date, who=at.who, why=why
        )
    said = Message("record {record}: #{member}, {act}", record=record, member=member.id, act=act)
    return Recorded(record, said)


def close_year(at: Acting, until: str, why: Why = "") -> Recorded:
    """Close everything up to a day: earlier events posted from now on count in the next year."""
    with at.writing() as connection:
        record = years.close(connection, iso_day("until", until), at.who, why)
    return Recorded(
        record, Message("closed up to {until}, record {record}", until=until, record=record)
    )


def reopen_year(at: Acting, why: Why) -> Recorded:
    """Reopen what was closed last."""
    with at.writing() as connection:
        opened = years.reopen(connection, at.who, why)
    said = Message(
        "reopened up to {until}, record {record}", until=opened.until, record=opened.reopened
    )
    return Recorded(opened.reopened or 0, said)
