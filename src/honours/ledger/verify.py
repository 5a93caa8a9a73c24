"""Is everything still what was written? Every posting derived again, every link recomputed.

Of each posting: ``same``; ``same under its revision``, where the rulebook of today gives something
else; ``altered``; or ``not derivable``, where the revision it was made with is not at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from honours.errors import HonoursError
from honours.ledger import facts as stored
from honours.ledger import kinds
from honours.ledger.canonical import data_of
from honours.ledger.chain import Line, digest_of, hash_of
from honours.ledger.checkpoint import Checkpoint, Continuity, continuity
from honours.ledger.derive import (
    Payment,
    Rulebooks,
    awards_of,
    lines_of,
    opening_lines,
    payment,
    reversed_lines,
)
from honours.ledger.findings import Finding
from honours.ledger.inspection import inspect_tables
from honours.ledger.journal import Journal
from honours.ledger.schema import chain, postings, records, rulebooks
from honours.ledger.store import Ledger
from honours.model.message import Message, joined, plural

SAME, SAME_THEN, ALTERED, UNDERIVABLE = (
    Message("same"),
    Message("same under its revision"),
    Message("altered"),
    Message("not derivable"),
)
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one posting; ``said`` is empty when all is well."""

    posting: int
    record: int
    verdict: Message
    said: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """What ``verify`` found: a verdict a posting, and everything that is not as it was written."""

    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    records: int
    head: str
    remarks: tuple[str, ...] = ()
    since: Continuity | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        return Counter(v.verdict for v in self.verdicts)

    @property
    def sound(self) -> bool:
        held = self.since is None or self.since.held
        return held and not self.findings and not self.counts.get(ALTERED)


def verify(
    ledger: Ledger, folders: Iterable[str | Path] = (), head: Checkpoint | None = None
) -> Verification:
    """Check the whole ledger, and that it continues the checkpoint ``head``; ``folders`` may hold
    earlier revisions of rulebooks."""
    with ledger.reading() as connection:
        return verify_in(connection, folders, head)


def verify_in(
    connection: Connection, folders: Iterable[str | Path] = (), head: Checkpoint | None = None
) -> Verification:
    """As :func:`verify`, inside a transaction that is open already."""
    checker = _Checker(connection, Rulebooks(folders))
    with _any_bytes(connection):
        verdicts = tuple(v for row, lines in _all(connection) for v in checker.record(row, lines))
        checker.end()
        findings = (*checker.findings, *inspect_tables(connection, checker.journal.seals))
        since = continuity(connection, checker.journal.links, head) if head else None
    remarks = tuple(checker.journal.remarks)
    return Verification(verdicts, findings, checker.count, checker.head, remarks, since)


