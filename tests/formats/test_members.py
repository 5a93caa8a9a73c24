"""Member lists, and players matched to them: by number, by name, never by likeness alone."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from honours.errors import FileProblem, FileProblems, InputError, UnknownName
from honours.formats.members import (
    Matching,
    MemberLine,
    MemberList,
    NameIndex,
    keep_answers,
    kept_answers,
    parse_answers,
    read_answers,
    read_members,
)
from honours.model import Player
from tests.support import cases

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
        player = matching(tmp_path, day).player(Player("", "7"))
        assert player.facts["masterpoints"] == Fraction(held)
        assert player.name == "Alma Reed"


def test_before_the_first_day_there_is_no_figure_and_it_is_told(tmp_path: Path) -> None:
    match = matching(tmp_path, date(2023, 1, 1))
    assert match.player(Player("Alma Reed")).facts == {}
    assert "the list has nothing for 1 Jan 2023" in " ".join(match.report())


def test_a_dated_list_asks_for_the_day(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--date"):
        matching(tmp_path, None).player(Player("", "7"))


@pytest.mark.parametrize("name", ["boris lund", "LUND, BORIS", "Boris  Lund", "Bóris Lund"])
def test_a_name_is_found_however_it_is_written(name: str, tmp_path: Path) -> None:
    player = matching(tmp_path).player(Player(name))
    assert (player.name, player.number, player.facts["eligible"]) == (name, "8", "no")


def test_a_near_miss_is_named_and_not_taken(tmp_path: Path) -> None:
    match = matching(tmp_path)
    player = Player("Alma Read")
    assert match.player(player) == player
    assert list(match.report()) == [
        "Alma Read: is it Alma Reed (7)? 88 of 100 alike; --confirm 'Alma Read=7'"
    ]


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
    assert [p.number for p in match.near["Dev Patel"]] == ["10", "11"]


def test_a_number_not_in_the_list_is_not_overruled_by_the_name(tmp_path: Path) -> None:
    match = matching(tmp_path)
    assert match.player(Player("Alma Reed", "99")).number == "99"
    assert [p.number for p in match.near["Alma Reed"]] == ["7"]


def test_another_name_under_a_number_is_told(tmp_path: Path) -> None:
    match = matching(tmp_path)
    assert match.player(Player("Zoe Quill", "7")).number == "7"
    assert list(match.report()) == ["7 is Zoe Quill in the results, Alma Reed in the list"]


@pytest.mark.parametrize("name", ["REED Alma", "reed, alma", "Álma Rèed", "Reed  ALMA"])
def test_order_case_and_accents_match_by_themselves(name: str, tmp_path: Path) -> None:
    match = matching(tmp_path)
    assert match.player(Player(name)).number == "7"
    assert list(match.report()) == []


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Søren Æbelø", "Aebelo Soren"),
        ("O’Brien Kit", "Kit O'Brien"),
        ("LE_CALVÉ Jean-Paul", "Jean Paul Le Calve"),
        ("Łukasz Żak", "Zak Lukasz"),
    ],
)
def test_letters_of_other_alphabets_are_as_people_write_them(name: str, listed: str) -> None:
    assert NameIndex([(listed, "1")]).same(name) == ("1",)


@cases
def test_initials_and_misspellings_are_proposed_with_a_score(name: str, score: int) -> None:
    index = NameIndex([("Alma Reed", "7"), ("Boris Lund", "8")])
    assert index.same(name) == ()
    proposals = index.alike(name)
    assert [p.number for p in proposals] == ["7"]
    assert not score or proposals[0].score == score


def test_a_list_of_initials_is_proposed_for_whole_names() -> None:
    index = NameIndex([("A. Reed", "7"), ("B. Reed", "8")])
    assert [p.number for p in index.alike("Alma Reed")][:1] == ["7"]


def test_initials_come_before_a_misspelling_that_scores_the_same() -> None:
    same = NameIndex([("Given0011 Surname0011", "1"), ("G. Surname0110", "9")])
    assert [(p.number, p.score) for p in same.alike("Surname0110 Given0110")] == [
        ("9", 90),
        ("1", 90),
    ]


def test_thousands_of_names_in_either_order() -> None:
    """Every tenth is misspelt: those alone are proposed, one a line."""
    parts = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("arno", "elis", "obin", "uder", "ynat")]
    lasts = [f"{part}ov" for part in parts]
    names = [(f"{one} {two}", str(n)) for n, (one, two) in enumerate(product(parts, lasts))]
    lines = {number: (MemberLine(number, name),) for name, number in names[:3000]}
    match = Matching(MemberList("m.csv", lines))
    for n, (name, number) in enumerate(names[:3000]):
        first, last = name.split()
        wrong = n % 10 == 0
        player = match.player(Player(f"{last.upper()} {first}" + ("xq" if wrong else "")))
        assert player.number == ("" if wrong else number)
    assert len(match.near) == 300


def test_the_order_counts_where_both_orders_are_members() -> None:
    index = NameIndex([("James Thomas", "1"), ("Thomas James", "2")])
    assert index.same("thomas james") == ("2",)
    assert index.same("Thomas, James") == ("1",)


def test_what_was_confirmed_is_kept_beside_the_file(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    assert kept_answers(results) == {}
    kept = keep_answers(results, {"Alma Read": "7"})
    assert kept == tmp_path / "results.csv.names"
    assert keep_answers(results, {"Alma Read": "7"}) is None
    keep_answers(results, {"Boris": "none"})
    assert kept_answers(results) == {"Alma Read": "7", "Boris": "none"}
    (tmp_path / "x.csv.names").write_text("mine=1\n", encoding="utf-8")
    with pytest.raises(FileProblem, match="not written by us"):
        keep_answers(tmp_path / "x.csv", {"A": "1"})


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
        "Stone, Ada (101): membership expired 31 Jan 2024",
        "Moku, Bo (102) has no rating in the list",
    ]


@cases
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
