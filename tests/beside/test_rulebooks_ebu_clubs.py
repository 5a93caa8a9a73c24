"""Compared with real files beside the repository: rulebooks ebu clubs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from honours.errors import InputError
from honours.pipeline import awarded, ranked, read_account
from honours.pipeline.options import chosen_options
from honours.rulebooks import load
from tests.support import shared


def _real(path: str) -> Any:
    choices = chosen_options({"order": "published"})
    return ranked(read_account(shared(f"real/usebio/{path}")), choices)


@pytest.mark.parametrize(
    ("file", "first"),
    [("multi-section.xml", 72), ("usebio-and-pbn.xml", 24), ("multiple-teams.xml", 40)],
)
def test_real_files_are_paid_as_their_programs_paid_them(file: str, first: int) -> None:
    awards = awarded(_real(file), load("ebu-clubs"), {"scale": "A"}).awards
    assert awards is not None
    schedule = awards.lists[0].schedule
    assert next(a.amount for a in schedule if a.amount) == Fraction(first)


def test_the_scale_is_asked_for() -> None:
    with pytest.raises(InputError, match="scale"):
        awarded(_real("multi-section.xml"), load("ebu-clubs"), {})
