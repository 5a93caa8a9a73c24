"""Compared with real files beside the repository: cli convert."""

from __future__ import annotations

from pathlib import Path

from honours.formats.detect import read
from tests.cli.test_convert import convert, done
from tests.support import shared


def test_what_is_lost_is_told(tmp_path: Path) -> None:
    result = done(shared("real/usebio/mp-pairs.xml"), tmp_path / "x.csv")
    assert "has no place for published totals" in result.output


def test_go_becomes_standings_and_never_usebio(tmp_path: Path) -> None:
    source = shared("real/opengotha/juvisy.xml")
    done(source, tmp_path / "x.csv")
    assert read(tmp_path / "x.csv")[0].name == "standings"
    result = convert(source, tmp_path / "x.xml")
    assert "has no bridge results" in result.output


def test_an_unfinished_tournament_becomes_json_but_no_standings(tmp_path: Path) -> None:
    source = shared("real/opengotha/CdFO2020.xml")
    done(source, tmp_path / "x.json")
    result = convert(source, tmp_path / "x.csv")
    assert result.exit_code == 2
    assert "unfinished" in result.output
