"""How tables are read: what each column means, and how dates, decimals and words are written.

A first draft is made from the headers and the first rows, and written as a small file that people
correct and give back.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from honours.errors import FileProblem, InputError, UnknownName
from honours.files import toml_of, toml_text
from honours.lab.history.meanings import (
    SIDES_OF_GAMES,
    MeantColumn,
    Shape,
    meanings,
    read_meaning,
    shape_of,
    understood,
)
from honours.lab.history.sources import SourceTable
from honours.lab.history.split_cells import split_table
from honours.lab.history.values import DATE_FORMATS, coded, date_format, decimal_mark
from honours.model.message import Message

EACH_PLAYER, ENTRANT = "each player", "entrant"
_WORDS = {
    "kind": {
        "pair": "pairs",
        "open-pairs": "pairs",
        "team": "teams",
        "swiss-teams": "swiss",
        "swiss-team": "swiss",
        "bam": "board-a-match",
        "board-a-match-teams": "board-a-match",
        "individuals": "individual",
        "knock-out": "knockout",
        "ko": "knockout",
        "knockout-teams": "knockout",
    },
    "line": {"n/s": "ns", "n-s": "ns", "north-south": "ns", "e/w": "ew", "e-w": "ew"}
    | {"east-west": "ew", "1": "ns", "2": "ew", "n": "ns", "s": "ns", "e": "ew", "w": "ew"},
    "eligible": {"y": "yes", "true": "yes", "1": "yes", "n": "no", "false": "no", "0": "no"},
}
_KEPT_AS_WRITTEN = ("stratum", "flight")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table with the meaning of its columns, and why the others are ignored."""

    table: SourceTable
    columns: tuple[MeantColumn, ...]
    left: Mapping[str, Message]
    shape: Shape
    drafted: tuple[MeantColumn, ...]
    """The columns as in the plan's file, before cells with several members were split."""
    several: Mapping[str, str] = field(default_factory=dict)
    """The separator between the members in a cell, by the column's header."""

    def column(self, meaning: str, number: int = 0) -> MeantColumn | None:
        matching = (c for c in self.columns if (c.meaning, c.number) == (meaning, number))
        return next(matching, None)

    @property
    def seats(self) -> list[int]:
        """The numbers of the players a row has."""
        return sorted({c.number for c in self.columns if c.meaning == "player" and c.number})

    @property
    def rounds(self) -> list[int]:
        """The rounds whose games a row contains."""
        return sorted({c.number for c in self.columns if c.meaning == "round" and c.number})

    def without(self, meant: Collection[str], why: Message) -> TablePlan:
        """The table without the columns of these meanings."""
        kept = tuple(c for c in self.columns if c.meaning not in meant)
        left = {c.header: why for c in self.columns if c.meaning in meant}
        return replace(self, columns=kept, left={**self.left, **left})


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All tables of an import, and how their cells are written."""

    tables: tuple[TablePlan, ...]
    date: str = "%Y-%m-%d"
    decimal: str = "."
    paid_to: str = EACH_PLAYER
    unit: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def translate(self, meaning: str, text: str) -> str:
        """A word in the form the corpus uses: lower case with hyphens, or as the plan says; a
        letter that stands for a class is left alone."""
        translated = self.words.get(meaning, {}).get(text)
        if translated is not None:
            return translated
        if meaning in _KEPT_AS_WRITTEN or (meaning == "class" and len(text) == 1):
            return text
        plain = "-".join(text.casefold().replace("_", " ").split())
        return _WORDS.get(meaning, {}).get(plain, plain)

    def signature(self) -> dict[str, Any]:
        """What must be equal for an import to continue where another stopped."""
        tables = [
            [t.table.origin, t.table.mark, {c.header: c.shown for c in t.columns}]
            for t in self.tables
        ]
        words = {k: dict(v) for k, v in self.words.items()}
        return {
            "tables": tables,
            "written": [self.date, self.decimal, self.paid_to, self.unit],
            "words": words,
        }


def read_plan(path: Path) -> dict[str, Any]:
    """A corrected plan, as plain data."""
    try:
        content = toml_of(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FileProblem(path, "not TOML ({error})", "what --draft writes", error=error) from error
    strange = [key for key in content if key not in ("written", "words", "table")]
    if strange:
        raise FileProblem(
            path, "{strange!r} is not known", "written, words or table", strange=strange[0]
        )
    return content


def make_plan(
    tables: Sequence[SourceTable],
    corrected: Mapping[str, Any] | None = None,
    draft: bool = False,
) -> tuple[ImportPlan, list[SourceTable]]:
    """The plan for these tables, and the tables that cannot be used; a ``draft`` may lack what
    an import needs."""
    corrections = corrected or {}
    written = {str(k): str(v) for k, v in corrections.get("written", {}).items()}
    plans: list[TablePlan] = []
    without: list[SourceTable] = []
    for table in tables:
        named = corrections.get("table", {}).get(table.name)
        own = _planned(table, named, written.get("members"), draft)
        if own is None:
            without.append(table)
        else:
            plans.append(own)
    plans = _each_once(plans)
    if not draft:
        _check(plans)
    sampled = [(plan.table, plan.columns) for plan in plans]
    sampled += [(table, tuple(understood(table.columns)[0])) for table in without] if draft else []
    texts = _samples(sampled)
    plan = ImportPlan(
        tuple(plans),
        _date_format(written.get("date", ""), texts.get("date", []), draft),
        _decimal(written.get("decimal", ""), texts),
        _paid_to(written.get("paid", EACH_PLAYER)),
        written.get("unit", ""),
        {
            k: {str(a): str(b) for a, b in v.items()}
            for k, v in corrections.get("words", {}).items()
        },
    )
    return plan, without


def _planned(
    table: SourceTable, corrections: Mapping[str, str] | None, members: str | None, draft: bool
) -> TablePlan | None:
    """The meaning of a table's columns; nothing if its rows cannot be used."""
    columns, left = _columns(table, corrections)
    if shape_of(columns) is None:
        return None
    one_each = split_table(table, columns, members, draft)
    shape = shape_of(one_each.columns)
    assert shape is not None  # a column of members is still one after it has been split
    return TablePlan(
        one_each.table,
        tuple(one_each.columns),
        {**left, **one_each.unclear},
        shape,
        tuple(columns),
        one_each.several,
    )


