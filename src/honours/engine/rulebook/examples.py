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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from honours.engine.award import award, calculate, calculated_fields, read_facts
from honours.engine.numbers import exact, show
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.source import EXAMPLE, EXAMPLE_LINES, EXPECTED, GRID, at_line
from honours.errors import RulebookError, UnknownName
from honours.model import Award, Awards, Entrant, Field, Game, Player, Standing
from honours.model.message import Message, joined

# --- whether an example of ``examples.toml`` is one ---------------------------------------------

_RUN = ("from", "step")
_ALONE = ("given", "expect")


def check_example(where: str, table: Mapping[str, Any]) -> None:
    """Refuse a table that is no example, before it is run."""
    check_keys(where, "key", table, EXAMPLE)
    if not isinstance(table.get("name"), str):
        raise RulebookError("{where}: name is missing or no text", where=where)
    for key in _ALONE:
        may_lack = key == "given" and "list" in table
        if not isinstance(table.get(key, {} if may_lack else None), Mapping):
            raise RulebookError("{where}: {key} is missing or no table", where=where, key=key)
    if not table["expect"]:
        raise RulebookError("{where}: expect is empty", where=where)
    check_keys(where, "key of expect", table["expect"], EXPECTED)
    if "printed" in table and "reason" not in table:
        raise RulebookError(
            "{where}: printed is what the rule cannot give, and reason must say why", where=where
        )
    _check_places(where, table["expect"])
    _check_list(where, table.get("list", []))


def check_keys(where: str, what: str, table: Mapping[str, Any], known: Mapping[str, str]) -> None:
    for key in table:
        if key not in known:
            raise RulebookError(
                "{where}: {problem}", where=where, problem=UnknownName(what, key, known)
            )


def check_expected(where: str, rulebook: Rulebook, expect: Mapping[str, Any]) -> None:
    """Refuse an expectation of what the rulebook has not."""
    known: dict[str, Any] = {
        "quantities": {rule.name for rule in rulebook.rules if rule.kind == "rule"}
        | {*rulebook.inputs, *rulebook.parameters},
        "figures": {figure.name for figure in rulebook.figures},
        "colours": rulebook.colours,
        "extras": rulebook.extras,
    }
    for key, names in known.items():
        wanted = expect.get(key, {})
        if not isinstance(wanted, Mapping):
            raise RulebookError("{where}: expect.{key} is no table", where=where, key=key)
        if key == "colours" and "all" in names:
            continue  # the colours are the words of an input
        for name in wanted:
            if name not in names:
                what = Message("name in expect.{key}", key=key)
                problem = UnknownName(what, name, sorted(names))
                raise RulebookError("{where}: {problem}", where=where, problem=problem)


def _check_places(where: str, expect: Mapping[str, Any]) -> None:
    places = [expect.get("at", {})]
    places += [v for v in _tables_in(expect.get("figures")) if isinstance(v, Mapping)]
    for table in places:
        if not isinstance(table, Mapping):
            raise RulebookError("{where}: expect.at is no table", where=where)
        for place in table:
            if not str(place).isdigit() or int(place) < 1:
                raise RulebookError(
                    "{where}: {place!r} is no place, from 1 on", where=where, place=str(place)
                )


def _tables_in(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, Mapping) else []


def _check_list(where: str, rows: Any) -> None:
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise RulebookError(
            "{where}: list: expected a table an entrant, e.g. {{ place = 1 }}", where=where
        )
    many = sum(row["count"] if _is_count(row.get("count")) else 1 for row in rows)
    for number, row in enumerate(rows, start=1):
        at = Message("{where}: entrant {number} of the list", where=where, number=number)
        if not _is_count(row.get("place")):
            raise RulebookError("{at}: place is missing or no whole number", at=at)
        if not _is_count(row.get("count", 1)):
            raise RulebookError("{at}: count is no whole number", at=at)
        for key, value in row.items():
            if isinstance(value, Mapping) and set(value) != set(_RUN):
                raise RulebookError(
                    "{at}: {key}: expected {{ from = …, step = … }}", at=at, key=key
                )
        games = row.get("games", [])
        if not isinstance(games, list) or not all(isinstance(game, Mapping) for game in games):
            raise RulebookError("{at}: games: expected tables, e.g. {{ opponent = 2 }}", at=at)
        for game in games:
            opponent = game.get("opponent")
            if not _is_count(opponent) or opponent > many:
                raise RulebookError(
                    "{at}: a game has no opponent, which is the number of another in the list",
                    at=at,
                )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


# --- a rulebook's examples ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Example:
    """One case of a rulebook."""

    name: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    published: str = ""
    ours: str = ""
    ties: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    entrants: tuple[Mapping[str, Any], ...] = ()
    printed: str = ""
    reason: str = ""


