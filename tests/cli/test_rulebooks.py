"""`honours rulebooks`: which there are, and which held on a day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli


def rulebooks(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["rulebooks", *arguments])


def test_those_in_force_on_a_day_come_first() -> None:
    listed = json.loads(rulebooks("--date", "2023-05-01", "--json").output)["items"]
    in_force = [book["in_force"] for book in listed]
    assert in_force == sorted(in_force, reverse=True)
    by_id = {book["id"]: book["in_force"] for book in listed}
    assert by_id["sbu-clubs-2016"]
    assert not by_id["sbu-clubs-2024"]
    text = rulebooks("--date", "2015-01-01").output
    assert text.splitlines()[-1].startswith("In force on 2015-01-01: acbl-general")


def test_a_day_that_is_none_is_named() -> None:
    assert "not a date" in rulebooks("--date", "1.5.2023").output


def test_a_parameter_given_as_a_key_says_how_to_amend_it() -> None:
    words = ["acbl-general", "edition=2017", "class=regional", "kind=pairs", "entrants=40"]
    run = CliRunner().invoke(cli, ["calc", *words])
    assert run.exit_code == 2
    assert "--set edition=VALUE" in run.output


def test_a_folder_in_place_of_an_id_is_told_how_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["rulebook", "new", "my-cup"]).exit_code == 0
    checked = CliRunner().invoke(cli, ["rulebook", "check", "my_cup"])
    assert checked.exit_code == 2
    assert "my_cup is a folder; its rulebook is my-cup --rulebooks my_cup" in checked.output
    near = CliRunner().invoke(cli, ["rulebook", "check", "my_cup", "--rulebooks", "my_cup"])
    assert "did you mean 'my-cup'?" in near.output
