"""The sentences about an award that a club member understands."""

from __future__ import annotations

from honours.engine.exact.field_aggregates import Scope
from honours.engine.exact.working import Working
from honours.engine.numbers import decimals, show
from honours.engine.rulebook import Rulebook
from honours.errors import MissingInput
from honours.model import Citation, Sentence, Step
from honours.model.message import Message


def in_short(working: Working, i: int) -> tuple[Sentence, ...]:
    """The sentences about an award that apply to it. Asking for them shows no further choices."""
    sentences = []
    with working.aside():
        for rule in working.rulebook.rules:
            if rule.kind == "sentence" and rule.applies(working.case.word):
                try:
                    holds, steps = working.holds(rule, Scope("entrant", i))
                except MissingInput:  # it speaks of what another figure that was given replaces
                    continue
                if holds:
                    values = {n: _in_words(working.rulebook, step) for n, step in steps.items()}
                    text = Message(rule.message, **values)
                    sentences.append(Sentence(text, Citation(rule.clause)))
    return tuple(sentences)


def _in_words(rulebook: Rulebook, step: Step) -> str:
    """A value as it is said: a word of a rulebook without its hyphens, a figure that only its rules
    make with the decimals of an award, so that 0.6 does not stand beside 0.42."""
    value = step.value
    if isinstance(value, str):
        return Message(step.shown.replace("-", " "))
    if step.kind != "rule" or step.name in rulebook.inputs or value.denominator == 1:
        return step.shown
    fits = 0 < decimals(value) < rulebook.decimals and step.shown == show(value)
    return show(value, rulebook.decimals) if fits else step.shown
