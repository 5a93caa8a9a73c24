"""Events of matches, and what to look at in their scores."""

from collections.abc import Iterable
from fractions import Fraction

from honours.model import (
    ArtificialScore,
    Entrant,
    Event,
    EventEntrant,
    Match,
    Result,
    Session,
)
from honours.scoring.matches import MatchRules, MatchScore, MatchScores
from honours.scoring.standings import Tally
from honours.scoring.victory_points import Band, ScaleTable, TableScale

IMPS_ONLY = MatchRules(scale=None)
WIN_OR_LOSE = TableScale(
    "won, drawn, lost",
    (
        ScaleTable(
            (
                Band(Fraction(0), Fraction(1), Fraction(1)),
                Band(None, Fraction(2), Fraction(0)),
            )
        ),
    ),
)
PLUS, MINUS = ArtificialScore(Fraction(3, 5)), ArtificialScore(Fraction(2, 5))


def teams(lines: Iterable[Result], matches: Iterable[Match] = (), **more: object) -> Event:
    entrants = tuple(EventEntrant(Entrant(id)) for id in "ABCD")
    session = Session(1, tuple(lines), tuple(matches), **more)  # type: ignore[arg-type]
    return Event("teams", "teams", "imps", entrants, (session,))


def board(
    number: int, here: int, there: int, round: int = 1, home: str = "A", away: str = "B"
) -> list[Result]:
    """NS scores at the table where ``home`` sits North-South, and at the other."""
    return [
        Result(number, (home,), (away,), here, round=round),
        Result(number, (away,), (home,), there, round=round),
    ]


def only_match(scored: MatchScores) -> MatchScore:
    (match,) = scored.matches
    return match


def margins(scored: MatchScores) -> list[Fraction]:
    known = [side.margin for side in only_match(scored).sides]
    return [margin for margin in known if margin is not None]


def by_id(tallies: Iterable[Tally]) -> dict[str, Tally]:
    return {tally.id: tally for tally in tallies}
