"""Living points of a ledger: derived for any day from postings and acts, and explained."""

from __future__ import annotations

import json
import shutil
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from honours import rulebooks
from honours.cli import cli
from honours.engine.ranks import Act, EarnedPoints, rank_reached
from tests.support import cases

MEMBERS = "number,name,A,B,C\n1,Ann Ash,40,12,30\n2,Bob Box,0,55,260\n"
TEAMS = """\
team,number1,player1,number2,player2,player3,player4,won,drawn,place
1,1,Ann Ash,2,Bob Box,Cat Cox,Dan Dew,3,0,1
2,,Eve Elk,,Fay Fox,Gil Gum,Hal Hay,1,1,2
3,,Ian Ivy,,Jo Jay,Kim Key,Lee Log,1,1,2
"""
WITH_ACTS = """
[[living]]
name = "to go by"
of = ["total"]
resets = ["attended"]
clause = "a test"
"""


def run(*arguments: object) -> Any:
    result = CliRunner().invoke(cli, ["ledger", *map(str, arguments), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    return told.get("items", told)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with balances of 2024, and a session of 2025."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HONOURS_BY", "w")
    Path("members.csv").write_text(MEMBERS, encoding="utf-8")
    Path("teams.csv").write_text(TEAMS, encoding="utf-8")
    run("init")
    run("members", "import", "members.csv", "--rulebook", "nz-bridge", "--date", "2024-12-31")
    told = ("kind=teams", "event=session", "boards_per_match=8", "--date", "2025-03-04")
    run("post", "teams.csv", "--rulebook", "nz-bridge", *told)
    return tmp_path


def _rank(*when: str) -> dict[str, str]:
    return {line["name"]: line["rank"] for line in run("lists", "ranks", *when)}


@pytest.mark.usefixtures("folder")
def test_ranks_are_told_as_of_a_day() -> None:
    now, then = _rank(), _rank("--on", "2025-03-03")
    assert now["Bob Box"] == "Local Master"
    assert then == {"Ann Ash": "Local Master", "Bob Box": "Local Master"}
    assert _rank("--on", "2024-12-30") == {}


@pytest.mark.usefixtures("folder")
def test_a_figure_comes_with_its_steps() -> None:
    then, now = (
        next(one for one in run("lists", "living", "--on", day) if one["number"] == "1")
        for day in ("2025-12-30", "2025-12-31")
    )
    assert (then["value"], then["in_force"]) == ("52", "2024-12-31")
    assert (now["value"], now["in_force"]) == ("41.6", "2025-12-31")
    steps = run("lists", "living", "--member", "1", "--on", "2025-12-31")
    assert [step["value"] for step in steps] == ["40", "52", "41.6"]
    run("members", "edit", "1", "--opted-out")
    assert "1" not in {one["number"] for one in run("lists", "living", "--public")}
    assert run("lists", "living", "--public", "--member", "1") == []


def test_an_act_changes_what_comes_after_it_and_is_kept_in_the_chain(folder: Path) -> None:
    own = folder / "books" / "nz_own"
    shutil.copytree(Path(rulebooks.__path__[0], "nz_bridge"), own)
    toml = (own / "rulebook.toml").read_text(encoding="utf-8")
    (own / "rulebook.toml").write_text(
        toml.replace("New Zealand Bridge", "Own Bridge") + WITH_ACTS, encoding="utf-8"
    )
    books = ("--rulebooks", folder / "books")
    told = ("kind=teams", "event=session", "boards_per_match=8", "--date", "2025-04-04")
    others = TEAMS.replace("Eve", "Una").replace("Ian", "Vic").replace("Cat", "Zoe")
    (folder / "april.csv").write_text(others, encoding="utf-8")
    run("post", "april.csv", "--rulebook", "nz-own", *told, *books)
    whose = ("--rulebook", "Own Bridge", *books)
    which = ("1", *whose)

    def figure(on: str) -> str:
        steps = run("lists", "living", "--member", "1", *whose, "--on", on)
        return str([one["value"] for one in steps if one["figure"] == "to go by"][-1])

    assert figure("2025-06-01") == "48"
    event = ("--event", "World Championship", "--date", "2025-05-20")
    run("members", "act", "attended", *which, *event)
    assert [figure(day) for day in ("2025-05-19", "2025-05-20")] == ["48", "0"]
    assert run("audit", "verify", *books)["verdict"] == "sound"
    refused = CliRunner().invoke(
        cli, ["ledger", "members", "act", "atended", *map(str, which), *event]
    )
    assert refused.exit_code != 0
    assert "attended" in refused.output


def test_representative_points_lose_a_fifth_at_each_years_end_and_5000_by_a_selection() -> None:
    [points] = rulebooks.load("australia-go").living
    earned = [
        EarnedPoints(date(2024, 6, 1), "white", Fraction(1000), "Nationals"),
        EarnedPoints(date(2025, 6, 1), "white", Fraction(280), "State Open"),
    ]
    values = [points.steps(earned, (), date(year, 1, 10))[-1].value for year in (2025, 2026)]
    assert values == [800, 864]
    selected = [Act(date(2025, 8, 1), "selected", "WAGC")]
    assert points.steps(earned, selected, date(2026, 1, 10))[-1].value == 0


@cases
def test_a_grade_follows_from_rank_and_rating(
    a: str, b: str, rating: str, grade: str | None
) -> None:
    book = rulebooks.load("nz-bridge")
    points = {"A": Fraction(a), "B": Fraction(b)}
    rank, figures = rank_reached(book.ranks, points), {"rating points": Fraction(rating)}
    fitting = (one.name for one in book.grades if one.fits(rank, points, figures))
    assert next(fitting, None) == grade


@pytest.mark.usefixtures("folder")
def test_grades_are_listed_as_of_a_day() -> None:
    listed = run("lists", "grades", "--on", "2025-12-31")
    assert {line["name"]: line["grade"] for line in listed}["Ann Ash"] == "intermediate"


@pytest.mark.usefixtures("folder")
def test_a_snapshot_is_of_the_last_of_the_bodys_days() -> None:
    [days] = rulebooks.load("sbu-clubs-2016").snapshots
    for on, last in (
        ("2017-10-14", "2017-09-01"),
        ("2017-12-01", "2017-12-01"),
        ("2018-01-31", "2017-12-01"),
    ):
        assert days.last(date.fromisoformat(on)) == date.fromisoformat(last)
    refused = CliRunner().invoke(cli, ["ledger", "lists", "snapshot"])
    assert refused.exit_code != 0
    assert "no days of snapshots" in refused.output
