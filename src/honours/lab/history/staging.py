"""The rows an import has taken so far, in a database beside the corpus: rows of tables and of files
become one set of events, entrants, players, games and results, from which the shards are written.

The work is done by DuckDB in bounded memory; its statements are in the files beside this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pyarrow as pa
import pyarrow.parquet as pq

from honours.errors import InputError
from honours.formats.go import parse_rank
from honours.formats.table_games import DREW, HALVES, LOST, WON, halves_of_two
from honours.formats.wall_lists import GAME, NO_GAME
from honours.lab.corpus import A_PIECE, MEMBERS, Corpus, Writer, write_shard
from honours.lab.history.plan import (
    ENTRANT,
    SIGNS,
    ImportPlan,
    MeantColumn,
    TablePlan,
    meanings,
)
from honours.lab.history.sources import SourceTable
from honours.lab.holes import LEAVE_OUT, MEDIAN, NEAREST, OF_PLAYERS, WATCHED, value_of
from honours.lab.tables import ENTRANTS, EVENTS, GAMES, PLAYERS, RESULTS, TABLES, UNITS
from honours.model.message import Message

WORK = ".import"
_LOOKED_AT = 50_000
_MEMORY = "1GB"
REASONS = {
    "facts": Message("the rows of the event do not agree on what it was"),
    "result": Message("the result of a game is not there, or cannot be read"),
    "stranger": Message("a game is against somebody who is not in the event"),
    "oneself": Message("somebody plays against themselves"),
    "agree": Message("the two players of a game do not tell the same of it"),
    "event twice": Message("it is in the table of events twice"),
    "no entrants": Message("it has no entrants"),
    "place": Message("a place cannot be read"),
    "no place": Message("an entrant has no place"),
    "line": Message("a line cannot be read, or some of its entrants have one and some have none"),
    "entrant twice": Message("an entrant is in it twice"),
    "no players": Message("an entrant has no players"),
    "no entrant": Message("a player belongs to no entrant"),
    "two places": Message("the players of an entrant are at two places"),
    "holding": Message("a holding cannot be read, or is negative"),
    "paid": Message("what was paid cannot be read"),
    "too many": Message("it has more entrants than a corpus keeps"),
    "two seats": Message("a member is in two seats"),
    "all first": Message("everybody is at place 1"),
    "places": Message(
        "places that cannot be: more or fewer have one than share it, or some are missing"
    ),
}
"""Why an event is set aside, the first that applies."""
_WRONG = (files(__package__) / "wrong.sql").read_text("utf-8")
EVENT_FACTS = tuple(m.name for m in meanings().values() if m.of == "event" and m.name != "event")


def _columns(schema: Any, *keys: str) -> list[str]:
    return [name for name in schema.names if name not in keys]


_OF_EVENTS = _columns(EVENTS, "event")
_OF_ENTRANTS = _columns(ENTRANTS, "event", "entrant")
_OF_PLAYERS = _columns(PLAYERS, "event", "entrant", "player")


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    environment.filters |= {"text": _text, "name": _name}
    return environment.from_string((files(__package__) / f"{name}.sql.jinja").read_text("utf-8"))


def _text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _name(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def impossible_events(tables: Mapping[str, Any]) -> dict[int, str]:
    """The events of a corpus's tables that cannot be, with the reason."""
    db = duckdb.connect()
    for name, table in tables.items():
        db.register(f"given_{name}", table)
    seat = "event as key, event * 65536 + entrant as seat"
    db.execute("create table wrong (key int, code varchar)")
    db.execute("create view events as select event as key from given_events")
    for name, needed in (("entrants", "line"), ("players", "holding")):
        null = "" if needed in tables[name].column_names else f", null as {needed}"
        db.execute(f"create view {name} as select *{null}, {seat} from given_{name}")
    db.execute(_WRONG)
    first = f"arg_min(code, list_position({[*REASONS]}, code))"
    found = db.execute(f"select key, {first} from wrong group by key order by key").fetchall()
    return {event: REASONS[code] for event, code in found}