def examples(rulebook: Rulebook) -> Iterator[Example]:
    """The examples of a rulebook, in the order of its file, then the cells of its grids."""
    grids = _tables(rulebook, "grid")
    cells = (cell for n, grid in enumerate(grids, 1) for cell in _cells(rulebook, grid, n))
    seen: set[str] = set()
    for number, table in enumerate([*_tables(rulebook, "example"), *cells], start=1):
        name = table.get("name")
        at = stands_at(rulebook, name if isinstance(name, str) else f"[[example]] {number}")
        check_example(at, table)
        known = {"given": {}} | {k: v for k, v in table.items() if k not in ("set", "list")}
        entrants = tuple(entrant for row in table.get("list", ()) for entrant in _run_of(row))
        example = Example(**known, changes=table.get("set", {}), entrants=entrants)
        check_expected(at, rulebook, example.expect)
        if example.name in seen:
            raise RulebookError("{where}: another example is called so", where=at)
        seen.add(example.name)
        yield example


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
    """An entrant of a list; with ``count`` so many, one place after the other."""
    if "count" not in row:
        yield row
        return
    for n in range(row["count"]):
        facts = {key: _stepped(value, n) for key, value in row.items() if key != "count"}
        yield {**facts, "place": row["place"] + n}


def _stepped(value: Any, n: int) -> Any:
    """A value that is the same for a whole run, or goes on by a step."""
    if not isinstance(value, Mapping):
        return value
    return show(exact(value["from"]) + n * exact(value["step"]))


def _cells(rulebook: Rulebook, grid: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Each cell of a grid as the table of an example."""
    for key in ("name", "down", "across", "columns", "rows", "quantity"):
        if key not in grid:
            at = stands_at(rulebook, f"[[grid]] {number}")
            raise RulebookError("{where}: {key} is missing", where=at, key=key)
    check_keys(stands_at(rulebook, grid["name"]), "key", grid, GRID)
    down, across = grid["down"], grid["across"]
    where = {key: grid[key] for key in ("published", "ours") if key in grid}
    for row, figures in grid["rows"].items():
        if len(figures) != len(grid["columns"]):
            raise RulebookError(
                "{id}, {name}, {down} {row}: a cell is missing",
                id=rulebook.id,
                name=grid["name"],
                down=down,
                row=row,
            )
        for column, figure in zip(grid["columns"], figures, strict=True):
            yield where | {
                "name": f"{grid['name']}, {down} {row}, {across} {column}",
                "given": {**grid.get("given", {}), down: row, across: column},
                "expect": {"quantities": {grid["quantity"]: figure}},
            }


def standings_field(rulebook: Rulebook, example: Example) -> Field:
    """The field of an example that lists its entrants."""
    standings = tuple(
        _standing(rulebook, i, row, example.entrants) for i, row in enumerate(example.entrants)
    )
    facts = read_facts(rulebook, {"entrants": len(standings), **example.given})
    return Field(facts, standings)


def _standing(
    rulebook: Rulebook, i: int, row: Mapping[str, Any], rows: tuple[Mapping[str, Any], ...]
) -> Standing:
    place = row["place"]
    tied = sum(other["place"] == place for other in rows)
    by_player: dict[str, list[Any]] = {}
    facts: dict[str, Any] = {}
    for key in row.keys() - {"place", "games"}:
        declared = rulebook.input(key)
        if declared.per == "player" and isinstance(row[key], list):
            by_player[declared.name] = [declared.read(v) for v in row[key]]
        else:
            facts[declared.name] = declared.read(row[key])
    many = max((len(v) for v in by_player.values()), default=0)
    players = tuple(
        Player(f"{i + 1}.{j + 1}", facts={k: v[j] for k, v in by_player.items()})
        for j in range(many)
    )
    games = tuple(_game(rulebook, game) for game in row.get("games", ()))
    return Standing(Entrant(str(i + 1), players), place, tied, facts=facts, games=games)


def _game(rulebook: Rulebook, table: Mapping[str, Any]) -> Game:
    facts = {k: v for k, v in table.items() if k != "opponent"}
    return Game(str(table["opponent"]), read_facts(rulebook, facts))


def fields(rulebook: Rulebook, example: Example) -> list[Field]:
    """The ranking lists of an example."""
    if example.entrants:
        return [standings_field(rulebook, example)]
    return calculated_fields(rulebook, example.given, example.ties)


def run(rulebook: Rulebook, example: Example, in_words: bool = False) -> list[Awards]:
    """What the rulebook gives for the example, the exact way."""
    book = rulebook.amend(example.changes)
    if example.entrants:
        return [award(book, standings_field(book, example), in_words)]
    return calculate(book, example.given, example.ties, in_words)


def differences(example: Example, got: list[Awards]) -> list[str]:
    """Where the answer is not what the example expects; empty when it is."""
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
