"""Assertions of people about the ledger: kept in it, and checked against it.

"On 2026-06-30 the club's local points are 48,210": a figure that somebody counted by hand, or that
a federation confirmed. ``verify`` adds up the postings to that day and says whether it is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from honours.formats.entrants import sought
from honours.formats.reading import iso_day
from honours.ledger import sealing
from honours.ledger.balances import ends
from honours.ledger.chain import locked, now
from honours.ledger.derive import PointsKind
from honours.ledger.kinds import by_id
from honours.ledger.schema import OF_RECORD, assertions, postings, records
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class Assertion:
    """An assertion, and the sum of the postings."""

    id: int
    day: str
    kind: PointsKind
    club: str
    member: int | None
    amount: int
    found: int
    who: str
    remark: str

    @property
    def holds(self) -> bool:
        return self.amount == self.found

    @property
    def text(self) -> str:
        """The assertion in words, and whether it is true."""
        owner = f"#{self.member}" if self.member else self.club
        return Message(
            "{whose} {kind} points of {scheme} on {day} are {amount}, says {who}"
            if self.holds
            else "{whose} {kind} points of {scheme} on {day} are {amount}, says {who}; they are "
            "{found}",
            whose=Message("{owner}'s", owner=owner) if owner else Message("all"),
            kind=self.kind.name,
            scheme=self.kind.scheme,
            day=self.day,
            amount=self.kind.shown(self.amount),
            who=self.who or Message("somebody"),
            found=self.kind.shown(self.found),
        )


def add(
    connection: Connection,
    kind: PointsKind,
    day: str,
    amount: Fraction,
    who: str,
    *,
    club: str = "",
    member: int | None = None,
    remark: str = "",
) -> Assertion:
    """Store an assertion; a false one is stored too, and reported."""
    locked(connection)
    number = sealing.next_number(connection, assertions)
    row = {
        "id": number,
        "at": now(),
        "who": who,
        "day": iso_day("day", day),
        "kind": kind.id,
        "club": club,
        "member": member,
        "amount": kind.units(amount),
        "remark": remark,
    }
    sealing.put(connection, assertions, row)
    return next(assertion for assertion in checked(connection) if assertion.id == number)


def withdraw(connection: Connection, number: int) -> bool:
    """Withdraw an assertion; the chain keeps that it existed."""
    there = connection.scalar(select(assertions.c.id).where(assertions.c.id == number))
    sealing.remove(connection, assertions, assertions.c.id == number)
    return there is not None


def checked(connection: Connection) -> list[Assertion]:
    """Every assertion with the sum of the postings."""
    rows = connection.execute(select(assertions).order_by(assertions.c.id)).all()
    known = by_id(connection) if rows else {}
    return [
        Assertion(
            row.id,
            row.day,
            known[row.kind],
            row.club,
            row.member,
            row.amount,
            _sum(connection, row),
            row.who,
            row.remark,
        )
        for row in rows
    ]


def _sum(connection: Connection, row: Any) -> int:
    """The sum of the postings of a kind up to a day."""
    conditions: list[ColumnElement[bool]] = [postings.c.kind == row.kind]
    if row.member is not None:
        group = [m for m, root in ends(connection).items() if root == row.member]
        conditions.append(postings.c.member.in_([row.member, *group]))
    summed = (
        select(records.c.club, func.sum(postings.c.amount))
        .join(records, OF_RECORD)
        .where(records.c.day <= row.day, *conditions)
        .group_by(records.c.club)
    )
    return sum(
        int(amount)
        for club, amount in connection.execute(summed)
        if not row.club or sought(club) == sought(row.club)
    )
