"""A folder in the place of a file, for score, award and show."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.cli.folders import conclude, each_file
from honours.cli.lazy import INTERRUPTED
from honours.errors import FileProblem, InputError
from honours.formats.detect import files_of
from tests.support import ROOT

TUESDAY = ROOT / "examples/tuesday.csv"


@pytest.fixture
def season(tmp_path: Path) -> Path:
    folder = tmp_path / "season"
    folder.mkdir()
    for name in ("a.csv", "b.csv"):
        (folder / name).write_bytes(TUESDAY.read_bytes())
    (folder / "a.csv.rulings.toml").write_text("", encoding="utf-8")
    (folder / "notes.txt").write_text("buy biscuits\n", encoding="utf-8")
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_every_file_is_scored_and_the_rest_is_told(season: Path) -> None:
    result = run("score", season)
    assert result.exit_code == 2
    assert result.stdout.count("Magnus Young") == 2
    assert "2 scored, 1 not" in result.stderr
    assert "notes.txt" in result.stderr


def test_every_file_is_awarded(season: Path) -> None:
    (season / "notes.txt").unlink()
    result = run("award", season, "--as-usual", "--rulebook", "sbu-clubs-2016", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)["items"]
    assert [Path(one["file"]).name for one in data] == ["a.csv", "b.csv"]
    assert data[0]["awards"] == data[1]["awards"]


def test_one_csv_under_one_header(season: Path) -> None:
    for command in (
        ("score", season),
        ("award", season, "--as-usual", "--rulebook", "sbu-clubs-2016"),
    ):
        rows = list(csv.DictReader(io.StringIO(run(*command, "--csv").stdout)))
        assert {Path(row["file"]).name for row in rows} == {"a.csv", "b.csv"}
        assert not any(row["file"] == "file" for row in rows)


def test_files_with_other_columns_stand_under_their_own(season: Path) -> None:
    (season / "standings.csv").write_text("name,score\nAnn Ash,9\nBob Birch,7\n", encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(run("score", season, "--csv").stdout)))
    first = {Path(row["file"]).name: row for row in reversed(rows)}
    assert (first["standings.csv"]["place"], first["standings.csv"]["score"]) == ("1", "9")
    assert (first["a.csv"]["place"], first["a.csv"]["score"]) == ("1", "61.82")
    assert not any(None in row or None in row.values() for row in rows)


def test_show_counts_what_it_could_not_read(season: Path) -> None:
    result = run("show", season)
    assert result.exit_code == 2
    assert "2 read, 1 not" in result.stderr


def test_a_folder_may_be_interrupted(capsys: pytest.CaptureFixture[str]) -> None:
    def work(path: Path) -> str:
        if path.name == "b":
            raise KeyboardInterrupt
        return path.name

    outcomes = each_file([Path("a"), Path("b"), Path("c")], work)
    assert [text for _, text in outcomes.done] == ["a"]
    with pytest.raises(SystemExit) as stopped:
        conclude(outcomes, "read")
    assert stopped.value.code == INTERRUPTED
    assert "interrupted: 2 of 3 files were not looked at" in capsys.readouterr().err


def test_of_a_file_among_many_only_the_first_faults_are_told() -> None:
    def work(path: Path) -> str:
        if path.name == "a":
            raise InputError("missing 'class'")
        raise FileProblem(path, "\n".join(f"fault {n}" for n in range(9)))

    first, second = each_file([Path("a"), Path("b")], work).failed
    assert first == "a: missing 'class'"
    assert second.splitlines() == ["b: fault 0", "fault 1", "fault 2", "and 6 more"]


def test_hidden_files_and_rulings_are_left_out(season: Path) -> None:
    (season / ".git").mkdir()
    (season / ".git/config").write_text("x", encoding="utf-8")
    assert [f.name for f in files_of([str(season)])] == ["a.csv", "b.csv", "notes.txt"]
    assert files_of([str(season / "a.csv")]) == [season / "a.csv"]


EVENTS = """event,board,ns,ew,score
Monday,1,1,2,50
Monday,1,3,4,-50
Wednesday,1,1,2,-420
Wednesday,1,3,4,450
"""


def test_a_site_for_every_event_and_an_index(season: Path, tmp_path: Path) -> None:
    (season / "week.csv").write_text(EVENTS, encoding="utf-8")
    out = tmp_path / "site"
    result = run("site", season, out)
    assert result.exit_code == 2
    assert "leads to 4 events" in result.stdout
    assert "3 shown, 1 not" in result.stderr
    assert "notes.txt" in result.stderr
    names = ["event-a-csv", "event-b-csv", "event-week-csv-monday", "event-week-csv-wednesday"]
    assert sorted(p.name for p in out.iterdir()) == [*names, "index.html"]
    index = (out / "index.html").read_text(encoding="utf-8")
    assert [name for name in names if f'href="{name}/index.html"' in index] == names
    assert "Wednesday" in index
    assert "is not empty" in run("site", season, out).output
    assert "is inside" in run("site", season, season / "x").output


def test_one_event_of_a_file_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "week"
    folder.mkdir()
    text = EVENTS.replace("Monday,1,3", "Monday,1,1")  # pair 1 plays the board twice
    (folder / "week.csv").write_text(text, encoding="utf-8")
    result = run("site", folder, tmp_path / "site")
    assert result.exit_code == 2
    assert "leads to 1 event" in result.stdout
    assert "Monday: " in result.stderr


def test_a_pdf_for_every_event(season: Path, tmp_path: Path) -> None:
    out = tmp_path / "papers"
    result = run("pdf", season, "-o", out)
    assert (result.exit_code, "wrote 2 PDFs" in result.stdout) == (2, True)
    made = sorted(out.iterdir())
    assert [p.name for p in made] == ["event-a-csv.pdf", "event-b-csv.pdf"]
    assert all(p.read_bytes().startswith(b"%PDF") for p in made)
    assert "already exists; --force" in run("pdf", season, "-o", out).stderr
