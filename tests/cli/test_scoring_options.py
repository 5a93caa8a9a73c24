"""How results are scored is said alike to score, award, convert, site and pdf."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from tests.support import ROOT

TUESDAY = ROOT / "examples/tuesday.csv"
EVENTS = """event,board,ns,ew,score
Monday,1,1,2,50
Monday,1,3,4,-50
Tuesday,1,1,2,-420
Tuesday,1,3,4,450
"""
SBU = ("--as-usual", "--rulebook", "sbu-clubs-2016", "winners=1")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def events(tmp_path: Path) -> Path:
    path = tmp_path / "week.csv"
    path.write_text(EVENTS, encoding="utf-8")
    return path


def options_of(name: str) -> set[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return {word for p in command.params if isinstance(p, click.Option) for word in p.opts}


@pytest.mark.parametrize("name", ["award", "convert", "site", "pdf"])
def test_whatever_score_takes_is_taken(name: str) -> None:
    own = {
        "--against",
        "--check",
        "--explain",
        "--travellers",
        "--scorecards",
        "--matrix",
        "--no-rulings",
        "--json",
        "--csv",
    }
    # Nothing is put into words in a file that is to be read by a program.
    own |= {"--language"} if name == "convert" else set()
    assert options_of("score") - own <= options_of(name)


def test_what_a_file_published_is_compared_by_score_and_award() -> None:
    assert "--check" in options_of("score") & options_of("award")


def test_one_of_several_events_is_scored(events: Path) -> None:
    assert "2 events (Monday, Tuesday)" in run("score", events).output
    by_title, by_number = (run("score", events, "--event", one) for one in ("Tuesday", "2"))
    assert by_title.exit_code == 0, by_title.output
    assert by_title.output == by_number.output
    assert "unknown event" in run("score", events, "--event", "Sunday").output
    monday = run("score", events, "--event", "Monday")
    assert monday.output != by_title.output


def test_award_scores_as_it_is_told() -> None:
    plain = run("award", TUESDAY, *SBU, "--json")
    by_imps = run("award", TUESDAY, *SBU, "--scoring", "cross-imps", "--json")
    assert plain.exit_code == by_imps.exit_code == 0, by_imps.output
    assert plain.output != by_imps.output
    standings = json.loads(run("score", TUESDAY, "--scoring", "cross-imps", "--json").output)
    awarded = json.loads(by_imps.output)
    first = standings["rankings"][0]["standings"][0]
    assert awarded["lists"][0]["schedule"][0]["entrant"] == first["entrant"]


def test_a_switch_and_a_parameter_are_both_set() -> None:
    both = ("--set", "simplified=true", "--set", "decrement.one-winner-pairs=7")
    result = run("award", TUESDAY, *SBU, *both, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["amended"] == {"decrement.one-winner-pairs": "7"}
    unknown = run("convert", TUESDAY, "x.json", "--set", "size_exponent=1")
    assert "no switch of the scoring" in unknown.output
    assert "name it with --rulebook" in unknown.output


def test_a_name_of_both_is_the_rulebooks() -> None:
    book = run("award", TUESDAY, *SBU, "--set", "half=1/4", "--json")
    assert json.loads(book.output)["amended"] == {"half": "1/4"}
    scoring = run("award", TUESDAY, *SBU, "--set", "scoring.half=up", "--json")
    assert json.loads(scoring.output)["amended"] == {}
