"""A rulebook's examples: given → expected, with no tolerance, as ``examples.toml`` states them.

::

    [[example]]
    name = "example 4"
    published = "Guide, example 4"        # where the source prints it, or
    ours = "24 + 18 + 12 shared by three" # our own case, with its working
    given = { kind = "pairs", winners = 1, pairs = 15 }
    ties = "3-4"
    set = { parameter = "value" }         # a variant, if the figure needs one
    list = [ { place = 1, masterpoints = ["1500", "20"] }, … ]   # real standings instead of ties
    expect = { awards = [...], at = { 15 = "29" }, quantities = {...}, refusal = "…",
               places = 12, notice = "…", withheld = […], extras = {...}, figures = {...} }

``{ place = 1, count = 20, rating = { from = 1900, step = -30 } }`` in a list is twenty entrants.
An entrant of a list may have ``games = [{ opponent = 2, result = 1 }]``, by its number in the list.

``awards`` is the whole schedule in order (a table by line where there are several lists), ``at``
single places of it. A published figure the rule cannot give has ``printed`` and ``reason`` beside
what we do give.

A table of a source, one quantity over two inputs, is a ``grid``: each cell becomes an example::

    [[grid]]
    name = "sample awards"
    published = "Sample SOF Awards"
    given = { sessions = 2 }
    quantity = "first_place"
    down = "tables"                       # the input that names the rows
    across = "average_masterpoints"       # the input that names the columns
    columns = [0, 250, 500]
    rows = { 4 = ["2.68", "3.13", "3.59"], 8 = ["3.11", "3.77", "4.42"] }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from honours.engine.award import award, calculate, calculated_fields, read_facts, standings_of
from honours.engine.numbers import exact, show
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.load import one_of, stated, told_with
from honours.engine.rulebook.source import EXAMPLE_LINES, EXPECTED, at_line
from honours.errors import RulebookError
from honours.model import Award, Awards, Field
from honours.model.message import Message, joined


@dataclass(frozen=True, slots=True)
class Example:
    """One case of a rulebook."""

    name: str
    expect: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)
    published: str = ""
    ours: str = ""
    ties: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict, metadata={"key": "set"})
    entrants: tuple[Mapping[str, Any], ...] = field(default=(), metadata={"key": "list"})
    printed: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Grid:
    """A table of a source: one quantity over two inputs."""

    name: str
    down: str
    across: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    quantity: str
    given: Mapping[str, Any] = field(default_factory=dict)
    published: str = ""
    ours: str = ""


def examples(rulebook: Rulebook) -> Iterator[Example]:
    """The examples of a rulebook, in the order of its file, then the cells of its grids."""
    seen: set[str] = set()
    for number, table in enumerate(_tables(rulebook, "example"), start=1):
        name = table.get("name")
        at = stands_at(rulebook, name if isinstance(name, str) else f"[[example]] {number}")
        with told_with(at):
            case = stated(Example, table, "example")
            entrants = tuple(one for row in _checked_list(case.entrants) for one in _run_of(row))
            if "given" not in table and not entrants:
                raise KeyError("given")
            if not case.expect:
                raise RulebookError("expect is empty")
            if case.printed and not case.reason:
                raise RulebookError("printed is what the rule cannot give, and reason must say why")
            _check_expected(case, rulebook)
            if case.name in seen:
                raise RulebookError("another example is called so")
        seen.add(case.name)
        yield replace(case, entrants=entrants)
    for number, table in enumerate(_tables(rulebook, "grid"), start=1):
        with told_with(stands_at(rulebook, str(table.get("name", f"[[grid]] {number}")))):
            yield from _cells(stated(_Grid, table, "grid"))


def _check_expected(case: Example, rulebook: Rulebook) -> None:
    """Refuse an expectation of what the rulebook has not."""
    known: dict[str, Iterable[str]] = {
        "quantities": {rule.name for rule in rulebook.rules if rule.kind == "rule"}
        | {*rulebook.inputs, *rulebook.parameters},
        "figures": {figure.name for figure in rulebook.figures},
        "colours": rulebook.colours,
        "extras": rulebook.extras,
    }
    places = [case.expect.get("at", {})]
    for key, wanted in case.expect.items():
        one_of("key of expect", key, EXPECTED)
        if key not in known:
            continue
        if not isinstance(wanted, Mapping):
            raise RulebookError("expect.{key} is no table", key=key)
        for name, items in wanted.items():
            if key != "colours" or "all" not in rulebook.colours:  # else the words of an input
                one_of(Message("name in expect.{key}", key=key), name, sorted(known[key]))
            if key == "figures" and isinstance(items, Mapping):
                places.append(items)
    for place in (place for table in places for place in table):
        if not str(place).isdigit() or int(place) < 1:
            raise RulebookError("{place!r} is no place, from 1 on", place=str(place))


def _checked_list(rows: tuple[Mapping[str, Any], ...]) -> tuple[Mapping[str, Any], ...]:
    """The entrants of a list, each with a place and games against others of it."""
    many = sum(_count(row, "count", 1) for row in rows)
    for row in rows:
        _count(row, "place", None)
        for key, value in row.items():
            if isinstance(value, Mapping) and set(value) != {"from", "step"}:
                raise RulebookError("list: {key}: expected {{ from = …, step = … }}", key=key)
        for game in row.get("games", []):
            if _count(game, "opponent", None) > many:
                raise RulebookError("list: a game has no opponent: {many} are listed", many=many)
    return rows


def _count(row: Mapping[str, Any], key: str, default: int | None) -> int:
    value = row.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise RulebookError("list: {key} is missing or no whole number", key=key)
    return value


def stands_at(rulebook: Rulebook, name: str) -> str:
    """The file and line of an example, and its name."""
    lines = rulebook.examples.get(EXAMPLE_LINES, {})
    cell_of = next((each for each in lines if name.startswith(f"{each}, ")), "")
    return joined(", ", (at_line(_file(rulebook), lines.get(name, lines.get(cell_of))), name))


def _file(rulebook: Rulebook) -> str:
    return f"{rulebook.id.replace('-', '_')}/examples.toml"


def _tables(rulebook: Rulebook, kind: str) -> list[Mapping[str, Any]]:
    tables = rulebook.examples.get(kind, [])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise RulebookError(
            "{file}: expected tables, each as [[{kind}]]", file=_file(rulebook), kind=kind
        )
    return tables


def _run_of(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """An entrant of a list; with ``count`` so many, one place after the other, whose values are
    the same or go on by a step."""
    if "count" not in row:
        yield row
        return
    for n in range(row["count"]):
        yield {
            key: show(exact(value["from"]) + n * exact(value["step"]))
            if isinstance(value, Mapping)
            else value
            for key, value in row.items()
            if key != "count"
        } | {"place": row["place"] + n}


def _cells(grid: _Grid) -> Iterator[Example]:
    """Each cell of a grid as an example."""
    for row, figures in grid.rows.items():
        if len(figures) != len(grid.columns):
            raise RulebookError("{down} {row}: a cell is missing", down=grid.down, row=row)
        for column, figure in zip(grid.columns, figures, strict=True):
            yield Example(
                f"{grid.name}, {grid.down} {row}, {grid.across} {column}",
                {"quantities": {grid.quantity: figure}},
                {**grid.given, grid.down: row, grid.across: column},
                grid.published,
                grid.ours,
            )


def standings_field(rulebook: Rulebook, example: Example) -> Field:
    """The field of an example that lists its entrants."""
    facts = read_facts(rulebook, {"entrants": len(example.entrants), **example.given})
    return Field(facts, standings_of(rulebook, example.entrants))


def fields(rulebook: Rulebook, example: Example) -> list[Field]:
    """The ranking lists of an example."""
    if example.entrants:
        return [standings_field(rulebook, example)]
    return calculated_fields(rulebook, example.given, example.ties)


def run(rulebook: Rulebook, example: Example, in_words: bool = False) -> list[Awards]:
    """Return the rulebook's awards for the example, the exact way."""
    book = rulebook.amend(example.changes)
    if example.entrants:
        return [award(book, standings_field(book, example), in_words)]
    return calculate(book, example.given, example.ties, in_words)


