"""From facts to the lines that are posted, now or years later: the same code both times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.engine.lists import EventAwards, award_event
from honours.engine.rulebook import Rulebook
from honours.errors import LedgerError
from honours.ledger.canonical import data_of
from honours.ledger.chain import Line
from honours.ledger.facts import EventFacts, members_of
from honours.model import Award
from honours.rulebooks import every_revision, ids, load


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of points of a scheme; amounts are whole numbers of its smallest unit."""

    id: int
    scheme: str
    name: str
    colour: str
    decimals: int

    def units(self, amount: Fraction) -> int:
        """An amount in the smallest unit; one that does not fit is an error, never rounded."""
        units = amount * 10**self.decimals
        if units.denominator != 1:
            raise LedgerError(
                f"{amount} cannot be written with {self.decimals} decimals, the smallest unit of "
                f"{self.name} points of {self.scheme}"
            )
        return int(units)

    def shown(self, units: int) -> str:
        sign, digits = "-" if units < 0 else "", f"{abs(units):0{self.decimals + 1}d}"
        if not self.decimals:
            return sign + digits
        return f"{sign}{digits[: -self.decimals]}.{digits[-self.decimals :]}"


def smallest_decimals(rulebook: Rulebook) -> int:
    """Whole points stay whole; others are kept to the hundredth at least, because a least award
    may be finer than the unit everything else is rounded to (AGA's 0.01 beside tenths)."""
    return max(rulebook.decimals, 2) if rulebook.decimals else 0


def awards_of(rulebook: Rulebook, facts: EventFacts) -> EventAwards:
    return award_event(rulebook, facts.lists, facts.given)


def lines_of(awards: EventAwards, kind: Kind) -> tuple[Line, ...]:
    """A line for each player who is awarded something, in the order of the lists."""
    return tuple(
        Line(member, kind.id, kind.units(amount), entrant)
        for entrant, counted in awards.combined.items()
        for member, amount in _earned(counted).items()
        if amount
    )


def _earned(counted: Iterable[Award]) -> dict[int, Fraction]:
    earned: dict[int, Fraction] = {}
    for item in counted:
        refused = {player.number for player, _ in item.withheld}
        players = item.standing.entrant.players
        shares = {player.number: item.amount_of(i) for i, player in enumerate(players)}
        for member in members_of(item.standing):
            share = shares.get(str(member), item.amount)
            own = Fraction(0) if str(member) in refused else share
            earned[member] = earned.get(member, Fraction(0)) + own
    return earned


def opening_lines(facts: str) -> tuple[Line, ...]:
    return tuple(Line(member, kind, amount) for member, kind, amount in data_of(facts)["balances"])


def reversed_lines(postings: Iterable[Any]) -> tuple[Line, ...]:
    """The lines that take postings back, each naming the one it reverses."""
    return tuple(Line(p.member, p.kind, -p.amount, p.entrant, p.id) for p in postings)


class Rulebooks:
    """The rulebooks at hand, found by the digest of what they say, not by what they are called."""

    def __init__(self, folders: Iterable[str | Path] = ()) -> None:
        self._folders = tuple(folders)
        self._found: dict[str, Rulebook | None] = {}

    def current(self, rulebook: str, amended: Mapping[str, str]) -> Rulebook | None:
        """The rulebook that goes by this name today, amended likewise."""
        if rulebook not in ids(self._folders):
            return None
        return load(rulebook, self._folders).amend(amended)

    def with_hash(self, wanted: str, amended: Mapping[str, str]) -> Rulebook | None:
        """The revision an award was made with, wherever its folder is."""
        if wanted not in self._found:
            self._found[wanted] = next(self._matching(wanted, amended), None)
        return self._found[wanted]

    def _matching(self, wanted: str, amended: Mapping[str, str]) -> Any:
        for book in every_revision(self._folders):
            if set(amended) and not _takes(book, amended):
                continue
            if (variant := book.amend(amended)).hash == wanted:
                yield variant


def _takes(book: Rulebook, amended: Mapping[str, str]) -> bool:
    return all(key.partition(".")[0] in book.parameters for key in amended)
