"""A table drawn: as text, HTML, CSV, plain data for JSON, Arrow and for a PDF. One function each.

Text, HTML and PDF are for readers, in their language; CSV, JSON and Arrow are for programs: columns
by their keys, values exact, words in English.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import starmap
from string import Formatter
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from honours.engine.exact.explanation import render_explanation
from honours.formats.sheet import neutralised
from honours.language import DEFAULT, catalogue, shown_date, shown_day, shown_figure, words
from honours.model import Seat, Step
from honours.model.cards import NO_TRUMPS, RANKS, SEATS
from honours.model.message import Message, word
from honours.model.table import FIGURES, Cell, Column, Kind, Link, Table
from honours.rings import require

if TYPE_CHECKING:
    from jinja2 import Environment


Address = Callable[[Link], str]
"""Where a link leads in a drawing; empty for what has no page there."""

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CONTRACT = re.compile(r"([1-7])(NT|[SHDC])([xX]{0,2}) ([NESW])")
_CARD = re.compile(r"[SHDC](10|[2-9TJQKA])|(10|[1-9TJQKA])[SHDC]")


_BRIEF, _LONG = 12, 30
"""Letters of a cell that is kept on one line, and of a figure that may be broken."""
_METER = '<meter min="0" max="100" low="40" high="60" optimum="100" aria-hidden="true"'


def own_address(link: Link) -> str:
    """The address of a link that is one; what a thing's address is, only a place knows."""
    return "" if link.kind else link.name


# --- for readers ----------------------------------------------------------------------------------


