"""Whether a rulebook holds together: every example both ways of running, and the lint.

The compiled way is run in both its manners, on columns and by a loop in machine code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

from honours.engine.award import award
from honours.engine.compiled.award_columns import award_fields
from honours.engine.compiled.kept_forms import compiled_after
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.bodies import unreadable
from honours.engine.rulebook.examples import Example, differences, examples, fields, run, stands_at
from honours.engine.rulebook.lint import lint
from honours.engine.rulebook.source_lines import with_line
from honours.errors import HonoursError
from honours.model import Field
from honours.model.message import Message, joined


def faults(rulebook: Rulebook) -> tuple[int, list[str]]:
    """How many examples there are, and everything that is wrong."""
    cases = list(examples(rulebook))
    problems: list[str] = []
    runnable: list[Example] = []
    for case in cases:
        try:
            wrong = differences(case, run(rulebook, case))
            runnable.append(case)
        except HonoursError as error:
            wrong = [with_line(rulebook.rules, error)]
        problems += [joined(": ", (stands_at(rulebook, case.name), fault)) for fault in wrong]
    if not any(fault for rule in rulebook.rules for fault in unreadable(rule)):
        problems += [
            Message("compiled {fault}", fault=fault)
            for fault in compiled_differences(rulebook, runnable)
        ]
    more = [fault for fault in lint(rulebook) if fault not in problems]
    return len(cases), [*problems, *(Message("lint: {fault}", fault=fault) for fault in more)]


def compiled_differences(rulebook: Rulebook, cases: list[Example]) -> Iterator[str]:
    """Where the compiled way gives another award than the exact way, example by example."""
    variants: dict[tuple[tuple[str, str], ...], list[Example]] = {}
    for case in cases:
        changes = tuple(sorted((k, str(v)) for k, v in case.changes.items()))
        variants.setdefault(changes, []).append(case)
    for changes, members in variants.items():
        book = rulebook.amend(dict(changes))
        yield from both_ways(
            book, [(case.name, field) for case in members for field in fields(book, case)]
        )


_MANNERS = {Message("in columns"): sys.maxsize, Message("by the loop"): 0}
"""After how many entrants a loop is compiled in each."""


def both_ways(rulebook: Rulebook, named: list[tuple[str, Field]]) -> Iterator[str]:
    """Where the compiled way gives another award than the exact way, field by field."""
    fields = [field for _, field in named]
    exactly = [_amounts(rulebook, field) for field in fields]
    for manner, after in _MANNERS.items():
        with compiled_after(after):
            compiled = award_fields(rulebook, fields)
        for (name, _), right, ours in zip(named, exactly, compiled, strict=True):
            if right != ours:
                yield Message(
                    "{manner}, {case}: exactly {exact}, compiled {compiled}",
                    manner=manner,
                    case=name,
                    exact=_text(right),
                    compiled=_text(ours),
                )


def _amounts(rulebook: Rulebook, field: Field) -> list[Fraction] | None:
    awards = award(rulebook, field, in_words=False)
    return None if awards.refusal else [a.amount for a in awards.schedule]


def _text(amounts: list[Fraction] | None) -> str:
    if amounts is None:
        return Message("refused")
    return " ".join(f"{float(a):g}" for a in amounts)
