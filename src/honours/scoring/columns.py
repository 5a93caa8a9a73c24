"""Many events at once, in columns: :mod:`honours.scoring.kernel`, compiled.

Importing this imports NumPy and Numba; scoring a single event does not. A corpus holds scores
only: fouled boards and rulings are for the exact way, and this one has nothing to say of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from honours.engine.loops import share_out
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
    columns = [_whole(column) for column in (event, board, ns, ew, score)]
    if len({len(column) for column in columns}) > 1:
        raise InputError("the columns differ in length")
    events, boards, norths, easts, scores = columns
    starts = _starts(events, boards)
    offsets = _offsets(starts, norths, easts)
    longest = int(np.diff(starts).max(initial=0))
    most = 1 + int(max(norths.max(initial=0), easts.max(initial=0)))
    # Sign sums of the type that just holds them: more of them are compared at once.
    narrow = np.empty(0, np.int16 if longest < 2**15 else np.int32)
    given = np.empty((2, len(scores)), np.int32)
    totals = np.empty((7, int(offsets[-1])), np.int64)
    small, exempt = _small_groups(profile)
    share_out(
        _score_events, starts, len(scores),
        (starts, offsets, boards, norths, easts, scores, _switches(profile), small, exempt,
         longest, narrow, most, given[0], given[1], totals),
    )  # fmt: skip
    each = np.repeat(events[starts[:-1]], np.diff(offsets))
    return Columns(given[0], given[1], each, *totals)


def _whole(column: ArrayLike) -> NDArray[Any]:
    """The column as whole numbers, in its own type if it has one."""
    array = np.ascontiguousarray(column)
    return array if np.issubdtype(array.dtype, np.integer) else array.astype(np.int64)


def _starts(events: NDArray[Any], boards: NDArray[Any]) -> Whole:
    """Where each event begins, and where the last ends."""
    found, rising = _survey(events, boards)
    starts = np.append(found, len(events)) if len(events) else np.zeros(1, np.int64)
    if not rising:
        _refuse_scattered(events, boards)
    return starts


def _refuse_scattered(events: NDArray[Any], boards: NDArray[Any]) -> None:
    """Results that do not rise by event and board must still stand together."""
    changes = (events[1:] != events[:-1]) | (boards[1:] != boards[:-1])
    new = np.append(0, np.flatnonzero(changes) + 1)
    pairs = np.stack([events[new], boards[new]]).astype(np.int64)
    of_event = events[np.append(0, np.flatnonzero(events[1:] != events[:-1]) + 1)]
    scattered = np.unique(pairs, axis=1).shape[1] < pairs.shape[1]
    if scattered or len(np.unique(of_event)) < len(of_event):
        raise InputError("the results of an event, or of a board in it, do not stand together")


def _offsets(starts: Whole, norths: NDArray[Any], easts: NDArray[Any]) -> Whole:
    """Where each event's entrants begin among all."""
    counts = np.zeros(len(starts), np.int64)
    most = 1 + int(max(norths.max(initial=0), easts.max(initial=0)))
    share_out(_count_entrants, starts, len(norths), (starts, norths, easts, most, counts))
    return np.cumsum(counts)


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


def _survey_in_python(events: NDArray[Any], boards: NDArray[Any]) -> tuple[Whole, bool]:
    """Where events begin, and whether events and the boards in each of them only rise."""
    starts = np.empty(len(events), np.int64)
    count, rising = 0, True
    for i in range(len(events)):
        if i == 0 or events[i] != events[i - 1]:
            starts[count] = i
            count += 1
            rising = rising and (i == 0 or events[i] > events[i - 1])
        else:
            rising = rising and boards[i] >= boards[i - 1]
    return starts[:count].copy(), rising


def _count_entrants_in_python(
    first: int,
    last: int,
    starts: Whole,
    norths: NDArray[Any],
    easts: NDArray[Any],
    most: int,
    counts: Whole,
) -> None:
    seen = np.full(most, -1)
    for nth in range(first, last):
        count = 0
        for i in range(starts[nth], starts[nth + 1]):
            for number in (norths[i], easts[i]):
                if seen[number] != nth:
                    seen[number] = nth
                    count += 1
        counts[nth + 1] = count


