"""What a fair rule should promise, as data: each promise tries pairs of fields, smallest first.

A trial is two fields (or the same one twice) and a verdict on their awards; the first trial whose
verdict is not empty is the smallest counterexample of its search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from honours.engine.award import award
from honours.engine.columns.award import award_fields
from honours.engine.numbers import decimals, show
from honours.engine.rulebook import Input, Rulebook
from honours.engine.rules import public
from honours.errors import HonoursError, InputError, MissingInput
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message, joined, mark

# --- made-up fields for any rulebook ------------------------------------------------------------

_PLAYERS = {"individual": 1, "pairs": 2, "teams": 4, "swiss": 4, "board-a-match": 4}
_MOST_STRENGTH = Fraction(20_000)
_TRIES = 12
FINEST = Fraction(1, 100)
"""The smallest step of a strength: holdings have two decimals."""


@dataclass(frozen=True)
class AuditCase:
    """A rulebook with the words and facts that its made-up fields share.

    If ``line`` is set, every field is that one of an event's two lines, each ranked separately.
    """

    rulebook: Rulebook
    facts: dict[str, Value] = field(default_factory=dict)
    line: str = ""

    @property
    def label(self) -> Message:
        facts = [f"{public(k)}={v}" for k, v in self.facts.items()]
        return joined(", ", [*facts, *([Message("in two lines")] if self.line else [])])

    @cached_property
    def unit(self) -> Fraction:
        """The smallest step of an award."""
        return Fraction(1, 10**self.rulebook.decimals)

    @cached_property
    def strength(self) -> Input | None:
        """The number the rulebook asks for about each player: a holding or a rating. An input
        with a default is taken only if there is no other, since it merely accompanies one
        (eligibility points, say)."""
        asked = [
            declared
            for declared in self.rulebook.inputs.values()
            if declared.per == "player" and declared.type == "number"
        ]
        return next((a for a in asked if a.default is None), asked[0] if asked else None)

    @cached_property
    def range(self) -> tuple[Fraction, Fraction]:
        """The lowest and the highest strength that make sense to try."""
        declared = self.strength
        if declared is None:
            return Fraction(0), Fraction(0)
        low = max(declared.least or Fraction(0), Fraction(0))
        return low, min(declared.most or _MOST_STRENGTH, _MOST_STRENGTH)

    def strengths(self, steps: int) -> list[Fraction]:
        """Strengths over the range, closer together at the lower end."""
        low, high = self.range
        if low == high:
            return [low]
        start = max(low, high / 1000)
        ratio = float(high / start) ** (1 / (steps - 1))
        points = [_tidy(float(start) * ratio**k, high) for k in range(steps)]
        return sorted({low, *points})

    def limits(self) -> list[Fraction]:
        """The rulebook's own numbers that lie in the range of strengths, and just above each."""
        low, high = self.range
        numbers = (p.value for p in self.rulebook.parameters.values())
        inside = {n for n in numbers if isinstance(n, Fraction) and low <= n < high}
        return sorted(inside | {n + FINEST for n in inside}) if low < high else []

    @property
    def players(self) -> int:
        return _PLAYERS.get(str(self.facts.get("kind", "pairs" if self._pairs else "")), 1)

    @property
    def _pairs(self) -> bool:
        kind = self.rulebook.inputs.get("kind")
        return kind is not None and kind.default == "pairs"

    def field(
        self, strengths: Sequence[Fraction], tied: Sequence[int] = (), opposite: int = 0
    ) -> Field:
        """A field whose entrants have these strengths, first to last. ``tied`` gives the sizes
        of ties from the top; the remaining entrants are untied. ``opposite`` is the size of the
        other line if it differs."""
        each = {id(strength): strength for strength in strengths}  # a fraction is slow to hash
        people = {number: self._people(strength) for number, strength in each.items()}
        of_entrants = self._of_entrants()
        standings: list[Standing] = []
        sizes = iter(tied)
        while len(standings) < len(strengths):
            size = min(next(sizes, 1), len(strengths) - len(standings))
            place = len(standings) + 1
            for _ in range(size):
                at = len(standings)
                entrant = Entrant(str(at + 1), people[id(strengths[at])], f"entrant {at + 1}")
                standings.append(Standing(entrant, place, size, facts=of_entrants))
        facts: dict[str, Value] = {"entrants": Fraction(len(strengths)), **self.facts}
        if self.line:
            both = Fraction(len(strengths) + (opposite or len(strengths)))
            lines: dict[str, Value] = {"line": self.line, "all_lines": both}
            facts |= {k: v for k, v in lines.items() if k in self.rulebook.inputs}
        return Field(facts, tuple(standings), self.line)

    def _people(self, strength: Fraction) -> tuple[Player, ...]:
        """The players of an entrant; equal players are indistinguishable to a rule, so each is
        made once."""
        facts: dict[str, Value] = {}
        if self.strength is not None:
            facts[self.strength.name] = strength
        return tuple(Player(f"player {k + 1}", facts=facts) for k in range(self.players))

    @cached_property
    def in_one_list(self) -> AuditCase | None:
        """The same kind of event ranked in one list, if the rulebook has such events."""
        kind = self.facts.get("kind")
        return _completed(self.rulebook, {} if kind is None else {"kind": kind})

    def _of_entrants(self) -> dict[str, Value]:
        """Facts of entrants without a default, all set to 1, which means both "yes" and "a
        single one"."""
        inputs = self.rulebook.inputs.values()
        return {i.name: Fraction(1) for i in inputs if i.per == "entrant" and i.default is None}

    def awards(self, fields: Sequence[Field]) -> list[list[Fraction] | None]:
        """What each field is awarded, place by place; None where it is refused."""
        return award_fields(self.rulebook, list(fields))

    def uniform(self, entrants: int, strength: Fraction) -> Field:
        return self.field([strength] * entrants)


