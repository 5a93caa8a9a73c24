"""What a question of the lab finds: the same words, tables and data wherever it is asked."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from honours.engine.columns import exact_only_note
from honours.engine.rulebook import Rulebook
from honours.engine.rules import public
from honours.lab.tables import column_name
from honours.language import DEFAULT
from honours.model.message import Message, word
from honours.model.table import Cell, Column, Kind, Link, Table
from honours.reports.drawing import draw_arrow, draw_csv, draw_html, draw_text

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer
    from honours.lab.sides import Side


# --- figures of the lab -------------------------------------------------------------------------

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


# --- what an answer must say about itself in its headline ---------------------------------------

SYNTHETIC = Message("synthetic")
CALIBRATED = Message(
    "The corpus is synthetic: made by a program, fitted to the numbers of events, sizes, flights "
    "and holdings that the sources of 2011 and 2020 publish, to the points of their ranges, and to "
    "what holdings tell of percentages in 47 real club games. Who plays with whom and how often, "
    "talent against form, lower strata and what else nobody prints are assumed."
)


def is_synthetic(corpus: Corpus | None) -> bool:
    """Whether a corpus was generated."""
    return corpus is not None and "seed" in corpus.manifest.get("about", {})


def headline(corpus: Corpus | None, text: str) -> str:
    """A sentence about a corpus, starting with a warning if nobody really played it."""
    if not is_synthetic(corpus) or not text:
        return text
    return Message("On a synthetic corpus: {text}", text=text)


def titled(corpus: Corpus | None, title: str) -> str:
    """The title of a report."""
    return Message("{title} (synthetic)", title=title) if is_synthetic(corpus) else title


def note_of(corpus: Corpus | None) -> str:
    """The note under a table and on a chart."""
    return SYNTHETIC if is_synthetic(corpus) else ""


def says_synthetic(note: str) -> bool:
    """Whether a note contains the one that :func:`note_of` makes."""
    parts = note.values.values() if isinstance(note, Message) else ()
    return note == SYNTHETIC or any(isinstance(one, Message) and one == SYNTHETIC for one in parts)


def notes_of(corpus: Corpus | None, *sides: Side) -> list[str]:
    """What a report says before its figures: whether the corpus is synthetic, which rulebooks
    had to be worked out event by event, and what they assume about everybody."""
    books = [side for side in sides if isinstance(side, Rulebook)]
    slow = [exact_only_note(book) for book in books]
    assumed = [_assumed(corpus, book) for book in books] if corpus is not None else []
    from honours.lab.holes import hole_notes

    holes = hole_notes(corpus) if corpus is not None else ()
    notes = dict.fromkeys(filter(None, (*holes, *slow, *assumed)))
    return [*([CALIBRATED] if is_synthetic(corpus) else []), *notes]


def _assumed(corpus: Corpus, book: Rulebook) -> str:
    """What a rulebook assumes about everybody because no column of the corpus tells it."""
    columns = {*corpus.columns("entrants"), *corpus.columns("players")}
    assumed = [
        f"{public(name)}={declared.default}"
        for name, declared in book.inputs.items()
        if declared.per in ("entrant", "player")
        and declared.default is not None
        and column_name(name) not in columns
    ]
    if not assumed:
        return ""
    return Message(
        "{rulebook} takes {assumed} of everybody: no column of the corpus tells it.",
        rulebook=book.id,
        assumed=", ".join(assumed),
    )


# --- what a question of the lab finds -----------------------------------------------------------

Progress = Callable[..., None]
"""Called with how much is done, out of how much, and the interim result."""


def unwatched(*_: object) -> None:
    """The progress of work that nobody watches."""


class LabResult(ABC):
    """A statement and tables, about a corpus or independent of any."""

    corpus: Corpus | None

    @property
    def sides(self) -> Sequence[Side]:
        """The rulebooks it is about."""
        return ()

    @property
    def notes(self) -> Sequence[str]:
        """Notes that must accompany the statement."""
        return ()

    @abstractmethod
    def statement(self) -> str:
        """The answer in a sentence."""

    @abstractmethod
    def frames(self) -> Iterable[Frame]:
        """Its tables, starting with the one that answers the question."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """The whole answer as plain data."""

    @property
    def heading(self) -> str:
        """The title of a report about it."""
        return next(iter(self.frames())).title

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report of the result: just its statement and tables."""
        from honours.lab.report import Answer

        del progress, whole
        data = self.data()
        statements = [self.statement(), *self.notes, *notes_of(self.corpus, *self.sides)]
        title = titled(self.corpus, self.heading)
        return Answer(title, statements, [*self.frames()], data["provenance"], plain=data)

    def text(self, language: str = DEFAULT) -> str:
        """The text for a terminal."""
        return self.answer(whole=False).text(language)

    def _repr_html_(self) -> str:
        tables = "".join(frame.html() for frame in self.frames())
        return f"<p>{escape(self.statement())}</p>{tables}"


@dataclass(frozen=True, slots=True)
class ToldResult(LabResult):
    """A sentence, what it rests on, and the tables behind it."""

    corpus: Corpus | None
    title: str
    text_told: str
    tables: tuple[Frame, ...]
    notes: Sequence[str] = ()
    sides: Sequence[Side] = ()
    rests_on: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        return self.title

    def statement(self) -> str:
        return headline(self.corpus, self.text_told)

    def frames(self) -> tuple[Frame, ...]:
        return self.tables

    def data(self) -> dict[str, Any]:
        known = self.corpus.provenance() if self.corpus else {}
        return {
            "statement": self.statement(),
            "notes": list(self.notes),
            "synthetic": self.corpus is None or bool(note_of(self.corpus)),
            "tables": {frame.name: frame.data() for frame in self.tables},
            "provenance": {**known, **{side.id: side.hash for side in self.sides}, **self.rests_on},
        }


Finding: TypeAlias = "LabResult | Answer"
"""What answers a question: a result, or a finished report."""
