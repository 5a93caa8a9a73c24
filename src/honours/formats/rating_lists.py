"""Lists of go federations: who has which number and rating. The AGA's member list, and the lists
of the EGF (``egf_db.txt``) and the FFG (``ech_ffg_V3.txt``) that OpenGotha keeps.

What is of fixed width is read by its columns; lines that are no player's, such as headings, are
left out of those two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from honours.formats.aga import aga_day, squeezed
from honours.formats.go import parse_rank
from honours.formats.problems import Problems
from honours.model import Value

_LOOKED_AT = 60
_FIXED = re.compile(
    r"(?P<name>.+?) (?P<number>\d{1,12}) (?P<kind>[A-Za-z]+)(?: (?P<rating>-?\d{1,4}\.\d{1,9}))?"
    r"(?: (?P<expires>\d{1,2}/\d{1,2}/\d{4}))?(?: [A-Za-z]\S*)*"
)
_EGF = re.compile(r".(\d{8})  (.{37}).(.{3}).(.{4}).{3}(.{3}).{8}([ \d-]{4})(?!\d)")
_FFG = re.compile(r"([^\W\d].{37})([ \d-]{5}) ([A-Za-z-]) ([\dA-Z]{7}|-{7}) (.{4})")
_NO_FFG_RATING = -9999


class RatedPlayer(NamedTuple):
    """A line of a list; the number is empty where the federation gave none."""

    number: str
    name: str
    facts: dict[str, Value]
    expires: date | None = None


def of_the_aga(raw: str) -> RatedPlayer | None:
    """A member of the AGA's list, which is tab-separated or of fixed width."""
    if "\t" in raw:
        name, number, _, rating, expires = ([c.strip() for c in raw.split("\t")] + [""] * 5)[:5]
        if not number.isdecimal() or not re.fullmatch(r"(?:-?\d{1,4}(\.\d{1,9})?)?", rating):
            return None
    else:
        match = _FIXED.fullmatch(squeezed(raw))
        if match is None:
            return None
        name, number, rating, expires = match.group("name", "number", "rating", "expires")
    facts: dict[str, Value] = {"rating": Fraction(rating)} if rating else {}
    return RatedPlayer(number, name, facts, aga_day(expires or ""))


def of_the_egf(raw: str) -> RatedPlayer | None:
    """A player of the EGF's list: number, name, country, club, grade and rating in columns."""
    match = _EGF.match(raw)
    if match is None or not match[6].strip(" -").isdecimal():
        return None
    facts: dict[str, Value] = {"gor": Fraction(int(match[6]))}
    if (grade := parse_rank(match[5])) is not None:
        facts["grade"] = Fraction(grade)
    return RatedPlayer(match[1], " ".join(match[2].split()), facts)


def of_the_ffg(raw: str) -> RatedPlayer | None:
    """A player of the FFG's list: name, rating, licence and club in columns. Its ratings are on
    its own scale, on which 1 dan begins at 0; who has none is at -9999."""
    match = _FFG.match(raw)
    if match is None or not re.fullmatch(r"-?\d{1,4}", match[2].strip()):
        return None
    rating = int(match[2])
    facts: dict[str, Value] = {}
    if rating != _NO_FFG_RATING:
        facts = {
            "rating": Fraction(rating),
            "rating_scale": "FFG",
            "grade": Fraction(rating // 100),
        }
    return RatedPlayer(match[4].strip("-"), " ".join(match[1].split()), facts)


def is_list_of(parse: Callable[[str], RatedPlayer | None], lines: Sequence[str]) -> bool:
    """Whether at least half of the first lines are players of such a list; of the AGA's,
    which has none, all of them, and somebody with a rating or a date."""
    parsed = [parse(line) for line in lines[:_LOOKED_AT]]
    players = [player for player in parsed if player is not None]
    if parse is of_the_aga and len(players) < len(parsed):
        return False
    return 2 * len(players) >= len(parsed) and any(p.facts or p.expires for p in players)


def rated_players(
    parse: Callable[[str], RatedPlayer | None], lines: Sequence[str], problems: Problems
) -> Iterator[RatedPlayer]:
    """The players of a list; a line of the AGA's that is none is a problem."""
    seen: set[str] = set()
    for line, raw in enumerate(lines, start=1):
        player = parse(raw)
        if player is None:
            if raw.strip() and parse is of_the_aga:
                problems.add(
                    "{raw!r} is not a member",
                    line,
                    "a name and an AGA number",
                    raw=raw.strip()[:60],
                )
        elif player.number in seen and player.number:
            problems.add("member {number} again", line, number=player.number)
        else:
            seen.add(player.number)
            yield player
