"""The compiled way: the same rules over columns of many fields, equal to the exact way.

Every rule runs in one of two manners: *compiled* on floats, its declared rounding telling which
rows are too near a boundary to be sure of; or *tabulated*, exactly, once per distinct arguments.
A field with any row in doubt is derived again the exact way, so there is no difference between
the two ways, only in their speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from honours.engine.award import AWARD, PLACES, award
from honours.engine.batch import Batch, Column, Ints, constant
from honours.engine.case import Aggregate, Case, aggregate
from honours.engine.compilable import exact_only
from honours.engine.compiled import BOUND, place_loop, rounded, row_loop
from honours.engine.emitting import on_fractions
from honours.engine.loops import FusedLoop
from honours.engine.numbers import round_to
from honours.engine.prepared import prepared
from honours.engine.resolving import resolver
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import Level, Rule
from honours.engine.shapes import Known
from honours.errors import HonoursError, MissingInput, RulebookError
from honours.model import Field, Value

Bools = NDArray[np.bool_]
Amounts = NDArray[np.integer[Any]]
"""In the narrowest type that holds them: a federation's year is limited by what memory carries."""
Paid = tuple[Amounts, Bools, int]
"""Ten-thousandths per entrant, the fields in doubt, and how many awards were decided exactly."""

SCALE = 10_000
"""Awards leave as whole ten-thousandths: finer than any unit a rulebook awards in."""


@dataclass(frozen=True, slots=True)
class ColumnAwards:
    """Awards of a batch: ten-thousandths per entrant, and which fields were refused.

    ``derived`` counts the fields that were in doubt and derived the exact way.
    """

    amounts: Amounts
    refused: Bools
    derived: int


def award_columns(rulebook: Rulebook, batch: Batch) -> ColumnAwards:
    """What :func:`honours.engine.award.award` gives for each field of the batch."""
    if exact_only(rulebook):
        return _exactly(rulebook, batch)
    try:
        return _award_columns(rulebook, batch)
    except NumbaError:  # something a rule may say and the compiler has no form for
        return _exactly(rulebook, batch)


def _exactly(rulebook: Rulebook, batch: Batch) -> ColumnAwards:
    """Every field the exact way."""
    nothing = np.zeros(batch.count("entrant"), np.int64)
    everything = np.ones(batch.count("field"), np.bool_)
    return _with_doubtful(rulebook, batch, nothing, ~everything, everything, 0)


def _award_columns(rulebook: Rulebook, batch: Batch) -> ColumnAwards:
    ready = prepared(rulebook, batch, ColumnWorking)
    if ready.judged_by_shape:
        live, (of, known) = batch, ready.shapes(batch)
        refused, doubt = known.refused[of], known.unsure[of]
    else:
        refused, doubt = ready.judge(batch)
        live = batch.take(~refused & ~doubt)
        of, known = ready.shapes(live)
    loop = ready.loop if ready.fuses else None
    if loop is None:  # a loop steps over what is refused, columns do not
        live = batch.take(~refused & ~doubt)
    paid = _fused(rulebook, live, of, known, loop) if loop else _by_columns(rulebook, live)
    amounts, unsure, derived = paid
    if live is batch:
        doubt |= unsure
    else:
        kept, whole = np.flatnonzero(~refused & ~doubt), np.zeros(batch.count("entrant"), np.int64)
        whole[batch.entrants_of(kept)] = amounts
        amounts = whole
        doubt[kept[unsure]] = True
    return _with_doubtful(rulebook, batch, amounts, refused, doubt, derived)


def _with_doubtful(
    rulebook: Rulebook, batch: Batch, amounts: Amounts, refused: Bools, doubt: Bools, derived: int
) -> ColumnAwards:
    """The awards with those of fields in doubt derived the exact way."""
    for i in np.flatnonzero(doubt):
        exactly = award(rulebook, batch.exact(int(i)))
        refused[i] = exactly.refusal is not None
        rows = batch.entrants_of(np.array([i]))
        amounts = _with_exact(amounts, rows, [int(a.amount * SCALE) for a in exactly.schedule])
    return ColumnAwards(amounts, refused, derived + int(doubt.sum()))


