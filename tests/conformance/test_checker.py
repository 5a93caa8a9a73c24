"""The checker itself, against figures the sources print, so that its agreement means something."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import generator
from tests.conformance.checker_boards import datum, matchpoints, rounded
from tests.conformance.checker_scores import contract_score, imps, vulnerable, wbf_victory_points

HERE = Path(__file__).parent
INDEPENDENT = sorted([*HERE.glob("checker*.py"), *HERE.glob("generator*.py")])
TENTH = Fraction(1, 10)


def lines(*scores: int, version: str = "") -> list[dict[str, Any]]:
    return [{"board": 1, "score": score, "version": version} for score in scores]


def north_south(board: list[dict[str, Any]], most: int, **settings: Any) -> list[str]:
    given = matchpoints(board, most, {"profile": "ebu"} | settings)
    return [f"{float(side['ns'].points or 0):.1f}" for side in given]


@pytest.mark.parametrize("path", INDEPENDENT, ids=lambda path: path.name)
def test_nothing_of_the_product_is_imported(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert not [name for name in names if name.split(".")[0] == "honours"]


def test_the_ebu_example_of_seven_and_three() -> None:
    board = lines(*range(700, 0, -100)) + lines(30, 20, 10, version="fouled")
    assert north_south(board, 10)[:7] == ["17.6", "14.7", "11.9", "9.0", "6.1", "3.3", "0.4"]
    assert north_south(board, 10)[7:] == ["15.7", "9.0", "2.3"]


def test_the_ebu_example_of_nine_out_of_ten() -> None:
    nine = ["17.9", "15.7", "13.4", "11.2", "9.0", "6.8", "4.6", "2.3", "0.1"]
    assert north_south(lines(*range(900, 0, -100)), 10) == nine


def test_the_simplified_alternative_keeps_the_total() -> None:
    simple = north_south(lines(*range(900, 0, -100)), 10, simplified=True)
    assert [float(x) for x in simple] == [17, 15, 13, 11, 9, 7, 5, 3, 1]
    assert sum(map(float, simple)) == 81


@pytest.mark.parametrize(
    ("value", "half", "expected"),
    [
        ("35/100", "average", "4/10"),
        ("1765/100", "average", "176/10"),
        ("1765/100", "up", "177/10"),
    ],
)
def test_rounding_of_a_half(value: str, half: str, expected: str) -> None:
    assert rounded(Fraction(value), TENTH, half, Fraction(9)) == Fraction(expected)


@pytest.mark.parametrize(
    ("board", "contract", "tricks", "score"),
    [
        (1, "4S0N", 10, 420),
        (2, "4S0N", 10, 620),
        (2, "4S0E", 9, 50),
        (4, "3N1W", 5, 1100),
        (1, "7N2S", 13, 2280),
        (2, "7N2S", 13, 2980),
        (1, "1C2N", 13, 1430),
        (1, "2H1S", 8, 470),
        (4, "1N0E", 7, -90),
        (1, "7N2N", 0, -7000),
        (2, "7N2N", 0, -7600),
    ],
)
def test_contracts_everyone_knows(board: int, contract: str, tricks: int, score: int) -> None:
    fields = {
        "level": int(contract[0]),
        "denomination": contract[1],
        "doubled": int(contract[2]),
        "declarer": contract[3],
    }
    assert contract_score(board, fields, tricks) == score


def test_vulnerability_of_the_sixteen() -> None:
    sides = ["".join(seat for seat in "NE" if vulnerable(board, seat)) for board in range(1, 17)]
    assert [side.replace("NE", "A") or "-" for side in sides] == list("-NEANEA-EA-NA-NE")
    assert vulnerable(17, "N") == vulnerable(1, "N")
    assert vulnerable(18, "N") == vulnerable(2, "N")


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(0, 0), (10, 0), (20, 1), (-50, -2), (420, 9), (430, 10), (3990, 23), (4000, 24)],
)
def test_imps(difference: int, expected: int) -> None:
    assert imps(difference) == expected


@pytest.mark.parametrize(("margin", "winner"), [(0, 10), (20, 15), (60, 20), (61, 20)])
def test_victory_points_of_the_wbf(margin: int, winner: int) -> None:
    assert wbf_victory_points(margin, 16) == (Fraction(winner), Fraction(20 - winner))


def test_datum_without_the_extremes() -> None:
    scores = [Fraction(x) for x in (-1000, 420, 420, 450, 980)]
    assert datum(scores, {"trim": 1, "unit": 10}) == 430
    assert datum([Fraction(5)], {"trim": 1, "unit": 10}) == 10
    assert datum([Fraction(-5)], {"trim": 1, "unit": 10}) == -10


def test_events_are_the_same_for_the_same_seed() -> None:
    for number in range(len(generator.KINDS)):
        assert generator.generate(5, number) == generator.generate(5, number)
        assert generator.generate(5, number) != generator.generate(6, number)
