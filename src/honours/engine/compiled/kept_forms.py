"""A rulebook prepared for batches of one kind: its graph, the shapes met, and the loop.

Kept from batch to batch, because the next shard has the same words and mostly the same shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import Bools, Ints
from honours.engine.compiled.columns import ColumnWorking
from honours.engine.compiled.compilable import awards_players
from honours.engine.compiled.plan import LoopPlan, can_fuse, facts_used, make_plan
from honours.engine.compiled.refusals import asked_in_turn
from honours.engine.compiled.shapes import KnownShapes, ShapeNumbers, without_entrants
from honours.engine.graph import Form, Graph, form_of
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule

if TYPE_CHECKING:
    from honours.engine.compiled.loops import FusedLoop

_MOST = 256
"""How many forms are kept; each may hold some ten megabytes of results."""


@dataclass
class Threshold:
    """How many entrants a form must meet before it is compiled; compiling takes about as long as
    awarding that many in columns."""

    entrants: int = 1_000_000


worth_compiling = Threshold()


class KeptForm:
    """What is known of one kind of batch: its graph, the shapes met, and the loop."""

    def __init__(self, rulebook: Rulebook, batch: Batch) -> None:
        self.rulebook = rulebook
        self.graph = Graph(rulebook, batch.given(), batch.below)
        self.refusals = self.graph.refusals("field")
        self._asked = [a for r in self.refusals for a in r.arguments]
        self.plan = self._new_plan(batch)
        self._sort_refusals()
        self.loop: FusedLoop | None = None
        self.fuses = not awards_players(rulebook)  # only columns can distinguish players
        self._met = 0
        self._register = ShapeNumbers(facts_used(self.plan, self._asked, batch))
        self._known = KnownShapes.nothing()
        self._lock = RLock()

    def _sort_refusals(self) -> None:
        """Sort refusals by what decides them: the shape of a field, the loop, or columns before
        the loop."""
        plan = self.plan
        self.by_shape = [
            rule for rule in self.refusals if all(plan.shared(a, "field") for a in rule.arguments)
        ]
        by_players = [rule for rule in self.refusals if rule not in self.by_shape]
        self.before = [rule for rule in by_players if plan.speaks_of_words(rule)]
        self.in_loop = [rule for rule in by_players if rule not in self.before]

    def _new_plan(self, batch: Batch) -> LoopPlan:
        return make_plan(self.graph, batch)

    def compiles(self, batch: Batch) -> bool:
        """Whether to run the loop on a batch: it exists already, or has become worth compiling."""
        with self._lock:
            self._met += batch.count("entrant")
            return self.fuses and (self.loop is not None or self._met >= worth_compiling.entrants)

    def shapes(self, batch: Batch) -> tuple[Ints, KnownShapes]:
        """The shape of each field, and what is known about all shapes."""
        with self._lock:
            of, new = self._register.number(batch)
            if len(new):
                try:
                    more = self._learn(without_entrants(batch, new), batch)
                except BaseException:
                    self._register.forget(len(new))
                    if self.loop is None:  # the plan may be only partly ordered
                        self.plan = self._new_plan(batch)
                    raise
                self._known = self._known.and_then(more)
            return of, self._known

    def judge(self, batch: Batch, refusals: Iterable[Rule] | None = None) -> tuple[Bools, Bools]:
        """Which fields are refused by the given refusals, or by all, and for which a float is
        too near a limit to tell."""
        refused, doubt = np.zeros((2, batch.count("field")), np.bool_)
        rules = self.refusals if refusals is None else refusals
        for asked in asked_in_turn(self.graph, batch, rules):
            refused[asked.refused] = True
            doubt[asked.unsure] = True
        return refused, doubt

    def _learn(self, shapes: Batch, batch: Batch) -> KnownShapes:
        """Work out the shared quantities of new shapes."""
        count = shapes.count("field")
        refused, unsure = self.judge(shapes, self.by_shape)
        live = np.flatnonzero(~refused & ~unsure)
        places = np.zeros(count, np.int64)
        if not len(live) or not self.fuses:
            return KnownShapes(refused, unsure, places, {})
        working = self._ready(shapes.take(~refused & ~unsure), batch)
        if self.loop is None or working is None:
            return KnownShapes(refused, unsure, places, {})
        places[live] = working.batch.places
        arrays = self.loop.shared(working, live, places)
        unsure[live[working.doubt]] = True
        return KnownShapes(refused, unsure, places, arrays)

    def _ready(self, shapes: Batch, batch: Batch) -> ColumnWorking | None:
        """The working for shapes that are not refused; makes the loop if there is none yet."""
        from honours.engine.compiled.loop_values import CannotFuse
        from honours.engine.compiled.loops import FusedLoop

        if self.loop is None:
            self.fuses = can_fuse(self.plan, self.in_loop)
        if not self.fuses:
            return None
        working = ColumnWorking(self.rulebook, shapes, self.graph)
        working.lay_out_places()
        try:
            if self.loop is None:
                self.loop = FusedLoop(self.plan, batch, working)
        except CannotFuse:
            self.fuses = False
        return working


_kept: dict[Any, KeptForm] = {}
_forms: dict[Any, Form] = {}
_lock = RLock()


def kept_form(rulebook: Rulebook, batch: Batch) -> KeptForm:
    """The rulebook prepared for batches like this one; the least recently used are dropped."""
    form = form_of_batch(rulebook, batch)
    fixed = tuple((w, batch.words[w]) for w in form.words if w not in batch.facts["field"])
    facts = tuple((lv, n, c.kind) for lv, own in batch.facts.items() for n, c in own.items())
    key = (rulebook.hash, form.key, fixed, facts, batch.uniform)
    with _lock:
        ready = _kept.pop(key, None) or KeptForm(rulebook, batch)
        _kept[key] = ready  # the last that is forgotten
        while len(_kept) > _MOST:
            _kept.pop(next(iter(_kept)))
    return ready


@contextmanager
def compiled_after(entrants: int) -> Iterator[None]:
    """Within this context, compile a form once it has met that many entrants (0: at once),
    without using forms made before. For tests and measurements of either manner."""
    before, kept = worth_compiling.entrants, dict(_kept)
    _kept.clear()
    worth_compiling.entrants = entrants
    try:
        yield
    finally:
        worth_compiling.entrants = before
        _kept.clear()
        _kept.update(kept)


def form_of_batch(rulebook: Rulebook, batch: Batch) -> Form:
    """The form of the fields of a batch."""
    return form_for(rulebook, batch.facts["field"], batch.below, batch.words)


def form_for(
    rulebook: Rulebook, given: Iterable[str], below: Iterable[str], words: Mapping[str, str]
) -> Form:
    """Like :func:`honours.engine.graph.form_of`, but cached."""
    return forms_for(rulebook, given, below)(words)


def forms_for(
    rulebook: Rulebook, given: Iterable[str], below: Iterable[str]
) -> Callable[[Mapping[str, str]], Form]:
    """The same for many sets of words with the same inputs given."""
    told, others, book = frozenset(given), frozenset(below), rulebook.hash

    def form(words: Mapping[str, str]) -> Form:
        names = told.difference(words)
        key = (book, names, others, tuple(words.items()))
        if key not in _forms:
            while len(_forms) > 100 * _MOST:
                _forms.pop(next(iter(_forms)))
            _forms[key] = form_of(rulebook, names, others, words)
        return _forms[key]

    return form
