"""Every fact that a reader or the scorer supplies is declared in the one vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import honours.demo
from honours.errors import HonoursError
from honours.formats.go import CRITERIA, fact_of_criterion
from honours.formats.sheet import fact_name
from honours.formats.table_standings import StandingsFile
from honours.model import Event, Field, Player
from honours.model.facts import Fact
from honours.model.vocabulary import declared
from honours.pipeline.account import Account, read_accounts
from honours.pipeline.report import ranked
from honours.scoring.matches import NOT_KNOWN
from tests.support import SHARED

_LARGEST = 3_000_000
FOLDERS = (Path(honours.demo.__file__).parent, *sorted((SHARED / "real").glob("*/")))
Supplied = tuple[str, Any]


def _files(folder: Path) -> list[Path]:
    every = sorted(folder.rglob("*")) if folder.is_dir() else []
    return [p for p in every if p.is_file() and p.stat().st_size < _LARGEST]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_whatever_readers_supply_is_declared(folder: Path) -> None:
    for file in _files(folder):
        try:
            accounts = read_accounts(file)
        except HonoursError:
            continue
        for account in accounts:
            # A column that the vocabulary does not know is its author's; it is named as such.
            own = {fact_name(column) for column in account.not_understood}
            for name, value in _supplied(account):
                fact = declared(name)
                if fact is None:
                    assert name in own, f"{file}: {name}={value}"
                else:
                    assert _fits(fact, value), f"{file}: {name}={value!r} is no {fact.type}"


def test_criteria_of_go_are_declared() -> None:
    assert all(declared(fact_of_criterion(name)) for name in (*CRITERIA, "SDC", "DC"))


def _fits(fact: Fact, value: object) -> bool:
    if value in ("", NOT_KNOWN):
        return True
    if fact.type in ("number", "count"):
        whole = isinstance(value, Fraction) and value.denominator == 1 and value >= 0
        return whole if fact.type == "count" else isinstance(value, Fraction)
    if fact.words and fact.name not in (
        "line",
        "kind",
    ):  # as a table says it, for a rulebook to ask
        return str(value) in fact.words
    return fact.type in ("text", "word", "date")


def _supplied(account: Account) -> Iterator[Supplied]:
    content = account.content
    if isinstance(content, Event):
        yield from _of_event(content)
    elif not isinstance(content, StandingsFile):
        tournament = content
        yield from _prefixed("header", tournament.facts)
        yield from _of_players(one.player for one in tournament.players)
    try:
        lists = ranked(account).lists
    except HonoursError:
        return
    for field in lists:
        yield from _of_list(field)


def _of_event(event: Event) -> Iterator[Supplied]:
    yield from event.facts.items()
    for entrant in event.entrants:
        yield from _prefixed("published", entrant.published)
        yield from _of_players(entrant.entrant.players)
    for session in event.sessions:
        for result in session.results:
            yield from _prefixed("published", result.published)


def _of_list(field: Field) -> Iterator[Supplied]:
    yield from field.facts.items()
    yield from ((name, known.value) for name, known in field.sources.items())
    for standing in field.standings:
        yield from standing.facts.items()
        yield from _of_players(standing.entrant.players)
        for game in standing.games:
            yield from game.facts.items()


def _of_players(players: Iterable[Player]) -> Iterator[Supplied]:
    for player in players:
        yield from player.facts.items()


def _prefixed(prefix: str, facts: Mapping[str, Any]) -> Iterator[Supplied]:
    return ((f"{prefix}.{name}", value) for name, value in facts.items())
