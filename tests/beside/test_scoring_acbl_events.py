"""Every percentage that 47 ACBLscore events publish."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from honours.model import Event
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.standings import shown_score
from tests.beside.acbl import Row, event_of, pair_rows, result_rows

RESULTS, PAIRS = result_rows(), pair_rows()
APART = ScoringOptions(sections_apart=True, rank_sections_apart=True)


def programme(pairs: list[Row]) -> int:
    """The points of a full programme, which totals are brought to before they are rounded:
    what the printed score is a hundred per cent of."""
    estimates = [
        Fraction(row["score_session"]) * 100 / Fraction(row["percentage"]) for row in pairs
    ]
    return round(sum(estimates) / len(estimates))


@cache
def scored(name: str) -> ScoredEvent:
    event = event_of(name, RESULTS[name], PAIRS[name])
    options = ScoringOptions(
        sections_apart=True, rank_sections_apart=True, programme=programme(PAIRS[name])
    )
    return score(event, "acbl", options)


def test_the_tables_are_whole() -> None:
    assert sum(map(len, RESULTS.values())) == 12392
    assert len(RESULTS) == 47
    assert sum(map(len, PAIRS.values())) == 1000


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_every_percentage(name: str) -> None:
    made = scored(name)
    ours = {s.entrant.id: s for ranking in made.rankings for s in ranking.standings}
    for row in PAIRS[name]:
        standing = ours[f"{row['section']}-{row['pair']}"]
        assert Fraction(shown_score(standing)) == Fraction(row["percentage"]), row
        assert standing.facts["printed_points"] == Fraction(row["score_session"]), row
        assert standing.facts["boards_played"] == int(row["boards"]), row
    assert len(ours) == len(PAIRS[name])


def test_what_a_full_programme_is() -> None:
    """The most any pair of the event could get, in whichever comparison; the one event with
    another figure lacks a section here."""
    other = []
    for name, pairs in PAIRS.items():
        made = score(event_of(name, RESULTS[name], pairs), "acbl", APART)
        if max(tally.possible for tally in made.tallies) != programme(pairs):
            other.append(name)
    assert len(other) == 1
    assert {row["section"] for row in PAIRS[other[0]]} == {"B"}


def test_the_board_that_was_met_twice() -> None:
    """One event has lines whose pairs had met the board before: they are compared with the
    field, and count for nobody who meets them again."""
    events: list[Event] = [event_of(name, RESULTS[name], PAIRS[name]) for name in RESULTS]
    odd = {e.title: score(e, "acbl", APART).oddities for e in events}
    twice = {
        name: [o for o in oddities if "only the first" in o.text] for name, oddities in odd.items()
    }
    assert {name: len(oddities) for name, oddities in twice.items() if oddities} == {"E002": 6}


def test_the_score_nobody_could_be_compared_with() -> None:
    """A single score beside an adjusted one is 60% to both sides."""
    lone = [
        (name, board.number, [side.points / side.top for _, _, side in line.shares()])
        for name in RESULTS
        for board in scored(name).boards
        for line in board.lines
        if line.ns and line.ns.how == "lone score"
    ]
    assert [shares for _, _, shares in lone] == [[Fraction(3, 5), Fraction(3, 5)]]
