"""The promises of a fair rule, as data: each promise tries pairs of fields, smallest first.

A trial is two fields (or the same one twice), and a verdict says what their awards break; the first
breach is the smallest counterexample of its search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise, product

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
        """Return each field's awards, place by place; ``None`` for a field that is refused."""
        return award_fields(self.rulebook, list(fields))

    def shown(self, amount: Fraction) -> Decimal | str:
        """An award as people write it."""
        return figure(f"{float(amount):.{max(decimals(self.unit), decimals(amount))}f}")

    @property
    def middle(self) -> Fraction:
        """A strength in the middle of those that are tried."""
        grid = self.strengths(9)
        return grid[len(grid) // 2]

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
        known = _TRIED_NUMBERS.get(public(name))
        for value in map(Fraction, known) if known else _others(declared):
            made = _completed(case.rulebook, {**case.facts, name: value}, case.line)
            if made is not None and case.facts.get(name) != value:
                yield made


def _others(declared: Input) -> Iterator[Value]:
    """Other values to try: each word, or if they are accepted 0, 1, and half, once and twice the
    example."""
    if declared.type not in ("number", "count"):
        yield from (word for word in declared.words if word != declared.default)
        return
    example = declared.example or (declared.default if isinstance(declared.default, str) else "")
    try:
        middle = Fraction(example)
    except (ValueError, ZeroDivisionError):
        middle = Fraction(2)
    for value in dict.fromkeys((Fraction(0), Fraction(1), middle / 2, middle, 2 * middle)):
        with suppress(InputError):
            declared.check(value)
            if declared.type != "count" or value.denominator == 1:
                yield value


def _completed(rulebook: Rulebook, facts: dict[str, Value], line: str = "") -> AuditCase | None:
    return completed(
        AuditCase(rulebook, facts, line),
        lambda case: case if _awards_any(case) else _changed(case),
    )


def completed(case: AuditCase, probed: Callable[[AuditCase], AuditCase | None]) -> AuditCase | None:
    """The case completed with the inputs the rulebook requires, from its own examples, as it was
    ``probed``."""
    for _ in range(_TRIES):
        try:
            return probed(case)
        except MissingInput as missing:
            added = _from_example(case.rulebook, missing.names)
            if added is None:
                return None
            case = with_facts(case, **added)
        except HonoursError:
            return None
    return None


_PROBED = (24, 60, 120, 8, 400)
"""Entrants of the fields that are tried until a rulebook awards one."""


def _awards_any(case: AuditCase) -> bool:
    """Return whether the rulebook awards some field of the case: of any size and strength tried."""
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
        numbers = _TRIED_NUMBERS.get(public(name), ())
        for value in (*_others(declared), *map(Fraction, numbers)):
            other = with_facts(case, **{name: value})
            with suppress(HonoursError):
                if _awards_any(other):
                    return other
    return None


def _from_example(rulebook: Rulebook, wanted: Iterable[str]) -> dict[str, Value] | None:
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


def figure(text: str) -> Decimal | str:
    """A written number, to be formatted in the reader's language; other texts stay as they are."""
    if not re.fullmatch(r"-?\d+\.\d+", text):
        return text
    number = Decimal(text)
    return number if str(number) == text else text  # one with an exponent is none we write


# --- a trial of a promise -----------------------------------------------------------------------

Amounts = Sequence[Fraction]
_AT_ONCE = 40


@dataclass(frozen=True, slots=True)
class Trial:
    """Two fields described in words; of how many events each stands for one, where totals are
    compared."""

    words: Message
    first: Field
    second: Field
    times: tuple[int, int] = field(default=(1, 1), kw_only=True)


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach of a promise: what breaks it, in which fields, and by how many points; ``rounding``
    tells whether rounding alone explains it."""

    trial: Trial
    found: Message
    by: Fraction
    rounding: bool = False

    @property
    def words(self) -> Message:
        return Message("{what}: {said}", what=self.trial.words, said=self.found)


Verdict = Callable[[AuditCase, Trial, Amounts, Amounts], Breach | None]
"""What breaks the promise in a trial, if anything."""
Search = Callable[[AuditCase], Iterator[Breach | None]]
"""Every trial of a promise: its breach, or none."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise: its name, a sentence that states it, and the search that could break it."""

    name: str
    words: Message
    search: Search


def tried(trials: Callable[[AuditCase], Iterator[Trial]], verdict: Verdict) -> Search:
    """The search that awards both fields of each trial and judges them."""

    def search(case: AuditCase) -> Iterator[Breach | None]:
        rest = trials(case)
        while chunk := list(islice(rest, _AT_ONCE)):
            # Many trials share a field with the previous one; it is awarded only once.
            fields = {id(f): f for trial in chunk for f in (trial.first, trial.second)}
            try:
                awards = dict(zip(fields, case.awards(list(fields.values())), strict=True))
            except HonoursError:  # this rulebook does not accept such a field
                continue
            for trial in chunk:
                before, after = awards[id(trial.first)], awards[id(trial.second)]
                refused = before is None or after is None
                yield None if refused else verdict(case, trial, before or (), after or ())

    return search


def _total(amounts: Amounts) -> Fraction:
    return sum(amounts, Fraction(0))


def falls(case: AuditCase, trial: Trial, before: Amounts, after: Amounts) -> Breach | None:
    """A place is paid less in the second field."""
    less = [old - new for old, new in zip(before, after, strict=False)]
    fall = max(less)
    if fall <= 0:
        return None
    place = less.index(fall)
    message = Message(
        "place {place} falls from {old} to {new}",
        place=place + 1,
        old=case.shown(before[place]),
        new=case.shown(after[place]),
    )
    return Breach(trial, message, fall, fall <= case.unit)


def differs(case: AuditCase, trial: Trial, before: Amounts, after: Amounts) -> Breach | None:
    """A place is paid differently in the second field."""
    off = max(abs(a - b) for a, b in zip(before, after, strict=False))
    if not off:
        return None
    message = Message(
        "first place is paid {old}, then {new}",
        old=case.shown(before[0]),
        new=case.shown(after[0]),
    )
    return Breach(trial, message, off, off <= case.unit)


def unlike_totals(template: str, share: int = 50) -> Verdict:
    """The totals of both differ by more than a fiftieth, or another share."""

    def verdict(case: AuditCase, trial: Trial, a: Amounts, b: Amounts) -> Breach | None:
        one, other = (n * _total(own) for n, own in zip(trial.times, (a, b), strict=True))
        if abs(one - other) <= max(one, other) / share:
            return None
        message = Message(template, one=case.shown(one), other=case.shown(other))
        return Breach(trial, message, abs(one - other))

    return verdict


# --- what should not matter, and what should ----------------------------------------------------

SIZES = (*range(3, 41), 50, 60, 80, 100, 101, 120)
FEW = (6, 24, 60, 120)
LIMITS = (100, 200, 300, 301, 500, 750, 1500, 2500, 3000, 3001, 5000, 10000)
_GRID = 100


def entrants(case: AuditCase, size: int, level: Fraction | None = None) -> Message:
    """The number of entrants and, for a rulebook that asks for it, their strength."""
    if level is None or case.strength is None:
        return Message("{count} entrants", count=size)
    return Message("{count} entrants of strength {level}", count=size, level=figure(show(level)))


def _levels(case: AuditCase) -> list[Fraction]:
    grid = case.strengths(9)
    return sorted({grid[len(grid) // 3], grid[len(grid) // 2], grid[-2]}) if len(grid) > 3 else grid


def newcomers(case: AuditCase) -> Iterator[Trial]:
    """One more entrant in last place, as strong as the rest or as weak as possible."""
    for size in SIZES:
        for level in _levels(case):
            before, some = case.uniform(size, level), entrants(case, size, level)
            for newcomer in dict.fromkeys((level, case.range[0])):
                more = Message("{entrants}, then one more", entrants=some)
                if case.strength:
                    more = Message(
                        "{entrants}, then one more of {newcomer}",
                        entrants=some,
                        newcomer=figure(show(newcomer)),
                    )
                yield Trial(more, before, case.field([*[level] * size, newcomer]))
            if case.line:
                other = Message(
                    "{count} entrants in either line, then one more in the other", count=size
                )
                yield Trial(other, before, case.field([level] * size, opposite=size + 1))


def stronger(case: AuditCase) -> Iterator[Trial]:
    """Every player stronger by a step."""
    grid = sorted({*case.strengths(_GRID), *case.limits()})
    for size in FEW:
        fields = ((level, case.uniform(size, level)) for level in grid)
        for (low, before), (high, after) in pairwise(fields):
            yield Trial(rising(case, size, low, high), before, after)


def rising(case: AuditCase, size: int, low: Fraction, high: Fraction) -> Message:
    """A field of some strength, and the same field a little stronger."""
    some = entrants(case, size, low)
    return Message("{entrants}, then of {higher}", entrants=some, higher=figure(show(high)))


def same_fields(case: AuditCase) -> Iterator[Trial]:
    """The same field twice, to be compared place by place."""
    for size in SIZES:
        for level in _levels(case):
            one = case.uniform(size, level)
            yield Trial(entrants(case, size, level), one, one)


def rises(case: AuditCase, trial: Trial, amounts: Amounts, _: Amounts) -> Breach | None:
    """A place is paid more than the one above it."""
    for place, (above, below) in enumerate(pairwise(amounts), 1):
        if below > above:
            message = Message(
                "place {place} earns {above}, place {next} earns {below}",
                place=place,
                above=case.shown(above),
                next=place + 1,
                below=case.shown(below),
            )
            return Breach(trial, message, below - above)
    return None


def longer(case: AuditCase) -> Iterator[Trial]:
    """An event of two days compared with two events of one day."""
    declared = case.rulebook.inputs.get("sessions")
    if declared is None or declared.type == "word":
        return
    one_day, two_days = (with_facts(case, sessions=Fraction(n)) for n in (2, 4))
    for size in FEW:
        fields = (way.uniform(size, case.middle) for way in (one_day, two_days))
        some = entrants(case, size, case.middle)
        words = Message("{entrants}, 2 sessions twice or 4 sessions", entrants=some)
        yield Trial(words, *fields, times=(2, 1))


def pairs_and_teams(case: AuditCase) -> Iterator[Trial]:
    """The same players as pairs and as teams of four, by points to players."""
    kind = case.rulebook.inputs.get("kind")
    teams = next((w for w in ("teams", "swiss") if kind and w in kind.words), "")
    if not teams or case.line or case.facts.get("kind") != "pairs":
        return
    level = case.middle
    for size in (12, 16, 24, 50, 100):
        words = Message(
            "{count} players, as {pairs} pairs or {teams} teams",
            count=2 * size,
            pairs=size,
            teams=size // 2,
        )
        if case.strength:
            strong = {"players": words, "level": figure(show(level))}
            words = Message("{players} (strength {level})", **strong)
        fours = with_facts(case, kind=teams).uniform(size // 2, level)
        yield Trial(words, case.uniform(size, level), fours, times=(2, 4))


def two_lines(case: AuditCase) -> Iterator[Trial]:
    """The same entrants ranked in one list and in two lines."""
    one = case.in_one_list if case.line else None
    for size in (4, 6, 8, 12, 16, 24, 60) if one is not None else ():
        assert one is not None
        words = Message(
            "{entrants}, in one list or in two lines of {half}",
            entrants=entrants(case, 2 * size, case.middle),
            half=size,
        )
        fields = one.uniform(2 * size, case.middle), case.uniform(size, case.middle)
        yield Trial(words, *fields, times=(1, 2))


def ties(case: AuditCase) -> Iterator[Trial]:
    """A tie compared with the same places untied."""
    level = case.middle
    for size in (8, 9, 12, 16, 24, 60):
        plain = case.uniform(size, level)
        paid = sum(a > 0 for a in case.awards([plain])[0] or ()) or 1
        for words, sizes in _tie_patterns(size, paid):
            tie = Message("{count} entrants, {paid} paid, {tie}", count=size, paid=paid, tie=words)
            yield Trial(tie, plain, case.field([level] * size, sizes))


def _tie_patterns(size: int, paid: int) -> Iterator[tuple[Message, list[int]]]:
    yield Message("a tie of two for first"), [2]
    if paid >= 3:
        yield Message("a tie of two for second"), [1, 2]
    if paid < size:
        alone = [1] * (paid - 1)
        yield Message("a tie of two for the last paid place"), [*alone, 2]
        yield Message("a tie of three across the last paid place"), [*alone[:-1], 3]
    yield Message("all tied"), [size]


def makes_points(case: AuditCase, trial: Trial, plain: Amounts, shared: Amounts) -> Breach | None:
    """A tie pays more or less than the same places untied; rounding may create or lose one unit
    for each tied entrant, and no more."""
    before, after = _total(plain), _total(shared)
    off = abs(after - before)
    if not off:
        return None
    message = Message(
        "the tie makes {off}: {before} → {after}"
        if after > before
        else "the tie loses {off}: {before} → {after}",
        off=case.shown(off),
        before=case.shown(before),
        after=case.shown(after),
    )
    tied = max(standing.tied for standing in trial.second.standings)
    return Breach(trial, message, off, off <= case.unit * tied)


def permuted(case: AuditCase) -> Iterator[Trial]:
    """The entrants listed in another order, with the same places."""
    grid = case.strengths(9)
    for size in (4, 8, 13, 24):
        one = case.field([grid[k % len(grid)] for k in range(size)], [1, 2])
        words = Message("{count} entrants of mixed strength, listed backwards", count=size)
        yield Trial(words, one, Field(one.facts, one.standings[::-1]))


def by_order(_: AuditCase, trial: Trial, straight: Amounts, turned: Amounts) -> Breach | None:
    """Awards change with the order of the list."""
    off = max(abs(a - b) for a, b in zip(straight, turned[::-1], strict=True))
    return Breach(trial, Message("the order of the list changes awards"), off) if off else None


def limits_that_keep_nobody_out(case: AuditCase) -> Iterator[Trial]:
    """The same field without a limit and under limits that exclude nobody in it."""
    inputs = case.rulebook.inputs
    declared, (low, high) = inputs.get("limit"), case.range
    if declared is None or declared.per != "field" or case.line or not case.strength:
        return
    ways = [case]
    if "boards_per_session" in inputs:
        ways += [with_facts(case, boards_per_session=Fraction(deals)) for deals in (18, 26)]
    levels = [Fraction(n) for n in (50, 100, 250, 1000) if low <= n <= high]
    for level, size, way in product(levels, (12, 40, 100), ways):
        free, deals = way.uniform(size, level), way.facts.get("boards_per_session")
        for limit in (limit for limit in LIMITS if limit >= level):
            words = Message(
                "{entrants}, without a limit or with one of {limit}",
                entrants=entrants(case, size, level),
                limit=limit,
            )
            if deals is not None:
                words = Message("{what} ({deals} deals a session)", what=words, deals=deals)
            yield Trial(words, free, with_facts(way, limit=Fraction(limit)).uniform(size, level))


def same_deals(case: AuditCase) -> Iterator[Trial]:
    """The same deals as one long session or several, and as a session, stages or a Swiss event."""
    inputs, ways = case.rulebook.inputs, list[tuple[Message, AuditCase]]()
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
                entrants=entrants(case, size, case.middle),
                one=first,
                other=second,
            )
            yield Trial(words, one.uniform(size, case.middle), other.uniform(size, case.middle))


PROMISES = (
    Promise(
        "newcomer", Message("adding an entrant never lowers an award"), tried(newcomers, falls)
    ),
    Promise("stronger", Message("a stronger field never pays less"), tried(stronger, falls)),
    Promise("place", Message("a better place never pays less"), tried(same_fields, rises)),
    Promise(
        "length",
        Message("one two-day event pays in total what two one-day events do"),
        tried(
            longer,
            unlike_totals(
                mark("two one-day events pay {one} in total, one two-day event {other}"), 100
            ),
        ),
    ),
    Promise(
        "kind",
        Message("pairs and teams of the same players pay the same total"),
        tried(
            pairs_and_teams,
            unlike_totals(mark("as pairs they are paid {one}, as teams {other}")),
        ),
    ),
    Promise(
        "lines",
        Message("two lines pay in total what one list of the same entrants does"),
        tried(two_lines, unlike_totals(mark("one list pays {one}, two lines {other}"))),
    ),
    Promise(
        "ties",
        Message("ties neither create nor destroy points beyond rounding"),
        tried(ties, makes_points),
    ),
    Promise("order", Message("permuting entrants changes nothing"), tried(permuted, by_order)),
    Promise(
        "limit",
        Message("a limit that keeps nobody out changes nothing"),
        tried(limits_that_keep_nobody_out, differs),
    ),
    Promise(
        "deals",
        Message("a session, stages and a Swiss of the same deals pay alike"),
        tried(same_deals, unlike_totals(mark("the one pays {one} in total, the other {other}"))),
    ),
)
