"""Evidence in a file for or against an answer: names per entrant, holdings, words of its title,
columns that nothing else explains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import median_low

from honours.engine.rulebook import Input
from honours.engine.rules import public
from honours.model import Field, Value
from honours.model.message import Message, plural

_TEAMS = ("teams", "swiss", "board-a-match", "knockout", "grand-national-teams")
_PLAYERS_OF = {"individual": (1, 1), "pairs": (2, 3), **dict.fromkeys(_TEAMS, (4, 12))}
"""How many names an entrant of a kind has; a substitute makes a pair of three."""
_PLAYED = ("boards_played", "fewest_boards")
_SHORTEST = 5
"""Of shorter words a title has too many by chance."""


def ruled_out(lists: Sequence[Field], declared: Input, value: Value) -> str:
    """Return why the lists speak against a value, or an empty text if they do not."""
    people = [s.entrant.players for field in lists for s in field.standings]
    named = [len(players) for players in people if players]
    if public(declared.name) == "kind" and named and value in _PLAYERS_OF:
        least, most = _PLAYERS_OF[str(value)]
        usual = median_low(named)
        if not least <= usual <= most:
            return plural("{count} name an entrant", "{count} names an entrant", count=usual)
    if declared.holds and isinstance(value, Fraction) and value > 0:
        facts = (p.facts.get(declared.holds) for players in people for p in players)
        held = max((Fraction(h) for h in facts if h), default=Fraction(0))
        if held > value:
            return Message("somebody holds {held:,}", held=round(held))
    return ""


def is_of_players(word: str) -> bool:
    """Return whether a kind of event tells how many play together; others are something apart."""
    return word in _PLAYERS_OF


def counted(lists: Sequence[Field], name: str) -> list[Value]:
    """Return possible counts of the field: the list may be all of it, or one of two lines."""
    each = {"tables": Fraction(1, 2), "players": Fraction(2)} | dict.fromkeys(
        ("pairs", "teams", "all_lines", "entrants"), Fraction(1)
    )
    if name not in each:
        return []
    listed = sum(len(field.standings) for field in lists if not field.session)
    return [listed * each[name], 2 * listed * each[name]]


def hinted(lists: Sequence[Field], declared: Input, words: Iterable[str]) -> str:
    """The word of the title, or the column, that speaks for another answer than the usual one."""
    titles = {str(field.facts.get("title", "")) for field in lists}
    columns = {name for field in lists for s in field.standings for name in s.facts}
    if declared.name in _PLAYED and (crowded := _crowded(lists)):
        return crowded
    absent = [declared.name] if declared.default in ("no", "none", "0") else []
    for word in (*words, *absent):
        said = _words(word)
        for title in titles:
            if all(any(_alike(part, w) for w in _words(title)) for part in said):
                return Message("the title says {word!r}", word=" ".join(said))
        if column := next((c for c in columns if _alike(c, "_".join(said))), ""):
            return Message("the file has a column {column}", column=column)
    return ""


def _crowded(lists: Sequence[Field]) -> str:
    """Say if an entrant has more players than seats: then not everybody played everything."""
    named = [len(s.entrant.players) for field in lists for s in field.standings]
    seats = min((n for n in (1, 2, 4) if n >= median_low(named)), default=4) if named else 4
    most = max(named, default=0)
    return Message("an entrant has {count} players", count=most) if most > seats else ""


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _alike(one: str, other: str) -> bool:
    """Return whether a word is another or begins as it: *handicap* and *handicapped*."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _SHORTEST and longer.startswith(shorter)
