"""Arrays and loops over the rows of a shard give the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.lab import row_arrays
from honours.lab.answers import combined
from honours.lab.impossible_seats import seated_once
from honours.lab.word_column import WordColumn
from honours.model import Award, Entrant, Standing, Step
from honours.rulebooks import load
from tests.lab import row_loops

entrants = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 6)), min_size=1, max_size=12)


def _lists(module: Any, events: list[list[tuple[int, int]]]) -> list[Any]:
    """All lists of events, of whose entrants stratum and place are given."""
    many = sum(map(len, events))
    offsets = np.cumsum([0, *map(len, events)])
    strata = np.array([s for event in events for s, _ in event], np.uint8)
    place = np.array([p for event in events for _, p in event], np.uint16)
    rank = np.zeros(4 * len(events), np.uint8)
    of, ends = (np.zeros(4 * len(events) + more, np.int64) for more in (0, 1))
    rows, (places, ties) = np.zeros(4 * many, np.int64), np.zeros((2, 4 * many), np.uint16)
    count, written = module.lists_of_strata(
        (offsets, np.arange(many), place, place + 100),
        (strata, _below(events)),
        (rank, of, ends, rows, places, ties),
        np.zeros((2, 8), np.int64),
    )
    lists, entrants = (rank[:count], of[:count], ends[: count + 1]), (rows, places, ties)
    return [column.tolist() for column in (*lists, *(column[:written] for column in entrants))]


def _below(events: list[list[tuple[int, int]]]) -> Any:
    """The first two are the lines of one event, the others events of one list."""
    below = np.zeros((len(events), 4), np.bool_)
    for k, event in enumerate(events):
        lines = events[:2] if k < 2 else [event]
        there = {s for line in lines for s, _ in line}
        below[k, [s for s in there if s > min(there)]] = True
    return below


@settings(max_examples=100, deadline=None)
@given(st.lists(entrants, min_size=1, max_size=5))
def test_strata_have_the_same_lists(events: list[list[tuple[int, int]]]) -> None:
    assert _lists(row_arrays, events) == _lists(row_loops, events)


def _lined_up(module: Any, tables: list[list[int]]) -> tuple[bool, list[list[int]]]:
    events, of, entrant, player_of, player_entrant = (np.array(t, np.int32) for t in tables)
    offsets = [np.zeros(len(t) + 1, np.int64) for t in (events, of)]
    well = module.lined_up(events, (of, entrant), (player_of, player_entrant), *offsets)
    return well, [o.tolist() for o in offsets] if well else []


@pytest.mark.parametrize("best", [False, True])
def test_who_is_in_two_lists_of_a_batch_is_paid_for_both(best: bool) -> None:
    paid = []
    for module in (row_arrays, row_loops):
        amounts = np.array([5, 0, 7])
        module.pay(amounts, np.array([0, 2, 0, 1]), np.array([9, 1, 3, 4], np.int32), best)
        paid.append(amounts.tolist())
    assert paid[0] == paid[1] == ([9, 4, 7] if best else [17, 4, 8])


WELL = [[1, 4], [1, 1, 4], [0, 2, 0], [1, 1, 1, 4], [0, 0, 2, 0]]


@pytest.mark.parametrize("table", range(5))
@pytest.mark.parametrize("change", [None, "drop", "more", "swap", "twice"])
def test_tables_line_up_or_do_not(table: int, change: str | None) -> None:
    tables = [list(t) for t in WELL]
    column = tables[table]
    if change == "drop":
        column.pop()
    elif change == "more":
        column[-1] += 1
    elif change == "swap":
        column[0], column[-1] = column[-1], column[0]
    elif change == "twice":
        column[0] = column[1]
    if len(tables[1]) == len(tables[2]) and len(tables[3]) == len(tables[4]):
        assert _lined_up(row_arrays, tables) == _lined_up(row_loops, tables)
    if change is None:
        assert _lined_up(row_arrays, tables) == (True, [[0, 2, 3], [0, 2, 3, 4]])


def test_words_are_texts_by_row() -> None:
    words = WordColumn.of(["pairs", "", "teams", "pairs"])
    assert (words == "pairs").tolist() == [True, False, False, True]
    assert (words != "").tolist() == [True, False, True, True]
    assert not (words == "swiss").any()
    assert np.asarray(words[np.array([2, 1])]).tolist() == ["teams", ""]
    assert (words[2], len(words), words.dtype) == ("teams", 4, np.dtype(object))
    both = WordColumn.together([words, WordColumn.of(["swiss", "teams"])])
    assert both.tolist() == ["pairs", "", "teams", "pairs", "swiss", "teams"]
    assert len(both.words) == 4


@pytest.mark.parametrize(("combine", "amount"), [("best", 5), ("sum", 9)])
def test_the_lists_of_an_event_are_combined_as_the_rulebook_says(combine: str, amount: int) -> None:
    book = load("acbl-sof-2020")
    book = replace(book, lists=replace(book.lists, combine=combine))
    one, other = (
        Award(
            Standing(Entrant("1"), 1, 1),
            Fraction(n),
            str(n),
            Step("award", Fraction(n), str(n), "rule"),
        )
        for n in (4, 5)
    )
    award = combined(book, one, other)
    assert award.amount == award.why.value == Fraction(amount)
    assert combined(book, award, one).amount == (5 if combine == "best" else 13)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 12)), max_size=24))
def test_who_sits_twice_is_seen(seats: list[tuple[int, int]]) -> None:
    seats = sorted(seats)
    events, players = (np.array([seat[k] for seat in seats], np.int32) for k in (0, 1))
    for module in (row_arrays, row_loops):
        twice = module.seated_twice(events, players, np.full(13, -1, np.int32))
        assert twice == (len(set(seats)) < len(seats))
    assert seated_once(players, events) == (len(set(seats)) == len(seats))
    assert seated_once(players + 2**30, events) == seated_once(players, events)


def _added_up(module: Any, seed: int, each: bool) -> list[list[Any]]:
    """What a comparison adds up of events drawn at random, some of them left out, in two goes."""
    draw = np.random.default_rng(seed)
    members, groups = 9, (26, 13)
    of_members = [np.zeros(members, np.int64) for _ in range(2)]
    of_members += [np.full(members, 2**62), np.full(members, -1)]
    seen = [np.zeros(members, np.int64) for _ in groups]
    added: list[Any] = []
    for first in (100, 50):  # the shards of a corpus come in any order
        sizes, teams = draw.integers(1, 5, 6), draw.integers(1, 3, 30)
        entrant_offsets = np.append(0, np.cumsum(sizes))
        player_offsets = np.append(0, np.cumsum(teams[: entrant_offsets[-1]]))
        entrants, players = int(entrant_offsets[-1]), int(player_offsets[-1])
        compared = draw.random(6) < 0.7
        rows: tuple[Any, ...] = (compared, np.arange(first, first + 6, dtype=np.int32))
        rows += (entrant_offsets, player_offsets, draw.integers(0, 3, entrants).astype(np.uint8))
        rows += (draw.integers(0, members, players).astype(np.int32),)
        rows += (draw.choice([-(2**31), 0, 4999, 5000, 1_000_000], players).astype(np.int32),)
        paid = [draw.integers(-20, 500, many) for many in (entrants, players, entrants, players)]
        if not each:
            paid[3] = paid[3][:0]
        tables = [np.zeros((3, int(compared.sum()), many)) for many in groups]
        of_events = np.zeros((8, int(compared.sum())), np.int64)
        of_groups = (np.array([0, 5000, 10000]), tables[0], seen[0], tables[1], seen[1])
        module.add_up(rows, tuple(paid), of_events, of_groups, tuple(of_members))
        added += [of_events.tolist(), *(table.tolist() for table in tables)]
    return [*added, *(column.tolist() for column in (*of_members, *seen))]


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_comparison_is_added_up_the_same(seed: int, each: bool) -> None:
    loops = _added_up(row_loops, seed, each)
    assert _added_up(row_arrays, seed, each) == loops
    assert any(any(row) for row in loops[0])


@pytest.mark.parametrize(
    ("places", "ties", "well"),
    [
        ([1, 2, 3, 1, 1], [1, 1, 1, 2, 2], True),
        ([1, 2, 2, 2, 1], [1, 2, 2, 1, 1], True),
        ([1, 2, 3, 1, 2], [1, 1, 1, 1, 2], False),  # nobody else is second
        ([1, 3, 3, 1, 2], [1, 2, 2, 1, 1], False),  # nobody is second
        ([1, 2, 4, 1, 2], [1, 1, 1, 1, 1], False),  # three have no fourth
        ([0, 1, 2, 1, 2], [1, 1, 1, 1, 1], False),
        ([1, 2, 3, 2, 2], [1, 1, 1, 2, 2], False),
    ],
)
def test_places_that_cannot_be_are_seen(places: list[int], ties: list[int], well: bool) -> None:
    for module in (row_arrays, row_loops):
        columns = (np.array(places, np.uint16), np.array(ties, np.uint16))
        assert module.well_placed(np.array([0, 3, 5]), *columns, np.zeros(3, np.int64)) == well


def test_words_are_put_into_others() -> None:
    kinds = WordColumn.of(["pairs", "teams", "", "pairs"])
    some = np.array([False, True, True, False])
    assert kinds.where(some, "swiss").tolist() == ["pairs", "swiss", "swiss", "pairs"]
    other = WordColumn.of(["a", "pairs", "teams", "b"])
    mixed = kinds.where(some, other)
    assert mixed.tolist() == ["pairs", "pairs", "teams", "pairs"]
    assert (mixed == "pairs").tolist() == [True, True, False, True]
    assert mixed.is_in(["teams", "swiss"]).tolist() == [False, False, True, False]
