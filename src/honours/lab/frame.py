"""A small table of answers: text, JSON, CSV, Arrow, pandas or Polars, and in a notebook."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

Row = Mapping[str, Any]


def json_text(data: Mapping[str, Any]) -> str:
    """The data of an answer as JSON; numbers that NumPy made are numbers."""
    return json.dumps(data, ensure_ascii=False, indent=2, default=_plain)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)


@dataclass(frozen=True, slots=True)
class Frame:
    """Rows of the same columns, with a title that says what they answer."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""
    """What must be known to read it: whose points, whether anybody played."""

    @staticmethod
    def of(title: str, rows: Sequence[Row], note: str = "") -> Frame:
        return Frame(title, tuple(rows), note)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    @property
    def small(self) -> set[str]:
        """Columns of figures all below 1, which are shown to four decimals."""
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
        import pyarrow as pa

        return pa.Table.from_pylist([{c: row.get(c) for c in self.columns} for row in self.rows])

    def pandas(self) -> Any:
        return self.arrow().to_pandas()

    def polars(self) -> Any:
        import polars

        return polars.from_arrow(self.arrow())

    def csv(self) -> str:
        file = io.StringIO()
        writer = csv.DictWriter(file, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return file.getvalue()

    def text(self) -> str:
        """Aligned columns, figures to the right."""
        columns, small = self.columns, self.small
        shown = [[show(row.get(c), c in small) for c in columns] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.columns, *shown, strict=True)]
        numeric = [all(_is_number(row.get(c)) for row in self.rows) for c in self.columns]

        def line(cells: Sequence[str]) -> str:
            made = zip(cells, widths, numeric, strict=True)
            return "  ".join(c.rjust(w) if n else c.ljust(w) for c, w, n in made).rstrip()

        head = f"{self.title} ({self.note})" if self.note else self.title
        return "\n".join([head, line(self.columns), *map(line, shown)])

    def html(self, leads: Mapping[object, str] | None = None) -> str:
        """A plain table; figures carry the class ``n``, and ``leads`` makes links of names."""
        numeric = {c: all(_is_number(row.get(c)) for row in self.rows) for c in self.columns}
        sort = {c: " class=n" if numeric[c] else "" for c in self.columns}
        head = "".join(f"<th scope=col{sort[c]}>{escape(c)}</th>" for c in self.columns)
        small = self.small

        def cell(name: str, value: object) -> str:
            text = escape(show(value, name in small))
            href = (leads or {}).get(value) if name == self.columns[0] else None
            return f"<td{sort[name]}>" + (f'<a href="{href}">{text}</a>' if href else text)

        body = "".join(
            "<tr>" + "".join(cell(c, row.get(c)) + "</td>" for c in self.columns) + "</tr>"
            for row in self.rows
        )
        noted = f'<br><small class="note">{escape(self.note)}</small>' if self.note else ""
        caption = f"<caption>{escape(self.title)}{noted}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_html_(self) -> str:
        return self.html()

    def __repr__(self) -> str:
        return self.text()


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | float)


def show(value: object, small: bool = False) -> str:
    """A cell as text: whole numbers grouped, others to two decimals; to four in a column of small
    ones, and where two would show less than two figures."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value  # a message stays one
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    fine = small or abs(value) < 0.1
    return f"{value:,.4f}" if fine and value else f"{value:,.2f}"
