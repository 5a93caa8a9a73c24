"""Decides exactly what a float was too near a boundary to decide, once per distinct case.

An award computed from rounded values (a share of a first place in cents) naturally lies on a
boundary in a quarter of all cases; these are few distinct cases, which recur again and again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from threading import RLock
from typing import Any

from honours.engine.exact.field_aggregates import Scope
from honours.engine.exact.silent_working import SilentWorking
from honours.engine.graph import AWARD
from honours.engine.rulebook import Rulebook
from honours.model import Entrant, Field, Standing, Value


@dataclass(frozen=True, slots=True)
class PlaceInDoubt:
    """Facts of a field, its rounded quantities, and a place with its ties."""

    facts: tuple[tuple[str, Value], ...]
    known: tuple[tuple[str, Fraction], ...]
    place: int
    tied: int


class Resolver:
    """The exact awards of one rulebook, cached."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._answers: dict[PlaceInDoubt, Fraction] = {}
        self._workings: dict[Any, SilentWorking] = {}
        self._lock = RLock()

    @property
    def is_full(self) -> bool:
        """Whether the cache has reached its limit."""
        return len(self._answers) > _MOST

    def amount(
        self, facts: Mapping[str, Value], known: Mapping[str, Fraction], place: int, tied: int
    ) -> Fraction:
        """What the rulebook awards at a place of a field with these facts and quantities."""
        key = (tuple(facts.items()), tuple(known.items()))
        question = PlaceInDoubt(*key, place, tied)
        with self._lock:
            if question not in self._answers:
                self._answers[question] = self._work(key, question)
            return self._answers[question]

    def _work(self, key: Any, question: PlaceInDoubt) -> Fraction:
        if key not in self._workings:
            made = SilentWorking(self.rulebook, Field(dict(question.facts)))
            for name, value in question.known:
                made.know(name, value)
            self._workings[key] = made
        working = self._workings[key]
        standing = Standing(Entrant(""), question.place, question.tied)
        working.field = Field(working.field.facts, (*working.field.standings, standing))
        return working.number(AWARD, Scope("entrant", len(working.field.standings) - 1))


_resolvers: dict[str, Resolver] = {}
_MOST = 200_000


def resolver(rulebook: Rulebook) -> Resolver:
    """The resolver of a rulebook as amended; dropped when it has grown too large."""
    resolver = _resolvers.get(rulebook.hash)
    if resolver is None or resolver.is_full:
        while len(_resolvers) > 16:
            _resolvers.pop(next(iter(_resolvers)))
        resolver = _resolvers[rulebook.hash] = Resolver(rulebook)
    return resolver
