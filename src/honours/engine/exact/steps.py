"""The small steps an explanation is made of, and how their values are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours.engine.exact.formula import value_text
from honours.engine.numbers import brief, show
from honours.engine.resolved_names import ResolvedNames
from honours.engine.rulebook import Parameter, Rulebook
from honours.engine.rulebook.source_lines import in_toml, where
from honours.engine.rules import Rule
from honours.errors import RulebookError
from honours.model import Step
from honours.model.message import Message


def rank_step(name: str, count: int) -> Step:
    """A step for a place, a rank or the number of those who tie."""
    return Step(name, Fraction(count), str(count), "input")


def parameter_step(parameter: Parameter) -> Step:
    """A step for a number, word or table of the rulebook."""
    value: Any = parameter.value
    return Step(
        parameter.name,
        value,
        as_text(value),
        "parameter",
        parameter.about,
        citation=parameter.citation,
    )


def values(steps: Mapping[str, Step]) -> dict[str, Any]:
    """What a rule function is called with."""
    return {name: step.value for name, step in steps.items()}


def fraction(step: Step, case: ResolvedNames) -> Fraction:
    """The step's value, which must be a number."""
    if not isinstance(step.value, Fraction):
        raise _no_number(step, case)
    return step.value


def _no_number(step: Step, case: ResolvedNames) -> RulebookError:
    """Says where the rulebook gives a word, or a table, instead of a number."""
    rule = case.active(step.name)
    if rule and rule.starts and rule.starts in [used.name for used in step.uses]:
        return _no_number(step.uses[0], case)  # the first place has what another rule gives
    return RulebookError(
        "{at}: {name!r} is not a number but {value!r}",
        at=_stated_at(step.name, rule, case.rulebook),
        name=step.name,
        value=step.shown,
    )


def _stated_at(name: str, rule: Rule | None, book: Rulebook) -> str:
    """The file and line that say what a quantity is."""
    if rule:
        return where(rule)
    for section, declared in (("parameters", book.parameters), ("inputs", book.inputs)):
        if name in declared:
            return in_toml(book.id, book.toml, section, name)
    return book.id


def as_text(value: object) -> str:
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
        called=changed(step.called),
        uses=tuple(renamed(used, rename) for used in step.uses),
        parts=tuple((changed(who), value) for who, value in step.parts),
    )
