"""What a line of a traveller gives each side: a score to compare, an artificial score, or nothing.

Scores here are seen from the side's own chair, so that more is better for either.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from honours.model import ArtificialScore, AssignedScore, Result
from honours.scoring.contracts import ns_score

Weighted = tuple[tuple[Fraction, int], ...]
"""Scores with weights that add up to 1; a score at the table has weight 1."""


WHOLE = Fraction(1)


class Side(StrEnum):
    """A side of the table."""

    NS = "NS"
    EW = "EW"


def entrants(result: Result, side: Side) -> tuple[str, ...]:
    return result.ns if side is Side.NS else result.ew


def table_score(result: Result) -> int | None:
    """North-South's score at the table, however the line gives it; ``None`` if not played."""
    if result.score is not None:
        return result.score
    if result.passed_out:
        return 0
    if result.contract is None or result.tricks is None:
        return None
    return ns_score(result.contract, result.tricks, result.board)


def is_played(result: Result) -> bool:
    """Whether the line has something to score: a result or a ruling."""
    if result.adjusted is not None or result.score is not None or result.passed_out:
        return True
    return result.contract is not None and result.tricks is not None


def artificial(result: Result, side: Side) -> ArtificialScore | None:
    """The artificial score a ruling gave the side, if it did."""
    ruling = _ruling(result, side)
    return ruling if isinstance(ruling, ArtificialScore) else None


def comparable(result: Result, side: Side) -> Weighted | None:
    """The side's score as others are compared with it: the ruling's, or the one at the table."""
    ruling = _ruling(result, side)
    sign = 1 if side is Side.NS else -1
    if isinstance(ruling, AssignedScore):
        return tuple((weight, sign * score) for weight, score in ruling.scores)
    score = table_score(result)
    if ruling is not None or score is None:
        return None
    return ((WHOLE, sign * score),)


def _ruling(result: Result, side: Side) -> ArtificialScore | AssignedScore | None:
    if result.adjusted is None:
        return None
    return result.adjusted.ns if side is Side.NS else result.adjusted.ew
