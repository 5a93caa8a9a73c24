"""Verifying a ledger: every posting is derived again, and every link recomputed.

The ledger is ``sound``; or ``altered``, if anything differs from what was written; or else
``unexplained``, if a posting's rulebook is missing or doubtful, or an assertion is false. Only to
derive awards takes a rulebook: everything else is checked without, and of rulebooks none is run but
those that come with Honours and those that the auditor has confirmed.

A long ledger is derived by several processes at once; and one that was verified up to a checkpoint
can be verified from there on.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from honours.errors import InputError, message_of
from honours.ledger import kinds
from honours.ledger.canonical import data_of
from honours.ledger.chain import NewPosting, digest_of, hash_of
from honours.ledger.checkpoint import Checkpoint, Continuity, continuity, grown_since
from honours.ledger.derive import opening_lines, reversed_lines
from honours.ledger.inspection import ChainWalk, Finding, inspect_tables, inspect_touched, walk
from honours.ledger.judging import (
    ALTERED,
    SOUND,
    UNEXPLAINED,
    UNREADABLE,
    AwardVerdicts,
    Judging,
    KnownRulebook,
    PostingVerdict,
    WrittenAward,
    judge,
    judging,
)
from honours.ledger.schema import end_of, postings, records, rulebooks
from honours.ledger.store import Ledger
from honours.model.message import Message, plural

_LOT = 50
"""How many awards are judged together."""
_LONG = 2_000
"""With this many records or more, using other processes pays."""


class Unexplained(NamedTuple):
    """The number of postings that are unexplained for a reason, and the records they are in."""

    said: str
    postings: int
    records: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings of ``verify``: how many postings got which verdict, those listed one by one,
    and everything that differs from what was written."""

    verdicts: tuple[PostingVerdict, ...]
    findings: tuple[Finding, ...]
    records: int
    head: str
    remarks: tuple[str, ...] = ()
    since: Continuity | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def verdict(self) -> Message:
        """One of three; a false assertion alters nothing."""
        cut = self.since is not None and not self.since.held
        changed = any(not finding.asserted for finding in self.findings)
        if cut or changed or self.counts.get(ALTERED):
            return ALTERED
        return UNEXPLAINED if self.findings or self.counts.get(UNEXPLAINED) else SOUND

    @property
    def sound(self) -> bool:
        return self.verdict == SOUND

    @property
    def unexplained(self) -> tuple[Unexplained, ...]:
        """The unexplained postings by the reason."""
        reasons: dict[str, Counter[int]] = {}
        for one in self.verdicts:
            if one.verdict == UNEXPLAINED:
                reasons.setdefault(one.said, Counter())[one.record] += 1
        return tuple(Unexplained(said, of.total(), tuple(of)) for said, of in reasons.items())


def verify(ledger: Ledger, *how: Any, **more: Any) -> Verification:
    """:func:`verify_in` of a single state of the ledger; nobody has to wait meanwhile."""
    with ledger.reading() as connection:
        return verify_in(connection, *how, **more)


def verify_in(
    connection: Connection,
    folders: Iterable[str | Path] = (),
    head: Checkpoint | None = None,
    *,
    every: bool = False,
    processes: int = 1,
    after: Checkpoint | None = None,
) -> Verification:
    """Check the ledger, and that it continues the checkpoint ``head``. ``folders`` may hold earlier
    revisions of rulebooks, ``every`` verdict is kept rather than only the notable ones,
    ``processes`` derive in parallel, and only what was added ``after`` a checkpoint is checked."""
    if after is not None and after.size < 0:
        raise InputError("a head alone does not say where it was: give the line or the file of it")
    known = {
        row.hash: KnownRulebook(row.rulebook, row.edition, row.revision, row.body, row.amended)
        for row in connection.execute(select(rulebooks))
    }
    with (
        _any_bytes(connection),
        judging(folders, kinds.stored_kinds(connection), known, processes) as judges,
    ):
        checker = _Checker(connection, judges, every, after)
        checker.go()
        if after is None:
            more = inspect_tables(connection, checker.journal.seals)
            since = continuity(connection, checker.journal.links, head) if head else None
        else:
            more = inspect_touched(connection, checker.journal.seals, checker.touched)
            since = grown_since(connection, after)
    return Verification(
        tuple(sorted(checker.verdicts, key=lambda one: one.posting)),
        (*checker.findings, *more),
        checker.count,
        checker.journal.head,
        tuple(checker.journal.remarks),
        since,
        checker.counts,
    )


def processes_for(ledger: Ledger) -> int:
    """Return how many processes a ledger is worth: a short one is derived before they would have
    started."""
    with ledger.reading() as connection:
        count = end_of(connection).records
    return (os.cpu_count() or 1) if count >= _LONG else 1


