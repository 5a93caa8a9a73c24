"""Follows the chain, link by link and record by record, and holds what ``verify`` knows there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, Text, cast, func, select, text

from honours.ledger import assertions, balances, schema
from honours.ledger.bulk import lots
from honours.ledger.canonical import data_of
from honours.ledger.chain import Change, hash_of_change, now
from honours.ledger.checkpoint import Checkpoint
from honours.ledger.links import Links
from honours.ledger.schema import (
    APPEND_ONLY,
    SEALED,
    aliases,
    chain,
    changes,
    members,
    numbers,
    people,
    postings,
    records,
    releasers,
    tallies,
)
from honours.ledger.sealing import NONE, combined, key_of, seal
from honours.model.message import Message, plural

_LOT = 10
"""So many links are read at once: one may tell of thousands of rows."""
_RECORDS, _POSTINGS = 50, 10_000
_CLOCKS = timedelta(minutes=5)
"""The clocks of two machines may differ by this much without a remark."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that differs from what was written: where, and what is wrong."""

    where: Message
    said: str
    asserted: bool = False
    """Whether this is a false assertion by somebody, while nothing was changed."""


class Seals:
    """The seals that the chain says rows have, by table and key (by the seal itself if the key is
    withheld): as many as a federation has members, so they are in a temporary file."""

    def __init__(self) -> None:
        self._kept = sqlite3.connect("", isolation_level=None)
        self._kept.execute("BEGIN")
        self._kept.execute(
            "CREATE TABLE seals (name, key, seal, PRIMARY KEY (name, key)) WITHOUT ROWID"
        )

    def put(self, table: str, key: str, seal: str) -> None:
        self._kept.execute("INSERT OR REPLACE INTO seals VALUES (?, ?, ?)", (table, key, seal))

    def take(self, table: str, key: str) -> str | None:
        """A row's seal, which is taken out; ``None`` if none is known."""
        own = (table, key)
        chosen = "FROM seals WHERE name = ? AND key = ?"
        found = self._kept.execute(f"SELECT seal {chosen}", own).fetchone()
        if found is None:
            return None
        self._kept.execute(f"DELETE {chosen}", own)
        return str(found[0])

    def of(self, table: str) -> Iterator[tuple[str, str]]:
        """Keys and seals of a table, in order."""
        chosen = "SELECT key, seal FROM seals WHERE name = ? ORDER BY key"
        yield from self._kept.execute(chosen, (table,))


class ChainWalk:
    """The chain's links up to a point: the head there, the seals that rows must have there, and
    anything odd about the times."""

    def __init__(
        self,
        connection: Connection,
        findings: list[Finding],
        after: Checkpoint | None = None,
    ) -> None:
        self._findings, self._whole = findings, after is None
        self.head, self.count = (after.head, after.changes) if after else ("", 0)
        self._changes = _all_changes(connection, self.count)
        self._following = next(self._changes, None)
        self._at, self._told = "", Message("the beginning")
        self.links = Links()
        self.seals = Seals()
        self.remarks: list[Message] = []

    def go_to(self, record: int | None) -> None:
        """Process the changes before a record, or all that remain."""
        while (row := self._following) is not None and (record is None or row.after < record):
            self._link(row)
            self._following = next(self._changes, None)

    def record(self, row: Any) -> None:
        """Take a record as the next link."""
        self._timed(row.at, Message("record {number}", number=row.id))
        self.links.add(row.id, row.hash)
        self.head = row.hash

    def _find(self, row: Any, message: Message) -> None:
        self._findings.append(Finding(Message("changes {number}", number=row.id), message))

    def _link(self, row: Any) -> None:
        self.count += 1
        if row.id != self.count:
            self._find(row, Message("changes {number} are missing", number=self.count))
            self.count = row.id
        if row.previous != self.head:
            self._find(row, Message("do not follow from the link before them"))
        try:
            if hash_of_change(row._mapping) != row.hash:
                self._find(row, Message("something in them was changed"))
            for each in data_of(row.content):
                self._apply(row, Change(*each))
        except (TypeError, ValueError) as error:
            self._find(row, Message("cannot be read ({error})", error=str(error)))
        self._timed(row.at, Message("changes {number}", number=row.id))
        self.links.add(-row.id, row.hash)
        self.head = row.hash

    def _apply(self, row: Any, change: Change) -> None:
        key = change.key or change.before
        before = self.seals.take(change.table, key) if change.before else None
        known = self._whole or before is not None
        if change.before and known and before != change.before:
            took = Message(
                "took {table} {key} for what it was not", table=change.table, key=change.key
            )
            self._find(row, took)
        if change.after:
            self.seals.put(change.table, change.key or change.after, change.after)
        elif not self._whole:
            self.seals.put(change.table, key, "")  # must no longer exist

    def _timed(self, at: str, what: Message) -> None:
        """Report a clock that was set back or is in the future; that alone is not a forgery."""
        try:
            before = datetime.fromisoformat(self._at or at)
            this = datetime.fromisoformat(at)
            if before - this > _CLOCKS:
                back = Message(
                    "{what} was written at {at}, before {other} at {then}: the clock was put back",
                    what=what,
                    at=at,
                    other=self._told,
                    then=self._at,
                )
                self.remarks.append(back)
            if this - datetime.fromisoformat(now()) > _CLOCKS:
                ahead = Message(
                    "{what} was written at {at}, which is in the future", what=what, at=at
                )
                self.remarks.append(ahead)
        except (TypeError, ValueError):
            return
        self._at, self._told = at, what


