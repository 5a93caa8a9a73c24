"""Two promises about what should not matter: a limit that keeps nobody out, and how deals are
split."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from honours.lab.audit.cases import AuditCase, amount_text, with_facts
from honours.lab.audit.trials import (
    Amounts,
    Breach,
    Trial,
    Verdict,
    entrants,
    middle,
    stated_level,
    unlike_totals,
)
from honours.model import Value
from honours.model.message import Message, mark

LIMITS = (100, 200, 300, 301, 500, 750, 1500, 2500, 3000, 3001, 5000, 10000)
_BOARDS = (18, 26)


def limits_that_keep_nobody_out(case: AuditCase) -> Iterator[Trial]:
    """The same field without a limit and under limits that exclude nobody in it."""
    declared = case.rulebook.inputs.get("limit")
    if declared is None or declared.per != "field" or case.line:
        return
    boards: list[dict[str, Value]] = [{}] + [{"boards_per_session": Fraction(n)} for n in _BOARDS]
    if "boards_per_session" not in case.rulebook.inputs:
        boards = boards[:1]
    for level in (Fraction(50), Fraction(100), Fraction(250), Fraction(1000)):
        if not case.strength or not case.range[0] <= level <= case.range[1]:
            continue
        for size in (12, 40, 100):
            for more in boards:
                yield from _under_limits(with_facts(case, **more), size, level)


def _under_limits(case: AuditCase, size: int, level: Fraction) -> Iterator[Trial]:
    free = case.uniform(size, level)
    deals = case.facts.get("boards_per_session")
    for limit in LIMITS:
        if limit < level:
            continue
        words = Message(
            "{entrants}, without a limit or with one of {limit}",
            entrants=entrants(size, level),
            limit=limit,
        )
        if deals is not None:
            words = Message("{what} ({deals} deals a session)", what=words, deals=deals)
        limited = with_facts(case, limit=Fraction(limit)).uniform(size, level)
        yield Trial(words, free, limited, _unchanged(case))


def _unchanged(case: AuditCase) -> Verdict:
    def verdict(before: Amounts, after: Amounts) -> Breach | None:
        off = [abs(a - b) for a, b in zip(before, after, strict=False)]
        if not any(off):
            return None
        message = Message(
            "first place is paid {old}, then {new}",
            old=amount_text(before[0], case.unit),
            new=amount_text(after[0], case.unit),
        )
        return Breach(message, max(off), max(off) <= case.unit)

    return verdict


def same_deals(case: AuditCase) -> Iterator[Trial]:
    """The same deals as one long session or several, and as a session, stages or a Swiss event."""
    inputs = case.rulebook.inputs
    level = middle(case)
    ways: list[tuple[Message, AuditCase]] = []
    if "sessions" in inputs and "boards_per_session" in inputs:
        for sessions, deals in ((1, 48), (2, 24)):
            facts = {"sessions": Fraction(sessions), "boards_per_session": Fraction(deals)}
            words = Message("{sessions} × {deals} deals", sessions=sessions, deals=deals)
            ways.append((words, with_facts(case, **facts)))
    for name in ("form", "competition"):
        declared = inputs.get(name)
        if declared is not None and declared.type == "word":
            ways += [
                (Message("as a {form}", form=word), with_facts(case, **{name: word}))
                for word in declared.words
            ]
    for size in (12, 24, 60):
        for (first, one), (second, other) in pairwise(ways):
            words = Message(
                "{entrants}, {one} or {other}",
                entrants=entrants(size, stated_level(case, level)),
                one=first,
                other=second,
            )
            fields = one.uniform(size, level), other.uniform(size, level)
            yield Trial(words, *fields, _same_total(case))


def _same_total(case: AuditCase) -> Verdict:
    def verdict(one: Amounts, other: Amounts) -> Breach | None:
        totals = sum(one, Fraction(0)), sum(other, Fraction(0))
        return unlike_totals(case, *totals, mark("the one pays {one} in total, the other {other}"))

    return verdict
