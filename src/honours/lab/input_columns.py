"""The inputs of a rulebook that the columns of a shard provide: for events, entrants and
players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Input, Rulebook
from honours.errors import InputError
from honours.lab.column_reading import NOT_SAID
from honours.lab.derived_inputs import as_words, derived_columns, is_one_of
from honours.lab.shard_lists import RankingLists, lined_events
from honours.lab.shards import BadEvent, Ints, Shard
from honours.lab.tables import UNITS, column_name
from honours.lab.word_column import WordColumn

Column = Any
"""An array, or words."""
Bools = NDArray[np.bool_]

_NOT_FOR_RULES = ("date", "title")
"""A date only adds a notice to an explanation."""
NONE, SOME, ALL = 0, 1, 2
"""Whether none, some or all of a list's entrants or players have a value."""


@dataclass(frozen=True, slots=True)
class InputColumns:
    """Columns by input name: ``numbers`` and ``words`` of events, then those of entrants and of
    players."""

    rulebook: Rulebook
    shard: Shard
    numbers: Mapping[str, Column]
    words: Mapping[str, Column]
    of_entrants: Mapping[str, Column]
    of_players: Mapping[str, Column]
    questions: tuple[BadEvent, ...] = ()
    """Events for which a person must answer a question."""

    def beyond(self) -> Iterator[BadEvent]:
        """Events for which a question must be answered first, or with a number outside the range
        that the rulebook accepts."""
        shard = self.shard
        yield from self.questions
        yield from self._beyond(self.numbers, lambda row: row)
        yield from self._beyond(self.of_entrants, shard.event_of)
        yield from self._beyond(self.of_players, lambda row: shard.event_of(shard.entrant_of(row)))

    def _beyond(
        self, columns: Mapping[str, Column], event_of: Callable[[int], int]
    ) -> Iterator[BadEvent]:
        for name, column in columns.items():
            declared, unit = self.rulebook.inputs[name], unit_of(name)
            if column.dtype == object or not len(column):
                continue
            for row in map(int, np.flatnonzero(_outside(column, declared, unit))):
                try:
                    declared.check(int(column[row]) * unit)
                except InputError as error:
                    yield BadEvent(int(self.shard.ids[event_of(row)]), error.message)

    def status(self, lists: RankingLists) -> dict[str, Ints]:
        """For each fact known only in part: whether all, some or none of each list's entrants or
        players have it."""
        shard, columns = self.shard, {}
        sizes = np.diff(lists.offsets)
        for name, column in self.of_entrants.items():
            if not is_complete(column):
                unsaid = is_missing(column)[lists.entrants].astype(np.int64)
                columns[name] = _share(unsaid, lists, sizes)
        for name, column in self.of_players.items():
            if not is_complete(column):
                unsaid = is_missing(column).astype(np.int64)
                each = np.add.reduceat(unsaid, shard.player_offsets[:-1])
                many = np.diff(shard.player_offsets)[lists.entrants]
                total = np.add.reduceat(many, lists.offsets[:-1]) if len(sizes) else sizes
                columns[name] = _share(each[lists.entrants], lists, total)
        return columns


def asked_of(rulebook: Rulebook, shard: Shard) -> InputColumns:
    """The columns of a shard that are inputs of the rulebook."""
    numbers: dict[str, Column] = {}
    words: dict[str, Column] = {}
    of_entrants: dict[str, Column] = {}
    of_players: dict[str, Column] = {}
    for name, declared in rulebook.inputs.items():
        column = column_name(name)
        if column in shard.of_entrants and declared.per != "field":
            of_entrants[name] = shard.of_entrants[column]
        elif declared.per == "player":
            own = shard.holding if column == "holding" else shard.of_players.get(column)
            if own is not None:
                of_players[name] = own
        elif declared.per == "field":
            own = _of_events(shard, column)
            if own is not None and (own.dtype == object) == (declared.type == "word"):
                (words if declared.type == "word" else numbers)[name] = own
    for columns in (of_entrants, of_players):
        columns |= {n: _with_default(rulebook, n, own) for n, own in columns.items()}
    if not rulebook.derivations:
        return InputColumns(rulebook, shard, numbers, words, of_entrants, of_players)
    derived, questions = derived_columns(
        rulebook, shard, lambda name: _fact(shard, name), {**numbers, **words}
    )
    for name, values in derived.items():
        (words if values.dtype == object else numbers)[name] = values
    return InputColumns(rulebook, shard, numbers, words, of_entrants, of_players, tuple(questions))


