"""Figures that part a tie: on the boards or in the matches where those who tie met."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from honours.errors import MissingInput, UnknownName
from honours.model import Entrant, Event, EventEntrant, Match, Result, Session
from honours.scoring import ScoringOptions, score
from honours.scoring.award_lists import award_lists
from honours.scoring.matches import MatchRules
from honours.scoring.scorer import above_average, break_ties, head_to_head, tops
from tests.scoring.events import event, line, mitchell

HOWELL = event(
    [
        line(1, "a", "b", 50),
        line(1, "c", "d", 0),
        line(2, "a", "d", 0),
        line(2, "c", "b", -50),
        line(3, "d", "b", 50),
        line(3, "a", "c", 0),
        Result(4, ("a",), ("b",)),
    ]
)


def test_head_to_head_is_what_was_won_from_each_other() -> None:
    """Board 1: a has 2 of 2 against b's 0; board 3: d has 2 against b's 0."""
    scored = score(HOWELL)
    assert head_to_head(scored, "a", ["a", "b"]) == 2
    assert head_to_head(scored, "b", ["a", "b"]) == -2
    assert head_to_head(scored, "b", ["a", "b", "d"]) == -4
    assert head_to_head(scored, "a", ["a"]) == 0


def test_who_did_not_meet_all_the_others_has_nothing() -> None:
    scored = score(mitchell([[50, 60, 70], [50, 60, 70]]))
    assert head_to_head(scored, "N3", ["N3", "E2"]) == 4
    assert head_to_head(scored, "N3", ["N3", "E2", "N1"]) == 0
    assert head_to_head(scored, "N3", ["N3", "N1"]) == 0


def test_tops_and_boards_above_average() -> None:
    scored = score(mitchell([[50, 60, 70], [50, 50, -70], [0, 0, 0]]))
    assert [tops(scored, f"N{n}", ()) for n in (1, 2, 3)] == [0, 0, 1]
    assert [above_average(scored, f"N{n}", ()) for n in (1, 2, 3)] == [1, 1, 1]
    assert tops(scored, "E1", ()) + tops(scored, "E2", ()) + tops(scored, "E3", ()) == 2
    small = score(mitchell([[50, 60]]), "acbl")
    assert [tops(small, who, ()) for who in ("N1", "N2")] == [0, 1]
    in_imps = score(replace(HOWELL, scoring="cross-imps"))
    assert [tops(in_imps, who, ()) for who in "abcd"] == [0, 0, 0, 0]


def test_a_tie_break_parts_only_those_who_tie() -> None:
    """a and d have two thirds, b and c one; a won 2 from d, and b from c, on board 2."""
    scored = score(HOWELL)
    broken = {t.id: t.tie_break for t in break_ties(scored, scored.tallies, "head-to-head")}
    assert {id: int(figure) for id, (figure,) in broken.items()} == {
        "a": 2,
        "d": -2,
        "b": 2,
        "c": -2,
    }
    assert break_ties(scored, scored.tallies, "") == scored.tallies
    with pytest.raises(UnknownName) as error:
        break_ties(scored, scored.tallies, "coin")
    assert str(error.value) == (
        "unknown tie-break 'coin'. Known: head-to-head, margin, tops, above-average"
    )


def teams(*matches: Match) -> Event:
    entrants = tuple(EventEntrant(Entrant(id)) for id in "ABC")
    return Event("teams", "teams", "imps", entrants, (Session(1, (), matches),))


def imps(round: int, pair: str, home: int, away: int) -> Match:
    return Match(round, pair[0], pair[1], Fraction(home), Fraction(away), boards=8)


def test_in_matches_the_imps_between_those_who_tie_count() -> None:
    made = teams(imps(1, "AB", 30, 20), imps(2, "BA", 5, 1), imps(3, "AC", 50, 0))
    scored = score(made)
    assert head_to_head(scored, "A", ["A", "B"]) == 10 - 4
    assert head_to_head(scored, "B", ["A", "B"]) == -6
    assert head_to_head(scored, "C", ["A", "C"]) == -50
    assert head_to_head(scored, "B", ["B", "C"]) == 0
    assert head_to_head(scored, "A", ["A", "B", "C"]) == 56
    assert head_to_head(scored, "B", ["A", "B", "C"]) == 0


def test_a_margin_that_a_file_does_not_tell_is_asked_for() -> None:
    given = Match(1, "A", "B", home_vps=Fraction(12), away_vps=Fraction(8), boards=8)
    with pytest.raises(MissingInput) as error:
        score(teams(given), options=ScoringOptions(tie_break="margin"))
    assert str(error.value) == (
        "missing 'margin' (of every match of A), needed for the tie-break by margin"
    )


def test_all_matches_together_make_the_margin() -> None:
    rules = MatchRules(scale=None)
    made = teams(imps(1, "AB", 30, 20), imps(2, "BC", 25, 15), imps(3, "CA", 10, 0))
    (ranking,) = score(made, options=ScoringOptions(matches=rules, tie_break="margin")).rankings
    assert {s.facts["tie_break_place"] for s in ranking.standings} == {1}
    other = teams(imps(1, "AB", 30, 20), imps(2, "BC", 25, 5))
    (ranking,) = score(other, options=ScoringOptions(tie_break="margin")).rankings
    assert [s.facts["margin"] for s in sorted(ranking.standings, key=lambda s: s.entrant.id)] == [
        10,
        10,
        -20,
    ]


def test_without_matches_no_margin_parts_a_tie() -> None:
    (ranking,) = score(HOWELL, options=ScoringOptions(winners=1, tie_break="margin")).rankings
    assert all(s.facts["tie_break_tied"] == s.tied for s in ranking.standings)
    assert ranking.tie_break == "margin"


# --- the lists a rulebook is given ----------------------------------------------------------------


def stratified() -> Event:
    made = mitchell([[50, 60, 70], [50, 60, 70]])
    entrants = tuple(
        replace(e, stratum="A" if e.entrant.id in ("N1", "E1") else "B", handicap=Fraction(50))
        for e in made.entrants
    )
    return replace(made, entrants=entrants, date=date(2026, 1, 31))


def test_a_rulebook_gets_whole_lists_without_handicap() -> None:
    scored = score(stratified(), options=ScoringOptions(handicap=True))
    assert len(scored.rankings) == 8
    ns, ew = award_lists(scored)
    assert (ns.line, ns.stratum, ew.line) == ("NS", "", "EW")
    shown = {"kind": "pairs", "winners": "2", "sessions": 1, "boards": 2, "date": "2026-01-31"}
    assert {name: ns.facts[name] for name in shown} == shown
    assert [(s.entrant.id, s.place, s.facts["stratum"]) for s in ns.standings] == [
        ("N3", 1, "B"),
        ("N2", 2, "B"),
        ("N1", 3, "A"),
    ]
    assert [s.score for s in ns.standings] == [100, 50, 0]


def test_where_nobody_is_in_the_highest_stratum_there_is_still_one_list() -> None:
    made = stratified()
    low = tuple(replace(e, stratum="B") for e in made.entrants)
    scored = score(
        replace(made, entrants=low), options=ScoringOptions(winners=1, strata=("A", "B"))
    )
    assert [ranking.stratum for ranking in scored.rankings] == ["A", "B"]
    (whole,) = award_lists(scored)
    assert (whole.stratum, len(whole.standings)) == ("", 6)


def test_who_played_too_few_boards_is_in_the_list_of_everybody() -> None:
    made = stratified()
    short = replace(made.sessions[0], results=made.sessions[0].results[:-1])
    scored = score(
        replace(made, sessions=(short,)), options=ScoringOptions(winners=1, minimum_boards=2)
    )
    (whole,) = award_lists(scored)
    assert len(whole.standings) == 6


def test_an_event_that_nobody_played_has_no_list() -> None:
    nobody = event([Result(1, ("a",), ("b",)), Result(1, ("c",), ("d",))])
    assert award_lists(score(nobody)) == ()


def test_sessions_come_after_the_event_and_nobody_needs_a_stratum() -> None:
    one = mitchell([[50, 60, 70], [50, 60, 70]])
    two = replace(one, sessions=(one.sessions[0], replace(one.sessions[0], number=2)))
    lists = award_lists(score(two, options=ScoringOptions(sessions_ranked=True)))
    sessions = [(line, session) for session in ("", "1", "2") for line in ("NS", "EW")]
    assert [(f.line, f.session) for f in lists] == sessions
    assert [f.facts["boards"] for f in lists] == [4, 4, 2, 2, 2, 2]
    assert "date" not in lists[0].facts
    assert [lists[0].facts[name] for name in ("sessions", "boards")] == [2, 4]
    assert all("stratum" not in s.facts for s in lists[0].standings)
