"""One board, all its lines: matchpoints, cross-IMPs and Butler, by comparing all with all.

A side's *distribution* is its score as ``[(weight, score for NS), …]``: one score of weight 1 for
a score at the table, several for a weighted ruling; ``None`` where it has no score to compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.conformance.checker_scores import imps, score_of

Line = dict[str, Any]
Distribution = list[tuple[Fraction, int]]

HALF = Fraction(1, 2)
SIDES = ("ns", "ew")


@dataclass
class Given:
    """What a side gets on a board. ``share`` is set where the session percentage may replace it.

    ``points`` of ``top`` for matchpoints; for IMPs ``top`` is 0.
    """

    points: Fraction | None
    top: Fraction
    share: Fraction | None = None


PROFILES: dict[str, dict[str, Any]] = {
    "ebu": {
        "beaten": 2,
        "missing": True,
        "adjusted": True,
        "step": Fraction(1, 10),
        "half": "average",
        "small": "ebu",
    },
    "acbl": {
        "beaten": 1,
        "missing": True,
        "adjusted": True,
        "step": Fraction(1, 100),
        "half": "up",
        "small": "acbl",
        "flat_minus": True,
        "programme": True,
    },
    "compscore": {
        "beaten": 2,
        "missing": False,
        "adjusted": True,
        "step": Fraction(1, 10),
        "half": "even",
        "small": "ebu",
    },
    "unfactored": {
        "beaten": 2,
        "missing": False,
        "adjusted": False,
        "step": Fraction(1, 10),
        "half": "average",
        "small": "ebu",
    },
}
PROFILES["ebuscore"] = PROFILES["ebu"] | {"step": Fraction(1, 100), "half": "up"}
PROFILES["compscore-totals"] = PROFILES["ebu"] | {"step": Fraction(0)}

# Shares of the board for a small group that is not the larger one, the best score first.
ACBL_SMALL = {
    3: [Fraction(7, 10), Fraction(6, 10), Fraction(5, 10)],
    2: [Fraction(65, 100), Fraction(55, 100)],
    1: [Fraction(6, 10)],
}


def rounded(value: Fraction, step: Fraction, half: str, average: Fraction) -> Fraction:
    """To the nearest multiple; a half goes up, to an even one, or towards the board's average."""
    if not step:
        return value
    below = value // step * step
    rest = value - below
    if rest != step / 2:
        return below + step if rest > step / 2 else below
    up = {"up": True, "even": below / step % 2 == 1, "average": value < average}[half]
    return below + step if up else below


def distribution(line: Line, side: str) -> Distribution | None:
    """The scores of a side with their weights, if it has any to compare."""
    if line.get("adjusted"):
        ruling = line["adjusted"][side]
        if "scores" not in ruling:
            return None
        return [(Fraction(weight), score) for weight, score in ruling["scores"]]
    score = score_of(line)
    return None if score is None else [(Fraction(1), score)]


def artificial(line: Line, side: str) -> Line | None:
    """The side's artificial score, if a ruling gave it one."""
    ruling = line["adjusted"][side] if line.get("adjusted") else None
    return ruling if ruling and "share" in ruling else None


def beats(mine: Distribution, theirs: Distribution, side: str) -> Fraction:
    """2 for a win, 1 for a tie, 0 for a loss, each pair of scores by its weights."""
    sign = 1 if side == "ns" else -1
    total = Fraction(0)
    for weight, score in mine:
        for other_weight, other in theirs:
            lead = sign * (score - other)
            total += weight * other_weight * (2 if lead > 0 else 1 if lead == 0 else 0)
    return total


def matchpoints(lines: list[Line], most: int, settings: Line) -> list[dict[str, Given]]:
    """What each side of each line gets; ``most`` is the times the board should have been played."""
    profile = PROFILES[settings["profile"]] | {"simplified": settings.get("simplified", False)}
    sides = {side: _matchpoint_side(lines, side, most, profile) for side in SIDES}
    return [{side: sides[side][nth] for side in SIDES} for nth in range(len(lines))]


