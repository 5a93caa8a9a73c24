"""Scores of contracts, IMPs and victory points, by walking the tables of the Laws.

Nothing of ``honours`` is imported: every figure here is a second opinion.
"""

from __future__ import annotations

from collections import deque
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

Line = dict[str, Any]
"""One line of a traveller, as :mod:`tests.conformance.checker` describes it."""

FIRST_TRICK = {"C": 20, "D": 20, "H": 30, "S": 30, "N": 40}
NEXT_TRICK = {"C": 20, "D": 20, "H": 30, "S": 30, "N": 30}

# What each undertrick costs in turn: the first, the second, the third, then each further one.
UNDERTRICKS = {
    (0, False): (50, 50, 50, 50),
    (0, True): (100, 100, 100, 100),
    (1, False): (100, 200, 200, 300),
    (1, True): (200, 300, 300, 300),
    (2, False): (200, 400, 400, 600),
    (2, True): (400, 600, 600, 600),
}
OVERTRICK_DOUBLED = {(1, False): 100, (1, True): 200, (2, False): 200, (2, True): 400}

IMP_STEPS = (
    *(10, 30, 40, 40, 40, 50, 50, 50, 50, 60, 70, 100, 150, 150, 200, 200, 200),
    *(250, 250, 250, 250, 500, 500, 500),
)
"""How much further each bound of the scale lies than the one before it."""


def vulnerable(board: int, seat: str) -> bool:
    """Nobody, North-South, East-West, all: the wheel turns one place back after four boards."""
    wheel = deque(["", "NS", "EW", "NSEW"])
    for number in range(1, board):
        wheel.rotate(-1)
        if number % 4 == 0:
            wheel.rotate(-1)
    return seat in wheel[0]


def contract_score(board: int, contract: Line, tricks: int) -> int:
    """What the contract scores for North-South, trick by trick."""
    seat, doubled = contract["declarer"], contract["doubled"]
    vul = vulnerable(board, seat)
    wanted = 6 + contract["level"]
    if tricks < wanted:
        points = -_down(wanted - tricks, doubled, vul)
    else:
        points = _made(contract, tricks - wanted, vul)
    return points if seat in "NS" else -points


def _down(undertricks: int, doubled: int, vul: bool) -> int:
    costs = UNDERTRICKS[doubled, vul]
    return sum(costs[min(nth, 3)] for nth in range(undertricks))


def _made(contract: Line, overtricks: int, vul: bool) -> int:
    level, suit, doubled = contract["level"], contract["denomination"], contract["doubled"]
    bid = FIRST_TRICK[suit]
    for _ in range(level - 1):
        bid += NEXT_TRICK[suit]
    for _ in range(doubled):
        bid += bid
    points: int = bid + 50 * doubled
    points += 50 if bid < 100 else (500 if vul else 300)
    if level >= 6:
        points += 750 if vul else 500
    if level == 7:
        points += 750 if vul else 500
    each = OVERTRICK_DOUBLED[doubled, vul] if doubled else NEXT_TRICK[suit]
    return points + each * overtricks


def score_of(line: Line) -> int | None:
    """North-South's score at the table, however the line gives it; ``None`` if not played."""
    if line.get("score") is not None:
        return int(line["score"])
    if line.get("passed_out"):
        return 0
    if line.get("contract") is not None and line.get("tricks") is not None:
        return contract_score(line["board"], line["contract"], line["tricks"])
    return None


def imps(difference: Fraction | int) -> int:
    """IMPs for a difference in points, negative for a negative one."""
    left, size = abs(Fraction(difference)), 0
    while size < len(IMP_STEPS) and left > IMP_STEPS[size]:
        left -= IMP_STEPS[size]
        size += 1
    return size if difference > 0 else -size


def wbf_victory_points(margin: Fraction | int, boards: int) -> tuple[Fraction, Fraction]:
    """Victory points of (winner, loser) for a winning margin, on the continuous scale."""
    with localcontext() as context:
        context.prec = 60
        tau = (Decimal(5).sqrt() - 1) / 2
        blitz = 15 * Decimal(boards).sqrt()
        lead = Decimal(Fraction(margin).numerator) / Decimal(Fraction(margin).denominator)
        curve = (1 - tau ** (3 * lead / blitz)) / (1 - tau**3)
        exact = min(Decimal(20), 10 + 10 * curve)
        cents = int((exact * 100 + Decimal("0.5")).to_integral_value(rounding="ROUND_FLOOR"))
    winner = Fraction(cents, 100)
    return winner, 20 - winner
