"""A rulebook's graph over the columns of a batch.

A quantity lives in the coarsest space that its arguments live in: what depends on the facts of a
field alone is worked out once for each *shape*, all fields of the same facts; what depends on the
shape and the place once for each row of its *curve*; on the place and its ties besides, once for
each *tie*; on what a player holds, once for each value of that. Nothing plans this: it follows from
the arguments. The rest has a row for each field, place, entrant or player, worked out for some
thousand entrants at a time, so that it stays in a cache.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial, reduce
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns import arithmetic
from honours.engine.columns.arithmetic import EPS, QuantityColumn, constant, in_floats, on_columns
from honours.engine.columns.batch import Batch, FactColumn, Ints, distinct, offsets_of, spans
from honours.engine.exact.working import FIELD, Scope, Working
from honours.engine.graph import AWARD, PLACES, Graph, Operation
from honours.engine.numbers import round_to, trim
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import BEST, COUNT, COVERED, MEAN, RANK, Level, Rule
from honours.errors import HonoursError, MissingInput
from honours.model import Entrant, Field, Standing
from honours.model.message import Message

SHARED = ("one", "shape", "curve", "tie")
"""The spaces that all fields of a batch share."""
_FINENESS = ("one", "shape", "curve", "tie", "field", "place", "entrant", "player")
_IMPOSSIBLE = (HonoursError, ArithmeticError, LookupError, TypeError, AttributeError, ValueError)
"""What a rule's function may raise; the exact way reports it."""
_BY_PLACE = ("curve", "place")
_MOST_PLACES = 2**26
_MOST_TIES = 2**13
"""More rows of ties than this, and than entrants, are not laid out."""


class NotInColumns(Exception):
    """A rule contains something that columns cannot express but the exact way can."""


def joined(spaces: Iterable[str]) -> str:
    """The coarsest space in which all of these can be read."""
    met = {*spaces}
    if "held" in met:
        met = met - {"held"} | {"player"}
    if "curve" in met and met & {"field", "place"}:
        return "place"
    if "tie" in met and "field" in met:
        return "entrant"
    return max(met, key=_FINENESS.index, default="one")


@dataclass(slots=True)
class Held(QuantityColumn):
    """A quantity of players that follows from one fact of theirs, and from what is known of the
    shape (``by``): worked out by ``made`` once for each value of the fact."""

    fact: str = ""
    made: Callable[[QuantityColumn, Sequence[QuantityColumn]], QuantityColumn] = lambda own, _: own
    by: tuple[QuantityColumn, ...] = ()
    key: tuple[str, ...] = ()


class _HeldTable:
    """The known values of a held quantity, by the value of the fact in units."""

    def __init__(self) -> None:
        self.values = np.full(2**10, np.nan)
        self.bounds: QuantityColumn | None = None

    def add(self, units: Ints, column: QuantityColumn) -> None:
        v = np.broadcast_to(column.v, len(units))
        self.values[units] = v
        den = float(np.max(column.den))
        known = self.bounds or column
        self.bounds = arithmetic.mixed(known, column, 0.0, max(float(np.max(known.den)), den))

    def room_for(self, units: int) -> None:
        if units >= len(self.values):
            wide = np.full(2 ** units.bit_length(), np.nan)
            wide[: len(self.values)] = self.values
            self.values = wide


class _Cache:
    """The results of one rulebook that are worth keeping from batch to batch."""

    def __init__(self) -> None:
        self.rules: dict[Any, Any] = {}
        self.held: OrderedDict[Any, _HeldTable] = OrderedDict()
        self.exact: dict[Any, Fraction | str] = {}


_caches: OrderedDict[str, _Cache] = OrderedDict()
_lock = RLock()
_MOST_BOOKS, _MOST_TABLES, _MOST_RESULTS = 16, 8, 200_000
_WIDEST = 2**23
"""The largest value of a fact, in units, that is looked up in a table."""
_FEW = 2**14
"""So few players are worked out one by one unless there is a table."""


def _cache(rulebook: Rulebook) -> _Cache:
    with _lock:
        made = _caches.pop(rulebook.hash, None) or _Cache()
        _caches[rulebook.hash] = made
        while len(_caches) > _MOST_BOOKS:
            _caches.popitem(last=False)
        for results in (made.rules, made.exact):
            if len(results) > _MOST_RESULTS:
                results.clear()
        return made


