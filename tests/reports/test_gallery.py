"""Rulebooks side by side: the same field, told to each in its own words."""

from __future__ import annotations

import json

from click.testing import CliRunner

import honours
from honours.cli import cli
from honours.reports.gallery import sample
from honours.reports.views import rulebook_line
from honours.rulebooks import load
from tests.support import ROOT


def test_what_a_rulebook_asks_is_answered_by_its_own_example() -> None:
    english = sample(load("ebu-clubs"), 18)
    assert (english.first(3), dict(english.given)) == ("36 30 24", {"scale": "A"})
    assert sample(load("ebu-clubs"), 18, "1-2").first(2) == "33 33"


def test_what_cannot_be_paid_says_why() -> None:
    small = sample(load("sbu-clubs-2016"), 4)
    assert small.first(1) == ""
    assert "complete tables" in small.problem


def test_the_command_shows_all_side_by_side() -> None:
    run = CliRunner().invoke(cli, ["rulebooks", "--gallery", "--json"])
    assert run.exit_code == 0
    tables = json.loads(run.stdout)
    assert set(tables) == {"format", "rulebooks", "first-place", "strength", "same-event"}
    paid = {row["id"]: row["awards"] for row in tables["same-event"]}
    assert paid["sbu-clubs-2016"] == paid["ebu-clubs"] == "36 30 24 18 12 6"
    strength = {row["id"]: row for row in tables["strength"]}
    assert strength["aga-category"]["by_example"] == "7.93: 11.8"
    assert "ebu-clubs" not in strength
    standings = {row["id"]: row["standing"] for row in tables["rulebooks"]}
    assert standings["acbl-sof-2020"] == "proposed"


def test_a_document_says_what_its_rulebook_is_worth() -> None:
    report = honours.score(honours.read(ROOT / "examples" / "tuesday.csv"))
    computed = honours.award(report, "ebu-clubs", {"scale": "A"}, as_usual=True)
    assert str(rulebook_line(computed)).endswith("; as a program computes it")