@dataclass(frozen=True)
class RawTable:
    """A table of a source as it was read."""

    table: SourceTable
    db: duckdb.DuckDBPyConnection
    name: str

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The answer to a query about the first rows, which are called ``cells``."""
        first = f"with cells as (from {self.name} limit {_LOOKED_AT})"
        return self.db.execute(f"{first} {query}").fetchall()

    def type_of(self, header: str) -> str:
        """The type of a column in the source; nothing of text."""
        [(kind,)] = self.rows(f"select any_value(typeof({_name(header)})) from cells")
        return "" if kind in (None, "VARCHAR") else str(kind)

    def texts(self, header: str) -> list[str]:
        if self.type_of(header):
            return []
        found = self.rows(f"select distinct text_of({_name(header)}) as cell from cells order by 1")
        return [cell for (cell,) in found if cell is not None]

    def most_parts(self, header: str, sign: str) -> tuple[int, str]:
        parts = f"len(parts_of({_name(header)}, {_text(sign)}))"
        most = f"select max({parts}), arg_max({_name(header)}, {parts}) from {self.name}"
        [(count, cell)] = self.rows(most)
        return int(count or 1), str(cell)

    def fits_date(self, header: str, written: str) -> bool:
        if self.type_of(header):
            return True
        cell = f"text_of({_name(header)})"
        wrong = f"from cells where {cell} is not null and date_of({cell}, {_text(written)}) is null"
        return not self.rows(f"{wrong} limit 1")


class Staging:
    """The database of an import, in a folder of its own; the same import finds it again."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        self.db = duckdb.connect(str(folder / "staging.duckdb") if folder else ":memory:")
        self.db.execute(f"set memory_limit = '{_MEMORY}'")
        self.db.execute((files(__package__) / "cells.sql").read_text("utf-8"))
        for name, columns in _STAGED.items():
            typed = ", ".join(f"{_name(column)} {kind}" for column, kind in columns.items())
            self.db.execute(f"create table if not exists {name} ({typed})")

    def close(self) -> None:
        self.db.close()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self.db.execute(query, list(values)).fetchall()

    def dicts(self, table: str) -> list[dict[str, Any]]:
        """The rows of one of its tables."""
        return self.db.sql(f"from {table}").to_arrow_table().to_pylist()  # type: ignore[no-any-return]

    def add(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to one of its tables."""
        if rows:
            batch = pa.Table.from_pylist([*rows])  # noqa: F841  # DuckDB finds it by its name
            self.db.execute(f"insert into {table} by name select * from batch")

    def is_done(self, name: str) -> bool:
        return bool(self.rows("from done where name = ?", name))

    @contextmanager
    def one_step(self, name: str) -> Iterator[None]:
        """Take a source wholly or not at all."""
        self.db.execute("begin")
        try:
            yield
            self.add("done", [{"name": name}])
        except BaseException:
            self.db.execute("rollback")
            raise
        self.db.execute("commit")

    # --- files ------------------------------------------------------------------------------------

    def add_event(self, path: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Add an event of a file, whose entrants are numbered from 0."""
        [(events,)] = self.rows("select count(*) from events")
        [(seats,)] = self.rows("select max(seat) from entrants where seat >= ?", _OF_FILES)
        key, first = f"\n{events}", _OF_FILES if seats is None else seats + 1  # no id begins so
        of = {"key": key}
        about = of | {"n": events, "is_file": True, "origin": path}
        self.add("events", [{**row, **about} for row in rows["events"]])
        for table, seated in _SEATED.items():
            own = [
                {n: v for n, v in row.items() if n != "entrant"}
                | of
                | {n: first + row[n] for n in seated}
                for row in rows[table]
            ]
            self.add(table, own)

    def remark(self, path: str, title: str, found: Mapping[str, str]) -> None:
        """Keep what was noticed about an event of a file, by kind."""
        rows = [
            {"kind": kind, "origin": path, "title": title, "why": why}
            for kind, why in found.items()
        ]
        self.add("remarks", rows)

    # --- tables -----------------------------------------------------------------------------------

    def load(self, tables: Sequence[SourceTable], whole: bool = True) -> list[RawTable]:
        """Read tables, or the beginning of each."""
        loaded = []
        for k, table in enumerate(tables):
            raw = RawTable(table, self.db, f"raw_{k}")
            named = ", ".join(f"{_name(column)} varchar" for column in table.columns)
            self.db.execute(f"create or replace table {raw.name} ({named})")
            for n, batch in enumerate(table.rows()):  # noqa: B007  # DuckDB finds it by its name
                into = "insert into {} by name" if n else "create or replace table {} as"
                self.db.execute(f"{into.format(raw.name)} select * from batch")
                if not whole:
                    break
            loaded.append(raw)
        return loaded

    def take(
        self, plan: ImportPlan, loaded: Sequence[RawTable], given: Mapping[str, object]
    ) -> None:
        """Make events of the rows of tables."""
        raw = {one.table.origin: (k, one) for k, one in enumerate(loaded)}
        cleaned = [self._cleaned(plan, own, *raw[own.table.origin]) for own in plan.tables]
        tables = [t for t in cleaned if t.shape != "members"]
        shown = {name for t in tables for name in t.shown}
        context = {
            "tables": tables,
            "members": [t for t in cleaned if t.shape == "members"],
            "wide": [t for t in tables if t.shape == "entrants" and t.seats],
            "long": [t for t in tables if t.shape == "players"],
            "alone": [t for t in tables if t.shape == "entrants" and not t.seats],
            "games": [t for t in tables if t.shape == "games"],
            "facts": EVENT_FACTS,
            "shown": shown,
            "given": given,
            "of_entrants": [*_OF_ENTRANTS, "stratum_label"],
            "of_players": _OF_PLAYERS,
            "paid_to_entrant": plan.paid_to == ENTRANT,
        }
        self.db.execute(_template("tables").render(context))

    def _cleaned(self, plan: ImportPlan, own: TablePlan, k: int, raw: RawTable) -> CleanTable:
        """Read the cells of a table, and keep how many cannot be read."""
        columns = [CellColumn.of(column, raw) for column in own.each]
        for column in columns:
            read = _reader(plan, own, column.meant)
            if read is not None:
                cells = f"select distinct {column.read} from {raw.name}"
                texts = [text for (text,) in self.rows(cells) if text is not None]
                values = [*map(read, texts)]
                words = pa.table({"text": pa.array(texts, pa.string()), "value": values})  # noqa: F841
                self.db.execute(f"create or replace table words_{k}_{column.shown} as from words")
                column.is_mapped = True
        self.db.execute(
            _template("rows").render(k=k, columns=columns, plan=plan, origin=own.table.origin)
        )
        rounds = own.numbers("round")
        return CleanTable(k, str(own.shape), columns, own.numbers("player"), rounds)

    # --- the corpus -------------------------------------------------------------------------------

    def finish(
        self, target: Path, about: Mapping[str, str], policies: Mapping[str, str]
    ) -> Corpus | None:
        """Write everything that was taken as a corpus, with what missing values count as; nothing
        if there is no event."""
        context = {
            "entrants_a_shard": A_PIECE,
            "event_columns": _OF_EVENTS,
            "entrant_columns": _OF_ENTRANTS,
            "player_columns": _OF_PLAYERS,
            "codes": [*REASONS],
        }
        self.db.execute(_WRONG)
        self.db.execute(_template("corpus").render(context))
        writer = Writer(target, dict(about), holes=[*self._holes(policies)])
        spans = self.rows("select first, last from shards order by shard")
        for number, (first, last) in enumerate(spans):
            tables = {name: self._shard(name, first, last) for name in TABLES}
            there = {name: table for name, table in tables.items() if table is not None}
            writer.add(write_shard(target, number, there))
        members = self.db.sql("from out_members order by player").to_arrow_table()
        pq.write_table(members, target / MEMBERS)
        return writer.finish() if spans else None

    def _holes(self, policies: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Fill in what is missing; yields how many rows, events and points each hole touches."""
        for column in WATCHED:
            policy = policies.get(column, LEAVE_OUT)
            table = "out_players" if column in OF_PLAYERS else "out_events"
            missing = f'from {table} where "{column}" is null'
            [(of, rows, events)] = self.rows(
                f"select (select count(*) from {table}), count(*), count(distinct event) {missing}"
            )
            if not rows or rows == of:  # a column that is not there
                continue
            paid = f"from out_players where event in (select event {missing})"
            [(points,)] = self.rows(f"select coalesce(sum(paid), 0) {paid}")
            hole = {"column": column, "policy": policy, "rows": rows, "of": of, "events": events}
            yield hole | {"points": round(float(points * UNITS["paid"]), 2)}
            if policy != LEAVE_OUT:
                named = policy in (MEDIAN, NEAREST)
                context = {
                    "column": column,
                    "of_players": column in OF_PLAYERS,
                    "value": None if named else value_of(column, policy),
                    "nearest": policy == NEAREST,
                }
                self.db.execute(_template("missing").render(context))

    def _shard(self, name: str, first: int, last: int) -> Any:
        """A table of a shard without optional columns that are empty; nothing if it has no rows."""
        made = self.db.sql(
            f"from out_{name} where event between {first} and {last} order by {_ORDER[name]}"
        ).to_arrow_table()
        if not made.num_rows:
            return None
        kept = [f for f in TABLES[name] if not f.nullable or made[f.name].null_count < len(made)]
        return pa.Table.from_arrays([_cast(made[f.name], f) for f in kept], schema=pa.schema(kept))

    # --- what was noticed -------------------------------------------------------------------------

    def aside(self) -> dict[str, list[str]]:
        """The events of tables that are set aside, by reason."""
        found: dict[str, list[str]] = {}
        for key, code in self.rows("select key, code from aside where not is_file order by key"):
            found.setdefault(str(REASONS[code]), []).append(key)
        return found

    def twice(self) -> list[str]:
        """The events of tables that were told more than once."""
        return [key for (key,) in self.rows("select key from again where not is_file order by key")]

    def remarks(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield what else was noticed: the kind of remark, where, what of it, and why."""
        yield from self.rows("from remarks")
        for path, title, code in self.rows("select origin, title, code from aside where is_file"):
            yield "aside", path, title, str(REASONS[code])
        for path, title, earlier in self.rows(
            "select origin, title, earlier from again where is_file order by n"
        ):
            yield "twice", path, title, str(Message("it is in {file} too", file=earlier))


_OF_FILES = 10**16
"""The number of the first entrant of files; those of tables come before."""
_SEATED = {
    "entrants": ("seat",),
    "players": ("seat",),
    "games": ("seat", "opponent"),
    "results": ("ns", "ew"),
}
"""Of the tables of an event, the columns that name an entrant."""
_ORDER = {
    "events": "event",
    "entrants": "event, entrant",
    "players": "event, entrant, chair",
    "results": "event, board, ns",
    "games": "event, entrant, n, opponent, result, stones",
}


def _staged(schema: Any, *keys: str, **more: str) -> dict[str, str]:
    """The columns of a staged table and their types: those of the corpus by their own names."""
    kinds = {"date32[day]": "date", "string": "varchar"}
    own = {f.name: kinds.get(str(f.type), "bigint") for f in schema if f.name not in keys}
    words = {f.name: "varchar" for f in schema if pa.types.is_dictionary(f.type)}
    return own | words | more


_STAGED = {
    "events": _staged(
        EVENTS,
        "event",
        key="varchar",
        n="bigint",
        is_file="boolean",
        origin="varchar",
        tournament="varchar",
    ),
    "entrants": _staged(
        ENTRANTS,
        "event",
        seat="bigint",
        key="varchar",
        source="bigint",
        entrant="varchar",
        stratum_label="varchar",
    ),
    "players": _staged(
        PLAYERS,
        *("event", "entrant"),
        seat="bigint",
        key="varchar",
        chair="bigint",
        player="varchar",
        is_name="boolean",
        shared="bigint",
        paid_unknown="boolean",
    ),
    "games": _staged(GAMES, "event", "entrant", key="varchar", n="bigint", seat="bigint"),
    "results": _staged(RESULTS, "event", key="varchar"),
    "wrong": dict.fromkeys(("key", "code"), "varchar"),
    "twice": dict.fromkeys(("key", "earlier"), "varchar"),
    "remarks": dict.fromkeys(("kind", "origin", "title", "why"), "varchar"),
    "done": {"name": "varchar"},
    "payments": {
        **dict.fromkeys(("program", "reading", "book"), "varchar"),
        "agree": "bigint",
        "lines": "bigint",
        "hundredths": "boolean",
    },
}


def _cast(column: Any, field: Any) -> Any:
    try:
        if pa.types.is_dictionary(field.type):
            return column.combine_chunks().dictionary_encode().cast(field.type)
        return column.cast(field.type)
    except pa.ArrowException as error:
        raise InputError(
            "{column}: a corpus cannot keep it ({why})",
            column=field.name,
            why=str(error).splitlines()[0],
        ) from error


# --- the columns of tables -----------------------------------------------------------------------

_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL.*")


@dataclass
class CellColumn:
    """A column of a table on its way: the expression of its cells, and how they are read."""

    meant: MeantColumn
    read: str
    native: str
    """The type it is read as where the source has one, rather than from text."""
    is_mapped: bool = False

    @staticmethod
    def of(column: MeantColumn, raw: RawTable) -> CellColumn:
        cell, source = _name(column.header), raw.type_of(column.header)
        if column.sign:
            sign = _text(SIGNS[column.sign])
            return CellColumn(column, f"parts_of({cell}, {sign})[{column.part}]", "")
        if column.type in ("number", "count") and _NUMERIC.fullmatch(source):
            return CellColumn(column, f"try_cast({cell} as decimal(18, 6))", source)
        if column.type == "date" and source.startswith(("DATE", "TIMESTAMP")):
            return CellColumn(column, f"try_cast({cell} as date)", source)
        return CellColumn(column, f"text_of({cell})", "")

    @property
    def shown(self) -> str:
        return self.meant.shown.replace("stratum", "stratum_label")

    @property
    def text(self) -> str:
        return f'"text {self.shown}"'

    @property
    def unreadable(self) -> str:
        """The condition of a cell that says something which cannot be read."""
        return f'{self.text} is not null and "{self.shown}" is null and not is_unknown({self.text})'

    @property
    def decimals(self) -> int:
        """The number of decimals that are read; of scores more than are kept, to rank by."""
        unit = UNITS.get(self.meant.meaning)
        return 6 if self.meant.meaning == "score" else len(str(unit.denominator)) - 1 if unit else 0

    @property
    def range(self) -> tuple[int, int]:
        """The least and the most that a corpus can hold in the column."""
        for schema in (EVENTS, ENTRANTS, PLAYERS):
            if self.meant.meaning in schema.names and self.meant.meaning != "score":
                kind = str(schema.field(self.meant.meaning).type)
                bits = int(kind.lstrip("uint"))
                return (0, 2**bits - 1) if kind[0] == "u" else (-(2**bits) // 2, 2**bits // 2 - 1)
        return -(2**62), 2**62


@dataclass
class CleanTable:
    """A table whose cells were read."""

    k: int
    shape: str
    columns: list[CellColumn]
    seats: list[int]
    rounds: list[int]

    @property
    def shown(self) -> set[str]:
        return {column.shown for column in self.columns}


# --- what cells say ------------------------------------------------------------------------------


def _reader(
    plan: ImportPlan, own: TablePlan, column: MeantColumn
) -> Callable[[str], object] | None:
    """Return the reader of a column's texts; ``None`` for plain text, figures and dates."""
    meaning = column.meaning
    if meaning == "round" and column.number:
        return _game
    if meaning == "result":
        if not own.has("black"):
            return lambda text: _of_own(plan.translate(meaning, text))
        return lambda text: _halves(*(halves_of_two(plan.translate(meaning, text)) or (None, None)))
    if meaning == "line":
        return lambda text: {"ns": 1, "ew": 2}.get(plan.translate(meaning, text))
    if column.type == "grade":
        return lambda text: int(text) if re.fullmatch(r"[+-]?\d{1,2}", text) else parse_rank(text)
    if column.type == "yes-no":
        return lambda text: {"yes": 1, "no": 0}.get(plan.translate(meaning, text))
    if column.type == "word":
        return lambda text: plan.translate(meaning, text)
    return None


def _halves(own: int | None, other: int | None) -> dict[str, int | None]:
    return {"own": own, "other": other}


def _of_own(text: str) -> dict[str, int | None]:
    halves = HALVES.get(text)
    return _halves(halves, None if halves is None else WON - halves)


def _game(text: str) -> dict[str, Any]:
    """The opponent, result and stones received in a cell of a round; no opponent if no game was
    played."""
    match = GAME.fullmatch(NO_GAME.get(text.upper(), text))
    none = {"opponent": None, "result": LOST, "stones": 0}
    if match is None:
        return none if text == "0" else none | {"opponent": "0", "result": None}
    if not int(match[1]) or match[2] == "?" or match[3] or match[6]:  # unfinished, or not played
        unfinished = match[2] == "?" and int(match[1])
        return none | {"opponent": match[1], "result": None} if unfinished else none
    stones = int(match[5] or 0)
    return {
        "opponent": str(int(match[1])),
        "result": {"+": WON, "-": LOST, "=": DREW}[match[2]],
        "stones": -stones if (match[4] or "").lower() == "w" else stones,
    }
