"""Somebody drops or renames one fact of an event: never another award in silence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import honours
from honours.engine.event_awards import EventAwards, award_event
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.model import Field, Player, Standing
from honours.pipeline import Report
from honours.rulebooks import ids, load
from tests.pipeline.thirty import Case, cases

AWARDED = [case for case in cases() if not case.asks and not case.refuses]
ANSWERS = {
    "ebu-clubs": {"scale": "A"},
    "abf-sessions": {"event_grade": "green"},
    "acbl-clubs-2017": {"game": "nap-club"},
    "acbl-general": {"class": "regional"},
    "acbl-sof-2011": {"class": "regional", "average_masterpoints": "900"},
    "acbl-sof-2020": {"class": "regional", "strength_factor": "22"},
    "vbl-2017": {"event": "club"},
    "egf-2021": {"class": "A", "reset": "1800"},
    "ifpa-wppr": {"tgp": "1"},
}
"""What each rulebook is told of every event besides, being of no file."""


@cache
def _report(name: str) -> Report:
    case = next(one for one in AWARDED if one.name == name)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{case.name}{case.suffix}"
        path.write_text(case.text, encoding="utf-8")
        return honours.score(honours.read(path), **case.options)


def _given(case: Case, report: Report) -> dict[str, str]:
    section = {"section": report.section} if report.section else {}
    return {**section, **case.given}


def _facts(lists: tuple[Field, ...]) -> list[str]:
    of_all = [name for field in lists for name in field.facts]
    of_each = [name for f in lists for s in f.standings for name in s.facts]
    of_players = [
        name for f in lists for s in f.standings for p in s.entrant.players for name in p.facts
    ]
    return list(dict.fromkeys((*of_all, *of_each, *of_players)))


def _changed(lists: tuple[Field, ...], name: str, other: str) -> tuple[Field, ...]:
    """The lists with a fact dropped everywhere, or called otherwise."""

    def told(facts: dict[str, Any]) -> dict[str, Any]:
        renamed = {other if key == name else key: value for key, value in facts.items()}
        return {key: value for key, value in renamed.items() if key}

    def of_player(player: Player) -> Player:
        return replace(player, facts=told(dict(player.facts)))

    def of_standing(standing: Standing) -> Standing:
        players = tuple(map(of_player, standing.entrant.players))
        entrant = replace(standing.entrant, players=players)
        return replace(standing, entrant=entrant, facts=told(dict(standing.facts)))

    return tuple(
        replace(
            field,
            facts=told(dict(field.facts)),
            standings=tuple(map(of_standing, field.standings)),
            sources=told(dict(field.sources)),
        )
        for field in lists
    )


def _speaks_of(rules: Rulebook) -> set[str]:
    lines = rules.derivations
    derived_from = {name for line in lines for name in (*(line.when or {}), line.source, "title")}
    return {*rules.keys, *derived_from}


def _amounts(awards: EventAwards) -> dict[str, Fraction] | str:
    refused = [one.refusal.reason for one in awards.lists if one.refusal]
    return refused[0] if refused else {who: awards.amount(who) for who in awards.combined}


def _said(awards: EventAwards) -> set[str]:
    """What a reader is told beside the figures: what they were made from, readings, notices."""
    known = [one for a in awards.lists for one in a.known]
    used = {f"{one.origin} {one.name}={one.value}" for one in known if one.used}
    idle = {f"not used {one.name}" for one in known if not one.used}
    readings = {choice.reading for a in awards.lists for choice in a.choices}
    return used | idle | readings | {n.text for a in awards.lists for n in a.notices}


def _attacks() -> Iterator[tuple[str, str]]:
    for case in AWARDED:
        for other in ("", "mislaid"):
            yield case.name, other


@pytest.mark.parametrize(("name", "other"), list(_attacks()))
def test_a_fact_that_is_dropped_or_renamed_is_noticed(name: str, other: str) -> None:
    case, report = next(one for one in AWARDED if one.name == name), _report(name)
    given = _given(case, report)
    for book in (case.rulebook,) if other else ids():
        rules = load(book)
        known = {key: value for key, value in given.items() if key in rules.keys}
        known |= ANSWERS.get(book, {}) if book != case.rulebook else {}
        try:
            before = award_event(rules, report.lists, known, in_words=False)
        except HonoursError:
            continue  # another body's rulebook asks for something else
        for fact in _facts(report.lists):
            if book != case.rulebook and fact not in _speaks_of(rules):
                continue  # what a rulebook never heard of cannot change its mind
            try:
                changed = _changed(report.lists, fact, other)
                after = award_event(rules, changed, known, in_words=False)
            except HonoursError:
                continue  # asked for
            if _amounts(after) == _amounts(before) or isinstance(_amounts(after), str):
                continue
            assert _said(after) - _said(before), (book, fact, other)
