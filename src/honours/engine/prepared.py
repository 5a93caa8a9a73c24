"""A rulebook made ready for batches of one kind: its plan, the shapes met, and the loop.

Kept from batch to batch, because the next shard has the same words and mostly the same shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from honours.engine.batch import Batch, Ints
from honours.engine.loop_values import CannotFuse
from honours.engine.loops import FusedLoop
from honours.engine.plan import Graph, can_fuse, facts_used, graph_of, make_plan
from honours.engine.rulebook import Rulebook
from honours.engine.shapes import Bools, Known, Register, without_entrants

if TYPE_CHECKING:
    from honours.engine.columns import ColumnWorking

_MOST = 256
"""How many are kept; each may hold some ten megabytes of what was worked out."""


class Prepared:
    """What :func:`honours.engine.columns.award_columns` knows of one kind of batch."""

    def __init__(
        self, rulebook: Rulebook, batch: Batch, working: Callable[..., ColumnWorking]
    ) -> None:
        self.rulebook, self._working = rulebook, working
        self.plan = make_plan(rulebook, batch)
        refusals = (r for r in rulebook.rules if r.kind == "refusal" and r.per == "field")
        self.refusals = [r for r in refusals if r.applies(self.plan.case.word)]
        asked = [a for r in self.refusals for a in r.arguments]
        self.judged_by_shape = all(self.plan.shared(a, "field") for a in asked)
        self.loop: FusedLoop | None = None
        self.fuses = not batch.uniform
        self._register = Register(facts_used(self.plan, asked, batch))
        self._known = Known.nothing()
        self._lock = RLock()

    def shapes(self, batch: Batch) -> tuple[Ints, Known]:
        """The shape of each field, and what is known of all shapes."""
        with self._lock:
            of, new = self._register.number(batch)
            if len(new):
                try:
                    more = self._learn(without_entrants(batch, new), batch)
                except BaseException:
                    self._register.forget(len(new))
                    if self.loop is None:  # the plan may be half ordered
                        self.plan = make_plan(self.rulebook, batch)
                    raise
                self._known = self._known.and_then(more)
            return of, self._known

    def judge(self, batch: Batch) -> tuple[Bools, Bools]:
        """Which fields are refused, and for which a float is too near a limit to say."""
        live, kept = batch, np.arange(batch.count("field"))
        refused, doubt = np.zeros((2, len(kept)), np.bool_)
        for rule in self.refusals:
            holds, unsure = self._working(self.rulebook, live, self.plan.case).holds(rule, "field")
            doubt[kept[unsure]] = True
            refused[kept[holds & ~unsure]] = True
            kept, live = kept[~holds & ~unsure], live.take(~holds & ~unsure)
        return refused, doubt

    def _learn(self, shapes: Batch, batch: Batch) -> Known:
        """Work out what is shared for shapes that are new."""
        count = shapes.count("field")
        refused, unsure = np.zeros((2, count), np.bool_)
        if self.judged_by_shape:
            refused, unsure = self.judge(shapes)
        live = np.flatnonzero(~refused & ~unsure)
        places = np.zeros(count, np.int64)
        if not len(live) or not self.fuses:
            return Known(refused, unsure, places, {})
        working = self._ready(shapes.take(~refused & ~unsure), batch)
        if self.loop is None or working is None:
            return Known(refused, unsure, places, {})
        places[live] = working.batch.places
        arrays = self.loop.shared(working, live, places)
        unsure[live[working.doubt]] = True
        return Known(refused, unsure, places, arrays)

    def _ready(self, shapes: Batch, batch: Batch) -> ColumnWorking | None:
        """The working of shapes that are not refused; makes the loop when there is none yet."""
        if self.loop is None:
            self.fuses = can_fuse(self.plan, self.rulebook)
        if not self.fuses:
            return None
        working = self._working(self.rulebook, shapes, self.plan.case, exactly=True)
        working.lay_out_places()
        try:
            if self.loop is None:
                self.loop = FusedLoop(self.plan, batch, working)
        except CannotFuse:
            self.fuses = False
        return working


_kept: dict[Any, Prepared] = {}
_graphs: dict[Any, Graph] = {}
_lock = RLock()


def prepared(rulebook: Rulebook, batch: Batch, working: Callable[..., ColumnWorking]) -> Prepared:
    """The rulebook ready for batches like this one; forgotten when there are too many others."""
    graph = graph_for(rulebook, batch.facts["field"], batch.below, batch.words)
    fixed = tuple((w, batch.words[w]) for w in graph.words if w not in batch.facts["field"])
    facts = tuple((lv, n, c.kind) for lv, own in batch.facts.items() for n, c in own.items())
    key = (rulebook.hash, graph.key, fixed, facts, batch.uniform)
    with _lock:
        found = _kept.pop(key, None) or Prepared(rulebook, batch, working)
        _kept[key] = found  # the last that is forgotten
        while len(_kept) > _MOST:
            _kept.pop(next(iter(_kept)))
    return found


def graph_for(
    rulebook: Rulebook, given: Iterable[str], below: Iterable[str], words: Mapping[str, str]
) -> Graph:
    """As :func:`honours.engine.plan.graph_of`, remembered."""
    names, others = frozenset(given), frozenset(below)
    key = (rulebook.hash, names, others, tuple(words.items()))
    if key not in _graphs:
        while len(_graphs) > 100 * _MOST:
            _graphs.pop(next(iter(_graphs)))
        _graphs[key] = graph_of(rulebook, names, others, words)
    return _graphs[key]