def _columns(
    table: SourceTable, corrections: Mapping[str, str] | None
) -> tuple[list[MeantColumn], dict[str, Message]]:
    if corrections is None:
        return understood(table.columns)
    columns: list[MeantColumn] = []
    left: dict[str, Message] = {}
    for header, text in corrections.items():
        if header not in table.columns:
            raise UnknownName(
                Message("column of {table}", table=table.origin), header, table.columns
            )
        if not text:
            left[header] = Message("as you say")
            continue
        meant = read_meaning(text)
        if meant is None:
            raise UnknownName(
                Message("meaning of the column {header}", header=header), text, meanings()
            )
        columns.append(MeantColumn(header, *meant))
    for header in table.columns:
        if header not in corrections:
            left[header] = Message("the plan does not name it")
    return columns, left


def _check(plans: Sequence[TablePlan]) -> None:
    """Check that the tables together say who came where in which event."""
    if not plans:
        raise InputError(
            "no column is understood as the event's id: say in a plan which one it is "
            "(--draft FILE writes one)"
        )
    meant = {c.meaning for plan in plans for c in plan.columns}
    if not meant & {"place", "score", "round", *SIDES_OF_GAMES}:
        headers = [header for plan in plans for header in plan.left]
        raise InputError(
            "no column is understood as the place or the score of an entrant; not understood "
            "are {columns}: say in a plan what they are (--draft FILE writes one)",
            columns=", ".join(map(repr, headers[:12])) or "–",
        )


def _each_once(plans: list[TablePlan]) -> list[TablePlan]:
    """The plans without duplicates: if another table says who took part, tables of games only
    say who played whom."""
    if not any(plan.shape in ("entrants", "players") for plan in plans):
        return plans
    own = ("entrant", "player")
    of = {m.name for m in meanings().values() if m.of in ("entrant", "player")} - {*own}
    why = Message("another table tells who took part")
    return [plan.without(of, why) if plan.shape == "games" else plan for plan in plans]