class Shapes:
    """The distinct facts of a batch's fields, and all that follows from these, place and ties.

    Where ``each`` field is a shape of its own, what a field pays may depend on its players.
    """

    def __init__(self, rulebook: Rulebook, batch: Batch, graph: Graph, each: bool = False) -> None:
        self.rulebook, self.batch, self.graph = rulebook, batch, graph
        self.refusals = graph.refusals("field")
        fields = batch.count("field")
        if each:
            self.example = self.of = np.arange(fields)
        else:
            facts = batch.facts["field"]
            self.example, self.of = distinct([facts[n].keys for n in self._used()], fields)
        self.rows = {"one": 1, "shape": len(self.example)}
        self.known: dict[Any, QuantityColumn] = {}
        self.refused, self.doubt = np.zeros((2, len(self.example)), np.bool_)
        self.faults: dict[int, str] = {}
        """Why a quantity of a shape cannot be worked out, whoever plays."""
        self.shares_curves = True
        """Whether what a place is worth is the same for all fields of a shape, as far as known."""
        self.cache = _cache(rulebook)
        self._workings: dict[int, Working] = {}

    def _used(self) -> list[str]:
        """The facts of the field on which an award or a refusal depends."""
        given = list(self.batch.facts["field"])
        try:
            refusals = (*self.refusals, *self.graph.refusals("player"))
            asked = [a for rule in refusals for a in rule.arguments]
            below = self.graph.below((AWARD, PLACES, *asked))
        except HonoursError:
            return given  # a case without a rule is refused, or reported when it is worked out
        return [name for name in given if name in below]

    def lay_out(self, paid: Ints) -> None:
        """Set how many places each shape pays."""
        self.paid = np.where(self.refused | self.doubt, 0, paid)
        self.start = offsets_of(self.paid)
        if self.start[-1] > _MOST_PLACES:
            raise NotInColumns(Message("places"))
        self.shape_of_curve = np.repeat(np.arange(len(self.paid)), self.paid)
        self.place_of_curve = np.arange(self.start[-1]) - self.start[self.shape_of_curve] + 1
        self.rows["curve"] = int(self.start[-1])

    @cached_property
    def ties(self) -> bool:
        """True if there are rows for every shape, place and size of a tie: if they are not many
        more than the entrants."""
        if not self.shares_curves:
            return False
        batch = self.batch
        self.most_tied = int(batch.tied.max(initial=1))
        last = np.zeros(len(self.example), np.int64)
        begins = batch.entrant_offsets[:-1]
        some = np.diff(batch.entrant_offsets) > 0
        if some.any():
            np.maximum.at(last, self.of[some], np.maximum.reduceat(batch.place, begins[some]))
        rows = int(last.sum()) * self.most_tied
        if not 0 < rows <= max(_MOST_TIES, 4 * len(batch.place)):
            return False
        start = offsets_of(last * self.most_tied)[self.of] - self.most_tied - 1
        self.tie_of_entrant = np.repeat(start.astype(np.int32), np.diff(batch.entrant_offsets))
        steps = np.multiply(batch.place, self.most_tied, dtype=np.int32, casting="unsafe")
        self.tie_of_entrant += steps
        np.add(self.tie_of_entrant, batch.tied, out=self.tie_of_entrant, casting="unsafe")
        there = np.arange(rows)
        if 4 * rows > len(batch.place):  # many of them do not occur
            met = np.zeros(rows, np.bool_)
            met[self.tie_of_entrant] = True
            there = np.flatnonzero(met)
            number = np.empty(rows, np.int32)
            number[there] = np.arange(len(there))
            self.tie_of_entrant = number[self.tie_of_entrant]
        of = np.repeat(np.arange(len(last)), last)
        place, tied = np.divmod(there, self.most_tied)
        self.shape_of_tie, self.tied_of_tie = of[place], tied + 1
        self.place_of_tie = place - offsets_of(last)[self.shape_of_tie] + 1
        self.rows["tie"] = len(there)
        self.tie_doubt = np.zeros(len(there), np.bool_)
        return True

    def exactly(self, name: str, shape: int, place: int = 0, tied: int = 0) -> Fraction | str:
        """A quantity of a shape, of one of its places, or of a tie there, worked out exactly, or
        why that cannot be done, as far as the exact way says so."""
        facts = self.batch.facts_of(int(self.example[shape]))
        key = (name, tuple(facts.items()), place, tied)
        if key not in self.cache.exact:
            working = self._workings.get(shape)
            if working is None:
                working = self._workings[shape] = Working(
                    self.rulebook, Field(facts), in_words=False
                )
            scope = Scope("place", place) if place else FIELD
            if tied:
                standing = Standing(Entrant(""), place, tied)
                working.field = Field(facts, (*working.field.standings, standing))
                scope = Scope("entrant", len(working.field.standings) - 1)
            try:
                self.cache.exact[key] = working.number(name, scope)
            except HonoursError as error:
                self.cache.exact[key] = "" if isinstance(error, MissingInput) else error.brief
            except _IMPOSSIBLE:
                self.cache.exact[key] = ""
        return self.cache.exact[key]


