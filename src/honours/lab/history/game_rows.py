"""The games in a federation's tables: one row per game, one row per player of a game, or round by
round.

A row may name black and white, the winner and the loser, or a player and the opponent; in the last
case there may be one row per game or one for each player. In a table of entrants, ``round3`` has
the notation of wall lists: ``12+/w2``, with the opponent given by entrant number, or by place if
there are no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.formats.wall_lists import GAME
from honours.lab.column_reading import NOT_SAID
from honours.lab.history.plan import TablePlan
from honours.lab.history.rows import ImportNumbers, Rows
from honours.lab.history.seats import OF_ENTRANTS, OF_PLAYERS, PlayerSeats, column_of, long, unnamed
from honours.lab.history.values import UNREADABLE, Ints
from honours.lab.history.wrong_events import WrongEvents
from honours.model.message import Message

Array = NDArray[Any]
Reading = Callable[[str], tuple[int, int]]
"""What a word of a column says about both players, in half games."""
ENTRANT, PLAYER, EITHER, PLACE = range(4)
"""What kind of ids a row has for its two players."""
_WON, _DREW, _LOST = 2, 1, 0
_WORDS = {
    _WON: ("1", "1.0", "w", "won", "win", "+", "v", "victory"),
    _DREW: ("0.5", "0,5", ".5", "½", "1/2", "d", "draw", "drawn", "jigo", "=", "tie"),
    _LOST: ("0", "0.0", "l", "lost", "loss", "-", "defeat"),
}
_OWN = {word: halves for halves, words in _WORDS.items() for word in words}
_OF_TWO = re.compile(r"(0[.,]5|½|1/2|1|0)-*[-–:]-*(0[.,]5|½|1/2|1|0)")
_NO_GAME = ("", "?", "-", "--", "free", "bye", "0", "0-", "0+", "0=", "0?")


@dataclass(frozen=True, slots=True)
class WrittenGames:
    """Games as tables write them, one per row. ``by`` says what kind of ids these are, ``other``
    is the opponent's result, and ``whole`` whether this is the only row of the game."""

    event: Ints
    own: Ints
    opponent: Ints
    by: Ints
    result: Ints
    other: Ints
    stones: Ints
    round: Ints
    whole: Array


@dataclass(frozen=True, slots=True)
class Games:
    """Games from each player's point of view, by the seats of an import."""

    own: Ints
    opponent: Ints
    result: Ints
    stones: Ints
    byes: int = 0

    def rows(self, went: Ints, entrants: Mapping[str, Array]) -> dict[str, Array]:
        """The table of games; ``went`` gives the row of each seat among the entrants."""
        own, opponent = went[self.own], went[self.opponent]
        kept = np.flatnonzero((own >= 0) & (opponent >= 0))
        if not len(kept):
            return {}
        order = kept[np.lexsort((opponent[kept], own[kept]))]
        return {
            "event": entrants["event"][own[order]],
            "entrant": entrants["entrant"][own[order]],
            "opponent": entrants["entrant"][opponent[order]],
            "result": self.result[order],
            "stones": self.stones[order],
        }


