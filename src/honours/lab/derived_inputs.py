"""A rulebook's ``[derive]`` applied to the events of a shard: words derived from columns of facts.

It reads the same lines as :mod:`honours.engine.derive` does for one event, for many events at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.derive import Derivation
from honours.engine.rulebook import Input, Rulebook
from honours.engine.written_names import public
from honours.errors import MissingInput
from honours.lab.column_reading import NOT_SAID
from honours.lab.shards import BadEvent, Shard
from honours.lab.word_column import WordColumn
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

Column = Any
"""An array, or words."""
FactColumn = Callable[[str], Column | None]
"""What a shard says about its events under the name of a fact, if anything."""


def derived_columns(
    rulebook: Rulebook, shard: Shard, fact: FactColumn, plain: Mapping[str, Column]
) -> tuple[dict[str, Column], list[BadEvent]]:
    """The columns of the inputs that ``[derive]`` derives, starting from values given under the
    inputs' own names (``plain``), and the events for which a person must be asked."""
    columns: dict[str, Column] = {}
    asked: list[BadEvent] = []
    open_rows: dict[str, NDArray[np.bool_]] = {}
    for line in rulebook.derivations:
        declared = rulebook.inputs[line.input]
        rows = open_rows.setdefault(line.input, np.ones(len(shard.ids), np.bool_))
        applies = rows & _applies(line, shard, fact)
        rows &= ~applies
        own = plain.get(line.input)
        if own is not None and (line.ask or public(line.input) not in VOCABULARY):
            applies &= own == ("" if own.dtype == object else NOT_SAID)
        if line.ask and public(line.input) in rulebook.amended:
            continue  # given for all events that do not say it themselves
        if line.ask:
            asked += _questions(line, shard, applies)
            continue
        column = columns.get(line.input)
        if column is None:
            column = _start(declared, plain.get(line.input), len(shard.ids))
        value = _value(line, declared, fact)
        if isinstance(column, WordColumn):
            columns[line.input] = column.where(applies, value)
        else:
            columns[line.input] = np.where(applies, value, column)
    return columns, asked


def _applies(line: Derivation, shard: Shard, fact: FactColumn) -> NDArray[np.bool_]:
    applies = np.ones(len(shard.ids), np.bool_)
    for name, words in (line.when or {}).items():
        column = fact(name)
        applies &= False if column is None else is_one_of(column, words)
    if line.source and fact(line.source) is None:
        applies &= False
    if line.titled:
        titles = fact("title")
        titled = [] if titles is None else [line.applies_to_title(str(t)) for t in titles]
        applies &= np.array(titled, np.bool_) if titled else False
    return applies


def _questions(line: Derivation, shard: Shard, rows: NDArray[np.bool_]) -> Iterator[BadEvent]:
    for row in np.flatnonzero(rows):
        yield BadEvent(
            int(shard.ids[row]), MissingInput(public(line.input), Message(line.ask)).message
        )


def _start(declared: Input, plain: Column | None, many: int) -> Column:
    if plain is not None:
        return as_words(plain) if plain.dtype == object else plain.astype(np.int64)
    if declared.type == "word":
        return WordColumn.same("", many)
    return np.full(many, NOT_SAID, np.int64)


def _value(line: Derivation, declared: Input, fact: FactColumn) -> Any:
    if line.source:
        column = fact(line.source)
        if column is None:
            return ""
        return as_words(column) if declared.type == "word" else column
    return line.value if declared.type == "word" else int(line.value)


def is_one_of(column: Column | WordColumn, words: Iterable[str]) -> NDArray[np.bool_]:
    """Which rows of a column contain one of the given words."""
    if isinstance(column, WordColumn):
        return column.is_in(words)
    return np.isin(np.asarray(column).astype(str), list(words))


def as_words(column: Column | WordColumn) -> WordColumn:
    """A column of texts, encoded."""
    return column if isinstance(column, WordColumn) else WordColumn.of(column)
