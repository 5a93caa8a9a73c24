"""Players matched to a member list on the way to an award, and the section that is awarded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from tests.support import ROOT

EXAMPLES = ROOT / "examples"
OPEN = ("class=regional", "limit=none", "--as-usual")
SAID = ("kind=pairs", "sessions=2", *OPEN, "--rulebook", "acbl-sof-2020")
LIST = ("--members", EXAMPLES / "club-members.csv")
QUALIFIER = ("qualifier=yes", "minimum_category=none")
GO = (EXAMPLES / "go-open.txt", "--as-usual", "--rulebook", "aga-category", *QUALIFIER)


def award(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["award", *map(str, arguments)])


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def nameless(tmp_path: Path) -> Path:
    """The example's standings with names alone, one of them misspelt."""
    lines = (EXAMPLES / "club-pairs.csv").read_text(encoding="utf-8").splitlines()
    kept = [",".join(line.split(",")[:3] + line.split(",")[7:]) for line in lines]
    path = tmp_path / "s.csv"
    path.write_text("\n".join(kept).replace("Alma Reed", "Alma Read"), encoding="utf-8")
    return path


def test_holdings_come_from_the_list_once_all_are_confirmed(nameless: Path) -> None:
    first = award(nameless, *SAID, *LIST, "--date", "2025-03-01")
    assert first.exit_code == 3
    assert "members: Alma Read: is it Alma Reed (4001)? 88 of 100 alike; --confirm" in first.stderr
    confirmed = ("--date", "2025-03-01", "--confirm", "Alma Read=4001", "--json")
    got = data(award(nameless, *SAID, *LIST, *confirmed))["awards"]
    listed = data(award(EXAMPLES / "club-pairs.csv", *SAID, "--json"))["awards"]
    assert [one["award"] for one in got] == [one["award"] for one in listed]
    assert got[0]["players"][0] == {"name": "Alma Read", "number": "4001"}
    again = award(nameless, *SAID, *LIST, "--date", "2025-03-01", "--json")
    assert data(again)["awards"] == got, "what was confirmed is kept beside the file"


def test_answers_may_be_in_a_file(nameless: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("Alma Read=4001\n", encoding="utf-8")
    result = award(nameless, *SAID, *LIST, "--date", "2025-03-01", "--answers", answers)
    assert result.exit_code == 0, result.output


def test_holdings_are_those_of_the_day(nameless: Path) -> None:
    command = (nameless, *SAID, *LIST, "--confirm", "Alma Read=4001", "--json")
    assert "--date" in award(*command).stderr
    early = award(*command, "--date", "2024-02-01")
    assert "Boris Lund: the list has nothing for 1 Feb 2024" in early.stderr
    assert "--date" in award(*command, "--date", "soon").stderr


def test_answers_without_a_list_are_refused() -> None:
    result = award(EXAMPLES / "club-pairs.csv", *SAID, "--confirm", "a=1")
    assert result.exit_code == 2
    assert "--members" in result.output


def test_the_section_of_a_go_tournament_is_never_guessed() -> None:
    members = ("--members", EXAMPLES / "go-members.csv")
    unsaid = award(*GO, *members)
    assert unsaid.exit_code == 3
    assert "no game has handicap" in unsaid.stderr
    handicapped = award(*GO, *members, "--section", "handicapped")
    assert "a handicapped section has no category" in handicapped.stdout
    by_key = award(*GO, *members, "section_kind=open")
    assert by_key.stdout == award(*GO, *members, "--section", "open").stdout


def test_go_ratings_of_the_day_and_who_is_not_eligible() -> None:
    members = ("--members", EXAMPLES / "go-members.csv", "--section", "open", "--json")
    result = award(*GO, *members)
    assert "placed by NBW → SOSW (the file has no places)" in result.stderr
    march = data(result)
    assert march["lists"][0]["quantities"]["mean_rating"].startswith("6.07")
    july = data(award(*GO, *members, "--date", "2025-07-01"))
    assert (
        july["lists"][0]["quantities"]["mean_rating"]
        != march["lists"][0]["quantities"]["mean_rating"]
    )
    by_id = {one["entrant"]: one for one in march["awards"]}
    assert "not eligible" in json.dumps(by_id["503"])


def test_a_section_of_a_table_is_placed_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    rows = [f"{n},P{n},{9 - n}.5,{20 - n},{'open' if n % 2 else 'kyu'}" for n in range(1, 13)]
    path.write_text("no,player,rating,score,section\n" + "\n".join(rows), encoding="utf-8")
    unsaid = award(path, "--as-usual", "--rulebook", "aga-category", *QUALIFIER)
    assert "--section open" in unsaid.stderr
    answer = data(
        award(
            path,
            "--as-usual",
            "--rulebook",
            "aga-category",
            *QUALIFIER,
            "--section",
            "open",
            "--json",
        )
    )
    assert [one["place"] for one in answer["awards"]] == [1, 2, 3, 4, 5, 6]
    assert answer["lists"][0]["entrants"] == 6
    assert (
        "no section 'x'"
        in award(
            path, "--as-usual", "--rulebook", "aga-category", *QUALIFIER, "--section", "x"
        ).stderr
    )