def _matchpoint_side(lines: list[Line], side: str, most: int, profile: Line) -> list[Given]:
    scores = [distribution(line, side) for line in lines]
    expected = _expected(lines, side, most, profile)
    top = Fraction(profile["beaten"] * max(0, expected - 1))
    groups = {line["version"] for line, score in zip(lines, scores, strict=True) if score}
    given = []
    for line, score in zip(lines, scores, strict=True):
        ruling = artificial(line, side)
        if ruling is not None:
            given.append(_share(Fraction(ruling["share"]), top, ruling["session_rule"], profile))
        elif score is None:
            given.append(Given(None, Fraction(0)))
        else:
            same = [
                other
                for other_line, other in zip(lines, scores, strict=True)
                if other is not None and other_line["version"] == line["version"]
            ]
            sizes = _sizes(lines, scores) if len(groups) > 1 else []
            given.append(_scored(score, same, side, expected, sizes, profile))
    return given


def _expected(lines: list[Line], side: str, most: int, profile: Line) -> int:
    """How many scores the board is scored as having had."""
    scored = sum(1 for line in lines if distribution(line, side) is not None)
    ruled = sum(1 for line in lines if artificial(line, side) is not None)
    if profile["missing"]:
        return most
    return scored + ruled if profile["adjusted"] else scored


def _sizes(lines: list[Line], scores: list[Distribution | None]) -> list[int]:
    versions = [line["version"] for line, score in zip(lines, scores, strict=True) if score]
    return [versions.count(version) for version in set(versions)]


def _share(share: Fraction, top: Fraction, rule: bool, profile: Line) -> Given:
    """An artificial score; half the board never follows the session, nor a flat average minus."""
    fixed = share <= HALF if profile.get("flat_minus") else share == HALF
    points = rounded(share * top, profile["step"], profile["half"], top / 2)
    return Given(points, top, None if fixed or not rule else share)


def _scored(
    score: Distribution,
    same: list[Distribution],
    side: str,
    expected: int,
    sizes: list[int],
    profile: Line,
) -> Given:
    """A score among those of its version: factored, or by the rule for small groups."""
    top = Fraction(profile["beaten"] * max(0, expected - 1))
    if sizes and profile["small"] == "ebu" and len(same) == 1:
        return _share(Fraction(3, 5), top, True, profile)
    short = len(same) < expected
    if profile["small"] == "acbl" and (sizes or short) and _small(len(same), sizes):
        return _acbl_small(score, same, side, top, profile)
    wins = sum((beats(score, other, side) for other in same), Fraction(0)) - 1
    if profile["simplified"] and len(same) == expected - 1:
        points = wins + 1
    else:
        points = (wins * expected + (expected - len(same))) / len(same)
    points = points * profile["beaten"] / 2
    return Given(rounded(points, profile["step"], profile["half"], top / 2), top)


def _small(size: int, sizes: list[int]) -> bool:
    """A group of one or two, and of three unless it is the larger one or the only one."""
    as_large = sum(1 for other in sizes if other >= size)
    return size in (1, 2) or (size == 3 and as_large > 1)


def _acbl_small(
    score: Distribution, same: list[Distribution], side: str, top: Fraction, profile: Line
) -> Given:
    """Fixed shares by place in the group; equal scores share the places they cover."""
    shares = ACBL_SMALL[len(same)]
    if len(same) == 1:
        return _share(shares[0], top, False, profile)
    # Shares fall in equal steps, so half a step for each half-win says where between the ends.
    wins = sum((beats(score, other, side) for other in same), Fraction(0)) - 1
    share = shares[-1] + (shares[0] - shares[-1]) * wins / (2 * (len(same) - 1))
    return Given(rounded(share * top, profile["step"], profile["half"], top / 2), top)


# --- IMPs -------------------------------------------------------------------------------------