@contextmanager
def _any_bytes(connection: Connection) -> Iterator[None]:
    """Let SQLite return texts that are not UTF-8: they are to be found, not to end the search."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    driver.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = str


class _Checker:
    """Follows the chain, record by record."""

    def __init__(
        self, connection: Connection, judges: Judging, every: bool, after: Checkpoint | None
    ) -> None:
        self.connection, self._judges, self._every, self._after = connection, judges, every, after
        self.findings: list[Finding] = []
        self.verdicts: list[PostingVerdict] = []
        self.counts: Counter[str] = Counter()
        self.touched: set[int] = set()
        self._lot: list[WrittenAward] = []
        self._titles: dict[int, str] = {}
        self.count = after.records if after else 0
        self.posted = _posted_by(connection, self.count)
        self.journal = ChainWalk(connection, self.findings, after)

    def go(self) -> None:
        """Check everything, or what was added since."""
        strays: list[Any] = []
        for row, lines in walk(self.connection, self.count, self.posted, strays):
            self._record(row, lines)
        self._ask()
        self._take(self._judges.rest())
        for line in strays:
            stray = Message("is not among those of its record")
            self.findings.append(Finding(Message("posting {number}", number=line.id), stray))
            self._keep(
                [PostingVerdict(line.id, line.record, ALTERED, Message("was never awarded"))]
            )
        self._end()

    def _record(self, row: Any, lines: Sequence[Any]) -> None:
        self.journal.go_to(row.id)
        if self._after is not None:
            self.touched.update(line.member for line in lines)
        try:
            self._link(row, lines)
            if row.action == "award":
                self._lot.append(_written(row, lines))
                self._titles[row.id] = row.title or row.action
                if len(self._lot) == _LOT:
                    self._ask()
                return
            expected = self._expected(row)
        except UNREADABLE as error:
            unread = Message("its facts cannot be read")
            verdicts = tuple(PostingVerdict(p.id, row.id, ALTERED, unread) for p in lines)
            self._titles[row.id] = row.title or row.action
            self._take([AwardVerdicts(row.id, verdicts, message_of(error) or type(error).__name__)])
            return
        self._keep(judge(row, lines, expected))

    def _ask(self) -> None:
        if self._lot:
            self._take(self._judges.give(tuple(self._lot)))
            self._lot = []

    def _take(self, judged: Iterable[AwardVerdicts]) -> None:
        for one in judged:
            title = self._titles.pop(one.record, "")
            if one.unread:
                message = Message("its facts cannot be read ({error})", error=one.unread)
                self._find(one.record, title, message)
            self._keep(one.verdicts)

    def _keep(self, verdicts: Iterable[PostingVerdict]) -> None:
        for one in verdicts:
            self.counts[one.verdict] += 1
            if self._every or one.verdict != SOUND:
                self.verdicts.append(one)

    def _find(self, record: int, title: str, message: Message) -> None:
        where = Message("record {number} ({title})", number=record, title=title)
        self.findings.append(Finding(where, message))

    def _link(self, row: Any, lines: Sequence[Any]) -> None:
        """Check the chain up to here: numbers without gaps, and hashes that follow from what
        they cover."""
        title = row.title or row.action
        self.count += 1
        if row.id != self.count:
            self._find(row.id, title, Message("record {number} is missing", number=self.count))
            self.count = row.id
        if row.first_posting != self.posted + 1 or len(lines) != row.postings:
            has = plural(
                "has {count} posting; {written} written",
                "has {count} postings; {written} written",
                count=len(lines),
                written=row.postings,
            )
            self._find(row.id, title, has)
        self.posted = row.first_posting + row.postings - 1
        if digest_of(tuple(p) for p in lines) != row.digest:
            unlike = Message("its postings are not those that were written")
            self._find(row.id, title, unlike)
        if row.previous != self.journal.head:
            self._find(row.id, title, Message("does not follow from the record before it"))
        if hash_of(row._mapping) != row.hash:
            self._find(row.id, title, Message("something in it was changed"))
        self.journal.record(row)

    def _expected(self, row: Any) -> Sequence[NewPosting]:
        """The lines that a record without awards should have."""
        if row.action in ("opening", "adjustment"):
            return opening_lines(row.facts)
        if row.action != "reversal":
            return ()
        undone = data_of(row.facts)["reverses"]
        if row.reverses != undone:
            self._find(row.id, row.title, Message("reverses another record than it says"))
        where = select(records.c.first_posting, records.c.postings).where(records.c.id == undone)
        of = self.connection.execute(where).first()
        if of is None:
            return ()
        own = postings.c.id.between(of.first_posting, of.first_posting + of.postings - 1)
        chosen = select(postings).where(own, postings.c.record == undone)
        return reversed_lines(self.connection.execute(chosen.order_by(postings.c.id)).all())

    def _end(self) -> None:
        """Compare with the chain's own row, which says how long it is, so that a missing end is
        noticed."""
        self.journal.go_to(None)
        row = end_of(self.connection)
        end = (1, self.count, self.posted, row.members, self.journal.head, self.journal.count)
        if tuple(row) != end:
            message = Message(
                "says {records} and {postings}; {count} and {posted} there, or others",
                records=plural("{count:,} record", "{count:,} records", count=row.records),
                postings=plural("{count:,} posting", "{count:,} postings", count=row.postings),
                count=self.count,
                posted=self.posted,
            )
            self.findings.append(Finding(Message("the end of the chain"), message))


def _posted_by(connection: Connection, record: int) -> int:
    """The last posting up to a record."""
    last = select(records.c.first_posting + records.c.postings - 1).where(records.c.id == record)
    return int(connection.scalar(last) or 0)


def _written(row: Any, lines: Sequence[Any]) -> WrittenAward:
    return WrittenAward(row.id, row.rulebook, row.facts, row.first_posting, tuple(lines))
