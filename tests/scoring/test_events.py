"""Whole events: the session rule, penalties, individuals, sections, bad input, movements."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import FileProblems, InputError
from honours.model import (
    Adjusted,
    Artificial,
    Assigned,
    Contract,
    Denomination,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Result,
    Seat,
    Session,
    Source,
)
from honours.scoring import Options, Scored, score
from honours.scoring.movement import Proposal, propose_winners
from honours.scoring.profiles import amend, profile
from honours.scoring.scorer import described
from honours.scoring.suspect import suspicions
from honours.scoring.why import explain
from tests.scoring.events import (
    AVERAGE,
    AVERAGE_MINUS,
    AVERAGE_PLUS,
    event,
    line,
    mitchell,
    ruled,
)


def points(scored: Scored) -> dict[str, Fraction]:
    return {tally.id: tally.points for tally in scored.tallies}


GOOD_SESSION = [
    *(line(b, "a", "w", 90) for b in (1, 2, 3)),
    *(line(b, "b", "x", 0) for b in (1, 2, 3)),
]


@pytest.mark.parametrize(
    ("ns", "ew", "expected"),
    [
        (AVERAGE_PLUS, AVERAGE_MINUS, (2, 0)),
        (AVERAGE_MINUS, AVERAGE_PLUS, (Fraction(4, 5), Fraction(6, 5))),
        (AVERAGE, AVERAGE, (1, 1)),
        (Artificial(Fraction(3, 5)), Artificial(Fraction(2, 5)), (Fraction(6, 5), Fraction(4, 5))),
    ],
)
def test_averages_follow_the_session(
    ns: Artificial, ew: Artificial, expected: tuple[Fraction, Fraction]
) -> None:
    """Pair a has 100% elsewhere and pair w nothing: above 60% for plus, below 40% for minus."""
    lines = [*GOOD_SESSION, ruled(4, "a", "w", Adjusted(ns, ew)), line(4, "b", "x", 0)]
    found = points(score(event(lines), options=Options(expected=2)))
    assert (found["a"] - 6, found["w"]) == expected


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
    found = points(score(replace(fined, sessions=(session,))))
    assert plain["N1"] - found["N1"] == 1
    assert plain["N2"] - found["N2"] == 1
    wrong = replace(session, penalties=(Penalty("N1", Fraction(1), "vps"),))
    with pytest.raises(InputError, match="scored in matchpoints"):
        score(replace(fined, sessions=(wrong,)))


def test_individuals_share_their_sides_score() -> None:
    lines = [
        Result(1, ("a", "b"), ("c", "d"), 50),
        Result(1, ("e", "f"), ("g", "h"), 0),
        Result(2, ("a", "c"), ("e", "g"), 50),
        Result(2, ("b", "d"), ("f", "h"), 0),
    ]
    scored = score(replace(event(lines), kind="individual"))
    assert points(scored) == dict(zip("abcdefgh", (4, 2, 2, 0, 0, 2, 2, 4), strict=True))
    assert scored.winners == 1


def test_sections_together_or_apart() -> None:
    lines = [
        replace(line(1, f"{s}N{t}", f"{s}E{t}", 10 * (t + (s == "A"))), section=s)
        for s in "AB"
        for t in range(3)
    ]
    together = score(event(lines))
    assert [len(board.lines) for board in together.boards] == [6]
    apart = score(event(lines), options=Options(sections_apart=True))
    assert [(board.section, len(board.lines)) for board in apart.boards] == [("A", 3), ("B", 3)]
    assert points(apart)["AN2"] == points(apart)["BN2"] == 4


def test_several_sessions() -> None:
    one = mitchell([[50, 60, 70], [50, 60, 70]])
    two = replace(one, sessions=(one.sessions[0], replace(one.sessions[0], number=2)))
    scored = score(two, options=Options(sessions_ranked=True))
    assert points(scored)["N1"] == 2 * points(score(one))["N1"]
    assert [r.session for r in scored.rankings] == ["", "", "1", "1", "2", "2"]


def test_late_and_unplayed_boards_count_for_nobody() -> None:
    lines = [*GOOD_SESSION[:5], line(3, "b", "x")]
    boards = {t.id: t.boards for t in score(event(lines)).tallies}
    assert boards == {"a": 3, "w": 3, "b": 2, "x": 2}


# --- winners ------------------------------------------------------------------------------------


def test_winners_from_who_met_whom() -> None:
    assert propose_winners(mitchell([[0, 10, 20], [0, 10, 20]])).winners == 2
    turned = event([line(1, "a", "b", 0), line(1, "c", "d", 0), line(2, "b", "c", 0)])
    proposal = propose_winners(turned)
    assert proposal.winners == 1
    assert "both directions" in proposal.reason
    assert propose_winners(replace(turned, kind="individual")).winners == 1


def test_why_there_are_as_many_winners() -> None:
    two = mitchell([[0, 10, 20], [0, 10, 20]])
    assert propose_winners(two) == Proposal(
        2, "every pair kept its direction, so the lines never compare"
    )
    assert propose_winners(replace(two, kind="teams")) == Proposal(
        1, "teams events have one ranking"
    )
    moved = event([line(1, "a", "b", 0), line(1, "c", "d", 0), line(2, "b", "c", 0),
                   line(2, "d", "a", 0)])  # fmt: skip
    assert propose_winners(moved).reason == ("4 of 4 pairs played in both directions (a, b, c …)")
    some = event([line(1, "a", "b", 0), line(1, "c", "d", 0), line(2, "b", "c", 0)])
    assert propose_winners(some).reason == "2 of 4 pairs played in both directions (b, c)"
    three = event([line(1, "a", "b", 0), line(2, "b", "a", 0), line(2, "c", "d", 0),
                   line(3, "e", "c", 0)])  # fmt: skip
    assert propose_winners(three).reason.endswith("(a, b, c)")


def test_how_an_event_was_scored_is_told() -> None:
    chosen = Options(sections_apart=True, strata=("A", "B"), minimum_boards=12, winners=1)
    assert described(profile("acbl"), chosen) == (
        "profile acbl, sections apart yes, winners 1, strata A/B, minimum boards 12"
    )
    assert described(profile("ebu"), Options()) == "profile ebu"


def test_the_winners_are_those_chosen_or_said_or_proposed() -> None:
    made = mitchell([[50, 60, 70], [50, 60, 70]])
    assert score(made).winners == 2
    assert score(replace(made, winners=1)).winners == 1
    assert score(replace(made, winners=1), options=Options(winners=2)).winners == 2
    assert score(replace(made, swiss=True)).winners == 1


def test_totals_are_printed_for_a_full_programme() -> None:
    """N1 has 1 of 2 on the one board it played: 2 of 4, and 1 on the scale of 1 for each."""
    made = event([line(1, "a", "x", 50), line(1, "b", "y", 50), line(2, "b", "x", 90),
                  line(2, "c", "y", 0)], winners=1)  # fmt: skip
    facts = {s.entrant.id: s.facts for s in score(made, "acbl").rankings[0].standings}
    assert (facts["a"]["printed_points"], facts["a"]["printed_score"]) == (
        Fraction(1), Fraction(50),
    )  # fmt: skip
    assert facts["b"]["printed_points"] == Fraction("1.5")
    more = score(made, "acbl", Options(programme=4)).rankings[0].standings
    assert {s.entrant.id: s.facts["printed_points"] for s in more}["b"] == 3
    third = amend(profile("acbl"), {"totals_unit": "0"})
    assert "printed_points" not in score(made, third).rankings[0].standings[0].facts


def test_several_sessions_keep_all_their_boards() -> None:
    one = mitchell([[50, 60, 70], [50, 60, 70]])
    two = replace(one, sessions=(one.sessions[0], replace(one.sessions[0], number=2)))
    assert [(b.session, b.number) for b in score(two).boards] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_a_penalty_for_one_who_has_not_played() -> None:
    made = mitchell([[50, 60, 70], [50, 60, 70]])
    absent = EventEntrant(Entrant("Z"))
    fine = (Penalty("Z", Fraction(1), "matchpoints"),)
    session = replace(made.sessions[0], penalties=fine)
    scored = score(replace(made, entrants=(*made.entrants, absent), sessions=(session,)))
    assert points(scored)["Z"] == -1


# --- bad input ----------------------------------------------------------------------------------


def at(number: int, result: Result) -> Result:
    return replace(result, source=Source("bad.csv", number))


def problems(results: list[Result]) -> list[tuple[int | None, str]]:
    with pytest.raises(FileProblems) as caught:
        score(event(results))
    return [(problem.line, problem.found) for problem in caught.value.problems]


def test_everything_wrong_is_told_at_once() -> None:
    impossible = Contract(8, Denomination.SPADES, Seat.NORTH)
    uneven = Assigned(((Fraction(1, 2), 50), (Fraction(1, 4), 0)))
    found = problems(
        [
            at(2, line(0, "a", "b", 50)),
            at(3, line(0, "c", "d", 50)),
            at(4, line(1, "a", "a", 50)),
            at(5, line(1, "c", "d", 37)),
            at(6, replace(line(1, "e", "f"), contract=impossible, tricks=14)),
            at(7, line(2, "a", "b", 50)),
            at(8, line(2, "a", "b", 60)),
            at(9, Result(3, ("a",), (), 50)),
            at(10, line(4, "a", "b", 50)),
            at(11, ruled(3, "c", "d", Adjusted(uneven, Artificial(Fraction(3, 2))))),
            at(12, replace(line(3, "e", "f"), contract=replace(impossible, level=4))),
            at(13, Result(3, ("",), ("g",), 50)),
        ]
    )
    assert found == [
        (2, "board 0: there is no board 0"),
        (3, "board 0: there is no board 0"),
        (4, "board 1: a plays against itself"),
        (5, "board 1: a score of 37"),
        (6, "board 1: a contract at level 8"),
        (6, "board 1: 14 tricks"),
        (8, "board 2: a against b again, as line 7 has"),
        (9, "board 3: nobody sits East-West"),
        (10, "board 4: nobody but a against b played it"),
        (11, "board 3: weights that add up to 3/4"),
        (11, "board 3: an artificial score of 150%"),
        (12, "board 3: a contract without its result"),
        (13, "board 3: nobody sits North-South"),
    ]


def test_each_problem_says_what_was_expected() -> None:
    uneven = Assigned(((Fraction(-1, 2), 50), (Fraction(3, 2), 0)))
    contract = Contract(0, Denomination.SPADES, Seat.NORTH)
    made = event(
        [
            at(2, replace(line(0, "a", "b", 5), contract=contract, tricks=-1)),
            at(3, ruled(1, "c", "d", Adjusted(uneven, Artificial(Fraction(-1, 2))))),
            at(4, line(1, "c", "d", 50)),
            at(5, replace(line(1, "e", "f"), contract=replace(contract, level=7))),
            at(6, Result(1, (), ("g",), 50)),
        ]
    )
    with pytest.raises(FileProblems) as caught:
        score(replace(made, source=Source("bad.csv")))
    assert [(p.line, p.expected) for p in caught.value.problems] == [
        (2, "1 or more"), (2, "1 to 7"), (2, "0 to 13"), (2, "a multiple of 10"),
        (2, "another result to compare with"),
        (3, "positive ones that add up to 1"), (3, "0 to 100%"), (4, "each meeting once"),
        (5, "tricks or a score"), (6, "two sides; a sit-out has no line"),
    ]  # fmt: skip


def test_a_line_that_was_not_read_from_a_file() -> None:
    lines = [line(1, "a", "b", 50), line(1, "a", "b", 60)]
    for title, path in (("Tuesday", "Tuesday"), ("", "the event")):
        with pytest.raises(FileProblems) as caught:
            score(replace(event(lines), title=title))
        assert [(p.path, p.line, p.found) for p in caught.value.problems] == [
            (path, None, "board 1: a against b again")
        ]


def test_a_score_without_tricks_and_a_ruling_need_no_result() -> None:
    contract = Contract(4, Denomination.SPADES, Seat.NORTH)
    lines = [
        replace(line(1, "a", "b", 420), contract=contract),
        replace(ruled(1, "c", "d", Adjusted(AVERAGE, AVERAGE)), contract=contract),
        replace(line(1, "e", "f"), contract=contract, tricks=13),
        replace(line(1, "g", "h"), contract=replace(contract, level=1), tricks=0),
        replace(line(1, "i", "j"), contract=replace(contract, level=7), tricks=13),
        replace(line(1, "k", "l"), passed_out=True),
    ]
    assert score(event(lines)).oddities == ()


def test_a_board_met_again_is_told_where_only_the_first_counts() -> None:
    lines = [line(1, "a", "b", 50), line(1, "c", "d", 50), at(9, line(1, "a", "d", 60))]
    told = score(event(lines), amend(profile("ebu"), {"repeated_board": "first"})).oddities
    assert [(o.text, o.source and o.source.line) for o in told] == [
        ("board 1: no contract scores 60 at this vulnerability", 9),
        ("a plays board 1 2 times: only the first counts for it", 9),
        ("d plays board 1 2 times: only the first counts for it", 9),
    ]


def test_a_seat_in_two_places_is_refused_even_where_a_board_may_be_met_twice() -> None:
    lines = [
        replace(line(board, ns, ew, 50), round=1, table=table)
        for board, ns, ew, table in (
            (1, "a", "b", 1), (1, "c", "d", 2), (2, "a", "d", 3), (2, "e", "f", 4),
        )
    ]  # fmt: skip
    with pytest.raises(FileProblems, match=r"^Tuesday: a is at tables 1 and 3 in round 1; "
                                           r"expected a possible movement"):  # fmt: skip
        score(event(lines), amend(profile("ebu"), {"repeated_board": "first"}))


def test_an_empty_event() -> None:
    assert problems([]) == [(None, "there are no results in it")]


def test_an_entrant_nobody_knows() -> None:
    known = mitchell([[50, 60], [0, 10]])
    session = Session(1, (*known.sessions[0].results, line(1, "zz", "E9", 50)))
    with pytest.raises(FileProblems, match="zz, who is not an entrant"):
        score(replace(known, sessions=(session,)))


def test_impossible_movements() -> None:
    def seat(number: int, board: int, ns: str, ew: str, table: int) -> Result:
        return at(number, replace(line(board, ns, ew, 50), round=1, table=table))

    found = problems([seat(2, 1, "a", "b", 1), seat(3, 1, "c", "d", 2), seat(4, 2, "a", "e", 3),
                      seat(5, 2, "f", "g", 4), seat(6, 1, "a", "d", 1)])  # fmt: skip
    told = "\n".join(text for _, text in found)
    assert "a is at tables 1 and 3 in round 1 (lines 2, 4)" in told
    assert "a plays board 1 2 times (lines 2, 6)" in told
    assert "d is at tables 2 and 1 in round 1 (lines 3, 6)" in told


def test_odd_scores_are_flagged_and_scored() -> None:
    odd = [line(1, "a", "b", 620), line(1, "c", "d", 10), line(1, "e", "f", 50)]
    contract = Contract(4, Denomination.SPADES, Seat.NORTH)
    wrong = replace(line(1, "g", "h", 450), contract=contract, tricks=10)
    texts = [oddity.text for oddity in score(event([*odd, wrong])).oddities]
    assert texts == [
        "board 1: no contract scores 620 at this vulnerability",
        "board 1: no contract scores 10 at this vulnerability",
        "board 1: scored 450, the contract gives 420",
    ]


# --- suspicion ------------------------------------------------------------------------------------


def rounds(*scores: int) -> Event:
    lines = (
        replace(line(1, f"N{n}", f"E{n}", points), round=n) for n, points in enumerate(scores, 1)
    )
    return event(lines)


@pytest.mark.parametrize(
    ("scores", "what"),
    [
        ((420, 420, 450, -50, -980, -1010), "from one round on"),
        ((420, 420, 450, -420, 420), "wrong direction"),
        ((420, -1400, 450, 420, 420), "far from the rest"),
    ],
)
def test_boards_that_look_wrong_are_proposed(scores: tuple[int, ...], what: str) -> None:
    (found,) = suspicions(rounds(*scores))
    assert what in str(found)


@pytest.mark.parametrize(
    ("scores", "text", "remedy"),
    [
        ((420, 420, 450, -50, -980, -1010),
         "board 1: perhaps fouled: from one round on the scores are far from the rest "
         "(NS N6, N5: -1010, -980)", "fouled 1 --pairs N6,N5"),
        ((420, 420, 450, -420, 420),
         "board 1: perhaps entered in the wrong direction (NS N4: -420)",
         "correct 1 --pair N4 --turned"),
        ((420, -1400, 450, 420, 420), "board 1: far from the rest (NS N2: -1400)", ""),
        ((-980, 450, 420, 420, -980),
         "board 1: perhaps fouled: scores far from the rest (NS N1, N5: -980, -980)",
         "fouled 1 --pairs N1,N5"),
        ((-980, 420, 420, 450),
         "board 1: perhaps fouled: scores far from the rest (NS N1: -980)", "fouled 1 --pairs N1"),
        ((420, 420, -980, -1010),
         "board 1: perhaps fouled: from one round on the scores are far from the rest "
         "(NS N4, N3: -1010, -980)", "fouled 1 --pairs N4,N3"),
        ((420, 0, 0, -700), "board 1: perhaps fouled: scores far from the rest (NS N4: -700)",
         "fouled 1 --pairs N4"),
        ((50, -700, 0, 0), "board 1: far from the rest (NS N2: -700)", ""),
    ],
)  # fmt: skip
def test_what_a_board_that_looks_wrong_may_be(
    scores: tuple[int, ...], text: str, remedy: str
) -> None:
    found = suspicions(rounds(*scores))
    assert [(str(f), f.remedy) for f in found] == [(text, remedy)]


@pytest.mark.parametrize(
    "scores", [(420, 450, -50, -50, 420), (1430, 680, 680, 1430), (50, -1400), (50, 0, 0, -690)]
)
def test_ordinary_boards_are_not(scores: tuple[int, ...]) -> None:
    assert suspicions(rounds(*scores)) == ()


def test_a_line_that_was_ruled_on_or_not_played_is_not_suspect() -> None:
    lines = [
        *rounds(420, 420, 450, 430).sessions[0].results,
        replace(ruled(1, "x", "y", Adjusted(AVERAGE, AVERAGE)), score=-1400, round=5),
        replace(line(1, "z", "w"), round=6),
    ]
    assert suspicions(event(lines)) == ()


# --- explanations ---------------------------------------------------------------------------------


def test_a_fouled_board_explained() -> None:
    lines = [line(1, f"N{t}", f"E{t}", 10 * t, "" if t < 7 else "b") for t in range(10)]
    (board,) = explain(score(event(lines)), "board 1")
    best = next(step for step in board.uses if step.name == "board 1, NS N6")
    assert (best.shown, best.working) == ("17.6", "(12 × 10 + (10 − 7)) ÷ 7")
    assert best.citation is not None
    assert "EBU" in best.citation.clause
    assert {step.name for step in best.uses} >= {"version", "scores_beaten", "obtained", "expected"}


def test_a_total_explained() -> None:
    scored = score(mitchell([[50, 60, 70], [50, 60, 70]]))
    (total,) = explain(scored, "pair N3")
    assert (total.shown, total.working) == ("100.00", "100 × 8 ÷ 8")
    (session,) = total.uses
    assert [(board.name, board.shown, board.about) for board in session.uses] == [
        ("board 1", "4", "of 4, NS against E2"),
        ("board 2", "4", "of 4, NS against E1"),
    ]
