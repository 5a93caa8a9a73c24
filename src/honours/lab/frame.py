"""Figures of the lab, row by row, as computed, for notebooks, pandas, Polars or a chart; people
see them in the same :class:`Table` as everywhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from honours.language import DEFAULT
from honours.model.message import Message, word
from honours.model.table import Cell, Column, Kind, Link, Table
from honours.reports.drawing import draw_arrow, draw_csv, draw_html, draw_text

Row = Mapping[str, Any]
Leads = Mapping[str, Callable[[Any], str]]
"""For each column, where its values link to."""


def json_text(data: Mapping[str, Any]) -> str:
    """An answer's data as JSON; NumPy numbers become plain numbers."""
    return json.dumps(data, ensure_ascii=False, indent=2, default=_plain)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)


@dataclass(frozen=True, slots=True)
class Frame:
    """Rows of the same columns, with a title that says what they answer."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""
    """What must be known to read it: whose points they are, and whether the corpus is synthetic."""

    @staticmethod
    def of(title: str, rows: Sequence[Row], note: str = "") -> Frame:
        return Frame(title, tuple(rows), note)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    @property
    def small(self) -> set[str]:
        """Columns in which all figures are below 1; they are shown to four decimals."""
        figures = {
            c: [v for row in self.rows if isinstance(v := row.get(c), float)] for c in self.columns
        }
        return {c for c, values in figures.items() if all(abs(v) < 1 for v in values)}

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def data(self) -> list[dict[str, Any]]:
        """Plain data for JSON."""
        return [dict(row) for row in self.rows]

    def arrow(self) -> Any:
        """The same as an Arrow table; ``.to_pandas()`` and Polars take it from there."""
        return draw_arrow(self.table())

    def pandas(self) -> Any:
        return self.arrow().to_pandas()

    def polars(self) -> Any:
        import polars

        return polars.from_arrow(self.arrow())

    def csv(self) -> str:
        """The rows as CSV, with every figure in full."""
        return draw_csv(self.table(), as_shown=False)

    @property
    def name(self) -> str:
        """The title without its subject."""
        named = self.title.values.get("name") if isinstance(self.title, Message) else None
        return named if isinstance(named, str) else self.title

    @property
    def what(self) -> str:
        """The subject, if the title states one."""
        what = self.title.values.get("what") if isinstance(self.title, Message) else None
        return what if isinstance(what, str) else ""

    def table(self, leads: Leads | None = None, caption: str = "") -> Table:
        """The rows as the common table type; a column that ``leads`` somewhere carries the link
        of each value."""
        columns, small = self.columns, self.small
        rows = [
            tuple(_cell(name, row.get(name), leads or {}, name in small) for name in columns)
            for row in self.rows
        ]
        typed = tuple(Column(name, word(name), self._kind(name)) for name in columns)
        title = caption or self.title
        return Table(slug(self.name), typed, tuple(rows), title, self.note)

    def _kind(self, name: str) -> Kind:
        numbers = [_is_number(row.get(name)) for row in self.rows]
        return Kind.NUMBER if numbers and all(numbers) else Kind.WORD

    def text(self, language: str = DEFAULT) -> str:
        """Aligned columns, figures to the right."""
        noted = Message("{title} ({note})", title=self.title, note=self.note)
        head = noted if self.note else self.title
        return draw_text(replace(self.table(), caption=head, foot=""), language)

    def html(self) -> str:
        """The rows as a plain HTML table."""
        return str(draw_html(self.table()))

    def _repr_html_(self) -> str:
        return self.html()

    def __repr__(self) -> str:
        return self.text()


def about(name: str, what: str) -> Message:
    """The title of a frame, made of its name and its subject."""
    return Message("{name}: {what}", name=name, what=what)


def slug(name: str) -> str:
    """A name in the form used for files and addresses."""
    return name.lower().replace(" ", "-")


def _cell(name: str, value: Any, leads: Leads, small: bool) -> Cell:
    address = leads[name](value) if name in leads else ""
    held = value if value is None or isinstance(value, int | float | str) else _plain(value)
    return Cell(held, show(value, small), Link("", address) if address else None)


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | float)


def show(value: object, small: bool = False) -> str:
    """A cell as text: whole numbers with grouped thousands, others to two decimals, or to four
    in a column of small figures and where two decimals would show fewer than two digits."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value  # a message stays a message
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    fine = small or abs(value) < 0.1
    return f"{value:,.4f}" if fine and value else f"{value:,.2f}"
