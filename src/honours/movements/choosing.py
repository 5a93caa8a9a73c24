"""Choosing a movement: what suits a number of pairs, and what a rulebook would pay for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from honours.engine.award import calculate
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput, UnknownName, WrongValue
from honours.model import Awards
from honours.model.message import Message, plural
from honours.movements import generators
from honours.movements.balance import best_switched, individual_quality, quality
from honours.movements.generators import FIRST_ROUNDS, IndividualMovement, check_individual
from honours.movements.movement import NOBODY, Movement, MovementCheck, Seating, check
from honours.movements.swiss import pair_round

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
    """A club's wishes besides numbers of pairs and boards.

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
        """The reason the rulebook would award nothing, with the clause, or what it asks for
        first."""
        return refusal_in(self.awards) or self.problem


def refusal_in(lists: Sequence[Awards]) -> str:
    """The reason nothing is awarded in a list, with the clause; empty where something is in
    each."""
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
    """Movements for this many pairs in about this many boards, best first."""
    _require_four(pairs)
    made = [
        offer_of(m, per_set, book, given or {}, wishes.field)
        for m, per_set in _candidates(pairs, boards, wishes)
    ]
    working = [offer for offer in made if not offer.findings.faults]
    return sorted(working, key=lambda offer: _merit(offer, boards))


def _require_four(pairs: int) -> None:
    if pairs < 4:
        raise InputError(
            plural(
                "{count} pair: a movement needs at least 4",
                "{count} pairs: a movement needs at least 4",
                count=pairs,
            )
        )


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
    facts = _session("pairs", field or findings.pairs, offer.least_boards, offer.boards)
    return paid(offer, book, {**facts, "winners": str(findings.winners)}, given)


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


_MANY = 14
"""Pairs from which everybody moving by cards of their own is more than most evenings want."""
_USUAL_SET = 3
"""Boards that a table plays before it moves, at least, where nobody wishes otherwise."""
_COUNTS = ("pairs", "teams", "players")
"""The words for how many entered, of which a rulebook is told one."""


def _merit(offer: Offer, boards: int) -> tuple[object, ...]:
    """The order of offers: conditions that hold, what a pair plays within a set of the wish, no
    move after every other board, nothing shared, one line where there are few tables and two where
    there are many, opponents met, nearness to the wish, balance."""
    away = abs(offer.most_boards - boards)
    return (
        bool(offer.refusal),
        max(0, away - _USUAL_SET),
        offer.per_set < _USUAL_SET,
        offer.findings.shared > 0,
        "howell" in offer.movement.kind and offer.findings.pairs >= _MANY,
        -offer.findings.least_opponents,
        away,
        -offer.balance,
    )


