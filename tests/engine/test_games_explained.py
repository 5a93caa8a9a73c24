"""An explanation of what games pay says which game a figure is of."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from honours.engine.award import award
from honours.engine.exact.explanation import explain
from honours.model import Field
from tests.engine.test_sayable import elo, rated


def test_the_explanation_names_the_games(tmp_path: Path) -> None:
    standings = (rated(1, 1500, (2, "1")), rated(2, 1500, (1, "0")))
    answer = award(elo(tmp_path), Field({"entrants": Fraction(2)}, standings))
    total = answer.schedule[0].why.uses[0]
    assert total.about == "sum of gain over 1 games"
    assert total.parts == (("game 1 of P1, against P2", "16"),)


def test_in_short_a_figure_of_one_game_says_of_which(tmp_path: Path) -> None:
    standings = (
        rated(1, 1500, (2, "1"), (3, "1/2")),
        rated(2, 1700, (1, "0")),
        rated(3, 1500, (1, "1/2")),
    )
    answer = award(elo(tmp_path), Field({"entrants": Fraction(3)}, standings))
    short, full = explain(answer.schedule[0]).split("In full:")
    lines = [line for line in short.splitlines() if " = " in line]
    of_games = [line for line in lines if line.strip().startswith(("gain", "expected"))]
    assert of_games
    for line in of_games:
        assert " in game 1 of P1, against P2 = " in line
    assert "gain in game 1 of P1, against P2 = " in full
    assert "game 2 of P1, against P3" in full
