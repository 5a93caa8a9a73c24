"""The loops of the scorer over columns: plain Python on arrays, which
:mod:`honours.scoring.columns` compiles together with :mod:`honours.scoring.kernel`.

All is whole numbers. ``results`` are the columns event, board, ns, ew and score; ``room`` is
what a thread works in and keeps from one chunk to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honours.scoring.kernel import by_formula, by_place, in_units
from honours.scoring.simd import LANES, NEIGHBOURS, WIDE, changes, falls, four, one, three, two

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FINE, SCATTERED, TOO_NARROW = 0, 1, 2
"""What a chunk came to, in bits."""

COUNTED = 1 << 40
"""A tally holds points below this, and above it how many boards they came from."""
POINTS = COUNTED - 1

SMALL_BOARD, SMALL_SLOTS = 128, 1024
LARGE_BOARD, LARGE_SLOTS = 2048, 32
LARGE_FROM = SMALL_SLOTS * (2 * SMALL_BOARD + 1)
LAST_FROM = LARGE_FROM + LARGE_SLOTS * (2 * LARGE_BOARD + 1)
LAST_SLOT = SMALL_SLOTS + LARGE_SLOTS
"""What scores are worth is kept for so many sizes of board; the last slot is for any larger one."""

COUNT_FROM = 200
"""Of more scores on a board than this, or entrants in an event, counting them by score or by
percentage beats comparing each with each."""
WHOLE = 10000
"""A hundred per cent, in hundredths of one."""


def event_end(events: Array, row: int) -> int:
    """The end of the event of a row."""
    return run_end(events, row, len(events))


def run_end(numbers: Array, begin: int, end: int) -> int:
    """The end of the run of numbers equal to that at ``begin``, at the latest at ``end``."""
    at = begin + 1
    while at + NEIGHBOURS <= end and not changes(numbers, at):
        at += NEIGHBOURS
    while at < end and numbers[at] == numbers[begin]:
        at += 1
    return at


def score_chunk(
    begin: int, end: int, results: Any, rules: Any, room: Any, given: Any, totals: Any
) -> tuple[int, int]:
    """Score the events in the rows from ``begin`` to ``end``; how many entrants were written to
    ``totals``, and whether the order was wrong or the type for matchpoints too narrow."""
    events, boards = results[0], results[1]
    edges, tally, most = room[0], room[2], room[3]
    written, state = 0, FINE
    while begin < end:
        stop = run_end(events, begin, end)
        if events[begin] < events[max(0, begin - 1)] or falling(boards, begin + 1, stop):
            state |= SCATTERED
        count, fullest = edges_of(boards, begin, stop, edges)
        each = most_on(fullest, rules)
        if each > given[2]:
            return written, state | TOO_NARROW
        score_boards(count, fullest, results, rules, room, given)
        before = written
        written = gathered(tally, most, 2 * (stop - begin), each, rules, totals, written)
        for i in range(before, written):
            totals[0][i] = events[begin]
        rank(before, written, totals, room)
        begin = stop
    return written, state


def falling(column: Array, begin: int, end: int) -> bool:
    """True if any number from ``begin`` to ``end`` is below the one before it."""
    falls_somewhere, at = False, begin
    while at + NEIGHBOURS <= end:
        falls_somewhere |= falls(column, at)
        at += NEIGHBOURS
    for i in range(at, end):
        falls_somewhere |= column[i] < column[i - 1]
    return falls_somewhere


def edges_of(boards: Array, begin: int, end: int, edges: Array) -> tuple[int, int]:
    """Write where the boards of an event begin; return how many they are, and the most scores on
    one of them. The next board is likely as long as the last one was."""
    count, fullest, start, length = 0, 0, begin, 0
    while start < end:
        stop = start + length
        guessed = length > 0 and stop <= end and boards[stop - 1] == boards[start]
        if not guessed:
            stop = start + 1
        while stop < end and boards[stop] == boards[start]:
            stop += 1
        edges[count] = start
        count += 1
        length = stop - start
        fullest = max(fullest, length)
        start = stop
    edges[count] = end
    return count, fullest


def most_on(expected: int, rules: Any) -> int:
    """The top of a board with this many scores, in units."""
    per_score_beaten, _, units, _, _ = rules[0]
    most: int = units * per_score_beaten * (expected - 1)
    return most


def score_boards(count: int, fullest: int, results: Any, rules: Any, room: Any, given: Any) -> None:
    """Matchpoints of every result of an event, added to what its entrants have."""
    _, _, norths, easts, scores = results
    edges, sums, tally, most, worth, tags, padded, _, bins = room
    matchpoints, wanted, _ = given
    same_top = rules[0][4]
    for k in range(count):
        # Unsigned, so that nothing looks whether an index is meant from the end.
        start, stop = edges[k], edges[k + 1]
        obtained = int(stop - start)
        compare(scores, int(start), obtained, sums, padded, bins)
        middle = worth_of(obtained, fullest, rules, worth, tags)
        if wanted:  # a loop for each, so that none asks in every round
            for i in range(start, stop):
                sign_sum = int(sums[i - start])
                ns = worth[np.uint64(middle + sign_sum)]
                matchpoints[i] = ns & POINTS
                tally[norths[i]] += ns
                tally[easts[i]] += worth[np.uint64(middle - sign_sum)]
        else:
            for i in range(start, stop):
                sign_sum = int(sums[i - start])
                tally[norths[i]] += worth[np.uint64(middle + sign_sum)]
                tally[easts[i]] += worth[np.uint64(middle - sign_sum)]
        if not same_top:
            top = most_on(obtained, rules)
            for i in range(start, stop):
                most[norths[i]] += top
                most[easts[i]] += top


def compare(scores: Array, start: int, count: int, sums: Array, padded: Array, bins: Array) -> None:
    """The sign sums of a board."""
    if count > COUNT_FROM and by_counting(scores, start, count, sums, bins):
        return
    if start + count + WIDE > len(scores):  # the lanes look beyond the end of a board
        for i in range(count):
            padded[i] = scores[start + i]
        lanes(padded, 0, count, sums)
    else:
        lanes(scores, start, count, sums)


def lanes(scores: Array, start: int, count: int, sums: Array) -> None:
    for at in range(0, count, WIDE):
        left = count - at
        if left <= LANES:
            one(scores, start, count, at, sums)
        elif left <= 2 * LANES:
            two(scores, start, count, at, sums)
        elif left <= 3 * LANES:
            three(scores, start, count, at, sums)
        else:
            four(scores, start, count, at, sums)


def by_counting(scores: Array, start: int, count: int, sums: Array, bins: Array) -> bool:
    """Sign sums from how often each score was made; False where they lie too far apart."""
    low, high = scores[start], scores[start]
    for i in range(start, start + count):
        low, high = min(low, scores[i]), max(high, scores[i])
    tens = True
    for i in range(start, start + count):
        tens = tens and (int(scores[i]) - int(low)) % 10 == 0
    step = 10 if tens else 1
    wide = (int(high) - int(low)) // step + 1
    if wide > len(bins):
        return False
    bins[:wide] = 0
    for i in range(start, start + count):
        bins[(int(scores[i]) - int(low)) // step] += 1
    below = 0
    for k in range(wide):
        here = bins[k]
        bins[k] = 2 * below + here - count  # those below less those above
        below += here
    for i in range(count):
        sums[i] = bins[(int(scores[start + i]) - int(low)) // step]
    return True


def worth_of(obtained: int, fullest: int, rules: Any, worth: Array, tags: Array) -> int:
    """The index in ``worth`` of the matchpoints of a sign sum of 0, those of the others around it;
    worked out unless they are there still."""
    if obtained <= SMALL_BOARD:
        slot = (8 * fullest + fullest - obtained) % SMALL_SLOTS
        middle = slot * (2 * SMALL_BOARD + 1) + obtained
    elif obtained <= LARGE_BOARD:
        near = (fullest - obtained) % LARGE_SLOTS
        slot = SMALL_SLOTS + near
        middle = LARGE_FROM + near * (2 * LARGE_BOARD + 1) + obtained
    else:
        slot, middle = LAST_SLOT, LAST_FROM + obtained
    tag = fullest << 32 | obtained
    if tags[slot] != tag:
        tags[slot] = tag
        work_out(obtained, fullest, rules, worth, middle)
    return middle


def work_out(obtained: int, fullest: int, rules: Any, worth: Array, middle: int) -> None:
    """Matchpoints in units for every sign sum, as they are added to a tally."""
    switches, small, exempt = rules
    per_score_beaten, simplified, units, half, factor_missing = switches
    expected = fullest if factor_missing else obtained
    top = per_score_beaten * (expected - 1)
    short = obtained < expected and obtained < len(small) and not exempt[obtained]
    for sign_sum in range(1 - obtained, obtained):
        if short and small[obtained, 0] > 0:
            best, worst = small[obtained, 0], small[obtained, 1]
            above, below = by_place(sign_sum, obtained, top, best, worst)
        else:
            above, below = by_formula(sign_sum, expected, obtained, per_score_beaten, simplified)
        worth[middle + sign_sum] = COUNTED + in_units(above, below, top, units, half)


def gathered(
    tally: Array, most: Array, left: int, each: int, rules: Any, totals: Any, written: int
) -> int:
    """Write the entrants who have anything, ``left`` results between them, and forget them."""
    _, entrants, points, possible, boards, percentage, _, _ = totals
    same_top = rules[0][4]
    number = 0
    while left > 0:
        held = tally[number]
        if held:
            tally[number] = 0
            played = held // COUNTED
            left -= played
            entrants[written] = number
            boards[written] = played
            points[written] = held & POINTS
            possible[written] = played * each if same_top else most[number]
            most[number] = 0
            # Who could not score at all has 0%, like on the exact way.
            divisor = max(1, possible[written])
            percentage[written] = (20000 * points[written] + divisor) // (2 * divisor)
            written += 1
        number += 1
    return written


def rank(first: int, last: int, totals: Any, room: Any) -> None:
    """Places and ties of an event by the exact ratio of points to what was possible.

    Two ratios are in the order of their percentages; only where these are equal, they are
    compared themselves.
    """
    if last - first > COUNT_FROM:
        rank_counted(first, last - first, totals, room[7], room[8])
    else:
        rank_compared(first, last - first, totals, room)


def rank_compared(first: int, count: int, totals: Any, room: Any) -> None:
    """The same, each with each."""
    percentage, place, tied = totals[5], totals[6], totals[7]
    sums, shares, levels = room[1], room[6], room[8]
    for i in range(count):
        shares[i] = percentage[first + i]
    lanes(shares, 0, count, sums)
    for k in range(2 * count):
        levels[k] = 0
    for i in range(count):  # those who are level have the same sign sum, and nobody else has it
        levels[count + int(sums[i])] += 1
    for i in range(count):
        level = levels[count + int(sums[i])]
        place[first + i] = (count - level - int(sums[i])) // 2 + 1
        tied[first + i] = level
        if level > 1:
            ahead, same, left, j = 0, 0, level, 0
            while left > 0:  # until all who are level were met
                if sums[j] == sums[i]:
                    order = by_ratio(first + i, first + j, totals)
                    ahead += order < 0
                    same += order == 0
                    left -= 1
                j += 1
            place[first + i] += ahead
            tied[first + i] = same


def by_ratio(one: int, other: int, totals: Any) -> int:
    """The order of two entrants' ratios: by multiplying across, above 0 for ``one``."""
    points, possible = totals[2], totals[3]
    difference: int = points[one] * max(1, possible[other]) - points[other] * max(1, possible[one])
    return difference


def rank_counted(first: int, count: int, totals: Any, order: Array, bins: Array) -> None:
    """The same by counting percentages, for an event of many entrants."""
    percentage, place, tied = totals[5], totals[6], totals[7]
    bins[: WHOLE + 2] = 0
    for i in range(first, first + count):
        bins[WHOLE + 1 - percentage[i]] += 1  # the best first
    for k in range(1, WHOLE + 2):
        bins[k] += bins[k - 1]
    for i in range(first, first + count):
        at = WHOLE - percentage[i]
        order[bins[at]] = i
        bins[at] += 1
    begin = 0
    while begin < count:
        end, same = begin + 1, True
        while end < count and percentage[order[end]] == percentage[order[begin]]:
            same = same and by_ratio(order[begin], order[end], totals) == 0
            end += 1
        for k in range(begin, end):
            ahead, level = 0, end - begin
            if not same:
                level = 0
                for m in range(begin, end):
                    compared = by_ratio(order[k], order[m], totals)
                    ahead += compared < 0
                    level += compared == 0
            place[order[k]] = begin + 1 + ahead
            tied[order[k]] = level
        begin = end
