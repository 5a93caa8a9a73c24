"""Matches between teams: their boards put together from the tables, in IMPs or won and lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.conformance.checker_boards import HALF, Distribution, artificial, distribution
from tests.conformance.checker_scores import imps, wbf_victory_points

Line = dict[str, Any]
Key = tuple[int, str, str]
"""The round and the two teams, in the order of their names."""


def matches(lines: list[Line]) -> dict[Key, dict[int, list[Line]]]:
    """The lines of each match by board."""
    found: dict[Key, dict[int, list[Line]]] = {}
    for line in lines:
        one, other = sorted((line["ns"][0], line["ew"][0]))
        boards = found.setdefault((line["round"], one, other), {})
        boards.setdefault(line["board"], []).append(line)
    return found


def board_points(lines: list[Line], team: str, settings: Line) -> Fraction | None:
    """What a board is worth to a team; ``None`` if there is nothing to compare."""
    home = [line for line in lines if line["ns"][0] == team]
    away = [line for line in lines if line["ew"][0] == team]
    if not home or not away:
        found = [_ruled([artificial(x, _side(x, team))], settings) for x in lines]
    else:
        found = [_tables(x, y, settings) for x in home for y in away]
    counted = [x for x in found if x is not None]
    if not counted:
        return None
    total = sum(counted, Fraction(0))
    return total / len(counted) if settings["divided"] else total


def _side(line: Line, team: str) -> str:
    return "ns" if line["ns"][0] == team else "ew"


def _ruled(rulings: list[Line | None], settings: Line) -> Fraction | None:
    """What artificial scores at one or both tables make of the board."""
    shares = [Fraction(ruling["share"]) for ruling in rulings if ruling]
    if not shares:
        return None
    share = sum(shares, Fraction(0)) / len(shares)
    return share if settings["won"] else (share - HALF) * 10 * Fraction(settings["average_plus"])


def _tables(home: Line, away: Line, settings: Line) -> Fraction | None:
    ruled = _ruled([artificial(home, "ns"), artificial(away, "ew")], settings)
    if ruled is not None:
        return ruled
    mine, theirs = distribution(home, "ns"), distribution(away, "ew")
    if mine is None or theirs is None:
        return None
    if home["version"] != away["version"]:
        return _ruled([{"share": "3/5"}], settings)
    return _swing(mine, theirs, settings["won"])


def _swing(mine: Distribution, theirs: Distribution, won: bool) -> Fraction:
    """Both tables' scores for North-South: ours at the one, our opponents' at the other."""
    total = Fraction(0)
    for weight, score in mine:
        for other_weight, other in theirs:
            lead = score - other
            worth = (HALF if lead == 0 else Fraction(int(lead > 0))) if won else imps(lead)
            total += weight * other_weight * worth
    return total


def match_points(
    boards: dict[int, list[Line]], teams: tuple[str, str], settings: Line
) -> dict[str, Line]:
    """What each team has after the match: total, boards, the margin and victory points."""
    both = [[board_points(lines, team, settings) for team in teams] for lines in boards.values()]
    counted = [pair for pair in both if pair[0] is not None and pair[1] is not None]
    found = {}
    for nth, team in enumerate(teams):
        total = sum((pair[nth] or Fraction(0) for pair in counted), Fraction(0))
        margin = total - HALF * len(counted) if settings["won"] else total
        found[team] = {"total": total, "margin": margin, "boards": len(counted)}
    return found


def victory_points(margin: Fraction, boards: int) -> Fraction:
    """What the side that is so far ahead, or behind, gets."""
    winner, loser = wbf_victory_points(abs(margin), boards)
    return winner if margin >= 0 else loser
