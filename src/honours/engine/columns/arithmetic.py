"""The arithmetic of rules on columns: floats that know how far off they may be.

A true value is ``unit × p / q`` with ``q`` at most ``den``, or irrational (no unit). Its float is
off by at most ``rel`` of its size and ``err`` besides. Two different numbers of that kind cannot be
arbitrarily near each other, so a float that is nearer to a limit than any other such number *is* on
the limit: no float decides what it cannot know. What is irrational and too near a limit to tell is
a hole (NaN), for the exact way to fill.

A rule's body becomes calls of these operations, by the names of :data:`OPERATIONS`, once for each
function; what is written in a rule is never written a second time.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honours.engine import numbers
from honours.engine.exact import formula
from honours.engine.numbers import WAYS
from honours.errors import HonoursError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

EPS = 2.0**-52
"""Twice what rounding a float to the nearest can be off by."""
_LIBRARY = 4 * EPS
"""What NumPy's powers and logarithms may be off by."""
_WHOLE = 2.0**53
"""Whole numbers below this are floats exactly."""
_LONGEST = 300
"""Units with more bits than this tell nothing any more."""
_WELL_KNOWN = 2.0**20
"""A number that is so many times what it is off by is known well."""
_HIGHEST = 8
"""The highest whole power that is worked out as a product."""


class QuantityColumn:
    """One quantity over the rows of a ``space``: floats ``v``, or a single one for all rows.

    ``lo`` and ``hi`` bound the values, ``holes`` says that there may be NaNs among them. Where
    there are ``words``, or tables, the values are their numbers.
    """

    __slots__ = ("den", "err", "hi", "holes", "lo", "rel", "space", "unit", "v", "words")

    def __init__(
        self,
        v: Any,
        unit: Fraction | None = None,
        den: Any = 1.0,
        *,
        lo: float,
        hi: float,
        rel: float = 0.0,
        err: float = 0.0,
        holes: bool = False,
        space: str = "one",
        words: tuple[Any, ...] = (),
    ) -> None:
        if unit is not None and unit.denominator.bit_length() > _LONGEST:
            unit = None
        self.v, self.unit, self.den = v, unit, den
        self.lo, self.hi, self.rel, self.err = lo, hi, rel, err
        self.holes, self.space, self.words = holes, space, words

    @property
    def top(self) -> float:
        """The largest size of a value."""
        return max(abs(self.lo), abs(self.hi))

    @property
    def is_exact(self) -> bool:
        """Whether the floats are the true values."""
        return not self.rel and not self.err

    @property
    def off(self) -> float:
        """What any of the floats may be off by."""
        return self.rel * self.top + self.err

    def at(self, rows: Any, space: str = "") -> QuantityColumn:
        """The column on some of its rows, or on rows of another space."""
        return self.with_values(
            self.v if np.ndim(self.v) == 0 else self.v[rows],
            self.den if np.ndim(self.den) == 0 else self.den[rows],
            space or self.space,
        )

    def tight(self) -> QuantityColumn:
        """The same with the bounds that its values have: those of its arguments allow for what no
        row has."""
        if np.ndim(self.v) == 0:
            self.lo, self.hi = (self.lo, self.hi) if self.holes else (float(self.v),) * 2
            return self
        if not self.holes and np.size(self.v):
            self.lo, self.hi = float(self.v.min()), float(self.v.max())
            self.holes = not (math.isfinite(self.lo) and math.isfinite(self.hi))
        if self.holes and np.size(self.v):  # what is too large for a float is not known either
            known = np.isfinite(self.v)
            self.v = np.where(known, self.v, np.nan)
            self.lo = float(np.min(self.v, initial=math.inf, where=known))
            self.hi = float(np.max(self.v, initial=-math.inf, where=known))
            if self.lo > self.hi:
                self.lo = self.hi = 0.0
        return self

    def with_values(self, v: Any, den: Any, space: str) -> QuantityColumn:
        """Other rows of the same quantity."""
        made = QuantityColumn.__new__(QuantityColumn)
        made.v, made.unit, made.den, made.space = v, self.unit, den, space
        made.lo, made.hi, made.rel, made.err = self.lo, self.hi, self.rel, self.err
        made.holes, made.words = self.holes, self.words
        return made


def constant(value: Any) -> QuantityColumn:
    """A number, a word or a table that is the same for all rows."""
    if not isinstance(value, int | Fraction):
        return QuantityColumn(np.int64(0), lo=0, hi=0, words=(value,))
    exact = Fraction(value)
    v = float(exact)
    unit = abs(exact) or Fraction(1)
    return QuantityColumn(v, unit, lo=v, hi=v, rel=0.0 if Fraction(v) == exact else EPS)


