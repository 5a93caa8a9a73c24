"""The compiled way and the exact way give the same, to the last unit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from honours.errors import InputError
from honours.scoring.columns import ScoredColumns, score_columns
from honours.scoring.kernel import TOWARDS_AVERAGE, by_formula, in_units, sign_sums
from honours.scoring.profiles import profile

Rows = list[tuple[int, int, int, int, int]]


def compiled(rows: Rows, name: str) -> ScoredColumns:
    event, board, ns, ew, points = np.array(rows).reshape(-1, 5).T
    return score_columns(event, board, ns, ew, points, profile(name))


def test_who_could_not_score_is_last_and_not_level_with_all() -> None:
    """Everybody's boards in one event were played once: nothing is possible on them."""
    rows = [(1, 1, 1, 2, 50), (1, 2, 3, 4, 100), (1, 2, 5, 6, -100)]
    columns = compiled(rows, "unfactored")
    assert columns.possible.tolist() == [0, 0, 20, 20, 20, 20]
    assert columns.percentage.tolist() == [0, 0, 10000, 0, 0, 10000]
    assert columns.place.tolist() == [3, 3, 1, 3, 3, 1]
    assert columns.tied.tolist() == [4, 4, 2, 4, 4, 2]


def test_nothing_is_nothing() -> None:
    assert len(compiled([], "ebu").entrant) == 0


def test_refusals() -> None:
    rows = [(1, 1, 1, 2, 50), (2, 1, 1, 2, 50), (1, 1, 3, 4, 50)]
    with pytest.raises(InputError, match="stand together"):
        compiled(rows, "ebu")
    with pytest.raises(InputError, match="stand together"):
        compiled([(1, 1, 1, 2, 50), (1, 2, 1, 2, 50), (1, 1, 3, 4, 50)], "ebu")
    with pytest.raises(InputError, match="does not round"):
        compiled(rows[:1], "compscore-totals")
    with pytest.raises(InputError, match="length"):
        score_columns([1], [1, 2], [1], [2], [50], profile("ebu"))


def test_tenths_are_those_of_the_closed_form() -> None:
    """Deviation p/A in tenths with .05 towards average is sign(p)·((2|p| + A − 1)//(2A))."""
    for expected in range(2, 20):
        for obtained in range(1, expected + 1):
            for total in range(1 - obtained, obtained):
                p = 10 * expected * total
                size = (2 * abs(p) + obtained - 1) // (2 * obtained)
                above, below = by_formula(total, expected, obtained, 2, False)
                ours = in_units(above, below, 2 * (expected - 1), 10, TOWARDS_AVERAGE)
                assert ours == 10 * (expected - 1) + (size if p >= 0 else -size)


def _groups(seed: int, size: int, scores: list[int]) -> Rows:
    """One event of two boards of ``size`` results each, and a third that is short of one."""
    rng = np.random.default_rng(seed)
    return [
        (1, board, t, size + t, int(rng.choice(scores)))
        for board, here in ((1, size), (2, size), (3, size - 1))
        for t in range(here)
    ]


# As plain Python the largest boards take minutes, and one of them reaches every line.
LARGE = [201] if os.environ.get("NUMBA_DISABLE_JIT") == "1" else [129, 201, 260]


@pytest.mark.parametrize("size", [2, 16, 17, 32, 33, *LARGE])
@pytest.mark.parametrize("scores", [[-100, 0, 50, 420, 430], [-7, 0, 3, 4, 20000, -20000]])
def test_every_size_of_board_compares_as_the_kernel_does(size: int, scores: list[int]) -> None:
    """Lanes of 16 and 32, counting on large boards, and tables of every width."""
    rows = _groups(size, size, scores)
    columns = compiled(rows, "ebu")
    for board in (1, 2, 3):
        at = [i for i, row in enumerate(rows) if row[1] == board]
        made = [rows[i][4] for i in at]
        sums = [0] * len(made)
        sign_sums(made, 0, len(made), sums)
        for i, total in zip(at, sums, strict=True):
            above, below = by_formula(total, size, len(made), 2, False)
            expected = in_units(above, below, 2 * (size - 1), 10, TOWARDS_AVERAGE)
            assert columns.ns_matchpoints[i] == expected
    ratios = [
        Fraction(int(p), int(q)) for p, q in zip(columns.points, columns.possible, strict=True)
    ]
    assert columns.place.tolist() == [1 + sum(o > r for o in ratios) for r in ratios]
    assert columns.tied.tolist() == [ratios.count(r) for r in ratios]


def test_large_fields_need_wider_matchpoints() -> None:
    """Tops above 32,767 tenths do not fit 16 bits."""
    rows = [(1, 1, t, 2000 + t, 10 * t) for t in range(2000)]
    columns = compiled(rows, "ebu")
    assert columns.ns_matchpoints.max() == 20 * 1999
    assert columns.place[columns.entrant == 1999] == 1


