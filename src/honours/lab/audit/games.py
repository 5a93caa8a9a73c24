"""What a fair rating should promise: trials of a few games, for rulebooks that count games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from honours.engine.award import award
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, MissingInput
from honours.lab.audit.cases import AuditCase, amount_text, from_example
from honours.lab.audit.promises import Promise
from honours.lab.audit.trials import Amounts, Breach, Trial, Verdict
from honours.model import Entrant, Field, Game, Standing, Value
from honours.model.message import Message, plural

RATINGS = tuple(map(Fraction, (-800, 100, 1500, 2100, 2500, 2900)))
_NEAR = tuple(map(Fraction, (50, 400)))
_GAMES = (1, 6, 10)
_WIN, _JIGO, _LOSS = Fraction(1), Fraction(1, 2), Fraction(0)
_TRIES = 5


def rating_input(rulebook: Rulebook) -> str:
    """The number that a rulebook of games asks for about each player: the rating."""
    of_entrants = (i for i in rulebook.inputs.values() if i.per == "entrant")
    return next((i.name for i in of_entrants if i.type == "number" and i.default is None), "")


def game_cases(rulebook: Rulebook) -> Iterator[AuditCase]:
    """The rulebook with the inputs it requires about a tournament, from its own examples."""
    facts: dict[str, Value] = {}
    for _ in range(_TRIES):
        case = AuditCase(rulebook, facts)
        try:
            award(rulebook, _tournament(case, RATINGS[:2], [(0, 1, _WIN)]), in_words=False)
        except MissingInput as missing:
            more = from_example(rulebook, missing.names)
            if more is None:
                return
            facts = {**facts, **more}
            continue
        except HonoursError:
            return
        yield case
        return


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


def _no_less(case: AuditCase) -> Verdict:
    """The first player must not get less in the second field than in the first."""

    def verdict(before: Amounts, after: Amounts) -> Breach | None:
        fall = before[0] - after[0]
        if fall <= 0:
            return None
        old, new = (amount_text(amount, case.unit) for amount in (before[0], after[0]))
        message = Message("the rating changes by {old}, then by {new}", old=old, new=new)
        return Breach(message, fall, fall <= case.unit)

    return verdict


def better_result(case: AuditCase) -> Iterator[Trial]:
    """The same game lost, drawn (jigo) and won."""
    for own in RATINGS:
        for other in RATINGS:
            fields = [_tournament(case, (own, other), [(0, 1, r)]) for r in (_LOSS, _JIGO, _WIN)]
            for before, after in pairwise(fields):
                yield Trial(_meeting(own, other), before, after, _no_less(case))


def stronger_opponent(case: AuditCase) -> Iterator[Trial]:
    """The same win against opponents of rising strength."""
    for own in RATINGS:
        fields = [(r, _tournament(case, (own, r), [(0, 1, _WIN)])) for r in RATINGS]
        for (_, before), (higher, after) in pairwise(fields):
            yield Trial(_meeting(own, higher), before, after, _no_less(case))


def stones_given(case: AuditCase) -> Iterator[Trial]:
    """The same win with and without stones received."""
    for own in RATINGS[1:]:
        for stones in (1, 3, 9):
            helped = _tournament(case, (own, own + 300), [(0, 1, _WIN)], stones)
            alone = _tournament(case, (own, own + 300), [(0, 1, _WIN)])
            words = Message(
                "{meeting}, {stones} or none",
                meeting=_meeting(own, own + 300),
                stones=plural("with {count} stone", "with {count} stones", count=stones),
            )
            yield Trial(words, helped, alone, _no_less(case))


def stays_ahead(case: AuditCase) -> Iterator[Trial]:
    """Two players with the same results against the same opponents: the better rated stays
    ahead."""
    for own in RATINGS[1:]:
        for less in _NEAR:
            for many in _GAMES:
                rivals = [own] * many
                ratings = (own, own - less, *rivals)
                wins = [(who, 2 + k, _WIN) for who in (0, 1) for k in range(many)]
                field = _tournament(case, ratings, wins)
                words = Message(
                    "players of {own} and {lower}, {wins} against players of {own}",
                    own=own,
                    lower=own - less,
                    wins=plural("{count} win each", "{count} wins each", count=many),
                )
                yield Trial(words, field, field, _not_overtaken(case, own, less))


def _not_overtaken(case: AuditCase, own: Fraction, less: Fraction) -> Verdict:
    def verdict(amounts: Amounts, _: Amounts) -> Breach | None:
        by = amounts[1] - amounts[0] - less
        if by <= 0:
            return None
        after = (amount_text(amounts[k] + own - k * less, case.unit) for k in (0, 1))
        message = Message(
            "they come to {higher} and {lower}", higher=next(after), lower=next(after)
        )
        return Breach(message, by, by <= case.unit)

    return verdict


def conserved(case: AuditCase) -> Iterator[Trial]:
    """One game: what the two players gain and lose together."""

    def verdict(amounts: Amounts, _: Amounts) -> Breach | None:
        made = sum(amounts, Fraction(0))
        if not made:
            return None
        message = Message(
            "the game makes {points}" if made > 0 else "the game loses {points}",
            points=amount_text(abs(made), case.unit),
        )
        return Breach(message, abs(made), abs(made) <= 2 * case.unit)

    for own in RATINGS:
        for other in RATINGS:
            field = _tournament(case, (own, other), [(0, 1, _WIN)])
            yield Trial(_meeting(own, other), field, field, verdict)


def in_any_order(case: AuditCase) -> Iterator[Trial]:
    """The same games in another order."""

    def verdict(straight: Amounts, turned: Amounts) -> Breach | None:
        off = max(abs(a - b) for a, b in zip(straight, turned, strict=True))
        return Breach(Message("the order of the games changes ratings"), off) if off else None

    for ratings in pairwise(RATINGS):
        everybody = (*ratings, *RATINGS[:3])
        games = [(0, 1, _WIN), (0, 2, _LOSS), (0, 3, _JIGO), (1, 2, _WIN), (3, 4, _LOSS)]
        one, other = (_tournament(case, everybody, own) for own in (games, games[::-1]))
        words = Message("five games of five players, listed backwards")
        yield Trial(words, one, other, verdict)


GAME_PROMISES = (
    Promise("result", Message("a better result never pays less"), better_result),
    Promise(
        "opponent",
        Message("a win against a stronger opponent never pays less"),
        stronger_opponent,
    ),
    Promise("stones", Message("a win with stones never pays more than one without"), stones_given),
    Promise("ahead", Message("equal results never let a weaker player overtake"), stays_ahead),
    Promise("made", Message("a game neither makes nor destroys points"), conserved),
    Promise("games", Message("the order of games changes nothing"), in_any_order),
)