@contextmanager
def _any_bytes(connection: Connection) -> Iterator[None]:
    """Let SQLite give texts that are no UTF-8: they are to be found, not to end the search."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    driver.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = str


def _all(connection: Connection) -> Iterator[tuple[Any, list[Any]]]:
    """Every record with its postings, a few at a time."""
    last = 0
    while rows := connection.execute(
        select(records).where(records.c.id > last).order_by(records.c.id).limit(_CHUNK)
    ).all():
        last = rows[-1].id
        found: dict[int, list[Any]] = {row.id: [] for row in rows}
        for line in connection.execute(
            select(postings).where(postings.c.record.in_(found)).order_by(postings.c.id)
        ):
            found[line.record].append(line)
        yield from ((row, found[row.id]) for row in rows)


class _Checker:
    """Goes along the chain, record by record."""

    def __init__(self, connection: Connection, books: Rulebooks) -> None:
        self.connection, self.books = connection, books
        self.findings: list[Finding] = []
        self.count, self.posted = 0, 0
        self.journal = Journal(connection, self.findings)
        self._kinds = kinds.all_kinds(connection)
        self._rulebooks = {r.hash: r for r in connection.execute(select(rulebooks))}

    @property
    def head(self) -> str:
        return self.journal.head

    def record(self, row: Any, lines: Sequence[Any]) -> list[Verdict]:
        self.journal.go_to(row.id)
        try:
            self._link(row, lines)
            expected = self._expected(row)
        except (HonoursError, KeyError, TypeError, ValueError) as error:
            self._find(row, Message("its facts cannot be read ({error})", error=str(error)))
            unread = Message("its facts cannot be read")
            return [Verdict(p.id, row.id, ALTERED, unread) for p in lines]
        return _judge(row, lines, expected)

    def _find(self, row: Any, said: Message) -> None:
        where = Message("record {number} ({title})", number=row.id, title=row.title or row.action)
        self.findings.append(Finding(where, said))

    def _link(self, row: Any, lines: Sequence[Any]) -> None:
        """The chain up to here: numbers without gaps, hashes that follow from what they cover."""
        self.count += 1
        if row.id != self.count:
            self._find(row, Message("record {number} is missing", number=self.count))
            self.count = row.id
        if row.first_posting != self.posted + 1 or len(lines) != row.postings:
            has = plural(
                "has {count} posting; {written} written",
                "has {count} postings; {written} written",
                count=len(lines),
                written=row.postings,
            )
            self._find(row, has)
        self.posted = row.first_posting + row.postings - 1
        if digest_of(tuple(p) for p in lines) != row.digest:
            self._find(row, Message("its postings are not those that were written"))
        if row.previous != self.head:
            self._find(row, Message("does not follow from the record before it"))
        if hash_of(row._mapping) != row.hash:
            self._find(row, Message("something in it was changed"))
        self.journal.record(row)

    def _expected(self, row: Any) -> dict[str, Sequence[Line] | None]:
        """The lines the record should have: by the rules now, and by those it was made with."""
        if row.action == "award":
            return self._awarded(row)
        if row.action == "opening":
            return {"made": opening_lines(row.facts)}
        if row.action == "reversal":
            reversed_ = select(postings).where(postings.c.record == data_of(row.facts)["reverses"])
            lines = self.connection.execute(reversed_.order_by(postings.c.id)).all()
            return {"made": reversed_lines(lines)}
        return {"made": ()}

    def _awarded(self, row: Any) -> dict[str, Sequence[Line] | None]:
        facts = stored.from_text(row.facts)
        known = self._rulebooks[row.rulebook]
        paid = payment([kind for kind in self._kinds if kind.scheme == known.body], facts.kind)
        amended = data_of(known.amended)
        made = self.books.with_hash(row.rulebook, amended)
        found: dict[str, Sequence[Line] | None] = {"made": None, "now": None}
        if made is not None:
            found = dict.fromkeys(found, lines_of(awards_of(made, facts), paid))
        current = self._current(known.rulebook, amended)
        if current is not None and current.hash != row.rulebook:
            found["now"] = _derived(current, facts, paid)
        return found

    def _current(self, rulebook: str, amended: Mapping[str, str]) -> Any:
        try:
            return self.books.current(rulebook, amended)
        except HonoursError:
            return None

    def end(self) -> None:
        """The chain's own row says how long it is: a missing end shows."""
        self.journal.go_to(None)
        row = self.connection.execute(select(chain)).one()
        end = (1, self.count, self.posted, row.members, self.head, self.journal.count)
        if tuple(row) != end:
            said = Message(
                "says {records} and {postings}; {count} and {posted} there, or others",
                records=plural("{count:,} record", "{count:,} records", count=row.records),
                postings=plural("{count:,} posting", "{count:,} postings", count=row.postings),
                count=self.count,
                posted=self.posted,
            )
            self.findings.append(Finding(Message("the end of the chain"), said))


def _derived(book: Any, facts: stored.EventFacts, paid: Payment) -> Sequence[Line] | None:
    """What another revision would award; one that cannot read the facts gives nothing."""
    try:
        return lines_of(awards_of(book, facts), paid)
    except HonoursError:
        return None


def _judge(row: Any, lines: Sequence[Any], expected: Mapping[str, Any]) -> list[Verdict]:
    made, now = expected["made"], expected.get("now", expected["made"])
    verdicts = [_verdict(row, p, i, made, now) for i, p in enumerate(lines)]
    wanted = made if made is not None else now
    gone = range(len(lines), len(wanted or ()))
    missing = [Verdict(row.first_posting + i, row.id, ALTERED, Message("is missing")) for i in gone]
    return verdicts + missing


def _verdict(row: Any, p: Any, i: int, made: Any, now: Any) -> Verdict:
    actual = Line(p.member, p.kind, p.amount, p.entrant, p.reverses)
    then = made is None or (i < len(made) and made[i] == actual)
    today = now is not None and i < len(now) and now[i] == actual
    if p.id != row.first_posting + i:
        other = Message("should be posting {number}", number=row.first_posting + i)
        return Verdict(p.id, row.id, ALTERED, other)
    if today and then:
        return Verdict(p.id, row.id, SAME)
    if made is not None and then:
        later = Message("a later revision of the rulebook differs")
        return Verdict(p.id, row.id, SAME_THEN, later)
    if made is None:
        unknown = Message("the revision it was made with is not at hand")
        return Verdict(p.id, row.id, UNDERIVABLE, unknown)
    return Verdict(p.id, row.id, ALTERED, _should(made, i, actual))


def _should(made: Sequence[Line], i: int, actual: Line) -> Message:
    if i >= len(made):
        return Message("was never awarded")
    wanted = zip(Line._fields, made[i], actual, strict=True)
    different = [
        Message("{name} is {is_}, derived {was}", name=name, is_=is_, was=was)
        for name, was, is_ in wanted
        if was != is_
    ]
    return joined(", ", different)
