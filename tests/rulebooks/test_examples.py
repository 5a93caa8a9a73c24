"""Every rulebook: its examples both ways of running, and the lint. Presence is registration."""

from __future__ import annotations

import pytest

from honours.engine.rulebook.examples import differences, examples, run
from honours.engine.rulebook.lint import column_differences, lint
from honours.rulebooks import ids, load, revisions
from tests.support import ROOT

OWN = (ROOT / "examples" / "rulebooks",)
ALL = ids(OWN)
OLDER = [f"{name}@{number}" for name in ids() for number in revisions(name)[:-1]]
"""Revisions that were released before the newest: awards of then are still derived by them."""


def test_the_five_rulebooks_and_the_worked_example_are_here() -> None:
    assert set(ALL) >= {
        "acbl-general",
        "acbl-sof-2011",
        "acbl-sof-2020",
        "aga-category",
        "sbu-clubs-2016",
        "village-cup",
    }


@pytest.mark.parametrize("rulebook_id", [*ALL, *OLDER])
def test_examples_come_out_exactly(rulebook_id: str) -> None:
    book = load(rulebook_id, OWN)
    by_name = {e.name: differences(e, run(book, e)) for e in examples(book)}
    assert {name: wrong for name, wrong in by_name.items() if wrong} == {}


@pytest.mark.parametrize("rulebook_id", ALL)
def test_examples_come_out_the_same_in_columns(rulebook_id: str) -> None:
    book = load(rulebook_id, OWN)
    assert list(column_differences(book, list(examples(book)))) == []


@pytest.mark.parametrize("rulebook_id", ALL)
def test_lint_finds_nothing(rulebook_id: str) -> None:
    assert lint(load(rulebook_id, OWN)) == []


@pytest.mark.parametrize("rulebook_id", ALL)
def test_every_example_says_where_it_is_from(rulebook_id: str) -> None:
    for example in examples(load(rulebook_id, OWN)):
        assert bool(example.published) != bool(example.ours), example.name
        assert bool(example.printed) == bool(example.reason), example.name


@pytest.mark.parametrize("rulebook_id", ALL)
def test_the_readme_says_what_it_covers_refuses_and_chooses(rulebook_id: str) -> None:
    book = load(rulebook_id, OWN)
    assert "overs" in book.readme
    assert "efuse" in book.readme