def _all_changes(connection: Connection, last: int) -> Iterator[Any]:
    """Every link of changes after the given one, fetched a few at a time."""
    while rows := connection.execute(
        select(changes).where(changes.c.id > last).order_by(changes.c.id).limit(_LOT)
    ).all():
        last = rows[-1].id
        yield from rows


# --- records with their postings ------------------------------------------------------------------


class Posting(NamedTuple):
    """A posting as it stands in its table."""

    id: int
    record: int
    member: int
    kind: int
    amount: int
    entrant: str
    reverses: int | None


def walk(
    connection: Connection, after: int, posted: int, strays: list[Any]
) -> Iterator[tuple[Any, list[Posting]]]:
    """Every record after a given one, with its postings, which are in the same order as the
    records. Postings far from their record are ``strays``."""
    waiting: dict[int, list[Posting]] = {}
    last = after
    chosen = select(records).order_by(records.c.id).limit(_RECORDS)
    while rows := connection.execute(chosen.where(records.c.id > last)).all():
        last = rows[-1].id
        for some in _together(rows):
            until = max(row.first_posting + row.postings - 1 for row in some)
            for line in _between(connection, posted, until):
                waiting.setdefault(line.record, []).append(line)
            posted = max(posted, until)
            yield from ((row, waiting.pop(row.id, [])) for row in some)
    for line in _between(connection, posted, None):
        waiting.setdefault(line.record, []).append(line)
    strays += [line for lines in waiting.values() for line in lines]


