"""Rulebooks as documents and tables: what one asks, its numbers with their clauses, its choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from honours import clock
from honours.engine.exact.explanation import citation_data
from honours.engine.numbers import show
from honours.engine.rulebook import ONE_COLOUR, Input, Rulebook
from honours.engine.rules import public
from honours.model.message import Message, joined, word
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table


def rulebook_data(rulebook: Rulebook) -> dict[str, Any]:
    """Everything the rulebook declares, as plain data."""
    return {
        "id": rulebook.id,
        "title": rulebook.title,
        "body": rulebook.body,
        "edition": rulebook.edition,
        "revision": rulebook.revision,
        "hash": rulebook.hash,
        "amended": dict(rulebook.amended),
        "sources": dict(rulebook.sources),
        "effective": asdict(rulebook.effective),
        "standing": {
            "status": rulebook.standing.status,
            "evidence": rulebook.standing.evidence,
            "refused": rulebook.standing.refused,
        },
        "unit": rulebook.unit,
        "inputs": [_input_data(i) for i in rulebook.inputs.values()],
        "parameters": [
            {
                "name": p.name,
                "value": value_text(p.value),
                "about": p.about,
                "citation": citation_data(p.citation),
            }
            for p in rulebook.parameters.values()
        ],
        "rules": [
            {
                "name": r.name,
                "kind": r.kind,
                "per": r.per,
                "about": r.about or r.message,
                "clause": r.clause,
            }
            for r in rulebook.rules
        ],
        "choices": [
            {"name": r.choice.name, "reading": r.choice.reading} for r in rulebook.readings
        ],
        "variants": [{"name": v.name, "about": v.about} for v in rulebook.variants.values()],
    }


def _input_data(declared: Input) -> dict[str, Any]:
    return {
        "key": public(declared.name),
        "about": declared.about,
        "type": declared.type,
        "per": declared.per,
        "words": list(declared.words),
        "default": declared.default,
        "example": declared.example,
    }


def value_text(value: object) -> str:
    """A parameter's value: a number, a word, or a table on one line."""
    if isinstance(value, Fraction):
        return show(value) if len(show(value)) < 10 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {value_text(v)}" for k, v in value.items())
    if isinstance(value, tuple):
        return ", ".join(":".join(value_text(x) for x in row) for row in value)
    return str(value)


def standing_text(rulebook: Rulebook) -> Message:
    """The rule's value, in a line or two."""
    standing = rulebook.standing
    parts = (
        Message("Standing: {status}.", status=word(standing.status)),
        standing.evidence,
        Message("Refused: {what}", what=standing.refused) if standing.refused else "",
        stale_text(rulebook),
    )
    return joined(" ", filter(None, parts))


def in_force(rulebook: Rulebook) -> dict[str, Any]:
    """Whose rule it is, its edition, since when, backed by what, last looked at when, and what of
    it is missing."""
    effective, standing = rulebook.effective, rulebook.standing
    return {
        "id": rulebook.id,
        "title": rulebook.title,
        "body": rulebook.body,
        "edition": rulebook.edition,
        "standing": standing.status,
        "since": effective.since,
        "until": effective.until,
        "newer": effective.newer,
        "backed_by": standing.evidence or "; ".join(rulebook.sources.values()),
        "missing": standing.refused,
        "looked": effective.looked,
        "stale": effective.is_stale(clock.today()),
    }


def stale_text(rulebook: Rulebook) -> str:
    """Return a warning if nobody checked for more than a year whether the rule still holds."""
    if not rulebook.effective.is_stale(clock.today()):
        return ""
    return Message(
        "Last looked at on {day}, more than a year ago: the rule may have changed.",
        day=rulebook.effective.looked,
    )


def in_force_text(rulebook: Rulebook) -> Message:
    """The same for a terminal."""
    about = Message(
        "{body}: {title} ({id})", body=rulebook.body, title=rulebook.title, id=rulebook.id
    )
    stale = rulebook.effective.is_stale(clock.today())
    looked = Message("Last looked at: {day}", day=rulebook.effective.looked or "–")
    parts = (
        joined(", ", filter(None, (rulebook.edition, _effective(rulebook)))),
        standing_text(rulebook),
        rulebook.effective.newer,
        "" if stale else looked,
    )
    return joined("\n  ", (about, *filter(None, parts)))


