"""Two promises searched by bisection: awards do not jump, and no quantity is held up at zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from statistics import median
from types import FunctionType
from typing import Any

from honours.engine.award import award
from honours.engine.exact.working import Working
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule, titled
from honours.lab.audit.promises import (
    FINEST,
    Amounts,
    AuditCase,
    Breach,
    Promise,
    Trial,
    completed,
    entrants,
    figure,
    rising,
    tried,
)
from honours.model import Entrant, Field, Game, Standing, Value
from honours.model.message import Message, plural

# --- two promises searched by bisection ---------------------------------------------------------

_SIZES = (12, 60)
_ALL_SIZES = tuple(range(4, 64))
_GRID = 60
_EXACT_GRIDS = (_GRID, 8)
_NEAR = 3
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class _Span:
    """Two strengths of a field of one size, and what first place is paid at each."""

    size: int
    low: Fraction
    high: Fraction
    paid_low: Fraction
    paid_high: Fraction

    @property
    def change(self) -> Fraction:
        return abs(self.paid_high - self.paid_low)

    @property
    def middle(self) -> Fraction:
        return Fraction(round((self.low + self.high) / 2 / FINEST)) * FINEST

    @property
    def is_close(self) -> bool:
        """True if there is no strength between the two."""
        return self.middle in (self.low, self.high)

    def halved(self, paid: Fraction) -> _Span:
        """The half in which first place changes more."""
        middle = self.middle
        if abs(paid - self.paid_low) >= abs(self.paid_high - paid):
            return _Span(self.size, self.low, middle, self.paid_low, paid)
        return _Span(self.size, middle, self.high, paid, self.paid_high)


def strength_jumps(case: AuditCase) -> Iterator[Breach | None]:
    """Yield a breach where a hundredth more strength moves first place by more than rounding can.

    All spans of a grid are halved together towards the larger change; a jump is a change that still
    exceeds rounding when no strength lies between the two ends.
    """
    # A limit in the rulebook may hide a fall within a rise: always look at it closely.
    grid = sorted({*case.strengths(_GRID), *case.limits()})
    if len(grid) < 2:
        return
    asked = [(size, strength) for size in _SIZES for strength in grid]
    paid = dict(zip(asked, _first_awards(case, asked), strict=True))
    spans = [
        _Span(size, low, high, a, b)
        for size in _SIZES
        for low, high in pairwise(grid)
        if (a := paid[size, low]) is not None and (b := paid[size, high]) is not None
    ]
    yield from [None] * len(asked)
    while spans := [span for span in spans if span.change > 2 * case.unit]:
        for span in (span for span in spans if span.is_close):
            yield _strength_jump(case, span)
        spans = [span for span in spans if not span.is_close]
        awards = _first_awards(case, [(span.size, span.middle) for span in spans])
        yield from [None] * len(spans)
        halves = zip(spans, awards, strict=True)
        spans = [span.halved(middle) for span, middle in halves if middle is not None]


def _first_awards(case: AuditCase, asked: list[tuple[int, Fraction]]) -> list[Fraction | None]:
    """Return the award for first place in fields of each size and strength; ``None`` if refused."""
    awards: list[Fraction | None] = []
    for start in range(0, len(asked), _AT_ONCE):
        fields = [case.uniform(*one) for one in asked[start : start + _AT_ONCE]]
        awards += [None if amounts is None else amounts[0] for amounts in case.awards(fields)]
    return awards


def _strength_jump(case: AuditCase, span: _Span) -> Breach:
    message = Message(
        "first place falls from {old} to {new} at once"
        if span.paid_high < span.paid_low
        else "first place rises from {old} to {new} at once",
        old=case.shown(span.paid_low),
        new=case.shown(span.paid_high),
    )
    words = rising(case, span.size, span.low, span.high)
    fields = (case.uniform(span.size, level) for level in (span.low, span.high))
    return Breach(Trial(words, *fields), message, span.change)


def size_jumps(case: AuditCase) -> Iterator[Breach | None]:
    """Yield a breach where one more entrant moves first place far more than at neighbouring
    sizes."""
    level = case.middle
    firsts = dict(
        zip(_ALL_SIZES, _first_awards(case, [(n, level) for n in _ALL_SIZES]), strict=True)
    )
    steps = {
        n: b - a for (n, a), (_, b) in pairwise(firsts.items()) if a is not None and b is not None
    }
    yield from [None] * len(firsts)
    for size, step in steps.items():
        beside = [abs(steps[k]) for k in range(size - _NEAR, size + _NEAR + 1) if k in steps]
        beside.remove(abs(step))
        if abs(step) < 2 * case.unit or not beside or abs(step) <= 5 * median(beside):
            continue
        before = firsts[size] or Fraction(0)
        message = Message(
            "first place goes from {old} to {new} with entrant {number}",
            old=case.shown(before),
            new=case.shown(before + step),
            number=size + 1,
        )
        words = Message("{count} entrants, then {more}", count=size, more=size + 1)
        fields = (case.uniform(many, level) for many in (size, size + 1))
        yield Breach(Trial(words, *fields), message, abs(step))


def held_at_zero(case: AuditCase) -> Iterator[Breach | None]:
    """Quantities of the field that a limit keeps at 0 because they would otherwise be negative."""
    rules = [r for r in case.rulebook.rules if r.kind == "rule" and r.per == "field"]
    limited = [r for r in rules if "max" in r.function.__code__.co_names]
    if not limited:
        return
    # Each is worked out exactly, so the larger size is tried at fewer strengths.
    asked = [
        (size, strength)
        for size, steps in zip(_SIZES, _EXACT_GRIDS, strict=True)
        for strength in sorted({*case.strengths(steps), *case.limits()})
    ]
    yield from [None] * len(asked)
    for (size, strength), paid in zip(asked, _first_awards(case, asked), strict=True):
        if paid is None:
            continue
        field = case.uniform(size, strength)
        working = Working(case.rulebook, field)
        for rule in limited:
            raw = _without_limit(case, rule, working)
            if raw is not None and raw < 0:
                name = titled(rule.name)
                message = Message(
                    "{name} would be {raw} and is held at 0", name=name, raw=figure(show(raw))
                )
                words = entrants(case, size, strength)
                yield Breach(Trial(words, field, field), message, abs(raw))


def _without_limit(case: AuditCase, rule: Rule, working: Working) -> Fraction | None:
    """The rule's value if ``max`` and ``min`` did not limit it, where the rule applies."""
    if case.rulebook.inputs.get(rule.name) is None and working.graph.active(rule.name) is not rule:
        return None
    step = working.step(rule.name)
    if step.value != 0 or not step.uses:
        return None
    arguments: dict[str, Any] = {
        name: used.value for name, used in zip(rule.arguments, step.uses, strict=True)
    }
    raw = _free(rule)(**arguments)
    return raw if isinstance(raw, Fraction) else None


