"""Victory points: the WBF's continuous scale and tables from files."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.model import Citation, Step
from honours.scoring.victory_points import Band, ScaleTable, TableScale, WbfContinuous, read_scale

SCALE = WbfContinuous()


# --- tables ---------------------------------------------------------------------------------

TOML = """
title = "Tuesday league"
[[tables]]
boards = [6, 8]
bands = [[1, 10, 10], [4, 11.5, 8.5], ["more", 12, 8]]
[[tables]]
boards = 12
bands = [[3, 10, 10], ["", 15, "5"]]
"""
CSV = "boards,up_to,winner,loser\n6-8,1,10,10\n6-8,4,11.5,8.5\n6-8,,12,8\n12,3,10,10\n12,,15,5\n"


@pytest.mark.parametrize(("name", "text"), [("a.toml", TOML), ("a.csv", CSV)])
def test_a_table_from_a_file(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    scale = read_scale(path)
    worth = {(0, 6): 10, (1, 8): 10, (-1, 8): 10, (2, 7): Fraction(23, 2), (-4, 7): Fraction(17, 2)}
    worth |= {(5, 6): 12, (-40, 6): 8, (3, 12): 10, (4, 12): 15, (-4, 12): 5}
    got = {key: scale.victory_points(Fraction(key[0]), key[1]) for key in worth}
    assert got == worth
    # A weighted board's half IMP is rounded before it is looked up.
    assert scale.victory_points(Fraction(7, 2), 12) == 15
    assert "up to 4 over 7 boards" in scale.why(Fraction(2), 7).working
    with pytest.raises(InputError, match="no table for matches of 9 boards"):
        scale.victory_points(Fraction(0), 9)


def test_no_margin_is_worth_more_than_all() -> None:
    """Just beyond 15√n, which only a weighted score can be."""
    assert SCALE.victory_points(Fraction("15.03"), 1) == 20
    assert SCALE.victory_points(Fraction("-15.03"), 1) == 0


def test_half_an_imp_ahead_is_ahead() -> None:
    won, lost = (SCALE.victory_points(margin, 8) for margin in (Fraction(1, 2), Fraction(-1, 2)))
    assert SCALE.victory_points(Fraction(1), 8) > won > 10 > lost
    one, two, none = Fraction(1), Fraction(2), Fraction(0)
    fine = TableScale(
        "Ours", (ScaleTable((Band(none, one, one), Band(None, two, none))),), Fraction(1, 2)
    )
    for margin, points in ((Fraction(1, 2), 2), (Fraction(-1, 2), 0)):
        assert fine.victory_points(margin, 8) == fine.why(margin, 8).value == points


def test_a_scale_explains_itself() -> None:
    assert SCALE.why(Fraction(-15), 1) == Step(
        "victory points",
        Fraction(0),
        "0.00",
        "rule",
        "WBF continuous scale",
        "20 − (10 + 10·(1 − τ^(3m/b)) / (1 − τ³), at most 20; b = 15√n, τ = (√5 − 1)/2)",
        "m = 15, n = 1",
        "the winner's to 0.01, half up",
        Citation("WBF continuous victory points"),
    )
    assert SCALE.why(Fraction(0), 4).formula.startswith("10 + 10")
    one, two, none = Fraction(1), Fraction(2), Fraction(0)
    scale = TableScale(
        "Ours", (ScaleTable((Band(none, one, one), Band(None, two, none))),), Fraction(2)
    )
    assert scale.why(Fraction(-3), 6) == Step(
        "victory points",
        none,
        "0.00",
        "rule",
        "Ours",
        "the scale's band for the margin",
        "any larger margin over 6 boards: 2 to 0",
        "the margin to 2, half away from zero",
        Citation("Ours"),
    )
    drawn = scale.why(Fraction(1, 2), 6)
    assert (drawn.shown, drawn.working) == ("1.00", "margins up to 0 over 6 boards: 1 to 1")
    assert scale.why(none, 6).value == scale.victory_points(none, 6) == 1


def test_a_match_needs_a_board() -> None:
    with pytest.raises(InputError, match=r"^a match of 0 boards has no victory points$"):
        SCALE.victory_points(Fraction(1), 0)
    assert SCALE.victory_points(Fraction(15), 1) == 20
    assert SCALE.victory_points(Fraction(5), 1) == 15


@pytest.mark.parametrize(
    ("bands", "wrong"),
    [
        ([], ["the last band, and only the last, must be open"]),
        ([(None, 1, 1), (None, 2, 0)], ["the last band, and only the last, must be open"]),
        ([(0, 1, 1), (0, 1, 1), (None, 2, 0)], ["margins must rise from 0"]),
        ([(-1, 1, 1), (None, 2, 0)], ["margins must rise from 0"]),
        (
            [(0, 1, 1), (3, 1, 1), (None, 1, 2)],
            [
                "a larger margin than 3 must not be worth less",
                "the winner must not get less than the loser",
            ],
        ),
        ([(0, 2, 2), (None, 1, 1)], ["a larger margin than 0 must not be worth less"]),
        ([(0, 2, 1), (None, 2, 1)], ["a draw must be worth the same to both sides"]),
        ([(0, 1, 1), (None, 1, 1)], []),
    ],
)
def test_what_is_wrong_with_bands(
    bands: list[tuple[int | None, int, int]], wrong: list[str]
) -> None:
    table = ScaleTable(
        tuple(
            Band(None if limit is None else Fraction(limit), Fraction(winner), Fraction(loser))
            for limit, winner, loser in bands
        )
    )
    assert table.problems() == wrong


def test_how_long_a_match_a_table_is_for() -> None:
    table = ScaleTable((), 6, 8)
    assert [table.covers(n) for n in (5, 6, 8, 9)] == [False, True, True, False]
    assert ScaleTable((), 6).covers(99)
    with pytest.raises(InputError, match=r"^Ours has no table for matches of 9 boards$"):
        TableScale("Ours", (table,)).victory_points(Fraction(0), 9)
