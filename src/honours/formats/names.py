"""Names of people as they are looked for: Reed, Alma and ALMA REED are the same."""

from __future__ import annotations

import re
import unicodedata

from honours.model import Entrant

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
    """Whether an entrant is a phantom: its name says so, or the names of all its players do."""
    names = [player.name for player in entrant.players] or [entrant.name]
    return all(_NOBODY.fullmatch(sought(name)) for name in names) or bool(
        _NOBODY.fullmatch(sought(entrant.name))
    )