def _free(rule: Rule) -> Callable[..., Any]:
    """The same function, with ``max`` and ``min`` returning their first argument unchanged."""
    function = rule.function
    assert isinstance(function, FunctionType)
    scope = {**function.__globals__, "max": _as_it_is, "min": _as_it_is}
    return FunctionType(function.__code__, scope, function.__name__)


def _as_it_is(value: Any, *_: Any) -> Any:
    return value


# --- what a fair rating should promise ----------------------------------------------------------

RATINGS = tuple(map(Fraction, (-800, 100, 1500, 2100, 2500, 2900)))
_RATING_STEPS = tuple(map(Fraction, (50, 400)))
_GAMES = (1, 6, 10)
_WIN, _JIGO, _LOSS = Fraction(1), Fraction(1, 2), Fraction(0)


def rating_input(rulebook: Rulebook) -> str:
    """The number that a rulebook of games asks for about each player: the rating."""
    of_entrants = (i for i in rulebook.inputs.values() if i.per == "entrant")
    return next((i.name for i in of_entrants if i.type == "number" and i.default is None), "")


def game_case(rulebook: Rulebook) -> AuditCase | None:
    """The rulebook with the inputs it requires about a tournament."""

    def probed(case: AuditCase) -> AuditCase:
        award(rulebook, _tournament(case, RATINGS[:2], [(0, 1, _WIN)]), in_words=False)
        return case

    return completed(AuditCase(rulebook), probed)


Played = tuple[int, int, Fraction]
"""A player, the opponent, and the result."""


def _tournament(
    case: AuditCase, ratings: Sequence[Fraction], played: Sequence[Played], stones: int = 0
) -> Field:
    """Players with these ratings and their games; the first player of each game receives the
    stones."""
    games: list[list[Game]] = [[] for _ in ratings]
    for one, other, result in played:
        for who, against, own, received in (
            (one, other, result, stones),
            (other, one, 1 - result, -stones),
        ):
            facts: dict[str, Value] = {"result": own, "stones": Fraction(received)}
            games[who].append(Game(str(against + 1), facts))
    name = rating_input(case.rulebook)
    standings = tuple(
        Standing(Entrant(str(k + 1)), k + 1, facts={name: rating}, games=tuple(games[k]))
        for k, rating in enumerate(ratings)
    )
    return Field({"entrants": Fraction(len(ratings)), **case.facts}, standings)


def _meeting(own: Fraction, other: Fraction) -> Message:
    return Message("a player of {own} against one of {other}", own=own, other=other)


def changes_less(case: AuditCase, trial: Trial, before: Amounts, after: Amounts) -> Breach | None:
    """The first player gets less in the second field than in the first."""
    fall = before[0] - after[0]
    if fall <= 0:
        return None
    old, new = case.shown(before[0]), case.shown(after[0])
    message = Message("the rating changes by {old}, then by {new}", old=old, new=new)
    return Breach(trial, message, fall, fall <= case.unit)