class Evaluation:
    """The fields ``first`` to ``last`` of a batch, evaluated."""

    def __init__(self, shapes: Shapes, first: int, last: int) -> None:
        batch = shapes.batch
        self.shapes, self.batch, self.graph = shapes, batch, shapes.graph
        self.fields = slice(first, last)
        self.entrants = slice(*batch.entrant_offsets[[first, last]].tolist())
        self.players = slice(
            *batch.player_offsets[[self.entrants.start, self.entrants.stop]].tolist()
        )
        self.shape = shapes.of[self.fields]
        self.entrant_offsets = batch.entrant_offsets[first : last + 1] - self.entrants.start
        self.player_offsets = (
            batch.player_offsets[self.entrants.start : self.entrants.stop + 1] - self.players.start
        )
        self.sizes = np.diff(self.entrant_offsets)
        self.place, self.tied = batch.place[self.entrants], batch.tied[self.entrants]
        self.rows = {
            "field": last - first,
            "entrant": len(self.place),
            "player": self.players.stop - self.players.start,
        }
        self.known: dict[Any, QuantityColumn] = {}
        self.doubt = np.zeros(last - first, np.bool_)

    # --- which rows belong to which -------------------------------------------------------------

    @cached_property
    def people(self) -> Ints | int:
        """The number of players of each entrant; one number if all have the same."""
        many: Ints = np.diff(self.player_offsets)
        alike = len(many) > 0 and many[0] * len(many) == self.rows["player"]
        return int(many[0]) if alike and (many == many[0]).all() else many

    @cached_property
    def field_of_entrant(self) -> Ints:
        return np.repeat(np.arange(self.rows["field"]), self.sizes)

    @property
    def tie_of_entrant(self) -> NDArray[np.int32]:
        return self.shapes.tie_of_entrant[self.entrants]

    @cached_property
    def paid(self) -> Ints:
        return self.shapes.paid[self.shape]

    @cached_property
    def place_offsets(self) -> Ints:
        offsets = offsets_of(self.paid)
        if offsets[-1] > _MOST_PLACES:
            raise NotInColumns(Message("places"))
        self.rows["place"] = int(offsets[-1])
        return offsets

    @cached_property
    def curve_of_place(self) -> Ints:
        return spans(self.shapes.start[self.shape], self.paid)

    def count(self, space: str) -> int:
        """Return how many rows a space has."""
        if space == "place":
            return int(self.place_offsets[-1])
        return self.shapes.rows[space] if space in SHARED else self.rows[space]

    def spread(self, column: QuantityColumn, space: str) -> QuantityColumn:
        """The column on the rows of a finer space; a single number stays one."""
        if isinstance(column, Held):
            column = self._of_players(column)
        if column.space in (space, "one"):
            return column
        v, den = self._spread(column.v, column.space, space), column.den
        if np.ndim(den):
            den = self._spread(den, column.space, space)
        return replace(column, v=v, den=den, space=space)

    def _spread(self, v: Any, own: str, space: str) -> Any:
        shapes = self.shapes
        if own == "shape" and space in ("curve", "tie"):
            return v[shapes.shape_of_curve if space == "curve" else shapes.shape_of_tie]
        if own == "curve":
            return v[self.curve_of_place]
        if own == "shape":
            v, own = v[self.shape], "field"
        if own == "tie":
            v, own = v.take(self.tie_of_entrant), "entrant"
        if own == space:
            return v
        if own == "field" and space == "place":
            return np.repeat(v, np.diff(self.place_offsets))
        if own == "field":
            v = np.repeat(v, self.sizes)
        return v if space == "entrant" else np.repeat(v, self.people)

    def values(self, column: QuantityColumn, space: str) -> Any:
        """A float for each row of a space."""
        return np.broadcast_to(self.spread(column, space).v, self.count(space))

    # --- what is in doubt -----------------------------------------------------------------------

    def put_in_doubt(self, which: Any, space: str) -> None:
        """Leave the fields of some rows to the exact way."""
        shapes = self.shapes
        match space:
            case "one":
                shapes.doubt[:] = True
            case "shape":
                shapes.doubt |= which
            case "curve":
                shapes.doubt[shapes.shape_of_curve[which]] = True
            case "tie":
                shapes.tie_doubt |= which
            case "field":
                self.doubt |= which
            case "place":
                of = np.repeat(np.arange(self.rows["field"]), np.diff(self.place_offsets))
                self.doubt[of[which]] = True
            case "entrant":
                self.doubt[self.field_of_entrant[which]] = True
            case _:
                self.doubt[np.repeat(self.field_of_entrant, self.people)[which]] = True

    def _settled(self, rule: Rule, column: QuantityColumn, unsure: Any) -> QuantityColumn:
        """The column with what is unsure decided exactly, where that is once for a shape or one of
        its places, and put in doubt elsewhere."""
        shapes, space = self.shapes, column.space
        own = {"one": ("field",), "shape": ("field",), "curve": ("field", "place")}
        if rule.kind != "rule" or rule.per not in own.get(space, ()):
            self.put_in_doubt(unsure, space)
            return column
        v = np.array(column.v, np.float64, ndmin=1)
        unsure = np.array(unsure, ndmin=1)
        for row in np.flatnonzero(unsure & ~self._refused_rows(space)).tolist():
            at = (
                (row, 0)
                if space != "curve"
                else (
                    int(shapes.shape_of_curve[row]),
                    int(shapes.place_of_curve[row]),
                )
            )
            value = shapes.exactly(rule.name, *at)
            if isinstance(value, str):
                if value and space == "shape":
                    shapes.faults[row] = value
            else:
                unsure[row] = False
                v[row] = float(value)
                column.lo, column.hi = min(column.lo, v[row]), max(column.hi, v[row])
        column.v = v[0] if np.ndim(column.v) == 0 else v
        column.holes = bool(unsure.any())
        column.rel = max(column.rel, EPS)
        if column.holes:
            self.put_in_doubt(unsure, space)
        return column

    def _refused_rows(self, space: str) -> Any:
        shapes = self.shapes
        if space == "shape":
            return shapes.refused
        return shapes.refused[shapes.shape_of_curve] if space == "curve" else False

    # --- one quantity ---------------------------------------------------------------------------

    def read(self, name: str, level: Level, rule: Rule | None = None) -> QuantityColumn:
        """The quantity that a rule per ``level`` calls ``name``."""
        operation = self.graph.operation(name, level)
        if name in ("place", "tied"):
            return self._remembered((name, level), lambda: self._standing(name, level))
        if operation.aggregate:
            best = rule.best if rule else ""
            key = (name, level, best)
            return self._remembered(key, lambda: self._aggregate(operation, level, best))
        if operation.per != level and level == "field":
            return self.column(name, "field")  # no list of players: one value common to all
        return self.column(name, self.graph.level_read(name, level))

    def column(self, name: str, level: Level) -> QuantityColumn:
        """The quantity at a level; worked out once."""
        if level == "place" and "curve" not in self.shapes.rows:
            raise NotInColumns(name)  # how many places pay depends on what they pay
        return self._remembered(
            (name, level), lambda: self._made(self.graph.operation(name, level), level)
        )

    def _remembered(self, key: Any, make: Callable[[], QuantityColumn]) -> QuantityColumn:
        for known in (self.known, self.shapes.known):
            if key in known:
                return known[key]
        made = make()
        shared = made.space in SHARED or isinstance(made, Held)
        (self.shapes.known if shared else self.known)[key] = made
        return made

    def _made(self, operation: Operation, level: Level) -> QuantityColumn:
        if isinstance(operation.source, Parameter):
            return constant(operation.source.value)
        if isinstance(operation.source, Input):
            return self._given(operation.source, level)
        rule = operation.rule
        assert rule is not None
        if "previous" in rule.arguments:
            return self._down_the_places(rule)
        return self.applied(rule, [self.read(a, level, rule) for a in rule.arguments])

    def _standing(self, name: str, level: Level) -> QuantityColumn:
        shapes = self.shapes
        if level == "place":
            if name == "tied":
                return constant(1)  # a place by itself is nobody's
            return arithmetic.in_units(shapes.place_of_curve, Fraction(1), "curve")
        if shapes.ties:
            rows = shapes.place_of_tie if name == "place" else shapes.tied_of_tie
            return arithmetic.in_units(rows, Fraction(1), "tie")
        rows = self.place if name == "place" else self.tied
        return arithmetic.in_units(rows, Fraction(1), "entrant")

    def _given(self, declared: Input, level: Level) -> QuantityColumn:
        above: dict[Level, tuple[Level, ...]] = {
            "field": ("field",),
            "place": ("field",),
            "entrant": ("entrant", "field"),
            "player": ("player", "entrant", "field"),
        }
        for at in above[level]:
            fact = self.batch.facts[at].get(declared.name)
            if fact is not None:
                return self._fact(declared.name, fact, at)
        if declared.name in self.batch.words:
            return constant(self.batch.words[declared.name])
        if declared.default is None:
            raise MissingInput(declared.name, declared.about)
        return constant(declared.read(declared.default))

    def _fact(self, name: str, fact: FactColumn, level: Level) -> QuantityColumn:
        space = "shape" if level == "field" else level
        rows: Any = {
            "field": self.shapes.example,
            "entrant": self.entrants,
            "player": self.players,
        }[level]
        if fact.units is None:
            codes = fact.keys[rows]
            if fact.is_word:
                return QuantityColumn(codes, lo=0, hi=0, space=space, words=fact.values)
            return in_floats(fact.values, space).at(codes)  # type: ignore[arg-type]
        if level == "player":
            return Held(0.0, space="held", fact=name, key=(name,))
        return arithmetic.in_units(fact.units[rows], fact.unit, space)

    # --- one rule -------------------------------------------------------------------------------

    def applied(self, rule: Rule, given: list[QuantityColumn]) -> QuantityColumn:
        """Return the column that a rule makes of its arguments."""
        function = None if any(c.words for c in given) else on_columns(rule.function)
        if function and rule.rounds is None and any(isinstance(c, Held) for c in given):
            held = _once_per_value(rule, given, function)
            if held:
                return held
        space = joined(c.space for c in given)
        aligned = [self.spread(column, space) for column in given]
        if function is None:
            return self._checked(rule, self._tabulated(rule, aligned, space))
        made = function(aligned)
        made = replace(made, space=space if np.ndim(made.v) else "one")
        if space not in ("entrant", "player"):
            made.tight()
        return self._checked(rule, self._rounded(rule, made))

    def _rounded(self, rule: Rule, made: QuantityColumn) -> QuantityColumn:
        rounding, space = self.graph.rounding(rule), made.space
        if rounding is None:
            unsure = np.isnan(made.v) if made.holes else None
            if unsure is not None and not np.any(unsure):
                unsure, made.holes = None, False
        else:
            made, unsure = arithmetic.rounded(made, *rounding)
            made.space = space
        return made if unsure is None else self._settled(rule, made, unsure)

    def _checked(self, rule: Rule, made: QuantityColumn) -> QuantityColumn:
        """Put in doubt what an input may not be: 9.3 tables make no number of pairs."""
        declared = self.graph.rulebook.inputs.get(rule.name)
        if declared is None or not declared.must_agree or made.words or made.unit is None:
            return made
        values, of = np.unique(np.atleast_1d(made.v), return_inverse=True)
        wrong = np.zeros(len(values), np.bool_)
        for i, value in enumerate(_fractions(made, values)):
            try:
                declared.check(value)
            except HonoursError:
                wrong[i] = True
        if wrong.any():
            self.put_in_doubt(wrong[of] if np.ndim(made.v) else wrong[0], made.space)
        return made

    def _tabulated(self, rule: Rule, given: list[QuantityColumn], space: str) -> QuantityColumn:
        """The rule's own function on exact values, once for each set of arguments, and rounded."""
        codes: list[Any] = []
        tables: list[Sequence[Any]] = []
        for column in given:
            if not column.words and (column.unit is None or column.holes):
                return self._all_exactly(rule, space)
            if column.words:
                tables.append(column.words)
                codes.append(column.v)
            else:
                numbers, of = np.unique(column.v, return_inverse=True)
                tables.append(_fractions(column, numbers))
                codes.append(of if np.ndim(column.v) else 0)
        differing = [of for of in codes if np.ndim(of)]
        one = np.zeros(1, np.int64)
        first, back = distinct(differing, self.count(space)) if differing else (one, one)
        cases = [[int(of[row]) if np.ndim(of) else 0 for of in codes] for row in first.tolist()]
        rounding = self.graph.rounding(rule)
        results = [self._result(rule, rounding, case, tables) for case in cases]
        if any(isinstance(value, str) for value in results):
            words = tuple(dict.fromkeys(results))
            numbered = np.array([words.index(value) for value in results])
            made = QuantityColumn(numbered, lo=0, hi=0, space=space, words=words).at(back)
        elif len({*results}) == 1 and results[0] is not None:
            return constant(results[0])
        else:
            made = in_floats(results, space).at(back)
        if not differing:
            made = made.at(0, "one")
        if made.holes:
            self.put_in_doubt(np.isnan(made.v), made.space)
        return made

    def _result(
        self, rule: Rule, rounding: Any, case: Sequence[int], tables: Sequence[Sequence[Any]]
    ) -> Any:
        values = [table[i] for table, i in zip(tables, case, strict=True)]
        known = self.shapes.cache.rules
        # tables are the rulebook's own
        key = (rule.function, *(v if isinstance(v, str | Fraction) else 0 for v in values))
        if key not in known:
            try:
                value = rule.function(*values)
                if not isinstance(value, str):
                    value = trim(Fraction(value))
                    value = round_to(value, *rounding) if rounding else value
                known[key] = value
            except _IMPOSSIBLE:
                known[key] = None
        return known[key]

    def _all_exactly(self, rule: Rule, space: str) -> QuantityColumn:
        """A rule that reads tables, of values that were never rounded: once for each shape."""
        if space not in ("one", "shape", "curve") or rule.kind != "rule":
            raise NotInColumns(
                Message("a quantity that was never rounded and reaches a tabulated rule")
            )
        many = self.count(space)
        made = QuantityColumn(np.full(many, np.nan), lo=0, hi=0, holes=True, space=space)
        return self._settled(rule, made, np.ones(many, np.bool_))

    # --- players --------------------------------------------------------------------------------

    def _of_players(self, held: Held) -> QuantityColumn:
        """The quantity for every player."""
        fact = self.batch.facts["player"][held.fact]
        assert fact.units is not None
        units = fact.units[self.players]

        def worked_out(own: Any, by: Sequence[QuantityColumn]) -> QuantityColumn:
            made = held.made(arithmetic.in_units(own, fact.unit, "player"), by)
            return replace(made, space="player")

        if len(held.key) == 1:
            return worked_out(units, ())
        by = [self.spread(c, "field") for c in held.by]
        least, most = int(units.min(initial=0)), int(units.max(initial=0))
        first, of = distinct([np.asarray(c.v).view(np.int64) for c in by], self.rows["field"])
        tables = self.shapes.cache.held
        keys = [(held.key, *(float(c.v[row]) for c in by)) for row in first.tolist()]
        narrow = least >= 0 and most < _WIDEST and len(keys) <= _MOST_TABLES
        if not narrow or (len(units) < _FEW and any(key not in tables for key in keys)):
            made = worked_out(units, [self.spread(c, "player") for c in held.by])
            if made.holes:
                self.put_in_doubt(np.isnan(self.values(made, "player")), "player")
            return made
        if len(keys) == 1:
            return self._looked_up(
                keys[0], units, most, partial(worked_out, by=_at(by, int(first[0])))
            )
        group = np.repeat(np.repeat(of, self.sizes), self.people)
        parts = [np.flatnonzero(group == n) for n in range(len(keys))]
        columns = [
            self._looked_up(key, units[rows], most, partial(worked_out, by=_at(by, row)))
            for key, rows, row in zip(keys, parts, first.tolist(), strict=True)
        ]
        v = np.empty(len(units))
        for rows, column in zip(parts, columns, strict=True):
            v[rows] = column.v
        den = max(float(c.den) for c in columns)
        made = reduce(lambda x, y: arithmetic.mixed(x, y, 0.0, den), columns)
        return replace(made, v=v, den=den, space="player")

    def _looked_up(
        self, key: Any, units: Any, most: int, worked_out: Callable[[Any], QuantityColumn]
    ) -> QuantityColumn:
        tables = self.shapes.cache.held
        with _lock:
            table = tables.pop(key, None) or _HeldTable()
            tables[key] = table
            while len(tables) > _MOST_TABLES:
                tables.popitem(last=False)
            table.room_for(most)
        v = table.values.take(units)
        if math.isnan(float(v.sum())):
            with _lock:
                fresh = np.unique(units[np.isnan(v)])
                table.add(fresh, worked_out(fresh))
                v = table.values.take(units)
        assert table.bounds is not None
        made = replace(table.bounds, v=v, space="player")
        if made.holes:
            self.put_in_doubt(np.isnan(v), "player")
        return made

    # --- many into one --------------------------------------------------------------------------

    def _aggregate(self, operation: Operation, level: Level, best: str) -> QuantityColumn:
        wanted = operation.aggregate
        assert wanted is not None
        if wanted.how == COVERED:
            return self._covered(self.column(wanted.of, "place"))
        own = self.graph.level(wanted.of)
        if wanted.how == RANK:
            return self._ranked(self.column(wanted.of, own), own)
        if self.batch.uniform and own == "player":
            if wanted.how != MEAN:
                raise NotInColumns(operation.name)
            return self.column(wanted.of, own if level == "entrant" else "field")
        return self._folded(self.column(wanted.of, own), own, level, wanted.how, best)

    def _folded(
        self, column: QuantityColumn, own: Level, level: Level, how: str, best: str
    ) -> QuantityColumn:
        """The values of each field, or of each entrant, put together."""
        space, rows, offsets = "field", str(own), self.entrant_offsets
        if own == "place" and column.space in SHARED:
            space, rows, offsets = "shape", "curve", self.shapes.start
        elif own == "place":
            offsets = self.place_offsets
        elif own == "player":
            offsets = self.player_offsets if level == "entrant" else offsets
            space = "entrant" if level == "entrant" else "field"
            offsets = offsets if space == "entrant" else self.player_offsets[offsets]
        counts = arithmetic.in_units(np.diff(offsets), Fraction(1), space)
        if space == "entrant" and isinstance(self.people, int):
            counts = constant(self.people)
        if how == COUNT:
            return counts
        if column.space == "one" and how != BEST:
            return column if how == MEAN else replace(column * counts, space=counts.space)
        values = self.spread(column, rows)
        values = replace(values, v=np.broadcast_to(values.v, self.count(rows)), space=rows)
        if how == BEST:
            values, offsets = self._largest(values, offsets, best, space)
            counts = arithmetic.in_units(np.diff(offsets), Fraction(1), space)
        total = _added_up(values, offsets, space)
        if how == MEAN:
            total = replace(total / counts, space=space)
        total.tight()
        if total.holes:
            self.put_in_doubt(np.isnan(total.v), space)
        return total

    def _largest(
        self, values: QuantityColumn, offsets: Ints, best: str, space: str
    ) -> tuple[QuantityColumn, Ints]:
        """The largest values of each span, as many as count in it, and one at least."""
        wanted = self._floor(self.column(best, "field"))
        many = self.values(wanted, space).astype(np.int64)
        counts = np.diff(offsets)
        of = np.repeat(np.arange(len(counts)), counts)
        order = np.lexsort((-values.v, of))
        kept = np.minimum(counts, np.maximum(many, 1))
        return values.at(order[spans(offsets[:-1], kept)]), offsets_of(kept)

    def _floor(self, column: QuantityColumn) -> QuantityColumn:
        """The whole part of numbers of which only those above 0 matter."""
        made, unsure = arithmetic.rounded(
            arithmetic.larger(column, constant(0)), "down", Fraction(1)
        )
        made.space = column.space
        if unsure is not None:
            self.put_in_doubt(unsure, column.space)
            made.v = np.where(unsure, 0.0, made.v)
        return made

    def _ranked(self, column: QuantityColumn, own: Level) -> QuantityColumn:
        """The rank of each entrant or player in its field, the largest value first; among equals,
        the one with fewer players, then the order of the list."""
        v = self.values(column, own)
        offsets = self.entrant_offsets
        people = self.people
        if own == "player":
            offsets = self.player_offsets[self.entrant_offsets]
            people = people if isinstance(people, int) else np.repeat(people, people)
        counts = np.diff(offsets)
        within = np.arange(len(v)) - np.repeat(offsets[:-1], counts)
        of = np.repeat(np.arange(len(counts)), counts)
        unit = self.spread(column, own).unit
        whole = unit is not None and np.all(column.den == 1)
        order = None
        if whole and len(v) and not column.holes:
            assert unit is not None
            steps = np.rint(v / float(unit)).astype(np.int64)
            falling = steps.max() - steps
            key, room = of, len(counts)
            for part in (falling, people, within):
                most = int(np.max(part)) + 1
                key, room = key * most + part, room * most
            if room < 2**62:
                bits = int(within.max()) + 1
                order = np.sort(key) % bits + np.repeat(offsets[:-1], counts)
        if order is None:
            sizes = np.broadcast_to(people, len(v))
            order = np.lexsort((sizes, -v, of))
            if not whole:
                ordered = v[order]
                near = np.abs(np.diff(ordered)) <= 2 * column.off + EPS * column.top
                near &= of[order][1:] == of[order][:-1]
                if near.any():
                    self.doubt[of[order][1:][near]] = True
        ranks = np.empty(len(v))
        ranks[order] = within + 1.0
        hi = float(counts.max(initial=1))
        return QuantityColumn(ranks, Fraction(1), lo=1.0, hi=hi, space=own)

    # --- places ---------------------------------------------------------------------------------

    def _covered(self, column: QuantityColumn) -> QuantityColumn:
        """The sum over the paid places that a tie covers."""
        shapes = self.shapes
        shapes.shares_curves &= column.space in SHARED
        by_tie = column.space in SHARED and shapes.ties
        space, most = (
            ("tie", shapes.most_tied) if by_tie else ("entrant", int(self.tied.max(initial=0)))
        )
        if by_tie:
            values, starts, paid = self.spread(column, "curve"), shapes.start[:-1], shapes.paid
            of, place, tied = shapes.shape_of_tie, shapes.place_of_tie, shapes.tied_of_tie
            at, ends = starts[of] + (place - 1), (starts + paid)[of]
        else:
            values, starts = self.spread(column, "place"), self.place_offsets
            tied = self.tied
            at, ends = np.repeat(starts[:-1] - 1, self.sizes), np.repeat(starts[1:], self.sizes)
            at += self.place
        v = np.broadcast_to(values.v, self.count("curve" if by_tie else "place"))
        if not len(v):
            return constant(0)  # no place pays
        single = np.ndim(values.den) == 0 and values.den == 1
        dens = None if single or column.unit is None else np.broadcast_to(values.den, len(v))
        paid = at < ends
        if paid.all():
            total, den = v.take(at), None if dens is None else dens.take(at)
        else:
            first = np.where(paid, at, 0)
            total = np.where(paid, v.take(first), 0.0)
            den = None if dens is None else np.where(paid, dens.take(first), 1.0)
        rows = np.flatnonzero(tied > 1)
        at, ends = at[rows], ends[rows]
        for k in range(1, most):
            left = np.flatnonzero((tied[rows] > k) & (at + k < ends))
            rows, at, ends = rows[left], at[left], ends[left]
            if not len(rows):
                break
            total[rows] += v[at + k]
            if dens is not None and den is not None:
                den[rows] *= dens[at + k]
        lo, hi = min(0.0, column.lo * most), max(0.0, column.hi * most)
        rel, err = column.rel + most * EPS, column.err * most
        if lo < 0 < hi:
            rel, err = 0.0, err + rel * max(-lo, hi)
        if column.is_exact and single and column.unit is not None and column.unit.denominator == 1:
            rel = err = 0.0
        return QuantityColumn(
            total,
            column.unit,
            1.0 if den is None else den,
            lo=lo,
            hi=hi,
            rel=rel,
            err=err,
            holes=column.holes,
            space=space,
        )

    def _down_the_places(self, rule: Rule) -> QuantityColumn:
        """First the places that need nothing from above, then the others from the top, all shapes
        or fields at once."""
        begin = self.column(rule.starts, "field")
        given = {a: self.read(a, "place", rule) for a in rule.arguments if a != "previous"}
        space = joined(["curve", begin.space, *(c.space for c in given.values())])
        function, rounding = on_columns(rule.function), self.graph.rounding(rule)
        if function is None or any(c.words for c in given.values()):
            raise NotInColumns(rule.name)
        many = self.count(space)
        above, start = "shape", self.shapes.start
        if space == "place":
            above, start = "field", self.place_offsets
        order = np.argsort(-np.diff(start), kind="stable")  # the longest first
        first, depths = start[:-1][order], np.diff(start)[order]
        paying = order[: np.count_nonzero(depths)]
        top = self.spread(begin, above).at(paying)
        whole = _Places(many, top, start[:-1][paying])
        by_place = {a: self.spread(c, space) for a, c in given.items() if c.space in _BY_PLACE}
        by_field = {
            a: self.spread(c, above).at(paying) for a, c in given.items() if a not in by_place
        }

        def worked_out(rows: Any, fields: Any, previous: QuantityColumn) -> QuantityColumn:
            read = {a: c.at(rows) for a, c in by_place.items()}
            read |= {a: c.at(fields) for a, c in by_field.items()}
            made = function([read.get(a, previous) for a in rule.arguments])
            return made if made.top <= previous.top and not made.holes else made.tight()

        deepest = int(depths.max(initial=0))
        reaching = np.searchsorted(-depths, -np.arange(deepest)).tolist()
        scattered = False
        if rounding is None and deepest:
            # most rules of a curve look at the place above for the first few places only
            longest = first[0] + np.arange(deepest)
            alone = worked_out(longest, np.zeros(deepest, np.int64), _nothing(deepest))
            scattered = not np.isnan(alone.v).all()
        if scattered:
            field = np.empty(len(order), np.int64)
            field[order] = np.arange(len(order))
            every = np.repeat(field, np.diff(start))
            whole.fill(worked_out(slice(None), every, _nothing(many)))
        previous = top
        for depth in range(1, deepest):
            if not whole.left:
                break
            fields: Any = slice(0, reaching[depth])
            rows = first[fields] + depth
            if scattered:
                fields = np.flatnonzero(np.isnan(whole.v[rows]))
                rows = rows[fields]
                previous = whole.at(rows - 1)
            made = worked_out(rows, fields, previous if scattered else previous.at(fields))
            previous = whole.put(rows, made, rounding)
        column = whole.column(space)
        if column.holes:
            self.put_in_doubt(np.isnan(column.v), space)
        return column


