"""The graph of a rulebook over columns of many fields, operation by operation.

Given, whole and rounded values are fractions of whole numbers, and so is everything computed from
them by sums, products, quotients and comparisons: none of that is ever in doubt. Powers and
logarithms of a field's facts are worked out exactly, once per distinct arguments. The rest is
floats, and rounding tells which rows are too near a boundary to be sure of.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honours.engine.aggregates import Aggregate
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import Bools, Ints, NotInColumns, QuantityColumn, constant
from honours.engine.compiled.column_arithmetic import Pairs, as_floats, to_units
from honours.engine.compiled.emitting import on_columns
from honours.engine.compiled.folding import covered, folded, ranked
from honours.engine.compiled.rounding import BOUND, rounded_floats
from honours.engine.compiled.rule_cache import worked_out
from honours.engine.compiled.shapes import distinct
from honours.engine.graph import AWARD, PLACES, Graph, Operation, OperationKind
from honours.engine.numbers import SCALE, round_to
from honours.engine.rounding import WAYS
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import Level, Rule
from honours.errors import MissingInput


class Rows(NamedTuple):
    """The rows a rule is applied to: all rows of a level, or only those ``at`` given positions."""

    level: Level
    many: int
    at: Ints | None = None


class ColumnWorking:
    """A batch of fields with the same words, evaluated under one rulebook."""

    def __init__(self, rulebook: Rulebook, batch: Batch, graph: Graph | None = None) -> None:
        self.rulebook, self.batch = rulebook, batch
        self.graph = graph or Graph(rulebook, batch.given(), batch.below)
        self.case = self.graph.case
        self.doubt = np.zeros(batch.count("field"), np.bool_)
        self._columns: dict[tuple[str, Level], QuantityColumn] = {}

    def amounts(self) -> tuple[Ints, Ints | None, Bools]:
        """Each entrant's award in ten-thousandths, each player's if it differs, and the fields
        in doubt."""
        self.lay_out_places()
        by_player = self.graph.level(AWARD) == "player"
        units = self._units_of("player" if by_player else "entrant")
        nobody, some = self.withheld()
        each: Ints | None = None
        if by_player:
            each, begins = units, self.batch.player_offsets[:-1]
            units = np.maximum.reduceat(each, begins) if len(begins) else each
        units[nobody] = 0
        if each is None and some is not None:
            each = units[self.batch.entrant_of_player]
        if each is not None and some is not None:
            each[some] = 0
        if by_player and each is not None:
            each[np.repeat(self._marked(nobody), np.diff(self.batch.player_offsets))] = 0
        return units, each, self.doubt

    def _marked(self, entrants: Any) -> Bools:
        marked = np.zeros(self.batch.count("entrant"), np.bool_)
        marked[entrants] = True
        return marked

    def _units_of(self, level: Level) -> Ints:
        """The award of every row of a level, in ten-thousandths."""
        column, rows = self.column(AWARD, level), self.batch.count(level)
        whole = column.in_whole_units()
        if whole.units is not None and SCALE % whole.unit.denominator == 0:
            each = int(whole.unit * SCALE)
            units = whole.units.astype(np.int64) * each
            off = np.abs(whole.units.astype(np.float64) * each) >= 2.0**62
        else:
            scaled = column.spread(rows) * SCALE
            nearest = np.rint(scaled)
            off = ~(np.abs(scaled - nearest) <= 1e-3) | (np.abs(scaled) > 2.0**50)
            units = np.where(off, 0, nearest).astype(np.int64)
        self._doubtful(off, self._rows(level))
        return units

    def lay_out_places(self) -> None:
        """Set how many places each field pays, which every quantity per place needs."""
        column = self.column(PLACES, "field")
        places = column.spread(self.batch.count("field"))
        if not column.is_exact:  # a float beside a whole number may be that number or one less
            near = np.abs(places - np.rint(places)) <= BOUND * np.maximum(1.0, np.abs(places))
            self._doubtful(near, self._rows("field"))
        sure = np.isfinite(places) & ~self.doubt
        self.batch = self.batch.with_places(
            np.where(sure, np.maximum(places, 0), 0).astype(np.int64)
        )

    def withheld(self) -> tuple[Any, Bools | None]:
        """An index of the entrants all of whose players are refused, and which other players are
        refused; puts a field in doubt if a float cannot tell."""
        fields = np.zeros(self.batch.count("field"), np.bool_)
        players: Bools | None = None
        for rule in self.graph.refusals("player"):
            level: Level = "player" if any(map(self._differs, rule.arguments)) else "field"
            holds, unsure = self.holds(rule, level)
            self._doubtful(unsure, self._rows(level))
            if level == "field":
                fields |= holds
            else:
                players = holds if players is None else players | holds
        if players is None or not players.any():
            return self.batch.entrants_of(np.flatnonzero(fields)), None
        nobody = self.batch.every_player(players | fields[self.batch.field_of("player")])
        some = players & ~nobody[self.batch.entrant_of_player]
        return nobody, some if some.any() else None

    def _differs(self, argument: str) -> bool:
        """Whether a quantity may differ between the players of a field."""
        operation = self.graph.operation(argument, "player")
        if operation.kind is OperationKind.GIVEN:
            return argument in self.batch.below
        if operation.kind in (OperationKind.RULE, OperationKind.NUMBER):
            return any(map(self._differs, operation.reads))
        return True

    def holds(self, rule: Rule, level: Level) -> tuple[Bools, Bools]:
        """Where a refusal applies, and where a float is too near its limit to tell."""
        columns = [self._read(a, level) for a in rule.arguments]
        rows = self.batch.count(level)
        if all(c.is_exact for c in columns):
            outcome = self._applied(rule, columns, self._rows(level)).spread(rows)
            return outcome != 0, np.isnan(outcome)
        plain = self._floats(rule, columns, rows) != 0
        unsure = np.zeros(rows, np.bool_)
        for i, column in enumerate(columns):
            for nudge in (1 - BOUND, 1 + BOUND):
                if not column.is_exact:
                    moved = [*columns]
                    moved[i] = QuantityColumn(column.floats * nudge)
                    unsure |= (self._floats(rule, moved, rows) != 0) != plain
        return plain, unsure

    # --- one quantity -----------------------------------------------------------------------

    def column(self, name: str, level: Level) -> QuantityColumn:
        """The quantity for every row of a level; worked out once."""
        key = (name, level)
        if key not in self._columns:
            self._columns[key] = self._made(self.graph.operation(name, level), level)
        return self._columns[key]

    def shared(self, name: str) -> QuantityColumn:
        """A quantity that depends on the field's shape only, including aggregates over places."""
        return self._read(name, "field")

    def known(self, name: str, level: Level) -> QuantityColumn | None:
        """The quantity, if it has already been worked out."""
        return self._columns.get((name, level))

    def _made(self, operation: Operation, level: Level) -> QuantityColumn:
        if isinstance(operation.source, Parameter):
            return constant(operation.source.value)
        if isinstance(operation.source, Input):
            return self._input(operation.source, level)
        rule = operation.rule
        assert rule is not None
        if operation.kind is OperationKind.DOWN:
            return self._down_the_places(rule)
        columns = [self._read(a, level, rule) for a in rule.arguments]
        rows = self._rows(level)
        return self._rounded(rule, self._applied(rule, columns, rows), rows)

    def _input(self, declared: Input, level: Level) -> QuantityColumn:
        column = self.batch.find(declared.name, level)
        if column is not None:
            return column
        if declared.name in self.batch.words:
            return constant(self.batch.words[declared.name])
        if declared.default is None:
            raise MissingInput(declared.name, declared.about)
        return constant(declared.read(declared.default))

    def _applied(self, rule: Rule, columns: list[QuantityColumn], rows: Rows) -> QuantityColumn:
        """The result of a rule; already rounded if it was tabulated."""
        if any(c.is_word for c in columns):
            return self._tabulated(rule, columns, rows)
        fractions = _on_fractions(rule, columns)
        if fractions is not None and np.all(fractions[1]):
            return QuantityColumn.of_pairs(fractions, rows.many)
        if rule.tabulated:
            return self._tabulated(rule, columns, rows)
        few = rows.level == "field" or (rows.level == "place" and rule.rounds is not None)
        if few and all(c.is_exact for c in columns):
            return self._tabulated(rule, columns, rows)
        column = _with_floats(fractions, self._floats(rule, columns, rows.many))
        self._doubtful(np.isnan(column.floats), rows)  # now: a later max could lose a NaN
        return column

    def _floats(self, rule: Rule, columns: list[QuantityColumn], rows: int) -> NDArray[np.float64]:
        function = on_columns(rule.function, fractions=False)
        if function is None:
            raise NotInColumns(rule.name)
        values = [c.floats[0] if c.constant else c.floats for c in columns]
        with np.errstate(all="ignore"):
            values_made = function(*values)
        return np.broadcast_to(np.asarray(values_made, np.float64), rows)

    # --- exactly, once per distinct arguments -------------------------------------------------

    def _tabulated(self, rule: Rule, columns: list[QuantityColumn], rows: Rows) -> QuantityColumn:
        """The rule's own function applied to fractions, including its rounding."""
        coded = [c.coded(rows.many) for c in columns]
        examples, codes = distinct([codes for codes, _ in coded], rows.many)
        rounding = self.graph.rounding(rule)
        cases = zip(*(of[examples].tolist() for of, _ in coded), strict=True)
        known, arguments = worked_out(self.rulebook), [table for _, table in coded]
        values = known.values(rule, rounding, arguments, cases if coded else [()])
        failed = np.array([value is None for value in values], np.bool_)
        if failed.any():  # the exact way reports why
            self._doubtful(failed[codes], rows)
        return QuantityColumn.coding(codes, tuple(Fraction(0) if v is None else v for v in values))

    def rounding(self, rule: Rule) -> tuple[str, Fraction]:
        """How a rule is rounded; a unit of 0 means not at all."""
        return self.graph.rounding(rule) or ("nearest", Fraction(0))

    def _rounded(self, rule: Rule, column: QuantityColumn, rows: Rows) -> QuantityColumn:
        rounding = self.graph.rounding(rule)
        if rounding is None or column.codes is not None or column.is_word:
            return column  # a tabulated value was rounded when it was tabulated
        mode, unit = rounding
        if column.constant:
            return constant(round_to(column.value, mode, unit))
        exactly, known = _in_units(column.pairs(), mode, unit)
        if np.all(known):
            return QuantityColumn.in_units(exactly, unit)
        units, doubt = rounded_floats(column.floats, mode, unit)
        self._doubtful(doubt & ~known, rows)  # a value that does not fit puts no other in doubt
        return QuantityColumn.in_units(np.where(known, exactly, units), unit)

    def _doubtful(self, which: Bools, rows: Rows) -> None:
        if which.any():
            fields = self.batch.field_of(rows.level)
            self.doubt[(fields if rows.at is None else fields[rows.at])[which]] = True

    def _rows(self, level: Level) -> Rows:
        return Rows(level, self.batch.count(level))

    # --- what a rule reads ----------------------------------------------------------------------

    def _read(self, name: str, level: Level, rule: Rule | None = None) -> QuantityColumn:
        operation = self.graph.operation(name, level)
        if operation.kind is OperationKind.STANDING:
            return self.batch.rank(name, level)
        if operation.aggregate:
            return self._aggregate(operation, operation.aggregate, level, rule)
        own = operation.per
        if own != level and level == "field":  # no list of players: one value common to all
            return self.column(name, "field")
        own = self.graph.level_read(name, level)
        return self.batch.broadcast(self.column(name, own), own, level)

    def _aggregate(
        self, operation: Operation, wanted: Aggregate, level: Level, rule: Rule | None
    ) -> QuantityColumn:
        if operation.kind is OperationKind.COVERED:
            by_entrant = covered(self.batch, self.column(wanted.of, "place"))
            return self.batch.broadcast(by_entrant, "entrant", level)
        own = self.graph.level(wanted.of)
        if operation.kind is OperationKind.RANK:
            ranks, near = ranked(self.batch, self.column(wanted.of, own), own)
            self._doubtful(near, self._rows(own))
            return ranks
        fold, to = wanted.fold, "entrant" if level == "entrant" and own != "place" else "field"
        assert fold is not None
        if self.batch.uniform and own == "player":
            if fold.needs_members:
                raise NotInColumns(operation.name)
            if level == "entrant":
                return self.column(wanted.of, own)  # one row stands for all its players
            return self.batch.broadcast(self.column(wanted.of, "field"), "field", level)
        best = self._how_many(rule.best) if rule and fold.best else np.zeros(0, np.int64)
        column = folded(self.batch, self.column(wanted.of, own), fold, own, to, best)  # type: ignore[arg-type]
        return self.batch.broadcast(column, to, level)  # type: ignore[arg-type]

    def _how_many(self, best: str) -> Ints:
        """How many of the largest count in each field, which may differ from field to field."""
        codes, values = self.column(best, "field").coded(self.batch.count("field"))
        return np.array([int(value) for value in values], np.int64)[codes]

    # --- down the places ------------------------------------------------------------------------

    def _down_the_places(self, rule: Rule) -> QuantityColumn:
        """First the places that need nothing from above, then the others from the top of every
        field, place by place."""
        begins, places = self.batch.place_offsets[:-1], self.batch.places
        columns = {a: self._read(a, "place", rule) for a in rule.arguments if a != "previous"}
        whole = _Gathered(self.batch.count("place"))
        if rule.rounds is None:
            whole.put_all(self._with_nothing_above(rule, columns, whole.rows))
        first = np.flatnonzero(places > 0)
        whole.put(begins[first], self.column(rule.starts, "field").take(first))
        unknown = whole.unknown
        depth = unknown - np.repeat(begins, places)[unknown]
        for rows in np.split(*_by_depth(unknown, depth)):
            read = {a: c.take(rows) for a, c in columns.items()}
            read["previous"] = whole.taken(rows - 1)
            here = Rows("place", len(rows), rows)
            made = self._applied(rule, [read[a] for a in rule.arguments], here)
            whole.put(rows, self._rounded(rule, made, here))
        return whole.column()

    def _with_nothing_above(
        self, rule: Rule, columns: dict[str, QuantityColumn], rows: int
    ) -> QuantityColumn:
        """The result of a rule while the place above is unknown: most rules of a curve need that
        only for the first few places."""
        nothing = np.zeros(rows, np.int64)
        above = QuantityColumn(np.full(rows, np.nan), above=nothing, below=nothing)
        read = [columns.get(a, above) for a in rule.arguments]
        return _with_floats(_on_fractions(rule, read), self._floats(rule, read, rows))