def _candidates(pairs: int, boards: int, wishes: Wishes) -> Iterator[tuple[Movement, int]]:
    """Movements and boards a set that come near the number of boards wished."""
    tables = (pairs + 1) // 2
    made = _movements(tables)
    for movement in map(generators.barometer, made) if wishes.barometer else made:
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
        yield from generators.mitchells(tables)
        least = -(-tables * LEAST_SHARE_OF_ROUNDS // 1)
        for rounds in range(int(least), tables - (tables % 2 == 0)):
            yield generators.any_mitchell(tables, rounds)
    for rounds in generators.rounds_known(tables):
        yield generators.howell(tables, rounds)


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


# --- Swiss, teams and individuals --------------------------------------------------------------


FEWEST_IN_A_MATCH, MOST_IN_A_MATCH = 4, 8
_LEAST_MATCHES, _MOST_MATCHES = 3, 8
Given = Mapping[str, object]


def swiss(entrants: int, matches: int) -> Movement:
    """A Swiss as it would go if everybody stayed in their place: every table plays the same boards
    in a round, nobody meets again, of an odd number one sits out."""
    ranking = [str(n) for n in range(1, entrants + 1)]
    met: set[frozenset[str]] = set()
    byes: set[str] = set()
    rounds = []
    for number in range(1, matches + 1):
        pairing = pair_round(ranking, met, byes)
        met |= {frozenset(two) for two in pairing.matches}
        seats = [
            Seating(table, int(home), int(away), number)
            for table, (home, away) in enumerate(pairing.matches, 1)
        ]
        if pairing.bye:
            byes.add(pairing.bye)
            seats.append(Seating(len(seats) + 1, int(pairing.bye), NOBODY, NOBODY))
        rounds.append(tuple(seats))
    return Movement("swiss", tuple(rounds), copies=(entrants + 1) // 2)


def swiss_offers(
    entrants: int, boards: int, book: Rulebook | None, given: Given, kind: str = "pairs"
) -> list[Offer]:
    """Swiss events for this many entrants in about this many boards, with what each would pay."""
    offers = []
    for matches in range(_LEAST_MATCHES, _MOST_MATCHES + 1):
        per_match = round(Fraction(boards, matches))
        if not FEWEST_IN_A_MATCH <= per_match <= MOST_IN_A_MATCH:
            continue
        try:
            movement = swiss(entrants, matches)
        except InputError:  # more matches than there are opponents
            continue
        least = matches - (entrants % 2)
        findings = _findings(entrants, matches, (least, matches), entrants % 2 * matches)
        facts: dict[str, object] = {
            **_session(kind, entrants, matches * per_match, matches * per_match),
            "competition": "swiss",
            "form": "swiss",
            "matches": matches,
            "boards_per_match": per_match,
            "toe": entrants,
        }
        offer = paid(Offer(movement, per_match, findings, Fraction(0)), book, facts, given)
        offer = _with_wins(offer, book, facts, given)
        offers.append(_with_bye(offer, book, facts, given) if least < matches else offer)
    return offers


def _with_wins(
    offer: Offer, book: Rulebook | None, facts: Mapping[str, object], given: Given
) -> Offer:
    """The offer with what a match won adds, where the rulebook pays for matches."""
    if book is None or "won" not in book.inputs or offer.refusal:
        return offer
    won = paid(offer, book, {**facts, "won": 1}, given)
    more = [
        after.amount - before.amount
        for one, other in zip(offer.awards, won.awards, strict=False)
        for before, after in zip(one.schedule[-1:], other.schedule[-1:], strict=True)
    ]
    return replace(offer, per_win=show(more[0])) if more and more[0] else offer


def _with_bye(
    offer: Offer, book: Rulebook | None, facts: Mapping[str, object], given: Given
) -> Offer:
    """The offer with why whoever has a bye is awarded nothing, if that is so: they play a match
    less, and a rulebook may ask for so many boards of each."""
    if offer.refusal:
        return offer
    shorter = {**facts, "boards": offer.least_boards, "matches": offer.findings.least_sets}
    return replace(offer, for_least=refusal_in(paid(offer, book, shorter, given).awards))


def team_offers(many: int, boards: int, book: Rulebook | None, given: Given) -> list[Offer]:
    """Offers for this many teams: all against all in one room, or a Swiss."""
    makers = (generators.american_whist, generators.multiple_teams, generators.round_robin)
    offers = []
    for make in makers:
        try:
            movement = make(many)
        except InputError:  # one is for an odd number, another for an even one
            continue
        rounds = len(movement.rounds)
        least = rounds - (many % 2 if movement.kind == "round-robin" else 0)
        per_set = max(1, round(Fraction(boards, len(movement.sets))))
        if abs(per_set * len(movement.sets) - boards) > MOST_AWAY:
            continue
        findings = _findings(many, len(movement.sets), (least, least), rounds - least and many)
        facts = _session("teams", many, least * per_set, len(movement.sets) * per_set)
        offers.append(paid(Offer(movement, per_set, findings, Fraction(0)), book, facts, given))
    return offers + swiss_offers(many, boards, book, given, "teams")


def individual_offers(
    players: int, boards: int, book: Rulebook | None, given: Given
) -> list[Offer]:
    """Individual movements for this many players."""
    offers = []
    for movement in _individuals(players):
        sets = len(movement.sets)
        per_set = max(1, round(Fraction(boards, sets)))
        if check_individual(movement) or abs(per_set * sets - boards) > MOST_AWAY:
            continue
        sit_outs = sum(players - 4 * len(one) for one in movement.rounds)
        least = len(movement.rounds) - (1 if sit_outs else 0)
        plays = (least, least)
        findings = _findings(players, sets, plays, sit_outs, _met(movement))
        facts = _session("individual", players, least * per_set, sets * per_set)
        offer = Offer(movement, per_set, findings, individual_quality(movement))
        offers.append(paid(offer, book, facts, given))
    return offers


def _individuals(players: int) -> Iterator[IndividualMovement]:
    if players in FIRST_ROUNDS:
        yield generators.whist(players)
    if players % 4 == 0:
        try:
            yield generators.rainbow(players // 4)
        except InputError:
            return


def _met(movement: IndividualMovement) -> int:
    """The number of others met by the player who meets fewest."""
    met: dict[int, set[int]] = {player: set() for player in movement.players}
    for four in (four for seats in movement.rounds for four in seats):
        for one, other in combinations(four.players, 2):
            met[one].add(other)
            met[other].add(one)
    return min(len(others) for others in met.values())


def _session(kind: str, many: int, least: int, in_use: int) -> dict[str, object]:
    counted = {"pairs": "pairs", "teams": "teams", "individual": "players"}[kind]
    return {
        "kind": kind,
        "winners": "1",
        "boards": least,
        "boards_in_use": in_use,
        "sessions": 1,
        "entrants": many,
        counted: many,
    }


def _findings(
    many: int, sets: int, plays: tuple[int, int], sit_outs: int, met: int = 0
) -> MovementCheck:
    """``plays`` are the fewest and the most sets that anybody plays."""
    opponents = met or min(many - 1, sets)
    return MovementCheck((), many, sets, *plays, opponents, opponents, 1, 0, 1, sit_outs)


def offers_for(
    kind: str,
    many: int,
    boards: int,
    book: Rulebook | None = None,
    given: Given | None = None,
    wishes: Wishes = ANY,
) -> list[Offer]:
    """Offers for this many pairs, teams or players; movements of pairs first, then a Swiss."""
    inputs = given or {}
    if kind == "teams":
        return team_offers(many, boards, book, inputs)
    if kind == "individual":
        return individual_offers(many, boards, book, inputs)
    every = offers(many, boards, book, inputs, wishes)
    # A Swiss is never one section of several.
    return every if wishes.field else every + swiss_offers(many, boards, book, inputs)


# --- every kind by name ------------------------------------------------------------------------


_APPENDED = 2
"""How many tables an appendix adds, unless said."""


def _three_quarters(tables: int) -> int:
    """About three quarters as many rounds as a full Howell has."""
    known = generators.rounds_known(tables)[:-1]
    if not known:
        raise InputError(
            "no three-quarter Howell of {tables} tables; there are some from 5", tables=tables
        )
    wished = 1.5 * tables
    return min(known, key=lambda rounds: abs(rounds - wished))


_OF_PAIRS: dict[str, Callable[[int, int], Movement]] = {
    "mitchell": generators.any_mitchell,
    "skip-mitchell": generators.skip_mitchell,
    "share-and-relay-mitchell": generators.relay_mitchell,
    "web-mitchell": lambda tables, rounds: generators.web_mitchell(
        tables, rounds or tables - 1 | 1
    ),
    "hesitation-mitchell": lambda tables, _: generators.howell(tables, tables + 1),
    "appendix-mitchell": lambda tables, rounds: generators.appendix_mitchell(
        tables - (rounds or _APPENDED), rounds or _APPENDED
    ),
    "rover-mitchell": lambda tables, _: generators.rover_mitchell(tables),
    "bowman": lambda tables, _: generators.bowman(tables - 2),
    "blackpool": lambda tables, _: generators.blackpool(tables),
    "howell": generators.howell,
    "three-quarter-howell": lambda tables, rounds: generators.howell(
        tables, rounds or _three_quarters(tables)
    ),
}
_OF_PLAYERS: dict[str, Callable[[int], IndividualMovement]] = {
    "individual": generators.whist,
    "rainbow": lambda players: generators.rainbow(players // 4),
}
_OF_TEAMS: dict[str, Callable[[int], Movement]] = {
    "american-whist": generators.american_whist,
    "multiple-teams": generators.multiple_teams,
    "round-robin": generators.round_robin,
}


OF_PLAYERS, OF_TEAMS = tuple(_OF_PLAYERS), tuple(_OF_TEAMS)
KINDS = (*_OF_PAIRS, *OF_PLAYERS, *OF_TEAMS)


def movement_of(
    kind: str, many: int, rounds: int = 0, missing: str = ""
) -> Movement | IndividualMovement:
    """The movement of a kind for so many pairs, or players, or teams; an odd number of pairs is a
    half table, without a pair of the ``missing`` side if one is named."""
    if kind in _OF_PLAYERS:
        return _OF_PLAYERS[kind](many)
    if kind in _OF_TEAMS:
        return _OF_TEAMS[kind](many)
    if kind not in _OF_PAIRS:
        raise UnknownName("movement", kind, KINDS)
    _require_four(many)
    if kind == "rover-mitchell":
        return _OF_PAIRS[kind](many // 2, rounds)
    movement = _OF_PAIRS[kind]((many + 1) // 2, rounds)
    return with_half_table(movement, missing) if many % 2 else movement
