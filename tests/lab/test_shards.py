"""The tables of a shard: how they line up, who sits where, and words as columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.errors import InputError
from honours.lab.shards import assemble, impossible_places, seated_once
from honours.lab.store import WordColumn
from tests.support import cases

WELL = [[1, 4], [1, 1, 4], [0, 2, 0], [1, 1, 1, 4], [0, 0, 2, 0]]


@pytest.mark.parametrize("table", range(5))
@pytest.mark.parametrize("change", [None, "more", "swap"])
def test_tables_line_up_or_do_not(table: int, change: str | None) -> None:
    tables = [list(t) for t in WELL]
    if change == "more":
        tables[table][-1] += 1
    elif change == "swap":
        tables[table][0], tables[table][-1] = tables[table][-1], tables[table][0]
    events, of, entrant, player_of, seat = (np.array(t, np.int32) for t in tables)
    many = {"place": np.ones(3, np.int64), "tied": np.ones(3, np.int64)}
    rows = ({"event": of, "entrant": entrant, **many}, {"event": player_of, "entrant": seat})
    parts = ({"event": events}, rows[0], {**rows[1], "player": np.arange(4)})
    if [list(t) for t in tables] != WELL:
        with pytest.raises(InputError, match="do not line up"):
            assemble(0, *parts)
        return
    shard = assemble(0, *parts)
    assert shard.entrant_offsets.tolist() == [0, 2, 3]
    assert shard.player_offsets.tolist() == [0, 2, 3, 4]


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


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 12)), max_size=24))
def test_who_sits_twice_is_seen(seats: list[tuple[int, int]]) -> None:
    seats = sorted(seats)
    events, players = (np.array([seat[k] for seat in seats], np.int32) for k in (0, 1))
    assert seated_once(players, events) == (len(set(seats)) == len(seats))
    assert seated_once(players + 2**30, events) == seated_once(players, events)


@cases
def test_places_that_cannot_be_are_seen(places: list[int], ties: list[int], well: bool) -> None:
    group = np.array([0, 0, 0, 1, 1])
    wrong = impossible_places(group, np.array(places), np.array(ties))
    assert (min(places) > 0 and not wrong.any()) == well


def test_words_are_put_into_others() -> None:
    kinds = WordColumn.of(["pairs", "teams", "", "pairs"])
    some = np.array([False, True, True, False])
    assert kinds.where(some, "swiss").tolist() == ["pairs", "swiss", "swiss", "pairs"]
    other = WordColumn.of(["a", "pairs", "teams", "b"])
    mixed = kinds.where(some, other)
    assert mixed.tolist() == ["pairs", "pairs", "teams", "pairs"]
    assert (mixed == "pairs").tolist() == [True, True, False, True]
    assert mixed.is_in(["teams", "swiss"]).tolist() == [False, False, True, False]