def _nothing(many: int) -> QuantityColumn:
    """Return a column of so many places of which nothing is known."""
    return QuantityColumn(np.full(many, np.nan), Fraction(1), lo=0, hi=0, holes=True)


class _Places:
    """A column of places that is put together depth by depth."""

    def __init__(self, many: int, top: QuantityColumn, rows: Ints) -> None:
        self.v, self.den, self.left = np.full(many, np.nan), np.ones(many), many
        self.bounds = top
        self.put(rows, top)

    def put(
        self, rows: Any, column: QuantityColumn, rounding: tuple[str, Fraction] | None = None
    ) -> QuantityColumn:
        """Take what was worked out of some places, rounded."""
        unsure = None
        if rounding:
            column, unsure = arithmetic.rounded(column, *rounding)
        self.v[rows] = column.v if unsure is None else np.where(unsure, np.nan, column.v)
        self.left -= len(rows)
        unit = self.bounds.unit
        self.bounds = arithmetic.mixed(self.bounds, column, 0.0, 1.0)
        if unit is not None and column.unit is not None:  # each place has a denominator of its own
            self.bounds.unit = unit
            self.den[rows] = column.den * float((column.unit / unit).denominator)
        return column

    def fill(self, column: QuantityColumn) -> None:
        """Take what is known of the places that need nothing from above."""
        rows = np.flatnonzero(np.isnan(self.v) & ~np.isnan(column.v))
        if len(rows):
            self.put(rows, column.at(rows))

    def at(self, rows: Ints) -> QuantityColumn:
        return replace(self.bounds, v=self.v[rows], den=self._den(rows))

    def column(self, space: str) -> QuantityColumn:
        made = replace(self.bounds, v=self.v, den=self._den(slice(None)), space=space)
        made.holes = bool(np.isnan(self.v).any())
        return made

    def _den(self, rows: Any) -> Any:
        return 1.0 if self.bounds.unit is None else self.den[rows]


