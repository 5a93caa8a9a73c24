"""Whether an example of ``examples.toml`` is one: its keys, its list and what it expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.vocabulary import EXAMPLE, EXPECTED
from honours.errors import RulebookError, UnknownName
from honours.model.message import Message

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
    places += [v for v in _tables(expect.get("figures")) if isinstance(v, Mapping)]
    for table in places:
        if not isinstance(table, Mapping):
            raise RulebookError("{where}: expect.at is no table", where=where)
        for place in table:
            if not str(place).isdigit() or int(place) < 1:
                raise RulebookError(
                    "{where}: {place!r} is no place, from 1 on", where=where, place=str(place)
                )


def _tables(value: Any) -> list[Any]:
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
        _check_games(at, row.get("games", []), many)


def _check_games(at: Message, games: Any, many: int) -> None:
    if not isinstance(games, list) or not all(isinstance(game, Mapping) for game in games):
        raise RulebookError("{at}: games: expected tables, e.g. {{ opponent = 2 }}", at=at)
    for game in games:
        opponent = game.get("opponent")
        if not _is_count(opponent) or opponent > many:
            raise RulebookError(
                "{at}: a game has no opponent, which is the number of another in the list", at=at
            )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
