"""What a fair rule should promise, as data: each promise tries pairs of fields, smallest first.

A trial is two fields (or the same twice) and a verdict on what they are awarded; the first trial
whose verdict is not empty is the smallest counterexample of its search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from honours.engine.numbers import show
from honours.lab.audit.cases import Case, shown, with_facts
from honours.model import Field

Amounts = Sequence[Fraction]
Verdict = Callable[[Amounts, Amounts], str]

SIZES = (*range(3, 41), 50, 60, 80, 100, 101, 120)
FEW = (6, 24, 60, 120)
_GRID = 100


@dataclass(frozen=True, slots=True)
class Trial:
    """Two fields, in words, and what would break the promise between them."""

    words: str
    first: Field
    second: Field
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise by name, in a sentence, and the trials that could break it."""

    name: str
    words: str
    trials: Callable[[Case], Iterator[Trial]]


def _middle(case: Case) -> Fraction:
    grid = case.strengths(9)
    return grid[len(grid) // 2]


def _levels(case: Case) -> list[Fraction]:
    grid = case.strengths(9)
    return sorted({grid[len(grid) // 3], grid[len(grid) // 2], grid[-2]}) if len(grid) > 3 else grid


def _of(case: Case, level: Fraction) -> str:
    """How strong they are, for a rulebook that asks."""
    return f" of strength {show(level)}" if case.strength else ""


def _never_less(case: Case) -> Verdict:
    def verdict(before: Amounts, after: Amounts) -> str:
        for place, (old, new) in enumerate(zip(before, after, strict=False), 1):
            if new < old:
                return (
                    f"place {place} falls from {shown(old, case.unit)} to {shown(new, case.unit)}"
                )
        return ""

    return verdict


def newcomers(case: Case) -> Iterator[Trial]:
    """One more entrant, as strong as the rest or as weak as can be, last."""
    weakest = case.range[0]
    for size in SIZES:
        for level in _levels(case):
            before = case.uniform(size, level)
            for newcomer in dict.fromkeys((level, weakest)):
                after = case.field([*[level] * size, newcomer])
                weak = f" of {show(newcomer)}" if case.strength else ""
                said = f"{size} entrants{_of(case, level)}, then one more{weak}"
                yield Trial(said, before, after, _never_less(case))
            if case.line:
                opposite = case.field([level] * size, opposite=size + 1)
                said = f"{size} entrants in either line, then one more in the other"
                yield Trial(said, before, opposite, _never_less(case))


def stronger(case: Case) -> Iterator[Trial]:
    """Every player stronger by a step."""
    grid = sorted({*case.strengths(_GRID), *case.limits()})
    for size in FEW:
        fields = ((level, case.uniform(size, level)) for level in grid)
        for (low, before), (high, after) in pairwise(fields):
            said = f"{size} entrants of strength {show(low)}, then of {show(high)}"
            yield Trial(said, before, after, _never_less(case))


def better_place(case: Case) -> Iterator[Trial]:
    """The same field twice: place by place."""

    def verdict(amounts: Amounts, _: Amounts) -> str:
        for place in range(1, len(amounts)):
            if amounts[place] > amounts[place - 1]:
                above, below = (
                    shown(amounts[place - 1], case.unit),
                    shown(amounts[place], case.unit),
                )
                return f"place {place} earns {above}, place {place + 1} earns {below}"
        return ""

    for size in SIZES:
        for level in _levels(case):
            one = case.uniform(size, level)
            yield Trial(f"{size} entrants{_of(case, level)}", one, one, verdict)


def longer(case: Case) -> Iterator[Trial]:
    """An event of two days against two events of one day, by what each pays in total."""
    declared = case.rulebook.inputs.get("sessions")
    if declared is None or declared.type == "word":
        return

    def verdict(one: Amounts, two: Amounts) -> str:
        twice, once = 2 * sum(one, Fraction(0)), sum(two, Fraction(0))
        if abs(once - twice) <= twice / 100:
            return ""
        change = float(100 * (once / twice - 1)) if twice else 0.0
        return (
            f"two one-day events pay {shown(twice, case.unit)} in total, one two-day event "
            f"{shown(once, case.unit)} ({change:+.0f}%)"
        )

    one_day, two_days = (with_facts(case, sessions=Fraction(n)) for n in (2, 4))
    for size in FEW:
        level = _middle(case)
        said = f"{size} entrants{_of(case, level)}, 2 sessions twice or 4 sessions"
        yield Trial(said, one_day.uniform(size, level), two_days.uniform(size, level), verdict)


def pairs_and_teams(case: Case) -> Iterator[Trial]:
    """The same players as pairs and as teams of four, by points to players."""
    kind = case.rulebook.inputs.get("kind")
    teams = next((w for w in ("teams", "swiss") if kind and w in kind.words), "")
    if not teams or case.line or case.facts.get("kind") != "pairs":
        return
    as_teams = with_facts(case, kind=teams)

    def verdict(pairs: Amounts, fours: Amounts) -> str:
        two, four = 2 * sum(pairs, Fraction(0)), 4 * sum(fours, Fraction(0))
        if abs(two - four) <= max(two, four) / 50:
            return ""
        return f"as pairs they are paid {shown(two, case.unit)}, as teams {shown(four, case.unit)}"

    for size in (12, 16, 24, 50, 100):
        level = _middle(case)
        said = f"{2 * size} players{_of(case, level)}, as {size} pairs or {size // 2} teams"
        pair, team = case.uniform(size, level), as_teams.uniform(size // 2, level)
        yield Trial(said, pair, team, verdict)


def two_lines(case: Case) -> Iterator[Trial]:
    """The same entrants ranked in one list and in two lines, by what all are paid together."""
    one = case.in_one_list if case.line else None
    if one is None:
        return

    def verdict(whole: Amounts, line: Amounts) -> str:
        once, twice = sum(whole, Fraction(0)), 2 * sum(line, Fraction(0))
        if abs(once - twice) <= max(once, twice) / 50:
            return ""
        return f"one list pays {shown(once, case.unit)}, two lines {shown(twice, case.unit)}"

    level = _middle(case)
    for size in (4, 6, 8, 12, 16, 24, 60):
        said = f"{2 * size} entrants{_of(case, level)}, in one list or in two lines of {size}"
        yield Trial(said, one.uniform(2 * size, level), case.uniform(size, level), verdict)


def ties(case: Case) -> Iterator[Trial]:
    """A tie against the same places untied, by what all are paid together."""
    level = _middle(case)
    for size in (8, 9, 12, 16, 24, 60):
        plain = case.uniform(size, level)
        found = case.awards([plain])[0]
        paid = sum(a > 0 for a in found or ()) or 1
        for words, sizes in _tie_patterns(size, paid):
            tied = case.field([level] * size, sizes)
            said = f"{size} entrants, {paid} paid, {words}"
            yield Trial(said, plain, tied, _conserved(case, size))


def _tie_patterns(size: int, paid: int) -> Iterator[tuple[str, list[int]]]:
    yield "a tie of two for first", [2]
    if paid >= 3:
        yield "a tie of two for second", [1, 2]
    if paid < size:
        alone = [1] * (paid - 1)
        yield "a tie of two for the last paid place", [*alone, 2]
        yield "a tie of three across the last paid place", [*alone[:-1], 3]
    yield "all tied", [size]


def _conserved(case: Case, most: int) -> Verdict:
    """More than half a unit of rounding each would be made or lost."""

    def verdict(plain: Amounts, tied: Amounts) -> str:
        before, after = sum(plain, Fraction(0)), sum(tied, Fraction(0))
        if abs(after - before) <= case.unit * most / 2:
            return ""
        word = "makes" if after > before else "loses"
        off = shown(abs(after - before), case.unit)
        return f"the tie {word} {off}: {shown(before, case.unit)} → {shown(after, case.unit)}"

    return verdict


def permuted(case: Case) -> Iterator[Trial]:
    """The list in another order, the places the same."""

    def verdict(straight: Amounts, turned: Amounts) -> str:
        return (
            "" if list(straight) == list(turned)[::-1] else "the order of the list changes awards"
        )

    grid = case.strengths(9)
    for size in (4, 8, 13, 24):
        mixed = [grid[k % len(grid)] for k in range(size)]
        field = case.field(mixed, [1, 2])
        other = Field(field.facts, field.standings[::-1])
        yield Trial(f"{size} entrants of mixed strength, listed backwards", field, other, verdict)


PROMISES = (
    Promise("newcomer", "adding an entrant never lowers an award", newcomers),
    Promise("stronger", "a stronger field never pays less", stronger),
    Promise("place", "a better place never pays less", better_place),
    Promise("length", "one two-day event pays in total what two one-day events do", longer),
    Promise("kind", "pairs and teams of the same players pay the same total", pairs_and_teams),
    Promise("lines", "two lines pay in total what one list of the same entrants does", two_lines),
    Promise("ties", "ties neither create nor destroy points beyond rounding", ties),
    Promise("order", "permuting entrants changes nothing", permuted),
)
