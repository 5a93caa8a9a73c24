"""What they are awarded, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from honours.model.facts import KnownFact, Value
from honours.model.people import Player
from honours.model.standing import Field, Standing


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule or a number is stated, and the few words that state it."""

    clause: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.clause}: “{self.words}”" if self.words else self.clause


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that says in plain words how an award came about, and the clause behind it."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Step:
    """One quantity on the way to an award: a node of the explanation's tree.

    ``kind`` ``aggregate`` is a mean or a sum over many, ``place`` what the place above got.
    ``formula`` is in names, ``working`` the same with their values; ``because`` says why this
    formula and no other of the rule; ``rounding`` how the value was rounded. An aggregate's members
    are in ``parts``. ``short`` is on the award itself: what one would say of it to a member.
    ``called`` is what readers call it, where that is more than the name with spaces; ``item_of``
    names the table whose item it is, where the rule takes one and nothing else.
    """

    name: str
    value: Value
    shown: str
    kind: Literal["input", "parameter", "rule", "aggregate", "place"]
    about: str = ""
    formula: str = ""
    working: str = ""
    rounding: str = ""
    citation: Citation | None = None
    uses: tuple[Step, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    because: str = ""
    short: tuple[Sentence, ...] = ()
    called: str = ""
    item_of: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is awarded. An answer, not an error."""

    reason: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know beside the figures: a warning or a flagged reading."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Choice:
    """A reading the source does not settle, and which one we took."""

    name: str
    reading: str
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """Something a rulebook gives an entrant, or one ``player`` of it, besides points: a new rating,
    a norm, a title."""

    name: str
    value: Value
    shown: str
    why: Step
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """What each player of a standing is awarded, and why.

    ``refusal`` says why nobody of the entrant gets anything, ``withheld`` why some players do not.
    Where players of one entrant get different amounts, ``shares`` has each in the order of the
    players and ``amount`` is the largest. ``colours`` says of which kinds of points it is made;
    where ``one_kind`` is, the rulebook has no other, and nobody has to be told.
    """

    standing: Standing
    amount: Fraction
    shown: str
    why: Step
    refusal: Refusal | None = None
    withheld: tuple[tuple[Player, Refusal], ...] = ()
    shares: tuple[Fraction, ...] = ()
    colours: Mapping[str, Fraction] = dataclasses.field(default_factory=dict)
    one_kind: bool = False
    figures: tuple[Figure, ...] = ()

    def amount_of(self, player: int) -> Fraction:
        """What the player at this index of the entrant is awarded."""
        return self.shares[player] if self.shares else self.amount


@dataclass(frozen=True, slots=True)
class Awards:
    """What a rulebook awards for one ranking list. ``unused`` are facts that played no part;
    ``known`` is everything it was told, derived or assumed, each with its source."""

    rulebook: str
    revision: int
    amended: Mapping[str, str]
    unit: str
    field: Field
    quantities: Mapping[str, str]
    schedule: tuple[Award, ...]
    why: tuple[Step, ...] = ()
    refusal: Refusal | None = None
    notices: tuple[Notice, ...] = ()
    choices: tuple[Choice, ...] = ()
    extras: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    known: tuple[KnownFact, ...] = ()
