"""All rulebooks side by side: what each is worth, and what the same field would be paid by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from honours.engine.award import calculate
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.engine.rules import public, titled
from honours.errors import HonoursError, MissingInput
from honours.model import Awards
from honours.model.facts import label_of_word
from honours.model.message import Message, joined, word
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table
from honours.reports.provenance import fact_in_words

SIZES = (8, 12, 18, 24, 36, 60)
BOARDS = 24
_MOST_ASKED = 12
_ID = Column("id", Message("rulebook"), Kind.CODE)
NOTHING: Mapping[str, str] = MappingProxyType({})
STRENGTHS = (
    ("weaker", Message("a quarter less"), Fraction(3, 4)),
    ("example", Message("its own example"), Fraction(1)),
    ("stronger", Message("a quarter more"), Fraction(5, 4)),
)


@dataclass(frozen=True, slots=True)
class GalleryTable:
    """A table of the gallery under its heading."""

    title: str
    about: str
    table: Table


@dataclass(frozen=True, slots=True)
class GallerySample:
    """A rulebook's payments for a field, and its inputs besides the size."""

    awards: Awards | None
    given: Mapping[str, str]
    problem: str = ""

    def first(self, many: int) -> str:
        """The first so many awards."""
        schedule = self.awards.schedule if self.awards else ()
        return " ".join(award.shown for award in schedule[:many])


def sample(
    book: Rulebook, entrants: int, ties: str = "", given: Mapping[str, str] = NOTHING
) -> GallerySample:
    """An evening of so many pairs, or of so many players where the rulebook knows no pairs; what
    else it asks for, and is not ``given``, is what it gives as an example."""
    given = {**_evening(book, entrants), **given}
    answers: dict[str, str] = {}
    for _ in range(_MOST_ASKED):
        try:
            awards = calculate(book, {**given, **answers}, ties)[0]
        except MissingInput as missing:
            answer = book.examples_of(missing.names)
            if not answer:
                return GallerySample(None, answers, missing.message)
            answers |= dict([*answer.items()][:1])
        except HonoursError as error:
            return GallerySample(None, answers, error.message)
        else:
            refused = awards.refusal.reason if awards.refusal else ""
            return GallerySample(awards, answers, refused)
    return GallerySample(None, answers)


def _evening(book: Rulebook, entrants: int) -> dict[str, str]:
    known = {"kind": "pairs", "winners": "1", "boards": str(BOARDS), "sessions": "1"}
    counted = next((k for k in ("pairs", "players", "entrants") if k in book.inputs), "entrants")
    words = {k: v for k, v in known.items() if k in book.inputs and _takes(book, k, v)}
    return {**words, counted: str(entrants)}


def _takes(book: Rulebook, name: str, value: str) -> bool:
    words = book.inputs[name].words
    return not words or value in words


def standing_table(books: Sequence[Rulebook]) -> Table:
    """Whose each is, what it is worth, and what it refuses."""
    columns = (
        _ID,
        headed("body", Kind.TEXT, lang="en"),
        Column("unit", Message("awards"), Kind.TEXT, lang="en"),
        Column("to", Message("to whom"), Kind.TEXT),
        headed("standing", Kind.WORD),
        Column("refused", Message("refuses, because nothing was seen"), Kind.TEXT),
    )
    rows = [
        (
            Cell(book.id, link=Link("rulebook", book.id)),
            book.body,
            book.unit,
            _to_whom(book),
            word(book.standing.status),
            word(book.standing.refused),
        )
        for book in books
    ]
    return table("rulebooks", columns, rows)


def _to_whom(book: Rulebook) -> str:
    """The kinds of entrants that it pays; one that it refuses outright is left out."""
    if "kind" not in book.inputs:
        return Message("players")
    paid = []
    for kind in book.inputs["kind"].words:
        awards = sample(book, SIZES[-1], given={"kind": kind}).awards
        if awards is None or awards.refusal is None:
            paid.append(kind)
    return joined(", ", (word(label_of_word(kind)) for kind in paid))


def growth_table(books: Sequence[Rulebook]) -> Table:
    """The growth of the first place with the field, and the inputs of the others."""
    columns = (
        _ID,
        *(Column(f"of_{size}", str(size), Kind.TEXT, right=True) for size in SIZES),
        Column("told", Message("told besides"), Kind.TEXT),
    )
    rows = []
    for book in books:
        samples = [sample(book, size) for size in SIZES]
        answers = joined(", ", (fact_in_words(k, v) for k, v in samples[-1].given.items()))
        rows.append((book.id, *(s.first(1) for s in samples), answers))
    return table("first-place", columns, rows)


def strength_table(books: Sequence[Rulebook], entrants: int = 18) -> Table:
    """The growth of the first place with strength: what a rulebook asks of the field besides its
    size, a quarter less and a quarter more than its own example."""
    columns = (
        _ID,
        Column("input", Message("what it asks"), Kind.TEXT),
        *(Column(f"by_{name}", title, Kind.TEXT, right=True) for name, title, _ in STRENGTHS),
    )
    rows = []
    for book in books:
        for name, example in _strengths(book, entrants):
            values = [show(example * share) for _, _, share in STRENGTHS]
            samples = [sample(book, entrants, given={name: value}) for value in values]
            firsts = zip(values, samples, strict=True)
            rows.append(
                (book.id, titled(name), *(f"{v}: {one.first(1) or '–'}" for v, one in firsts))
            )
    return table("strength", columns, rows)


def _strengths(book: Rulebook, entrants: int) -> list[tuple[str, Fraction]]:
    """The numbers of the field that a rulebook asks for besides its size, with their examples."""
    answers = sample(book, entrants).given
    numbers = {
        public(declared.name): declared
        for declared in book.inputs.values()
        if declared.type == "number" and declared.per != "game"
    }
    return [
        (name, Fraction(value))
        for name, value in answers.items()
        if name in numbers and value not in numbers[name].named
    ]


def same_event_table(books: Sequence[Rulebook], entrants: int = 18) -> Table:
    """The same evening paid by all that can: in order, and with a tie for first."""
    columns = (
        _ID,
        headed("awards", Kind.TEXT),
        Column("tie", Message("with a tie for first"), Kind.TEXT),
        headed("unit", Kind.TEXT, lang="en"),
        Column("problem", Message("or why not"), Kind.TEXT),
    )
    rows = []
    for book in books:
        plain, tied = sample(book, entrants), sample(book, entrants, "1-2")
        rows.append((book.id, plain.first(6), tied.first(3), book.unit, plain.problem))
    return table("same-event", columns, rows)


def gallery(books: Sequence[Rulebook]) -> tuple[GalleryTable, ...]:
    """All there is to see side by side."""
    return (
        GalleryTable(Message("What each is worth"), "", standing_table(books)),
        GalleryTable(
            Message("How first place grows with the field"),
            Message(
                "An evening of 24 boards in one session, with one ranking; everything else "
                "is each rulebook's own example."
            ),
            growth_table(books),
        ),
        GalleryTable(
            Message("How first place grows with strength"),
            Message(
                "18 pairs or players, for the rulebooks that ask for a number besides the size of "
                "the field. The others pay by size alone."
            ),
            strength_table(books),
        ),
        GalleryTable(
            Message("The same 18 pairs, paid by all that can"),
            Message("In order, and with a tie for first."),
            same_event_table(books),
        ),
    )