def _once_per_value(
    rule: Rule,
    given: list[QuantityColumn],
    function: Callable[[Sequence[QuantityColumn]], QuantityColumn],
) -> Held | None:
    """A rule of players as a function of the one fact it follows from, where there is one."""
    facts = {c.fact for c in given if isinstance(c, Held)}
    if len(facts) > 1 or joined(c.space for c in given if not isinstance(c, Held)) not in (
        "one",
        "shape",
    ):
        return None
    by = tuple(
        one
        for column in given
        for one in (column.by if isinstance(column, Held) else (column,))
        if one.space != "one"
    )

    def made(values: QuantityColumn, known: Sequence[QuantityColumn]) -> QuantityColumn:
        left = iter(known)
        return function(
            [
                column.made(values, [next(left) for _ in column.by])
                if isinstance(column, Held)
                else column
                if column.space == "one"
                else next(left)
                for column in given
            ]
        )

    key = ("rule", rule.name, rule.function.__name__)
    return Held(0.0, space="held", fact=facts.pop(), made=made, by=by, key=key)


def _fractions(column: QuantityColumn, values: Iterable[float]) -> list[Fraction]:
    """The exact values of floats of a column that has a unit."""
    unit = column.unit
    if unit is None:
        raise NotInColumns(
            Message("a quantity that was never rounded and reaches a tabulated rule")
        )
    most = int(np.max(column.den))
    if most > 1 and column.off / float(unit) * most**2 * 2 >= 1:
        raise NotInColumns(Message("a fraction too fine"))
    shares = (float(value) / float(unit) for value in values)
    if most == 1:
        return [round(share) * unit for share in shares]
    return [Fraction(share).limit_denominator(most) * unit for share in shares]


