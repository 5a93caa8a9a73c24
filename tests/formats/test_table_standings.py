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
from honours.model import Game, Origin

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


def places(file: StandingsFile) -> list[tuple[str, int, int]]:
    return [(s.entrant.id, s.place, s.tied) for s in file.standings]


def test_pairs_with_holdings(tmp_path: Path) -> None:
    file = read(tmp_path, PAIRS)
    assert places(file) == [("1", 1, 1), ("2", 2, 2), ("3", 2, 2), ("4", 4, 1)]
    first = file.standings[0]
    assert first.score == Fraction(125, 2)
    assert [p.name for p in first.entrant.players] == ["Ann", "Ben"]
    assert first.entrant.players[0].number == "101"
    assert first.entrant.players[0].facts == {"masterpoints": Fraction(2501, 2)}
    assert first.entrant.title == "Ann & Ben"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, newline: str) -> None:
    text = PAIRS.replace("Ann", "Zoë").replace("\n", newline)
    file = read(tmp_path, text, encoding)
    assert file.standings[0].entrant.players[0].name == "Zoë"
    assert len(file.standings) == 4


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(tmp_path: Path, delimiter: str) -> None:
    assert places(read(tmp_path, PAIRS.replace(",", delimiter)))[3] == ("4", 4, 1)


def test_excel_separator_line_is_counted(tmp_path: Path) -> None:
    text = "sep=;\npair;score\n1;a\n"
    assert "line 3: score 'a' is not a number" in refusal(tmp_path, text)


def test_decimal_comma(tmp_path: Path) -> None:
    file = read(tmp_path, "Paar nr;Score;pair;mp1;mp2\nx;62,5;1;1.250,25;1.234\nx;5,0;2;;7\n")
    assert file.standings[0].score == Fraction(125, 2)
    holdings = [p.facts["masterpoints"] for p in file.standings[0].entrant.players]
    assert holdings == [Fraction("1250.25"), 1234]
    assert file.ignored == ("Paar nr",)


def test_mixed_and_ambiguous_decimal_marks(tmp_path: Path) -> None:
    assert "decimal comma in '62,5', decimal point in '61.5'" in refusal(
        tmp_path, "pair;score\n1;62,5\n2;61.5\n"
    )
    assert "'1,234' may be 1.234 or 1234" in refusal(tmp_path, "pair;score\n1;1,234\n2;7\n")
    assert read(tmp_path, 'pair,score\n1,"1,234"\n2,7.5\n').standings[0].score == 1234
    assert "'1.250' may be" in refusal(tmp_path, "pair,score,mp1,mp2\n1,60,1.250,800\n2,50,7,9\n")


