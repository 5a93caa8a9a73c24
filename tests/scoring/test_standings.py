"""Ranking lists: ties, lines, sections, strata, handicaps, thresholds, sessions, tie-breaks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import InputError, UnknownName
from honours.model import Entrant, EventEntrant, Standing
from honours.scoring import ScoringOptions, score
from honours.scoring.standings import (
    Ranking,
    RankingRules,
    Tally,
    as_field,
    combine,
    rank_event,
    shown_place,
    shown_score,
    strata_of,
)
from tests.scoring.events import event, line


def tally(
    name: str,
    points: int | str,
    *,
    line: str = "",
    section: str = "",
    stratum: str = "",
    handicap: int = 0,
    boards: int = 20,
    carried: int = 0,
) -> Tally:
    entrant = EventEntrant(
        Entrant(name), name, line, section, stratum, Fraction(handicap), Fraction(carried)
    )
    return Tally(entrant, Fraction(points), Fraction(100), boards)


def shown(ranking: Ranking) -> list[tuple[str, str]]:
    return [(s.entrant.id, shown_place(s)) for s in (*ranking.standings, *ranking.unranked)]


def test_two_decimals_outside_exact_inside() -> None:
    a = Tally(EventEntrant(Entrant("a")), Fraction(200001), Fraction(400000))
    b = Tally(EventEntrant(Entrant("b")), Fraction(1), Fraction(2))
    (ranking,) = rank_event([b, a], RankingRules())
    assert shown(ranking) == [("a", "1"), ("b", "2")]
    assert [shown_score(s) for s in ranking.standings] == ["50.00", "50.00"]


def test_a_tie_break_is_shown_and_awards_do_not_see_it() -> None:
    """Two pairs tie; one won the board they met on."""
    lines = [
        *(line(1, "a", "b", 50), line(1, "c", "d", 0)),
        *(line(2, "a", "d", 0), line(2, "c", "b", -50)),
        *(line(3, "d", "b", 50), line(3, "a", "c", 0)),
    ]
    (ranking,) = score(event(lines), options=ScoringOptions(tie_break="head-to-head")).rankings
    tied = [s for s in ranking.standings if s.tied > 1]
    assert tied
    for standing in ranking.standings:
        assert as_field(ranking, {}).standings[0].place == 1
        assert standing.tied == sum(s.score == standing.score for s in ranking.standings)
    with pytest.raises(UnknownName, match="tie-break"):
        score(event(lines), options=ScoringOptions(tie_break="coin"))


@pytest.mark.parametrize("name", ["tops", "above-average"])
def test_tie_breaks_by_boards(name: str) -> None:
    """The same total from a top and a bottom, or from two averages."""
    lines = [
        *(line(1, "a", "w", 90), line(1, "b", "x", 50), line(1, "c", "y", 0)),
        *(line(2, "a", "x", -90), line(2, "b", "y", -50), line(2, "c", "w", 0)),
    ]
    lists = score(event(lines), options=ScoringOptions(tie_break=name)).rankings
    places = {s.entrant.id: s.facts["tie_break_place"] for s in lists[0].standings}
    assert places["a"] == places["c"] == 1
    assert places["b"] == 3
    assert {s.place for s in lists[0].standings} == {1}


def test_strata_are_in_the_order_of_their_names_or_numbers() -> None:
    assert strata_of([tally(s, 1, stratum=s) for s in ("B", "A", "", "C")]) == ("A", "B", "C")
    assert strata_of([tally(s, 1, stratum=s) for s in ("10", "B", "2")]) == ("B", "2", "10")


def test_strata_that_nobody_is_in() -> None:
    with pytest.raises(InputError, match=r"^nobody is in any of the strata X, Y$"):
        rank_event([tally("a", 1, stratum="A")], RankingRules(strata=("X", "Y")))
    lists = rank_event(
        [tally("a", 2, stratum="A"), tally("b", 1, stratum="B"), tally("c", 3)],
        RankingRules(strata=("A", "B")),
    )
    assert [(r.stratum, [s.entrant.id for s in r.standings]) for r in lists] == [
        ("A", ["c", "a", "b"]),
        ("B", ["b"]),
    ]


def test_who_played_too_few_boards_is_last_in_the_field() -> None:
    few = [tally("a", 90, boards=2), tally("b", 50), tally("c", 40), tally("d", 80, boards=3)]
    (ranking,) = rank_event(few, RankingRules(minimum_boards=10, session="2"))
    assert shown(ranking) == [("b", "1"), ("c", "2"), ("a", ""), ("d", "")]
    assert [s.tied for s in ranking.unranked] == [1, 1]
    assert ranking.standings[0].facts == {"boards_played": 20, "points": 50, "possible": 100}
    field = as_field(ranking, {"kind": "pairs"})
    assert [(s.entrant.id, s.place, s.tied) for s in field.standings] == [
        ("b", 1, 1),
        ("c", 2, 1),
        ("a", 3, 2),
        ("d", 3, 2),
    ]
    assert (field.facts, field.session, field.line) == ({"kind": "pairs"}, "2", "")


def test_who_has_no_score_is_shown_without_one() -> None:
    assert shown_score(Standing(Entrant("a"), 1, 1, None, {})) == ""


def test_what_is_printed_above_a_list() -> None:
    full = Ranking((), (), "NS", "A", "B", "2", handicapped=True)
    assert full.title == "session 2, section A, NS, stratum B, with handicap"
    assert Ranking(()).title == ""
    assert Ranking((), line="EW").title == "EW"


def test_a_tie_that_a_tie_break_parts_in_part() -> None:
    tied = [
        replace(tally(n, 50), tie_break=(Fraction(b),))
        for n, b in zip("abc", (1, 2, 1), strict=True)
    ]
    (ranking,) = rank_event(tied, RankingRules(tie_break="tops"))
    assert shown(ranking) == [("b", "1"), ("a", "2="), ("c", "2=")]
    assert {(s.place, s.tied) for s in ranking.standings} == {(1, 3)}


def test_sessions_are_added_up_with_their_facts() -> None:
    one = replace(
        tally("a", 10),
        tie_break=(Fraction(1), Fraction(2)),
        facts={"won": Fraction(1), "margin": "not known"},
    )
    more = {"won": Fraction(2), "margin": Fraction(5), "byes": Fraction(1)}
    two = replace(one, tie_break=(Fraction(3), Fraction(4)), facts=more)
    (both,) = combine([[one], [two]])
    assert list(both.tie_break) == [4, 6]
    assert both.facts == {"won": 3, "margin": "not known", "byes": 1}
    (turned,) = combine([[two], [one]])
    assert turned.facts == {"won": 3, "margin": "not known", "byes": 1}
