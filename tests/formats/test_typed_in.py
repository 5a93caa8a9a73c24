"""Travellers typed in by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from honours.errors import FileProblems
from honours.formats.typed_in import is_typed_in, parse_typed_in
from honours.model import ArtificialScore, Contract, Denomination, Seat
from honours.scoring import score

TEXT = """\
title Tuesday pairs   # the first one
date 2025-03-31
pair 1 Ann Ash & Bob Birch

board 1
1 2  4S N =
3 4  3NTx E -1
5 6  pass
board 2 b
1 4  +420
3 6  ave+ ave-
5 2  np
"""


def test_all_there_is() -> None:
    event = parse_typed_in(TEXT, "tuesday.txt")
    first, second, passed, score_, ruled, unplayed = event.sessions[0].results
    assert (event.title, str(event.date)) == ("Tuesday pairs", "2025-03-31")
    assert event.entrants[0].entrant.title == "Ann Ash & Bob Birch"
    assert first.contract == Contract(4, Denomination.SPADES, Seat.NORTH)
    assert (first.ns, first.ew, first.tricks) == (("1",), ("2",), 10)
    assert second.contract == Contract(3, Denomination.NO_TRUMPS, Seat.EAST, 1)
    assert second.tricks == 8
    assert passed.passed_out
    assert (score_.score, score_.version, score_.board) == (420, "b", 2)
    assert ruled.adjusted is not None
    assert ruled.adjusted.ns == ArtificialScore(Fraction(3, 5), session_rule=True)
    assert unplayed.score is None
    assert unplayed.source is not None
    assert unplayed.source.line == 12


def test_it_can_be_scored() -> None:
    event = parse_typed_in("board 1\n1 2 4SN=\n3 4 4SN+1\nboard 2\n1 4 -50\n3 2 -50", "t")
    assert [t.points for t in score(event).tallies] == [1, 3, 3, 1]


def test_pairs_numbered_from_one_in_both_lines() -> None:
    event = parse_typed_in("board 1\n1 1 50\n2 2 90\nboard 2\n1 2 50\n2 1 50", "t")
    assert event.winners == 2
    assert {e.entrant.id for e in event.entrants} == {"1NS", "2NS", "1EW", "2EW"}


def test_everything_wrong_is_told_at_once() -> None:
    bad = "1 2 50\nboard 0\nboard 1\n1 2 8S N =\n3 4 4S N +9\n5 6 4S N\n7 8\n9 10 37\npair 4\n"
    bad += "board 2\n1 1 50\n1 4 50\nboard 3\n1 2 50"
    with pytest.raises(FileProblems) as caught:
        parse_typed_in(bad, "bad.txt")
    lines = [problem.line for problem in caught.value.problems]
    assert lines == [1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 14]


def test_an_empty_text() -> None:
    with pytest.raises(FileProblems, match="no results"):
        parse_typed_in("# nothing yet\n", "empty.txt")


def test_it_is_told_from_a_table() -> None:
    assert is_typed_in(TEXT)
    assert is_typed_in("# a remark\n\nBoard 7\n")
    assert not is_typed_in("board,ns,ew,score\n1,1,2,50\n")
    assert not is_typed_in('title = "Village league"\n')
    assert not is_typed_in("board\tns\tew\n")
    assert not is_typed_in("")


def test_an_individual_and_two_sessions() -> None:
    text = (
        "pair 1 Ann\nsession 1\nboard 1\n1+2 3+4 4SN=\n5+6 7+8 4SN-1\n"
        "session 2\nboard 1\n1+3 2+4 pass\n5+7 6+8 +50\n"
    )
    event = parse_typed_in(text, "t")
    assert event.kind == "individual"
    assert [session.number for session in event.sessions] == [1, 2]
    assert event.sessions[1].results[0].ns == ("1", "3")
    assert event.entrants[0].entrant.title == "Ann"
    assert score(event).rankings[0].standings[0].facts["boards_played"] == 2
    with pytest.raises(FileProblems, match="different or more than two players"):
        parse_typed_in("board 1\n1+2 3 4SN=\n1+2+3 4+5+6 pass\n", "t")


def test_a_result_may_be_the_tricks_taken() -> None:
    event = parse_typed_in("board 1\n1 2 4S N 9\n3 4 3NTx E 10\n5 6 late play\n", "t")
    assert [r.tricks for r in event.sessions[0].results] == [9, 10, None]
    with pytest.raises(FileProblems, match="14 tricks, not 0 to 13"):
        parse_typed_in("board 1\n1 2 4S N 14\n", "t")
