"""The sentences about an award that a club member understands."""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction

from honours.engine.aggregates import aggregate
from honours.engine.exact.field_aggregates import Scope
from honours.engine.exact.working import Working
from honours.engine.graph import AWARD, PLACES, Graph
from honours.engine.numbers import decimals, round_to, show
from honours.engine.rulebook import Rulebook
from honours.errors import MissingInput
from honours.model import Citation, Sentence, Step
from honours.model.message import Message

_MOST_DECIMALS = 2


def in_short(working: Working, i: int, amount: Fraction) -> tuple[Sentence, ...]:
    """The sentences about an award of this amount that apply to it; none where they do not arrive
    at it, because other figures were given. Asking for them shows no further choices."""
    sentences, told = [], {Fraction(0)}
    unit = Fraction(1, 10**working.rulebook.decimals)
    made_of = _made_of(working.graph)
    with working.aside():
        for rule in working.rulebook.rules:
            if rule.kind != "sentence" or not rule.applies(working.case.word):
                continue
            said = [name for name in rule.arguments if f"{{{name}}}" in rule.message]
            if any(_is_replaced(working, made_of, name) for name in said):
                continue
            try:
                holds, steps = working.holds(rule, Scope("entrant", i))
            except MissingInput:  # it speaks of what another figure that was given replaces
                continue
            if holds:
                told |= {v for name in said if isinstance(v := steps[name].value, Fraction)}
                values = {n: _in_words(working.rulebook, step) for n, step in steps.items()}
                sentences.append(Sentence(Message(rule.message, **values), Citation(rule.clause)))
    arrives = any(round_to(value, "nearest", unit) == amount for value in told)
    return tuple(sentences) if arrives or amount in told else ()


def _made_of(graph: Graph) -> Container[str]:
    """The names of all that awards are made of; everybody's without a game are made of less."""
    try:
        return graph.below([AWARD, PLACES])
    except MissingInput:
        return frozenset(rule.name for rule in graph.rulebook.rules)


def _is_replaced(working: Working, made_of: Container[str], name: str) -> bool:
    """Whether a quantity would have made the award, had not a figure been given that replaces it.
    One that only tells the reader something is read off what did make it."""
    if name == PLACES and name in working.field.facts:
        return True
    graph = working.graph
    if name in made_of or aggregate(name) or graph.operation(name).rule is None:
        return False
    reads = ((aggregate(read) or read) for read in graph.operation(name).reads)
    return not any((read if isinstance(read, str) else read.of) in made_of for read in reads)


def _in_words(rulebook: Rulebook, step: Step) -> str:
    """A value as it is said: a word of a rulebook without its hyphens, a figure that only its rules
    make with the decimals of an award, so that 0.6 does not stand beside 0.42, or two."""
    value = step.value
    if isinstance(value, str):
        return Message(step.shown.replace("-", " "))
    if step.kind != "rule" or value.denominator == 1 or step.shown != show(value):
        return step.shown
    least = 0 if step.name in rulebook.inputs else rulebook.decimals
    most = max(rulebook.decimals, _MOST_DECIMALS)
    return show(value, min(max(decimals(value), least), most))
