"""The members of a made-up federation, with holdings in the ranges that the 2020 proposal
prints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honours.lab.shards import Ints
from honours.lab.sources import PROPOSAL_2020

Random = np.random.Generator

RANGES: list[tuple[int, int, int, float, float]] = PROPOSAL_2020["ranges"]
"""From, to, player-days, the mean of the formula, what was won."""
EDGES = np.array([low for low, *_ in RANGES])
_SAMPLES = np.array([sample for _, _, sample, _, _ in RANGES])
SHARES = _SAMPLES / _SAMPLES.sum()
EXPONENT, COEFFICIENT = 0.4, 0.1393
"""The proposal's own regression, e(MP) = 0.1393 · MP^0.4: the truth the results are made from."""

CURVE = 0.2
"""How well somebody plays goes with MP^0.2: the power that meets real club games and the points of
the ranges at once."""
_TAIL = 2.14  # the Pareto tail whose mean of MP^0.4 is the last range's printed 6.82
_LOG_FROM = 6  # from 1,000 up holdings thin out within a range too


@dataclass(frozen=True, slots=True)
class Population:
    """Members by range: ``starts`` says where each range begins among them.

    ``talent`` is a player's ability beyond what the holding shows, in standard deviations.
    """

    holding: NDArray[np.int32]
    talent: NDArray[np.float64]
    starts: Ints

    @property
    def playing(self) -> NDArray[np.float64]:
        """MP^0.2, which quality at the table goes with."""
        powered: NDArray[np.float64] = (self.holding / 100.0) ** CURVE
        return powered

    @property
    def mate(self) -> Ints:
        """Everybody's regular partner: the neighbour in the same range."""
        number = np.arange(len(self.holding))
        first = self.starts[np.searchsorted(self.starts, number, "right") - 1]
        last = self.starts[np.searchsorted(self.starts, number, "right")]
        mate = first + ((number - first) ^ 1)
        return np.where(mate < last, mate, number)

    @property
    def strength(self) -> NDArray[np.float64]:
        """MP^0.4, the measure of the 2020 proposal."""
        powered: NDArray[np.float64] = (self.holding / 100.0) ** EXPONENT
        return powered


def make_population(random: Random, members: int) -> Population:
    """About that many members, whose holdings are spread over the ranges like the published
    player-days."""
    counts = np.maximum(50, np.rint(SHARES * members)).astype(np.int64)
    parts = [_holdings(random, k, int(n)) for k, n in enumerate(counts)]
    holding = np.concatenate(parts).astype(np.int32)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return Population(holding, random.standard_normal(len(holding)), starts)


def _holdings(random: Random, k: int, n: int) -> NDArray[np.float64]:
    low, high = RANGES[k][0] * 100, RANGES[k][1] * 100
    if k == len(RANGES) - 1:
        drawn = low * (1 - random.random(n)) ** (-1 / _TAIL)
        return np.floor(np.minimum(drawn, high))
    if k >= _LOG_FROM:
        return np.floor(np.exp(random.uniform(np.log(low), np.log(high), n)))
    return np.floor(random.uniform(low, high, n))


def draw_players(random: Random, people: Population, weights: NDArray[np.float64], n: int) -> Ints:
    """``n`` different members, with ranges chosen by ``weights`` as far as they have enough
    members."""
    ranges = random.choice(len(weights), n, p=weights)
    sizes = np.diff(people.starts)
    drawn = people.starts[ranges] + (random.random(n) * sizes[ranges]).astype(np.int64)
    for _ in range(50):
        _, first = np.unique(drawn, return_index=True)
        again = np.setdiff1d(np.arange(n), first)
        if not len(again):
            break
        picked = ranges[again]
        drawn[again] = people.starts[picked] + (random.random(len(again)) * sizes[picked]).astype(
            np.int64
        )
    _, first = np.unique(drawn, return_index=True)
    again = np.setdiff1d(np.arange(n), first)
    if len(again):  # the range has too few members: take some from others
        others = np.setdiff1d(np.arange(len(people.holding)), drawn)
        drawn[again] = random.choice(others, len(again), replace=len(others) < len(again))
    return drawn
