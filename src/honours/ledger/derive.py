"""From facts to the lines that are posted, now or years later, by the same code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from honours.engine.numbers import show
from honours.errors import LedgerError
from honours.ledger.canonical import data_of
from honours.ledger.chain import NewPosting
from honours.ledger.facts import EventFacts, members_of
from honours.model import Award
from honours.model.message import Message

if TYPE_CHECKING:  # kinds of points can be named without an engine
    from honours.engine.event_awards import EventAwards
    from honours.engine.rulebook import Rulebook

USUAL_KIND = "local"


_FINEST = 6
"""The most decimals that the smallest unit of a kind of points may have."""


@dataclass(frozen=True, slots=True)
class PointsKind:
    """A kind of points of a scheme; amounts are whole numbers of its smallest unit. ``alias`` is
    the name under which it is stored, if people call it by its colour."""

    id: int
    scheme: str
    name: str
    colour: str
    decimals: int
    alias: str = ""

    @property
    def kept_name(self) -> str:
        """The name that records use."""
        return self.alias or self.name

    def units(self, amount: Fraction) -> int:
        """An amount in the smallest unit; one that is not a whole number of units is an error,
        never rounded."""
        if not 0 <= self.decimals <= _FINEST:
            raise LedgerError(
                "{name} points of {scheme} with {decimals} decimals",
                name=self.name,
                scheme=self.scheme,
                decimals=self.decimals,
            )
        units = amount * 10**self.decimals
        if units.denominator != 1:
            raise LedgerError(
                "{amount} cannot be written with {decimals} decimals, the smallest unit of "
                "{name} points of {scheme}",
                amount=amount,
                decimals=self.decimals,
                name=self.name,
                scheme=self.scheme,
            )
        return int(units)

    def points(self, units: int) -> Fraction:
        """The points that a number of smallest units is worth."""
        return Fraction(units, 10**self.decimals)

    def shown(self, units: int) -> str:
        sign, digits = "-" if units < 0 else "", f"{abs(units):0{self.decimals + 1}d}"
        if not self.decimals:
            return sign + digits
        return f"{sign}{digits[: -self.decimals]}.{digits[-self.decimals :]}"


Points = dict[str, Fraction]
"""Points by the names of their kinds."""


def credit(points: Points, kind: PointsKind, units: int) -> None:
    """Add a number of units of a kind to somebody's points."""
    points[kind.name] = points.get(kind.name, Fraction(0)) + kind.points(units)


@dataclass(frozen=True, slots=True)
class Payment:
    """The kinds of points an event pays: all of the ``usual`` one or, if ``colours`` has the
    kinds of a scheme by colour, those of which the rulebook's awards consist."""

    usual: PointsKind
    colours: Mapping[str, PointsKind] = field(default_factory=dict)

    def kind(self, number: int) -> PointsKind:
        """The kind with this number, among those it pays."""
        known = (self.usual, *self.colours.values())
        return next(kind for kind in known if kind.id == number)

    def parts(self, award: Award, amount: Fraction) -> dict[PointsKind, Fraction]:
        """Return how much of each kind a player of an award is paid."""
        if not self.colours or not award.colours:
            return {self.usual: amount}
        if amount == award.amount:
            return {self.colours[colour]: part for colour, part in award.colours.items()}
        if len(award.colours) == 1:
            return {self.colours[colour]: amount for colour in award.colours}
        raise LedgerError(
            "a player in place {place} gets {amount} of {whole}, and the rulebook does not "
            "say how much of that is {colours}; if players' awards differ, it can name only "
            "one colour",
            place=award.standing.place,
            amount=show(amount, self.usual.decimals),
            whole=show(award.amount, self.usual.decimals),
            colours=tuple(award.colours),
        )


BY_COLOUR = ""
"""The kind of an event whose rulebook determines the colour of each point."""


def payment(scheme: Iterable[PointsKind], wanted: str) -> Payment:
    """Return how an event is paid in a scheme: in the kind named, or by colour."""
    known = tuple(scheme)
    by_name = {kind.kept_name: kind for kind in known}
    by_colour = {kind.colour: kind for kind in reversed(known)}
    return Payment(by_name[wanted or USUAL_KIND], by_colour if wanted == BY_COLOUR else {})


def smallest_decimals(rulebook: Rulebook) -> int:
    """Whole points stay whole; others are kept to at least the hundredth, because a minimum
    award may be finer than the unit everything else is rounded to (AGA's 0.01 beside tenths)."""
    return max(rulebook.decimals, 2) if rulebook.decimals else 0


def awards_of(rulebook: Rulebook, facts: EventFacts, in_words: bool = True) -> EventAwards:
    from honours.engine.event_awards import award_event

    return award_event(rulebook, facts.lists, facts.given, in_words)


def lines_of(awards: EventAwards, paid: Payment) -> tuple[NewPosting, ...]:
    """A line for each player and kind of points awarded, in the order of the lists."""
    return tuple(
        NewPosting(member, kind.id, kind.units(amount), entrant)
        for entrant, counted in awards.combined.items()
        for (member, kind), amount in _earned(counted, paid).items()
        if amount
    )


def _earned(counted: Iterable[Award], paid: Payment) -> dict[tuple[int, PointsKind], Fraction]:
    earned: dict[tuple[int, PointsKind], Fraction] = {}
    for item in counted:
        refused = {player.number for player, _ in item.withheld}
        players = item.standing.entrant.players
        shares = {player.number: item.amount_of(i) for i, player in enumerate(players)}
        for member in members_of(item.standing):
            if str(member) in refused:
                continue
            share = shares.get(str(member), item.amount)
            for kind, part in paid.parts(item, share).items():
                earned[member, kind] = earned.get((member, kind), Fraction(0)) + part
    return earned


def opening_lines(facts: str) -> tuple[NewPosting, ...]:
    return tuple(
        NewPosting(member, kind, amount) for member, kind, amount in data_of(facts)["balances"]
    )


def reversed_lines(postings: Iterable[Any]) -> tuple[NewPosting, ...]:
    """The lines that take postings back, each naming the one it reverses."""
    return tuple(NewPosting(p.member, p.kind, -p.amount, p.entrant, p.id) for p in postings)


def unpublished(rulebook: str, hash_: str, amended: Mapping[str, str]) -> Message | None:
    """Return a message if a rulebook under a bundled id differs from the published one."""
    from honours.rulebooks import is_bundled, is_published

    if not is_bundled(rulebook) or is_published(rulebook, hash_, amended):
        return None
    return Message(
        "made with a text that differs from the published {rulebook} (its hash is {hash})",
        rulebook=rulebook,
        hash=hash_,
    )
