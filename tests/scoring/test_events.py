"""Whole events: the session rule, penalties, individuals, sections, winners, and why."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import InputError
from honours.model import (
    AdjustedScore,
    Entrant,
    EventEntrant,
    Penalty,
)
from honours.model.message import Message
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.movement import WinnersProposal, propose_winners
from honours.scoring.profiles import profile
from honours.scoring.scorer import described
from honours.scoring.switches import amend
from honours.scoring.why import explain
from tests.scoring.events import (
    AVERAGE_MINUS,
    AVERAGE_PLUS,
    event,
    line,
    mitchell,
    ruled,
)


def points(scored: ScoredEvent) -> dict[str, Fraction]:
    return {tally.id: tally.points for tally in scored.tallies}


GOOD_SESSION = [
    *(line(b, "a", "w", 90) for b in (1, 2, 3)),
    *(line(b, "b", "x", 0) for b in (1, 2, 3)),
]


def test_penalties_in_points_and_in_parts_of_a_top() -> None:
    plain = points(score(mitchell([[50, 60, 70], [50, 60, 70]])))
    fined = mitchell([[50, 60, 70], [50, 60, 70]])
    session = replace(
        fined.sessions[0],
        penalties=(
            Penalty("N1", Fraction(1), "matchpoints"),
            Penalty("N2", Fraction(25), "percent"),
        ),
    )
    got = points(score(replace(fined, sessions=(session,))))
    assert plain["N1"] - got["N1"] == 1
    assert plain["N2"] - got["N2"] == 1
    wrong = replace(session, penalties=(Penalty("N1", Fraction(1), "vps"),))
    with pytest.raises(InputError) as error:
        score(replace(fined, sessions=(wrong,)))
    assert str(error.value) == (
        "a penalty of 1 vps for N1: this event is scored in matchpoints; expected matchpoints or "
        "percent"
    )


# --- winners ------------------------------------------------------------------------------------


def test_why_there_are_as_many_winners() -> None:
    two = mitchell([[0, 10, 20], [0, 10, 20]])
    assert propose_winners(two) == WinnersProposal(
        2, Message("every pair kept its direction, so the lines never compare")
    )
    assert propose_winners(replace(two, kind="teams")) == WinnersProposal(
        1, Message("teams events have one ranking")
    )
    moved = event(
        [line(1, "a", "b", 0), line(1, "c", "d", 0), line(2, "b", "c", 0), line(2, "d", "a", 0)]
    )
    assert propose_winners(moved).reason == ("4 of 4 pairs played in both directions (a, b, c …)")
    some = event([line(1, "a", "b", 0), line(1, "c", "d", 0), line(2, "b", "c", 0)])
    assert propose_winners(some).reason == "2 of 4 pairs played in both directions (b, c)"
    three = event(
        [line(1, "a", "b", 0), line(2, "b", "a", 0), line(2, "c", "d", 0), line(3, "e", "c", 0)]
    )
    assert propose_winners(three).reason.endswith("(a, b, c)")


def test_how_an_event_was_scored_is_told() -> None:
    chosen = ScoringOptions(sections_apart=True, strata=("A", "B"), minimum_boards=12, winners=1)
    assert described(profile("acbl"), chosen) == (
        "profile acbl, sections apart yes, winners 1, strata A/B, minimum boards 12"
    )
    assert described(profile("ebu"), ScoringOptions()) == "profile ebu"


def test_the_winners_are_those_chosen_or_said_or_proposed() -> None:
    made = mitchell([[50, 60, 70], [50, 60, 70]])
    assert score(made).winners == 2
    assert score(replace(made, winners=1)).winners == 1
    assert score(replace(made, winners=1), options=ScoringOptions(winners=2)).winners == 2
    assert score(replace(made, swiss=True)).winners == 1


def test_totals_are_printed_for_a_full_programme() -> None:
    """N1 has 1 of 2 on the one board it played: 2 of 4, and 1 on the scale of 1 for each."""
    made = event(
        [line(1, "a", "x", 50), line(1, "b", "y", 50), line(2, "b", "x", 90), line(2, "c", "y", 0)],
        winners=1,
    )
    facts = {s.entrant.id: s.facts for s in score(made, "acbl").rankings[0].standings}
    assert (facts["a"]["printed_points"], facts["a"]["printed_score"]) == (
        Fraction(1),
        Fraction(50),
    )
    assert facts["b"]["printed_points"] == Fraction("1.5")
    more = score(made, "acbl", ScoringOptions(programme=4)).rankings[0].standings
    assert {s.entrant.id: s.facts["printed_points"] for s in more}["b"] == 3
    third = amend(profile("acbl"), {"totals_unit": "0"})
    assert "printed_points" not in score(made, third).rankings[0].standings[0].facts


def test_an_unplayed_board_makes_no_hundred_per_cent_larger() -> None:
    """Where percentages are averaged the programme is a hundred, and carry-over is added whole."""
    made = mitchell([[50, 60], [50, 60]])
    unplayed = replace(made.sessions[0].results[-1], score=None)
    results = (*made.sessions[0].results[:-1], unplayed)
    brought = tuple(replace(e, carried=Fraction(10)) for e in made.entrants)
    one = replace(made, entrants=brought, sessions=(replace(made.sessions[0], results=results),))
    scored = score(one, "acbl", ScoringOptions(mean_of_sessions=True))
    without = score(
        replace(one, entrants=made.entrants), "acbl", ScoringOptions(mean_of_sessions=True)
    )
    before = {tally.id: tally.points for tally in without.tallies}
    assert {t.id: t.points - before[t.id] for t in scored.tallies} == dict.fromkeys(before, 10)
    for standing in scored.rankings[0].standings:
        assert standing.facts["printed_points"] == standing.facts["printed_score"]


def test_a_penalty_for_one_who_has_not_played() -> None:
    made = mitchell([[50, 60, 70], [50, 60, 70]])
    absent = EventEntrant(Entrant("Z"))
    fine = (Penalty("Z", Fraction(1), "matchpoints"),)
    session = replace(made.sessions[0], penalties=fine)
    fined = replace(made, entrants=(*made.entrants, absent), sessions=(session,))
    scored = score(fined)
    assert points(scored)["Z"] == -1
    assert [e.line for e in scored.event.entrants if e.entrant.id in ("N1", "E1", "Z")] == [
        "NS",
        "EW",
        "",
    ]
    printed = score(fined, "acbl", ScoringOptions(winners=1)).rankings[0].standings
    assert [s.entrant.id for s in printed if "printed_points" not in s.facts] == ["Z"]


# --- explanations ---------------------------------------------------------------------------------


def test_sections_may_be_compared_some_with_some() -> None:
    """A and B meet one field, C another: as the organiser says, or as the file does."""
    lines = [
        replace(line(board, f"{s}N{t}", f"{s}E{t}", 10 * t), section=s)
        for board in (1, 2)
        for s in "ABC"
        for t in range(2)
    ]
    boards = score(event(lines), options=ScoringOptions(compared="A+B, C")).boards
    assert {(b.section, len(b.lines)) for b in boards} == {("A+B", 4), ("C", 2)}
    stated = replace(event(lines), facts={"compared": "A+B, C"})
    assert score(stated).boards == boards
    with pytest.raises(InputError, match="'D' is named twice or is no section"):
        score(stated, options=ScoringOptions(compared="A+B,D"))


def test_average_minus_of_acblscore_is_flat_unless_the_law_is_asked_for() -> None:
    """One published line says so, against Law 12C2; the switch puts the law back."""
    lines = [
        *GOOD_SESSION,
        ruled(4, "a", "w", AdjustedScore(AVERAGE_PLUS, AVERAGE_MINUS)),
        line(4, "b", "x", 0),
    ]
    flat = points(score(event(lines), "acbl", ScoringOptions(expected=2)))
    assert flat["w"] == Fraction(2, 5)
    assert flat["a"] == 4
    lawful = amend(profile("acbl"), {"flat_average_minus": "false"})
    assert points(score(event(lines), lawful, ScoringOptions(expected=2)))["w"] == 0


def test_a_flat_average_minus_is_marked_as_against_the_law() -> None:
    lines = [
        *GOOD_SESSION,
        ruled(4, "a", "w", AdjustedScore(AVERAGE_PLUS, AVERAGE_MINUS)),
        line(4, "b", "x", 0),
    ]
    marked = score(event(lines), "acbl", ScoringOptions(expected=2))
    (odd,) = [str(one) for one in marked.oddities if "average minus" in str(one)]
    assert "(boards 4) stays 40%" in odd
    assert "Law 12C2" in odd
    (board,) = explain(marked, "board 4")
    clauses = {step.name: step.citation and step.citation.clause for step in board.uses}
    assert clauses["board 4, NS a"] == "Laws of Duplicate Bridge, Law 12C2"
    assert str(clauses["board 4, EW w"]).startswith("ACBLscore, one published line")
    lawful = amend(profile("acbl"), {"flat_average_minus": "false"})
    assert not [one for one in score(event(lines), lawful).oddities if "average minus" in str(one)]
