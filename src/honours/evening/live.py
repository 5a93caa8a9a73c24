"""The director's view during play: the clock, what is missing, which tables are slow."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from honours import clock
from honours.evening.board_lines import BoardLine, BoardPlace
from honours.evening.doubts import doubtful
from honours.evening.evening import Evening
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The times the current round began and ends; none before the first round is started."""

    round: int
    begins: datetime | None = None
    ends: datetime | None = None


def round_clock(evening: Evening) -> RoundClock:
    """The times of the current round."""
    number = evening.current
    started = evening.started.get(number)
    if started is None:
        return RoundClock(number)
    begins = datetime.fromisoformat(started)
    return RoundClock(number, begins, begins + timedelta(minutes=minutes_of(evening, number)))


def minutes_of(evening: Evening, number: int) -> int:
    """Return the minutes that a round takes."""
    boards: dict[int, int] = {}
    for seats in evening.seats(number) if evening.rounds else ():
        boards[seats.table] = boards.get(seats.table, 0) + len(seats.boards)
    plan = evening.plan
    return max(boards.values(), default=0) * plan.minutes_a_board + plan.minutes_a_move


@dataclass(frozen=True, slots=True)
class TableNow:
    """The progress of a table: boards confirmed, entered and missing in its round, and whether it
    is ``slow``, still in a round that is over."""

    table: int
    name: str
    round: int
    ns: str
    ew: str
    confirmed: int
    waiting: int
    missing: tuple[int, ...]
    slow: bool
    called: str
    sits_out: bool


def tables_now(evening: Evening, now: datetime | None = None) -> list[TableNow]:
    """Every table with its progress, and whether it is behind the clock."""
    moment, time = now or clock.now(), round_clock(evening)
    over = time.ends is not None and moment > time.ends
    return [_table(evening, table, time.round, over) for table in evening.tables]


def _table(evening: Evening, table: int, current: int, over: bool) -> TableNow:
    number = evening.round_at(table)
    there = evening.at_table(number, table)
    seats = [s for s in there if s.is_played]
    lines = {b: evening.line(BoardPlace(number, table, b)) for s in seats for b in s.boards}
    missing = tuple(board for board, line in lines.items() if line is None)
    waiting = sum(line is not None and not line.is_settled for line in lines.values())
    behind = number < current or (over and number == current)
    return TableNow(
        table,
        evening.table_name(table),
        number,
        "+".join(there[0].ns) if there else "",
        "+".join(there[0].ew) if there else "",
        len(lines) - len(missing) - waiting,
        waiting,
        missing,
        behind and bool(missing or waiting),
        evening.calls.get(table, ""),
        not seats,
    )


def missing(evening: Evening) -> list[BoardPlace]:
    """Every board that has not been entered: of the rounds so far, of all when play has ended."""
    last = len(evening.rounds) if evening.ended else evening.current
    return [p for p, _ in evening.places() if p.round <= last and evening.line(p) is None]


def progress(evening: Evening) -> tuple[int, int]:
    """Count the results that have been entered, and those there will be."""
    places = [place for place, _ in evening.places()]
    return sum(evening.line(place) is not None for place in places), len(places)


def shows_standings(evening: Evening) -> bool:
    """Return whether everybody may see the standings by now."""
    if evening.ended or evening.plan.watched or evening.plan.standings == "always":
        return True
    made, of = progress(evening)
    return evening.plan.standings == "half" and 2 * made >= of


def correctable_until(evening: Evening) -> datetime | None:
    """Return the end of the correction period (Law 79C), which begins when play has ended."""
    if not evening.ended:
        return None
    minutes = evening.plan.correction_minutes
    return datetime.fromisoformat(evening.ended) + timedelta(minutes=minutes)


def to_look_at(evening: Evening) -> list[tuple[BoardLine, tuple[Message, ...]]]:
    """Return what a director should look at: doubtful and disputed lines."""
    return doubtful(evening)


def stray_results(evening: Evening) -> list[Message]:
    """Return what devices sent that belongs to no board of the evening, in words."""
    return [
        Message(
            "a device sent {text} for board {board}, table {table}, round {round}, by {ns} and "
            "{ew}, who do not play it there",
            **{name: one[name] for name in ("text", "board", "round", "ns", "ew")},
            table=evening.table_name(one["table"]),
        )
        if "board" in one
        else Message("a device sent something that cannot be read: {what}", what=one["why"])
        for one in evening.strays
    ]
