"""Compared with real files beside the repository: scoring club night."""

from __future__ import annotations

import sys
from collections.abc import Callable

from honours.pipeline import read_account
from honours.reports.standings import scored_text
from honours.scoring import score
from tests.support import shared


def calls_of(work: Callable[[], object]) -> int:
    """How many functions a piece of work calls: what it takes, on a busy machine as on a quiet
    one."""
    calls = 0

    def count(_frame: object, event: str, _about: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def test_a_club_night_takes_few_steps() -> None:
    """Reading, scoring and printing 12 tables, which takes some 40 ms; half as much again would be
    noticed."""
    path = str(shared("real/bws/12-tables-1-section.bws"))

    def night() -> str:
        account = read_account(path)
        return scored_text(score(account.event), account.rulings)

    assert "24" in night()
    assert calls_of(night) < 320_000
