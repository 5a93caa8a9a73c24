"""A short random history on each database; `tests.ledger.histories` makes long ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.ledger import members
from honours.ledger.store import Ledger, create_ledger
from tests.ledger.histories import run


def test_a_random_history_is_what_its_model_says(ledger: Ledger) -> None:
    counts = run(ledger, seed=5, steps=120, every=60)
    assert counts.total() == 120


def test_a_model_that_differs_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the test above is of something."""
    monkeypatch.setattr(members, "recount", lambda *_: None)
    with pytest.raises(AssertionError, match="step"):
        run(create_ledger(str(tmp_path / "ledger.db")), seed=5, steps=60, every=20)
