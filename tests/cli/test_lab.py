"""`honours lab`: every command shows an example, answers in JSON, and says what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.cli.lab import COMMANDS
from honours.cli.lab_answers import COMPILING, progress_line
from honours.lab.corpus import Corpus
from honours.lab.questions import QUESTIONS as DECLARED
from tests.support import cases


def lab(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["lab", *arguments])


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("lab") / "year"
    made = lab("generate", str(folder), "--scale", "0.004", "--json")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["figures"]
    return str(folder)


def test_whoever_watches_is_told_why_nothing_is_done_yet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tell = progress_line("shards", COMPILING)
    tell(1, 2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    tell = progress_line("shards", COMPILING)
    for done in (1, 2):
        tell(done, 2)
    lines = [f"shards: {COMPILING}\n", "shards: 1 of 2", "shards: 2 of 2\n"]
    shown = capsys.readouterr().err
    assert shown.replace("\x1b[K", "") == "".join(f"\r{line}" for line in lines)


def test_a_comparison_imports_nothing_that_it_does_not_need(year: str) -> None:
    """What a committee waits for first is what is imported."""
    script = (
        "import sys; from honours.cli import cli; cli(sys.argv[1:], standalone_mode=False);"
        "print(*sys.modules, file=sys.stderr)"
    )
    books = ("acbl-sof-2011", "acbl-sof-2020")
    command = [sys.executable, "-c", script, "lab", "compare", year, *books]
    asked = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(asked.stderr.split())
    assert "honours.lab.compare" in loaded
    assert not loaded & {"numba", "pandas", "honours.formats.detect", "honours.scoring"}


@pytest.mark.parametrize("name", [*COMMANDS, *(q for q in DECLARED if q != "study")])
def test_every_command_shows_an_example(name: str) -> None:
    shown = lab(name, "--help")
    assert shown.exit_code == 0
    assert f"honours lab {name}" in shown.output
    assert "--json" in shown.output


QUESTIONS = {
    "compare": ("acbl-sof-2020", "acbl-sof-2020 total_coefficient=0.08"),
    "sweep": ("acbl-sof-2020", "total_coefficient", "0.06", "0.08"),
    "growth": ("acbl-sof-2020", "--years", "2"),
    "fit": ("acbl-sof-2020", "--bootstraps", "2"),
    "calibrate": (
        "acbl-sof-2020 first_exponent=0.7",
        "total_coefficient",
        "first_coefficient",
        "--total",
        "unchanged",
        "--first",
        "entrants=60 sessions=2 masterpoints=1250 = unchanged",
    ),
    "simulate": (
        "acbl-sof-2020",
        "--holding",
        "600",
        "--runs",
        "200",
        "--event",
        "up: entrants=20 holding=3000",
        "--event",
        "down: entrants=20 holding=300",
    ),
    "audit": ("vbl-2017",),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_in_every_form(year: str, tmp_path: Path, question: str) -> None:
    asked = (question, *(() if question in ("simulate", "audit") else (year,)))
    asked += QUESTIONS[question]
    page, table = tmp_path / "report.html", tmp_path / "table.parquet"
    run = lab(*asked, "--json", "--html", str(page), "--parquet", str(table))
    assert run.exit_code == 0, run.output
    data = json.loads(run.stdout)
    assert "would" in data["statement"] or question == "fit"
    assert "compared with" in data["statement"]
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    stands_on = data["provenance"]
    assert all(value in html for value in stands_on.values())
    if question not in ("simulate", "audit"):
        assert stands_on["seed"] == "1"
        assert stands_on["corpus"] == Corpus.open(year).hash
    rows = pq.read_table(table).to_pylist()
    csv = lab(*asked, "--csv")
    assert len(csv.stdout.splitlines()) == 1 + len(rows)
    assert csv.stdout.splitlines()[0].split(",")[0] == next(iter(rows[0]))


def test_a_total_and_a_first_place_stay_unchanged(year: str) -> None:
    """What a committee states: the same total, the same first place of a 1,250 field."""
    data = json.loads(lab("calibrate", year, *QUESTIONS["calibrate"], "--json").stdout)
    total, first = data["tables"]["Aims"]
    assert abs(first["before"] / first["wanted"] - 1) > 0.05
    assert abs(total["off %"]) < 0.1
    assert abs(first["off %"]) < 0.1
    assert set(data["parameters"]) == {"first_exponent", "total_coefficient", "first_coefficient"}


def test_an_event_is_explained_under_both(year: str) -> None:
    pair = ("acbl-sof-2020", "acbl-sof-2020 total_coefficient=0.08")
    run = lab("compare", year, *pair, "--event", "3", "--json")
    data = json.loads(run.stdout)
    assert data["tables"]["Event 3 by place"][-1]["place"] == "Total"
    assert [step["name"] for step in data["why"]["Event 3"]] == ["award", "award"]
    text = lab("compare", year, *pair, "--event", "3").output
    assert "compared with" in text
    assert text.count("award = ") >= 2


def test_comparing_by_groups_says_where_it_changes_most(year: str) -> None:
    pair = ("acbl-sof-2020", "acbl-sof-2020 total_coefficient=0.08")
    text = lab("compare", year, *pair, "--by", "kind,sessions").output
    assert text.startswith("On a synthetic corpus: ")
    assert "would pay" in text.splitlines()[0]
    assert "\nkind " in text
    same = lab("compare", year, "acbl-sof-2020", "acbl-sof-2020", "--by", "kind")
    assert "would pay the same" in same.output
    wrong = lab("compare", year, *pair, "--by", "colour")
    assert wrong.exit_code == 2
    assert "unknown group 'colour'" in wrong.output


def test_award_and_check(year: str, tmp_path: Path) -> None:
    out = str(tmp_path / "awards")
    done = lab("award", year, "--rulebook", "acbl-sof-2020", "--out", out, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["total"] > 0
    assert "nothing wrong" in lab("check", year).output
    why = lab("explain", year, "acbl-sof-2020", "0", "0", "--json")
    assert json.loads(why.stdout)["why"]["name"] == "award"


@cases
def test_wrong_arguments_are_explained(arguments: list[str], message: str) -> None:
    run = lab(*arguments)
    assert run.exit_code == 2
    assert message in run.output
