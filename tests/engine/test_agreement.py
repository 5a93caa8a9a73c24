"""A sample of `benchmarks.distinct --agree`: both ways on events that are all different."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.distinct import book_of, differing, exact_amounts
from honours.engine.columns.award import ColumnAwards, award_columns
from honours.engine.columns.batch import Batch
from honours.engine.rulebook import Rulebook
from honours.model import Field
from tests.engine.random_books import differences


@pytest.mark.parametrize("name", ["acbl-general", "a user's own"])
def test_both_ways_agree_on_distinct_events(name: str) -> None:
    compared = differing(name, 12, seed=3, entrants=600)
    assert compared.events >= 12
    assert compared.entrants >= 600
    assert compared.different == 0


def test_numbers_that_no_way_can_award_by_are_drawn_again_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A divisor that an amendment made 0 is no comparison."""
    monkeypatch.setattr("benchmarks.distinct._AT_ONCE", 3)
    broken = book_of("a user's own")

    def fails(book: Rulebook, field: Field) -> list[Fraction] | None:
        if book is broken:
            raise ZeroDivisionError("an amended number is 0")
        return exact_amounts(book, field)

    def never(book: Rulebook, batch: Batch) -> ColumnAwards:
        if book is broken:
            raise ZeroDivisionError("an amended number is 0")
        return award_columns(book, batch)

    monkeypatch.setattr("benchmarks.distinct.book_of", lambda _: broken)
    monkeypatch.setattr("benchmarks.distinct.award_columns", never)
    monkeypatch.setattr("benchmarks.distinct.amended", lambda book, _: replace(book))
    monkeypatch.setattr("benchmarks.distinct.exact_amounts", fails)
    compared = differing("a user's own", 3, seed=3)
    assert (compared.events, compared.drawn_again, compared.different) == (3, 1, 0)
    monkeypatch.setattr("benchmarks.distinct.exact_amounts", exact_amounts)
    compared = differing("a user's own", 3, seed=3)
    assert compared.drawn_again == 0
    assert compared.different == compared.entrants


@pytest.mark.parametrize("seed", range(12))
def test_both_ways_agree_on_rulebooks_drawn_at_random(tmp_path: Path, seed: int) -> None:
    assert list(differences(seed, tmp_path)) == []
