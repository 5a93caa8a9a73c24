"""The events of a federation-year: sizes, limits, flights, kinds and lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from honours.lab.generate.population import SHARES, Random
from honours.lab.sources import YEAR

FLIGHTS = ("newcomer", "gold-rush", "mid", "open", "A")
STRATA: dict[str, list[int]] = YEAR["strata"]
_SLOTS = SHARES[:, None] * np.array(YEAR["preferences"])
_FLIGHT_SHARES = dict(zip(FLIGHTS, _SLOTS.sum(axis=0).tolist(), strict=True))
RANGE_WEIGHTS = {f: _SLOTS[:, k] / _SLOTS[:, k].sum() for k, f in enumerate(FLIGHTS)}
RANGE_WEIGHTS["online"] = _SLOTS[:, 3:].sum(axis=1) / _SLOTS[:, 3:].sum()


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """One event to be held."""

    class_: str
    kind: str
    sessions: int
    boards: int
    flight: str
    structure: str
    tables: int
    stratified: bool
    restrictions: int
    day: int = 0
    """The tournament-day it is held on, with other events beside it."""

    @property
    def limit(self) -> int:
        limit: int = YEAR["limits"][self.flight]
        return limit

    @property
    def entrants(self) -> int:
        """A table is two pairs, one team, or four individuals."""
        return {"pairs": 2, "individual": 4}.get(self.kind, 1) * self.tables


def plan_year(random: Random, scale: float) -> list[PlannedEvent]:
    """All events of a year in the order they are held: each tournament-day has an open event or a
    flight A with the limited events of its class beside it."""
    days: list[list[PlannedEvent]] = []
    for series in YEAR["series"]:
        planned = list(_plan(random, series, max(1, round(series["count"] * scale))))
        tops = [event for event in planned if event.limit == 0]
        own = [[event] for event in tops] or [[]]
        for k, event in enumerate(event for event in planned if event.limit):
            own[k % len(own)].append(event)
        days += [day for day in own if day]
    order = random.permutation(len(days))
    return [replace(event, day=n) for n, k in enumerate(order) for event in days[k]]


def _plan(random: Random, series: dict[str, Any], count: int) -> Iterator[PlannedEvent]:
    # Evenly spread quantiles rather than free draws: a small corpus meets the figures too.
    normal = ndtri((random.permutation(count) + random.random(count)) / count)
    drawn = np.floor(series["tables"] * np.exp(series["spread"] * normal))
    tables = np.clip(drawn, series.get("least", 4), series.get("most", 250)).astype(int)
    flights = _chosen(random, series.get("flight", ""), _FLIGHT_SHARES, count)
    kinds = _chosen(random, series.get("kind", ""), YEAR["kinds"], count)
    stratified = random.random(count) < 0.7
    restricted = random.random(count) < 0.06
    for k, flight in enumerate(flights):
        yield PlannedEvent(
            series["class"],
            kinds[k],
            series["sessions"],
            series.get("boards", 26),
            flight,
            "flight-a" if flight == "A" else "open",
            int(tables[k]),
            bool(stratified[k]),
            int(restricted[k]),
        )


def _chosen(random: Random, fixed: str, among: dict[str, float], count: int) -> list[str]:
    if fixed:
        return [fixed] * count
    at = (random.permutation(count) + random.random(count)) / count
    shares, names = np.array(list(among.values())), list(among)
    return [names[i] for i in np.searchsorted(np.cumsum(shares / shares.sum())[:-1], at, "right")]
