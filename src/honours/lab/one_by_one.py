"""Awards the fields of a batch exactly and one by one, so that a fault in one spoils no other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.aggregates import aggregate
from honours.engine.award import award
from honours.engine.columns import exact_only
from honours.engine.columns.award import (
    ColumnAwards,
    amounts_of_players,
    in_units,
    judged,
    parts_players,
)
from honours.engine.columns.batch import Batch
from honours.engine.exact.field_aggregates import FIELD, Scope
from honours.engine.exact.silent_working import SilentWorking
from honours.engine.graph import AWARD
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule
from honours.errors import HonoursError, MissingInput
from honours.model import Entrant, Field, Standing, Value


class _ByFacts:
    """Finds what cannot be worked out whoever plays, without looking at the players.

    An amended number may cause a division by zero in every event of a history; discovering that
    from the players of each event takes as long as awarding it.
    """

    def __init__(self, rulebook: Rulebook, batch: Batch) -> None:
        self.rulebook, self.batch = rulebook, batch
        self._culprit, self._tried = "", False
        self._reasons: dict[Any, str] = {}
        self._judged: NDArray[np.bool_] | None = None
        self._of_players = [
            rule.name
            for rule in rulebook.rules
            if _of_field(rule) and any(aggregate(name) for name in rule.arguments)
        ]

    def learn(self, row: int, brief: str) -> None:
        """Find which quantity could not be worked out, if it does not depend on players."""
        if self._tried or exact_only(self.rulebook):
            return
        self._tried = True
        working = SilentWorking(self.rulebook, Field(self.batch.facts_of(row)))
        names = (rule.name for rule in self.rulebook.rules if _of_field(rule))
        self._culprit = next((name for name in names if _fault(working, name) == brief), "")

    def why(self, row: int) -> str:
        """Why a field that is not refused cannot be awarded; empty if it may be possible."""
        if not self._culprit or not self._is_free[row]:
            return ""
        facts, rows = self.batch.facts_of(row), self.batch.entrants_of(np.array([row]))
        listed = (column[rows].tolist() for column in (self.batch.place, self.batch.tied))
        places = tuple(zip(*listed, strict=True))
        key = (tuple(facts.items()), places)
        if key not in self._reasons:
            fault = _fault(SilentWorking(self.rulebook, Field(facts)), self._culprit)
            asked = bool(fault) and self._is_asked(facts, places, fault)
            self._reasons[key] = fault if asked else ""
        return self._reasons[key]

    def _is_asked(
        self, facts: dict[str, Value], places: Sequence[tuple[int, int]], fault: str
    ) -> bool:
        """Whether an award of the field depends on the quantity that cannot be worked out.
        Aggregates over players are set to 1, which changes the award but not what it depends on."""
        standings = tuple(Standing(Entrant(""), place, tied) for place, tied in places)
        working = SilentWorking(self.rulebook, Field(facts, standings))
        for name in self._of_players:
            working.know(name, Fraction(1))
        for at in range(len(standings)):
            first = _fault(working, AWARD, Scope("entrant", at))
            if first:
                return first == fault
        return False

    @property
    def _is_free(self) -> NDArray[np.bool_]:
        """The fields for which it is certain that no refusal applies first."""
        if self._judged is None:
            try:
                refused, doubt = judged(self.rulebook, self.batch)
                self._judged = ~refused & ~doubt
            except HonoursError:  # some refusal needs an input that is missing
                self._judged = np.zeros(self.batch.count("field"), np.bool_)
        return self._judged


def _of_field(rule: Rule) -> bool:
    return (rule.kind, rule.per) == ("rule", "field")


def _fault(working: SilentWorking, name: str, scope: Scope = FIELD) -> str:
    """Why a quantity cannot be worked out."""
    try:
        working.step(name, scope)
    except HonoursError as error:
        return error.brief
    return ""


def award_one_by_one(rulebook: Rulebook, batch: Batch) -> tuple[ColumnAwards, dict[int, str]]:
    """The awards of every field that can be awarded, and for the others the reason, by row."""
    amounts = np.zeros(batch.count("entrant"), np.int64)
    each = np.zeros(batch.count("player"), np.int64)
    refused = np.ones(batch.count("field"), np.bool_)
    spoilt: dict[int, str] = {}
    differ = False
    by_facts = _ByFacts(rulebook, batch)
    for i in range(batch.count("field")):
        if why := by_facts.why(i):
            spoilt[i] = why
            continue
        try:
            awards = award(rulebook, batch.exact(i), in_words=False)
            own = [in_units(a.amount) for a in awards.schedule]
        except HonoursError as error:
            spoilt[i] = error.brief
            if not isinstance(error, MissingInput):
                by_facts.learn(i, error.brief)
            continue
        refused[i] = awards.refusal is not None
        if own:
            amounts[batch.entrants_of(np.array([i]))] = own
            each[batch.players_of(i)] = [n for a in awards.schedule for n in amounts_of_players(a)]
            differ = differ or any(map(parts_players, awards.schedule))
    return ColumnAwards(amounts, refused, len(refused), each if differ else None), spoilt