def written_games(tables: Sequence[tuple[TablePlan, Rows]], known: ImportNumbers) -> WrittenGames:
    """The games of all tables of a bucket."""
    parts = [_of_table(rows, known) for own, rows in tables if own.shape == "games"]
    for own, rows in tables:
        if own.shape != "games":
            parts += [_of_round(rows, number, known) for number in own.rounds]
    if not parts:
        return WrittenGames(*(np.empty(0, np.int64) for _ in WrittenGames.__slots__))
    names = WrittenGames.__slots__
    return WrittenGames(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


# --- a row a game ---------------------------------------------------------------------------------


def _of_table(rows: Rows, known: ImportNumbers) -> WrittenGames:
    many = len(rows["event"])
    stones = column_of(rows, "stones", many).astype(np.int64)
    stones = np.where(stones == NOT_SAID, 0, stones)
    by, whole, results = EITHER, True, np.zeros((many, 2), np.int64)
    if "black" in rows:
        own, opponent = rows["black"], rows["white"]
        results = _read(rows, known, _of_black_and_white)
    elif "winner" in rows:
        own, opponent = rows["winner"], rows["loser"]
        results[:, 0] = _WON
    else:
        by, whole = (ENTRANT, False) if "entrant" in rows else (PLAYER, False)
        own, opponent = rows["entrant" if by == ENTRANT else "player"], rows["opponent"]
        results = _read(rows, known, _of_own)
    if "black" not in rows and "color" in rows:
        colors = _by_word(rows["color"], known, "color", lambda text: (text[:1] == "w", 0))[:, 0]
        stones = np.where(colors == 1, -stones, stones)
    return WrittenGames(
        rows["event"],
        own,
        opponent,
        np.full(many, by, np.int64),
        results[:, 0],
        results[:, 1],
        stones,
        column_of(rows, "round", many).astype(np.int64),
        np.full(many, whole),
    )


def _read(rows: Rows, known: ImportNumbers, read: Reading) -> Ints:
    many = len(rows["event"])
    if "result" not in rows:
        return np.full((many, 2), UNREADABLE, np.int64)
    return _by_word(rows["result"], known, "result", read)


def _by_word(codes: Array, known: ImportNumbers, meaning: str, read: Reading) -> Ints:
    """The pair of numbers each row's word stands for; every distinct word is read once."""
    pairs = [read(text) for text in known.names_of(meaning).texts]
    table = np.array([*pairs, (UNREADABLE, UNREADABLE)], np.int64).reshape(-1, 2)
    at = np.where(codes < 0, len(table) - 1, codes)
    numbers: Ints = table[at]
    return numbers


def _of_own(text: str) -> tuple[int, int]:
    halves = _OWN.get(text)
    return (UNREADABLE, UNREADABLE) if halves is None else (halves, _WON - halves)


def _of_black_and_white(text: str) -> tuple[int, int]:
    """The results of black and white: ``B+3.5``, ``white``, ``1-0``, ``jigo``."""
    match = _OF_TWO.fullmatch(text)
    if match:
        halves = (_OWN[match[1].replace(",", ".")], _OWN[match[2].replace(",", ".")])
        return halves if sum(halves) in (_LOST, _WON) else (UNREADABLE, UNREADABLE)
    if re.fullmatch(r"(b|black)([+-].*)?", text):
        return (_WON, _LOST)
    if re.fullmatch(r"(w|white)([+-].*)?", text):
        return (_LOST, _WON)
    draws = ("jigo", "draw", "drawn", "=", "½", "tie")
    return (_DREW, _DREW) if text in draws else (UNREADABLE, UNREADABLE)


# --- round by round -------------------------------------------------------------------------------


def _of_round(rows: Rows, number: int, known: ImportNumbers) -> WrittenGames:
    """The games of one round in a table of entrants."""
    texts = known.names_of("round").texts
    cells = np.array([*(_cell(text) for text in texts), (NOT_SAID, 0, 0)], np.int64).reshape(-1, 3)
    codes = rows[f"round{number}"]
    opponent, result, stones = cells[np.where(codes < 0, len(cells) - 1, codes)].T
    by = ENTRANT if "entrant" in rows else PLACE
    many = len(codes)
    readable = result != UNREADABLE
    return WrittenGames(
        rows["event"],
        rows["entrant"] if by == ENTRANT else column_of(rows, "place", many).astype(np.int64),
        opponent,
        np.full(many, by, np.int64),
        result,
        np.where(readable, _WON - result, UNREADABLE),
        stones,
        np.full(many, number, np.int64),
        np.zeros(many, np.bool_),
    )


def _cell(text: str) -> tuple[int, int, int]:
    """The opponent, result and stones received in a cell; no opponent if no game was played."""
    if text.casefold() in _NO_GAME:
        return (NOT_SAID, 0, 0)
    match = GAME.fullmatch(text)
    if match is None or match[2] == "?" or match[3] or match[6]:  # unfinished, or not played
        by_default = match is not None and bool(match[3] or match[6])
        return (NOT_SAID, 0, 0) if by_default else (0, UNREADABLE, 0)
    result = {"+": _WON, "-": _LOST, "=": _DREW}[match[2]]
    stones = int(match[5] or 0)
    return (
        int(match[1]) or NOT_SAID,
        result,
        -stones if (match[4] or "").lower() == "w" else stones,
    )


# --- who they are ---------------------------------------------------------------------------------


def seats_of(written: WrittenGames, tables: Iterable[tuple[TablePlan, Rows]]) -> PlayerSeats:
    """Everybody who played, if the tables contain only games."""
    event = np.append(written.event, written.event)
    who = np.append(written.own, written.opponent)
    by = np.append(written.by, written.by)
    there = np.flatnonzero(who != NOT_SAID)
    first = there[_row_of(event[there], who[there], event[there], who[there])]
    first = np.unique(first)
    rows: Rows = {"event": event[first], "row": first, "entrant": who[first]}
    rows["file"] = np.zeros(len(first), np.int64)
    if (by[first] == ENTRANT).any():
        return unnamed(rows, np.ones(len(first), np.int64))
    rows["player"] = who[first]
    for name in (*OF_ENTRANTS, *OF_PLAYERS):
        columns = [table.get(name) for _, table in tables if "opponent" in table]
        if name in rows or not any(column is not None for column in columns):
            continue
        rows[name] = _first_given(rows, [t for _, t in tables if name in t], name)
    return long(rows, np.ones(len(first), np.int64))


def _first_given(rows: Rows, tables: Sequence[Rows], name: str) -> Array:
    """What the first row of each player says about that player."""
    values = np.full(len(rows["event"]), NOT_SAID, np.int64)
    for table in tables:
        at = _row_of(rows["event"], rows["player"], table["event"], table["player"])
        first = np.where(at >= 0, table[name][at], NOT_SAID)
        values = np.where(values == NOT_SAID, first, values)
    return values.astype(np.int32)


def _row_of(event: Ints, key: Ints, in_event: Ints, in_key: Ints) -> Ints:
    """The first row with each combination of event and key; -1 if there is none."""
    many = len(in_event)
    pair = _numbered(np.append(in_event, event), np.append(in_key, key))
    order = np.argsort(pair[:many], kind="stable")
    ours = pair[:many][order]
    if not many:
        return np.full(len(event), -1, np.int64)
    at = np.minimum(np.searchsorted(ours, pair[many:]), many - 1)
    return np.where(ours[at] == pair[many:], order[at], -1)


def _numbered(*columns: Ints) -> Ints:
    """A number for every distinct row of the columns."""
    numbers = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        distinct, code = np.unique(column, return_inverse=True)
        mixed = numbers * len(distinct) + np.reshape(code, -1)
        numbers = np.reshape(np.unique(mixed, return_inverse=True)[1], -1)
    return numbers


def played(written: WrittenGames, seats: PlayerSeats, keys: Ints, bad: WrongEvents) -> Games:
    """The games by seats, from both sides; an impossible game marks its event as wrong."""
    empty = np.empty(0, np.int64)
    if not len(written.event):
        return Games(empty, empty, empty, empty)
    bye = (written.opponent == NOT_SAID) | (written.own == NOT_SAID)
    rows = np.flatnonzero(~bye)
    written = WrittenGames(*(getattr(written, name)[rows] for name in WrittenGames.__slots__))
    of = np.searchsorted(keys, written.event)
    unread = (written.result == UNREADABLE) | (written.other == UNREADABLE)
    bad.mark(Message("the result of a game is not there, or cannot be read"), of[unread])
    own, opponent = (_seat(seats, written, who) for who in (written.own, written.opponent))
    strange = ~unread & ((own < 0) | (opponent < 0))
    bad.mark(Message("a game is against somebody who is not in the event"), of[strange])
    alone = (own == opponent) & (own >= 0)
    bad.mark(Message("somebody plays against themselves"), of[alone])
    good = np.flatnonzero(~unread & ~strange & ~alone)
    written = WrittenGames(*(getattr(written, name)[good] for name in WrittenGames.__slots__))
    return _from_both_sides(written, own[good], opponent[good], of[good], bad, int(bye.sum()))


def _seat(seats: PlayerSeats, written: WrittenGames, who: Ints) -> Ints:
    """The seats of the people that rows name, by the kind of id."""
    entrants = seats.entrants
    event, many = entrants["event"], len(seats)
    by_id = _row_of(written.event, who, event, column_of(entrants, "entrant", many))
    place = column_of(entrants, "place", many).astype(np.int64)
    by_place = _row_of(written.event, who, event, place)
    each = np.repeat(np.arange(many), seats.counts)
    at = _row_of(written.event, who, event[each], seats.players["player"])
    by_player = np.where(at >= 0, each[at] if len(each) else -1, -1)
    either = np.where(by_player >= 0, by_player, by_id)
    choices = {ENTRANT: by_id, PLAYER: by_player, EITHER: either, PLACE: by_place}
    return np.select([written.by == by for by in choices], list(choices.values()))


def _from_both_sides(
    written: WrittenGames, own: Ints, opponent: Ints, of: Ints, bad: WrongEvents, byes: int
) -> Games:
    """Each game once from either side; if both players have a row, the two must agree."""
    low, high = np.minimum(own, opponent), np.maximum(own, opponent)
    group = _numbered(low, high, written.round)
    groups = int(group.max(initial=-1)) + 1
    forth = (own == low) & ~written.whole
    back = (own == high) & ~written.whole
    forths, backs = (np.bincount(group[rows], minlength=groups) for rows in (forth, back))
    twice = (forths > 0) & (backs > 0)
    differ = twice & (forths != backs)
    bad.mark(Message("the two players of a game do not tell the same of it"), of[differ[group]])
    one, two = (np.flatnonzero(side & (twice & ~differ)[group]) for side in (forth, back))
    one = one[np.lexsort((written.stones[one], written.result[one], group[one]))]
    two = two[np.lexsort((-written.stones[two], -written.result[two], group[two]))]
    points = written.result[one] + written.result[two]
    wrong = ~np.isin(points, (_LOST, _WON)) | (written.stones[one] + written.stones[two] != 0)
    bad.mark(Message("the two players of a game do not tell the same of it"), of[one[wrong]])
    once = np.flatnonzero(~twice[group] | written.whole)
    return Games(
        np.concatenate([own, opponent[once]]),
        np.concatenate([opponent, own[once]]),
        np.concatenate([written.result, written.other[once]]),
        np.concatenate([written.stones, -written.stones[once]]),
        byes,
    )
