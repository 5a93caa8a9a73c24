"""Pairs that a page names and does not number: they are numbered as they come."""

from __future__ import annotations

from honours.model import Entrant, EventEntrant, Player


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
