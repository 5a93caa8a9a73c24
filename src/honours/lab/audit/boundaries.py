"""Two promises that are searched for by closing in: no jump, and nothing held up at zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import median
from types import FunctionType
from typing import Any

from honours.engine.numbers import show
from honours.engine.rules import Rule
from honours.engine.working import Working
from honours.lab.audit.cases import FINEST, Case, shown
from honours.model import Field

_SIZES = (12, 60)
_GRID = 60
_HALVINGS = 40
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Jump:
    """Two fields that hardly differ and are paid differently."""

    words: str
    found: str
    first: Field
    second: Field


def strength_jumps(case: Case) -> Iterator[Jump]:
    """Where a hundredth more strength moves first place by more than rounding can."""
    # A limit of the rulebook may hide a fall within a rise: it is always looked at from close by.
    grid = sorted({*case.strengths(_GRID), *case.limits()})
    for size in _SIZES:
        first = _first_award(case, size)
        values = first(grid)
        for k, (low, high) in enumerate(pairwise(grid)):
            a, b = values[k], values[k + 1]
            if a is None or b is None or abs(b - a) <= 2 * case.unit:
                continue
            close = _closed_in(first, low, high, case.unit)
            if close:
                yield _strength_jump(case, size, *close)


def _first_award(case: Case, size: int) -> Callable[[list[Fraction]], list[Fraction | None]]:
    def first(strengths: list[Fraction]) -> list[Fraction | None]:
        found = case.awards([case.uniform(size, s) for s in strengths])
        return [None if amounts is None else amounts[0] for amounts in found]

    return first


def _closed_in(
    first: Callable[[list[Fraction]], list[Fraction | None]],
    low: Fraction,
    high: Fraction,
    unit: Fraction,
) -> tuple[Fraction, Fraction, Fraction, Fraction] | None:
    """Halve towards the larger change; a jump is one that stays when there is nothing between."""
    for _ in range(_HALVINGS):
        middle = Fraction(round((low + high) / 2 / FINEST)) * FINEST
        if middle in (low, high):
            break
        a, m, b = first([low, middle, high])
        if a is None or m is None or b is None:
            return None
        low, high = (low, middle) if abs(m - a) >= abs(b - m) else (middle, high)
    a, b = first([low, high])
    if a is None or b is None or abs(b - a) <= 2 * unit:
        return None
    return low, high, a, b


def _strength_jump(
    case: Case, size: int, low: Fraction, high: Fraction, a: Fraction, b: Fraction
) -> Jump:
    words = f"{size} entrants of strength {show(low)}, then of {show(high)}"
    word = "falls" if b < a else "rises"
    found = f"first place {word} from {shown(a, case.unit)} to {shown(b, case.unit)} at once"
    return Jump(words, found, case.uniform(size, low), case.uniform(size, high))


def size_jumps(case: Case) -> Iterator[Jump]:
    """Where one more entrant moves first place far more than the entrants beside it do."""
    grid = case.strengths(9)
    level = grid[len(grid) // 2]
    sizes = list(range(4, 64))
    found = case.awards([case.uniform(n, level) for n in sizes])
    firsts = [None if amounts is None else amounts[0] for amounts in found]
    steps = {
        n: b - a
        for n, a, b in zip(sizes, firsts, firsts[1:], strict=False)
        if a is not None and b is not None
    }
    for size, step in steps.items():
        beside = [abs(steps[k]) for k in _beside(size) if k in steps]
        if abs(step) >= 2 * case.unit and beside and abs(step) > 5 * median(beside):
            yield _size_jump(case, size, level, firsts[sizes.index(size)], step)


def _beside(size: int) -> list[int]:
    return [size + k for k in range(-_NEAR, _NEAR + 1) if k]


def _size_jump(
    case: Case, size: int, level: Fraction, before: Fraction | None, step: Fraction
) -> Jump:
    first = before or Fraction(0)
    amounts = f"{shown(first, case.unit)} to {shown(first + step, case.unit)}"
    found = f"first place goes from {amounts} with entrant {size + 1}"
    words = f"{size} entrants, then {size + 1}"
    return Jump(words, found, case.uniform(size, level), case.uniform(size + 1, level))


# --- held up at zero --------------------------------------------------------------------------


def held_at_zero(case: Case) -> Iterator[Jump]:
    """Quantities of the field that a limit keeps at 0 because they would be negative."""
    rules = [r for r in case.rulebook.rules if r.kind == "rule" and r.per == "field"]
    limited = [r for r in rules if "max" in r.function.__code__.co_names]
    for size in _SIZES if limited else ():
        for strength in [*case.strengths(_GRID), *case.limits()]:
            field = case.uniform(size, strength)
            if case.awards([field])[0] is None:
                continue
            for rule in limited:
                raw = _without_limit(case, rule, field)
                if raw is not None and raw < 0:
                    words = f"{size} entrants of strength {show(strength)}"
                    name = rule.name.replace("_", " ")
                    yield Jump(words, f"{name} would be {show(raw)} and is held at 0", field, field)


def _without_limit(case: Case, rule: Rule, field: Field) -> Fraction | None:
    """The rule's value if ``max`` and ``min`` did not limit it, where it applies."""
    working = Working(case.rulebook, field)
    if case.rulebook.inputs.get(rule.name) is None and working.case.active(rule.name) is not rule:
        return None
    step = working.step(rule.name)
    if step.value != 0 or not step.uses:
        return None
    arguments: dict[str, Any] = {
        name: used.value for name, used in zip(rule.arguments, step.uses, strict=True)
    }
    raw = _free(rule)(**arguments)
    return raw if isinstance(raw, Fraction) else None


def _free(rule: Rule) -> Callable[..., Any]:
    """The same function with limits that take their first argument as it is."""
    function = rule.function
    assert isinstance(function, FunctionType)
    scope = {**function.__globals__, "max": _as_it_is, "min": _as_it_is}
    return FunctionType(function.__code__, scope, function.__name__)


def _as_it_is(value: Any, *_: Any) -> Any:
    return value
