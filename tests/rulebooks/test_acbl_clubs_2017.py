"""ACBL club games: 46 real events, from percentages or places to the cent."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from honours.engine.event_awards import award_event
from honours.engine.ranking import by_score
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.support import GOLDEN

NOT_RANKED = {"N015": "C4N", "N017": "B6N", "N021": "A8N", "N067": "YY3N"}
"""Pairs that were not eligible: they have no place and no award, though they scored enough."""
ADDED = {"N003": 17, "N065": 3, "N077": 6}
"""Tables of a concurrent game, where the file does not say that they were credited."""
GAMES = {
    "NAP Club Level": "nap-club",
    "NAP Unit Level": "nap-unit",
    "Club Masterpoint": "club",
    "Pupil": "club",
}
STRATA = "ABC"


def _events() -> list[dict[str, Any]]:
    text = (GOLDEN / "acbl_club_2017.json").read_text(encoding="utf-8")
    events: list[dict[str, Any]] = json.loads(text)["events"]
    return events


def _line(section: dict[str, Any], entry_id: str) -> str:
    return "" if section["howell"] else {"N": "NS", "E": "EW"}[entry_id[-1]]


def _lists(event: dict[str, Any]) -> list[Field]:
    """The two lines (or the one list) of an event as a file of results would give them."""
    lines: dict[str, list[Standing]] = {}
    for name, section in event["sections"].items():
        for entry_id, stratum, percentage, _, _ in section["entries"]:
            who = name + entry_id
            is_barred = who == NOT_RANKED.get(event["event"])
            players = (Player(who, facts={"eligible": "no"}),) if is_barred else ()
            facts = {"stratum": STRATA[stratum - 1], "section": _section(event, name)}
            score = Fraction(str(percentage))
            standing = Standing(Entrant(who, players, who), 1, score=score, facts=facts)
            lines.setdefault(_line(section, entry_id), []).append(standing)
    return [Field(standings=by_score(s), line=line) for line, s in lines.items()]


def _section(event: dict[str, Any], name: str) -> str:
    return "combined" if event["combined"] else name


def _is_final(event: dict[str, Any]) -> bool:
    return bool(event["session"] and event["session"][1] > 1)


def _given(event: dict[str, Any]) -> dict[str, object]:
    limits = [stratum["limit"] for stratum in event["strata"]]
    names = ("limit", "limit_b", "limit_c")
    rating = event["rating"]
    return {
        "game": GAMES[rating],
        **{k: "none" if v is None else v for k, v in zip(names, limits, strict=False)},
        "added_tables": event.get("extra_tables_credited") or ADDED.get(event["event"], 0),
        "pupils": "yes" if event["strata"][0].get("pct") == 20 else "no",
    }


def _paid(event: dict[str, Any]) -> dict[str, Fraction]:
    return {
        name + entry[0]: Fraction(str(entry[4]))
        for name, section in event["sections"].items()
        for entry in section["entries"]
    }


@pytest.mark.usefixtures("in_columns_too")
@pytest.mark.parametrize("number", range(43))
def test_a_game_is_paid_as_the_program_paid_it(number: int) -> None:
    event = [event for event in _events() if not _is_final(event)][number]
    paid = _paid(event)
    book = load("acbl-clubs-2017")
    awards = award_event(book, _lists(event), _given(event))
    assert {who: awards.amount(who) for who in paid} == paid


@pytest.mark.usefixtures("in_columns_too")
def test_the_overall_places_of_a_final_are_worth_what_was_paid() -> None:
    """A pair got more where its two session awards are more; the first never did."""
    finished = [event for event in _events() if _is_final(event) and event["session"] == [2, 2]]
    assert len(finished) == 2
    for event in finished:
        paid, places = _paid(event), _overall_places(event)
        given = {
            **_given(event),
            "sessions": 2,
            "entrants": len(paid),
            "ranked_overall": "yes",
        }
        standings = tuple(Standing(Entrant(who), place) for who, place in places.items())
        book = load("acbl-clubs-2017")
        overall = award_event(book, [Field(standings=standings)], given).lists[0]
        worth = {award.standing.entrant.id: award.amount for award in overall.schedule}
        assert all(worth[who] <= paid[who] for who in places)
        [first] = [who for who, place in places.items() if place == 1]
        assert worth[first] == paid[first]


def _overall_places(event: dict[str, Any]) -> dict[str, int]:
    return {
        name + entry[0]: entry[3][0][2]
        for name, section in event["sections"].items()
        for entry in section["entries"]
        if entry[3][0][2]
    }


@pytest.mark.usefixtures("in_columns_too")
def test_the_first_session_of_two_pays_its_sections() -> None:
    [event] = [event for event in _events() if event["session"] == [1, 2]]
    book = load("acbl-clubs-2017")
    awards = award_event(book, _lists(event), {**_given(event), "ranked_overall": "no"})
    in_sections = {
        award.standing.entrant.id: award.amount
        for one in awards.lists
        if one.field.section
        for award in one.schedule
    }
    assert in_sections == _paid(event)


def test_a_pair_that_is_not_eligible_sits_at_a_table_and_is_shown_with_nothing() -> None:
    """Six tables with three guests in each line: the others are paid as of six tables."""
    barred = {"1", "2", "3"}
    standings = tuple(
        Standing(
            Entrant(
                str(n), (Player(f"P{n}", facts={"eligible": "no"} if str(n) in barred else {}),)
            ),
            n,
            score=Fraction(70 - n),
        )
        for n in range(1, 7)
    )
    given, book = {"game": "club"}, load("acbl-clubs-2017")
    others = tuple(replace(s, entrant=replace(s.entrant, id=f"{s.entrant.id}E")) for s in standings)
    lines = [Field(standings=standings, line="NS"), Field(standings=others, line="EW")]
    awards = award_event(book, lines, given)
    alone = award_event(book, [replace(f, standings=f.standings[3:]) for f in lines], given)
    section = next(one for one in awards.lists if one.field.section)
    assert section.field.facts["tables"] == 6
    assert awards.amount("4") == 2 * alone.amount("4") > 0
    shown = {i.standing.entrant.id: i.refusal for one in awards.lists for i in one.schedule}
    assert {who for who, refusal in shown.items() if refusal} >= barred
