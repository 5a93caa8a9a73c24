"""`honours lab`: every command shows an example, answers in JSON, and says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.cli.lab import COMMANDS


def lab(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["lab", *arguments])


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("lab") / "year"
    made = lab("generate", str(folder), "--scale", "0.004", "--json")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["figures"]
    return str(folder)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_an_example(name: str) -> None:
    shown = lab(name, "--help")
    assert shown.exit_code == 0
    assert f"honours lab {name}" in shown.output
    assert "--json" in shown.output


def test_compare_gives_every_form(year: str, tmp_path: Path) -> None:
    page, table = tmp_path / "report.html", tmp_path / "table.parquet"
    found = lab(
        "compare", year, "acbl-sof-2020", "acbl-sof-2020 total_coefficient=0.08", "--json",
        "--html", str(page), "--parquet", str(table),
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    data = json.loads(found.stdout)
    assert "compared with acbl-sof-2020" in data["statement"]
    assert data["provenance"]["seed"] == "1"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert table.exists()
    text = lab("compare", year, "acbl-sof-2020", "acbl-sof-2020", "--by", "kind")
    assert "would pay the same" in text.output


def test_award_and_check(year: str, tmp_path: Path) -> None:
    out = str(tmp_path / "awards")
    done = lab("award", year, "--rulebook", "acbl-sof-2020", "--out", out, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["total"] > 0
    assert "nothing wrong" in lab("check", year).output
    why = lab("explain", year, "acbl-sof-2020", "0", "0", "--json")
    assert json.loads(why.stdout)["why"]["name"] == "award"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compare", "nowhere", "a", "b"), "unknown rulebook"),
        (("compare", "nowhere", "acbl-general", "acbl-general"), "no such corpus"),
        (("simulate", "acbl-sof-2020", "--holding", "5", "--event", "x"), "expected 'name:"),
        (("generate", "x", "--scale", "0"), "must be above 0"),
        (("audit", "acbl-sof-2020 nonsense=1"), "unknown parameter"),
    ],
)
def test_wrong_arguments_are_explained(arguments: tuple[str, ...], said: str) -> None:
    found = lab(*arguments)
    assert found.exit_code == 2
    assert said in found.output
