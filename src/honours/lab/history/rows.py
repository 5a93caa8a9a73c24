"""The rows of a table as columns of whole numbers, ready to be divided by event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.formats.go import parse_rank
from honours.lab.column_reading import NOT_SAID
from honours.lab.history.meanings import MeantColumn, meanings
from honours.lab.history.plan import ImportPlan, TablePlan
from honours.lab.history.values import (
    UNREADABLE,
    Ints,
    TextNumbers,
    coded,
    days,
    figures,
    keys,
    mapped,
    words,
)
from honours.model.message import Message

Rows = dict[str, NDArray[Any]]
KEYS = ("event", "entrant", "player", "opponent", "black", "white", "winner", "loser")
_MOST_32 = 2**31 - 1


@dataclass
class ImportNumbers:
    """What the numbers of an import stand for, and what was noticed in its cells."""

    ids: dict[int, str] = field(default_factory=dict)
    names: dict[str, TextNumbers] = field(default_factory=dict)
    unreadable: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    rounded: Counter[str] = field(default_factory=Counter)

    def names_of(self, meaning: str) -> TextNumbers:
        return self.names.setdefault(meaning, TextNumbers())

    def texts(self, meaning: str) -> NDArray[Any]:
        return np.array([*self.names_of(meaning).texts, ""], dtype=object)

    def data(self) -> dict[str, Any]:
        """The state to store in the folder of an import that may be interrupted."""
        return {
            "ids": [[k, v] for k, v in self.ids.items()],
            "names": {k: v.texts for k, v in self.names.items()},
            "unreadable": dict(self.unreadable),
            "examples": self.examples,
            "rounded": dict(self.rounded),
        }

    @staticmethod
    def of(data: Mapping[str, Any]) -> ImportNumbers:
        names = {
            meaning: TextNumbers(texts, {text: k for k, text in enumerate(texts)})
            for meaning, texts in data["names"].items()
        }
        return ImportNumbers(
            dict(data["ids"]),
            names,
            Counter(data["unreadable"]),
            dict(data["examples"]),
            Counter(data["rounded"]),
        )


def rows_of(plan: ImportPlan, own: TablePlan, batch: Any, first: int, known: ImportNumbers) -> Rows:
    """A batch of a table, given the row number at which it starts."""
    rows: Rows = {"row": np.arange(first, first + len(batch), dtype=np.int64)}
    for column in own.columns:
        values = _values(plan, own, column, batch[column.header], known)
        name = column.shown
        if column.meaning not in KEYS and name != "score":
            values = np.where(_is_large(values), UNREADABLE, values)
        bad = values == UNREADABLE
        if bad.any():
            _note(own, column, batch[column.header], int(np.argmax(bad)), int(bad.sum()), known)
        kept_wide = column.meaning in KEYS or name == "score"
        rows[name] = values if kept_wide else values.astype(np.int32)
    events = rows.get("event")
    if events is not None and (events == NOT_SAID).any():
        without = Message("{table}: rows without an event", table=own.table.origin)
        known.unreadable[without] += int((events == NOT_SAID).sum())
        keep = events != NOT_SAID
        rows = {name: column[keep] for name, column in rows.items()}
    return rows


def _is_large(values: Ints) -> NDArray[np.bool_]:
    """Which numbers are larger than a corpus can hold."""
    large: NDArray[np.bool_] = (values > _MOST_32) | (values < -_MOST_32 - 1)
    return large


def _values(
    plan: ImportPlan, own: TablePlan, column: MeantColumn, cells: Any, known: ImportNumbers
) -> Ints:
    meaning = meanings()[column.meaning]
    if meaning.type == "id":
        return keys(cells, known.ids)
    if meaning.type == "date":
        return days(cells, plan.date)
    if meaning.type in ("grade", "yes-no"):
        return mapped(cells, _grade if meaning.type == "grade" else _yes_no)
    if meaning.type in ("word", "text"):
        names = known.names_of(meaning.name)
        if meaning.type == "text":
            return words(cells, names, str)
        return words(cells, names, lambda text: plan.translate(meaning.name, text))
    values, rounded = figures(cells, meaning.decimals, plan.decimal)
    if rounded and meaning.name != "score":
        known.rounded[f"{own.table.origin}: {column.header}"] += rounded
    return values


def _grade(text: str) -> int | None:
    """A rank in dan or kyu, or by number: 0 for 1 dan, -1 for 1 kyu."""
    if re.fullmatch(r"[+-]?\d{1,2}", text):
        return int(text)
    return parse_rank(text)


def _yes_no(text: str) -> int | None:
    words = {"yes": 1, "y": 1, "true": 1, "1": 1, "no": 0, "n": 0, "false": 0, "0": 0}
    return words.get(text.casefold())


def _note(
    own: TablePlan, column: MeantColumn, cells: Any, row: int, many: int, known: ImportNumbers
) -> None:
    """Count a column's unreadable cells, and keep the first of them."""
    name = f"{own.table.origin}: {column.header}"
    known.unreadable[name] += many
    texts, codes = coded(cells[row : row + 1])
    known.examples.setdefault(name, texts[int(codes[0])] if texts else "")


def line_numbers(known: ImportNumbers) -> Ints:
    """The number of the line that each word names; a word that names no line is unreadable."""
    numbers = {"ns": 1, "ew": 2, "": 0}
    texts = known.names_of("line").texts
    return np.array([*(numbers.get(text, UNREADABLE) for text in texts), 0], np.int64)


def stratum_numbers(known: ImportNumbers) -> Ints:
    """Strata numbered by their labels, with A or 1 the highest."""
    texts = known.names_of("stratum").texts
    order = sorted(range(len(texts)), key=lambda k: texts[k].casefold())
    numbers = np.zeros(len(texts) + 1, np.int64)
    for number, k in enumerate(order):
        numbers[k] = number
    return numbers
