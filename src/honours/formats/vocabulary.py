"""What the headers of a table mean, however they are spelled."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

_MOST_LOOKED_AT = 50


def plain(header: str) -> str:
    """A header without case, accents, spaces and punctuation; ``%`` and ``#`` stay."""
    letters = unicodedata.normalize("NFKD", header).casefold()
    return "".join(c for c in letters if c.isalnum() or c in "%#")


def fact_name(header: str) -> str:
    """The fact that a header names: ``Boards per match`` is ``boards_per_match``, and
    ``eligible2`` of the second player is ``eligible``."""
    letters = unicodedata.normalize("NFKD", header).casefold()
    return re.sub(r"[^a-z]+", "_", letters).strip("_")


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """What a sheet's headers mean: meaning → position, and the headers nothing was made of."""

    positions: Mapping[str, int]
    headers: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    """The numbers in ``player1``, ``player2`` …"""
    further: tuple[tuple[int, str, int], ...] = ()
    """Columns of no meaning to a reader: position, the fact they may be, and the player's number,
    0 where a header has none. A rulebook may ask for any of them."""

    def __contains__(self, meaning: str) -> bool:
        return meaning in self.positions

    def nearest(self, spellings: Sequence[str]) -> str:
        """The unrecognised header most like one of ``spellings``, or nothing."""
        for header in self.ignored[:_MOST_LOOKED_AT]:
            if get_close_matches(plain(header), spellings, n=1, cutoff=0.7):
                return header
        return ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The columns a kind of table may have: meaning → spellings; ``numbered`` stems take a
    number (``player1``); ``numeric`` meanings decide the file's decimal mark; ``answers`` are
    headers of what was once made of such a table, which are no facts of anybody in it."""

    spellings: Mapping[str, Sequence[str]]
    numbered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numeric: frozenset[str] = frozenset()
    answers: tuple[str, ...] = ()

    def meaning(self, header: str) -> str | None:
        name = plain(header)
        for meaning, spellings in self.spellings.items():
            if name == meaning or name in spellings:
                return meaning
        match = re.fullmatch(r"([^\d]+)(\d{1,2})([^\d]*)", name)
        for stem, spellings in self.numbered.items():
            if match and match[1] + match[3] in (stem, *spellings):
                return f"{stem}{int(match[2])}"
        return None

    def is_fact(self, header: str) -> bool:
        """Whether a column that has no meaning here may still tell a rulebook something."""
        return plain(header) not in map(plain, self.answers)

    def is_numeric(self, meaning: str) -> bool:
        return meaning in self.numeric or meaning.rstrip("0123456789") in self.numeric
