"""A member's statement: every posting with its event and its reason, and the balances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from honours.errors import InputError
from honours.ledger import explained, kinds, members
from honours.ledger import facts as stored
from honours.ledger.derive import Kind
from honours.ledger.members import Member
from honours.ledger.schema import postings, records
from honours.model import Step


@dataclass(frozen=True, slots=True)
class Posted:
    """One posting as a statement shows it."""

    posting: int
    record: int
    action: str
    day: str
    title: str
    kind: Kind
    amount: int
    at: str
    who: str
    why: str
    reverses: int | None

    @property
    def shown(self) -> str:
        return self.kind.shown(self.amount)


@dataclass(frozen=True, slots=True)
class Statement:
    """All of a member's postings in the order they were made, and what they add up to."""

    member: Member
    lines: tuple[Posted, ...]
    balances: Mapping[Kind, int]


def statement(connection: Connection, member: Member) -> Statement:
    """The statement of a member, merged ones included."""
    known = {k.id: k for k in kinds.all_kinds(connection)}
    rows = connection.execute(
        select(
            postings.c.id, postings.c.record, postings.c.kind, postings.c.amount,
            postings.c.reverses, records.c.action, records.c.day, records.c.title, records.c.at,
            records.c.who, records.c.why,
        )
        .join(records, records.c.id == postings.c.record)
        .where(postings.c.member.in_(members.group(connection, member.id)))
        .order_by(postings.c.id)
    )  # fmt: skip
    lines = tuple(
        Posted(r.id, r.record, r.action, r.day, r.title, known[r.kind], r.amount, r.at, r.who,
               r.why, r.reverses)
        for r in rows
    )  # fmt: skip
    return Statement(member, lines, _added_up(lines))


def _added_up(lines: Sequence[Posted]) -> dict[Kind, int]:
    balances: dict[Kind, int] = {}
    for line in lines:
        balances[line.kind] = balances.get(line.kind, 0) + line.amount
    return balances


def balances(connection: Connection) -> dict[tuple[int, int], int]:
    """Everybody's balance of every kind: (member, kind) → units, mergers followed."""
    roots = members.roots(connection)
    rows = connection.execute(
        select(postings.c.member, postings.c.kind, func.sum(postings.c.amount))
        .group_by(postings.c.member, postings.c.kind)
    )  # fmt: skip
    found: dict[tuple[int, int], int] = {}
    for member, kind, amount in rows:
        key = (roots.get(member, member), kind)
        found[key] = found.get(key, 0) + int(amount)
    return found


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a posting is what it is: the explanation made when it was posted, with today's names."""

    posting: Any
    record: Any
    steps: tuple[Step, ...]
    names: Mapping[int, str]

    def named(self, text: str) -> str:
        return stored.with_names(text, self.names)


def reason(connection: Connection, posting: int) -> Reason:
    """The reason of a posting; of one that takes another back, that other's."""
    row = connection.execute(select(postings).where(postings.c.id == posting)).first()
    if row is None:
        raise InputError(f"there is no posting {posting}")
    if row.reverses is not None:
        return reason(connection, row.reverses)
    record = connection.execute(select(records).where(records.c.id == row.record)).one()
    steps = tuple(explained.why(record.explanation, row.entrant)) if record.explanation else ()
    numbers = stored.numbers_in(record.explanation)
    names = {i: m.title for i, m in members.get(connection, numbers).items()}
    return Reason(row, record, steps, names)
