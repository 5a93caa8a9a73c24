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
from honours.engine.ranks import Act, EarnedPoints

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
    [scheme] = run("lists", "ranks", *when)
    return {line["name"]: line["rank"] for line in scheme["members"]}


@pytest.mark.usefixtures("folder")
def test_ranks_are_told_as_of_a_day() -> None:
    now, then = _rank(), _rank("--on", "2025-03-03")
    assert now["Bob Box"] == "Local Master"
    assert then == {"Ann Ash": "Local Master", "Bob Box": "Local Master"}
    assert _rank("--on", "2024-12-30") == {}


@pytest.mark.usefixtures("folder")
def test_a_figure_comes_with_its_steps() -> None:
    [then] = run("lists", "living", "1", "--on", "2025-12-30")
    [now] = run("lists", "living", "1", "--on", "2025-12-31")
    assert (then["value"], then["as_of"]) == ("52", "2024-12-31")
    assert (now["value"], now["as_of"]) == ("41.6", "2025-12-31")
    assert [step["value"] for step in now["steps"]] == ["40", "52", "41.6"]


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
    which = ("1", "--rulebook", "Own Bridge", *books)

    def figure(on: str) -> str:
        return str(
            next(
                f for f in run("lists", "living", *which, "--on", on) if f["figure"] == "to go by"
            )["value"]
        )

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