def _by_columns(rulebook: Rulebook, batch: Batch) -> Paid:
    if not batch.count("field"):
        return np.zeros(0, np.int64), np.zeros(0, np.bool_), 0
    return *ColumnWorking(rulebook, batch).amounts(), 0


def _fused(rulebook: Rulebook, batch: Batch, of: Ints, known: Known, loop: FusedLoop) -> Paid:
    """By the loop; an award too near a boundary is decided by itself where it can be."""
    ran = loop.run(batch, of, known, SCALE)
    rows = np.flatnonzero(ran.flag)
    fields = np.searchsorted(batch.entrant_offsets, rows, "right") - 1
    if not loop.exact:
        ran.doubtful[fields] = True
        return ran.amounts, ran.doubtful, 0
    decide = ~ran.doubtful[fields]
    answers = resolver(rulebook)
    facts: dict[int, dict[str, Value]] = {}
    exact: list[int] = []
    for row, field in zip(rows[decide], fields[decide], strict=True):
        shape = int(of[field])
        if shape not in facts:
            facts[shape] = batch.facts_of(int(field))
        before = {name: int(ran.kept[name][field]) * unit for name, unit in loop.units.items()}
        place, tied = int(batch.place[row]), int(batch.tied[row])
        exact.append(int(answers.amount(facts[shape], before, place, tied) * SCALE))
    amounts = _with_exact(ran.amounts, rows[decide], exact) if exact else ran.amounts
    return amounts, ran.doubtful, len(exact)


def award_fields(
    rulebook: Rulebook, fields: list[Field], laid_out: Callable[[Batch], Batch] = lambda b: b
) -> list[list[Fraction] | None]:
    """Each field's awards in the order of its standings, or None where it is refused.

    Fields are put into batches of the same words and inputs, ``laid_out`` as the caller likes them;
    one whose entrants do not all carry the same facts is derived the exact way.
    """
    if exact_only(rulebook):
        return [_exact_amounts(rulebook, field) for field in fields]
    answers: list[list[Fraction] | None] = [None] * len(fields)
    wordy = [n for n, i in rulebook.inputs.items() if i.type in ("word", "date", "counts")]
    batches: dict[Any, list[int]] = {}
    for i, field in enumerate(fields):
        batches.setdefault(_signature(field, wordy), []).append(i)
    for signature, members in batches.items():
        chosen = [fields[i] for i in members]
        if signature is None:
            found = [_exact_amounts(rulebook, field) for field in chosen]
        else:
            found = _batch_amounts(rulebook, laid_out(Batch.of(chosen, wordy)))
        for i, amounts in zip(members, found, strict=True):
            answers[i] = amounts
    return answers


def _signature(field: Field, wordy: list[str]) -> Any:
    entrants = {frozenset(s.facts) for s in field.standings}
    groups = [s.entrant.players for s in field.standings]
    players = {frozenset(p.facts) for group in groups for p in group}
    if len(entrants) > 1 or len(players) > 1 or (players and not all(groups)):
        return None
    words = tuple((w, field.facts[w]) for w in wordy if w in field.facts)
    return frozenset(field.facts), words, frozenset(entrants), frozenset(players)


def _exact_amounts(rulebook: Rulebook, field: Field) -> list[Fraction] | None:
    awards = award(rulebook, field)
    return None if awards.refusal else [a.amount for a in awards.schedule]


def _batch_amounts(rulebook: Rulebook, batch: Batch) -> list[list[Fraction] | None]:
    awards = award_columns(rulebook, batch)
    spans = zip(batch.entrant_offsets[:-1], batch.entrant_offsets[1:], strict=True)
    return [
        None if refused else [Fraction(int(n), SCALE) for n in awards.amounts[first:last]]
        for refused, (first, last) in zip(awards.refused, spans, strict=True)
    ]


