"""Whether a rulebook holds together: every example both ways of running, and the lint."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from honours.engine.award import award
from honours.engine.compiled.award import award_fields
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import Example, differences, examples, fields, run, stands_at
from honours.engine.rulebook.lint import lint
from honours.errors import HonoursError
from honours.model import Field


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
            wrong = [str(error)]
        problems += [f"{stands_at(rulebook, case.name)}: {fault}" for fault in wrong]
    problems += [f"compiled, {fault}" for fault in compiled_differences(rulebook, runnable)]
    more = [f"lint: {fault}" for fault in lint(rulebook) if fault not in problems]
    return len(cases), problems + more


def compiled_differences(rulebook: Rulebook, cases: list[Example]) -> Iterator[str]:
    """Where the compiled way gives another award than the exact way, example by example."""
    variants: dict[tuple[tuple[str, str], ...], list[Example]] = {}
    for case in cases:
        changes = tuple(sorted((k, str(v)) for k, v in case.changes.items()))
        variants.setdefault(changes, []).append(case)
    for changes, members in variants.items():
        book = rulebook.amend(dict(changes))
        yield from _compared(
            book, [(case, field) for case in members for field in fields(book, case)]
        )


def _compared(rulebook: Rulebook, members: list[tuple[Example, Field]]) -> Iterator[str]:
    compiled = award_fields(rulebook, [field for _, field in members])
    for (case, field), ours in zip(members, compiled, strict=True):
        exactly = _amounts(rulebook, field)
        if exactly != ours:
            yield f"{case.name}: exactly {_text(exactly)}, compiled {_text(ours)}"


def _amounts(rulebook: Rulebook, field: Field) -> list[Fraction] | None:
    awards = award(rulebook, field)
    return None if awards.refusal else [a.amount for a in awards.schedule]


def _text(amounts: list[Fraction] | None) -> str:
    return "refused" if amounts is None else " ".join(f"{float(a):g}" for a in amounts)
