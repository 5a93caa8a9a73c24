"""Somebody drops a fact of an event, or what was called immaterial is anything: no award changes in
silence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import honours
from honours.model import Field, Player, Standing
from honours.pipeline import Report
from honours.pipeline.inquiry import inquire
from honours.rulebooks import load
from tests.adversary.attack import assail
from tests.adversary.immaterial import attack
from tests.pipeline.thirty import Case, cases

IDLE = ("date", "title", "stratum", "scoring", "drawn", "rating", "winners")
"""What no rulebook can miss: without strata an event has none, beside wins nothing was drawn,
of who has no rating the rank counts, and lists of lines show two winners by themselves."""
AWARDED = [case for case in cases() if not case.asks and not case.refuses]


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


def _without(lists: tuple[Field, ...], name: str) -> tuple[Field, ...]:
    """The lists with a fact dropped everywhere."""

    def told(facts: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in facts.items() if key != name}

    def of_player(player: Player) -> Player:
        return replace(player, facts=told(player.facts))

    def of_standing(standing: Standing) -> Standing:
        players = tuple(map(of_player, standing.entrant.players))
        entrant = replace(standing.entrant, players=players)
        return replace(standing, entrant=entrant, facts=told(standing.facts))

    return tuple(
        replace(
            field,
            facts=told(field.facts),
            standings=tuple(map(of_standing, field.standings)),
            sources=told(field.sources),
        )
        for field in lists
    )


@pytest.mark.parametrize("name", [case.name for case in AWARDED])
def test_a_fact_that_is_dropped_changes_no_award_in_silence(name: str) -> None:
    case, report = next(one for one in AWARDED if one.name == name), _report(name)
    book, given = load(case.rulebook), _given(case, report)
    known = {key: value for key, value in given.items() if key in book.keys}
    before = inquire(book, report.lists, known)
    asked = {fact for question in before.questions for fact in question.facts}
    derived_from = {fact for line in book.derivations for fact in (*(line.when or {}), line.source)}
    for fact in (one for one in _facts(report.lists) if one in {*book.keys, *derived_from}):
        after = inquire(book, _without(report.lists, fact), known)
        if after.base.impossible or not after.base.paid or not after.base.differs(before.base):
            continue
        now = {one for question in after.questions for one in question.facts}
        assert (now - asked) or fact in IDLE, fact


def test_what_is_called_immaterial_may_be_anything() -> None:
    tally = attack(300)
    assert tally.draws >= 300
    assert tally.refuted == []


def test_no_event_is_paid_wrongly_without_a_word() -> None:
    found = assail(170)
    assert found.wrong == []
    assert found.refused == []
    assert found.verdicts["right"] > found.events / 2
