"""Pairings for the next round of a Swiss: nobody again, neighbours in the ranking first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from honours.errors import InputError
from honours.rings import require


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: who meets whom, the higher placed first, and who has a bye or plays a triangle.

    ``costs`` says how far apart in the ranking those who meet are, squared: what the whole round
    is the least of.
    """

    matches: tuple[tuple[str, str], ...]
    costs: tuple[int, ...]
    bye: str = ""
    triangle: tuple[str, ...] = ()


def pair_round(
    ranking: Sequence[str],
    met: Collection[frozenset[str]] = (),
    had_bye: Collection[str] = (),
    *,
    triangle: bool = False,
) -> Pairing:
    """The next round for entrants in order of their standing.

    The round is a perfect matching of least weight, so replays are avoided wherever that is
    possible at all. Of an odd number the lowest who had no bye yet sits out, or with ``triangle``
    three play half a match against each of the others.
    """
    if len(set(ranking)) != len(ranking):
        raise InputError("the ranking names somebody twice")
    if len(ranking) < 2:
        raise InputError("a Swiss round needs at least two entrants")
    if len(ranking) % 2 == 0:
        return _matched(ranking, met)
    if triangle:
        return _with_triangle(ranking, met)
    for bye in (*(e for e in reversed(ranking) if e not in had_bye), *reversed(ranking)):
        rest = [entrant for entrant in ranking if entrant != bye]
        try:
            pairing = _matched(rest, met)
        except InputError:
            continue
        return Pairing(pairing.matches, pairing.costs, bye=bye)
    raise InputError(_IMPOSSIBLE)


_IMPOSSIBLE = "everybody has met everybody who is left: no round without a replay is possible"


def _with_triangle(ranking: Sequence[str], met: Collection[frozenset[str]]) -> Pairing:
    """The lowest three who have not met, and the rest matched."""
    for three in combinations(reversed(ranking), 3):
        if any(frozenset(two) in met for two in combinations(three, 2)):
            continue
        rest = [entrant for entrant in ranking if entrant not in three]
        try:
            pairing = _matched(rest, met) if rest else Pairing((), ())
        except InputError:
            continue
        placed = tuple(sorted(three, key=ranking.index))
        return Pairing(pairing.matches, pairing.costs, triangle=placed)
    raise InputError(_IMPOSSIBLE)


def _matched(ranking: Sequence[str], met: Collection[frozenset[str]]) -> Pairing:
    """A perfect matching with the least sum of squared distances in the ranking."""
    require("networkx")
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(ranking)))
    for high, low in combinations(range(len(ranking)), 2):
        if frozenset((ranking[high], ranking[low])) not in met:
            graph.add_edge(high, low, weight=-((high - low) ** 2))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) != len(ranking):
        raise InputError(_IMPOSSIBLE)
    places = sorted(tuple(sorted(two)) for two in matching)
    return Pairing(
        tuple((ranking[high], ranking[low]) for high, low in places),
        tuple((high - low) ** 2 for high, low in places),
    )