def _with_exact(amounts: Amounts, rows: Ints, exact: list[int]) -> Amounts:
    """The amounts with those of some rows put in, none where these are refused."""
    given = np.array(exact or 0, np.int64)
    if np.abs(given).max() > np.iinfo(amounts.dtype).max:
        amounts = amounts.astype(np.int64)
    amounts[rows] = given
    return amounts


class ColumnWorking:
    """A batch of fields with the same words, worked out by one rulebook."""

    def __init__(
        self, rulebook: Rulebook, batch: Batch, case: Case | None = None, exactly: bool = False
    ) -> None:
        """With ``exactly`` what follows from exact values is worked out exactly, once per distinct
        arguments: for shapes, of which there are few."""
        self.rulebook, self.batch, self.exactly = rulebook, batch, exactly
        self.case = case or Case(rulebook, batch.given(), batch.below)
        self.doubt = np.zeros(batch.count("field"), np.bool_)
        self._columns: dict[tuple[str, Level], Column] = {}

    def amounts(self) -> tuple[NDArray[np.int64], Bools]:
        """Each entrant's award in ten-thousandths, and the fields in doubt."""
        self.lay_out_places()
        column = self.column(AWARD, "entrant")
        scaled = column.spread(self.batch.count("entrant")) * SCALE
        whole = np.rint(scaled)
        off = ~np.isfinite(scaled) | (np.abs(scaled - whole) > 1e-3)
        self._doubtful(off, "entrant")
        units = np.where(off, 0, whole).astype(np.int64)
        units[self._withheld()] = 0
        return units, self.doubt

    def lay_out_places(self) -> None:
        places = self.column(PLACES, "field").spread(self.batch.count("field"))
        sure = np.isfinite(places) & ~self.doubt
        self.batch = self.batch.with_places(np.where(sure, places, 0).astype(np.int64))

    def _withheld(self) -> Bools:
        """Entrants all of whose players are refused."""
        withheld = np.zeros(self.batch.count("player"), np.bool_)
        for rule in self.rulebook.rules:
            if rule.kind == "refusal" and rule.per == "player" and rule.applies(self.case.word):
                holds, unsure = self.holds(rule, "player")
                self._doubtful(unsure, "player")
                withheld |= holds
        return self.batch.every_player(withheld)

    def holds(self, rule: Rule, level: Level) -> tuple[Bools, Bools]:
        """Where a refusal applies, and where a float is too near its limit to say."""
        columns = [self._argument(a, level) for a in rule.arguments]
        rows = self.batch.count(level)
        if all(c.is_exact for c in columns):
            return self._tabulated(rule, columns, rows).spread(rows) != 0, np.zeros(rows, np.bool_)
        plain = self._floats(rule, columns, rows) != 0
        unsure = np.zeros(rows, np.bool_)
        for i, column in enumerate(columns):
            for nudge in (1 - BOUND, 1 + BOUND):
                if not column.is_exact:
                    moved = [*columns]
                    moved[i] = Column(column.floats * nudge)
                    unsure |= (self._floats(rule, moved, rows) != 0) != plain
        return plain, unsure

    # --- one quantity -----------------------------------------------------------------------

    def column(self, name: str, level: Level) -> Column:
        """The quantity for every row of a level; worked out once."""
        key = (name, level)
        if key not in self._columns:
            self._columns[key] = self._work(name, level)
        return self._columns[key]

    def shared(self, name: str) -> Column:
        """Something of the field's shape, an aggregate over places too."""
        return self._argument(name, "field") if aggregate(name) else self.column(name, "field")

    def _work(self, name: str, level: Level) -> Column:
        found = self.case.find(name)
        if isinstance(found, Parameter):
            return constant(found.value)
        if isinstance(found, Input):
            return self._input(found, level)
        if "previous" in found.arguments:
            return self._down_the_places(found)
        columns = [self._argument(a, level) for a in found.arguments]
        return self._rounded(found, self._applied(found, columns, level), level)

    def _applied(self, rule: Rule, columns: list[Column], level: Level) -> Column:
        rows = self.batch.count(level)
        if rule.tabulated or any(c.is_word for c in columns):
            return self._tabulated(rule, columns, rows)
        exact = all(c.is_exact for c in columns)
        if exact and rule.rounds and level == "field":
            return self._tabulated(rule, columns, rows)  # a quarter of 24 is on a boundary
        if exact and self.exactly and self._few(rule, level):
            return self._tabulated(rule, columns, rows)
        if all(c.is_constant for c in columns):
            return constant(rule.function(*(c.value for c in columns)))
        floats = self._floats(rule, columns, rows)
        self._doubtful(np.isnan(floats), level)  # at once: a later max or min could lose a NaN
        return Column(floats)

    def _few(self, rule: Rule, level: Level) -> bool:
        """Whether a rule has few distinct arguments, or none that take long to work out exactly."""
        return level == "field" or on_fractions(rule.function, "") is not None

    def known(self, name: str, level: Level) -> Column | None:
        """The quantity if it is worked out already."""
        return self._columns.get((name, level))

    def _input(self, declared: Input, level: Level) -> Column:
        found = self.batch.find(declared.name, level)
        if found is not None:
            return found
        if declared.name in self.batch.words:
            return constant(self.batch.words[declared.name])
        if declared.default is None:
            raise MissingInput(declared.name, declared.about)
        return constant(declared.read(declared.default))

    def _floats(self, rule: Rule, columns: list[Column], rows: int) -> NDArray[np.float64]:
        shape = tuple(not c.is_constant for c in columns)
        out = np.empty(rows)
        row_loop(rule.function, shape)(*(c.raw for c in columns), out)
        return out

    def _tabulated(self, rule: Rule, columns: list[Column], rows: int) -> Column:
        """Exactly, once per distinct arguments."""
        coded = [c.coded(rows) for c in columns]
        keys = np.stack([codes for codes, _ in coded]) if coded else np.zeros((1, rows), np.int64)
        distinct, back = np.unique(keys, axis=1, return_inverse=True)
        values: list[Any] = []
        for j in range(distinct.shape[1]):
            arguments = [table[distinct[k, j]] for k, (_, table) in enumerate(coded)]
            values.append(self._exactly(rule, arguments))
        return self._without_failures(Column.coding, np.reshape(back, -1), values, rule)

    def _without_failures(
        self, coding: Callable[..., Column], codes: Ints, values: list[Any], rule: Rule
    ) -> Column:
        """What could not be worked out is in doubt: the exact way says why."""
        failed = np.array([value is None for value in values], np.bool_)
        if failed.any():
            level = "field" if rule.kind != "rule" else rule.per
            rows = failed[codes]
            if len(rows) == self.batch.count(level):
                self._doubtful(rows, level)
        return coding(codes, tuple(Fraction(0) if v is None else v for v in values))

    def _exactly(self, rule: Rule, arguments: list[Any]) -> Any:
        try:
            value = rule.function(*arguments)
        except (HonoursError, ArithmeticError):
            if not self.exactly:
                raise
            return None
        if rule.rounds is None or isinstance(value, str):
            return value if isinstance(value, str) else Fraction(value)
        mode, unit = self.rounding(rule)
        return round_to(Fraction(value), mode, unit)

    def rounding(self, rule: Rule) -> tuple[str, Fraction]:
        if rule.rounds is None:
            raise RulebookError(f"{rule.name} declares no rounding")
        unit = self.column(rule.rounds.unit, "field").value
        declared = rule.rounds.mode
        mode = self.case.word(declared) if declared in self.rulebook.parameters else declared
        return mode, unit

    def _rounded(self, rule: Rule, column: Column, level: Level) -> Column:
        if rule.rounds is None:
            return column
        mode, unit = self.rounding(rule)
        if unit == 0 or (column.is_exact and not column.is_constant):
            return column  # a tabulated value was rounded as it was tabulated
        if column.is_constant:
            return constant(round_to(column.value, mode, unit))
        units, doubt = rounded(column.floats, mode, float(unit))
        self._doubtful(doubt, level)
        return Column.in_units(units, unit)

    def _doubtful(self, rows: Bools, level: Level) -> None:
        if rows.any():
            self.doubt[self.batch.field_of(level)[rows]] = True

    # --- arguments --------------------------------------------------------------------------

    def _argument(self, name: str, level: Level) -> Column:
        if name in ("place", "tied"):
            return self.batch.rank(name, level)
        wanted = aggregate(name)
        if wanted:
            return self._aggregate(wanted, level)
        own = self.case.level(name)
        if own == "field" or own == level:
            return self.batch.broadcast(self.column(name, own), own, level)
        if level == "field":  # no list of players: everyone's common value
            return self.column(name, "field")
        if own == "entrant" and level == "player":
            return self.batch.broadcast(self.column(name, own), own, level)
        raise RulebookError(f"{self.rulebook.id}: {name!r} is per {own}, asked per {level}")

    def _aggregate(self, wanted: Aggregate, level: Level) -> Column:
        if wanted.how == "covered_":
            return self.batch.covered(self.column(wanted.of, "place"))
        own = self.case.level(wanted.of)
        if wanted.how == "rank_of_":
            return self.batch.ranked(self.column(wanted.of, own))
        to: Level = "entrant" if level == "entrant" else "field"
        if own == "place":
            to, found = "field", self.batch.over_places(self.column(wanted.of, own), wanted.how)
        elif self.batch.uniform:
            to, found = "field", self.column(wanted.of, "field")
        else:
            found = self.batch.gathered(self.column(wanted.of, own), wanted.how, own, to)
        return self.batch.broadcast(found, to, level)

    def _down_the_places(self, rule: Rule) -> Column:
        at = rule.arguments.index("previous")
        columns = [
            Column(np.empty(0)) if a == "previous" else self._argument(a, "place")
            for a in rule.arguments
        ]
        start = self.column(rule.starts, "field")
        others = [c for i, c in enumerate(columns) if i != at]
        exact = self.exactly and all(c.is_exact for c in (start, *others))
        if exact and on_fractions(rule.function, "") is not None:
            return self._exact_places(rule, start, columns, at)
        first = self.batch.broadcast(start, "field", "place")
        out = first.spread(self.batch.count("place")).copy()
        shape = tuple(not c.is_constant for c in columns)
        raw = [out if i == at else c.raw for i, c in enumerate(columns)]
        place_loop(rule.function, shape, at)(*raw, out, self.batch.place_offsets)
        return self._rounded(rule, Column(out), "place")

    def _exact_places(self, rule: Rule, start: Column, columns: list[Column], at: int) -> Column:
        """Place by place from the top of each shape, in fractions."""
        offsets, rows = self.batch.place_offsets, self.batch.count("place")
        coded = [None if i == at else c.coded(rows) for i, c in enumerate(columns)]
        firsts = start.coded(self.batch.count("field"))
        index: dict[Fraction, int] = {}
        codes = np.zeros(rows, np.int64)
        for shape, (begin, end) in enumerate(pairwise(offsets.tolist())):
            value = firsts[1][firsts[0][shape]]
            for row in range(begin, end):
                if row > begin:
                    arguments = [value if c is None else c[1][c[0][row]] for c in coded]
                    value = self._exactly(rule, arguments)
                codes[row] = index.setdefault(value, len(index))
        return Column.coding(codes, tuple(index))