def _score_events_in_python(
    first: int,
    last: int,
    starts: Whole,
    offsets: Whole,
    boards: NDArray[Any],
    norths: NDArray[Any],
    easts: NDArray[Any],
    scores: NDArray[Any],
    switches: Switches,
    small: Whole,
    exempt: NDArray[np.bool_],
    longest: int,
    narrow: NDArray[Any],
    most: int,
    for_ns: NDArray[np.int32],
    for_ew: NDArray[np.int32],
    totals: Whole,
) -> None:
    """Score the events from ``first`` to ``last``: matchpoints, and the totals of entrants."""
    sums = np.zeros(longest, narrow.dtype)
    worth = np.zeros(2 * longest + 1, np.int32)
    tally = np.zeros((most, 3), np.int64)
    for nth in range(first, last):
        begin, end = starts[nth], starts[nth + 1]
        fullest = _fullest(boards, begin, end)
        obtained, possible, start = 0, 0, begin
        while start < end:
            stop = start + 1
            while stop < end and boards[stop] == boards[start]:
                stop += 1
            if stop - start != obtained:  # what a score is worth depends on how many there are
                obtained = stop - start
                possible = _worth(obtained, fullest, switches, small, exempt, worth)
            _sign_sums(scores[start:stop], 0, obtained, sums)
            for i in range(obtained):
                north, east = norths[start + i], easts[start + i]
                ns, ew = worth[obtained + sums[i]], worth[obtained - sums[i]]
                for_ns[start + i], for_ew[start + i] = ns, ew
                _add(tally, north, ns, possible)
                _add(tally, east, ew, possible)
            start = stop
        _rank_event(tally, offsets[nth], offsets[nth + 1], totals)


def _add_in_python(tally: Whole, number: int, points: int, possible: int) -> None:
    tally[number, 0] += points
    tally[number, 1] += possible
    tally[number, 2] += 1


def _fullest_in_python(boards: NDArray[Any], first: int, last: int) -> int:
    most, start = 0, first
    for i in range(first + 1, last + 1):
        if i == last or boards[i] != boards[start]:
            most = max(most, i - start)
            start = i
    return most


def _worth_in_python(
    obtained: int,
    fullest: int,
    switches: Switches,
    small: Whole,
    exempt: NDArray[np.bool_],
    worth: NDArray[np.int32],
) -> int:
    """Matchpoints in units by sign sum (from −obtained up), and the most there are to have."""
    per_score_beaten, simplified, units, half, factor_missing = switches
    expected = fullest if factor_missing else obtained
    top = per_score_beaten * (expected - 1)
    by_place = obtained < expected and obtained < len(small) and not exempt[obtained]
    for sign_sum in range(1 - obtained, obtained):
        if by_place and small[obtained, 0] > 0:
            best, worst = small[obtained]
            above, below = _by_place(sign_sum, obtained, top, best, worst)
        else:
            above, below = _by_formula(sign_sum, expected, obtained, per_score_beaten, simplified)
        worth[obtained + sign_sum] = _in_units(above, below, top, units, half)
    return units * top


def _rank_event_in_python(tally: Whole, first: int, last: int, totals: Whole) -> None:
    """Entrant, points, possible, boards, percentage, place and tied; the tally is emptied."""
    at = first
    for number in range(len(tally)):
        if at == last:
            break
        if tally[number, 2]:
            totals[0, at] = number
            totals[1:4, at] = tally[number]
            tally[number] = 0
            at += 1
    for i in range(first, last):
        # Who could not score at all has 0%, like on the exact way.
        points, possible = totals[1, i], max(1, totals[2, i])
        totals[4, i] = (20000 * points + possible) // (2 * possible)
        # Ratios are compared by multiplying across, so that nothing is rounded before it ranks.
        ahead, level = 1, 0
        for j in range(first, last):
            theirs, ours = totals[1, j] * possible, points * max(1, totals[2, j])
            ahead += theirs > ours
            level += theirs == ours
        totals[5, i] = ahead
        totals[6, i] = level


_survey: Callable[..., tuple[Whole, bool]] = numba.njit(nogil=True)(_survey_in_python)
_count_entrants: Callable[..., None] = numba.njit(nogil=True)(_count_entrants_in_python)
_add: Callable[..., None] = numba.njit(nogil=True)(_add_in_python)
_fullest: Callable[..., int] = numba.njit(nogil=True)(_fullest_in_python)
_worth: Callable[..., int] = numba.njit(nogil=True)(_worth_in_python)
_rank_event: Callable[..., None] = numba.njit(nogil=True)(_rank_event_in_python)
_score_events: Callable[..., None] = numba.njit(nogil=True)(_score_events_in_python)
