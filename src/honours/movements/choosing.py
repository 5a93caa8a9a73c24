"""Which movement to play: what suits a number of pairs, and what a rulebook would pay for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from honours.engine.award import calculate
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput, WrongValue
from honours.model import Awards
from honours.model.message import Message, plural
from honours.movements import howell as howells
from honours.movements import mitchell
from honours.movements.balance import best_switched, quality
from honours.movements.checking import MovementCheck, check
from honours.movements.individual import IndividualMovement
from honours.movements.movement import Movement

MOST_AWAY = 4
"""How many boards more or fewer than wished a movement may have."""
LEAST_PER_SET, MOST_PER_SET = 2, 8
LEAST_SHARE_OF_ROUNDS = Fraction(7, 10)
MINUTES_A_BOARD = Fraction(15, 2)
MINUTES_A_MOVE = 3
"""Eight boards an hour, and 24 of them in three and a half hours."""


SIDES = ("ns", "ew")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a club wants besides numbers of pairs and boards.

    ``missing`` is the side that a half table is without (``ns`` or ``ew``), whichever is better if
    it does not matter. With ``barometer`` every table plays the same boards in a round. ``field``
    is how many compete where this is one section of several.
    """

    missing: str = ""
    barometer: bool = False
    field: int = 0

    def __post_init__(self) -> None:
        if self.missing not in ("", *SIDES):
            raise WrongValue("missing", self.missing, "expected ns or ew")


ANY = Wishes()


@dataclass(frozen=True, slots=True)
class Offer:
    """A movement with so many boards a set, what it is like and what it would pay.

    ``boards`` are all that are in play, ``least_boards`` what whoever plays least plays.
    ``for_least`` says why whoever has a bye would be awarded nothing where the others would,
    ``per_win`` what each match won adds to what a place is paid. ``asks`` is what the rulebook must
    be told before it can say what it pays.
    """

    movement: Movement | IndividualMovement
    per_set: int
    findings: MovementCheck
    balance: Fraction
    awards: tuple[Awards, ...] = ()
    problem: str = ""
    for_least: str = ""
    per_win: str = ""
    asks: str = ""

    @property
    def boards(self) -> int:
        return self.findings.sets * self.per_set

    @property
    def least_boards(self) -> int:
        return self.findings.least_sets * self.per_set

    @property
    def most_boards(self) -> int:
        return self.findings.most_sets * self.per_set

    @property
    def minutes(self) -> int:
        rounds = len(self.movement.rounds)
        return int(rounds * (self.per_set * MINUTES_A_BOARD + MINUTES_A_MOVE))

    @property
    def refusal(self) -> str:
        """Why the rulebook would award nothing, with the clause, or what it asks for first."""
        return refusal_in(self.awards) or self.problem


def refusal_in(lists: Sequence[Awards]) -> str:
    """Why nothing is awarded in a list, with the clause; empty where something is in each."""
    refusals = (awards.refusal for awards in lists)
    reasons = (
        Message("{why} ({clause})", why=one.reason, clause=one.citation.clause)
        for one in refusals
        if one
    )
    return next(reasons, "")


def offers(
    pairs: int,
    boards: int,
    book: Rulebook | None = None,
    given: Mapping[str, object] | None = None,
    wishes: Wishes = ANY,
) -> list[Offer]:
    """What this many pairs can play in about this many boards, best first."""
    if pairs < 4:
        raise InputError(
            plural(
                "{count} pair: a movement needs at least 4",
                "{count} pairs: a movement needs at least 4",
                count=pairs,
            )
        )
    made = [
        offer_of(m, per_set, book, given or {}, wishes.field)
        for m, per_set in _candidates(pairs, boards, wishes)
    ]
    working = [offer for offer in made if not offer.findings.faults]
    return sorted(working, key=lambda offer: _merit(offer, boards))