@pytest.mark.parametrize(
    "column", [["1", "2=", "2=", "4"], ["1st", "=2", "T2", "4th"], ["1", "2/3", "2/3", "4."]]
)
def test_places_without_scores(tmp_path: Path, column: list[str]) -> None:
    rows = "\n".join(f"{n},{place}" for n, place in enumerate(column, start=1))
    file = read(tmp_path, f"Pair No,Pos\n{rows}\n")
    assert places(file) == [("1", 1, 1), ("2", 2, 2), ("3", 2, 2), ("4", 4, 1)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,1,50\n2,2,60\n", "line 3: place 2 has a higher score than place 1 (lines 2 and 3)"),
        ("1,1,50\n2,1,60\n", "line 3: place 1 for two scores (lines 2 and 3)"),
        ("1,1,60\n2,3,50\n", "line 3: place 3 with 1 entrant above it; expected place 2"),
        ("1,1=,60\n2,2,50\n", "line 2: place 1= and nobody else there"),
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


def test_equal_scores_with_given_places_are_told(tmp_path: Path) -> None:
    file = read(tmp_path, "pair,place,score\n1,1,50\n2,2,50\n")
    assert places(file) == [("1", 1, 1), ("2", 2, 1)]
    assert file.notices == ("equal scores, places 1 and 2 as the file gives them (lines 2 and 3)",)


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


def test_lines_sessions_and_strata_make_lists(tmp_path: Path) -> None:
    text = "pair,direction,strat,session,%,boards,won,drawn,section\n"
    text += "1,N/S,A,1,60%,24,3,1,\n2,ns,B,1,40%,24,1,,\n1,E-W,A,1,55%,22,,,\n1,NS,A,2,70%,24,,,\n"
    file = read(tmp_path, text)
    lists = [(f.session, f.line, len(f.standings)) for f in file.lists]
    assert lists == [("1", "NS", 2), ("1", "EW", 1), ("2", "NS", 1)]
    first = file.lists[0].standings[0]
    assert first.entrant.id == "1NS"
    assert first.facts == {"boards_played": 24, "won": 3, "drawn": 1, "line": "NS", "stratum": "A"}
    assert file.lists[1].standings[0].entrant.id == "1EW"


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


def test_go_players(tmp_path: Path) -> None:
    file = read(tmp_path, "Place;Name;AGA id;Rating;Wins\n1;Ann;11;5,2;4\n2;Ben;12;-1,5;3\n")
    ben = file.standings[1]
    assert (ben.entrant.id, ben.entrant.title) == ("Ben", "Ben")
    assert ben.entrant.players[0].facts == {"rating": Fraction(-3, 2)}
    assert ben.facts == {"won": 3}


def test_a_team_has_a_name_and_players(tmp_path: Path) -> None:
    entrant = read(tmp_path, "team name,player1,player2,vps\nReds,A,B,20\n").standings[0].entrant
    assert (entrant.title, len(entrant.players)) == ("Reds", 2)


def test_neutralised_names_are_restored(tmp_path: Path) -> None:
    assert read(tmp_path, "name,score\n'=Ann,50\n").standings[0].entrant.title == "=Ann"


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


def test_numbers_tell_the_line_only_where_nothing_else_does(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "pair,place,score\n1N,1,60\n1E,2,40\n").lists
    assert (one.line, len(one.standings)) == ("", 2)
    (one,) = read(tmp_path, "pair,score\n1N,60\n2,40\n").lists
    assert (one.line, len(one.standings)) == ("", 2)


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


LINED = "line,place,name\nNS,1,A & B\nEW,1,C & D\n"


def test_lines_say_how_many_win(tmp_path: Path) -> None:
    by_list = read(tmp_path, LINED + ",1,E & F\n").lists
    assert [(one.line, one.facts) for one in by_list] == [
        ("NS", {"winners": "2"}),
        ("EW", {"winners": "2"}),
        ("", {"winners": "1"}),
    ]
    assert {one.sources["winners"].origin for one in by_list} == {Origin.DERIVED}


def test_groups_without_lines_say_nothing_of_winners(tmp_path: Path) -> None:
    lists = read(tmp_path, "group,place,name\n1,1,A & B\n2,1,C & D\n").lists
    assert [dict(one.facts) for one in lists] == [{}, {}]


GAMES = """place,name,grade,score,round 1,round 2,Round 3
1,Ann,3d,2,2+/w2,3+!,0-
2,Bo,1k,1,1-/b2,,3+
3,Cy,2k,0,,1-!,2-
"""
NUMBERED = "no,name,rd1\n11,Ann,12=\n12,Bo,11=\n"


def test_games_in_columns_of_rounds(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_text(GAMES, encoding="utf-8")
    first, second, third = read_standings(path).standings
    (game,) = first.games
    assert game == Game("Bo", {"result": Fraction(1), "stones": Fraction(-2)})
    assert [first.facts[name] for name in ("won", "games_played", "grade")] == [2, 1, 2]
    assert [g.facts["stones"] for g in second.games] == [2, 0]
    assert [g.opponent for g in third.games] == ["Bo"]
    path.write_text(NUMBERED, encoding="utf-8")
    without_places = read_standings(path)
    assert [(s.place, s.tied, s.score) for s in without_places.standings] == 2 * [
        (1, 2, Fraction(1, 2))
    ]
    assert [g.opponent for s in without_places.standings for g in s.games] == ["12", "11"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [("2,Bo,1k,1,1-/b2", "2,Bo,1k,1,1+/b2", "line 2"), ("0-", "9-", "9"), ("2-", "2?", "line 3")],
)
def test_games_that_do_not_agree(tmp_path: Path, old: str, new: str, fault: str) -> None:
    path = tmp_path / "open.csv"
    path.write_text(GAMES.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        read_standings(path)


def test_scores_of_rounds_are_no_games(tmp_path: Path) -> None:
    path = tmp_path / "swiss.csv"
    path.write_text("team,score,round 1,round 2\n1,30,12.5,17.5\n2,10,7.5,2.5\n", encoding="utf-8")
    file = read_standings(path)
    assert file.ignored == ("round 1", "round 2")
    assert not any(s.games for s in file.standings)


def test_a_section_without_lines_beside_one_in_lines_has_one_winner(tmp_path: Path) -> None:
    rows = "section,line,pair,place\nA,NS,1,1\nA,NS,2,2\nA,EW,3,1\nA,EW,4,2\nB,,5,1\nB,,6,2\n"
    lists = read(tmp_path, rows).lists
    found = [(one.of_section, one.facts.get("line", ""), one.facts["winners"]) for one in lists]
    assert found == [("A", "NS", "2"), ("A", "EW", "2"), ("B", "", "1")]
