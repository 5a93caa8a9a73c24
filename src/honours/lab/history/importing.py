"""Makes a corpus from a federation's tables in bounded memory; the work can be interrupted and
continued.

First every table is read once and its rows are divided by event into buckets on disk; then each
bucket becomes a shard. Finished parts are kept beside the corpus until everything is done.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from honours.errors import HonoursError, InputError
from honours.formats.sheet import plain
from honours.lab.corpus import MEMBERS, Corpus, Writer, write_shard
from honours.lab.files.importing import read_given
from honours.lab.history.assemble import EVENT_FACTS, Bucket, ImportFindings, NewShard, assemble
from honours.lab.history.plan import (
    SUFFIXES,
    ImportPlan,
    Ints,
    SourceTable,
    TablePlan,
    id_text,
    is_address,
    make_plan,
    meanings,
    open_source,
    plan_text,
    read_plan,
    shape_of,
    shown_address,
    understood,
)
from honours.lab.history.rows import ImportNumbers, Spool, buckets_for, read_bucket, rows_of
from honours.lab.store import NOT_SAID
from honours.lab.tables import TABLES
from honours.model.message import Message, plural

# --- makes a corpus from a federation's tables in bounded memory --------------------------------

WORK = ".import"
PLAN = "import.toml"
Progress = Callable[[int, int], None]


@dataclass
class MemberNumbers:
    """The numbers of members in the corpus, by the keys of their ids; a member without one is
    new."""

    numbers: dict[int, int] = field(default_factory=dict)
    count: int = 0

    def save(self, path: Path) -> None:
        """Save the numbers for an import that may be interrupted."""
        keys, numbers = (np.fromiter(n, np.int64) for n in (self.numbers, self.numbers.values()))
        np.save(path, np.stack([keys, numbers]))

    @staticmethod
    def load(path: Path, count: int) -> MemberNumbers:
        keys, numbers = np.load(path).tolist()
        return MemberNumbers(dict(zip(keys, numbers, strict=True)), count)

    def numbered(self, keys: Ints) -> Ints:
        distinct, at = np.unique(keys, return_inverse=True)
        numbers = np.empty(len(distinct), np.int64)
        for k, key in enumerate(distinct.tolist()):
            number = self.numbers.get(key)
            if number is None and key != NOT_SAID:
                number = self.numbers[key] = self.count
                self.count += 1
            numbers[k] = -1 if number is None else number
        made: Ints = numbers[np.reshape(at, -1)]
        nobody = np.flatnonzero(made < 0)
        made[nobody] = self.count + np.arange(len(nobody))
        self.count += len(nobody)
        return made


@dataclass
class TableImport:
    """An import from tables into a folder, which continues if it was interrupted."""

    target: Path
    plan: ImportPlan
    given: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    progress: Progress = lambda _done, _of: None

    def __post_init__(self) -> None:
        self.findings, self.known, self.members = ImportFindings(), ImportNumbers(), MemberNumbers()
        self._work = self.target / WORK
        self._digests: dict[str, str] = {}
        self._holdings: dict[str, tuple[Ints, Ints]] = {}
        self._shards = 0
        rows = [t.table.rows for t in self.plan.tables if t.shape != "members"]
        whole = None if any(r is None for r in rows) else sum(r or 0 for r in rows)
        self._rows, self._buckets = whole, buckets_for(whole)

    def run(self) -> Corpus:
        """Do what is not done yet; a ``KeyboardInterrupt`` is raised on, and finished work is
        kept."""
        self._begin()
        self._read_tables()
        for bucket in range(self._buckets):
            self._bucket(bucket)
            self.progress(self._buckets + bucket + 1, 2 * self._buckets)
        if not self.findings.events:
            reasons = "; ".join(self.findings.aside)
            shutil.rmtree(self.target)
            raise InputError("no event could be taken: {reasons}", reasons=reasons or "no rows")
        return self._finish()

    # --- where it stands --------------------------------------------------------------------------

    def _begin(self) -> None:
        """Make the folder, or check that it contains the same import, unfinished."""
        job = self._work / "job.json"
        signature = self.plan.signature() | {"given": {k: str(v) for k, v in self.given.items()}}
        if job.exists():
            if json.loads(job.read_text(encoding="utf-8")) != json.loads(json.dumps(signature)):
                raise InputError(
                    "{folder}: holds another import that is not finished; "
                    "take the folder away, or choose another",
                    folder=str(self.target),
                )
            return
        if self.target.exists() and any(self.target.iterdir()):
            raise InputError(
                "{folder}: not empty; a corpus is made in a folder of its own",
                folder=str(self.target),
            )
        self._work.mkdir(parents=True)
        job.write_text(json.dumps(signature), encoding="utf-8")

    def _state(self, name: str) -> Any:
        path = self._work / name
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def _keep(self, name: str, data: object) -> None:
        beside = self._work / f"{name}.part"
        beside.write_text(json.dumps(data), encoding="utf-8")
        beside.replace(self._work / name)

    # --- tables -----------------------------------------------------------------------------------

    def _read_tables(self) -> None:
        read = self._state("read.json")
        if read is not None:
            self.known = ImportNumbers.of(read["known"])
        done = 0 if read is None else int(read["tables"])
        for k, own in enumerate(self.plan.tables):
            if own.shape == "members":
                self._read_members(own)
            elif k >= done:
                self._read_table(k, own)
                self._keep("read.json", {"tables": k + 1, "known": self.known.data()})

    def _read_table(self, number: int, own: TablePlan) -> None:
        spool = Spool(self._work, number, self._buckets)
        row, of = own.table.first, self._rows
        try:
            for batch in own.table.batches([c.header for c in own.columns]):
                spool.add(rows_of(self.plan, own, batch, row, self.known))
                row += len(batch)
                share = min(1.0, row / of) if of else 0.5
                self.progress(int(share * self._buckets), 2 * self._buckets)
        finally:
            spool.close()

    def _read_members(self, own: TablePlan) -> None:
        """Read a whole table of members: the facts that apply to them whenever they played."""
        parts = [
            rows_of(self.plan, own, batch, 0, self.known)
            for batch in own.table.batches([c.header for c in own.columns])
        ]
        for name in ("holding", "rating"):
            if own.column(name) and parts:
                key = np.concatenate([p["player"] for p in parts])
                value = np.concatenate([p[name] for p in parts]).astype(np.int64)
                order = np.argsort(key, kind="stable")
                self._holdings[name] = key[order], value[order]

    # --- shards -----------------------------------------------------------------------------------

    def _bucket(self, bucket: int) -> None:
        state = self._state(f"shard-{bucket:04d}.json")
        if state is not None:
            self._go_on(state, self._work / f"members-{bucket:04d}.npy")
            return
        before = self.findings.events
        tables = [
            (own, read_bucket(self._work, k, bucket))
            for k, own in enumerate(self.plan.tables)
            if own.shape != "members"
        ]
        held = Bucket([(own, rows) for own, rows in tables if rows])
        made = (
            assemble(held, self.plan, self.known, self.findings, self.given)
            if held.tables
            else None
        )
        written = self._write(made, before) if made is not None else {}
        self._digests |= written
        self._shards += bool(written)
        self.members.save(self._work / f"members-{bucket:04d}.npy")
        self._keep(
            f"shard-{bucket:04d}.json",
            {
                "digests": self._digests,
                "shards": self._shards,
                "findings": self.findings.data(),
                "seen": [[k, v] for k, v in self.findings.seen.items()],
                "count": self.members.count,
            },
        )
        earlier = self._work / f"shard-{bucket - 1:04d}.json"
        if earlier.exists():  # the last one has all of them
            self._keep(earlier.name, {"superseded": True})
            (self._work / f"members-{bucket - 1:04d}.npy").unlink()

    def _go_on(self, state: Mapping[str, Any], members: Path) -> None:
        """Continue from the last shard of an interrupted import."""
        if "superseded" in state:
            return
        self._digests, self._shards = dict(state["digests"]), int(state["shards"])
        self.findings = ImportFindings(**state["findings"], seen=dict(state["seen"]))
        self.members = MemberNumbers.load(members, int(state["count"]))

    def _write(self, made: NewShard, first: int) -> dict[str, str]:
        for table in (made.events, made.entrants, made.players, made.games):
            if table:
                table["event"] = table["event"] + first
        players = made.players
        keys = players["player"]
        for name, (known, values) in self._holdings.items():
            own = players.get(name, np.full(len(keys), NOT_SAID, np.int64))
            at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            players[name] = np.where((own == NOT_SAID) & (known[at] == keys), values[at], own)
        if "eligible" in players:
            texts, codes = self.known.texts("eligible"), players["eligible"]
            players["eligible"] = texts[np.where(codes == NOT_SAID, len(texts) - 1, codes)]
        players["player"] = self.members.numbered(keys)
        columns = {"events": made.events, "entrants": made.entrants, "players": players}
        if made.games:
            columns["games"] = made.games
        tables = {name: _table(columns[name], name) for name in columns}
        return write_shard(self.target, self._shards, tables)

    def _finish(self) -> Corpus:
        numbers = self.members.numbers
        ids = [id_text(key, self.known.ids) for key in numbers]
        table = pa.table({"player": pa.array(numbers.values(), pa.int32()), "id": ids})
        pq.write_table(table, self.target / MEMBERS)
        (self.target / PLAN).write_text(plan_text(self.plan), encoding="utf-8")
        about = {"imported from": self.source, "ids": "theirs", "checked": "yes"}
        if self.plan.unit:
            about["unit"] = self.plan.unit
        corpus = Writer(self.target, about, self._digests).finish()
        shutil.rmtree(self._work)
        return corpus


def _table(columns: Mapping[str, NDArray[Any]], name: str) -> Any:
    """The columns in the types of a corpus, without empty ones."""
    schema = TABLES[name]
    fields, arrays = [], []
    for field_ in schema:
        if field_.name not in columns:
            continue
        values = columns[field_.name]
        array = _array(values, field_)
        if array.null_count == len(array) and field_.nullable:
            continue
        fields.append(field_)
        arrays.append(array)
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _array(values: NDArray[Any], column: Any) -> Any:
    try:
        if values.dtype == object:
            texts = [None if v in (None, "") else v for v in values.tolist()]
            if pa.types.is_dictionary(column.type):
                return pa.array(texts, pa.string()).dictionary_encode().cast(column.type)
            if pa.types.is_date(column.type):
                texts = [None if v is None else int(v) for v in values.tolist()]
                return pa.array(texts, pa.int32()).cast(column.type)
            return pa.array(texts, pa.string() if column.type == pa.string() else pa.int64()).cast(
                column.type
            )
        unsaid = values == NOT_SAID
        return pa.array(values, mask=unsaid if unsaid.any() else None).cast(column.type)
    except pa.ArrowException as error:
        brief = str(error).splitlines()[0]
        raise InputError(
            "{column}: a corpus cannot keep it ({why})", column=column.name, why=brief
        ) from error


# --- the entry point for importing tables, shared by the command, notebooks and pages -----------

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
        for meaning, words in self.plan.proposed.items():
            unknown = [text for text, likely in words.items() if not likely]
            likely = [f"{text} = {word}" for text, word in words.items() if word]
            if likely:
                yield Message(
                    "{meaning}: taken as {words}; correct it in the plan if it is otherwise",
                    meaning=meaning,
                    words=", ".join(likely[:_SHOWN]),
                )
            if unknown:
                yield Message(
                    "{meaning}: no rulebook knows {words}; say in the plan, under "
                    "[words.{meaning}], what they are",
                    meaning=meaning,
                    words=", ".join(map(repr, unknown[:_SHOWN])),
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
    """Whether a file is a table of which some columns are understood, but none as the event."""
    try:
        tables = open_source(str(path)) if path.suffix.lower() in SUFFIXES else []
    except HonoursError:
        return False
    meant = [{column.meaning for column in understood(table.columns)[0]} for table in tables]
    return any(len(own) > 1 and "event" not in own for own in meant)


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
