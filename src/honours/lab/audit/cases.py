"""Made-up fields for any rulebook: how many entrants, how strong, and whatever else it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from honours.engine.award import award
from honours.engine.columns.award import award_fields
from honours.engine.numbers import decimals
from honours.engine.rulebook import Input, Rulebook
from honours.engine.written_names import public
from honours.errors import HonoursError, InputError, MissingInput
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message, joined

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
        low, high = case.range
        try:
            held = (low + high) / 10 if high > 50 else high / 2
            tried = award(rulebook, case.uniform(24, held), in_words=False)
            return None if tried.refusal else case
        except MissingInput as missing:
            added = from_example(rulebook, missing.names)
            if added is None:
                return None
            facts = {**facts, **added}
        except HonoursError:
            return None
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
