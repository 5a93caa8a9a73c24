"""Events that cannot be scored, and lines that look wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import FileProblems
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Denomination,
    Event,
    Result,
    Seat,
    Source,
)
from honours.scoring import score
from honours.scoring.checks import suspicions
from honours.scoring.profiles import profile
from honours.scoring.switches import amend
from tests.scoring.events import (
    AVERAGE,
    event,
    line,
    ruled,
    weighted,
)
from tests.support import cases

# --- bad input ----------------------------------------------------------------------------------


def at(number: int, result: Result) -> Result:
    return replace(result, source=Source("bad.csv", number))


def problems(results: list[Result]) -> list[tuple[int | None, str]]:
    with pytest.raises(FileProblems) as caught:
        score(event(results))
    return [(problem.line, problem.found) for problem in caught.value.problems]


def test_everything_wrong_is_told_at_once() -> None:
    impossible = Contract(8, Denomination.SPADES, Seat.NORTH)
    uneven = AssignedScore(((Fraction(1, 2), 50), (Fraction(1, 4), 0)))
    wrong = problems(
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
            at(11, ruled(3, "c", "d", AdjustedScore(uneven, ArtificialScore(Fraction(3, 2))))),
            at(12, replace(line(3, "e", "f"), contract=replace(impossible, level=4))),
            at(13, Result(3, ("",), ("g",), 50)),
        ]
    )
    assert wrong == [
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
    uneven = AssignedScore(((Fraction(-1, 2), 50), (Fraction(3, 2), 0)))
    contract = Contract(0, Denomination.SPADES, Seat.NORTH)
    made = event(
        [
            at(2, replace(line(0, "a", "b", 5), contract=contract, tricks=-1)),
            at(3, ruled(1, "c", "d", AdjustedScore(uneven, ArtificialScore(Fraction(-1, 2))))),
            at(4, line(1, "c", "d", 50)),
            at(5, replace(line(1, "e", "f"), contract=replace(contract, level=7))),
            at(6, Result(1, (), ("g",), 50)),
            at(7, line(1, "h", "h", 50)),
            at(8, line(1, "i", "j", 50)),
        ]
    )
    made = replace(made, entrants=made.entrants[:-1])
    with pytest.raises(FileProblems) as caught:
        score(replace(made, source=Source("bad.csv")))
    assert {str(p.path) for p in caught.value.problems} == {"bad.csv"}
    assert [(p.line, p.expected) for p in caught.value.problems] == [
        (2, "1 or more"),
        (2, "1 to 7"),
        (2, "0 to 13"),
        (2, "a multiple of 10"),
        (2, "another result to compare with"),
        (3, "positive ones that add up to 1"),
        (3, "0 to 100%"),
        (4, "each meeting once"),
        (5, "tricks or a score"),
        (6, "two sides; a sit-out has no line"),
        (7, "two different entrants"),
        (8, "an entrant of the event"),
    ]


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
        replace(ruled(1, "c", "d", AdjustedScore(AVERAGE, AVERAGE)), contract=contract),
        replace(line(1, "e", "f"), contract=contract, tricks=13),
        replace(line(1, "g", "h"), contract=replace(contract, level=1), tricks=0),
        replace(line(1, "i", "j"), contract=replace(contract, level=7), tricks=13),
        replace(line(1, "k", "l"), passed_out=True),
    ]
    assert score(event(lines)).oddities == ()


def test_an_artificial_score_may_be_anything_from_nothing_to_all() -> None:
    ends = AdjustedScore(ArtificialScore(Fraction(0)), ArtificialScore(Fraction(1)))
    (board,) = score(event([ruled(1, "a", "b", ends), line(1, "c", "d", 50)])).boards
    assert [side.points for _, _, side in board.lines[0].shares()] == [0, 2]


def test_a_weight_of_nothing_is_none() -> None:
    empty = weighted(("1", 50), ("0", 420))
    assert problems([at(2, ruled(1, "a", "b", empty)), line(1, "c", "d", 50)]) == [
        (2, "board 1: weights that add up to 1")
    ]


def test_individuals_are_named_on_both_sides() -> None:
    again = Result(1, ("a", "b"), ("c", "d"), 50)
    made = replace(event([again, again]), kind="individual")
    with pytest.raises(FileProblems, match=r"board 1: a\+b against c\+d again"):
        score(made)


def test_a_board_met_again_is_told_where_only_the_first_counts() -> None:
    lines = [line(1, "a", "b", 50), line(1, "c", "d", 50), at(9, line(1, "a", "d", 60))]
    oddities = score(event(lines), amend(profile("ebu"), {"repeated_board": "first"})).oddities
    assert [(o.text, o.source and o.source.line) for o in oddities] == [
        ("board 1: no contract scores 60 at this vulnerability", 9),
        ("a plays board 1 2 times: only the first counts for it", 9),
        ("d plays board 1 2 times: only the first counts for it", 9),
    ]
    assert (
        str(oddities[1])
        == f"{oddities[1].source}: a plays board 1 2 times: only the first counts for it"
    )
    assert str(replace(oddities[1], source=None)) == oddities[1].text


def test_a_seat_in_two_places_is_refused_even_where_a_board_may_be_met_twice() -> None:
    lines = [
        replace(line(board, ns, ew, 50), round=1, table=table)
        for board, ns, ew, table in (
            (1, "a", "b", 1),
            (1, "c", "d", 2),
            (2, "a", "d", 3),
            (2, "e", "f", 4),
        )
    ]
    with pytest.raises(
        FileProblems,
        match=r"^Tuesday: a is at tables 1, 3 in round 1; "
        r"expected a possible movement",
    ):
        score(event(lines), amend(profile("ebu"), {"repeated_board": "first"}))


def test_an_empty_event() -> None:
    assert problems([]) == [(None, "there are no results in it")]
    with pytest.raises(FileProblems, match=r"no results in it; expected at least one board$"):
        score(event([]))


def test_where_nobody_sits_at_all_nothing_else_is_said_of_the_seats() -> None:
    made = event([at(2, Result(1, ("",), ("",), 50)), at(3, line(1, "a", "b", 50))])
    with pytest.raises(FileProblems) as caught:
        score(replace(made, entrants=made.entrants[1:]))
    assert [problem.found for problem in caught.value.problems] == [
        "board 1: nobody sits North-South",
        "board 1: nobody sits East-West",
    ]


def test_impossible_movements() -> None:
    def seat(number: int, board: int, ns: str, ew: str, table: int) -> Result:
        return at(number, replace(line(board, ns, ew, 50), round=1, table=table))

    wrong = problems(
        [
            seat(2, 1, "a", "b", 1),
            seat(3, 1, "c", "d", 2),
            seat(4, 2, "a", "e", 3),
            seat(5, 2, "f", "g", 4),
            seat(6, 1, "a", "d", 1),
        ]
    )
    assert wrong == [
        (4, "a is at tables 1, 3 in round 1 (lines 2, 4)"),
        (6, "d is at tables 2, 1 in round 1 (lines 3, 6)"),
        (6, "a plays board 1 2 times (lines 2, 6)"),
        (6, "d plays board 1 2 times (lines 3, 6)"),
    ]


def test_a_seat_is_not_in_doubt_where_the_table_or_the_round_is_not_told() -> None:
    for round, table in ((1, 0), (0, 1)):
        bare = [line(1, "a", "b", 50), line(1, "c", "d", 50)]
        lines = [replace(x, round=round, table=table) for x in bare]
        seated = [replace(x, board=2, round=1, table=3) for x in bare]
        assert score(event([*lines, *seated])).boards


def test_a_board_played_three_times_is_told_where_it_was_last() -> None:
    wrong = problems([at(n, line(1, "a", who, 50)) for n, who in enumerate("bcd", 2)])
    assert wrong == [(4, "a plays board 1 3 times (lines 2, 3, 4)")]
    lines = [at(n, line(1, "a", who, 50)) for n, who in enumerate("bcd", 2)]
    (odd,) = score(event(lines), amend(profile("ebu"), {"repeated_board": "first"})).oddities
    assert odd.source == lines[-1].source


def test_the_same_pairs_meet_once_on_a_board_in_whatever_round() -> None:
    first = at(2, replace(line(1, "a", "b", 50), round=1))
    again = at(3, replace(line(1, "a", "b", 50), round=2))
    assert problems([first, again]) == [(3, "board 1: a against b again, as line 2 has")]


def test_odd_scores_are_flagged_and_scored() -> None:
    odd = [line(1, "a", "b", 620), line(1, "c", "d", 10), line(1, "e", "f", 50)]
    contract = Contract(4, Denomination.SPADES, Seat.NORTH)
    wrong = replace(line(1, "g", "h", 450), contract=contract, tricks=10)
    right = replace(line(1, "i", "j", 420), contract=contract, tricks=10)
    texts = [oddity.text for oddity in score(event([*odd, wrong, right])).oddities]
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


@cases
def test_what_a_board_that_looks_wrong_may_be(scores: list[int], text: str, remedy: str) -> None:
    listed = suspicions(rounds(*scores))
    assert [(str(f), f.remedy) for f in listed] == [(text, remedy)]


@cases
def test_ordinary_boards_are_not(scores: list[int]) -> None:
    assert suspicions(rounds(*scores)) == ()


def test_individuals_of_a_suspicion_are_named_together() -> None:
    made = rounds(420, 420, 450, -420).sessions[0].results
    lines = [replace(x, ns=(*x.ns, "partner")) for x in made]
    (suspicion,) = suspicions(replace(event(lines), kind="individual"))
    assert suspicion.remedy == "correct 1 --pair N4+partner --turned"


@cases
def test_scores_of_the_same_round_or_of_none_are_not_from_one_round_on(
    rounds: tuple[int, ...],
) -> None:
    scores = zip(rounds, (-980, -980, 420, 420, 450), strict=True)
    lines = (
        replace(line(1, f"N{n}", f"E{n}", points), round=round)
        for n, (round, points) in enumerate(scores)
    )
    (suspicion,) = suspicions(event(lines))
    assert suspicion.what == "perhaps fouled: scores far from the rest"


def test_a_line_that_was_ruled_on_or_not_played_is_not_suspect() -> None:
    lines = [
        *rounds(420, 420, 450, 430).sessions[0].results,
        replace(ruled(1, "x", "y", AdjustedScore(AVERAGE, AVERAGE)), score=-1400, round=5),
        replace(line(1, "z", "w"), round=6),
    ]
    assert suspicions(event(lines)) == ()