def in_units(whole: Any, unit: Fraction, space: str) -> QuantityColumn:
    """Whole multiples of a unit, each the nearest float (n / 100, never n × 0.01)."""
    v: Any = np.asarray(whole, np.float64)
    lo: Any
    hi: Any
    lo, hi = (float(whole.min()), float(whole.max())) if np.size(whole) else (0.0, 0.0)
    if unit.numerator != 1:
        v, lo, hi = (n * float(unit.numerator) for n in (v, lo, hi))
    if unit.denominator != 1:
        v, lo, hi = (n / float(unit.denominator) for n in (v, lo, hi))
    return QuantityColumn(
        v, unit, lo=lo, hi=hi, rel=0.0 if unit.denominator == 1 else EPS, space=space
    )


def in_floats(values: Sequence[Fraction | None], space: str) -> QuantityColumn:
    """Exact values as the nearest floats; a hole where there is none."""
    known = [value for value in values if value is not None] or [Fraction(0)]
    v = np.array([math.nan if value is None else float(value) for value in values])
    common = reduce(math.lcm, (value.denominator for value in known))
    unit = Fraction(1, common) if common.bit_length() < _LONGEST else None
    floats = [float(value) for value in known]
    holes = len(known) < len(values)
    return QuantityColumn(
        v, unit, lo=min(floats), hi=max(floats), rel=EPS, holes=holes, space=space
    )


class Test(NamedTuple):
    """Where a comparison holds, and where a float is too near to tell."""

    holds: Any
    unsure: Any = None


