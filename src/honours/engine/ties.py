"""Shared places as people write them, and unnamed standings that share them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from honours.errors import WrongValue
from honours.model import Entrant, Standing


def read_ties(text: str) -> dict[int, int]:
    """``"3-4, 7-9"`` as first place → how many share it."""
    ties: dict[int, int] = {}
    end = 0
    for part in filter(None, (p.strip() for p in text.split(","))):
        match = re.fullmatch(r"(\d+)\s*[-–]\s*(\d+)", part)
        if not match or not end < int(match[1]) < int(match[2]):
            raise WrongValue("ties", text, "expected places from–to in order, e.g. 3-4,7-9")
        end = int(match[2])
        ties[int(match[1])] = end - int(match[1]) + 1
    return ties


def ranks(places: int, ties: Mapping[int, int]) -> tuple[Standing, ...]:
    """Unnamed standings from first to the last paid place, with the ties that were asked for."""
    standings: list[Standing] = []
    while len(standings) < places:
        place = len(standings) + 1
        tied = ties.get(place, 1)
        standings += [Standing(Entrant(str(place + i)), place, tied) for i in range(tied)]
    return tuple(standings)
