"""Plain tables of results: every spelling of a line, and every refusal with its line."""

from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.entrants import numbered_apart
from honours.formats.table_results import read_result_events, read_results
from honours.model import (
    Event,
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


def test_results_told_against_the_contract(tmp_path: Path) -> None:
    event = read(tmp_path, HEAD + "1,1,2,4S,N,=\n1,3,4,4S,N,+1\n1,5,6,4S,N,-2\n1,7,8,4S,N,0\n")
    assert [r.tricks for r in event.sessions[0].results] == [10, 11, 8, 10]
    assert "result '1' among results like = and +1: write +1" in refusal(
        tmp_path, HEAD + "1,1,2,4S,N,=\n1,3,4,4S,N,1\n"
    )


@cases
def test_refused_with_the_line(tmp_path: Path, row: str, message: str) -> None:
    text = refusal(tmp_path, HEAD + row + "\n")
    assert "tuesday.csv, line 2: " in text
    assert message in text


def test_scores_refused(tmp_path: Path) -> None:
    text = refusal(tmp_path, "board,ns,ew,score\n1,1,2,37\n2,1,2,x\n")
    assert "line 2: score '37' is not a multiple of ten" in text
    assert "line 3: score 'x' is not a score" in text


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
