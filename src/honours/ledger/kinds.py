"""Kinds of points: local (black), national (red), qualification, and those a club names itself.

A scheme is identified by the body of the rulebook, whose points they are: points of two bodies are
never added.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from honours.engine.ranks import USUAL_KINDS
from honours.errors import InputError, UnknownName
from honours.ledger import sealing
from honours.ledger.balances import open_scheme
from honours.ledger.derive import (
    BY_COLOUR,
    USUAL_KIND,
    Payment,
    PointsKind,
    payment,
    smallest_decimals,
)
from honours.ledger.schema import balances, kinds
from honours.model.message import Message, by_option

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook

USUAL = USUAL_KINDS


_CALLED_BY_COLOUR = ("local", "national")
"""Kinds whose names mean nothing to a body that speaks of black and red points."""


def ensure_scheme(connection: Connection, rulebook: Rulebook) -> None:
    """Open a rulebook's scheme with the usual kinds when its first points are posted, plus a
    kind for every other colour it pays."""
    for name, colour in _missing(connection, rulebook).items():
        add(connection, rulebook.body, name, colour, smallest_decimals(rulebook))


def to_be_opened(rulebook: Rulebook) -> tuple[str, ...]:
    """The names that kinds may have in a scheme that is not open yet."""
    return tuple(dict.fromkeys((*USUAL, *rulebook.colours_paid)))


def is_open(connection: Connection, rulebook: Rulebook) -> bool:
    """Return whether there is a kind for everything a rulebook pays."""
    return not _missing(connection, rulebook)


def _missing(connection: Connection, rulebook: Rulebook) -> dict[str, str]:
    known = {kind.colour for kind in all_kinds(connection, rulebook.body)}
    wanted = {} if known else dict(USUAL)
    held = known or set(USUAL.values())
    return wanted | {c: c for c in rulebook.colours_paid if c not in held}


def payment_of(connection: Connection, rulebook: Rulebook, wanted: str) -> tuple[str, Payment]:
    """Return how an event is paid, and the word for it: as requested, or as the rulebook says."""
    if wanted:
        kind = get(connection, rulebook.body, wanted)
        return kind.kept_name, Payment(kind)
    word = BY_COLOUR if rulebook.colours_paid else USUAL_KIND
    return word, payment(all_kinds(connection, rulebook.body), word)


def add(connection: Connection, scheme: str, name: str, colour: str, decimals: int) -> PointsKind:
    """A new kind of points of a scheme."""
    known = all_kinds(connection, scheme)
    if any(name in (kind.name, kind.alias) for kind in known):
        raise InputError("{scheme} has {name} points already", scheme=scheme, name=name)
    number = sealing.next_number(connection, kinds)
    row = {"id": number, "scheme": scheme, "name": name, "colour": colour, "decimals": decimals}
    sealing.put(connection, kinds, row)
    if not known:
        open_scheme(connection, scheme)
    return PointsKind(number, scheme, name, colour, decimals)


def all_kinds(connection: Connection, scheme: str = "") -> list[PointsKind]:
    """The kinds of points of a scheme, or of all; if a body's rulebooks pay by colour, they are
    called by their colours, whatever name is stored."""
    every_kind = stored_kinds(connection)
    of_colours = {kind.scheme for kind in every_kind if _is_a_colour(kind)}
    coloured = {one for one in of_colours if _pays_by_colour(one)}
    return [
        _by_colour(kind) if kind.scheme in coloured else kind
        for kind in every_kind
        if scheme in ("", kind.scheme)
    ]


def by_id(connection: Connection, scheme: str = "") -> dict[int, PointsKind]:
    """The kinds of points of a scheme, or of all, by their ids."""
    return {kind.id: kind for kind in all_kinds(connection, scheme)}


def stored_kinds(connection: Connection) -> list[PointsKind]:
    """The kinds of points by their stored names."""
    rows = connection.execute(select(kinds).order_by(kinds.c.id))
    return [PointsKind(r.id, r.scheme, r.name, r.colour, r.decimals) for r in rows]


def held_kinds(connection: Connection, scheme: str = "") -> list[PointsKind]:
    """The kinds of points of a scheme, or of all, that somebody has some of."""
    held = set(connection.scalars(select(balances.c.kind).where(balances.c.amount != 0).distinct()))
    return [kind for kind in all_kinds(connection, scheme) if kind.id in held]


def _is_a_colour(kind: PointsKind) -> bool:
    return kind.name == kind.colour and kind.colour not in USUAL.values()


@cache
def _pays_by_colour(scheme: str) -> bool:
    from honours.rulebooks import ids, load

    books = (load(name) for name in ids())
    return any(book.body == scheme and book.colours_paid for book in books)


def _by_colour(kind: PointsKind) -> PointsKind:
    if kind.name not in _CALLED_BY_COLOUR:
        return kind
    return replace(kind, name=kind.colour, alias=kind.name)


def get(connection: Connection, scheme: str, name: str) -> PointsKind:
    """A kind by its name, its colour, or its stored name."""
    known = all_kinds(connection, scheme)
    for kind in known:
        if name in (kind.name, kind.colour, kind.alias):
            return kind
    raise UnknownName(
        Message("kind of points of {scheme}", scheme=scheme), name, [k.name for k in known]
    )


def by_every_name(known: Iterable[PointsKind]) -> dict[str, PointsKind]:
    """Kinds by the names people use and by their stored names."""
    return {name: kind for kind in known for name in (kind.name, kind.alias) if name}


def kind_named(connection: Connection, name: str, rulebook: str | None = None) -> PointsKind:
    """A kind by its name or colour, of a rulebook's body or of the only scheme there is."""
    return get(connection, scheme_of(connection, rulebook), name)


def scheme_of(connection: Connection, rulebook: str | None = None) -> str:
    """Return the scheme that is meant: that of a rulebook's body, or the only one there is."""
    from honours.rulebooks import load

    schemes = dict.fromkeys(kind.scheme for kind in all_kinds(connection))
    if rulebook:
        return rulebook if rulebook in schemes else load(rulebook).body
    if len(schemes) > 1:
        raise InputError(
            "points of {schemes} are kept: say whose with {remedy}",
            schemes=tuple(schemes),
            remedy=by_option("rulebook"),
        )
    return next(iter(schemes), "")
