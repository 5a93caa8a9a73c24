"""Two promises searched by bisection: awards do not jump, and no quantity is held up at zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import median
from types import FunctionType
from typing import Any

from honours.engine.exact.working import Working
from honours.engine.numbers import show
from honours.engine.rules import Rule
from honours.engine.written_names import titled
from honours.lab.audit.cases import FINEST, AuditCase, amount_text, figure
from honours.lab.audit.promises import rising
from honours.lab.audit.trials import entrants
from honours.model import Field
from honours.model.message import Message

_SIZES = (12, 60)
_ALL_SIZES = tuple(range(4, 64))
_GRID = 60
_EXACT_GRIDS = (_GRID, 8)
_NEAR = 3
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Jump:
    """Two fields that hardly differ but are paid differently."""

    words: Message
    found: Message
    first: Field
    second: Field
    by: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class BoundarySearch:
    """What a search found, and how many fields it tried."""

    jumps: list[Jump]
    tried: int


@dataclass(frozen=True, slots=True)
class _Span:
    """Two strengths of a field of one size, and what first place is paid at each."""

    size: int
    low: Fraction
    high: Fraction
    paid_low: Fraction
    paid_high: Fraction

    @property
    def change(self) -> Fraction:
        return abs(self.paid_high - self.paid_low)

    @property
    def middle(self) -> Fraction:
        return Fraction(round((self.low + self.high) / 2 / FINEST)) * FINEST

    @property
    def is_close(self) -> bool:
        """Whether there is no strength between the two."""
        return self.middle in (self.low, self.high)

    def halved(self, paid: Fraction) -> _Span:
        """The half in which first place changes more."""
        middle = self.middle
        if abs(paid - self.paid_low) >= abs(self.paid_high - paid):
            return _Span(self.size, self.low, middle, self.paid_low, paid)
        return _Span(self.size, middle, self.high, paid, self.paid_high)


def strength_jumps(case: AuditCase) -> BoundarySearch:
    """Where a hundredth more strength moves first place by more than rounding can.

    All spans of a grid are halved together towards the larger change; a jump is a change that still
    exceeds rounding when no strength lies between the two ends.
    """
    # A limit in the rulebook may hide a fall within a rise: always look at it closely.
    grid = sorted({*case.strengths(_GRID), *case.limits()})
    if len(grid) < 2:
        return BoundarySearch([], 0)
    tried = [(size, strength) for size in _SIZES for strength in grid]
    paid = dict(zip(tried, _first_awards(case, tried), strict=True))
    spans = [
        _Span(size, low, high, a, b)
        for size in _SIZES
        for low, high in pairwise(grid)
        if (a := paid[size, low]) is not None and (b := paid[size, high]) is not None
    ]
    many, close = len(tried), []
    while spans := [span for span in spans if span.change > 2 * case.unit]:
        close += [span for span in spans if span.is_close]
        spans = [span for span in spans if not span.is_close]
        awards = _first_awards(case, [(span.size, span.middle) for span in spans])
        many += len(spans)
        halves = zip(spans, awards, strict=True)
        spans = [span.halved(middle) for span, middle in halves if middle is not None]
    return BoundarySearch([_strength_jump(case, span) for span in close], many)


def _first_awards(case: AuditCase, asked: list[tuple[int, Fraction]]) -> list[Fraction | None]:
    """What first place is paid in fields of some size and strength; None where refused."""
    awards: list[Fraction | None] = []
    for start in range(0, len(asked), _AT_ONCE):
        fields = [case.uniform(*one) for one in asked[start : start + _AT_ONCE]]
        awards += [None if amounts is None else amounts[0] for amounts in case.awards(fields)]
    return awards


def _strength_jump(case: AuditCase, span: _Span) -> Jump:
    low, high = span.low, span.high
    message = Message(
        "first place falls from {old} to {new} at once"
        if span.paid_high < span.paid_low
        else "first place rises from {old} to {new} at once",
        old=amount_text(span.paid_low, case.unit),
        new=amount_text(span.paid_high, case.unit),
    )
    words = rising(span.size, low, high)
    sides = case.uniform(span.size, low), case.uniform(span.size, high)
    return Jump(words, message, *sides, span.change)


def size_jumps(case: AuditCase) -> BoundarySearch:
    """Where one more entrant moves first place far more than one more does at neighbouring
    sizes."""
    grid = case.strengths(9)
    level = grid[len(grid) // 2]
    firsts = _first_awards(case, [(size, level) for size in _ALL_SIZES])
    steps = {
        n: b - a
        for n, a, b in zip(_ALL_SIZES, firsts, firsts[1:], strict=False)
        if a is not None and b is not None
    }
    jumps = []
    for size, step in steps.items():
        beside = [abs(steps[k]) for k in _beside(size) if k in steps]
        if abs(step) >= 2 * case.unit and beside and abs(step) > 5 * median(beside):
            jumps.append(_size_jump(case, size, level, firsts[_ALL_SIZES.index(size)], step))
    return BoundarySearch(jumps, len(firsts))


def _beside(size: int) -> list[int]:
    return [size + k for k in range(-_NEAR, _NEAR + 1) if k]


def _size_jump(
    case: AuditCase, size: int, level: Fraction, before: Fraction | None, step: Fraction
) -> Jump:
    first = before or Fraction(0)
    message = Message(
        "first place goes from {old} to {new} with entrant {number}",
        old=amount_text(first, case.unit),
        new=amount_text(first + step, case.unit),
        number=size + 1,
    )
    words = Message("{count} entrants, then {more}", count=size, more=size + 1)
    return Jump(words, message, case.uniform(size, level), case.uniform(size + 1, level), abs(step))


# --- held up at zero --------------------------------------------------------------------------


def held_at_zero(case: AuditCase) -> BoundarySearch:
    """Quantities of the field that a limit keeps at 0 because they would otherwise be negative."""
    rules = [r for r in case.rulebook.rules if r.kind == "rule" and r.per == "field"]
    limited = [r for r in rules if "max" in r.function.__code__.co_names]
    if not limited:
        return BoundarySearch([], 0)
    # Each is worked out exactly, so the larger size is tried at fewer strengths.
    tried = [
        (size, strength)
        for size, steps in zip(_SIZES, _EXACT_GRIDS, strict=True)
        for strength in sorted({*case.strengths(steps), *case.limits()})
    ]
    jumps = []
    for (size, strength), paid in zip(tried, _first_awards(case, tried), strict=True):
        if paid is None:
            continue
        field = case.uniform(size, strength)
        working = Working(case.rulebook, field)
        for rule in limited:
            raw = _without_limit(case, rule, working)
            if raw is not None and raw < 0:
                message = Message(
                    "{name} would be {raw} and is held at 0",
                    name=titled(rule.name),
                    raw=figure(show(raw)),
                )
                jumps.append(Jump(entrants(size, strength), message, field, field, abs(raw)))
    return BoundarySearch(jumps, len(tried))


def _without_limit(case: AuditCase, rule: Rule, working: Working) -> Fraction | None:
    """The rule's value if ``max`` and ``min`` did not limit it, where the rule applies."""
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
    """The same function, with ``max`` and ``min`` returning their first argument unchanged."""
    function = rule.function
    assert isinstance(function, FunctionType)
    scope = {**function.__globals__, "max": _as_it_is, "min": _as_it_is}
    return FunctionType(function.__code__, scope, function.__name__)


def _as_it_is(value: Any, *_: Any) -> Any:
    return value
