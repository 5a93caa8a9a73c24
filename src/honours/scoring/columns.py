"""Many events at once, in columns: :mod:`honours.scoring.kernel`, compiled.

Importing this imports NumPy and Numba; scoring a single event does not. A corpus holds scores
only: fouled boards and rulings are for the exact way, and this one has nothing to say of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from honours.errors import InputError
from honours.scoring import kernel
from honours.scoring.profiles import HALVES

if TYPE_CHECKING:
    from honours.scoring.profiles import Profile

Whole = NDArray[np.int64]
Switches = tuple[int, bool, int, int, bool]

# The functions one event runs as they are. No cache on disk: Numba's does not see a change in
# another file.
_sign_sums: Callable[..., None] = numba.njit()(kernel.sign_sums)
_by_formula: Callable[..., tuple[Any, int]] = numba.njit()(kernel.by_formula)
_by_place: Callable[..., tuple[Any, int]] = numba.njit()(kernel.by_place)
_in_units: Callable[..., int] = numba.njit()(kernel.in_units)


@dataclass(frozen=True, slots=True)
class Columns:
    """Matchpoints of every result, and the totals of every entrant by event and number.

    Matchpoints, points and possible points are whole numbers of the profile's unit (tenths for
    ``ebu``); percentages are hundredths of a per cent, half up. Places are by the exact ratio.
    """

    ns_matchpoints: Whole
    ew_matchpoints: Whole
    event: Whole
    entrant: Whole
    points: Whole
    possible: Whole
    boards: Whole
    percentage: Whole
    place: Whole
    tied: Whole


def score_columns(
    event: ArrayLike,
    board: ArrayLike,
    ns: ArrayLike,
    ew: ArrayLike,
    score: ArrayLike,
    profile: Profile,
) -> Columns:
    """Score results that stand together by event and board, and rank each event in one list.

    ``score`` is North-South's; entrants are numbered from 0, each number once in an event.
    """
    columns = [np.ascontiguousarray(column, np.int64) for column in (event, board, ns, ew, score)]
    events, boards, norths, easts, scores = columns
    if len({len(column) for column in columns}) > 1:
        raise InputError("the columns differ in length")
    starts = _starts(events, boards)
    given = np.zeros((3, len(scores)), np.int64)
    switches = _switches(profile)
    small, exempt = _small_groups(profile)
    _score_events(starts, boards, scores, switches, small, exempt, given)
    tallies = [
        _tally_event(norths[a:b], easts[a:b], given[:, a:b], int(events[a]))
        for a, b in itertools.pairwise(starts)
    ]
    return Columns(given[0], given[1], *np.concatenate([np.zeros((8, 0), np.int64), *tallies], 1))


def _starts(events: Whole, boards: Whole) -> Whole:
    """Where each event begins, and where the last ends."""
    new_event = np.flatnonzero(np.diff(events, prepend=events[:1] - 1))
    new_board = np.flatnonzero(
        np.diff(events, prepend=events[:1] - 1) | np.diff(boards, prepend=boards[:1] - 1)
    )
    together = np.stack([events[new_board], boards[new_board]])
    if np.unique(together, axis=1).shape[1] < together.shape[1]:
        raise InputError("the results of an event, or of a board in it, do not stand together")
    return np.append(new_event, len(events))


def _switches(profile: Profile) -> Switches:
    if not profile.unit:
        raise InputError(f"profile {profile.name!r} does not round, and columns hold whole units")
    return (
        profile.per_score_beaten,
        profile.simplified,
        profile.unit.denominator,
        HALVES[profile.half],
        profile.factor_missing,
    )


def _small_groups(profile: Profile) -> tuple[Whole, NDArray[np.bool_]]:
    """Best and worst share in per cent by size of group, for boards that are short of scores."""
    groups = profile.small_groups if profile.small_when_short else {}
    small = np.zeros((max(groups, default=0) + 1, 2), np.int64)
    for size, shares in groups.items():
        small[size] = int(100 * shares[0]), int(100 * shares[-1])
    exempt = np.array([size in profile.larger_exempt for size in range(len(small))])
    return small, exempt


def _score_events_in_python(
    starts: Whole,
    boards: Whole,
    scores: Whole,
    switches: Switches,
    small: Whole,
    exempt: NDArray[np.bool_],
    given: Whole,
) -> None:
    """Fill ``given`` with the matchpoints of both sides and the top, result by result."""
    sums = np.zeros(len(scores), np.int64)
    for nth in range(len(starts) - 1):
        first, last = starts[nth], starts[nth + 1]
        most = _fullest(boards, first, last)
        start = first
        while start < last:
            stop = start + 1
            while stop < last and boards[stop] == boards[start]:
                stop += 1
            _sign_sums(scores, start, stop, sums)
            _score_board(sums, start, stop, most, switches, small, exempt, given)
            start = stop


def _fullest_in_python(boards: Whole, first: int, last: int) -> int:
    most, run = 0, 0
    for i in range(first, last):
        run = run + 1 if i > first and boards[i] == boards[i - 1] else 1
        most = max(most, run)
    return most


def _score_board_in_python(
    sums: Whole,
    start: int,
    stop: int,
    most: int,
    switches: Switches,
    small: Whole,
    exempt: NDArray[np.bool_],
    given: Whole,
) -> None:
    per_score_beaten, simplified, units, half, factor_missing = switches
    obtained = stop - start
    expected = most if factor_missing else obtained
    top = per_score_beaten * (expected - 1)
    by_place = obtained < expected and obtained < len(small) and not exempt[obtained]
    for i in range(start, stop):
        for side in range(2):
            turned = -sums[i] if side else sums[i]
            if by_place and small[obtained, 0] > 0:
                best, worst = small[obtained]
                above, below = _by_place(turned, obtained, top, best, worst)
            else:
                above, below = _by_formula(turned, expected, obtained, per_score_beaten, simplified)
            given[side, i] = _in_units(above, below, top, units, half)
        given[2, i] = units * top


_fullest: Callable[..., int] = numba.njit()(_fullest_in_python)
_score_board: Callable[..., None] = numba.njit()(_score_board_in_python)
_score_events: Callable[..., None] = numba.njit()(_score_events_in_python)


def _tally_event(norths: Whole, easts: Whole, given: Whole, event: int) -> Whole:
    """Event, entrant, points, possible, boards, percentage, place and tied, a column each."""
    numbers, index = np.unique(np.concatenate([norths, easts]), return_inverse=True)
    totals = np.zeros((3, len(numbers)), np.int64)
    np.add.at(totals[0], index, np.concatenate([given[0], given[1]]))
    np.add.at(totals[1], index, np.concatenate([given[2], given[2]]))
    np.add.at(totals[2], index, 1)
    # Who could not score at all has 0%, like on the exact way.
    points, possible = totals[0], np.maximum(1, totals[1])
    percentage = (20000 * points + possible) // (2 * possible)
    # Ratios are compared by multiplying across, so that nothing is rounded before it ranks.
    ahead = points[None, :] * possible[:, None] > points[:, None] * possible[None, :]
    level = points[None, :] * possible[:, None] == points[:, None] * possible[None, :]
    places = np.stack([percentage, 1 + ahead.sum(axis=1), level.sum(axis=1)])
    return np.concatenate([np.full((1, len(numbers)), event), numbers[None, :], totals, places])
