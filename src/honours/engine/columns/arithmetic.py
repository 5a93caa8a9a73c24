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
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
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


@dataclass(slots=True)
class QuantityColumn:
    """One quantity over the rows of a ``space``: floats ``v``, or a single one for all rows.

    ``lo`` and ``hi`` bound the values, ``holes`` says that there may be NaNs among them. Where
    there are ``words``, or tables, the values are their numbers.
    """

    v: Any
    unit: Fraction | None = None
    den: Any = 1.0
    lo: float = 0.0
    hi: float = 0.0
    rel: float = 0.0
    err: float = 0.0
    holes: bool = False
    space: str = "one"
    words: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if self.unit is not None and self.unit.denominator.bit_length() > _LONGEST:
            self.unit = None

    @property
    def top(self) -> float:
        """The largest size of a value."""
        return max(abs(self.lo), abs(self.hi))

    @property
    def is_exact(self) -> bool:
        """True if the floats are the true values."""
        return not self.rel and not self.err

    @property
    def off(self) -> float:
        """The most that any of the floats may be off by."""
        return self.rel * self.top + self.err

    def at(self, rows: Any, space: str = "") -> QuantityColumn:
        """The column on some of its rows, or on rows of another space."""
        v = self.v if np.ndim(self.v) == 0 else self.v[rows]
        den = self.den if np.ndim(self.den) == 0 else self.den[rows]
        return replace(self, v=v, den=den, space=space or self.space)

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

    def __add__(self, other: Any) -> QuantityColumn:
        return plus(self, as_column(other))

    def __sub__(self, other: Any) -> QuantityColumn:
        return plus(self, -as_column(other))

    def __mul__(self, other: Any) -> QuantityColumn:
        return times(self, as_column(other))

    def __truediv__(self, other: Any) -> QuantityColumn:
        return over(self, as_column(other))

    def __rsub__(self, other: Any) -> QuantityColumn:
        return as_column(other) - self

    def __rtruediv__(self, other: Any) -> QuantityColumn:
        return as_column(other) / self

    def __neg__(self) -> QuantityColumn:
        return replace(self, v=-self.v, lo=-self.hi, hi=-self.lo)

    __radd__, __rmul__ = __add__, __mul__


def constant(value: Any) -> QuantityColumn:
    """A number, a word or a table that is the same for all rows."""
    if not isinstance(value, int | Fraction):
        return QuantityColumn(np.int64(0), lo=0, hi=0, words=(value,))
    exact = Fraction(value)
    v = float(exact)
    unit = abs(exact) or Fraction(1)
    return QuantityColumn(v, unit, lo=v, hi=v, rel=0.0 if Fraction(v) == exact else EPS)


def in_units(whole: Any, unit: Fraction, space: str) -> QuantityColumn:
    """Whole multiples of a unit that is a part of 1, each the nearest float (n / 100, never
    n × 0.01)."""
    v: Any = np.asarray(whole, np.float64)
    lo: Any
    hi: Any
    lo, hi = (float(whole.min()), float(whole.max())) if np.size(whole) else (0.0, 0.0)
    if unit != 1:  # one part of a whole number: cents, quarters
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
    """The rows where a comparison holds, and those where a float is too near to tell."""

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
    """Return whether sums and products of the two are whole numbers that floats have exactly."""
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


