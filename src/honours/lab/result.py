"""Answers of the lab: the same words, tables and data wherever a question is asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, Self

from honours.engine.columns import exact_only_note
from honours.engine.exact.explanation import render_text, to_data
from honours.engine.rulebook import Rulebook
from honours.engine.rules import public
from honours.lab.sides import Side, name_of
from honours.lab.tables import column_name
from honours.language import DEFAULT, words
from honours.model import Step
from honours.model.message import Message, joined, word
from honours.model.table import Cell, Column, Kind, Link, Table
from honours.reports.drawing import draw_arrow, draw_csv, draw_html, draw_text

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus


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
    statement: str = ""
    """What it says, in a sentence."""
    of_rule: bool = False
    """Whether a rule alone decides it, so that it says nothing of any corpus."""

    @staticmethod
    def of(
        title: str, rows: Iterable[Row], *notes: str, statement: str = "", of_rule: bool = False
    ) -> Frame:
        told = [note for note in notes if note]
        note = joined("; ", told) if len(told) > 1 else next(iter(told), "")
        return Frame(title, tuple(rows), note, statement, of_rule)

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
    """Return whether a corpus was generated."""
    return corpus is not None and "seed" in corpus.manifest.get("about", {})


def headline(corpus: Corpus | None, text: str) -> str:
    """A sentence about a corpus, starting with a warning if nobody really played it."""
    if not is_synthetic(corpus) or not text:
        return text
    return Message("On a synthetic corpus: {text}", text=text)


def stamped(corpus: Corpus | None, frame: Frame) -> Frame:
    """A table that says whether its figures are of a synthetic corpus."""
    if not is_synthetic(corpus) or frame.of_rule or says_synthetic(frame.note):
        return frame
    note = joined("; ", (SYNTHETIC, frame.note)) if frame.note else SYNTHETIC
    return replace(frame, note=note)


def says_synthetic(note: str) -> bool:
    """Return whether a note contains the one that :func:`stamped` adds."""
    parts = note.values.values() if isinstance(note, Message) else ()
    return SYNTHETIC in (note, *parts)


def notes_of(corpus: Corpus | None, *sides: Side) -> list[str]:
    """Return what a report says before its figures: whether the corpus is synthetic, which
    rulebooks had to be worked out event by event, and what they assume about everybody."""
    books = [side for side in sides if isinstance(side, Rulebook)]
    slow = [exact_only_note(book) for book in books]
    assumed = [_assumed(corpus, book) for book in books] if corpus is not None else []
    from honours.lab.holes import hole_notes

    holes = hole_notes(corpus) if corpus is not None else ()
    notes = dict.fromkeys(filter(None, (*holes, *slow, *assumed)))
    return [*([CALIBRATED] if is_synthetic(corpus) else []), *notes]


def _assumed(corpus: Corpus, book: Rulebook) -> str:
    """Return a note on what a rulebook assumes of everybody because no column tells it."""
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


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reasons why something comes out as it does on either side, with a sentence or a table
    before it."""

    name: str
    steps: Sequence[Step]
    sides: tuple[str, str] = (Message("before"), Message("after"))
    sentence: str = ""
    places: Frame | None = None


@dataclass(frozen=True)
class Answer:
    """The answer to a question, on every surface: a sentence, what must be known to read it,
    tables, and what they stand on."""

    title: str
    statements: Sequence[str]
    frames: Sequence[Frame]
    provenance: Mapping[str, str] = field(default_factory=dict)
    synthetic: bool = False
    left: Mapping[str, int] = field(default_factory=dict)
    """Events left out, by reason."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Figures beside the tables, by the names that programs know them by."""
    explanations: Sequence[Explanation] = ()
    in_report: Sequence[Explanation] = ()
    """Explanations that only the report has."""
    shown: Sequence[str | Frame | Step] = ()
    """What a terminal shows after the statements, if not all the tables."""
    front: Sequence[str] = ()
    """The beginnings of the names of the tables whose charts come before everything else."""

    @classmethod
    def about(
        cls,
        corpus: Corpus | None,
        title: str,
        text: str,
        frames: Iterable[Frame],
        notes: Iterable[str] = (),
        sides: Sequence[Side] = (),
        rests_on: Mapping[str, str] | None = None,
        left: Mapping[str, int] | None = None,
        **more: Any,
    ) -> Self:
        """An answer about a corpus, which says whether that is synthetic and what its rulebooks
        take for granted."""
        known = corpus.provenance() if corpus is not None else {}
        return cls(
            Message("{title} (synthetic)", title=title) if is_synthetic(corpus) else title,
            [headline(corpus, text), *notes, *notes_of(corpus, *sides)],
            [stamped(corpus, frame) for frame in frames if frame.rows],
            {**known, **{name_of(side): side.hash for side in sides}, **(rests_on or {})},
            left=dict(left or {}),
            **{"synthetic": is_synthetic(corpus), **more},
        )

    @property
    def statement(self) -> str:
        """The answer in a sentence."""
        return self.statements[0]

    def whole(self, progress: Progress = unwatched) -> Answer:
        """The answer with all that its report explains."""
        del progress
        return self

    def frame(self, name: str) -> Frame:
        """The table whose name begins so."""
        return next(frame for frame in self.frames if frame.name.startswith(name))

    def data(self) -> dict[str, Any]:
        """The whole answer as plain data."""
        return {
            "statement": self.statement,
            "notes": list(self.statements[1:]),
            "synthetic": self.synthetic,
            "left_out": dict(self.left),
            "tables": {frame.name: frame.data() for frame in self.frames},
            "statements": {one.name: one.statement for one in self.frames if one.statement},
            **self.values,
            "why": {one.name: list(map(to_data, one.steps)) for one in self.explanations},
            "provenance": dict(self.provenance),
        }

    def text(self, language: str = DEFAULT) -> str:
        """The text for a terminal."""
        parts = (*self.statements, *(self.shown or self.frames))
        return "\n\n".join(_as_text(part, language) for part in parts)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement)}</p>" + "".join(one.html() for one in self.frames)


def _as_text(part: str | Frame | Step, language: str) -> str:
    if isinstance(part, str):
        return words(part, language)
    return part.text(language) if isinstance(part, Frame) else render_text(part, language)