def _tidy(value: float, most: Fraction) -> Fraction:
    """The number rounded to about three digits, because people read counterexamples."""
    digits = max(0, 3 - len(str(int(value))))
    return min(Fraction(f"{value:.{digits}f}"), most)


def cases_of(rulebook: Rulebook) -> Iterator[AuditCase]:
    """A case for every kind of event the rulebook awards, and one with two lines if it ranks
    them separately; everything else has its default."""
    seen: list[object] = []
    for case in _tried(rulebook):
        if case is None:
            continue
        probe = (
            case.players,
            case.line,
            case.awards([case.uniform(n, sum(case.range, Fraction(0)) / 7) for n in (9, 60)]),
        )
        if probe not in seen:  # another word for the same rule
            seen.append(probe)
            yield case


def _tried(rulebook: Rulebook) -> Iterator[AuditCase | None]:
    kinds = rulebook.inputs["kind"].words if "kind" in rulebook.inputs else ("",)
    for kind in kinds:
        yield _completed(rulebook, {"kind": kind} if kind else {})
    lists = rulebook.lists
    if lists.lines == "each" and lists.line_words:
        yield _completed(rulebook, dict(lists.line_when), lists.line_words[0])


_TRIED_NUMBERS = {
    "sessions": (1, 3, 4),
    "boards_per_session": (16, 18, 24, 36),
    "boards": (18, 24, 48),
    "limit": (300, 301, 750, 3001),
    "restrictions": (0, 1, 2),
    "matches": (4, 8),
}
_NOT_VARIED = (
    "entrants",
    "kind",
    "places",
    "date",
    "stratum",
    "stratum_kind",
    "line",
    "all_lines",
    "winners",
)


def varied_cases(case: AuditCase) -> Iterator[AuditCase]:
    """The case with every other value of everything the rulebook declares about an event: each
    word, and numbers on either side of the values at which rules change."""
    for name, declared in case.rulebook.inputs.items():
        if declared.per != "field" or public(name) in _NOT_VARIED:
            continue
        values: list[Value] = [w for w in declared.words if w != declared.default]
        if declared.type in ("number", "count"):
            known = _TRIED_NUMBERS.get(public(name))
            values = list(map(Fraction, known)) if known else list(_around(declared))
        for value in values:
            if case.facts.get(name) == value:
                continue
            made = _completed(case.rulebook, {**case.facts, name: value}, case.line)
            if made is not None:
                yield made


def _around(declared: Input) -> Iterator[Fraction]:
    """Numbers to try if none were chosen: 0, 1, and half, once and twice the example, if
    accepted."""
    example = declared.example or (declared.default if isinstance(declared.default, str) else "")
    try:
        middle = Fraction(example)
    except (ValueError, ZeroDivisionError):
        middle = Fraction(2)
    tried = (Fraction(0), Fraction(1), middle / 2, middle, 2 * middle)
    for value in dict.fromkeys(tried):
        whole = declared.type != "count" or value.denominator == 1
        if whole and _is_taken(declared, value):
            yield value