def times(x: QuantityColumn, y: QuantityColumn) -> QuantityColumn:
    corners = [a * b if a and b else 0.0 for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
    unit = None if x.unit is None or y.unit is None else x.unit * y.unit
    den, lo, hi = x.den * y.den, min(corners), max(corners)
    rel, err = x.rel + y.rel + EPS, x.err * y.top + y.err * x.top + x.err * y.err
    if _is_whole(unit, den, max(abs(lo), abs(hi)), x, y):
        rel = err = 0.0
    holes = x.holes or y.holes
    made = QuantityColumn(x.v * y.v, unit, den, lo=lo, hi=hi, rel=rel, err=err, holes=holes)
    return made.tight()


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
    made = QuantityColumn(x.v / v, unit, den, lo=lo, hi=hi, rel=rel, err=err, holes=holes)
    return made.tight()


# --- comparisons --------------------------------------------------------------------------------


def _compared(x: QuantityColumn, y: QuantityColumn, holds: Callable[[Any, float], Any]) -> Test:
    """Return where the difference ``holds``, given what it may be off by: nearer to 0 than that it
    is 0, where no other number can be."""
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
    return replace(x, v=np.abs(x.v), lo=lo, hi=x.top)


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
    v = np.power(np.asarray(x.v, np.float64), y.v)
    return _irrational(v, rel, 0.0, unknown)


def _logarithm(function: Any, base: float, x: QuantityColumn) -> QuantityColumn:
    least, unknown = _away_from_zero(x)
    err = (x.rel + x.err / least) / math.log(base)
    v = function(np.asarray(x.v, np.float64))
    return _irrational(v, _LIBRARY, err, unknown)


def log10(x: QuantityColumn) -> QuantityColumn:
    return _logarithm(np.log10, 10.0, x)


def ln(x: QuantityColumn) -> QuantityColumn:
    return _logarithm(np.log, math.e, x)


def exp(x: QuantityColumn) -> QuantityColumn:
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


def as_column(value: Any) -> QuantityColumn:
    """A column, a number, or a comparison as 1 where it holds and 0 elsewhere."""
    if isinstance(value, Test):
        return chosen(value, constant(1), constant(0))
    return value if isinstance(value, QuantityColumn) else constant(int(value))


def as_test(value: Any) -> Test:
    """A comparison, or where a number is not 0."""
    return value if isinstance(value, Test) else negated(equal(as_column(value), constant(0)))


def _of_columns(operation: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: operation(*map(as_column, values))


def _of_tests(operation: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: operation(*map(as_test, values))


_COMPARISONS = {
    ast.Lt: below,
    ast.LtE: at_most,
    ast.Gt: lambda x, y: below(y, x),
    ast.GtE: lambda x, y: at_most(y, x),
    ast.Eq: equal,
    ast.NotEq: lambda x, y: negated(equal(x, y)),
}
_CALLS: Mapping[str, tuple[Callable[..., Any], Sequence[int]]] = {
    "power": (power, [2]),
    "log10": (log10, [1]),
    "ln": (ln, [1]),
    "exp": (exp, [1]),
    "abs": (size, [1]),
    "min": (lambda *values: reduce(smaller, values), range(2, 99)),
    "max": (lambda *values: reduce(larger, values), range(2, 99)),
}
"""What a rule may call, and with how many arguments."""
_OPERATIONS: Mapping[str, Any] = {
    **{kind.__name__: _of_columns(compare) for kind, compare in _COMPARISONS.items()},
    **{name: _of_columns(operation) for name, (operation, _) in _CALLS.items()},
    "And": _of_tests(both),
    "Or": _of_tests(either),
    "Not": _of_tests(negated),
    "IfExp": lambda test, x, y: chosen(as_test(test), as_column(x), as_column(y)),
}


class _NoOperation(Exception):
    """Something in a rule is not an operation: it reads a table or uses words."""


@cache
def on_columns(
    function: Callable[..., Any],
) -> Callable[[Sequence[QuantityColumn]], QuantityColumn] | None:
    """The function on columns of numbers; None where it reads tables or words."""
    names = formula.arguments_of(function)
    try:
        body = _Operations(function, names).visit(_returned(formula.body(function)))
    except (_NoOperation, HonoursError, OSError, SyntaxError):
        return None
    arguments = ast.arguments(
        [], [ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, body)))
    made = eval(compile(whole, function.__name__, "eval"), dict(_OPERATIONS))
    return lambda given: as_column(made(*given))


def _returned(statements: Sequence[ast.stmt]) -> ast.expr:
    """Return what a list of statements returns, as one expression."""
    match statements:
        case [ast.Return(value=ast.expr() as value), *_]:
            return deepcopy(value)
        case [ast.If(test=test, body=then, orelse=otherwise), *rest]:
            return ast.IfExp(
                deepcopy(test), _returned([*then, *rest]), _returned([*otherwise, *rest])
            )
    raise _NoOperation


class _Operations(ast.NodeTransformer):
    """Puts calls of :data:`_OPERATIONS` in the place of what Python's operators cannot do with
    columns: choices, comparisons and the functions that rules call."""

    def __init__(self, function: Callable[..., Any], names: Sequence[str]) -> None:
        self.function, self.names = function, names

    def generic_visit(self, node: ast.AST) -> Any:
        match node:
            case ast.Name(id=name) if name in self.names:
                return node
            case ast.Constant(value=int()):
                return node
            case ast.BinOp(left, (ast.Add() | ast.Sub() | ast.Mult() | ast.Div()) as op, right):
                return ast.BinOp(self.visit(left), op, self.visit(right))
            case ast.UnaryOp(ast.USub(), operand):
                return ast.UnaryOp(ast.USub(), self.visit(operand))
            case ast.UnaryOp(ast.Not(), operand):
                return self._call("Not", operand)
            case ast.IfExp(test, then, otherwise):
                return self._call("IfExp", test, then, otherwise)
            case ast.BoolOp(op, [first, *others]):
                name = type(op).__name__
                return reduce(
                    lambda x, y: _called(name, x, self.visit(y)), others, self.visit(first)
                )
            case ast.Compare(left, ops, sides) if all(type(op) in _COMPARISONS for op in ops):
                each = zip([left, *sides], ops, sides, strict=False)
                tests = [self._call(type(op).__name__, one, other) for one, op, other in each]
                return reduce(lambda x, y: _called("And", x, y), tests)
            case ast.Call(ast.Name(name), given, []) if len(given) in self._arity(name):
                return self._call(name, *given)
        raise _NoOperation

    def _call(self, name: str, *given: ast.expr) -> ast.expr:
        return _called(name, *(self.visit(one) for one in given))

    def _arity(self, name: str) -> Sequence[int]:
        """With how many arguments a rule may call it; with none where it means something else in
        the rule's file."""
        known = self.function.__globals__.get(name)
        ours = known is None or known is getattr(numbers, name, known)
        return _CALLS[name][1] if ours and name in _CALLS else ()


def _called(name: str, *given: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])
