"""Whether a rulebook holds together: every example both ways of running, and the lint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.award import award
from honours.engine.columns import exact_only
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.bodies import unreadable
from honours.engine.rulebook.examples import Example, differences, examples, fields, run, stands_at
from honours.engine.rulebook.lint import lint, unrunnable
from honours.engine.rulebook.source_lines import with_line
from honours.errors import HonoursError
from honours.model import Field
from honours.model.message import Message, joined
from honours.rings import NotInstalled, has


@dataclass(frozen=True, slots=True)
class RulebookCheck:
    """How many examples a rulebook has, everything that is wrong, and how many of the examples ran
    in columns too; if not all of them, why not. None ``ran`` if the rules cannot run."""

    examples: int
    faults: list[str]
    in_columns: int
    left_out: str = ""
    ran: bool = True


def faults(rulebook: Rulebook) -> RulebookCheck:
    """Every example both ways of running, and the lint."""
    cases = list(examples(rulebook))
    if unrunnable(rulebook):
        unsound: list[str] = [Message("lint: {fault}", fault=fault) for fault in lint(rulebook)]
        return RulebookCheck(len(cases), unsound, in_columns=0, ran=False)
    problems: list[str] = []
    runnable: list[Example] = []
    for case in cases:
        try:
            wrong = differences(case, run(rulebook, case))
            runnable.append(case)
        except HonoursError as error:
            wrong = [with_line(rulebook.rules, error)]
        problems += [joined(": ", (stands_at(rulebook, case.name), fault)) for fault in wrong]
    why = _not_in_columns(rulebook)
    if not why:
        problems += column_differences(rulebook, runnable)
        why = _out_of_columns(rulebook, runnable)
    in_columns = 0 if why else len(runnable)
    if not why and in_columns < len(cases):
        why = Message("the others end in an error before that")
    more = [fault for fault in lint(rulebook) if fault not in problems]
    problems += [Message("lint: {fault}", fault=fault) for fault in more]
    return RulebookCheck(len(cases), problems, in_columns, why)


def _not_in_columns(rulebook: Rulebook) -> str:
    """Why none of a rulebook's examples can run in columns."""
    if why := exact_only(rulebook):
        return Message("{why}: it cannot be run in columns", why=why)
    if not has("numpy"):
        return NotInstalled("lab").message
    if any(fault for rule in rulebook.rules for fault in unreadable(rule)):
        return Message("not run in columns before the rules are mended")
    return ""


def column_differences(rulebook: Rulebook, cases: list[Example]) -> Iterator[str]:
    """Where columns give another award than the exact way, example by example."""
    for book, members in _variants(rulebook, cases):
        yield from both_ways(
            book, [(case.name, field) for case in members for field in fields(book, case)]
        )


def _out_of_columns(rulebook: Rulebook, cases: list[Example]) -> str:
    """Why some of the examples are derived the exact way whatever is asked."""
    from honours.engine.columns.award import not_in_columns

    reasons = (
        not_in_columns(book, [field for case in members for field in fields(book, case)])
        for book, members in _variants(rulebook, cases)
    )
    return next(filter(None, reasons), "")


def _variants(rulebook: Rulebook, cases: list[Example]) -> Iterator[tuple[Rulebook, list[Example]]]:
    """The rulebook as the examples amend it, each variant with its examples."""
    variants: dict[tuple[tuple[str, str], ...], list[Example]] = {}
    for case in cases:
        changes = tuple(sorted((k, str(v)) for k, v in case.changes.items()))
        variants.setdefault(changes, []).append(case)
    for changes, members in variants.items():
        yield rulebook.amend(dict(changes)), members


def both_ways(rulebook: Rulebook, named: list[tuple[str, Field]]) -> Iterator[str]:
    """Where columns give another award than the exact way, field by field."""
    from honours.engine.columns.award import award_fields

    in_columns = award_fields(rulebook, [field for _, field in named])
    for (name, field), ours in zip(named, in_columns, strict=True):
        right = _amounts(rulebook, field)
        if right != ours:
            yield Message(
                "{case}: exactly {exact}, in columns {columns}",
                case=name,
                exact=_text(right),
                columns=_text(ours),
            )


def _amounts(rulebook: Rulebook, field: Field) -> list[Fraction] | None:
    awards = award(rulebook, field, in_words=False)
    return None if awards.refusal else [a.amount for a in awards.schedule]


def _text(amounts: list[Fraction] | None) -> str:
    if amounts is None:
        return Message("refused")
    return " ".join(f"{float(a):g}" for a in amounts)
