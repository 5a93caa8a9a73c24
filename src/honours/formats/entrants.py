"""Entrants as files number and name them.

Ids are unique in an event, whatever numbers the file gives its pairs: in a Mitchell those of both
lines are numbered from 1, and so are those of each section.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from honours.model import Entrant, EventEntrant, Player, Result

NS, EW = "NS", "EW"
_LINES = {
    **dict.fromkeys(("NS", "N", "NORTHSOUTH", "NORTH", "SN"), NS),
    **dict.fromkeys(("EW", "E", "EASTWEST", "EAST", "WE", "OW", "EO"), EW),
}


class EntrantKey(NamedTuple):
    """An entrant as a file names it: a number, and the section and line it is the number in."""

    section: str
    number: str
    line: str

    @property
    def order(self) -> tuple[str, bool, int, str]:
        """The key they are sorted by: by section, North-South first, by number."""
        digits = re.match(r"\d{1,9}", self.number)
        return self.section, self.line != NS, int(digits[0]) if digits else 0, self.number


_SHAPES: tuple[Callable[[EntrantKey], str], ...] = (
    lambda s: s.number,
    lambda s: s.number + s.line,
    lambda s: s.section + s.number,
    lambda s: s.section + s.number + s.line,
    lambda s: "-".join(part for part in s if part),
    "-".join,
)


def line_of(text: str) -> str:
    """``NS`` or ``EW`` from ``N/S``, ``north-south``, ``E``; any other word as it is."""
    return _LINES.get(re.sub(r"[^A-Z]", "", text.upper()), text.strip())


def unique_ids(seatings: Iterable[EntrantKey]) -> dict[EntrantKey, str]:
    """The shortest ids that tell all of them apart: ``7``, ``7NS``, ``A7`` or ``A7NS``."""
    everyone = sorted(set(seatings))
    for shape in _SHAPES:
        ids = [shape(seating) for seating in everyone]
        if len(set(ids)) == len(everyone):
            break
    return dict(zip(everyone, ids, strict=True))


def numbered_apart(meetings: Sequence[tuple[object, str, str, int]]) -> bool:
    """True if North-South 1 and East-West 1 are two pairs, from ``(section, ns, ew, board)``.

    As one pair, such a number would play most of its boards twice; a stray typing error in a
    Howell makes it play one of them twice, and stays an error.
    """
    ns = {(section, number, board) for section, number, _, board in meetings}
    ew = {(section, number, board) for section, _, number, board in meetings}
    both = len(ns & ew)
    return 4 * both > len(ns) + len(ew) - both


Seats = tuple[tuple[EntrantKey, ...], tuple[EntrantKey, ...]]
"""Who sits North-South and East-West: one pair each, or the two players of an individual."""


def seats_of(result: Result, apart: bool) -> Seats:
    """The entrants that a line's numbers mean, its sides being numbered apart or together."""
    ns, ew = (
        tuple(EntrantKey(result.section, number, line if apart else "") for number in numbers)
        for line, numbers in ((NS, result.ns), (EW, result.ew))
    )
    return ns, ew


def with_ids(result: Result, seats: Seats, ids: Mapping[EntrantKey, str]) -> Result:
    """A line with everybody's id in place of the numbers of the file."""
    ns, ew = (tuple(ids[seating] for seating in side) for side in seats)
    return replace(result, ns=ns, ew=ew)


def entrants_with_ids(
    people: Mapping[EntrantKey, EventEntrant], ids: Mapping[EntrantKey, str]
) -> tuple[EventEntrant, ...]:
    """Everybody who was met by where they sit, now with their ids."""
    return tuple(
        replace(e, entrant=replace(e.entrant, id=ids[seating])) for seating, e in people.items()
    )


# --- pairs without numbers ---------------------------------------------------------------------


class NamedPairs:
    """Everybody met so far, by their names."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, ...], str] = {}

    def of(self, *names: str) -> str:
        """The id of a pair, in whichever order its players are named."""
        known = tuple(sorted(names, key=str.casefold))
        return self._ids.setdefault(known, str(len(self._ids) + 1))

    def entrants(self) -> tuple[EventEntrant, ...]:
        return tuple(
            EventEntrant(Entrant(id_, tuple(Player(name) for name in names if name)), id_)
            for names, id_ in self._ids.items()
        )


# --- names -------------------------------------------------------------------------------------


_ASCII_WORDS = re.compile("[0-9a-z]+")


def sought(name: str) -> str:
    """Without case, accents and punctuation; ``Reed, Alma`` as ``alma reed``."""
    last, comma, first = name.partition(",")
    ordered = f"{first} {last}" if comma else name
    if ordered.isascii():  # as most are: the same, sooner
        return " ".join(_ASCII_WORDS.findall(ordered.lower()))
    letters = unicodedata.normalize("NFKD", ordered).casefold()
    kept = "".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c))
    return " ".join(kept.split())


_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
"""Letters that are no letter with an accent, as people without them write them."""
_WITHIN = str.maketrans("", "", "'’‘`´ʼ")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in the order of letters: ``REED Alma`` and ``Alma Reed`` have the same.

    O'Brien is one word; a hyphen parts two.
    """
    return tuple(sorted(sought(name.translate(_WITHIN)).translate(_LETTERS).split()))


_NOBODY = re.compile(
    r"(?:the )?(?:phantom|ghost|sit ?out|bye|no pair|no team|no one|nobody|missing pair|absent|"
    r"fantome|relais|exempt|paire absente|phantompaar|geisterpaar|freilos|aussetzer|spielfrei|"
    r"spookpaar|stilzit(?:ter)?s?|vrije ronde|fantasma|descanso|riposo|coppia assente|libre|"
    r"oversidder|oversitter|frirond|spokpar|pauza|duch)"
    r"(?: (?:pair|team|player|paire|paar|ns|ew|[a-z]|\d+))*"
)
"""What files call who is not there, as :func:`sought` has it."""


def is_nobody(entrant: Entrant) -> bool:
    """True if an entrant is a phantom: its name says so, or the names of all its players do."""
    names = [player.name for player in entrant.players] or [entrant.name]
    return all(_NOBODY.fullmatch(sought(name)) for name in names) or bool(
        _NOBODY.fullmatch(sought(entrant.name))
    )