def _samples(tables: Iterable[tuple[SourceTable, Sequence[MeantColumn]]]) -> dict[str, list[str]]:
    """The distinct texts of the first rows, by the meaning of their columns."""
    samples: dict[str, list[str]] = {}
    for table, columns in tables:
        wanted = [c for c in columns if meanings()[c.meaning].type in ("date", "number", "word")]
        batches = iter(table.batches([c.header for c in wanted])) if wanted else iter(())
        batch = next(batches, None)
        for column in wanted if batch is not None else ():
            cells: Any = batch[column.header][:50_000] if batch is not None else ()
            if "string" in str(cells.type) or "dictionary" in str(cells.type):
                samples.setdefault(column.meaning, []).extend(coded(cells)[0])
    return samples


def _date_format(given: str, texts: Sequence[str], draft: bool) -> str:
    if given or not texts:
        return given or DATE_FORMATS[0]
    fit = date_format(texts)
    if len(fit) == 1 or draft:
        return fit[0] if len(fit) == 1 else ""
    shown = next(iter(texts))
    if not fit:
        raise InputError(
            "dates such as {text}: no one way of writing dates fits them all; say in the plan "
            'how they are written, e.g. date = "%d/%m/%Y"',
            text=shown,
        )
    raise InputError(
        "dates such as {text} may be {one} or {other}: say in the plan which, e.g. date = {one!r}",
        text=shown,
        one=fit[0],
        other=fit[1],
    )


def _decimal(given: str, texts: Mapping[str, Sequence[str]]) -> str:
    if given and given not in (".", ","):
        raise InputError('decimal = {mark!r}: expected "." or ","', mark=given)
    numbers = [t for m, some in texts.items() if meanings()[m].type == "number" for t in some]
    return given or decimal_mark(numbers)


def _paid_to(given: str) -> str:
    if given not in (EACH_PLAYER, ENTRANT):
        raise UnknownName("who is paid", given, (EACH_PLAYER, ENTRANT))
    return given


# --- the file -------------------------------------------------------------------------------------


def plan_text(plan: ImportPlan, without: Iterable[SourceTable] = ()) -> str:
    """The plan as the file that people correct."""
    lines = [
        "# What the columns are taken for. Correct it and import again with --plan and this file.",
        "# Right of = stands a column of the corpus (`honours lab tables`); of players with a",
        '# number: player1, holding2. "" leaves a column out.',
        "",
        "[written]",
        f"date = {toml_text(plan.date)}  # how dates are written: %d the day, %m the month",
        f"decimal = {toml_text(plan.decimal)}",
        f"paid = {toml_text(plan.paid_to)}  # or {toml_text(ENTRANT)}: all its players together",
        f"unit = {toml_text(plan.unit)}  # of what was paid, e.g. masterpoints",
        *_members_line(plan),
        "",
    ]
    for meaning, words in plan.words.items():
        lines += [f"[words.{meaning}]"]
        lines += [f"{toml_text(a)} = {toml_text(b)}" for a, b in words.items()] + [""]
    for one in plan.tables:
        lines.append(f"[table.{toml_text(one.table.name)}]  # a row is one of: {one.shape}")
        unused = {h: why for h, why in one.left.items() if h not in {c.header for c in one.drafted}}
        lines += [f"{toml_text(c.header)} = {toml_text(c.shown)}" for c in one.drafted]
        lines += [f'{toml_text(header)} = ""  # {why}' for header, why in unused.items()] + [""]
    for table in without:
        lines += [f"[table.{toml_text(table.name)}]  # say which column is the event's id"]
        columns, left = understood(table.columns)
        lines += [f"{toml_text(c.header)} = {toml_text(c.shown)}" for c in columns]
        lines += [f'{toml_text(header)} = ""  # {why}' for header, why in left.items()] + [""]
    return "\n".join(lines).rstrip() + "\n"


def _members_line(plan: ImportPlan) -> list[str]:
    """The separator between several members in a cell, if a column has such cells."""
    signs = [
        table.several[c.header]
        for table in plan.tables
        for c in table.drafted
        if c.meaning == "player" and c.header in table.several
    ]
    if not signs:
        return []
    return [f'members = {toml_text(signs[0])}  # between members in one cell; "" where each is one']