def differences(example: Example, got: list[Awards]) -> list[str]:
    """Return the differences between the answer and what the example expects."""
    wrong: list[str] = []
    for key, wanted in example.expect.items():
        ours = _ours(key, wanted, got)
        if ours != _as_text(wanted):
            fault = Message(
                "{key}: expected {expected}, got {ours}",
                key=key,
                expected=_as_text(wanted),
                ours=ours,
            )
            wrong.append(fault)
    return wrong


def figures(example: Example, got: list[Awards]) -> Iterator[tuple[str, str, str]]:
    """Every figure that an example expects: what it is, as expected, and ours."""
    for key, wanted in example.expect.items():
        yield from _one_by_one(key, _as_text(wanted), _ours(key, wanted, got))


def _one_by_one(what: str, wanted: Any, ours: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(wanted, Mapping):
        for name, value in wanted.items():
            own = ours.get(name, "nothing") if isinstance(ours, Mapping) else ours
            yield from _one_by_one(f"{what} {name}", value, own)
    elif isinstance(wanted, list):
        for at, value in enumerate(wanted):
            own = ours[at] if isinstance(ours, list) and at < len(ours) else "nothing"
            yield from _one_by_one(f"{what} {at + 1}", value, own)
    else:
        yield what, wanted, str(ours)


def _as_text(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _as_text(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(v) for v in value]
    return str(value)


def _ours(key: str, wanted: Any, got: list[Awards]) -> Any:
    first = got[0]
    match key:
        case "awards" if isinstance(wanted, Mapping):
            return {a.field.line: [x.shown for x in a.schedule] for a in got}
        case "awards":
            return [x.shown for x in first.schedule]
        case "at":
            return {k: _at(first, int(k)) for k in wanted}
        case "places":
            return str(len([x for x in first.schedule if x.amount]))
        case "quantities":
            return {k: first.quantities.get(k, "—") for k in wanted}
        case "refusal":
            reason = first.refusal.reason if first.refusal else "no refusal"
            return wanted if wanted and wanted in reason else reason
        case "notice":
            texts = [n.text for n in first.notices]
            return wanted if any(wanted in t for t in texts) else str(texts)
        case "extras":
            return {k: dict(v) for k, v in first.extras.items()}
        case _:
            if key == "withheld":
                return [_withheld(item) for item in first.schedule]
            reader = _figure if key == "figures" else _colour
            return {
                name: {at: reader(first.schedule[int(at) - 1], name) for at in expected}
                if isinstance(expected, Mapping)
                else [reader(item, name) for item in first.schedule]
                for name, expected in wanted.items()
            }


def _colour(item: Award, colour: str) -> str:
    """As many of its decimals as the award has."""
    return show(item.colours.get(colour, Fraction(0)), len(item.shown.partition(".")[2]))


def _at(awards: Awards, place: int) -> str:
    items = [x.shown for x in awards.schedule]
    return items[place - 1] if place <= len(items) else "nothing"


def _figure(item: Award, name: str) -> str:
    """A figure of a standing, of its players one after the other."""
    return " ".join(f.shown for f in item.figures if f.name == name) or "nothing"


def _withheld(item: Any) -> str:
    if item.refusal:
        return "all"
    return " ".join(p.name for p, _ in item.withheld)
