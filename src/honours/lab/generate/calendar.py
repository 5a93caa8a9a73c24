"""Which events a federation-year has: sizes, limits, flights, kinds and lengths."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from honours.lab.generate.population import SHARES, Random

TWO_SESSION_REGIONALS = 1513
MEDIAN_TABLES, LARGE_TABLES, LARGE_SHARE = 22, 60, 0.05
_NORMAL_95 = 1.6449
_SPREAD = log(LARGE_TABLES / (MEDIAN_TABLES + 0.5)) / _NORMAL_95

# Who plays in which kind of field: for every range of holdings the share of its player-days.
# The columns add up to the ranges again, so that all two-session regionals together have the
# published distribution whatever these preferences are.
FLIGHTS = ("newcomer", "gold-rush", "mid", "open", "A")
LIMITS = {"newcomer": 300, "gold-rush": 750, "mid": 3000, "open": 0, "A": 0, "online": 0}
_PREFERENCES = np.array(
    [
        (0.25, 0.60, 0.03, 0.12, 0.00),
        (0.25, 0.60, 0.03, 0.12, 0.00),
        (0.10, 0.65, 0.05, 0.18, 0.02),
        (0.00, 0.68, 0.10, 0.18, 0.04),
        (0.00, 0.60, 0.15, 0.20, 0.05),
        (0.00, 0.00, 0.35, 0.50, 0.15),
        (0.00, 0.00, 0.35, 0.45, 0.20),
        (0.00, 0.00, 0.30, 0.45, 0.25),
        (0.00, 0.00, 0.20, 0.50, 0.30),
        (0.00, 0.00, 0.00, 0.60, 0.40),
        (0.00, 0.00, 0.00, 0.50, 0.50),
        (0.00, 0.00, 0.00, 0.40, 0.60),
    ]
)
_SLOTS = SHARES[:, None] * _PREFERENCES
FLIGHT_SHARES = _SLOTS.sum(axis=0)
RANGE_WEIGHTS = {f: _SLOTS[:, k] / _SLOTS[:, k].sum() for k, f in enumerate(FLIGHTS)}
RANGE_WEIGHTS["online"] = _SLOTS[:, 3:].sum(axis=1) / _SLOTS[:, 3:].sum()

KINDS = (("pairs", 0.66), ("swiss", 0.30), ("board-a-match", 0.02), ("individual", 0.02))

# Upper limits of an entrant's average holding for stratum 1, 2, …; stratum 0 has the rest. They
# part every flight, so that a day pays players on average what the 2020 proposal found.
STRATA = {
    "newcomer": (100, 50),
    "gold-rush": (400, 200),
    "mid": (2000, 1200),
    "open": (4000, 1500),
    "A": (6000, 3000),
    "online": (4000, 1500),
}


@dataclass(frozen=True, slots=True)
class Series:
    """A series of similar events: how many a year, how large, how long."""

    class_: str
    count: int
    sessions: int
    median_tables: float
    spread: float
    boards: int = 26
    flight: str = ""
    least: int = 4
    most: int = 250
    kind: str = ""


YEAR = (
    Series("regional", TWO_SESSION_REGIONALS, 2, MEDIAN_TABLES + 0.5, _SPREAD),
    Series("regional", 700, 1, 14, 0.5),
    Series("sectional", 1400, 2, 14, 0.5),
    Series("sectional", 900, 1, 12, 0.45),
    Series("regional-at-nabc", 60, 2, 40, 0.6),
    Series("national", 24, 4, 70, 0.4, flight="A"),
    Series(
        "regional", 24, 2, 150, 0.6, boards=18, flight="online", least=60, most=500, kind="pairs"
    ),
)


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
        return LIMITS[self.flight]

    @property
    def entrants(self) -> int:
        """A table is two pairs, one team, or four individuals."""
        return {"pairs": 2, "individual": 4}.get(self.kind, 1) * self.tables


def plan_year(random: Random, scale: float) -> list[PlannedEvent]:
    """All events of a year in the order they are held: each tournament-day has an open event or a
    flight A with the limited events of its class beside it."""
    days: list[list[PlannedEvent]] = []
    for series in YEAR:
        planned = list(_plan(random, series, max(1, round(series.count * scale))))
        tops = [event for event in planned if event.limit == 0]
        own = [[event] for event in tops] or [[]]
        for k, event in enumerate(event for event in planned if event.limit):
            own[k % len(own)].append(event)
        days += [day for day in own if day]
    order = random.permutation(len(days))
    return [replace(event, day=n) for n, k in enumerate(order) for event in days[k]]


def _plan(random: Random, series: Series, count: int) -> list[PlannedEvent]:
    # Evenly spread quantiles rather than free draws: a small corpus meets the figures too.
    normal = ndtri((random.permutation(count) + random.random(count)) / count)
    drawn = np.floor(series.median_tables * np.exp(series.spread * normal))
    tables = np.clip(drawn, series.least, series.most).astype(int)
    flights = _chosen(random, series.flight, FLIGHTS, FLIGHT_SHARES, count)
    names, shares = [k for k, _ in KINDS], np.array([s for _, s in KINDS])
    kinds = _chosen(random, series.kind, tuple(names), shares, count)
    stratified = random.random(count) < 0.7
    restricted = random.random(count) < 0.06
    return [
        PlannedEvent(
            series.class_,
            k,
            series.sessions,
            series.boards,
            f,
            "flight-a" if f == "A" else "open",
            int(t),
            bool(s),
            int(r),
        )
        for k, f, t, s, r in zip(kinds, flights, tables, stratified, restricted, strict=True)
    ]


def _chosen(
    random: Random,
    fixed: str,
    among: tuple[str, ...],
    shares: NDArray[np.float64],
    count: int,
) -> list[str]:
    if fixed:
        return [fixed] * count
    at = (random.permutation(count) + random.random(count)) / count
    return [among[i] for i in np.searchsorted(np.cumsum(shares / shares.sum())[:-1], at, "right")]
