"""A member's statement: every posting with its event and its reason, and the balances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.ledger import facts as stored
from honours.ledger import kinds, members
from honours.ledger.bulk import lots
from honours.ledger.canonical import data_of
from honours.ledger.derive import PointsKind, unpublished
from honours.ledger.schema import end_of, postings, records, rulebooks
from honours.model import KnownFact, Step
from honours.model.member import Member
from honours.model.message import Message, plural

_NAMES = ("id", "action", "day", "title", "at", "who", "why", "rulebook")
_SHOWN = tuple(records.c[name] for name in _NAMES)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One posting as a statement shows it."""

    posting: int
    record: int
    action: str
    day: str
    title: str
    kind: PointsKind
    amount: int
    at: str
    who: str
    why: str
    reverses: int | None
    overruled: str = ""
    """Why it was posted although the rulebook's body forbids it."""
    doubt: str = ""
    """What is to be doubted about the rulebook it was made with."""
    held: int = 0
    """What was held of its kind after it."""

    @property
    def shown(self) -> str:
        return self.kind.shown(self.amount)

    @property
    def date(self) -> str:
        return date_of(self)


class Dated(Protocol):
    """Anything that has a day: a record, or a line of one."""

    @property
    def action(self) -> str: ...
    @property
    def day(self) -> str: ...
    @property
    def at(self) -> str: ...


def date_of(record: Dated) -> str:
    """The day of a record: for an event the day it was played, for anything else the day it was
    written."""
    return record.day or record.at[:10]


def record_title(record: Any) -> str:
    """A record's title: its event, or what was done."""
    return Message("Opening balances") if record.action == "opening" else str(record.title)


@dataclass(frozen=True, slots=True)
class Statement:
    """All of a member's postings in the order they were made, and their sums."""

    member: Member
    lines: tuple[StatementLine, ...]
    balances: Mapping[PointsKind, int]


def statement(connection: Connection, member: Member) -> Statement:
    """The statement of a member, including those merged into it."""
    known = kinds.by_id(connection)
    own = postings_of(connection, members.group(connection, member.id))
    overruled = _overruled(connection, {r.id for _, r in own if r.action == "award" and r.why})
    doubted = doubts(connection)
    held: dict[int, int] = {}

    def after(kind: int, amount: int) -> int:
        held[kind] = held.get(kind, 0) + amount
        return held[kind]

    lines = tuple(
        StatementLine(
            p.id,
            p.record,
            r.action,
            r.day,
            r.title,
            known[p.kind],
            p.amount,
            r.at,
            r.who,
            r.why,
            p.reverses,
            overruled.get(r.id, ""),
            doubted.get(r.rulebook or "", ""),
            after(p.kind, p.amount),
        )
        for p, r in own
    )
    return Statement(member, lines, added_up(lines))


def postings_of(connection: Connection, ids: Sequence[int]) -> list[tuple[Any, Any]]:
    """The postings with these ids, in order, each with its record.

    Two queries, each along an index: as one, a database without fresh statistics reads every record
    there is.
    """
    chosen = select(postings).where(postings.c.member.in_(ids)).order_by(postings.c.id)
    own = connection.execute(chosen).all()
    records_by_id: dict[int, Any] = {}
    for some in lots({p.record for p in own}):
        rows = connection.execute(select(*_SHOWN).where(records.c.id.in_(some)))
        records_by_id |= {row.id: row for row in rows}
    return [(p, records_by_id[p.record]) for p in own]


def doubts(connection: Connection) -> dict[str, Message]:
    """Return what is to be doubted about rulebooks that awards were made with, by their hashes:
    each that is not the text published under its id."""
    return {
        row.hash: doubt
        for row in connection.execute(select(rulebooks))
        if (doubt := unpublished(row.rulebook, row.hash, data_of(row.amended)))
    }


def _overruled(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    """For records that were posted although forbidden, why. The database searches for the key,
    so that the facts of all others need not be fetched and read."""
    reasons = {}
    for some in lots(ids):
        has_key = records.c.facts.contains(f'"{stored.OVERRULED}":')
        rows = select(records.c.id, records.c.facts).where(records.c.id.in_(some), has_key)
        for row in connection.execute(rows):
            reasons[row.id] = stored.from_text(row.facts).overruled
    return reasons


def added_up(lines: Iterable[StatementLine]) -> dict[PointsKind, int]:
    """The sums of postings, by kind."""
    balances: dict[PointsKind, int] = {}
    for line in lines:
        balances[line.kind] = balances.get(line.kind, 0) + line.amount
    return balances


@dataclass(frozen=True, slots=True)
class PostingReason:
    """The explanation of a posting, made when it was posted, with current names."""

    posting: Any
    record: Any
    steps: tuple[Step, ...]
    names: Mapping[int, str]
    known: tuple[KnownFact, ...] = ()
    """What the award was made from, each with its source."""
    doubt: str = ""
    """What is to be doubted about the rulebook it was made with."""

    @property
    def made_from(self) -> tuple[Message, ...]:
        """The facts that were derived, given, assumed and not used, one line each."""
        from honours.reports.provenance import lines_of_known

        return lines_of_known(self.known)

    @property
    def explanations(self) -> tuple[Step, ...]:
        """The steps with current names."""
        from honours.engine.exact.working import renamed

        return tuple(
            renamed(step, lambda text: stored.with_names(text, self.names)) for step in self.steps
        )


def reason(connection: Connection, posting: int) -> PostingReason:
    """The reason for a posting; for a reversal, that of the posting it reverses."""
    from honours.ledger import stored_explanations

    row = connection.execute(select(postings).where(postings.c.id == posting)).first()
    if row is None:
        there = plural(
            "{count:,} posting",
            "{count:,} postings",
            count=end_of(connection).postings,
        )
        raise InputError(
            "there is no posting {posting}: the ledger has {there}, and a member's "
            "statement shows their numbers",
            posting=posting,
            there=there,
        )
    if row.reverses is not None:
        return reason(connection, row.reverses)
    record = connection.execute(select(records).where(records.c.id == row.record)).one()
    kept = record.explanation
    steps = tuple(stored_explanations.why(kept, row.entrant, row.member)) if kept else ()
    numbers = stored.numbers_in(record.explanation)
    names = {i: m.title for i, m in members.get(connection, numbers).items()}
    known = stored_explanations.made_from(record.explanation) if record.explanation else ()
    doubt = doubts(connection).get(record.rulebook or "", "")
    return PostingReason(row, record, steps, names, known, doubt)