def _is_taken(declared: Input, value: Fraction) -> bool:
    try:
        declared.check(value)
    except InputError:
        return False
    return True


def _completed(rulebook: Rulebook, facts: dict[str, Value], line: str = "") -> AuditCase | None:
    """The case completed with the inputs the rulebook requires, from its own examples."""
    for _ in range(_TRIES):
        case = AuditCase(rulebook, facts, line)
        try:
            return case if _awards_any(case) else _changed(case)
        except MissingInput as missing:
            added = from_example(rulebook, missing.names)
            if added is None:
                return None
            facts = {**facts, **added}
        except HonoursError:
            return None
    return None


_PROBED = (24, 60, 120, 8, 400)
"""Entrants of the fields that are tried until a rulebook awards one."""


def _awards_any(case: AuditCase) -> bool:
    """Whether the rulebook awards some field of the case: of any size and strength tried."""
    low, high = case.range
    usual = (low + high) / 10 if high > 50 else high / 2
    levels = dict.fromkeys((usual, low, high, (low + high) / 2))
    return any(
        award(case.rulebook, case.uniform(size, held), in_words=False).refusal is None
        for size in _PROBED
        for held in levels
    )


def _changed(case: AuditCase) -> AuditCase | None:
    """The case with the first other word or number of an event that makes the rulebook award it."""
    for name, declared in case.rulebook.inputs.items():
        if declared.per != "field" or name in case.facts or public(name) in _NOT_VARIED:
            continue
        values: list[Value] = [w for w in declared.words if w != declared.default]
        if declared.type in ("number", "count"):
            values = [*_around(declared), *map(Fraction, _TRIED_NUMBERS.get(public(name), ()))]
        for value in values:
            other = with_facts(case, **{name: value})
            with suppress(HonoursError):
                if _awards_any(other):
                    return other
    return None


def from_example(rulebook: Rulebook, wanted: Iterable[str]) -> dict[str, Value] | None:
    """The value that a rulebook's own example gives for a missing input."""
    for key in wanted:
        try:
            declared = rulebook.input(key)
        except InputError:
            continue
        text = declared.in_example
        if text and declared.per == "field":
            return {declared.name: declared.read(text)}
    return None


def with_facts(case: AuditCase, **facts: Value) -> AuditCase:
    """The case with other facts."""
    return replace(case, facts={**case.facts, **facts})


def amount_text(amount: Fraction, unit: Fraction) -> Decimal | str:
    """An award as people write it."""
    return figure(f"{float(amount):.{max(decimals(unit), decimals(amount))}f}")


def figure(text: str) -> Decimal | str:
    """A written number, to be formatted in the reader's language; other texts stay as they are."""
    if not re.fullmatch(r"-?\d+\.\d+", text):
        return text
    number = Decimal(text)
    return number if str(number) == text else text  # one with an exponent is none we write


# --- a trial of a promise -----------------------------------------------------------------------

Amounts = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Breach:
    """What breaks a promise, and by how many points; ``rounding`` tells whether rounding alone
    explains it."""

    found: Message
    by: Fraction
    rounding: bool = False


def unlike_totals(case: AuditCase, one: Fraction, other: Fraction, template: str) -> Breach | None:
    """A breach in these words if two totals differ by more than a fiftieth."""
    if abs(one - other) <= max(one, other) / 50:
        return None
    words = Message(template, one=amount_text(one, case.unit), other=amount_text(other, case.unit))
    return Breach(words, abs(one - other))


Verdict = Callable[[Amounts, Amounts], Breach | None]
"""What breaks the promise, if anything."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Two fields described in words, and the check on their awards that would show a breach."""

    words: Message
    first: Field
    second: Field
    verdict: Verdict


def middle(case: AuditCase) -> Fraction:
    """A strength in the middle of those that are tried."""
    grid = case.strengths(9)
    return grid[len(grid) // 2]


def entrants(size: int, level: Fraction | None = None) -> Message:
    """The number of entrants and, for a rulebook that asks for it, their strength."""
    if level is None:
        return Message("{count} entrants", count=size)
    return Message("{count} entrants of strength {level}", count=size, level=figure(show(level)))


def stated_level(case: AuditCase, level: Fraction) -> Fraction | None:
    """The strength to state, for a rulebook that asks for it."""
    return level if case.strength else None


# --- two promises about what should not matter --------------------------------------------------

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


# --- what a fair rule should promise, as data ---------------------------------------------------

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
