"""Rulebooks as tables: which there are, and what one asks, states and works out."""

from __future__ import annotations

from collections.abc import Iterable

from honours.engine.posting import ONE_COLOUR
from honours.engine.rulebook import Input, Rulebook
from honours.engine.written_names import public
from honours.model.message import Message, word
from honours.model.table import Cell, Column, Kind, Link, Table, table
from honours.reports.rulebook import value_text

_ABOUT = Column("about", Message("about"), lang="en")
_PER = Column("per", Message("per"))
_LEVELS = {
    "field": Message("field"),
    "place": Message("place"),
    "entrant": Message("entrant"),
    "player": Message("player"),
    "game": Message("game"),
}
_CLAUSE = Column("clause", Message("clause"), lang="en")


def rulebooks_table(books: Iterable[Rulebook]) -> Table:
    """Every rulebook, with whose it is and what its rules are worth."""
    columns = (
        Column("id", Message("id"), Kind.CODE, right=False),
        Column("revision", Message("revision"), Kind.NUMBER),
        Column("standing", Message("standing"), Kind.WORD),
        Column("body", Message("body"), lang="en"),
        Column("title", Message("title"), lang="en"),
        Column("edition", Message("edition"), lang="en"),
        Column("unit", Message("unit"), lang="en"),
    )
    rows = [
        (
            Cell(book.id, link=Link("rulebook", book.id)),
            book.revision,
            word(book.standing.status),
            book.body,
            book.title,
            book.edition,
            book.unit,
        )
        for book in books
    ]
    return table("rulebooks", columns, rows)


def inputs_table(book: Rulebook) -> Table:
    """What a rulebook asks."""
    columns = (
        Column("key", Message("key"), Kind.CODE, right=False),
        Column("type", Message("type"), lang="en"),
        _PER,
        Column("default", Message("default"), lang="en"),
        _ABOUT,
    )
    rows = [
        (public(one.name), _type(one), _LEVELS[one.per], one.default or "", word(one.about))
        for one in book.inputs.values()
    ]
    return table("inputs", columns, rows)


def _type(declared: Input) -> str:
    return ", ".join(declared.words) if declared.type == "word" else declared.type


def parameters_table(book: Rulebook) -> Table:
    """The numbers a rulebook states, each with the clause that states it."""
    columns = (
        Column("parameter", Message("parameter"), Kind.CODE, right=False),
        Column("value", Message("value"), Kind.CODE, lang="en"),
        _CLAUSE,
        Column("words", Message("words of the source"), lang="en"),
    )
    rows = [
        (one.name, value_text(one.value), one.citation.clause, one.citation.words)
        for one in book.parameters.values()
    ]
    return table("parameters", columns, rows)


def rules_table(book: Rulebook) -> Table:
    """The rules of a rulebook, in their order."""
    columns = (
        Column("rule", Message("rule"), Kind.CODE, right=False),
        Column("kind", Message("kind"), lang="en"),
        _PER,
        _ABOUT,
        _CLAUSE,
    )
    rows = [
        (
            one.name,
            one.kind,
            _LEVELS[one.per],
            word(one.about) if one.about else one.message,
            one.clause,
        )
        for one in book.rules
    ]
    return table("rules", columns, rows)


def ladder_table(book: Rulebook) -> Table:
    """The ranks a body gives, and what each needs."""
    columns = (
        Column("rank", Message("rank"), lang="en"),
        Column("needs", Message("needs"), lang="en"),
    )
    rows = [
        (one.name, ", ".join(f"{kind} {value_text(least)}" for kind, least in one.needs.items()))
        for one in book.ranks
    ]
    return table("ranks", columns, rows)


def beside_table(book: Rulebook) -> Table:
    """What a rulebook gives beside an amount of points: their colours, and further figures."""
    columns = (
        Column("gives", Message("gives"), lang="en"),
        Column("quantity", Message("quantity"), Kind.CODE, right=False),
        _ABOUT,
    )
    one, kind = Message("the colour of all points of a list"), Message("a colour of points")
    colours = [
        ("" if name == ONE_COLOUR else name, quantity, one if name == ONE_COLOUR else kind)
        for name, quantity in book.colours.items()
    ]
    figures = [(figure.name, figure.quantity, word(figure.about)) for figure in book.figures]
    return table("beside", columns, [*colours, *figures])


def variants_table(book: Rulebook) -> Table:
    """The other readings of a rulebook that have a name."""
    columns = (Column("name", Message("name"), Kind.CODE, right=False), _ABOUT)
    rows = [(one.name, word(one.about)) for one in book.variants.values()]
    return table("variants", columns, rows)


def rulebook_tables(book: Rulebook) -> list[tuple[Message, Table]]:
    """What one looks a rulebook up for, each under its heading."""
    tables = [
        (Message("What it asks"), inputs_table(book)),
        (Message("Its numbers"), parameters_table(book)),
        (Message("What it gives beside points"), beside_table(book)),
        (Message("Its variants"), variants_table(book)),
    ]
    return [(title, one.used()) for title, one in tables if one.rows]