def cross_imps(lines: list[Line], settings: Line) -> list[dict[str, Given]]:
    """Each score against every other of its version, as a sum or divided by n − 1 or n."""
    return [{side: _cross_side(lines, line, side, settings) for side in SIDES} for line in lines]


def _cross_side(lines: list[Line], line: Line, side: str, settings: Line) -> Given:
    others = [x for x in _same(lines, line, side) if x is not line]
    # In a sum an artificial score is won from every other table that has a score, in whatever
    # version, or it would weigh less than a board that was played.
    tables = [x for x in lines if x is not line and distribution(x, side) is not None]
    times = len(tables) if settings["divisor"] == "sum" else 1
    ruled = _imp_ruling(lines, line, side, settings, times)
    if ruled is not None:
        return ruled
    mine = distribution(line, side) or []
    total = Fraction(0)
    for other in others:
        theirs = distribution(other, side) or []
        total += sum((w * v * imps(x - y) for w, x in mine for v, y in theirs), Fraction(0))
    below = {"sum": 1, "n-1": len(others), "n": len(others) + 1}[settings["divisor"]]
    return _imp_line(_for_side(total / max(1, below), side), settings)


def _same(lines: list[Line], line: Line, side: str) -> list[Line]:
    """The lines with a score to compare in the version of this one, itself included."""
    scored = [x for x in lines if distribution(x, side) is not None]
    return [x for x in scored if x["version"] == line["version"]]


def _imp_ruling(
    lines: list[Line], line: Line, side: str, settings: Line, times: int
) -> Given | None:
    """Average plus is a number of IMPs, other shares are in proportion; None if it has a score.

    A version of which there is but one score is unplayable: average plus.
    """
    ruling = artificial(line, side)
    if ruling is None and distribution(line, side) is None:
        return Given(None, Fraction(0))
    versions = {x["version"] for x in lines if distribution(x, side) is not None}
    lone = len(versions) > 1 and len(_same(lines, line, side)) == 1
    if ruling is None and not lone:
        return None
    share = Fraction(ruling["share"]) if ruling else Fraction(3, 5)
    tenths = (share - HALF) / Fraction(1, 10)
    return _imp_line(times * tenths * Fraction(settings["average_plus"]), settings)


def _imp_line(points: Fraction, settings: Line) -> Given:
    """A line's IMPs, to the unit they are printed in."""
    return Given(away_from_nothing(points, Fraction(settings["line_unit"])), Fraction(0))


def away_from_nothing(value: Fraction, step: Fraction) -> Fraction:
    """To the nearest multiple, a half away from nothing; exact with no step."""
    size = rounded(abs(value), step, "up", Fraction(0))
    return size if value > 0 else -size


def _for_side(ns_points: Fraction, side: str) -> Fraction:
    return ns_points if side == "ns" else -ns_points


def butler(lines: list[Line], settings: Line) -> list[dict[str, Given]]:
    """Each score against the datum of its version."""
    return [{side: _butler_side(lines, line, side, settings) for side in SIDES} for line in lines]


def _butler_side(lines: list[Line], line: Line, side: str, settings: Line) -> Given:
    ruled = _imp_ruling(lines, line, side, settings, 1)
    if ruled is not None:
        return ruled
    same = [distribution(x, side) for x in _same(lines, line, side)]
    means = [sum((w * x for w, x in scores), Fraction(0)) for scores in same if scores]
    goal = datum(means, settings)
    mine = distribution(line, side) or []
    total = sum((w * imps(x - goal) for w, x in mine), Fraction(0))
    return _imp_line(_for_side(total, side), settings)


def datum(scores: list[Fraction], settings: Line) -> Fraction:
    """The mean without the extremes, to the nearest unit, a half away from nothing."""
    kept = sorted(scores)
    if len(kept) >= 4:
        for _ in range(settings["trim"]):
            if len(kept) > 2:
                kept = kept[1:-1]
    return away_from_nothing(sum(kept, Fraction(0)) / len(kept), Fraction(settings["unit"]))