def _in_units(pairs: Pairs | None, mode: str, unit: Fraction) -> tuple[Any, Any]:
    """Fractions rounded to whole units, and where they are known."""
    if pairs is None:
        return np.int64(0), np.bool_(False)
    sign, halves, _ = WAYS[mode]
    above, below = to_units(pairs, sign, halves, (unit.numerator, unit.denominator))
    known = np.asarray(below) != 0
    return above * unit.denominator // np.where(known, below * unit.numerator, 1), known


def _on_fractions(rule: Rule, columns: list[QuantityColumn]) -> Pairs | None:
    """The result of a rule on fractions, 0 / 0 where one does not fit; None if the rule has no
    such form or reads values that are known only as floats."""
    function = on_columns(rule.function, fractions=True)
    pairs = [c.pairs() for c in columns] if function else []
    return None if function is None or None in pairs else function(*pairs)


def _with_floats(fractions: Pairs | None, floats: NDArray[np.float64]) -> QuantityColumn:
    """Fractions, with floats where these are unknown."""
    if fractions is None:
        return QuantityColumn(floats)
    exactly = np.broadcast_to(as_floats(fractions), floats.shape)
    known = np.broadcast_to(np.asarray(fractions[1]) != 0, floats.shape)
    return QuantityColumn.of_pairs(fractions, len(floats), np.where(known, exactly, floats))