def better_result(case: AuditCase) -> Iterator[Trial]:
    """The same game lost, drawn (jigo) and won."""
    for own, other in product(RATINGS, RATINGS):
        fields = [_tournament(case, (own, other), [(0, 1, r)]) for r in (_LOSS, _JIGO, _WIN)]
        for before, after in pairwise(fields):
            yield Trial(_meeting(own, other), before, after)


def stronger_opponent(case: AuditCase) -> Iterator[Trial]:
    """The same win against opponents of rising strength."""
    for own in RATINGS:
        fields = [(r, _tournament(case, (own, r), [(0, 1, _WIN)])) for r in RATINGS]
        for (_, before), (higher, after) in pairwise(fields):
            yield Trial(_meeting(own, higher), before, after)


def stones_given(case: AuditCase) -> Iterator[Trial]:
    """The same win with and without stones received."""
    for own, stones in product(RATINGS[1:], (1, 3, 9)):
        fields = (
            _tournament(case, (own, own + 300), [(0, 1, _WIN)], given) for given in (stones, 0)
        )
        words = Message(
            "{meeting}, {stones} or none",
            meeting=_meeting(own, own + 300),
            stones=plural("with {count} stone", "with {count} stones", count=stones),
        )
        yield Trial(words, *fields)


def equal_results(case: AuditCase) -> Iterator[Trial]:
    """Two players with the same results against the same opponents."""
    for own, less, many in product(RATINGS[1:], _RATING_STEPS, _GAMES):
        wins = [(who, 2 + k, _WIN) for who in (0, 1) for k in range(many)]
        field = _tournament(case, (own, own - less, *[own] * many), wins)
        words = Message(
            "players of {own} and {lower}, {wins} against players of {own}",
            own=own,
            lower=own - less,
            wins=plural("{count} win each", "{count} wins each", count=many),
        )
        yield Trial(words, field, field)


def overtakes(case: AuditCase, trial: Trial, amounts: Amounts, _: Amounts) -> Breach | None:
    """The second player, who is rated lower, comes to be rated higher."""
    name = rating_input(case.rulebook)
    before = [Fraction(one.facts[name]) for one in trial.first.standings[:2]]
    rated = [old + change for old, change in zip(before, amounts, strict=False)]
    by = rated[1] - rated[0]
    if by <= 0:
        return None
    higher, lower = map(case.shown, rated)
    message = Message("they come to {higher} and {lower}", higher=higher, lower=lower)
    return Breach(trial, message, by, by <= case.unit)


def one_game(case: AuditCase) -> Iterator[Trial]:
    """One game."""
    for own, other in product(RATINGS, RATINGS):
        field = _tournament(case, (own, other), [(0, 1, _WIN)])
        yield Trial(_meeting(own, other), field, field)


def makes_rating(case: AuditCase, trial: Trial, amounts: Amounts, _: Amounts) -> Breach | None:
    """The two players gain or lose together."""
    made = sum(amounts, Fraction(0))
    if not made:
        return None
    message = Message(
        "the game makes {points}" if made > 0 else "the game loses {points}",
        points=case.shown(abs(made)),
    )
    return Breach(trial, message, abs(made), abs(made) <= 2 * case.unit)


def in_any_order(case: AuditCase) -> Iterator[Trial]:
    """The same games in another order."""
    games = [(0, 1, _WIN), (0, 2, _LOSS), (0, 3, _JIGO), (1, 2, _WIN), (3, 4, _LOSS)]
    for ratings in pairwise(RATINGS):
        everybody = (*ratings, *RATINGS[:3])
        fields = (_tournament(case, everybody, own) for own in (games, games[::-1]))
        yield Trial(Message("five games of five players, listed backwards"), *fields)


def by_order(_: AuditCase, trial: Trial, straight: Amounts, turned: Amounts) -> Breach | None:
    """Ratings change with the order of the games."""
    off = max(abs(a - b) for a, b in zip(straight, turned, strict=True))
    return Breach(trial, Message("the order of the games changes ratings"), off) if off else None


BOUNDARIES = (
    Promise("jump in strength", Message("no jump at a boundary of strength"), strength_jumps),
    Promise("jump in size", Message("no jump at a boundary of size"), size_jumps),
    Promise(
        "held at zero", Message("nothing has to be kept from falling below zero"), held_at_zero
    ),
)
GAME_PROMISES = (
    Promise(
        "result", Message("a better result never pays less"), tried(better_result, changes_less)
    ),
    Promise(
        "opponent",
        Message("a win against a stronger opponent never pays less"),
        tried(stronger_opponent, changes_less),
    ),
    Promise(
        "stones",
        Message("a win with stones never pays more than one without"),
        tried(stones_given, changes_less),
    ),
    Promise(
        "ahead",
        Message("equal results never let a weaker player overtake"),
        tried(equal_results, overtakes),
    ),
    Promise(
        "made",
        Message("a game neither makes nor destroys points"),
        tried(one_game, makes_rating),
    ),
    Promise("games", Message("the order of games changes nothing"), tried(in_any_order, by_order)),
)
