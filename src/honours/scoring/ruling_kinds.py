"""Rulings: what a scorer or director changes, each a small class, and the record it is kept in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from honours.model import ArtificialScore, AssignedScore, Contract, Penalty, Player, Source

AT_FAULT = {"no": Fraction(3, 5), "partly": Fraction(1, 2), "yes": Fraction(2, 5)}
"""Average plus, average or average minus, by whether a side is at fault."""

Line = tuple[str, str, str, str]
"""A line of published standings as shown: entrant, place, score and name."""


@dataclass(frozen=True, slots=True)
class Where:
    """A line of a traveller: the board and one of the entrants at the table."""

    board: int
    entrant: str
    section: str = ""
    session: int = 0


@dataclass(frozen=True, slots=True)
class Correct:
    """Put a line right; ``None`` leaves a part as it was. ``turned`` swaps the sides; ``over`` is
    the result against the contract (-1 for one down), in place of ``tricks``."""

    where: Where
    board: int | None = None
    ns: str | None = None
    ew: str | None = None
    contract: Contract | None = None
    tricks: int | None = None
    score: int | None = None
    passed_out: bool = False
    turned: bool = False
    not_played: bool = False
    over: int | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """Say who an entrant is."""

    entrant: str
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Substitute:
    """Somebody played instead of a player named ``absent``."""

    entrant: str
    absent: str
    player: Player


@dataclass(frozen=True, slots=True)
class Phantom:
    """An entrant that was not there: its lines go, and it is not ranked."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Foul:
    """The entrants met the board in another version; ``fault`` matters where only one table did,
    entrant by entrant: no, partly or yes."""

    board: int
    entrants: tuple[str, ...]
    version: str = "fouled"
    fault: tuple[tuple[str, str], ...] = ()
    section: str = ""
    session: int = 0


@dataclass(frozen=True, slots=True)
class Adjust:
    """Give a line an adjusted score; ``None`` lets the result at the table stand for a side."""

    where: Where
    ns: ArtificialScore | AssignedScore | None
    ew: ArtificialScore | AssignedScore | None


@dataclass(frozen=True, slots=True)
class Fine:
    """A penalty in a session (0 for the first)."""

    penalty: Penalty
    session: int = 0


@dataclass(frozen=True, slots=True)
class Winners:
    """Confirm that there are one or two winners; of two, which sections have one all the same."""

    number: int
    one_winner: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """Say what kind of event it was, where the file does not; what is empty stays as it was.

    ``swiss`` is ``None`` where nothing is said of it. A file of pairs that says the same number in
    both directions is one of teams if ``kind`` says so.
    """

    kind: str = ""
    scoring: str = ""
    swiss: bool | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What is to be known of some entrants beforehand; ``None`` leaves a part as it was."""

    entrants: tuple[str, ...]
    stratum: str | None = None
    handicap: Fraction | None = None
    carried: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Final:
    """The standings were made final as they are here; how they were scored is ``chosen``."""

    standings: tuple[Line, ...]
    chosen: str


What = (
    Correct | Name | Substitute | Phantom | Foul | Adjust | Fine | Winners | Played | About | Final
)


_WORDS = {Foul: "fouled", Fine: "penalty", Played: "event", About: "entrants"}
"""What a kind is called where it is not called as its class is."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling with who made it, when, why and by which law."""

    what: What
    by: str
    when: str
    why: str = ""
    law: str = ""
    source: Source | None = None

    @property
    def kind(self) -> str:
        """Its kind, by the word it has in files and commands."""
        return _WORDS.get(type(self.what), type(self.what).__name__.lower())
