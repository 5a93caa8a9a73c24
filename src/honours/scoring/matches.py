"""One match: what each board was worth to either side, and what the match is worth.

A side is always seen from its own chair. After a ruling that is not the same for both, the
margins need not mirror each other, so each side's victory points come from its own margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import Literal

from honours.model import ArtificialScore, Result
from honours.model.message import Message, joined
from honours.scoring.imp_pairs import AVERAGE_PLUS
from honours.scoring.imps import HALF, artificial_imps, imps
from honours.scoring.sides import Side, Weighted, artificial, comparable, entrants
from honours.scoring.victory_points import WBF, Scale

AVERAGE_PLUS_IMPS = Fraction(3)


class MatchUnit(StrEnum):
    """In what a match counts its boards."""

    IMPS = "imps"
    BOARDS = "boards"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How matches are scored; every field is the organiser's choice.

    ``scale`` turns a margin into victory points, and without one the margin itself counts.
    ``length`` is the number of boards the scale is asked for, whatever was scored of them; 0
    takes those that were scored.
    Where more than two tables play a board (teams of eight), every pair of tables is compared and
    the IMPs are added, or with ``divided`` their mean is taken. ``bye`` is what a round without
    an opponent is worth. ``rounds_apart`` tells the rounds of two entrants apart; without it all
    the boards they played are one match.
    """

    scale: Scale | None = WBF
    length: int = 0
    average_plus: Fraction = AVERAGE_PLUS_IMPS
    divided: bool = False
    bye: Fraction | None = None
    rounds_apart: bool = True

    def __str__(self) -> str:
        parts = [
            Message("by the {scale}", scale=self.scale.title)
            if self.scale
            else Message("without victory points"),
            Message("as {boards} boards", boards=self.length) if self.length else "",
            Message("average plus {imps}", imps=self.average_plus)
            if self.average_plus != AVERAGE_PLUS_IMPS
            else "",
            Message("mean of tables") if self.divided else "",
            Message("bye {points}", points=self.bye) if self.bye is not None else "",
            "" if self.rounds_apart else Message("rounds together"),
        ]
        return joined("; ", filter(None, parts))


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match and what either side got on it."""

    number: int
    home: Fraction
    away: Fraction
    how: Literal["", "fouled", "ruling"] = ""
    results: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSide:
    """One side of a match: by how much it is ahead, and what that is worth to it.

    ``lead`` says who won: the margin, or the difference in victory points where ``known`` is
    false because a file gives nothing else.
    """

    entrant: str
    lead: Fraction
    points: Fraction
    penalty: Fraction = Fraction(0)
    known: bool = True

    @property
    def margin(self) -> Fraction | None:
        """The IMPs, boards or percentage it is ahead by; ``None`` where nobody knows."""
        return self.lead if self.known else None

    @property
    def won(self) -> bool:
        return self.lead > 0

    @property
    def drawn(self) -> bool:
        return self.lead == 0


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match as scored; ``length`` boards count for its victory points, ``scored`` were played
    and counted."""

    session: int
    round: int
    home: MatchSide
    away: MatchSide
    length: int
    scored: int
    boards: tuple[MatchBoard, ...] = ()
    unit: MatchUnit = MatchUnit.IMPS

    @property
    def sides(self) -> tuple[MatchSide, MatchSide]:
        return self.home, self.away

    def side_of(self, entrant: str) -> MatchSide | None:
        """The side an entrant was on; ``None`` if it did not play this match."""
        return next((side for side in self.sides if side.entrant == entrant), None)


# --- a board of a match of teams -----------------------------------------------------------------


def team_board(
    results: Sequence[Result], home: str, away: str, unit: MatchUnit, rules: MatchRules
) -> MatchBoard | None:
    """What a board was worth to both teams; ``None`` if there was nothing to compare."""
    board = results[0].board
    values = [_team_points(results, team, unit, rules) for team in (home, away)]
    if values[0] is None or values[1] is None:
        return None
    ruled = any(result.adjusted is not None for result in results)
    fouled = len({result.version for result in results}) > 1
    return MatchBoard(
        board,
        values[0],
        values[1],
        "fouled" if fouled else "ruling" if ruled else "",
        tuple(results),
    )


