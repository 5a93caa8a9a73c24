"""Plain tables of results: every spelling of a line, and every refusal with its line."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.entrants import numbered_apart
from honours.formats.table_results import read_result_events, read_results
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Denomination,
    Event,
    Seat,
)
from tests.support import cases

HEAD = "board,ns,ew,contract,declarer,tricks\n"


def read(folder: Path, text: str) -> Event:
    path = folder / "tuesday.csv"
    path.write_text(text, encoding="utf-8")
    return read_results(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, text)
    return str(caught.value)


def test_contracts_and_tricks(tmp_path: Path) -> None:
    event = read(tmp_path, HEAD + "1,1,2,4S,N,10\n1,3,4,3NTx,E,9\n1,5,6,PASS,,\n")
    first, second, third = event.sessions[0].results
    assert first.contract == Contract(4, Denomination.SPADES, Seat.NORTH)
    assert (first.tricks, first.score, first.ns, first.ew) == (10, None, ("1",), ("2",))
    assert second.contract == Contract(3, Denomination.NO_TRUMPS, Seat.EAST, 1)
    assert (third.passed_out, third.score) == (True, 0)
    assert (first.source and str(first.source).endswith("tuesday.csv, line 2")) is True
    assert (event.title, event.kind, event.winners) == ("tuesday", "pairs", 0)
    assert [e.entrant.id for e in event.entrants] == ["1", "2", "3", "4", "5", "6"]


def test_results_told_against_the_contract(tmp_path: Path) -> None:
    event = read(tmp_path, HEAD + "1,1,2,4S,N,=\n1,3,4,4S,N,+1\n1,5,6,4S,N,-2\n1,7,8,4S,N,0\n")
    assert [r.tricks for r in event.sessions[0].results] == [10, 11, 8, 10]
    assert "result '1' among results like = and +1: write +1" in refusal(
        tmp_path, HEAD + "1,1,2,4S,N,=\n1,3,4,4S,N,1\n"
    )


def test_scores_rulings_and_unplayed(tmp_path: Path) -> None:
    rows = "1,1,2,420\n1,3,4,A6040\n1,5,6,AVE+\n1,7,8,NP\n1,9,10,-50\n"
    results = read(tmp_path, "Bd,NS pair,EW pair,NS score\n" + rows).sessions[0].results
    assert [r.score for r in results] == [420, None, None, None, -50]
    assert results[1].adjusted == AdjustedScore(
        ArtificialScore(Fraction(3, 5)), ArtificialScore(Fraction(2, 5))
    )
    assert results[2].adjusted is not None
    assert results[3].adjusted is None


def test_split_scores(tmp_path: Path) -> None:
    text = "board,ns,ew,ns_score,ew_score\n1,1,2,Ave+,50\n1,3,4,-50,50\n1,5,6,50,980\n"
    results = read(tmp_path, text).sessions[0].results
    plus = ArtificialScore(Fraction(3, 5), session_rule=True)
    assert results[0].adjusted == AdjustedScore(plus, AssignedScore(((Fraction(1), -50),)))
    assert (results[1].adjusted, results[1].score) == (None, -50)
    assert results[2].adjusted == AdjustedScore(
        AssignedScore(((Fraction(1), 50),)), AssignedScore(((Fraction(1), -980),))
    )


def test_optional_columns(tmp_path: Path) -> None:
    text = "section;round;table;board;ns;ew;score;lead;version;date;remark;session;ns names\n"
    text += "A;2;3;7;1;2;50;HK;b;31/03/2025;late;2;Ann & Ben\n"
    event = read(tmp_path, text)
    (session,) = event.sessions
    (result,) = session.results
    assert session.number == 2
    assert (result.section, result.round, result.table, result.board) == ("A", 2, 3, 7)
    assert (result.lead, result.version, result.remark) == ("HK", "b", "late")
    assert event.date == date(2025, 3, 31)
    assert [p.name for p in event.entrants[0].entrant.players] == ["Ann", "Ben"]


def test_mitchell_numbers_are_told_apart(tmp_path: Path) -> None:
    rows = [(b, ns, (ns + b) % 3 + 1) for b in (1, 2, 3) for ns in (1, 2, 3)]
    text = "board,ns,ew,score\n" + "".join(f"{b},{n},{e},50\n" for b, n, e in rows)
    event = read(tmp_path, text)
    assert event.winners == 2
    assert [e.entrant.id for e in event.entrants] == ["1NS", "2NS", "3NS", "1EW", "2EW", "3EW"]
    assert event.sessions[0].results[0].ns == ("1NS",)


def test_sections_with_the_same_numbers(tmp_path: Path) -> None:
    text = "section,board,ns,ew,score\nA,1,1,2,50\nA,1,3,4,0\nB,1,1,2,50\nB,1,3,4,0\n"
    event = read(tmp_path, text)
    assert [e.entrant.id for e in event.entrants] == [s + n for s in "AB" for n in "1234"]


def test_individual(tmp_path: Path) -> None:
    event = read(tmp_path, "board,n,s,e,w,score\n1,1,2,3,4,50\n")
    assert event.kind == "individual"
    assert event.sessions[0].results[0].ew == ("3", "4")


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("n,s,e,w", "Ann,Bob,Cas,Dee"),
        ("n,s,e,w,nsplayers,ewplayers", "1,2,3,4,Ann & Bob,Cas & Dee"),
    ],
)
def test_individuals_are_people(tmp_path: Path, head: str, row: str) -> None:
    event = read(tmp_path, f"board,score,{head}\n1,50,{row}\n")
    people = [[player.name for player in e.entrant.players] for e in event.entrants]
    assert people == [["Ann"], ["Bob"], ["Cas"], ["Dee"]]


@cases
def test_refused_with_the_line(tmp_path: Path, row: str, message: str) -> None:
    text = refusal(tmp_path, HEAD + row + "\n")
    assert "tuesday.csv, line 2: " in text
    assert message in text


def test_scores_refused(tmp_path: Path) -> None:
    text = refusal(tmp_path, "board,ns,ew,score\n1,1,2,37\n2,1,2,x\n")
    assert "line 2: score '37' is not a multiple of ten" in text
    assert "line 3: score 'x' is not a score" in text


def test_a_table_says_its_club(tmp_path: Path) -> None:
    file = tmp_path / "night.csv"
    file.write_text("board,ns,ew,score,club\n1,1,2,50,Ayr\n2,1,2,50,Ayr\n", encoding="utf-8")
    assert read_results(file).club == "Ayr"


def test_one_date_and_event_in_a_file(tmp_path: Path) -> None:
    text = refusal(tmp_path, "board,ns,ew,score,date\n1,1,2,50,2025-01-02\n2,1,2,50,2025-01-03\n")
    assert "expected one date in a file" in text
    assert "date '31/02/2025' is not like" in refusal(
        tmp_path, "board,ns,ew,score,date\n1,1,2,50,31/02/2025\n"
    )


def test_names_that_contradict_each_other(tmp_path: Path) -> None:
    text = "board,ns,ew,score,ns names\n1,1,2,50,A & B\n2,1,2,50,A & C\n"
    assert "line 3: 1 is 'A & B' and 'A & C'" in refusal(tmp_path, text)


def test_missing_columns(tmp_path: Path) -> None:
    text = refusal(tmp_path, "bored,north,score\n1,2,50\n")
    assert "no column 'board'" in text
    assert "did you mean 'bored'" in text
    assert "no column 'ew'" in text


def test_several_events_in_a_table(tmp_path: Path) -> None:
    text = "event,board,ns,ew,score\nB,1,1,2,50\nA,1,1,2,100\nB,2,1,2,{}\n"
    path = tmp_path / "x.csv"
    path.write_text(text.format("-50"), encoding="utf-8")
    events = read_result_events(path)
    assert [(e.title, len(e.sessions[0].results)) for e in events] == [("B", 2), ("A", 1)]
    path.write_text(text.format("37") + "A,0,1,2,50\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_result_events(path)
    assert "line 4: score '37'" in str(caught.value)
    assert "line 5: board '0'" in str(caught.value)


@pytest.mark.parametrize(("twice", "apart"), [(1, False), (6, False), (8, True)])
def test_numbers_of_both_lines_are_told_apart_by_boards_played_twice(
    twice: int, apart: bool
) -> None:
    """A stray typing error makes a pair play a board twice; two pairs of one number do it often."""
    meetings = [("", "1", "2", board) for board in range(1, 11)]
    meetings += [("", "3", "1", board) for board in range(1, twice + 1)]
    assert numbered_apart(meetings) == apart
