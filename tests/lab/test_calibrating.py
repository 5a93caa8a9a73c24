"""Calibrating does not dwell on values with which a rule cannot be worked out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from honours.errors import InputError
from honours.lab import calibrate, shard_awards, sweep, tallies
from honours.lab.corpus import Corpus
from honours.lab.fields import award_whole
from honours.lab.sides import Side
from honours.lab.tallies import EventTotals, event_totals
from honours.rulebooks import load
from tests.lab.histories import history, imported

BOOK = load("acbl-sof-2020")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A short history."""
    folder = tmp_path_factory.mktemp("short")
    return imported(folder, history(24)).corpus


def test_a_rule_that_fails_in_a_few_events_is_not_tried_on_all(
    short: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values ten times as large leave the root of a negative number in every event: each of them
    was looked at the exact way, which took minutes a value for a history of 2,000."""
    assert event_totals(short, [BOOK.amend(first_coefficient="20")]).spoilt == 24
    tried: list[int] = []

    def told(corpus: Corpus, sides: Sequence[Side], on: str) -> EventTotals:
        totals = event_totals(corpus, sides, on=on)
        tried.append(totals.spoilt)
        return totals

    monkeypatch.setattr(calibrate, "event_totals", told)
    monkeypatch.setattr(tallies, "_TRIED", 3)
    found = short.calibrate(BOOK, ["first_coefficient"], 10.0**9)
    assert not found.values["met"]
    assert max(tried) < 24
    assert event_totals(short, [BOOK.amend(found.values["parameters"])]).spoilt == 0


def test_a_value_that_fails_everywhere_is_left_out_of_a_sweep_and_named(
    short: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def told(corpus: Corpus, sides: Sequence[Side], *more: Any) -> EventTotals:
        tried.append(len(sides))
        return event_totals(corpus, sides, *more)

    monkeypatch.setattr(sweep, "event_totals", told)
    swept = short.sweep(BOOK, "first_coefficient", ["1.9", "20"])
    assert tried == [2]
    assert [row["value"] for row in swept.frames[0]] == ["as it is", "1.9"]
    assert swept.data()["failed"] == ["20"]
    assert "with first_coefficient=20 cannot be worked out" in swept.statements[1]
    with pytest.raises(InputError, match="first_coefficient=20 cannot be worked out in any"):
        short.sweep(BOOK, "first_coefficient", ["20"])


def test_events_that_fail_leave_the_others_to_columns(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one = 0

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal one_by_one
        one_by_one += 1
        return award_whole(*arguments, **named)

    monkeypatch.setattr(shard_awards, "award_whole", counted)
    totals = event_totals(corpus, [BOOK.amend(first_coefficient="8")])
    assert totals.spoilt
    assert totals.events > one_by_one
