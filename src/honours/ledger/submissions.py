"""What a club sends its federation: the awards of a period, once, and what became of them.

A reversal is sent like an award, so that a correction reaches the federation too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from honours.errors import InputError, UnknownName
from honours.formats.formulas import neutralise
from honours.ledger import kinds, members
from honours.ledger.canonical import data_of, sealed, text_of
from honours.ledger.chain import locked, now
from honours.ledger.schema import postings, records, submissions
from honours.ledger.store import Ledger

MADE, SENT, ACCEPTED, REJECTED = "made", "sent", "accepted", "rejected"
STATUSES = (MADE, SENT, ACCEPTED, REJECTED)
_SENT_ACTIONS = ("award", "reversal")
COLUMNS = ("number", "name", "kind", "points", "day", "event", "record", "posting", "reverses")


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
    """The records no submission holds yet, and every submission."""
    made = all_submissions(connection)
    gone = {number for s in made if s.status != REJECTED for number in s.records}
    rows = connection.execute(
        select(records.c.id, records.c.title, records.c.day, records.c.action, records.c.postings)
        .where(records.c.action.in_(_SENT_ACTIONS)).order_by(records.c.id)
    )  # fmt: skip
    return [row for row in rows if row.id not in gone], made


def all_submissions(connection: Connection) -> list[Submission]:
    return [
        Submission(r.id, r.since, r.until, r.status, r.at, r.who, r.remark, r.head,
                   tuple(data_of(r.records)))
        for r in connection.execute(select(submissions).order_by(submissions.c.id))
    ]  # fmt: skip


def submit(ledger: Ledger, since: str, until: str, who: str, dry_run: bool = False) -> Submission:
    """Make a submission of what is pending of a period; what was rejected is pending again."""
    with ledger.writing(dry_run) as connection:
        head = str(locked(connection)["head"])
        pending, made = overview(connection)
        chosen = [row.id for row in pending if since <= (row.day or since) <= until]
        if not chosen:
            raise InputError(f"nothing is pending from {since} to {until}")
        row = {"id": len(made) + 1, "since": since, "until": until, "status": MADE, "at": now(),
               "who": who, "remark": "", "head": head, "records": text_of(chosen)}  # fmt: skip
        connection.execute(insert(submissions).values(sealed(row)))
        return all_submissions(connection)[-1]


def mark(ledger: Ledger, number: int, status: str, remark: str = "", dry_run: bool = False) -> None:
    """Note what became of a submission."""
    if status not in STATUSES:
        raise UnknownName("status", status, STATUSES)
    with ledger.writing(dry_run) as connection:
        locked(connection)
        found = connection.execute(select(submissions).where(submissions.c.id == number))
        row = found.mappings().first()
        if row is None:
            count = connection.scalar(select(func.count()).select_from(submissions))
            raise InputError(f"there is no submission {number}; there are {count}")
        changed = sealed({**row, "status": status, "remark": remark})
        connection.execute(update(submissions).where(submissions.c.id == number).values(changed))


def submission_rows(connection: Connection, number: int) -> list[dict[str, str]]:
    """The postings of a submission, a row each; someone without a number is named all the same,
    because the federation must know whom to credit."""
    chosen = [s for s in all_submissions(connection) if s.id == number]
    if not chosen:
        raise InputError(f"there is no submission {number}")
    lines = [line for record in chosen[0].records for line in _lines(connection, record)]
    who = members.get(connection, {line.member for line in lines})
    known = {k.id: k for k in kinds.all_kinds(connection)}
    return [_row(line, who, known) for line in lines]


def _lines(connection: Connection, record: int) -> Sequence[Any]:
    return connection.execute(
        select(postings, records.c.title, records.c.day)
        .join(records, records.c.id == postings.c.record)
        .where(records.c.id == record).order_by(postings.c.id)
    ).all()  # fmt: skip


def _row(line: Any, who: Mapping[int, Any], known: Mapping[int, Any]) -> dict[str, str]:
    member, kind = who[line.member], known[line.kind]
    values = (member.number, neutralise(member.name), kind.name, kind.shown(line.amount), line.day,
              neutralise(line.title),
              line.record, line.id, line.reverses or "")  # fmt: skip
    return dict(zip(COLUMNS, map(str, values), strict=True))


def as_csv(rows: Sequence[Mapping[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
