"""The entry point for importing tables, shared by the command, notebooks and pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honours.errors import HonoursError
from honours.formats.sheet import plain
from honours.lab.corpus import Corpus
from honours.lab.files.importing import read_given
from honours.lab.history.assemble import EVENT_FACTS, ImportFindings
from honours.lab.history.importing import Progress, TableImport
from honours.lab.history.meanings import meanings, shape_of, understood
from honours.lab.history.plan import ImportPlan, make_plan, plan_text, read_plan
from honours.lab.history.rows import ImportNumbers
from honours.lab.history.sources import (
    SUFFIXES,
    SourceTable,
    is_address,
    open_source,
    shown_address,
)
from honours.model.message import Message, plural

_ALWAYS = (".parquet", ".pq", ".sqlite", ".sqlite3", ".db", ".duckdb", ".ddb")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class TableImportResult:
    """A corpus made from tables, with all notes about the import."""

    corpus: Corpus
    plan: ImportPlan
    findings: ImportFindings
    known: ImportNumbers
    without: tuple[str, ...]

    def notes(self) -> list[Message]:
        """What was left out, set aside, merged as duplicate or rounded, one line each."""
        return [*self._columns(), *self._cells(), *self._events()]

    def _columns(self) -> Iterable[Message]:
        for own in self.plan.tables:
            for header, sign in own.several.items():
                yield Message(
                    "{table}: column {header!r} has several members in a cell, with {sign!r} "
                    "between them: each is taken as one",
                    table=own.table.origin,
                    header=header,
                    sign=sign,
                )
            event = own.column("event")
            if event and plain(event.header) in meanings()["tournament"].spellings:
                yield Message(
                    "{table}: column {header!r} is taken for the event's id",
                    table=own.table.origin,
                    header=event.header,
                )
            for header, why in own.left.items():
                yield Message(
                    "{table}: column {header!r} is left out: {why}",
                    table=own.table.origin,
                    header=header,
                    why=why,
                )
        for name in self.without:
            yield Message(
                "{table}: left out: no column is understood as the event's id", table=name
            )

    def _cells(self) -> Iterable[Message]:
        for name, count in self.known.unreadable.items():
            yield Message(
                "{column}: {cells} cannot be read, e.g. {example!r}",
                column=name,
                cells=plural("{count:,} cell", "{count:,} cells", count=count),
                example=self.known.examples.get(name, ""),
            )
        for name, count in self.known.rounded.items():
            yield Message(
                "{column}: {cells} with more decimals than are kept, rounded to the nearest",
                column=name,
                cells=plural("{count:,} cell", "{count:,} cells", count=count),
            )
        if self.findings.unpaid:
            yield Message(
                "paid: {cells} in events that paid somebody, taken as 0",
                cells=plural(
                    "{count:,} empty cell", "{count:,} empty cells", count=self.findings.unpaid
                ),
            )
        if any(own.column("paid") or own.column("paid", 1) for own in self.plan.tables):
            yield Message("paid is taken to be what {who} got", who=self.plan.paid_to)

    def _events(self) -> Iterable[Message]:
        if self.findings.byes:
            yield Message(
                "games: {rows} without an opponent, taken as byes",
                rows=plural("{count:,} row", "{count:,} rows", count=self.findings.byes),
            )
        if self.findings.by_games:
            yield Message(
                "{events} without places: they are by games won",
                events=_events(self.findings.by_games),
            )
        if self.findings.twice:
            yield Message(
                "{events} told more than once, taken once: {ids}",
                events=_events(len(self.findings.twice)),
                ids=_some(self.findings.twice),
            )
        for reason, ids in self.findings.aside.items():
            yield Message(
                "{events} set aside, {reason}: {ids}",
                events=_events(len(ids)),
                reason=reason,
                ids=_some(ids),
            )

    def data(self) -> dict[str, Any]:
        return {
            "corpus": str(self.corpus.folder),
            "hash": self.corpus.hash,
            "events": self.findings.events,
            "entrants": self.findings.entrants,
            "members": len(self.corpus.member_ids()),
            "notes": [str(note) for note in self.notes()],
            "set_aside": self.findings.aside,
            "taken_once": self.findings.twice,
            "not_understood": {
                own.table.origin: {h: str(w) for h, w in own.left.items()}
                for own in self.plan.tables
                if own.left
            },
        }


def _events(count: int) -> Message:
    return plural("{count:,} event", "{count:,} events", count=count)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")


def histories(paths: Sequence[Path], plan_file: Path | None = None) -> list[Path]:
    """The files that are tables of many events rather than the output of a scoring program for
    one event; lists of members are included if there is any such table. A table named in a plan
    always counts."""
    planned = read_plan(plan_file).get("table", {}) if plan_file else {}
    kinds = {path: _tells(path, planned) for path in paths}
    if "history" not in kinds.values():
        return []
    return [path for path, kind in kinds.items() if kind]


def _tells(path: Path, planned: Collection[str]) -> str:
    """What kind of table it is: ``history``, ``members`` or nothing."""
    suffix = path.suffix.lower()
    if suffix in _ALWAYS:
        return "history"
    try:
        tables = open_source(str(path)) if suffix in SUFFIXES else []
    except HonoursError:
        return ""
    kinds = ["history" if table.name in planned else _tells_table(table) for table in tables]
    return max(kinds, key=("", "members", "history").index, default="")


def _tells_table(table: SourceTable) -> str:
    if {"section", "pair"} <= {plain(header) for header in table.columns}:
        return ""  # standings as scoring programs write them, of one event or several
    columns, _ = understood(table.columns)
    meant = {column.meaning for column in columns}
    more = meant & {*EVENT_FACTS, "paid"} - {"title", "section_kind"}
    if "event" in meant and (more or shape_of(columns) in ("players", "games")):
        return "history"
    return "members" if shape_of(columns) == "members" else ""


def lacks_event(path: Path) -> bool:
    """Whether a file is a table of who came where without a column for the event."""
    try:
        tables = open_source(str(path)) if path.suffix.lower() in SUFFIXES else []
    except HonoursError:
        return False
    meant = [{column.meaning for column in understood(table.columns)[0]} for table in tables]
    return any({"player", "place"} <= own and "event" not in own for own in meant)


def open_tables(sources: Sequence[str], query: str = "") -> list[SourceTable]:
    """The tables in files, in folders of files and in databases."""
    tables: list[SourceTable] = []
    for source in sources:
        path = Path(source)
        if not is_address(source) and path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
            tables += [table for p in inside for table in open_source(str(p))]
        else:
            tables += open_source(source, query)
    return tables


def drafted_plan(sources: Sequence[str], query: str = "") -> str:
    """The first draft of a plan for these tables."""
    plan, without = make_plan(open_tables(sources, query), draft=True)
    return plan_text(plan, without)


def import_tables(
    sources: Sequence[str],
    target: Path,
    given: Mapping[str, str] | None = None,
    plan_file: Path | None = None,
    query: str = "",
    progress: Progress = lambda _done, _of: None,
) -> TableImportResult:
    """Make a corpus from tables; if restarted after an interruption, continue."""
    corrected = read_plan(plan_file) if plan_file else None
    plan, without = make_plan(open_tables(sources, query), corrected)
    named = ", ".join(shown_address(s) if is_address(s) else Path(s).name for s in sources)
    job = TableImport(target, plan, dict(read_given(given or {})), named, progress)
    corpus = job.run()
    left = tuple(table.origin for table in without)
    return TableImportResult(corpus, plan, job.findings, job.known, left)
