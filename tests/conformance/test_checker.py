"""The checker itself, against figures the sources print, so that its agreement means something."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conformance import generator
from tests.conformance.checker_boards import matchpoints

HERE = Path(__file__).parent
INDEPENDENT = sorted([*HERE.glob("checker*.py"), *HERE.glob("generator*.py")])


@pytest.mark.parametrize("path", INDEPENDENT, ids=lambda path: path.name)
def test_nothing_of_the_product_is_imported(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert not [name for name in names if name.split(".")[0] == "honours"]


def test_the_ebu_example_of_seven_and_three() -> None:
    """As printed, so that where the scorer agrees it is not with another reading of the rules."""
    scores = [(score, "") for score in range(700, 0, -100)]
    scores += [(score, "fouled") for score in (30, 20, 10)]
    board = [{"board": 1, "score": score, "version": version} for score, version in scores]
    given = matchpoints(board, 10, {"profile": "ebu"})
    points = [f"{float(side['ns'].points or 0):.1f}" for side in given]
    assert points[:7] == ["17.6", "14.7", "11.9", "9.0", "6.1", "3.3", "0.4"]
    assert points[7:] == ["15.7", "9.0", "2.3"]


def test_events_are_the_same_for_the_same_seed() -> None:
    for number in range(len(generator.KINDS)):
        assert generator.generate(5, number) == generator.generate(5, number)
        assert generator.generate(5, number) != generator.generate(6, number)
