"""Entrant ids that are unique in an event, whatever numbers the file gives its pairs.

In a Mitchell the pairs of both lines are numbered from 1, and so are those of each section.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from honours.model import EventEntrant, Result

NS, EW = "NS", "EW"
_LINES = {
    **dict.fromkeys(("NS", "N", "NORTHSOUTH", "NORTH", "SN"), NS),
    **dict.fromkeys(("EW", "E", "EASTWEST", "EAST", "WE", "OW", "EO"), EW),
}


class EntrantKey(NamedTuple):
    """How a file names an entrant: a number, and the section and line it is the number in."""

    section: str
    number: str
    line: str

    @property
    def order(self) -> tuple[str, bool, int, str]:
        """How they are listed: by section, North-South first, by number."""
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


def numbered_apart(meetings: Sequence[tuple[str, str, str, int]]) -> bool:
    """Whether North-South 1 and East-West 1 are two pairs, from ``(section, ns, ew, board)``.

    As one pair, such a number would play most of its boards twice; a stray typing error in a
    Howell makes it play one of them twice, and stays an error.
    """
    ns = {(section, number, board) for section, number, _, board in meetings}
    ew = {(section, number, board) for section, _, number, board in meetings}
    return 4 * len(ns & ew) > len(ns | ew)


Seats = tuple[tuple[EntrantKey, ...], tuple[EntrantKey, ...]]
"""Who sits North-South and East-West: one pair each, or the two players of an individual."""


def seats_of(result: Result, apart: bool) -> Seats:
    """Who a line's numbers mean, its sides being numbered apart or together."""
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
