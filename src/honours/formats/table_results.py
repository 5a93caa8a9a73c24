"""Results from a plain table: one row a line of a traveller, contract and tricks or the score."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import Any

from honours.formats.entrants import EW, NS, EntrantKey, numbered_apart, unique_ids
from honours.formats.format import Format, columns
from honours.formats.notation import (
    is_not_played,
    is_relative,
    read_outcome,
)
from honours.formats.reading import parse_day, stops_short
from honours.formats.sheet import Sheet, SheetCells, each_part, vocabulary
from honours.formats.workbooks import read_table
from honours.model import (
    Entrant,
    Event,
    EventEntrant,
    Facts,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message
from honours.scoring.checks import between_lines
from honours.scoring.contracts import TRICKS
from honours.scoring.profiles import profile
from honours.scoring.rulings import UNSAID


def outcome_of(told: tuple[str, ...], relative: bool) -> tuple[Any, ...]:
    """Score, contract, tricks, whether it was passed out, and the ruling, told by contract,
    declarer, tricks and the scores of both sides; where results are ``relative`` to contracts, an
    unsigned 1 is not one trick."""
    contract, declarer, tricks, ns, ew = told
    if not (contract or ns or is_not_played(tricks)):
        raise ValueError(Message("no contract, no score: write NP for a board not played"))
    if relative and re.fullmatch(r"\d{1,2}", tricks) and int(tricks) <= TRICKS:
        if int(tricks):
            raise ValueError(
                Message(
                    "result {result!r} among results like = and +1: write +{result}", result=tricks
                )
            )
        tricks = "="
    line = read_outcome(Result(0, (), ()), contract, declarer, tricks, ns, ew)
    return line.score, line.contract, line.tricks, line.passed_out, line.adjusted


# --- tables ------------------------------------------------------------------------------------


COLUMNS = vocabulary("results")
_SEATS = ("north", "south", "east", "west")
_HIGHEST_BOARD = 9999


_NO_OUTCOME = (None, None, None, False, None)
_OUTCOME = ("contract", "declarer", "tricks", "score", "ewscore")


def read_results(path: str | Path) -> Event:
    """Read a CSV, TSV or XLSX of the results of one event; FileProblems lists all that is wrong."""
    return parse_results(read_table(path), path)


def parse_results(text: str, path: str | Path) -> Event:
    """The event in a table; ``path`` is what error messages call the file."""
    return _read_sheet(Sheet(str(path), text, COLUMNS))


def read_result_events(path: str | Path) -> tuple[Event, ...]:
    """Read a table of the results of several events, told apart by its column ``event``."""
    return each_part(Sheet(str(path), read_table(path), COLUMNS), "event", _read_sheet)


def _read_sheet(sheet: Sheet) -> Event:
    """The event of a sheet, with everything that is wrong in it told at once."""
    individual = all(seat in sheet.columns for seat in _SEATS)
    sheet.require("board")
    if not individual:
        sheet.require("ns")
        sheet.require("ew")
    sheet.require("score", "contract")
    sheet.problems.settle()
    cells = SheetCells(sheet)
    rows = _ResultRows(sheet, cells, individual)
    if not cells.lines and not sheet.problems.found:
        sheet.problems.add("a header and no rows")
    title, played, club = (_one_of(cells, name) for name in ("event", "date", "club"))
    day = sheet.problems.attempt(1, parse_day, played) if played else None
    if sheet.problems.found:
        _look_further(sheet, cells, rows)
    sheet.problems.settle()
    event = Event(
        title=title or Path(sheet.path).stem,
        kind="individual" if individual else "pairs",
        scoring="matchpoints",
        entrants=rows.entrants(),
        sessions=rows.sessions(),
        winners=2 if rows.apart else 0,
        date=day,
        club=club,
        facts={
            **_same_for_all(sheet, cells),
            UNSAID: "scoring" if individual else "kind, scoring, winners",
        },
        source=Source(sheet.path),
    )
    cut = () if sheet.followed else (*sheet.ends_short(), *stops_short(event))
    return replace(event, doubts=cut)


def _one_of(cells: SheetCells, meaning: str) -> str:
    """The one value a column may have in a whole file."""
    column = cells.words(meaning)
    values = [text for text in dict.fromkeys(column) if text]
    if len(values) > 1:
        line, other = (cells.lines[column.index(value)] for value in values[:2])
        cells.problems.add(
            "{meaning} {first!r} (line {row}) and {second!r}",
            other,
            "one {meaning} in a file",
            meaning=meaning,
            first=values[0],
            row=line,
            second=values[1],
        )
    return next(iter(values), "")


def _look_further(sheet: Sheet, cells: SheetCells, rows: _ResultRows) -> None:
    """Add to the problems of lines that cannot be read what is wrong between the others, so that
    everything is told at once."""
    sessions = rows.sessions(without=cells.faulty)
    readable = Event("", "pairs", "matchpoints", (), sessions, source=Source(sheet.path))
    boards = zip(cells.lines, cells.texts("board"), strict=True)
    unreadable = {
        int(board)
        for line, board in boards
        if line in cells.faulty and re.fullmatch(r"\d{1,4}", board)
    }
    sheet.problems.found += between_lines(readable, profile("ebu"), unreadable)
    sheet.problems.found.sort(key=lambda problem: problem.line or 0)


def _same_for_all(sheet: Sheet, cells: SheetCells) -> dict[str, Value]:
    """Values of columns we do not know that are the same in every row: a rulebook may ask for
    them."""
    if not sheet.columns.ignored:
        return {}
    alike: dict[str, Value] = {}
    for position, name, player in sheet.columns.further:
        values = {sheet.figure_or_words(text) for text in set(cells.at(position))}
        if not player and len(values) == 1 and values != {""}:
            alike[name] = values.pop()
    ours = {"columns": ", ".join(alike)} if alike else {}
    return {**alike, **ours, "not_understood": ", ".join(sheet.columns.ignored)}


class _ResultRows:
    """The lines of a table, column by column: what many of them have is read once."""

    def __init__(self, sheet: Sheet, cells: SheetCells, individual: bool) -> None:
        self._path, self._cells = sheet.path, cells
        self._boards = cells.whole("board", least=1)
        cells.refuse(self._boards, 0, "no board number")
        for board in {board for board in self._boards if board > _HIGHEST_BOARD}:
            cells.refuse(
                self._boards,
                board,
                "board {board} is above {highest_board}",
                board=board,
                highest_board=_HIGHEST_BOARD,
            )
        names = (("north", "south"), ("east", "west")) if individual else (("ns",), ("ew",))
        ns, ew = ([self._numbers_of(seat) for seat in seats] for seats in names)
        self._sections = cells.words("section")
        self._sides = [[*zip(self._sections, *numbers, strict=True)] for numbers in (ns, ew)]
        self._session = cells.whole("session", least=1, empty=1)
        relative = any(map(is_relative, set(cells.texts("tricks"))))
        told = zip(*map(cells.texts, _OUTCOME), strict=True)
        self._outcomes = cells.each(list(told), lambda one: outcome_of(one, relative), _NO_OUTCOME)
        self._rounds, self._tables = cells.whole("round"), cells.whole("table")
        points = zip(*map(cells.numbers, ("nsmatchpoints", "ewmatchpoints")), strict=True)
        self._published: list[Facts] = cells.each(list(points), _published, {})
        places = zip(self._session, self._sections, strict=True)
        meetings = zip(places, ns[0], ew[0], self._boards, strict=True)
        self.apart = not individual and numbered_apart(list(meetings))
        self._seats = [
            {
                side: tuple(EntrantKey(side[0], n, line if self.apart else "") for n in side[1:])
                for side in dict.fromkeys(sides)
            }
            for line, sides in zip((NS, EW), self._sides, strict=True)
        ]
        everyone = [keys for seats in self._seats for keys in seats.values()]
        self._ids = unique_ids(key for keys in everyone for key in keys)

    def _numbers_of(self, seat: str) -> list[str]:
        """The numbers in a seat, each of which must be there."""
        numbers = self._cells.words(seat)
        self._cells.refuse(numbers, "", "no {name} number: who played?", name=seat)
        return numbers

    def sessions(self, without: Collection[int] = ()) -> tuple[Session, ...]:
        """The results with everyone's id in place of the numbers of the file, by session."""
        cells = self._cells
        ids = [
            {side: tuple(self._ids[one] for one in keys) for side, keys in seats.items()}
            for seats in self._seats
        ]
        results = map(
            Result,
            self._boards,
            map(ids[0].__getitem__, self._sides[0]),
            map(ids[1].__getitem__, self._sides[1]),
            *zip(*self._outcomes, strict=True),
            cells.words("version"),
            cells.words("lead"),
            self._sections,
            self._rounds,
            self._tables,
            cells.words("remark"),
            self._published,
            map(Source, repeat(self._path), cells.lines),
        )
        sessions: dict[int, list[Result]] = {number: [] for number in sorted(set(self._session))}
        for session, line, result in zip(self._session, cells.lines, results, strict=True):
            if line not in without:
                sessions[session].append(result)
        return tuple(Session(number, tuple(lines)) for number, lines in sessions.items() if lines)

    def entrants(self) -> tuple[EventEntrant, ...]:
        """Everyone who played, in the order of their numbers, with the names the rows give them."""
        names: dict[EntrantKey, str] = {}
        for line, side, seats in zip(("ns", "ew"), self._sides, self._seats, strict=True):
            told = self._cells.words(f"{line}players")
            given = [*zip(side, told, strict=True)] if any(told) else [(key, "") for key in seats]
            for key, people in dict.fromkeys(given):
                for seating, name in zip(seats[key], _names_of(seats[key], people), strict=True):
                    # a name may stand on any of the pair's rows, not only on its first
                    known = names[seating] = names.get(seating) or name
                    if name and name != known:
                        self._cells.refuse(
                            given,
                            (key, people),
                            "{number} is {known!r} and {name!r}",
                            number=seating.number,
                            known=known,
                            name=name,
                        )
        self._cells.problems.settle()
        return tuple(
            EventEntrant(Entrant(id_, _people(names[key])), key.number, key.line, key.section)
            for key, id_ in sorted(self._ids.items(), key=lambda one: one[0].order)
        )


def _published(points: tuple[Fraction | None, Fraction | None]) -> dict[str, Value]:
    named = zip(("ns_matchpoints", "ew_matchpoints"), points, strict=True)
    return {name: number for name, number in named if number is not None}


def _names_of(side: Sequence[EntrantKey], given: str) -> tuple[str, ...]:
    """The names of a side's entrants: of a pair its own, of two who play for themselves one each,
    or what stands in their seats where that is a name."""
    if len(side) == 1:
        return (given,)
    parts = tuple(name.strip() for name in given.split("&")) if given else ()
    if len(parts) == len(side):
        return parts
    return tuple("" if seating.number[:1].isdigit() else seating.number for seating in side)


def _people(names: str) -> tuple[Player, ...]:
    return tuple(Player(name.strip()) for name in names.split("&")) if names else ()


_TELLING = {"board", "ns", "ew", "contract", "declarer", "tricks", "north", "south"}


FORMATS = (Format("results", "table of results", columns(COLUMNS, _TELLING), read_result_events),)