def draw_text(table: Table, language: str = DEFAULT) -> str:
    """For a terminal or a pipe: aligned, nothing drawn, figures to the right."""
    header = [words(column.title, language) for column in table.columns]
    rows = [[cell_text(cell, language) for cell in row] for row in table.rows]
    body = _aligned(header, rows, table.right)
    around = (caption(table, language), body, words(table.foot, language))
    return "\n".join(part for part in around if part)


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """The rows under their header, as wide as they need; ``right`` says which columns stand so."""
    cells = [header, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["  ".join(_padded(*c) for c in zip(row, widths, right, strict=True)) for row in cells]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(line.rstrip() for line in lines)


def _padded(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)


def draw_answer(parts: Iterable[str | Table | Step], language: str = DEFAULT) -> str:
    """Paragraphs, tables and explanations as text, one below the other. A table is without the
    columns that nobody has anything in; of an empty one the header stays."""
    return "\n".join(_draw_part(part, language) for part in parts)


def _draw_part(part: str | Table | Step, language: str) -> str:
    if isinstance(part, Table):
        return draw_text(part.used() if part.rows else part, language)
    if isinstance(part, Step):
        return render_explanation(part, language)
    return words(part, language)


def caption(table: Table, language: str = DEFAULT) -> str:
    """The words of a table; words of ours begin with a capital."""
    return heading(table.caption, language)


def heading(text: str, language: str = DEFAULT) -> str:
    """A title in the words of a language; one that begins with a word of ours, not with somebody's
    title or the name of a file, begins with a capital."""
    shown = words(text, language)
    return shown[:1].upper() + shown[1:] if _begins_with_ours(text) else shown


def _begins_with_ours(text: object) -> bool:
    if not isinstance(text, Message):
        return False
    before, field, *_ = next(iter(Formatter().parse(text.template)), ("", None))
    return bool(before) or (field is not None and _begins_with_ours(text.values.get(field)))


def cell_text(cell: Cell, language: str = DEFAULT) -> str:
    """A cell's words, figures as the language writes them, with its note."""
    text, note = shown_figure(words(cell.text, language), language), words(cell.note, language)
    return f"{text} ({note})" if note else text


def draw_html(table: Table, language: str = DEFAULT, address: Address = own_address) -> Markup:
    """As an HTML table; everything in it is escaped."""
    page = environment(language, "honours.reports").get_template("table.html")
    columns = _drawn_columns(table, language, address)
    rows = (
        "".join(column.td(cell) for column, cell in zip(columns, row, strict=True))
        for row in table.rows
    )
    drawn = Markup("\n".join(f"<tr>{row}</tr>" for row in rows))
    return Markup(page.render(table=table, rows=drawn))


@dataclass(frozen=True, slots=True)
class _DrawnColumn:
    """A column whose cells are drawn as HTML, by no template: a page may have thousands of them.
    ``first`` and ``last`` are classes of all its cells, ``label`` the attribute that names it."""

    column: Column
    language: str
    address: Address
    right: bool
    first: tuple[str, ...]
    last: tuple[str, ...]
    label: str

    def td(self, cell: Cell) -> str:
        text = cell.text
        if self.right:
            length = ["figure", "long"] if len(text) > _LONG else ["figure"]
        else:
            length = ["brief"] if len(text) <= _BRIEF else []
        classes = " ".join((*self.first, *length, *sorted(cell.marks), *self.last))
        value = "" if shown_figure(text, self.language) == text else _attribute("data-value", text)
        attributes = (
            f"{_attribute('id', cell.anchor)}{_attribute('class', classes)}{self.label}{value}"
        )
        return f"<td{attributes}>{self._content(cell, words(text, self.language))}</td>"

    def _content(self, cell: Cell, worded: str) -> str:
        """The words of a cell where they lead to, with its note."""
        drawn = self._text(cell, worded)
        if lang := language_of(cell, self.column, self.language):
            drawn = f"<span{_attribute('lang', lang)}>{drawn}</span>"
        if href := self.address(cell.link) if cell.link else "":
            part = {"hx-get": href, "hx-target": cell.part, "hx-push-url": "true"}
            named = {"href": href} | (part if cell.part else {})
            drawn = f"<a{''.join(starmap(_attribute, named.items()))}>{drawn}</a>"
        note = escape(words(cell.note, self.language)) if cell.note else ""
        return f"{drawn} <small>{note}</small>" if note else drawn

    def _text(self, cell: Cell, worded: str) -> str:
        kind, language = self.column.kind, self.language
        if kind is Kind.CARDS:
            return suits(worded, language)
        if kind is Kind.DATE and cell.value and not cell.shown:
            day = cell.value
            shown = (
                shown_date(day, language) if isinstance(day, date) else shown_day(worded, language)
            )
            return f"<time{_attribute('datetime', str(day))}>{escape(shown)}</time>"
        figure = escape(shown_figure(worded, language))
        if kind is Kind.SHARE and worded:
            return f"{_METER}{_attribute('value', worded)}></meter> {figure}"
        return figure


def _attribute(name: str, text: str) -> str:
    """An attribute of an element; none where there is nothing to say."""
    return f' {name}="{escape(text)}"' if text else ""


def _drawn_columns(table: Table, language: str, address: Address) -> list[_DrawnColumn]:
    boards = table.name == "scorecard"
    naming = table.naming if table.carded and not boards else None
    drawn = []
    for n, (column, right) in enumerate(zip(table.columns, table.right, strict=True)):
        key = (column.key if column.key != "%" else "share",) if boards else ()
        place = () if naming is None or n > naming else ("key",) if n == naming else ("lead",)
        labelled = naming is not None and not place
        label = _attribute("data-label", heading(column.title, language)) if labelled else ""
        drawn.append(_DrawnColumn(column, language, address, right, key, place, label))
    return drawn


@cache
def environment(language: str, *packages: str) -> Environment:
    """The templates of some packages with the words of a language: whatever they show is escaped,
    and the markup they take is a table's or an explanation's, drawn by the functions here."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=ChoiceLoader([PackageLoader(package, "templates") for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        auto_reload=False,
    )
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_translations(catalogue(language), newstyle=True)  # type: ignore[attr-defined]
    env.globals |= {
        "language": language,
        "words": lambda text: words(text, language),
        "shown_day": lambda text: shown_day(str(text or ""), language),
        "shown_figure": lambda text: shown_figure(text, language),
        "heading": lambda text: heading(text, language),
        "caption": lambda table: caption(table, language),
        "title_language": lambda column: _own_language(column.title, column.lang, language),
        "drawn": lambda table, address=own_address: draw_html(table, language, address),
        "suits": lambda text: suits(text, language),
    }
    return env


def language_of(cell: Cell, column: Column, language: str) -> str:
    """The language to name in the markup: that of a text in the words of its source."""
    figures = column.kind in FIGURES
    return "" if figures else _own_language(cell.text, cell.lang or column.lang, language)


def _own_language(text: str, own: str, language: str) -> str:
    return "" if isinstance(text, Message) or not text or own == language else own


def suits(text: str, language: str = DEFAULT) -> Markup:
    """A contract or a card as players read it: the signs of the suits, red ones in red, and who
    declares by the letter of the language."""
    contract = _CONTRACT.fullmatch(text)
    if contract is None:
        return _lead(text, language) if _CARD.fullmatch(text) else escape(text)
    level, strain, doubled, seat = contract.groups()
    bid = _card(strain) if strain in _SUITS else escape(words(NO_TRUMPS, language))
    name = words(SEATS[Seat(seat)], language)
    drawn = Markup('<span class="contract">{}{}{} <abbr title="{}">{}</abbr></span>')
    return drawn.format(level, bid, "×" * len(doubled), name, name[:1])


def _lead(card: str, language: str) -> Markup:
    """A card, suit or rank first: the rank by the letter of the language."""
    return Markup("").join(
        _card(letter) if letter in _SUITS else escape(words(RANKS.get(letter, letter), language))
        for letter in card
    )


def _card(letter: str) -> Markup:
    sign = _SUITS.get(letter)
    if not sign:
        return escape(letter)
    colour = "red" if letter in "HD" else "black"
    return Markup('<span class="{}">{}</span>').format(colour, sign)


def plain_suits(text: str, language: str = DEFAULT) -> str:
    """The same without markup."""
    return str(suits(text, language).striptags())


def draw_for_pdf(table: Table, language: str = DEFAULT) -> dict[str, Any]:
    """As data for the templates of typst, which show every text as text."""
    return {
        "title": caption(table, language),
        "header": [heading(word(column.title), language) for column in table.columns],
        "rows": [
            [_set(cell, column, language) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
        "right": list(table.right),
        "foot": words(table.foot, language),
    }


def _set(cell: Cell, column: Column, language: str) -> str:
    """A cell's words, dates, figures and contracts as the language writes them."""
    if column.kind is Kind.CARDS:
        return plain_suits(words(cell.text, language), language)
    if isinstance(cell.value, date) and not cell.shown:
        return shown_date(cell.value, language)
    if column.kind is Kind.DATE and not cell.shown:
        return shown_day(cell_text(cell, language), language)
    return cell_text(cell, language)


# --- for programs ---------------------------------------------------------------------------------


def draw_csv(table: Table, as_shown: bool = True) -> str:
    """As CSV, with figures ``as_shown`` or in full; a text that a spreadsheet would run as a
    formula is made harmless."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for row in table.rows:
        contents = [str(cell.text) if as_shown else cell.value for cell in row]
        writer.writerow([neutralised(one) if isinstance(one, str) else one for one in contents])
    return out.getvalue()


def draw_data(table: Table) -> dict[str, Any]:
    """As plain data for JSON: what each column is, and every row by the columns' keys."""
    return {
        "name": table.name,
        "title": caption(table),
        "columns": [_column_data(column) for column in table.columns],
        "rows": list(rows_data(table)),
        "foot": str(table.foot),
    }


def _column_data(column: Column) -> dict[str, str]:
    own = {"key": column.key, "title": str(column.title), "kind": str(column.kind)}
    return {**own, **({"unit": str(column.unit)} if column.unit else {})}


def rows_data(table: Table) -> Iterable[dict[str, Any]]:
    """Every row by the columns' keys; exact numbers as text, nothing as null."""
    keys = [column.key for column in table.columns]
    return ({k: _plain(cell) for k, cell in zip(keys, row, strict=True)} for row in table.rows)


def _plain(cell: Cell) -> str | int | float | None:
    if isinstance(cell.value, Fraction | date):
        return cell.shown or str(cell.value)
    return str(cell.value) if isinstance(cell.value, str) else cell.value


def draw_arrow(table: Table) -> Any:
    """As an Arrow table; ``.to_pandas()`` and Polars take it from there."""
    require("pyarrow")
    import pyarrow

    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    return pyarrow.table(
        {
            column.key: [_in_a_column(cell.value) for cell in cells]
            for column, cells in zip(table.columns, columns, strict=True)
        }
    )


def _in_a_column(value: object) -> object:
    """A value as Arrow holds it; an exact number as text, because no column of floats is exact."""
    return str(value) if isinstance(value, Fraction | str) else value


# --- themes ------------------------------------------------------------------------------------


_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Dress:
    """``name`` stands on top of published pages, on a ground of ``colour`` (``#14513a``)."""

    name: str = ""
    colour: str = ""

    @property
    def sheet(self) -> str:
        """The style that puts the colour on: letters on it are light or dark, whichever can be
        read; links keep the house's own, which can be read on paper and in the dark."""
        if not _COLOUR.fullmatch(self.colour):
            return ""
        ink = "#ffffff" if self._is_dark else "#1e2420"
        return f":root, :root:not(#x) {{ --bar: {self.colour}; --bar-ink: {ink}; }}"

    @property
    def _is_dark(self) -> bool:
        """True if white stands out more than black: by relative luminance, as WCAG has it."""
        parts = [int(self.colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.0696


HOUSE = Dress()
"""Nobody's in particular."""


def is_colour(text: str) -> bool:
    """True if a text is a colour as pages write it."""
    return _COLOUR.fullmatch(text) is not None
