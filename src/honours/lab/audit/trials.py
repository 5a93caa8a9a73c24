"""A trial of a promise: two fields, and the check on their awards that would show a breach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.numbers import show
from honours.lab.audit.cases import AuditCase, amount_text, figure
from honours.model import Field
from honours.model.message import Message

Amounts = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Breach:
    """What breaks a promise, and by how many points; ``rounding`` tells whether rounding alone
    explains it."""

    found: Message
    by: Fraction
    rounding: bool = False


def unlike_totals(case: AuditCase, one: Fraction, other: Fraction, template: str) -> Breach | None:
    """A breach in these words if two totals differ by more than a fiftieth."""
    if abs(one - other) <= max(one, other) / 50:
        return None
    words = Message(template, one=amount_text(one, case.unit), other=amount_text(other, case.unit))
    return Breach(words, abs(one - other))


Verdict = Callable[[Amounts, Amounts], Breach | None]
"""What breaks the promise, if anything."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Two fields described in words, and the check on their awards that would show a breach."""

    words: Message
    first: Field
    second: Field
    verdict: Verdict


def middle(case: AuditCase) -> Fraction:
    """A strength in the middle of those that are tried."""
    grid = case.strengths(9)
    return grid[len(grid) // 2]


def entrants(size: int, level: Fraction | None = None) -> Message:
    """The number of entrants and, for a rulebook that asks for it, their strength."""
    if level is None:
        return Message("{count} entrants", count=size)
    return Message("{count} entrants of strength {level}", count=size, level=figure(show(level)))


def stated_level(case: AuditCase, level: Fraction) -> Fraction | None:
    """The strength to state, for a rulebook that asks for it."""
    return level if case.strength else None
