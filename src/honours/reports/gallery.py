"""All rulebooks side by side: what each is worth, and what the same field would be paid by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from honours.engine.award import calculate
from honours.engine.names import public
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, MissingInput
from honours.model import Awards
from honours.model.message import mark
from honours.model.table import Column, Kind, Table, table

SIZES = (8, 12, 18, 24, 36, 60)
BOARDS = 24
_MOST_ASKED = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """What a rulebook pays for a field, and what had to be told beside its size."""

    awards: Awards | None
    given: Mapping[str, str]
    problem: str = ""

    def first(self, many: int) -> str:
        """The first so many awards."""
        schedule = self.awards.schedule if self.awards else ()
        return " ".join(award.shown for award in schedule[:many])


def sample(book: Rulebook, entrants: int, ties: str = "") -> Sample:
    """An evening of so many pairs, or of so many players where the rulebook knows no pairs; what
    else it asks for is what it gives as an example."""
    given: dict[str, str] = _evening(book, entrants)
    answers: dict[str, str] = {}
    for _ in range(_MOST_ASKED):
        try:
            awards = calculate(book, {**given, **answers}, ties)[0]
        except MissingInput as missing:
            answer = _example(book, missing.name)
            if answer is None:
                return Sample(None, answers, str(missing))
            answers |= answer
        except HonoursError as error:
            return Sample(None, answers, str(error))
        else:
            refused = awards.refusal.reason if awards.refusal else ""
            return Sample(awards, answers, refused)
    return Sample(None, answers)


def _evening(book: Rulebook, entrants: int) -> dict[str, str]:
    known = {"kind": "pairs", "winners": "1", "boards": str(BOARDS), "sessions": "1"}
    counted = next((k for k in ("pairs", "players", "entrants") if k in book.inputs), "entrants")
    words = {k: v for k, v in known.items() if k in book.inputs and _takes(book, k, v)}
    return {**words, counted: str(entrants)}


def _takes(book: Rulebook, name: str, value: str) -> bool:
    words = book.inputs[name].words
    return not words or value in words


def _example(book: Rulebook, names: str) -> dict[str, str] | None:
    """How the rulebook itself would answer what it asks."""
    for key in names.split(" or "):
        declared = next((i for i in book.inputs.values() if key in (i.name, public(i.name))), None)
        if declared is not None:
            value = declared.example or "".join(declared.words[:1])
            if value:
                return {public(declared.name): value}
    return None


def standing_table(books: Sequence[Rulebook]) -> Table:
    """Whose each is, what it is worth, and what it refuses."""
    columns = (
        Column("id", mark("rulebook"), Kind.CODE),
        Column("body", mark("body"), Kind.TEXT, lang="en"),
        Column("unit", mark("awards"), Kind.TEXT, lang="en"),
        Column("standing", mark("standing"), Kind.WORD),
        Column("refused", mark("refuses, because nothing was seen"), Kind.TEXT, lang="en"),
    )
    rows = [(b.id, b.body, b.unit, b.standing.status, b.standing.refused) for b in books]
    return table("rulebooks", columns, rows)


def growth_table(books: Sequence[Rulebook]) -> Table:
    """How the first place grows with the field, and what the others would be told."""
    columns = (
        Column("id", mark("rulebook"), Kind.CODE),
        *(Column(f"of_{size}", str(size), Kind.TEXT, right=True) for size in SIZES),
        Column("told", mark("told besides"), Kind.TEXT),
    )
    rows = []
    for book in books:
        samples = [sample(book, size) for size in SIZES]
        answers = ", ".join(f"{k}={v}" for k, v in samples[-1].given.items())
        rows.append((book.id, *(s.first(1) for s in samples), answers))
    return table("first-place", columns, rows)


def same_event_table(books: Sequence[Rulebook], entrants: int = 18) -> Table:
    """The same evening paid by all that can: in order, and with a tie for first."""
    columns = (
        Column("id", mark("rulebook"), Kind.CODE),
        Column("awards", mark("awards"), Kind.TEXT),
        Column("tie", mark("with a tie for first"), Kind.TEXT),
        Column("unit", mark("unit"), Kind.TEXT, lang="en"),
        Column("problem", mark("or why not"), Kind.TEXT),
    )
    rows = []
    for book in books:
        plain, tied = sample(book, entrants), sample(book, entrants, "1-2")
        rows.append((book.id, plain.first(6), tied.first(3), book.unit, plain.problem))
    return table("same-event", columns, rows)
