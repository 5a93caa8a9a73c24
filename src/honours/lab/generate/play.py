"""The play of a made-up event: who partners whom, and what happens at the tables.

The score at a table is the difference in quality between two entrants plus chance, cut into the
scores a board can give. Quality consists of strength (from holdings), talent (what holdings do not
show) and form on the day; ``ChanceModel`` sets the proportions so that holdings explain as much of
percentages as in 47 real club games, and of points won in a day as the ranges of 2020 imply.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honours.lab.generate.calendar import STRATA, PlannedEvent
from honours.lab.generate.population import Population, Random
from honours.lab.shards import Ints
from honours.lab.sources import YEAR

Floats = NDArray[np.float64]

_ROUNDS, _BOARDS_A_ROUND = 13, 2
_SECTION = 14
_UNBALANCED = 0.08
TOGETHER = 0.7
"""The share of pairs that are regular partners."""
_SIX_HANDED = 0.15

_LADDERS = np.array(YEAR["ladders"], np.int16)
"""Scores from worst to best for North-South on five sorts of board."""
_STEPS = np.array(YEAR["steps"])
LUCK = 1.03
"""Standard deviation of a board's luck, in units of quality: 0.29 of a top at 0.28 a unit."""


@dataclass(frozen=True, slots=True)
class ChanceModel:
    """The components of quality, per unit of MP^0.2 and in standard deviations.

    Fitted to the spread of percentages, the share of luck and what holdings tell of them in real
    club games, and to the means of the ranges of 2020; not to the 21% of variance explained, which
    overall awards alone cannot have. How talent and form divide is assumed.
    """

    per_strength: float = 0.108
    talent: float = 0.12
    form: float = 0.08


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """An event as played: players by entrant, and results or, for teams, final scores."""

    planned: PlannedEvent
    players: Ints
    sizes: Ints
    stratum: NDArray[np.uint8]
    quality: Floats
    results: dict[str, NDArray[np.generic]] | None


def play(
    random: Random,
    people: Population,
    event: PlannedEvent,
    sizes: Ints,
    drawn: Ints,
    chance: ChanceModel,
) -> PlayedEvent:
    """Form entrants of these sizes from the given players, and play the event."""
    players, sizes = form_entrants(random, people, event, sizes, drawn)
    if event.kind == "pairs":
        players = _with_mates(random, people, players)
    strength = _mean(people.playing[players], sizes)
    talent = _mean(people.talent[players], sizes)
    form = chance.form * random.standard_normal(len(sizes))
    quality = chance.per_strength * strength + chance.talent * talent + form
    results = None
    if event.kind == "pairs":
        results = _at_the_tables(random, event, quality)
    else:  # no boards are written for these, but luck plays as large a part
        luck = LUCK / np.sqrt(event.boards * event.sessions)
        quality += luck * random.standard_normal(len(sizes))
    stratum = _strata(event, _mean(people.holding[players] / 100.0, sizes))
    return PlayedEvent(event, players, sizes, stratum, quality, results)


def players_needed(random: Random, event: PlannedEvent) -> Ints:
    """Return how many players each entrant has."""
    each = {"pairs": 2, "individual": 1}.get(event.kind, 4)
    sizes = np.full(event.entrants, each, np.int64)
    if each == 4:
        sizes[random.random(event.entrants) < _SIX_HANDED] = 6
    return sizes


def form_entrants(
    random: Random, people: Population, event: PlannedEvent, sizes: Ints, drawn: Ints
) -> tuple[Ints, Ints]:
    """Players with similar holdings play together, except some who are far apart (pro and
    client)."""
    noise = np.exp(0.7 * random.standard_normal(len(drawn)))
    ordered = drawn[np.argsort((people.holding[drawn] + 1) * noise)]
    if event.kind == "pairs":
        apart = int(_UNBALANCED * event.entrants)
        if event.limit == 0 and apart:
            ends = np.stack([ordered[:apart], ordered[::-1][:apart]], axis=1).reshape(-1)
            ordered = np.concatenate([ordered[apart : len(ordered) - apart], ends])
    groups = np.concatenate(([0], np.cumsum(sizes)))
    order = random.permutation(len(sizes))
    return np.concatenate([ordered[groups[i] : groups[i + 1]] for i in order]), sizes[order]


def _with_mates(random: Random, people: Population, players: Ints) -> Ints:
    """Seven in ten pairs of like holdings are regular partners, if the partner is not there
    already."""
    first, second = players[0::2].copy(), players[1::2].copy()
    mate = people.mate[first]
    taken = np.zeros(len(people.holding), np.bool_)
    taken[players] = True
    alike = np.searchsorted(people.starts, first, "right")
    alike = alike == np.searchsorted(people.starts, second, "right")  # not pro and client
    go = (random.random(len(first)) < TOGETHER) & ~taken[mate] & alike
    _, once = np.unique(np.where(go, mate, -1 - np.arange(len(mate))), return_index=True)
    only = np.zeros(len(mate), np.bool_)
    only[once] = True
    second = np.where(go & only, mate, second)
    return np.stack([first, second], 1).reshape(-1)


def _mean(values: NDArray[np.generic], sizes: Ints) -> Floats:
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    means: Floats = np.add.reduceat(values.astype(np.float64), starts) / sizes
    return means


def _strata(event: PlannedEvent, average: Floats) -> NDArray[np.uint8]:
    limits = STRATA[event.flight] if event.stratified else ()
    return np.sum([average < limit for limit in limits], axis=0, dtype=np.uint8) * np.ones(
        len(average), np.uint8
    )


def _at_the_tables(
    random: Random, event: PlannedEvent, quality: Floats
) -> dict[str, NDArray[np.generic]]:
    """Every result of a pairs event, board by board: a Mitchell movement in sections."""
    tables, rounds = event.tables, min(_ROUNDS, -(-event.boards // _BOARDS_A_ROUND))
    table = np.arange(tables)
    section, at = table // _SECTION, table % _SECTION
    size = np.minimum(_SECTION, tables - section * _SECTION)
    parts = []
    for session in range(event.sessions):
        sets = np.arange(event.boards) // _BOARDS_A_ROUND
        turn = (sets[:, None] - at[None, :]) % rounds
        ns = np.broadcast_to(2 * table, turn.shape)
        ew = 2 * (section * _SECTION + (at - turn) % size) + 1
        if session % 2:  # so that everybody plays hands in both directions
            ns, ew = ew, ns
        parts.append((np.arange(event.boards) + session * event.boards, ns, ew))
    boards = np.concatenate([np.repeat(b, tables) for b, _, _ in parts])
    norths = np.concatenate([n.reshape(-1) for _, n, _ in parts])
    easts = np.concatenate([e.reshape(-1) for _, _, e in parts])
    many = event.boards * event.sessions
    ladder = np.repeat(random.integers(0, len(_LADDERS), many), tables)
    shift = np.repeat(0.4 * random.standard_normal(many), tables)
    luck = random.standard_normal(len(boards))
    steps = np.searchsorted(_STEPS, quality[norths] - quality[easts] + luck + shift)
    return {"board": boards, "ns": norths, "ew": easts, "score": _LADDERS[ladder, steps]}
