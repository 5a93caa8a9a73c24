"""Member lists, and players matched to them: by number, by name, never by likeness alone."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, FileProblems, InputError, UnknownName
from honours.formats.matching import Matching, parse_answers, read_answers
from honours.formats.members import MemberList, read_members
from honours.model import Player

LIST = """number,name,masterpoints,date,eligible
7,Alma Reed,100,2024-01-01,
7,Alma Reed,150.5,2024-07-01,
8,"Lund, Boris",20,2024-01-01,no
9,Carla Nuñes,5,2024-01-01,yes
10,Dev Patel,1,2024-01-01,
11,Dev Patel,2,2024-01-01,
"""


def members(tmp_path: Path, text: str = LIST) -> MemberList:
    path = tmp_path / "members.csv"
    path.write_text(text, encoding="utf-8")
    return read_members(path)


def matching(tmp_path: Path, day: date | None = date(2024, 8, 1), **confirmed: str) -> Matching:
    return Matching(members(tmp_path), day, {k.replace("_", " "): v for k, v in confirmed.items()})


def test_figures_are_those_of_the_day(tmp_path: Path) -> None:
    for day, held in ((date(2024, 6, 30), "100"), (date(2024, 7, 1), "150.5")):
        found = matching(tmp_path, day).player(Player("", "7"))
        assert found.facts["masterpoints"] == Fraction(held)
        assert found.name == "Alma Reed"


def test_before_the_first_day_there_is_no_figure_and_it_is_told(tmp_path: Path) -> None:
    match = matching(tmp_path, date(2023, 1, 1))
    assert match.player(Player("Alma Reed")).facts == {}
    assert "nothing in the list as early as 2023-01-01" in " ".join(match.report())


def test_a_dated_list_asks_for_the_day(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--date"):
        matching(tmp_path, None).player(Player("", "7"))


@pytest.mark.parametrize("name", ["boris lund", "LUND, BORIS", "Boris  Lund", "Bóris Lund"])
def test_a_name_is_found_however_it_is_written(name: str, tmp_path: Path) -> None:
    found = matching(tmp_path).player(Player(name))
    assert (found.name, found.number, found.facts["eligible"]) == (name, "8", "no")


def test_a_near_miss_is_named_and_not_taken(tmp_path: Path) -> None:
    match = matching(tmp_path)
    player = Player("Alma Read")
    assert match.player(player) == player
    assert list(match.report()) == ["Alma Read: Alma Reed (7)? --confirm 'Alma Read=7'"]


def test_a_confirmed_name_is_taken(tmp_path: Path) -> None:
    match = matching(tmp_path, Alma_Read="7")
    assert match.player(Player("alma read")).number == "7"
    assert list(match.report()) == []


def test_an_answer_may_be_nobody(tmp_path: Path) -> None:
    match = matching(tmp_path, Alma_Read="none")
    assert match.player(Player("Alma Read")).number == ""
    assert list(match.report()) == []


def test_two_of_one_name_are_asked_about(tmp_path: Path) -> None:
    match = matching(tmp_path)
    assert match.player(Player("Dev Patel")).number == ""
    assert match.near == {"Dev Patel": ("10", "11")}


def test_a_number_not_in_the_list_is_not_overruled_by_the_name(tmp_path: Path) -> None:
    match = matching(tmp_path)
    assert match.player(Player("Alma Reed", "99")).number == "99"
    assert match.near == {"Alma Reed": ("7",)}


def test_another_name_under_a_number_is_told(tmp_path: Path) -> None:
    match = matching(tmp_path)
    assert match.player(Player("Zoe Quill", "7")).number == "7"
    assert list(match.report()) == ["7 is Zoe Quill in the results, Alma Reed in the list"]


def test_who_is_not_there_is_told(tmp_path: Path) -> None:
    match = matching(tmp_path)
    match.player(Player("Zoe Quill"))
    assert list(match.report()) == ["not in the member list: Zoe Quill"]


def test_two_people_are_not_one_member(tmp_path: Path) -> None:
    match = matching(tmp_path, Al="7")
    match.player(Player("Alma Reed"))
    with pytest.raises(InputError, match="member 7 would be both"):
        match.player(Player("Al"))


def test_a_confirmation_of_nobody_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="777"):
        matching(tmp_path, Al="777")


def test_an_aga_list_has_ratings_and_days_of_expiry(tmp_path: Path) -> None:
    text = (
        "Stone, Ada\t101\tFull\t4.5\t1/31/2024\tNONE\tNY\nMoku, Bo\t102\tFull\t\t1/1/2030\t\tNJ\n"
    )
    match = Matching(members(tmp_path, text), date(2024, 5, 1))
    assert match.player(Player("Ada Stone", "101")).facts == {"rating": Fraction("4.5")}
    assert match.player(Player("Moku, Bo", "102")).facts == {}
    assert list(match.report()) == [
        "Stone, Ada (101): membership expired 2024-01-31",
        "Moku, Bo (102) has no rating in the list",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,rating\nAnn,3\n", "no column 'number'"),
        ("number,name\n7,Ann\n7,Ann\n", "member 7 again"),
        ("number,name\n7,\n", "without a number or a name"),
        ("number,name,eligible\n7,Ann,perhaps\n", "expected yes or no"),
        ("number,name,date\n7,Ann,soon\n", "date 'soon'"),
        ("number,name\n", "no members"),
    ],
)
def test_what_is_wrong_in_a_list_is_told(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises((FileProblem, FileProblems), match=words):
        members(tmp_path, text)


def test_answers_from_a_file_and_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "answers.txt"
    path.write_text("# who is who\nAlma Read = 7  # she moved\n\nZoe Quill=\n", encoding="utf-8")
    assert read_answers(path) == {"Alma Read": "7", "Zoe Quill": ""}
    assert parse_answers(["a=b=7"]) == {"a=b": "7"}
    with pytest.raises(InputError, match="expected name=number"):
        parse_answers(["7"])