def _by_depth(rows: Ints, depth: Ints) -> tuple[Ints, Ints]:
    """Rows sorted by depth, and where each depth begins."""
    order = np.argsort(depth, kind="stable")
    return rows[order], np.flatnonzero(np.diff(depth[order])) + 1


class _Gathered:
    """A column assembled from some of its rows at a time."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.above, self.below = np.zeros((2, rows), np.int64)
        self.floats = np.full(rows, np.nan)

    @property
    def unknown(self) -> Ints:
        return np.flatnonzero(np.isnan(self.floats))

    def put_all(self, column: QuantityColumn) -> None:
        self.put(np.arange(self.rows), column)

    def put(self, rows: Ints, column: QuantityColumn) -> None:
        self.floats[rows] = column.spread(len(rows))
        pairs = column.pairs()
        if pairs is not None:
            self.above[rows], self.below[rows] = pairs

    def taken(self, rows: Ints) -> QuantityColumn:
        """Some rows, as floats if none of them is known as a fraction."""
        if not self.below[rows].any():
            return QuantityColumn(self.floats[rows])
        return QuantityColumn(self.floats[rows], above=self.above[rows], below=self.below[rows])

    def column(self) -> QuantityColumn:
        return QuantityColumn.of_pairs((self.above, self.below), self.rows, self.floats)
