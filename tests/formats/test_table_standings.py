"""Plain tables of standings: what is understood, and what is refused with its line."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, FileProblems, InputError
from honours.formats.table_standings import (
    StandingsFile,
    StandingsTable,
    read_standing_events,
    read_standings,
)

PAIRS = """pair,player1,player2,number1,number2,masterpoints1,masterpoints2,score
1,Ann,Ben,101,102,1250.5,80,62.50
2,Cat,Dan,103,104,300,0,50
3,Eve,Fay,105,106,10,20,50.00
4,Guy,Hal,107,108,5,5,37.5
"""


def read(folder: Path, text: str, encoding: str = "utf-8") -> StandingsFile:
    path = folder / "standings.csv"
    path.write_bytes(text.encode(encoding))
    return read_standings(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, text)
    assert isinstance(caught.value, FileProblem | FileProblems)
    return str(caught.value)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, newline: str) -> None:
    text = PAIRS.replace("Ann", "Zoë").replace("\n", newline)
    file = read(tmp_path, text, encoding)
    assert file.standings[0].entrant.players[0].name == "Zoë"
    assert len(file.standings) == 4


def test_excel_separator_line_is_counted(tmp_path: Path) -> None:
    text = "sep=;\npair;score\n1;a\n"
    assert "line 3: score 'a' is not a number" in refusal(tmp_path, text)


def test_mixed_and_ambiguous_decimal_marks(tmp_path: Path) -> None:
    assert "decimal comma in '62,5', decimal point in '61.5'" in refusal(
        tmp_path, "pair;score\n1;62,5\n2;61.5\n"
    )
    assert "'1,234' may be 1.234 or 1234" in refusal(tmp_path, "pair;score\n1;1,234\n2;7\n")
    assert read(tmp_path, 'pair,score\n1,"1,234"\n2,7.5\n').standings[0].score == 1234
    assert "'1.250' may be" in refusal(tmp_path, "pair,score,mp1,mp2\n1,60,1.250,800\n2,50,7,9\n")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,1,50\n2,2,60\n", "line 3: place 2 has a higher score than place 1 (lines 2 and 3)"),
        ("1,1,50\n2,1,60\n", "line 3: place 1 for two scores (lines 2 and 3)"),
        ("1,1,60\n2,3,50\n", "line 3: place 3 with 1 entrant above it; expected place 2"),
        ("1,1=,60\n2,2,50\n", "line 2: place 1=, but nobody shares it"),
        ("1,1,60\n2,,50\n", "line 3: no place, though other entrants have one"),
        ("1,0,60\n", "line 2: place '0' is not like 3, 3= or 3rd"),
        ("1,5d,60\n", "a grade? call its column grade"),
        ("1,1,60\n2,,\n", "line 3: neither a score nor a place"),
        ("1,1,sixty\n", "line 2: score 'sixty' is not a number"),
        ("1,1,nan\n", "score 'nan' is not a number"),
        ("1,1,inf\n", "score 'inf' is not a number"),
        ("1,1,1e999999999\n", "is not a number"),
        pytest.param(f"1,1,{'9' * 1000}\n", f"'{'9' * 60} …' is not a number", id="endless"),
        ("1,1,60,7\n", "line 2: 4 cells under 3 columns"),
        ("1,1,60\n1,2,50\n", "line 3: entrant '1' again, first on line 2"),
        ('1,1,"60\n2,2,50\n', "not a table"),
        ("", "a header and no rows"),
    ],
)
def test_refused_with_the_line(tmp_path: Path, rows: str, message: str) -> None:
    assert message in refusal(tmp_path, "pair,place,score\n" + rows)


def test_one_player_in_two_entrants(tmp_path: Path) -> None:
    text = refusal(tmp_path, PAIRS.replace("106", "101"))
    assert "line 4: player 101 again, first on line 2" in text
    assert "player 101 twice in one entrant" in refusal(tmp_path, PAIRS.replace("102", "101"))


def test_all_problems_at_once(tmp_path: Path) -> None:
    text = refusal(tmp_path, PAIRS.replace("300", "many").replace("37.5", "?"))
    assert "line 3: masterpoints2" not in text
    assert "line 3: masterpoints1 'many' is not a number" in text
    assert "line 5: score '?' is not a number" in text


def test_hopeless_file_has_a_readable_answer(tmp_path: Path) -> None:
    text = refusal(tmp_path, "pair,score\n" + "".join(f"{n},x\n" for n in range(1000)))
    assert text.count("\n") == 100
    assert text.endswith("and 900 more problems")


def test_missing_column_names_what_is_there(tmp_path: Path) -> None:
    text = refusal(tmp_path, "pair,scroe,players\n1,5,A & B\n")
    assert "no column 'score', 'percentage' or 'place'" in text
    assert "the columns found are pair, scroe, players" in text
    assert "did you mean 'scroe'" in text


def test_two_columns_that_say_the_same(tmp_path: Path) -> None:
    assert "columns 'Pos' and 'Place' both say place" in refusal(tmp_path, "Pos,Place,No\n1,1,1\n")


def test_players_in_one_cell(tmp_path: Path) -> None:
    text = "players,numbers,holdings,rating,total\nAnn & Ben,7 & 8,100 & 20.5,,5\n"
    entrant = read(tmp_path, text).standings[0].entrant
    assert entrant.id == "7+8"
    assert [(p.name, p.number, p.facts["masterpoints"]) for p in entrant.players] == [
        ("Ann", "7", 100),
        ("Ben", "8", Fraction(41, 2)),
    ]
    assert "2 names, 1 masterpoints for one entrant" in refusal(
        tmp_path, "players,holding,total\nA & B,100,5\n"
    )


def test_not_a_table(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content, message in ((b"", "an empty file"), (b"\n\n", "no rows"), (b"a\0b", "zero")):
        path.write_bytes(content)
        with pytest.raises(FileProblem, match=message):
            read_standings(path)
    with pytest.raises(FileProblem, match="a folder"):
        read_standings(tmp_path)
    with pytest.raises(FileProblem, match="no such file"):
        read_standings(tmp_path / "none")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(2 << 30)
    with pytest.raises(FileProblem, match="2048 MB, too large to read; expected at most 512 MB"):
        read_standings(path)


EVENTS = """event,section,pair,percentage,holdings,flight
Monday,A,1N,60,100 20.5,
Monday,A,1E,55,7 8,
Monday,A,2N,40,1 & 2,
Monday,A,2E,45,3 4,
Tuesday,B,1,51,5 6,A
Tuesday,B,2,49,5 6,A
Tuesday,B,3,52,5 6,B
"""


def test_several_events_in_one_table(tmp_path: Path) -> None:
    path = tmp_path / "week.csv"
    path.write_text(EVENTS, encoding="utf-8")
    table = read_standing_events(path)
    assert isinstance(table, StandingsTable)
    monday, tuesday = table.events
    assert [(f.line, [s.entrant.id for s in f.standings]) for f in monday.lists] == [
        ("NS", ["1N", "2N"]),
        ("EW", ["1E", "2E"]),
    ]
    assert monday.notices == ("numbers end in N and E: North-South and East-West are ranked apart",)
    held = [p.facts["masterpoints"] for p in monday.standings[0].entrant.players]
    assert held == [100, Fraction(41, 2)]
    assert [f.group for f in tuesday.lists] == ["flight A", "flight B"]
    assert (tuesday.event, {f.line for f in tuesday.lists}) == ("Tuesday", {""})
    with pytest.raises(FileProblem, match="2 events; expected the standings of one"):
        read_standings(path)


def test_problems_of_all_events_at_once(tmp_path: Path) -> None:
    path = tmp_path / "week.csv"
    path.write_text(EVENTS.replace("60,", "x,").replace("51,", "y,"), encoding="utf-8")
    with pytest.raises(FileProblems) as caught:
        read_standing_events(path)
    assert [problem.line for problem in caught.value.problems] == [2, 6]


def test_figures_shared_by_rows_are_kept_once(tmp_path: Path) -> None:
    file = read(tmp_path, "pair,mp1,mp2,boards,score\n1,5,7,24,60\n2,7,5,24,40\n")
    first, second = file.standings
    assert first.facts is second.facts
    assert first.entrant.players[0].facts is second.entrant.players[1].facts


GAMES = """place,name,grade,score,round 1,round 2,Round 3
1,Ann,3d,2,2+/w2,3+!,0-
2,Bo,1k,1,1-/b2,,3+
3,Cy,2k,0,,1-!,2-
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [("2,Bo,1k,1,1-/b2", "2,Bo,1k,1,1+/b2", "line 2"), ("0-", "9-", "9"), ("2-", "2?", "line 3")],
)
def test_games_that_do_not_agree(tmp_path: Path, old: str, new: str, fault: str) -> None:
    path = tmp_path / "open.csv"
    path.write_text(GAMES.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        read_standings(path)
