"""Whom an explanation names, where the best of a field count."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.engine.award import award
from tests.engine.test_sayable import BEST, BEST_RULES, IMPORTS, ranked, write


def test_the_best_are_named_wherever_they_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honours.engine.exact.working._SHOWN_PARTS", 2)
    field = ranked((25, (9,)), (15, (8,)), (5, (1,)), (0, (2,)))
    why = award(write(tmp_path, BEST, IMPORTS + BEST_RULES), field).schedule[0].why
    (value,) = (step for step in why.uses if step.name == "value")
    best = value.uses[0]
    assert best.parts == (("3.0", "2"), ("4.0", "1.5"))
    assert best.uses[0].about == "What a player brings. Here of 3.0."