def _with_default(rulebook: Rulebook, name: str, column: Column) -> Column:
    """A column with the input's default where it has no value, unless a rule makes that."""
    declared = rulebook.inputs[name]
    if declared.default is None or is_complete(column) or any(rulebook.rules_for(name)):
        return column
    value = declared.read(declared.default)
    if isinstance(value, str):
        return as_words(column).where(is_missing(column), value)
    units = value / unit_of(name)
    return np.where(is_missing(column), int(units), column) if units.denominator == 1 else column


def _fact(shard: Shard, name: str) -> Column | None:
    """The shard's values for its events under a name of the vocabulary."""
    if name in ("field_entrants", "entrants"):
        return shard.sizes
    return shard.events.get(name) if name in _NOT_FOR_RULES else _of_events(shard, name)


def _of_events(shard: Shard, column: str) -> Column | None:
    if column == "winners":
        return WordColumn(lined_events(shard).astype(np.int64), ("1", "2"))
    if column == "boards":
        return event_boards(shard)
    if column in _COUNTED and column not in shard.events:
        return _counted(shard, _COUNTED[column])
    return shard.events[column] if column in shard.events and column not in _NOT_FOR_RULES else None


_COUNTED = {"pairs": ("pairs",), "teams": ("teams", "swiss", "board-a-match", "knockout")}
"""Inputs that count the entrants of events of some kinds."""


def _counted(shard: Shard, kinds: tuple[str, ...]) -> Column:
    """How many entrants an event has, if it is of one of these kinds."""
    kind = shard.events.get("kind")
    if kind is None:
        return np.full(len(shard.ids), NOT_SAID, np.int64)
    return np.where(is_one_of(kind, kinds), shard.sizes, NOT_SAID)


def event_boards(shard: Shard) -> Column | None:
    """The boards of the whole event: as stated, otherwise sessions times boards per session."""
    boards, parts = shard.events.get("boards"), ("sessions", "boards_per_session")
    if not all(p in shard.events for p in parts):
        return boards
    sessions, each = (shard.events[p].astype(np.int64) for p in parts)
    known = ~is_missing(sessions) & ~is_missing(each)
    product = np.where(known, sessions * each, NOT_SAID)
    return product if boards is None else np.where(is_missing(boards), product, boards)


def unit_of(name: str) -> Fraction:
    """The value of one unit in an input's column."""
    return UNITS.get(column_name(name), Fraction(1))


def is_missing(column: Column) -> Bools:
    """Where a column has no value."""
    if column.dtype.kind == "u":
        return np.zeros(len(column), np.bool_)
    unsaid: Bools = column == ("" if column.dtype == object else NOT_SAID)
    return unsaid


def is_complete(column: Column) -> bool:
    """Whether a column has a value everywhere; nearly always true, and quick to check."""
    if column.dtype.kind == "u" or not len(column):
        return True
    return not is_missing(column).any() if column.dtype == object else column.min() != NOT_SAID


def _outside(column: Column, declared: Input, unit: Fraction) -> Bools:
    least = declared.smallest / unit
    most = None if declared.most is None else declared.most / unit
    if int(column.min()) >= least and (most is None or int(column.max()) <= most):
        return np.zeros(0, np.bool_)
    outside: Bools = (column < float(least)) & ~is_missing(column)
    if most is not None:
        outside |= column > float(most)
    for value in declared.named.values():
        outside &= column != float(value / unit)
    return outside


def _share(unsaid: Ints, lists: RankingLists, sizes: Ints) -> Ints:
    if not len(lists.events):
        return np.empty(0, np.int64)
    missing = np.add.reduceat(unsaid, lists.offsets[:-1])
    return np.where(missing == 0, ALL, np.where(missing == sizes, NONE, SOME))