def rulebook_head(rulebook: Rulebook) -> Message:
    """The rulebook for a terminal: what it is, and its README."""
    title = Message(
        "{id}, revision {revision}: {title}",
        id=rulebook.id,
        revision=rulebook.revision,
        title=rulebook.title,
    )
    edition = joined(", ", filter(None, (rulebook.body, rulebook.edition, _effective(rulebook))))
    head = joined("\n", (title, edition, standing_text(rulebook)))
    return joined("\n\n", (head, rulebook.readme.strip()))


def _effective(rulebook: Rulebook) -> str:
    since, until = rulebook.effective.since, rulebook.effective.until
    if since and until:
        return Message("from {since} until {until}", since=str(since), until=str(until))
    if since:
        return Message("from {since}", since=str(since))
    return Message("until {until}", until=str(until)) if until else ""


# --- tables ------------------------------------------------------------------------------------


_ABOUT = headed("about", lang="en")
_PER = headed("per")
_LEVELS = {
    "field": Message("field"),
    "place": Message("place"),
    "entrant": Message("entrant"),
    "player": Message("player"),
    "game": Message("game"),
}
_CLAUSE = headed("clause", lang="en")


def rulebooks_table(books: Iterable[Rulebook]) -> Table:
    """Every rulebook, with whose it is and what its rules are worth."""
    columns = (
        headed("id", Kind.CODE, right=False),
        headed("revision", Kind.NUMBER),
        headed("standing", Kind.WORD),
        headed("body", lang="en"),
        headed("title", lang="en"),
        headed("edition", lang="en"),
        headed("unit", lang="en"),
        headed("since", Kind.DATE),
        headed("until", Kind.DATE),
        Column("backed_by", Message("backed by"), lang="en"),
        headed("missing", lang="en"),
        Column("looked", Message("last looked at")),
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
            book.effective.since,
            book.effective.until,
            book.standing.evidence or "; ".join(book.sources.values()),
            book.standing.refused,
            stale_text(book) or book.effective.looked,
        )
        for book in books
    ]
    return table("rulebooks", columns, rows)


def inputs_table(book: Rulebook) -> Table:
    """The inputs of a rulebook."""
    columns = (
        headed("key", Kind.CODE, right=False),
        headed("type", lang="en"),
        _PER,
        headed("default", lang="en"),
        _ABOUT,
    )
    rows = [
        (
            public(one.name),
            ", ".join(one.words) if one.type == "word" else one.type,
            _LEVELS[one.per],
            one.default or "",
            word(one.about),
        )
        for one in book.inputs.values()
    ]
    return table("inputs", columns, rows)


def parameters_table(book: Rulebook) -> Table:
    """The numbers a rulebook states, each with the clause that states it."""
    columns = (
        headed("parameter", Kind.CODE, right=False),
        headed("value", Kind.CODE, lang="en"),
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
        headed("rule", Kind.CODE, right=False),
        headed("kind", lang="en"),
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
        headed("rank", lang="en"),
        headed("needs", lang="en"),
    )
    rows = [
        (one.name, ", ".join(f"{kind} {value_text(least)}" for kind, least in one.needs.items()))
        for one in book.ranks
    ]
    return table("ranks", columns, rows)


def beside_table(book: Rulebook) -> Table:
    """The figures a rulebook gives beside an amount of points: their colours, and further
    figures."""
    columns = (
        headed("gives", lang="en"),
        headed("quantity", Kind.CODE, right=False),
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
    columns = (headed("name", Kind.CODE, right=False), _ABOUT)
    rows = [(one.name, word(one.about)) for one in book.variants.values()]
    return table("variants", columns, rows)


def rulebook_tables(book: Rulebook) -> list[tuple[Message, Table]]:
    """The parts of a rulebook that readers look up, each under its heading."""
    tables = [
        (Message("What it asks"), inputs_table(book)),
        (Message("Its numbers"), parameters_table(book)),
        (Message("What it gives beside points"), beside_table(book)),
        (Message("Its variants"), variants_table(book)),
    ]
    return [(title, one.used()) for title, one in tables if one.rows]
