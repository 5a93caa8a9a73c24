"""What a club sends its federation: the awards of a period, once, and the outcome.

A reversal is sent like an award, so that a correction reaches the federation too. A submission is
pending until it is sent; if it is rejected, its records can be sent with another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, or_, select

from honours.errors import InputError, UnknownName
from honours.formats.entrants import sought
from honours.formats.reading import iso_day
from honours.ledger import sealing
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import locked, now
from honours.ledger.schema import records, submissions
from honours.ledger.store import Ledger
from honours.model.message import plural

PENDING, SENT, REJECTED = "pending", "sent", "rejected"
STATUSES = (PENDING, SENT, REJECTED)
_SENT_ACTIONS = ("award", "reversal")


@dataclass(frozen=True, slots=True)
class Submission:
    """A file made for a period; ``head`` is the chain's hash at that time."""

    id: int
    since: str
    until: str
    status: str
    at: str
    who: str
    remark: str
    head: str
    records: tuple[int, ...]


def overview(connection: Connection) -> tuple[list[Any], list[Submission]]:
    """The records that are in no submission yet, and every submission."""
    made = all_submissions(connection)
    gone = _held(made)
    # An opening balance came from the federation: reversing it does not concern a submission.
    opened = select(records.c.id).where(records.c.action.in_(("opening", "adjustment")))
    rows = connection.execute(
        select(
            records.c.id,
            records.c.title,
            records.c.day,
            records.c.club,
            records.c.action,
            records.c.postings,
        )
        .where(
            records.c.action.in_(_SENT_ACTIONS),
            or_(records.c.reverses.is_(None), records.c.reverses.not_in(opened)),
        )
        .order_by(records.c.id)
    )
    return [row for row in rows if row.id not in gone], made


def _held(made: Iterable[Submission]) -> set[int]:
    """The records in submissions that were not rejected."""
    return {number for each in made if each.status != REJECTED for number in each.records}


def all_submissions(connection: Connection) -> list[Submission]:
    return [
        Submission(
            r.id,
            r.since,
            r.until,
            r.status,
            r.at,
            r.who,
            r.remark,
            r.head,
            tuple(data_of(r.records)),
        )
        for r in connection.execute(select(submissions).order_by(submissions.c.id))
    ]


def find(connection: Connection, number: int) -> Submission:
    made = all_submissions(connection)
    if not 1 <= number <= len(made):
        raise InputError(
            plural(
                "there is no submission {number}: the ledger has {count} submission",
                "there is no submission {number}: the ledger has {count} submissions",
                count=len(made),
                number=number,
            )
        )
    return made[number - 1]


def submit(
    ledger: Ledger,
    since: str,
    until: str,
    who: str,
    dry_run: bool = False,
    club: str = "",
    without: Collection[int] = (),
    then: Callable[[Connection, Submission], None] = lambda _connection, _made: None,
) -> Submission:
    """Make a submission of what is pending for a period, of one club; rejected records are
    pending again; ``without`` are records that are known to be wrong. What is ``then`` done with
    it must succeed, or it is not made."""
    _check_period(since, until)
    with ledger.writing(dry_run, who) as connection:
        head = str(locked(connection)["head"])
        pending, made = overview(connection)
        inside = [row for row in pending if since <= row.day <= until and row.id not in without]
        chosen = _of_one_club(inside, club)
        if not chosen:
            raise InputError(
                "nothing is pending from {since} to {until} of {club}"
                if club
                else "nothing is pending from {since} to {until}",
                since=since,
                until=until,
                club=club,
            )
        row = {
            "id": len(made) + 1,
            "since": since,
            "until": until,
            "status": PENDING,
            "at": now(),
            "who": who,
            "remark": "",
            "head": head,
            "records": text_of(chosen),
        }
        sealing.put(connection, submissions, row)
        submission = find(connection, len(made) + 1)
        then(connection, submission)
        return submission


def _check_period(since: str, until: str) -> None:
    if iso_day("since", since) > iso_day("until", until):
        raise InputError(
            "the period ends before it begins: {since} to {until}", since=since, until=until
        )


def _of_one_club(pending: Sequence[Any], club: str) -> list[int]:
    """Refuse records of several clubs unless the club is named: a document belongs to one."""
    clubs = {sought(row.club): row.club for row in pending}
    if len(clubs) > 1 and not club:
        names = ", ".join(sorted(name or "(none)" for name in clubs.values()))
        raise InputError("events of several clubs are pending: say which of {names}", names=names)
    return [row.id for row in pending if not club or sought(row.club) == sought(club)]


def mark(
    ledger: Ledger,
    number: int,
    status: str,
    remark: str = "",
    dry_run: bool = False,
    who: str = "",
) -> None:
    """Record the outcome of a submission; a rejected one needs the reason as a remark."""
    if status not in STATUSES:
        raise UnknownName("status", status, STATUSES)
    if status == REJECTED and not remark:
        raise InputError("a rejection is kept with its reason: give it as the remark")
    with ledger.writing(dry_run, who) as connection:
        locked(connection)
        submission = find(connection, number)
        others = [s for s in all_submissions(connection) if s.id != number]
        if status != REJECTED and (twice := _held(others) & set(submission.records)):
            raise InputError(
                "record {twice} of submission {number} went out again since: it stays rejected",
                twice=min(twice),
                number=number,
            )
        chosen = select(submissions).where(submissions.c.id == number)
        row = connection.execute(chosen).mappings().one()
        sealing.change(connection, submissions, {**row, "status": status, "remark": remark})