def offer_of(
    movement: Movement,
    per_set: int,
    book: Rulebook | None,
    given: Mapping[str, object],
    field: int = 0,
) -> Offer:
    """A movement with what it is like and what the rulebook would pay; in a ``field`` of so many
    where there are other sections."""
    findings = check(movement)
    offer = Offer(movement, per_set, findings, quality(movement, per_set))
    return paid(offer, book, _facts(offer, field or findings.pairs), given)


def paid(
    offer: Offer, book: Rulebook | None, facts: Mapping[str, object], given: Mapping[str, object]
) -> Offer:
    """An offer with what the rulebook would pay, told what it takes of the facts."""
    if book is None:
        return offer
    counted = next((name for name in _COUNTS if name in book.inputs and name in facts), "entrants")
    left_out = {name for name in (*_COUNTS, "entrants") if name != counted}
    inputs = {k: v for k, v in facts.items() if k in book.inputs and k not in left_out}
    try:
        return replace(offer, awards=tuple(calculate(book, {**inputs, **given})))
    except InputError as error:
        asks = error.name if isinstance(error, MissingInput) else ""
        return replace(offer, problem=error.message, asks=asks)


_COUNTS = ("pairs", "teams", "players")
"""The words for how many entered, of which a rulebook is told one."""


def _merit(offer: Offer, boards: int) -> tuple[object, ...]:
    """The order of offers: conditions that hold, nearness to the wish, nothing shared, opponents
    met, balance."""
    return (
        bool(offer.refusal),
        abs(offer.boards - boards),
        offer.findings.shared > 0,
        -offer.findings.least_opponents,
        -offer.balance,
    )


def _facts(offer: Offer, pairs: int) -> dict[str, object]:
    """What the movement tells a rulebook."""
    findings = offer.findings
    return {
        "kind": "pairs",
        "winners": str(findings.winners),
        "boards": offer.least_boards,
        "boards_in_use": offer.boards,
        "sessions": 1,
        "pairs": pairs,
        "entrants": pairs,
    }


def _candidates(pairs: int, boards: int, wishes: Wishes) -> Iterator[tuple[Movement, int]]:
    """Movements and boards a set that come near the number of boards wished."""
    tables = (pairs + 1) // 2
    made = _movements(tables)
    for movement in map(mitchell.barometer, made) if wishes.barometer else made:
        per_set = round(Fraction(boards, len(movement.sets)))
        if not LEAST_PER_SET <= per_set <= MOST_PER_SET:
            continue
        if abs(per_set * len(movement.sets) - boards) > MOST_AWAY:
            continue
        seated = movement if pairs % 2 == 0 else with_half_table(movement, wishes.missing)
        yield seated, per_set
        if check(seated).winners == 2 and "web-mitchell" not in seated.kind:
            yield best_switched(seated, per_set), per_set


def _movements(tables: int) -> Iterator[Movement]:
    if tables >= 3:
        yield from mitchell.mitchells(tables)
        least = -(-tables * LEAST_SHARE_OF_ROUNDS // 1)
        for rounds in range(int(least), tables - (tables % 2 == 0)):
            yield mitchell.any_mitchell(tables, rounds)
    for rounds in howells.rounds_known(tables):
        yield howells.howell(tables, rounds)


def with_half_table(movement: Movement, side: str = "") -> Movement:
    """The movement with one pair missing: whoever leaves least shared and most boards to play, of
    those who sit down on a ``side`` if one is named."""
    last = movement.pairs[-1]
    half = len(movement.pairs) // 2
    begin = {getattr(seating, side) for seating in movement.rounds[0]} if side else set()
    candidates = begin or {1, half, half + 1, last - 1, last} & set(movement.pairs)

    def merit(seated: Movement) -> tuple[object, ...]:
        findings = check(seated)
        return -findings.shared, findings.least_sets, quality(seated), seated.missing

    return max((movement.without(pair) for pair in sorted(candidates)), key=merit)
