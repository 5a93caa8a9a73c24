"""Names of people as they are looked for: Reed, Alma and ALMA REED are the same."""

from __future__ import annotations

import re
import unicodedata

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