def _added_up(values: QuantityColumn, offsets: Ints, space: str) -> QuantityColumn:
    """The sum of the values of each span."""
    counts, den = np.diff(offsets), values.den
    most = int(counts.max(initial=1))
    lo, hi = min(values.lo * most, 0.0), max(values.hi * most, 0.0)
    rel, err = values.rel + most * EPS, values.err * most
    if lo < 0 < hi:
        rel, err = 0.0, err + rel * max(-lo, hi)
    if np.ndim(den):
        den = _reduced(np.multiply, den, offsets, 1.0)
    elif den != 1:
        den = np.power(den, counts.astype(float))
    elif values.is_exact and values.unit is not None and values.unit.denominator == 1:
        rel = err = 0.0 if hi - lo < 2**53 else rel
    return QuantityColumn(
        _reduced(np.add, values.v, offsets, 0.0),
        values.unit,
        den,
        lo=lo,
        hi=hi,
        rel=rel,
        err=err,
        holes=values.holes,
        space=space,
    )


def _reduced(together: Any, v: Any, offsets: Ints, nothing: float) -> Any:
    counts = np.diff(offsets)
    if not len(counts):
        return np.empty(0)
    width = int(counts[0])
    if 0 < width <= _NARROW and width * len(counts) == len(v) and (counts == width).all():
        return reduce(together, (v[k::width] for k in range(width)))
    if counts.all():
        return together.reduceat(v, offsets[:-1])
    # An empty last span begins at the end, where an item is added; any other includes it.
    padded = np.append(v, nothing)
    return np.where(counts == 0, nothing, together.reduceat(padded, offsets[:-1]))


_NARROW = 4
"""Spans of so many rows, all alike, are put together column by column."""


def _at(columns: Sequence[QuantityColumn], row: int) -> list[QuantityColumn]:
    """The columns in one row, as single numbers."""
    return [c.at(row) for c in columns]
