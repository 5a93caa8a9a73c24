"""Members from a list: new ones, changed ones, and the balances they bring along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.enrolment import Listed, read_enrolment
from honours.ledger import kinds, members
from honours.ledger.canonical import text_of
from honours.ledger.chain import NewRecord, append
from honours.ledger.derive import Kind, opening_lines
from honours.ledger.schema import records
from honours.ledger.store import Ledger


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What a list did: names added, names changed, rows as they were, the openings' record."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: int
    opening: int | None


def import_members(
    ledger: Ledger,
    path: str | Path,
    who: str,
    rulebook: Rulebook | None = None,
    dry_run: bool = False,
) -> Enrolment:
    """Add and change members as a file says; whose balances they are, the rulebook says."""
    rows = read_enrolment(path, kind_names(ledger, rulebook))
    return enrol(ledger, rows, Path(path).name, who, rulebook, dry_run)


def kind_names(ledger: Ledger, rulebook: Rulebook | None) -> tuple[str, ...]:
    """The kinds of points whose opening balances a list may have."""
    if rulebook is None:
        return ()
    with ledger.reading() as connection:
        known = [kind.name for kind in kinds.all_kinds(connection, rulebook.body)]
    return tuple(known or kinds.USUAL)


def enrol(
    ledger: Ledger,
    rows: Sequence[Listed],
    source: str,
    who: str,
    rulebook: Rulebook | None = None,
    dry_run: bool = False,
) -> Enrolment:
    """Add and change members as the rows of a list say; ``source`` is the list's own name."""
    with ledger.writing(dry_run) as connection:
        if rulebook:
            kinds.ensure_scheme(connection, rulebook)
        scheme = rulebook.body if rulebook else ""
        known = {k.name: k for k in kinds.all_kinds(connection, scheme)} if rulebook else {}
        ids = [_enrol(connection, row) for row in rows]
        named = [(row.name, how) for row, (_, how) in zip(rows, ids, strict=True)]
        record = _open(connection, rows, [i for i, _ in ids], known, who, source)
    by = {how: tuple(n for n, h in named if h == how) for how in ("added", "changed", "same")}
    return Enrolment(by["added"], by["changed"], len(by["same"]), record)


def _enrol(connection: Connection, row: Listed) -> tuple[int, str]:
    found = members.by_number(connection, row.number) if row.number else None
    if found is None:
        namesakes = [m for m in members.by_name(connection, row.name) if not m.number]
        found = namesakes[0] if len(namesakes) == 1 else None
    if found is None:
        return members.add(connection, row.name, row.number, row.visitor, row.opted_out), "added"
    wanted: dict[str, Any] = {
        "name": row.name,
        "number": row.number or None,
        "visitor": row.visitor,
        "opted_out": row.opted_out,
    }
    is_ = {
        "name": found.name,
        "number": found.number or None,
        "visitor": found.visitor,
        "opted_out": found.opted_out,
    }
    if wanted == is_:
        return found.id, "same"
    members.change(connection, found.id, **wanted)
    return found.id, "changed"


def _open(
    connection: Connection,
    rows: Sequence[Listed],
    ids: Sequence[int],
    known: dict[str, Kind],
    who: str,
    source: str,
) -> int | None:
    """Post the balances that members bring along, as one record."""
    balances = [
        [members.root(connection, member), known[kind].id, known[kind].units(amount)]
        for row, member in zip(rows, ids, strict=True)
        for kind, amount in row.balances
    ]
    if not balances:
        return None
    facts = text_of({"balances": balances})
    same = select(records.c.id).where(records.c.action == "opening", records.c.facts == facts)
    if (before := connection.scalar(same)) is not None:
        raise InputError(
            f"these opening balances were posted before, as record {before}; nothing was changed"
        )
    return append(
        connection,
        NewRecord(
            "opening",
            who,
            title="Opening balances",
            source=source,
            facts=facts,
            lines=opening_lines(facts),
        ),
    )