def test_a_board_of_more_scores_than_any_table_holds() -> None:
    """2,050 scores that all differ: two points, twenty tenths, for each that is beaten."""
    size = 2050
    rows = np.array([(1, 1, t, size + t, 10 * t) for t in range(size)]).T
    kinds = (np.int32, np.uint8, np.uint16, np.uint16, np.int16)
    event, board, ns, ew, made = (
        column.astype(kind) for column, kind in zip(rows, kinds, strict=True)
    )
    columns = score_columns(event, board, ns, ew, made, profile("ebu"))
    assert columns.ns_matchpoints.tolist() == [20 * t for t in range(size)]


def test_an_event_of_more_entrants_than_results() -> None:
    """A hundred results of two hundred entrants: everybody played once."""
    rows = [(1, 1, 2 * t, 2 * t + 1, 10 * t) for t in range(100)]
    columns = compiled(rows, "ebu")
    assert columns.place.tolist() == [p for t in range(100) for p in (199 - 2 * t, 2 * t + 1)]
    assert set(columns.tied.tolist()) == {2}


def _placed_by_ratio(columns: ScoredColumns) -> None:
    pairs = zip(columns.points.tolist(), columns.possible.tolist(), strict=True)
    ratios = [Fraction(p, q) for p, q in pairs]
    order = sorted(ratios, reverse=True)
    assert columns.place.tolist() == [1 + order.index(r) for r in ratios]
    count = Counter(ratios)
    assert columns.tied.tolist() == [count[r] for r in ratios]


@pytest.mark.parametrize("tables", [3, 20, 70, 600])
def test_places_are_by_the_ratio_where_percentages_are_the_same(tables: int) -> None:
    """Some did not play every board, so that two ratios may differ by less than a percentage
    shows; compared in lanes, and above 200 entrants counted."""
    random = Random(tables)
    rows = [
        (1, board, t, tables + (t + board) % tables, random.choice([-50, 0, 50, 420]))
        for board in range(1, 11)
        for t in range(tables)
        if random.random() > 0.1
    ]
    columns = compiled(rows, "ebu")
    _placed_by_ratio(columns)
    if tables == 600:
        shown = dict(zip(columns.percentage.tolist(), columns.place.tolist(), strict=True))
        assert len(shown) < len(set(columns.place.tolist()))


@pytest.mark.parametrize("size", [40, 250])
def test_large_numbers_are_ranked_by_multiplying_across(size: int) -> None:
    unit = replace(profile("ebu"), unit=Fraction(1, 10**6))
    event, board, ns, ew, points = np.array(_groups(4, size, [-100, 0, 50, 420])).T
    fine = score_columns(event, board, ns, ew, points, unit)
    assert fine.possible.max() > 2**27
    _placed_by_ratio(fine)


def test_order_and_types_change_nothing() -> None:
    """Events and boards that stand together but do not rise, numbers of any type."""
    rows = _groups(7, 9, [0, 50, 100])
    turned = [(2, *row[1:]) for row in rows if row[1] == 3] + [
        (2, *row[1:]) for row in rows if row[1] < 3
    ]
    straight, other = compiled(rows, "ebu"), compiled([*turned, *rows], "ebu")
    assert other.points[: len(straight.points)].tolist() == straight.points.tolist()
    assert other.place[len(straight.place) :].tolist() == straight.place.tolist()
    far = [
        (row[0] + 2**40, row[1] + 1000, row[2] + 70_000, row[3] + 70_000, row[4] * 1000)
        for row in rows
    ]
    assert compiled(far, "ebu").points.tolist() == straight.points.tolist()


def test_totals_alone() -> None:
    rows = _groups(5, 12, [0, 50, 100])
    event, board, ns, ew, points = np.array(rows).T
    whole = compiled(rows, "acbl")
    totals = score_columns(event, board, ns, ew, points, profile("acbl"), matchpoints=False)
    assert len(totals.ns_matchpoints) == 0
    assert totals.points.tolist() == whole.points.tolist()


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from honours.scoring import columns as module

    rows = [(n, *row[1:]) for n in range(40) for row in _groups(n, 7, [0, 50, 100])]
    monkeypatch.setenv("HONOURS_THREADS", "1")
    one = compiled(rows, "ebu")
    monkeypatch.setenv("HONOURS_THREADS", "3")
    monkeypatch.setattr(module, "_ROWS_A_CHUNK", 50)
    three = compiled(rows, "ebu")
    for name in ("ns_matchpoints", "points", "event", "place", "percentage"):
        assert (getattr(one, name) == getattr(three, name)).all()


def test_without_compilation_the_same_comes_out() -> None:
    """The loops as plain Python, lanes and all."""
    rows = _groups(3, 21, [-50, 0, 50, 420])
    code = f"""
import numpy as np
from honours.scoring.columns import score_columns
from honours.scoring.profiles import profile
columns = score_columns(*np.array({rows!r}).T, profile("ebu"))
print(columns.ns_matchpoints.tolist(), columns.points.tolist(), columns.place.tolist())
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    columns = compiled(rows, "ebu")
    expected = (columns.ns_matchpoints, columns.points, columns.place)
    assert plain.stdout.strip() == " ".join(str(c.tolist()) for c in expected)
