"""What a fair rule should promise, as data: each promise tries pairs of fields, smallest first.

A trial is two fields (or the same one twice) and a verdict on their awards; the first trial whose
verdict is not empty is the smallest counterexample of its search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from honours.engine.numbers import show
from honours.lab.audit.cases import AuditCase, amount_text, figure, with_facts
from honours.lab.audit.irrelevant_changes import limits_that_keep_nobody_out, same_deals
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
from honours.model import Field
from honours.model.message import Message, mark

SIZES = (*range(3, 41), 50, 60, 80, 100, 101, 120)
FEW = (6, 24, 60, 120)
_GRID = 100


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise: its name, a sentence that states it, and the trials that could break it."""

    name: str
    words: Message
    trials: Callable[[AuditCase], Iterator[Trial]]


def _levels(case: AuditCase) -> list[Fraction]:
    grid = case.strengths(9)
    return sorted({grid[len(grid) // 3], grid[len(grid) // 2], grid[-2]}) if len(grid) > 3 else grid


def _never_less(case: AuditCase) -> Verdict:
    def verdict(before: Amounts, after: Amounts) -> Breach | None:
        pairs = enumerate(zip(before, after, strict=False))
        falls = {place: old - new for place, (old, new) in pairs if new < old}
        if not falls:
            return None
        place, fall = max(falls.items(), key=lambda item: item[1])
        message = Message(
            "place {place} falls from {old} to {new}",
            place=place + 1,
            old=amount_text(before[place], case.unit),
            new=amount_text(after[place], case.unit),
        )
        return Breach(message, fall, fall <= case.unit)

    return verdict


def newcomers(case: AuditCase) -> Iterator[Trial]:
    """One more entrant in last place, as strong as the rest or as weak as possible."""
    weakest = case.range[0]
    for size in SIZES:
        for level in _levels(case):
            before, some = case.uniform(size, level), entrants(size, stated_level(case, level))
            for newcomer in dict.fromkeys((level, weakest)):
                after = case.field([*[level] * size, newcomer])
                more = Message("{entrants}, then one more", entrants=some)
                if case.strength:
                    more = Message(
                        "{entrants}, then one more of {newcomer}",
                        entrants=some,
                        newcomer=figure(show(newcomer)),
                    )
                yield Trial(more, before, after, _never_less(case))
            if case.line:
                opposite = case.field([level] * size, opposite=size + 1)
                other = Message(
                    "{count} entrants in either line, then one more in the other", count=size
                )
                yield Trial(other, before, opposite, _never_less(case))


def stronger(case: AuditCase) -> Iterator[Trial]:
    """Every player stronger by a step."""
    grid = sorted({*case.strengths(_GRID), *case.limits()})
    for size in FEW:
        fields = ((level, case.uniform(size, level)) for level in grid)
        for (low, before), (high, after) in pairwise(fields):
            yield Trial(rising(size, low, high), before, after, _never_less(case))


def rising(size: int, low: Fraction, high: Fraction) -> Message:
    """A field of some strength, and the same field a little stronger."""
    return Message(
        "{entrants}, then of {higher}", entrants=entrants(size, low), higher=figure(show(high))
    )


def better_place(case: AuditCase) -> Iterator[Trial]:
    """The same field twice, compared place by place."""

    def verdict(amounts: Amounts, _: Amounts) -> Breach | None:
        for place in range(1, len(amounts)):
            if amounts[place] > amounts[place - 1]:
                message = Message(
                    "place {place} earns {above}, place {next} earns {below}",
                    place=place,
                    above=amount_text(amounts[place - 1], case.unit),
                    next=place + 1,
                    below=amount_text(amounts[place], case.unit),
                )
                return Breach(message, amounts[place] - amounts[place - 1])
        return None

    for size in SIZES:
        for level in _levels(case):
            one = case.uniform(size, level)
            yield Trial(entrants(size, stated_level(case, level)), one, one, verdict)


def longer(case: AuditCase) -> Iterator[Trial]:
    """An event of two days compared with two events of one day, by the total each pays."""
    declared = case.rulebook.inputs.get("sessions")
    if declared is None or declared.type == "word":
        return

    def verdict(one: Amounts, two: Amounts) -> Breach | None:
        twice, once = 2 * sum(one, Fraction(0)), sum(two, Fraction(0))
        if abs(once - twice) <= twice / 100:
            return None
        change = float(100 * (once / twice - 1)) if twice else 0.0
        message = Message(
            "two one-day events pay {twice} in total, one two-day event {once} ({change}%)",
            twice=amount_text(twice, case.unit),
            once=amount_text(once, case.unit),
            change=f"{change:+.0f}",
        )
        return Breach(message, abs(once - twice))

    one_day, two_days = (with_facts(case, sessions=Fraction(n)) for n in (2, 4))
    for size in FEW:
        level = middle(case)
        some = entrants(size, stated_level(case, level))
        words = Message("{entrants}, 2 sessions twice or 4 sessions", entrants=some)
        yield Trial(words, one_day.uniform(size, level), two_days.uniform(size, level), verdict)


def pairs_and_teams(case: AuditCase) -> Iterator[Trial]:
    """The same players as pairs and as teams of four, by points to players."""
    kind = case.rulebook.inputs.get("kind")
    teams = next((w for w in ("teams", "swiss") if kind and w in kind.words), "")
    if not teams or case.line or case.facts.get("kind") != "pairs":
        return
    as_teams = with_facts(case, kind=teams)

    def verdict(pairs: Amounts, fours: Amounts) -> Breach | None:
        two, four = 2 * sum(pairs, Fraction(0)), 4 * sum(fours, Fraction(0))
        template = mark("as pairs they are paid {one}, as teams {other}")
        return unlike_totals(case, two, four, template)

    for size in (12, 16, 24, 50, 100):
        level = middle(case)
        words = Message(
            "{count} players, as {pairs} pairs or {teams} teams",
            count=2 * size,
            pairs=size,
            teams=size // 2,
        )
        if case.strength:
            words = Message(
                "{players} (strength {level})", players=words, level=figure(show(level))
            )
        pair, team = case.uniform(size, level), as_teams.uniform(size // 2, level)
        yield Trial(words, pair, team, verdict)


def two_lines(case: AuditCase) -> Iterator[Trial]:
    """The same entrants ranked in one list and in two lines, by the total paid."""
    one = case.in_one_list if case.line else None
    if one is None:
        return

    def verdict(whole: Amounts, line: Amounts) -> Breach | None:
        once, twice = sum(whole, Fraction(0)), 2 * sum(line, Fraction(0))
        template = mark("one list pays {one}, two lines {other}")
        return unlike_totals(case, once, twice, template)

    level = middle(case)
    for size in (4, 6, 8, 12, 16, 24, 60):
        words = Message(
            "{entrants}, in one list or in two lines of {half}",
            entrants=entrants(2 * size, stated_level(case, level)),
            half=size,
        )
        yield Trial(words, one.uniform(2 * size, level), case.uniform(size, level), verdict)


def ties(case: AuditCase) -> Iterator[Trial]:
    """A tie compared with the same places untied, by the total paid."""
    level = middle(case)
    for size in (8, 9, 12, 16, 24, 60):
        plain = case.uniform(size, level)
        amounts = case.awards([plain])[0]
        paid = sum(a > 0 for a in amounts or ()) or 1
        for words, sizes in _tie_patterns(size, paid):
            tied = case.field([level] * size, sizes)
            tie = Message("{count} entrants, {paid} paid, {tie}", count=size, paid=paid, tie=words)
            yield Trial(tie, plain, tied, _conserved(case, max(sizes)))


def _tie_patterns(size: int, paid: int) -> Iterator[tuple[Message, list[int]]]:
    yield Message("a tie of two for first"), [2]
    if paid >= 3:
        yield Message("a tie of two for second"), [1, 2]
    if paid < size:
        alone = [1] * (paid - 1)
        yield Message("a tie of two for the last paid place"), [*alone, 2]
        yield Message("a tie of three across the last paid place"), [*alone[:-1], 3]
    yield Message("all tied"), [size]


def _conserved(case: AuditCase, tied: int) -> Verdict:
    """Rounding may create or lose one unit for each tied entrant, and no more."""

    def verdict(plain: Amounts, shared: Amounts) -> Breach | None:
        before, after = sum(plain, Fraction(0)), sum(shared, Fraction(0))
        off = abs(after - before)
        if not off:
            return None
        message = Message(
            "the tie makes {off}: {before} → {after}"
            if after > before
            else "the tie loses {off}: {before} → {after}",
            off=amount_text(off, case.unit),
            before=amount_text(before, case.unit),
            after=amount_text(after, case.unit),
        )
        return Breach(message, off, off <= case.unit * tied)

    return verdict


def permuted(case: AuditCase) -> Iterator[Trial]:
    """The entrants listed in another order, with the same places."""

    def verdict(straight: Amounts, turned: Amounts) -> Breach | None:
        back = list(turned)[::-1]
        if list(straight) == back:
            return None
        off = max(abs(a - b) for a, b in zip(straight, back, strict=True))
        return Breach(Message("the order of the list changes awards"), off)

    grid = case.strengths(9)
    for size in (4, 8, 13, 24):
        mixed = [grid[k % len(grid)] for k in range(size)]
        field = case.field(mixed, [1, 2])
        other = Field(field.facts, field.standings[::-1])
        words = Message("{count} entrants of mixed strength, listed backwards", count=size)
        yield Trial(words, field, other, verdict)


PROMISES = (
    Promise("newcomer", Message("adding an entrant never lowers an award"), newcomers),
    Promise("stronger", Message("a stronger field never pays less"), stronger),
    Promise("place", Message("a better place never pays less"), better_place),
    Promise(
        "length", Message("one two-day event pays in total what two one-day events do"), longer
    ),
    Promise(
        "kind", Message("pairs and teams of the same players pay the same total"), pairs_and_teams
    ),
    Promise(
        "lines",
        Message("two lines pay in total what one list of the same entrants does"),
        two_lines,
    ),
    Promise("ties", Message("ties neither create nor destroy points beyond rounding"), ties),
    Promise("order", Message("permuting entrants changes nothing"), permuted),
    Promise(
        "limit",
        Message("a limit that keeps nobody out changes nothing"),
        limits_that_keep_nobody_out,
    ),
    Promise(
        "deals",
        Message("a session, stages and a Swiss of the same deals pay alike"),
        same_deals,
    ),
)