def _together(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Records in parts that have some thousand postings each: a list of members opens many."""
    part: list[Any] = []
    for row in rows:
        part.append(row)
        if sum(one.postings for one in part) >= _POSTINGS:
            yield part
            part = []
    if part:
        yield part


def _between(connection: Connection, above: int, until: int | None) -> Iterator[Posting]:
    """The postings after one number, up to another."""
    chosen = select(postings).where(postings.c.id > above).order_by(postings.c.id)
    if until is not None:
        chosen = chosen.where(postings.c.id <= until)
    # Closed even if the reader stops in the middle, at a line that makes no sense.
    with connection.execute(chosen.execution_options(yield_per=5_000)) as rows:
        for row in rows:
            yield Posting(*row)


def inspect_tables(connection: Connection, seals: Seals) -> list[Finding]:
    """Everything wrong outside the chain; ``seals`` are those that the chain requires."""
    checks = (
        _seals,
        partial(_linked, seals=seals),
        _members,
        _strays,
        _mergers,
        _erasures,
        _balances,
        _assertions,
        _guards,
        _file,
    )
    return [finding for check in checks for finding in _safely(check, connection)]


def inspect_touched(connection: Connection, seals: Seals, members_: set[int]) -> list[Finding]:
    """Return what is wrong with the rows changed since a checkpoint, with the balances of those
    credited since, and with the guards; everything else is left to a full inspection."""
    checks = (
        partial(_touched, seals=seals),
        partial(_balances, members_=members_),
        _assertions,
        _guards,
    )
    return [finding for check in checks for finding in _safely(check, connection)]


def _touched(connection: Connection, seals: Seals) -> Iterator[Finding]:
    for table in SEALED:
        by_seal = table.name in (releasers.name, numbers.name)
        (key,) = table.primary_key
        column = table.c.seal if by_seal else cast(key, Text)
        for some in lots(seals.of(table.name)):
            names = [name for name, _ in some]
            rows = connection.execute(select(table).where(column.in_(names))).mappings()
            there = {str(row["seal"] if by_seal else row[key.name]): row for row in rows}
            for name, wanted in some:
                row = there.get(name)
                if (row["seal"] if row else "") != wanted or (row and not _holds(row)):
                    message = Message("is not as the chain says it was written")
                    yield Finding(_linked_row(table.name, "" if by_seal else name), message)


def _safely(
    check: Callable[[Connection], Iterator[Finding]], connection: Connection
) -> Iterator[Finding]:
    """The findings of a check; data that it cannot even read is a finding too."""
    try:
        yield from check(connection)
    except (KeyError, TypeError, ValueError) as error:
        name = getattr(check, "func", check).__name__.strip("_")
        message = Message("cannot be read ({error})", error=str(error))
        yield Finding(Message("{table}", table=name), message)


def _seals(connection: Connection) -> Iterator[Finding]:
    written = {row.name: (row.rows, row.digest) for row in connection.execute(select(tallies))}
    for table in SEALED:
        key = next(iter(table.primary_key)).name
        count, total, altered = 0, NONE, False
        for row in _rows(connection, table):
            count += 1
            if _holds(row):
                total = combined(total, row["seal"])
            else:
                altered = True
                changed = Message("was changed behind the ledger's back")
                yield Finding(_row(table.name, row[key]), changed)
        tally = written.pop(table.name, (None, ""))
        if tally[0] != count or (tally[1] != total and not altered):
            message = plural(
                "{count:,} row there, the ledger wrote {written}, or other ones",
                "{count:,} rows there, the ledger wrote {written}, or other ones",
                count=count,
                written=tally[0],
            )
            yield Finding(Message("{table}", table=table.name), message)
    for name in written:
        yield Finding(_row("tallies", name), Message("is of no table of the ledger"))


def _rows(connection: Connection, table: Table) -> Iterator[Mapping[Any, Any]]:
    """The rows of a table, a few at a time."""
    with connection.execute(select(table).execution_options(yield_per=5_000)) as rows:
        yield from rows.mappings()


def _row(table: str, key: object) -> Message:
    """A location in the database; names of tables are not translated."""
    return Message("{table} {key}", table=table, key=key)


def _holds(row: Mapping[Any, Any]) -> bool:
    """Return whether a row matches its seal; one that cannot be read does not."""
    try:
        return bool(seal(dict(row)) == row["seal"])
    except (TypeError, ValueError):
        return False


def _linked(connection: Connection, seals: Seals) -> Iterator[Finding]:
    """Compare the rows with seals with the links of the chain that wrote them."""
    for table in SEALED:
        for row in _rows(connection, table):
            key, own = key_of(table, dict(row)), str(row["seal"])
            if seals.take(table.name, key or own) != own:
                message = Message("is not as the chain says it was written")
                yield Finding(_linked_row(table.name, key), message)
        for left, seal_ in seals.of(table.name):
            shown = left if left != seal_ else ""
            yield Finding(_linked_row(table.name, shown), Message("was written and is gone"))


def _linked_row(table: str, key: str) -> Message:
    return _row(table, key) if key else Message("{table}", table=table)


def _balances(connection: Connection, members_: set[int] | None = None) -> Iterator[Finding]:
    for where, message in balances.wrong(connection, members_):
        yield Finding(where, message)


def _assertions(connection: Connection) -> Iterator[Finding]:
    for assertion in assertions.checked(connection):
        if not assertion.holds:
            where = Message("assertion {number}", number=assertion.id)
            yield Finding(where, assertion.text, asserted=True)


def _members(connection: Connection) -> Iterator[Finding]:
    ids = func.count(members.c.id), func.min(members.c.id), func.max(members.c.id)
    there, first, last = connection.execute(select(*ids)).one()
    count = connection.scalar(select(chain.c.members))
    if (there, first or 1, last or 0) != (count, 1, count):
        message = Message("{count} are there, the ledger made {made}", count=there, made=count)
        yield Finding(Message("members"), message)


def _strays(connection: Connection) -> Iterator[Finding]:
    """Postings without a record; foreign keys normally make them impossible."""
    lone = select(postings.c.id).where(~postings.c.record.in_(select(records.c.id)))
    for number in connection.scalars(lone):
        stray = Message("belongs to no record")
        yield Finding(Message("posting {number}", number=number), stray)


def _mergers(connection: Connection) -> Iterator[Finding]:
    recorded: dict[int, int] = {}
    moved = select(records).where(records.c.action.in_(("merge", "unmerge")))
    for row in connection.execute(moved.order_by(records.c.id)):
        facts = data_of(row.facts)
        if row.action == "merge":
            recorded[facts["member"]] = facts["into"]
        else:
            recorded.pop(facts["member"], None)
    kept = {row.member: row.into for row in connection.execute(select(aliases))}
    for member in sorted({m for m in {*recorded, *kept} if recorded.get(m) != kept.get(m)}):
        yield Finding(_row("aliases", member), Message("is not merged as the records say"))


def _erasures(connection: Connection) -> Iterator[Finding]:
    erased: set[int] = set()
    for row in connection.execute(select(records).where(records.c.action == "erasure")):
        erased.update(data_of(row.facts)["members"])
    for some in lots(sorted(erased)):
        for member in connection.scalars(select(people.c.member).where(people.c.member.in_(some))):
            yield Finding(_row("people", member), Message("was erased and has a name again"))
    named = select(people.c.member).where(people.c.member == members.c.id)
    nameless = set(connection.scalars(select(members.c.id).where(~named.exists())))
    for member in sorted(nameless - erased):
        yield Finding(_row("people", member), Message("has lost its name without an erasure"))


def _guards(connection: Connection) -> Iterator[Finding]:
    """Check that the triggers are as they were made, switched on, and the only ones, and that
    nothing else silently changes what is written or read: rules, policies, or views in place of
    tables."""
    sqlite = connection.dialect.name == "sqlite"
    there = {name: _plainly(body) for name, body in connection.execute(text(_TRIGGERS[sqlite]))}
    for table in APPEND_ONLY:
        bodies = schema.create_guards(table, connection.dialect.name)
        for name, body in zip(
            schema.guard_names(table, connection.dialect.name), bodies, strict=True
        ):
            definition = there.pop(name, None)
            if definition is None:
                gone = Message("is gone: {table} could be changed", table=table)
                yield Finding(_row("guard", name), gone)
            elif definition != _plainly(body):
                other = Message("is another one: {table} could be changed", table=table)
                yield Finding(_row("guard", name), other)
    for name in there:
        own = Message("is not the ledger's own: it could change what is written")
        yield Finding(_row("trigger", name), own)
    for kind, name in connection.execute(text(_OTHERS[sqlite])):
        yield Finding(_row(kind, name), Message("is not the ledger's own: it could hide the truth"))
    if not sqlite:
        yield from _function(connection)


_OURS = "SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
_TRIGGERS = {
    True: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    # A trigger that is switched off, or fires only for a replica, protects nothing.
    False: "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
    f"AND tgenabled IN ('O', 'A') AND tgrelid IN ({_OURS})",
}
_OTHERS = {
    True: "SELECT type, name FROM sqlite_master WHERE type = 'view'",
    False: f"SELECT 'rule', rulename FROM pg_rewrite WHERE ev_class IN ({_OURS}) "
    "UNION SELECT 'policy', polname FROM pg_policy "
    f"UNION SELECT 'table', inhrelid::regclass::text FROM pg_inherits WHERE inhparent IN ({_OURS})",
}
"""PostgreSQL stores views as rules, and reads the rows of an inheriting table with its parent's."""


def _plainly(body: object) -> str:
    """The text of a trigger, with spaces normalised and without the name of a schema."""
    return re.sub(r" ON \w+\.", " ON ", " ".join(str(body).split()))


def _function(connection: Connection) -> Iterator[Finding]:
    """The function that PostgreSQL's guards call."""
    listed = "SELECT prosrc FROM pg_proc WHERE proname = 'refuse_change'"
    bodies = [str(body).strip() for body in connection.scalars(text(listed))]
    if bodies != [schema.BODY]:
        other = Message("is another one: everything could be changed")
        yield Finding(_row("guard", "refuse_change"), other)


def _file(connection: Connection) -> Iterator[Finding]:
    if connection.dialect.name == "sqlite":
        for (line,) in connection.execute(text("PRAGMA integrity_check")):
            if line != "ok":
                yield Finding(Message("the file"), str(line))
