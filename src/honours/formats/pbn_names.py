"""The names of pairs that a PBN table of results has beside their results."""

from __future__ import annotations

import re

from honours.formats.entrants import EW, NS, EntrantKey
from honours.formats.pbn import Row
from honours.model import Entrant, Player


class NamesInTables:
    """Who sat where, by the columns ``Names_NS`` and ``Names_EW``."""

    def __init__(self) -> None:
        self._names: dict[EntrantKey, str] = {}

    def take(self, row: Row) -> None:
        for line in (NS, EW):
            if names := row.get(f"Names_{line}", ""):
                seating = EntrantKey(row.get("Section", ""), row.get(f"PairId_{line}", ""), line)
                self._names.setdefault(seating, names)

    def entrant(self, seating: EntrantKey, id: str) -> Entrant:
        """The entrant with its two players. Programs join two surnames with a hyphen; of three
        nobody knows which two are one, and they stay one name of a pair without players."""
        lines = (seating.line,) if seating.line else (NS, EW)
        sat = (self._names.get(seating._replace(line=line), "") for line in lines)
        joined = next(filter(None, sat), "")
        parts = re.split(r"\s{0,9}(?:&|/|;|\s-\s)\s{0,9}", joined)
        names = parts if len(parts) > 1 else joined.split("-")
        if len(names) != 2 or not all(name.strip() for name in names):
            return Entrant(id, name=joined)
        return Entrant(id, tuple(Player(name.strip()) for name in names))