def _team_points(
    results: Sequence[Result], team: str, unit: MatchUnit, rules: MatchRules
) -> Fraction | None:
    """Every table where the team sat North-South with every one where it sat East-West."""
    here = [result for result in results if team in entrants(result, Side.NS)]
    there = [result for result in results if team in entrants(result, Side.EW)]
    values = [_compared(one, other, unit, rules) for one, other in product(here, there)]
    if not here or not there:
        values = [_alone(result, team, unit, rules) for result in results]
    counted = [value for value in values if value is not None]
    if not counted:
        return None
    total = sum(counted, Fraction(0))
    return total / len(counted) if rules.divided or unit is MatchUnit.BOARDS else total


def _compared(here: Result, there: Result, unit: MatchUnit, rules: MatchRules) -> Fraction | None:
    """A team's two tables: North-South at the one, East-West at the other."""
    ruled = [r for r in (artificial(here, Side.NS), artificial(there, Side.EW)) if r is not None]
    if ruled:
        # Both tables may have been ruled on; the board is still one board.
        worth = [_artificial_points(ruling, unit, rules) for ruling in ruled]
        return sum(worth, Fraction(0)) / len(worth)
    own, other = comparable(here, Side.NS), comparable(there, Side.EW)
    if own is None or other is None:
        return None
    if here.version != there.version:
        return _artificial_points(AVERAGE_PLUS, unit, rules)
    return _swing(own, other, unit)


def _alone(result: Result, team: str, unit: MatchUnit, rules: MatchRules) -> Fraction | None:
    """A table whose counterpart is missing counts only if it was given an artificial score."""
    side = Side.NS if team in entrants(result, Side.NS) else Side.EW
    ruling = artificial(result, side)
    return None if ruling is None else _artificial_points(ruling, unit, rules)


def _artificial_points(ruling: ArtificialScore, unit: MatchUnit, rules: MatchRules) -> Fraction:
    return ruling.share if unit is MatchUnit.BOARDS else artificial_imps(ruling, rules.average_plus)


def _swing(here: Weighted, there: Weighted, unit: MatchUnit) -> Fraction:
    """The IMPs, or the share of the board, for what a team scored at its two tables together."""
    worth = _board_won if unit is MatchUnit.BOARDS else imps
    return sum((v * w * worth(x + y) for v, x in here for w, y in there), Fraction(0))


def _board_won(together: int | Fraction) -> Fraction:
    return HALF if together == 0 else Fraction(together > 0)


# --- the match -----------------------------------------------------------------------------------


def match_score(
    session: int,
    round: int,
    teams: tuple[str, str],
    boards: Sequence[MatchBoard],
    unit: MatchUnit,
    rules: MatchRules,
) -> MatchScore:
    """Add up the boards and turn the margins into what the match is worth."""
    length = rules.length or len(boards)
    totals = [
        sum((board.home for board in boards), Fraction(0)),
        sum((board.away for board in boards), Fraction(0)),
    ]
    home, away = (
        _side(team, total, len(boards), length, unit, rules)
        for team, total in zip(teams, totals, strict=True)
    )
    return MatchScore(session, round, home, away, length, len(boards), tuple(boards), unit)


def _side(
    team: str, total: Fraction, scored: int, length: int, unit: MatchUnit, rules: MatchRules
) -> MatchSide:
    """Boards are won above half of them, IMPs above none; percentages are a mean."""
    margins = {
        MatchUnit.IMPS: total,
        MatchUnit.BOARDS: total - HALF * scored,
        MatchUnit.PERCENT: total / max(1, scored),
    }
    margin = margins[unit]
    if rules.scale is None:
        return MatchSide(team, margin, total)
    return MatchSide(team, margin, rules.scale.victory_points(margin, length))


def with_penalty(side: MatchSide, amount: Fraction, length: int, rules: MatchRules) -> MatchSide:
    """IMPs taken from one side: it gets what the smaller margin is worth, the opponents gain
    nothing, and who won is not changed by it."""
    penalty = side.penalty + amount
    margin = side.lead - penalty
    points = margin if rules.scale is None else rules.scale.victory_points(margin, length)
    return replace(side, points=points, penalty=penalty)
