"""The small steps an explanation is made of, and how their values are written."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from honours.engine.formula import value_text
from honours.engine.numbers import brief, show
from honours.engine.rulebook import Parameter
from honours.errors import RulebookError
from honours.model import Step


def counted(name: str, count: int) -> Step:
    """A place, a number of those who tie, a rank."""
    return Step(name, Fraction(count), str(count), "input")


def parameter_step(parameter: Parameter) -> Step:
    """A number, word or table of the rulebook."""
    value: Any = parameter.value
    return Step(
        parameter.name,
        value,
        shown(value),
        "parameter",
        parameter.about,
        citation=parameter.citation,
    )


def values(steps: Mapping[str, Step]) -> dict[str, Any]:
    """What a rule function is called with."""
    return {name: step.value for name, step in steps.items()}


def fraction(step: Step) -> Fraction:
    """The step's value, which must be a number."""
    if not isinstance(step.value, Fraction):
        raise RulebookError(f"{step.name!r} is not a number")
    return step.value


def shown(value: object) -> str:
    """A number, word or table as text."""
    if isinstance(value, Fraction):
        return show(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {brief(v)}" for k, v in value.items())
    if isinstance(value, tuple):
        return ", ".join(":".join(brief(x) for x in row) for row in value)
    return str(value)


def in_a_working(step: Step) -> str:
    """The step's value as it stands in a formula with the values filled in."""
    if step.kind == "rule" and step.rounding:
        return step.shown
    return value_text(step.value) if isinstance(step.value, Fraction) else step.shown
