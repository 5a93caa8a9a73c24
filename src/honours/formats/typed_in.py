"""Travellers typed in by hand: a quick text form for a club without any device.

::

    title Tuesday pairs
    pair 1 Ann Ash & Bob Birch
    board 1
    1 2  4S N =
    3 4  3NTx E -1
    5 6  pass
    board 2
    1 4  +420
    3 6  ave+ ave-
    5 2  np

A line is North-South, East-West and what happened: the contract with declarer and result (``=``,
``-1``, or the tricks taken, ``4S N 9``), North-South's score, an adjusted score, ``pass`` or
``np``. ``board 2 b`` starts another version of a fouled board. ``session``, ``section`` and
``round`` hold until the next one; ``#`` starts a remark. In an individual a side is two players,
``1+7``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from honours.errors import FileProblem, FileProblems, message_of
from honours.formats.entrants import EntrantKey, numbered_apart, seats_of, unique_ids, with_ids
from honours.formats.format import Format, Told, text
from honours.formats.notation import (
    parse_ruling,
    read_outcome,
)
from honours.formats.reading import parse_day, read_text, stops_short
from honours.model import Entrant, Event, EventEntrant, Player, Result, Session, Source
from honours.model.message import Message
from honours.scoring.checks import between_lines
from honours.scoring.profiles import profile


@dataclass
class _TypedReader:
    """The content read so far, and under which board, round and section."""

    path: str
    title: str = ""
    day: date | None = None
    board: int = 0
    version: str = ""
    session: int = 1
    section: str = ""
    round: int = 0
    names: dict[str, tuple[Player, ...]] = field(default_factory=dict)
    results: list[tuple[int, Result]] = field(default_factory=list)


def is_typed_in(text: str) -> bool:
    """True if a text is in this form: its first line is one of its words, no table's header and no
    line of TOML."""
    first = next((line for line in text.splitlines() if _plain(line)), "")
    if re.search(r"[,;\t]|^\s*\w+\s*=", first):
        return False
    return _plain(first).split(" ")[0].lower() in _READERS


def read_typed_in(path: str | Path) -> Event:
    """Read travellers typed in; FileProblems lists all that is wrong."""
    return parse_typed_in(read_text(path), str(path))


def parse_typed_in(text: str, path: str) -> Event:
    """The event of a text; FileProblems lists all that is wrong."""
    reading = _TypedReader(path)
    problems: list[FileProblem] = []
    unreadable = set()
    for number, line in enumerate(map(_plain, text.splitlines()), 1):
        try:
            if line:
                _read_line(reading, number, line)
        except ValueError as error:
            problems.append(FileProblem(path, message_of(error), line=number))
            unreadable.add(reading.board)
    if not reading.results and not problems:
        problems.append(FileProblem(path, "there are no results in it", "lines below a board"))
    event = _event(reading)
    if problems:
        # What is wrong between the lines that could be read, so that all is told at once.
        problems += between_lines(event, profile("ebu"), unreadable)
        raise FileProblems(sorted(problems, key=lambda problem: problem.line or 0))
    doubts = list(stops_short(event))
    if reading.board not in {result.board for _, result in reading.results}:
        doubts.append(Message("board {board} has no result", board=reading.board))
    return replace(event, doubts=tuple(doubts))


def _plain(line: str) -> str:
    return " ".join(line.partition("#")[0].split())


def _read_line(reading: _TypedReader, number: int, line: str) -> None:
    word, _, rest = line.partition(" ")
    if word.lower() in _READERS:
        _READERS[word.lower()](reading, rest)
    else:
        reading.results.append((reading.session, _result(reading, number, line)))


def _title(reading: _TypedReader, rest: str) -> None:
    reading.title = rest


def _date(reading: _TypedReader, rest: str) -> None:
    reading.day = parse_day(rest)


def _pair(reading: _TypedReader, rest: str) -> None:
    number, _, names = rest.partition(" ")
    if not names:
        raise ValueError(Message("pair {rest!r} without names", rest=rest))
    if number in reading.names:
        raise ValueError(Message("pair {number} is named twice", number=number))
    reading.names[number] = tuple(Player(name.strip()) for name in names.split("&"))


def _session(reading: _TypedReader, rest: str) -> None:
    reading.session = _whole("session", rest)


def _section(reading: _TypedReader, rest: str) -> None:
    reading.section = rest


def _round(reading: _TypedReader, rest: str) -> None:
    reading.round = _whole("round", rest)


def _board(reading: _TypedReader, rest: str) -> None:
    number, _, reading.version = rest.partition(" ")
    reading.board = _whole("board", number)


def _whole(what: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text) or not int(text):
        raise ValueError(Message("{what} {text!r} is not a number from 1", what=what, text=text))
    return int(text)


_READERS: dict[str, Callable[[_TypedReader, str], None]] = {
    "title": _title,
    "date": _date,
    "pair": _pair,
    "session": _session,
    "section": _section,
    "round": _round,
    "board": _board,
}


def _result(reading: _TypedReader, number: int, line: str) -> Result:
    """The result of a line under its board."""
    parts = line.split(" ", 2)
    if len(parts) < 3:
        raise ValueError(Message("{line!r} is not North-South, East-West and a result", line=line))
    if not reading.board:
        raise ValueError(Message("{line!r} stands before any board", line=line))
    plain = Result(
        reading.board,
        tuple(parts[0].split("+")),
        tuple(parts[1].split("+")),
        version=reading.version,
        section=reading.section,
        round=reading.round,
        source=Source(reading.path, number),
    )
    sizes = {len(side) for side in (plain.ns, plain.ew)}
    if sizes - {1, 2} or len(sizes) > 1:
        raise ValueError(
            Message("{line!r} has sides of different or more than two players", line=line)
        )
    return with_outcome(plain, parts[2])


def with_outcome(result: Result, text: str) -> Result:
    """A line with what happened as it is written on a traveller; ValueError says what is wrong."""
    if re.fullmatch(r"[+-]?\d+", text):
        return read_outcome(result, ns=text)
    bid, _, taken = text.rpartition(" ")
    alone = not taken.isdigit() or parse_ruling(text)
    return read_outcome(result, text if alone else bid, tricks="" if alone else taken)


def _event(reading: _TypedReader) -> Event:
    """The event of everything that was read."""
    meetings = [
        (f"{session} {r.section}", r.ns[0], r.ew[0], r.board) for session, r in reading.results
    ]
    individual = any(len(result.ns) == 2 for _, result in reading.results)
    apart = not individual and numbered_apart(meetings)
    seated = [seats_of(result, apart) for _, result in reading.results]
    ids = unique_ids(one for sides in seated for side in sides for one in side)
    sessions: dict[int, list[Result]] = {}
    for (session, result), sides in zip(reading.results, seated, strict=True):
        sessions.setdefault(session, []).append(with_ids(result, sides, ids))
    return Event(
        reading.title or Path(reading.path).stem,
        "individual" if individual else "pairs",
        "matchpoints",
        tuple(_entrant(reading, one, id) for one, id in ids.items()),
        tuple(Session(number, tuple(sessions[number])) for number in sorted(sessions)),
        winners=2 if apart else 0,
        date=reading.day,
        source=Source(reading.path),
    )


def _entrant(reading: _TypedReader, seating: EntrantKey, id: str) -> EventEntrant:
    players = reading.names.get(id) or reading.names.get(seating.number, ())
    return EventEntrant(Entrant(id, players), seating.number, seating.line, seating.section)


FORMATS = (
    Format("typed-in", "travellers typed in", text(is_typed_in, Told.BY_LINES), read_typed_in),
)
