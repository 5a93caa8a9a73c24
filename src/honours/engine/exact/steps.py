"""The small steps an explanation is made of, and how their values are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours.engine.exact.formula import value_text
from honours.engine.numbers import brief, show
from honours.engine.rulebook import Parameter
from honours.errors import RulebookError
from honours.model import Step
from honours.model.message import Message


def counted(name: str, count: int) -> Step:
    """A step for a place, a rank or the number of those who tie."""
    return Step(name, Fraction(count), str(count), "input")


def parameter_step(parameter: Parameter) -> Step:
    """A step for a number, word or table of the rulebook."""
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
        raise RulebookError("{name!r} is not a number", name=step.name)
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


def renamed(step: Step, rename: Callable[[str], str]) -> Step:
    """The step with other names for the people its texts speak of."""

    def changed(text: str) -> str:
        return text.with_values(rename) if isinstance(text, Message) else rename(text)

    return replace(
        step,
        shown=changed(step.shown),
        about=changed(step.about),
        formula=changed(step.formula),
        working=changed(step.working),
        because=changed(step.because),
        uses=tuple(renamed(used, rename) for used in step.uses),
        parts=tuple((changed(who), value) for who, value in step.parts),
    )
