"""Amended rulebooks, from people we do not know: numbers may change, within bounds that keep the
exact arithmetic from growing without end. The command line has no bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from honours.engine.numbers import exact, show
from honours.errors import InputError

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook

T = TypeVar("T")
_LEAST_BOUND, _TIMES, _FINEST = Fraction(20), 100, 10**6
_LONGEST = 2000


def amend(book: Rulebook, variant: str, changes: Mapping[str, str]) -> Rulebook:
    """The rulebook as somebody would have it."""
    named = book.variant(variant) if variant else book
    amended = named.amend({key: text[:_LONGEST] for key, text in changes.items()})
    for key, text in changes.items():
        before = book.parameters[key.partition(".")[0]].value
        if isinstance(before, Fraction):
            _check(key, exact(text), max(_LEAST_BOUND, _TIMES * abs(before)))
        elif not isinstance(before, str):
            for part in text.replace(":", ",").split(","):
                _check(key, exact(part), Fraction(10**7))
    return amended


def _check(key: str, value: Fraction, most: Fraction) -> None:
    if abs(value) > most or value.denominator > _FINEST:
        raise InputError(
            f"{key}={show(value, 6)}: here an amended number is at most {show(most)} and has at "
            "most 6 decimals; the command line takes any"
        )


def worked_out(amended: Rulebook, work: Callable[[], T]) -> T:
    """Do the work; a rule that its amendments make meaningless is the amender's to mend."""
    try:
        return work()
    except (ArithmeticError, ValueError) as error:
        if not amended.amended:
            raise
        raise InputError("with these amendments the rule gives no number") from error
