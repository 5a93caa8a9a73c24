"""Which movement, for a Swiss, for teams and for individuals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.movements import individual, teams
from honours.movements.balance import individual_quality
from honours.movements.checking import MovementCheck
from honours.movements.choosing import ANY, MOST_AWAY, Offer, Wishes, offers, paid, refusal_in
from honours.movements.individual import FIRST_ROUNDS, IndividualMovement, check_individual
from honours.movements.movement import NOBODY, Movement, Seating
from honours.movements.swiss import pair_round

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


def every_offer(
    pairs: int,
    boards: int,
    book: Rulebook | None = None,
    given: Given | None = None,
    wishes: Wishes = ANY,
) -> list[Offer]:
    """What so many pairs may play in about so many boards: movements first, then a Swiss; that is
    never one section of several."""
    inputs = given or {}
    every = offers(pairs, boards, book, inputs, wishes)
    return every if wishes.field else every + swiss_offers(pairs, boards, book, inputs)


def team_offers(many: int, boards: int, book: Rulebook | None, given: Given) -> list[Offer]:
    """What this many teams can play: all against all in one room, or a Swiss."""
    makers = (teams.american_whist, teams.multiple_teams, teams.round_robin)
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
        yield individual.whist(players)
    if players % 4 == 0:
        try:
            yield individual.rainbow(players // 4)
        except InputError:
            return


def _met(movement: IndividualMovement) -> int:
    """How many others the player meets who meets fewest."""
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
    wishes: Wishes | None = None,
) -> list[Offer]:
    """What this many pairs, teams or players can play."""
    inputs = given or {}
    if kind == "teams":
        return team_offers(many, boards, book, inputs)
    if kind == "individual":
        return individual_offers(many, boards, book, inputs)
    return every_offer(many, boards, book, inputs, wishes or Wishes())
