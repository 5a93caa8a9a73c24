"""What files published against ours: every figure of the real ones agrees or has its reason."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.demo import file
from honours.errors import InputError
from honours.model import Event
from honours.pipeline import read_accounts
from honours.pipeline.checking.scores import check_scores


def events(path: Path) -> list[Event]:
    return [account.event for account in read_accounts(path)]


def demo() -> list[Event]:
    return events(Path(str(file("published.csv"))))


def test_factoring_is_said_board_by_board() -> None:
    checked = check_scores(demo(), "ebu")
    assert checked.best_profile == "unfactored"
    assert (checked.lines, checked.agree) == (18, 12)
    whys = {d.why for d in checked.differences}
    assert any(
        why.startswith("factoring: the board has 2 of 3 scores and was left so") for why in whys
    )


def published(event: Event, name: str, value: str) -> Event:
    """The event with one pair's total published so."""
    first, *rest = event.entrants
    changed = replace(first, published={name: Fraction(value)})
    return replace(event, entrants=(changed, *rest))


def test_a_penalty_in_the_total_is_told_from_what_its_lines_give() -> None:
    [event] = demo()
    checked = check_scores([published(event, "total_score", "1.00")], "unfactored")
    [difference] = checked.differences
    assert difference.where.endswith("total score")
    assert difference.why.startswith("penalties: its lines all agree, and the total has")


def test_a_file_that_publishes_nothing_says_so() -> None:
    with pytest.raises(InputError, match="publishes no points, percentages or places"):
        check_scores(events(Path(str(file("tuesday.csv")))))


def test_the_command_prints_exactly_these_keys() -> None:
    path = str(file("published.csv"))
    result = CliRunner().invoke(cli, ["score", path, "--check", "--json", "--profile", "ebu"])
    data = json.loads(result.output)
    assert list(data) == ["format", "lines", "agree", "best_profile", "differences"]
    assert data["best_profile"] == "unfactored"
    assert all(list(d) == ["where", "published", "ours", "why"] for d in data["differences"])
    text = CliRunner().invoke(cli, ["score", path, "--check"]).output
    assert text.startswith("18 of 18 published figures agree with unfactored; the next: ebu 12")
