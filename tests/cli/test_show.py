"""`honours show`: one file, a folder, and what cannot be read."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from honours.cli import cli
from tests.support import ROOT


def show(*args: str) -> Result:
    return CliRunner().invoke(cli, ["show", *args])


def test_one_file() -> None:
    result = show(str(ROOT / "examples/tuesday-pairs.csv"))
    assert result.exit_code == 0
    assert "tuesday-pairs.csv: table of results" in result.output
    assert "results        9, 1 adjusted, 1 passed out" in result.output


def test_standings() -> None:
    result = show(str(ROOT / "examples/club-pairs.csv"))
    assert "6 entrants, 2 tied" in result.output
    assert "masterpoints   12 of 12" in result.output


def test_a_folder_names_what_it_could_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("board,ns,ew,score\n1,1,2,50\n", encoding="utf-8")
    (tmp_path / "letter.txt").write_text("Dear club", encoding="utf-8")
    result = show(str(tmp_path), "--json")
    assert result.exit_code == 2
    assert "1 read, 1 not" in result.output
    assert "it begins 'Dear club'" in result.output
    only_good = show(str(tmp_path / "a.csv"), "--json")
    (entry,) = json.loads(only_good.output)["items"]
    assert (entry["kind"], entry["experimental"]) == ("results", None)


def test_a_bad_file_is_an_error(tmp_path: Path) -> None:
    result = show(str(tmp_path / "none"))
    assert result.exit_code == 2
    assert "no such file" in result.output
