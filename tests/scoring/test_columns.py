"""The compiled way and the exact way give the same, to the last unit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.errors import InputError
from honours.model import Event
from honours.scoring import score
from honours.scoring.columns import Columns, score_columns
from honours.scoring.kernel import TOWARDS_AVERAGE, by_formula, in_units
from honours.scoring.profiles import profile
from tests.scoring.events import SCORES, line
from tests.scoring.events import event as event_of

Rows = list[tuple[int, int, int, int, int]]


@st.composite
def corpora(draw: st.DrawFn) -> Rows:
    """A few events of a few boards, with boards short of scores."""
    rows: Rows = []
    for number in range(draw(st.integers(1, 3))):
        tables = draw(st.integers(2, 6))
        for board in range(1, draw(st.integers(2, 4))):
            here = tables if board == 1 else draw(st.integers(2, tables))
            rows += [(number, board, t, tables + t, draw(SCORES)) for t in range(here)]
    return rows


def exact_events(rows: Rows) -> list[Event]:
    numbers = dict.fromkeys(row[0] for row in rows)
    return [
        event_of(
            line(board, f"{ns}", f"{ew}", points)
            for number, board, ns, ew, points in rows
            if number == wanted
        )
        for wanted in numbers
    ]


def compiled(rows: Rows, name: str) -> Columns:
    event, board, ns, ew, points = np.array(rows).reshape(-1, 5).T
    return score_columns(event, board, ns, ew, points, profile(name))


@settings(max_examples=60)
@given(corpora(), st.sampled_from(["ebu", "ebuscore", "acbl", "compscore", "unfactored"]))
def test_exact_equals_compiled(rows: Rows, name: str) -> None:
    columns, unit = compiled(rows, name), profile(name).unit
    boards = [board for one in exact_events(rows) for board in score(one, name).boards]
    lines = [x for board in boards for x in board.lines]
    assert [x.ns.points for x in lines if x.ns] == [x * unit for x in columns.ns_matchpoints]
    assert [x.ew.points for x in lines if x.ew] == [x * unit for x in columns.ew_matchpoints]


@settings(max_examples=40)
@given(corpora(), st.sampled_from(["ebu", "acbl"]))
def test_totals_and_places_equal_too(rows: Rows, name: str) -> None:
    columns, unit = compiled(rows, name), profile(name).unit
    place = 0
    for number, one in enumerate(exact_events(rows)):
        scored = score(replace(one, winners=1), name)
        for standing in sorted(scored.rankings[0].standings, key=lambda s: int(s.entrant.id)):
            assert standing.score is not None
            assert columns.event[place] == number
            assert columns.entrant[place] == int(standing.entrant.id)
            assert columns.points[place] * unit == standing.facts["points"]
            assert columns.boards[place] == standing.facts["boards_played"]
            assert (columns.place[place], columns.tied[place]) == (standing.place, standing.tied)
            assert columns.percentage[place] == int(standing.score * 100 + Fraction(1, 2))
            place += 1
    assert place == len(columns.entrant)


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