def _common(x: QuantityColumn, y: QuantityColumn) -> Fraction | None:
    """A unit of which the units of both are whole multiples."""
    if x.unit is None or y.unit is None:
        return None
    if x.unit == y.unit:
        return x.unit
    below = math.lcm(x.unit.denominator, y.unit.denominator)
    above = math.gcd(
        x.unit.numerator * (below // x.unit.denominator),
        y.unit.numerator * (below // y.unit.denominator),
    )
    return Fraction(above, below)


def _is_whole(
    unit: Fraction | None, den: Any, top: float, x: QuantityColumn, y: QuantityColumn
) -> bool:
    """Whether sums and products of the two are whole numbers that floats have exactly."""
    return (
        unit is not None
        and unit.denominator == 1
        and np.ndim(den) == 0
        and den == 1
        and top < _WHOLE
        and x.is_exact
        and y.is_exact
    )


def plus(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    unit, den, lo, hi = _common(x, y), x.den * y.den, x.lo + y.lo, x.hi + y.hi
    rel, err = EPS, x.err + y.err
    if _is_whole(unit, den, max(abs(lo), abs(hi)), x, y):
        rel = err = 0.0
    elif (x.lo >= 0 and y.lo >= 0) or (x.hi <= 0 and y.hi <= 0):
        rel += max(x.rel, y.rel)
    else:  # what they are off by stays, however small their sum is
        err += x.rel * x.top + y.rel * y.top
    holes = x.holes or y.holes
    return QuantityColumn(x.v + y.v, unit, den, lo=lo, hi=hi, rel=rel, err=err, holes=holes)


def _negative(x: QuantityColumn) -> QuantityColumn:
    return QuantityColumn(
        -x.v, x.unit, x.den, lo=-x.hi, hi=-x.lo, rel=x.rel, err=x.err, holes=x.holes
    )


def minus(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    return plus(x, _negative(y))


def times(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    corners = [a * b if a and b else 0.0 for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
    unit = None if x.unit is None or y.unit is None else x.unit * y.unit
    den, lo, hi = x.den * y.den, min(corners), max(corners)
    rel, err = x.rel + y.rel + EPS, x.err * y.top + y.err * x.top + x.err * y.err
    if _is_whole(unit, den, max(abs(lo), abs(hi)), x, y):
        rel = err = 0.0
    holes = x.holes or y.holes
    return QuantityColumn(x.v * y.v, unit, den, lo=lo, hi=hi, rel=rel, err=err, holes=holes)


def over(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    """The quotient; a hole where the divisor is, or may be, 0."""
    least, v, holes = min(abs(y.lo), abs(y.hi)), y.v, x.holes or y.holes
    if y.lo - y.off <= 0 <= y.hi + y.off:
        sizes = np.abs(v)
        away = sizes > y.off
        v, holes = np.where(away, v, np.nan), True
        least = float(np.min(sizes, initial=math.inf, where=away))
    low = least - y.off
    if y.lo > 0 or y.hi < 0:
        corners = [a / b for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
        lo, hi = min(corners), max(corners)
    else:
        lo, hi = -x.top / low, x.top / low
    unit, den = None, 1.0
    if x.unit is not None and y.unit is not None:
        unit = x.unit / y.unit
        den = x.den * np.maximum(1.0, np.rint(np.abs(y.v) / float(y.unit) * y.den))
    err = (x.err + x.top * y.err / low) / low
    rel = x.rel + y.rel + EPS
    return QuantityColumn(x.v / v, unit, den, lo=lo, hi=hi, rel=rel, err=err, holes=holes)


# --- comparisons --------------------------------------------------------------------------------


def _compared(x: QuantityColumn, y: QuantityColumn, holds: Callable[[Any, float], Any]) -> Test:
    """Where the difference ``holds``, given what it may be off by: nearer to 0 than that it is 0,
    where no other number can be."""
    gap = x.v - y.v
    off = 0.0 if x.is_exact and y.is_exact else x.off + y.off + EPS * max(x.top, y.top)
    unsure = None
    if off:
        unit = _common(x, y)
        apart = np.False_ if unit is None else float(unit) / (x.den * y.den) > 2 * off
        if not np.all(apart):
            unsure = ~(np.abs(gap) > off) & ~apart
    if x.holes or y.holes:
        unsure = _either_unsure(unsure, np.isnan(gap))
    return Test(holds(gap, off), unsure if unsure is not None and np.any(unsure) else None)


def below(x: QuantityColumn, y: QuantityColumn) -> Test:
    return _compared(x, y, lambda gap, off: gap < -off)


def at_most(x: QuantityColumn, y: QuantityColumn) -> Test:
    return _compared(x, y, lambda gap, off: gap <= off)


def equal(x: QuantityColumn, y: QuantityColumn) -> Test:
    return _compared(x, y, lambda gap, off: np.abs(gap) <= off)


def negated(test: Test) -> Test:
    return Test(np.logical_not(test.holds), test.unsure)


def both(one: Test, other: Test) -> Test:
    """As Python's ``and``: the second does not matter where the first is false."""
    unsure = other.unsure if other.unsure is None else other.unsure & one.holds
    return Test(one.holds & other.holds, _either_unsure(one.unsure, unsure))


def either(one: Test, other: Test) -> Test:
    """As Python's ``or``: the second does not matter where the first is true."""
    unsure = other.unsure if other.unsure is None else other.unsure & ~one.holds
    return Test(one.holds | other.holds, _either_unsure(one.unsure, unsure))


def _either_unsure(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else one | other


def mixed(x: QuantityColumn, y: QuantityColumn, v: Any, den: Any) -> QuantityColumn:
    """A column of which every value is one of ``x`` or one of ``y``."""
    return QuantityColumn(
        v,
        _common(x, y),
        den,
        lo=min(x.lo, y.lo),
        hi=max(x.hi, y.hi),
        rel=max(x.rel, y.rel),
        err=max(x.err, y.err),
        holes=x.holes or y.holes,
    )


def chosen(test: Test, x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    """One or the other, row by row."""
    if np.ndim(test.holds) == 0 and test.unsure is None:
        return x if test.holds else y
    alike = np.ndim(x.den) == 0 == np.ndim(y.den) and x.den == y.den
    den = x.den if alike else np.where(test.holds, x.den, y.den)
    made = mixed(x, y, np.where(test.holds, x.v, y.v), den)
    if test.unsure is not None:
        made.v, made.holes = np.where(test.unsure, np.nan, made.v), True
    return made


def smaller(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    made = mixed(x, y, np.minimum(x.v, y.v), np.maximum(x.den, y.den))
    made.hi = min(x.hi, y.hi)
    return made


def larger(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    made = mixed(x, y, np.maximum(x.v, y.v), np.maximum(x.den, y.den))
    made.lo = max(x.lo, y.lo)
    return made


def size(x: QuantityColumn) -> QuantityColumn:
    lo = 0.0 if x.lo <= 0 <= x.hi else min(abs(x.lo), abs(x.hi))
    return QuantityColumn(
        np.abs(x.v), x.unit, x.den, lo=lo, hi=x.top, rel=x.rel, err=x.err, holes=x.holes
    )


def up_to(
    x: QuantityColumn, limit: QuantityColumn, then: QuantityColumn, otherwise: QuantityColumn
) -> QuantityColumn:
    return chosen(at_most(x, limit), then, otherwise)


# --- what is irrational -------------------------------------------------------------------------


def _away_from_zero(x: QuantityColumn) -> tuple[float, Any]:
    """The smallest size of a value that is known well, and which are not: those that are hardly
    larger than what they are off by."""
    least = x.err * _WELL_KNOWN
    if x.lo > least:
        return x.lo, None
    sizes = np.abs(x.v)
    smallest = float(np.min(sizes, initial=math.inf, where=sizes > least))
    return smallest, sizes <= least if x.err else None


def _irrational(v: Any, rel: float, err: float, unknown: Any = None) -> QuantityColumn:
    known = np.isfinite(v) if unknown is None else np.isfinite(v) & ~unknown
    lo = float(np.min(v, initial=math.inf, where=known))
    hi = float(np.max(v, initial=-math.inf, where=known))
    if lo > hi:
        lo = hi = 0.0
    holes = not np.all(known)
    v = np.where(known, v, np.nan) if holes else v
    return QuantityColumn(v, lo=lo, hi=hi, rel=rel, err=err, holes=holes)


def power(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    if np.ndim(y.v) == 0 and y.is_exact and y.v in range(_HIGHEST + 1):
        return reduce(times, [x] * int(y.v)) if y.v else constant(1)
    least, unknown = _away_from_zero(x)
    sizes = [math.log(one) for one in (least, max(x.top, least)) if 0 < one < math.inf]
    logarithm = max(map(abs, sizes), default=0.0)
    rel = _LIBRARY + y.top * (x.rel + x.err / least) + logarithm * y.off
    with np.errstate(all="ignore"):
        v = np.power(np.asarray(x.v, np.float64), y.v)
    return _irrational(v, rel, 0.0, unknown)


def _logarithm(function: Any, base: float, x: QuantityColumn) -> QuantityColumn:
    least, unknown = _away_from_zero(x)
    err = (x.rel + x.err / least) / math.log(base)
    with np.errstate(all="ignore"):
        v = function(np.asarray(x.v, np.float64))
    return _irrational(v, _LIBRARY, err, unknown)


def log10(x: QuantityColumn) -> QuantityColumn:
    return _logarithm(np.log10, 10.0, x)


def ln(x: QuantityColumn) -> QuantityColumn:
    return _logarithm(np.log, math.e, x)


def exp(x: QuantityColumn) -> QuantityColumn:
    with np.errstate(all="ignore"):
        return _irrational(np.exp(np.asarray(x.v, np.float64)), _LIBRARY + x.off, 0.0)


# --- rounding -----------------------------------------------------------------------------------


def rounded(x: QuantityColumn, mode: str, unit: Fraction) -> tuple[QuantityColumn, Any]:
    """The column in whole units, and where it is too near a boundary to tell, if anywhere."""
    sign, halves, _ = WAYS[mode]
    factor = sign * unit.denominator / unit.numerator
    top = abs(factor) * x.top + 1
    off: Any = abs(factor) * x.off + 3 * EPS * top
    share = x.v * factor + halves / 2 if halves else x.v * factor
    grid: Any = 0.0
    if x.unit is not None and top < _WHOLE:
        common = _common(constant(x.unit / unit), constant(Fraction(1, 1 + halves)))
        grid = float(common or 0) / x.den
    unsure = None
    if not np.all(grid > 4 * off):
        apart = np.rint(share)
        apart -= share
        apart = np.abs(apart)
        if not top < _WHOLE:
            unsure = np.ones(np.shape(apart), np.bool_)
        elif not np.min(apart, initial=1.0) > off:  # then each by what it may be off by itself
            off = (x.rel + 3 * EPS) * (np.abs(share) + 1) + abs(factor) * x.err
            unsure = ~(apart > off) & ~(grid > 4 * off)
    if x.holes:
        unsure = _either_unsure(unsure, np.isnan(share))
    if unsure is not None and not np.any(unsure):
        unsure = None
    # what is sure and nearer to a whole number than `off` is that number
    share += off
    v = np.floor(share)
    if sign < 0:
        v *= -1.0
    if unit.numerator != 1:
        v *= float(unit.numerator)
    if unit.denominator != 1:
        v /= float(unit.denominator)
    step = float(unit)
    rel = 0.0 if unit.denominator == 1 else EPS
    made = QuantityColumn(v, unit, lo=x.lo - step, hi=x.hi + step, rel=rel, holes=x.holes)
    return made, unsure


# --- a rule's body in these operations ----------------------------------------------------------

_ARITHMETIC = {ast.Add: plus, ast.Sub: minus, ast.Mult: times, ast.Div: over}
_COMPARISONS: dict[type[ast.cmpop], Callable[[QuantityColumn, QuantityColumn], Test]] = {
    ast.Lt: below,
    ast.LtE: at_most,
    ast.Gt: lambda x, y: below(y, x),
    ast.GtE: lambda x, y: at_most(y, x),
    ast.Eq: equal,
    ast.NotEq: lambda x, y: negated(equal(x, y)),
}
_CALLS: dict[str, tuple[Callable[..., QuantityColumn], int]] = {
    "power": (power, 2),
    "log10": (log10, 1),
    "ln": (ln, 1),
    "exp": (exp, 1),
    "up_to": (up_to, 4),
    "abs": (size, 1),
}
Arguments = Sequence[QuantityColumn]
Value = Callable[[Arguments], QuantityColumn]
_ONE, _ZERO = constant(1), constant(0)


class _NoOperation(Exception):
    """Something in a rule is not an operation: it reads a table or uses words."""


@cache
def on_columns(function: Callable[..., Any]) -> Value | None:
    """The function on columns of numbers; None where it reads tables or words."""
    try:
        return _Body(function).returned(formula.body(function))
    except (_NoOperation, HonoursError, OSError, SyntaxError):
        return None


class _Body:
    """Turns the statements and expressions of a rule into functions of its arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.positions = {name: i for i, name in enumerate(formula.arguments_of(function))}

    def returned(self, statements: Sequence[ast.stmt]) -> Value:
        """What a list of statements returns."""
        match statements:
            case [ast.Return(value=ast.expr() as value), *_]:
                return self.value(value)
            case [ast.If(test=test, body=then, orelse=otherwise), *rest]:
                return self._chosen(
                    self.test(test),
                    self.returned([*then, *rest]),
                    self.returned([*otherwise, *rest]),
                )
        raise _NoOperation

    @staticmethod
    def _chosen(test: Callable[[Arguments], Test], then: Value, otherwise: Value) -> Value:
        return lambda given: chosen(test(given), then(given), otherwise(given))

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Name(id=name) if name in self.positions:
                at = self.positions[name]
                return lambda given: given[at]
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                always = constant(number)
                return lambda _: always
            case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
                return self._called(_ARITHMETIC[type(op)], [left, right])
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._called(_negative, [operand])
            case ast.IfExp(test, then, otherwise):
                return self._chosen(self.test(test), self.value(then), self.value(otherwise))
            case ast.Call(ast.Name(name), arguments) if self._is_ours(name):
                return self._call(name, arguments)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self._chosen(self.test(node), lambda _: _ONE, lambda _: _ZERO)
            case ast.Constant(value=bool() as truth):
                always = constant(int(truth))
                return lambda _: always
        raise _NoOperation

    def _is_ours(self, name: str) -> bool:
        """Whether a name means the same in the rule's file as here."""
        known = self.function.__globals__.get(name)
        return known is None or known is getattr(numbers, name, known)

    def _call(self, name: str, arguments: list[ast.expr]) -> Value:
        if name in ("min", "max") and len(arguments) > 1:
            pick = smaller if name == "min" else larger
            return self._called(lambda *values: reduce(pick, values), arguments)
        operation, many = _CALLS.get(name, (size, -1))
        if len(arguments) != many:
            raise _NoOperation
        return self._called(operation, arguments)

    def _called(
        self, operation: Callable[..., QuantityColumn], arguments: Sequence[ast.expr]
    ) -> Value:
        values = [self.value(argument) for argument in arguments]
        return lambda given: operation(*(value(given) for value in values))

    def test(self, node: ast.expr) -> Callable[[Arguments], Test]:
        match node:
            case ast.Compare(left, ops, comparators):
                sides = [left, *comparators]
                each = [self._comparison(*c) for c in zip(sides, ops, comparators, strict=False)]
                return self._joint(both, each)
            case ast.BoolOp(op, parts):
                joint = both if isinstance(op, ast.And) else either
                return self._joint(joint, [self.test(part) for part in parts])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.test(operand)
                return lambda given: negated(inner(given))
        value = self.value(node)
        return lambda given: negated(equal(value(given), _ZERO))

    @staticmethod
    def _joint(
        joint: Callable[[Test, Test], Test], tests: list[Callable[[Arguments], Test]]
    ) -> Callable[[Arguments], Test]:
        return lambda given: reduce(joint, [test(given) for test in tests])

    def _comparison(
        self, left: ast.expr, op: ast.cmpop, right: ast.expr
    ) -> Callable[[Arguments], Test]:
        compare = _COMPARISONS.get(type(op))
        if compare is None:
            raise _NoOperation
        x, y = self.value(left), self.value(right)
        return lambda given: compare(x(given), y(given))
