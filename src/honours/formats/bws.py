"""Bridgemate's .bws: what the table devices received, in an Access database.

Lines marked as erased are void. Pairs are numbers; players are found through the table and
direction they sat down at in their first round, by number, then by the names file if it has them.
In an individual the columns of pairs hold North and East, and South and West have their own.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.entrants import (
    EW,
    NS,
    EntrantKey,
    numbered_apart,
    seats_of,
    unique_ids,
    with_ids,
)
from honours.formats.format import Format, head, rarely_seen
from honours.formats.jet import Cell, JetDatabase
from honours.formats.notation import (
    is_not_played,
    parse_ruling,
    read_outcome,
)
from honours.formats.reading import Problems, read_bytes
from honours.model import Board, Entrant, Event, EventEntrant, Player, Result, Session, Source
from honours.model.message import Message, every
from honours.movements.movement import Movement, Seating, check, read_movements
from honours.scoring.rulings import UNSAID

Record = Mapping[str, Cell]
_NEEDED = ("ReceivedData", "Section")
_SETTLED_AFTER = 2.0
_PAUSE = 0.2
_TRIES = 10
_SEATS = ("North", "East", "South", "West")
_SUITS = ("Spades", "Hearts", "Diamonds", "Clubs")
_WRONG_DIRECTION = "wrong direction"
_Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of a table's North-South and East-West: a pair's, or two players'."""


def is_bws(data: bytes) -> bool:
    return data[4:19] == b"Standard Jet DB"


def read_bws(path: str | Path) -> Event:
    """Read a .bws into an Event, from a copy of one moment if it is still being written."""
    tables = _consistent(path)
    missing = [table for table in _NEEDED if table not in tables]
    if missing:
        fault = Message("an Access database without {missing}", missing=every(missing))
        raise FileProblem(path, fault, "a Bridgemate file")
    return _BwsReader(str(path), tables).event()


def _consistent(path: str | Path) -> dict[str, Sequence[Record]]:
    """The rows of every table as they were at one moment."""
    for attempt in range(_TRIES):
        data = read_bytes(path)
        fresh = time.time() - Path(path).stat().st_mtime < _SETTLED_AFTER
        if fresh:
            time.sleep(_PAUSE)
            if read_bytes(path) != data:
                continue
        try:
            base = JetDatabase(str(path), data)
            return {name: base.rows(name) for name in base.tables}
        except FileProblem:
            if fresh and attempt < _TRIES - 1:
                continue
            raise
    raise FileProblem(path, "written to all the time", "a moment's rest: try again")


def _number(record: Record, name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) else 0


def _text(record: Record, name: str) -> str:
    value = record.get(name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).strip()


@dataclass(frozen=True, slots=True)
class _ReceivedLine:
    """A received line: its result, still with pair numbers."""

    section: int
    result: Result


class _BwsReader:
    """One file on its way to an Event."""

    def __init__(self, path: str, tables: Mapping[str, Sequence[Record]]) -> None:
        self._path = path
        self._tables = tables
        self._problems = Problems(path)
        self._letters = {
            _number(row, "ID"): _text(row, "Letter") for row in self._tables["Section"]
        }
        self._individual = any(
            _number(row, "South") and _number(row, "West") for row in self._tables["ReceivedData"]
        )
        self._schedule = {
            (_number(r, "Section"), _number(r, "Table"), _number(r, "Round")): self._sides(
                r, "NSPair", "EWPair"
            )
            for r in self._table("RoundData")
        }

    def _table(self, name: str) -> Sequence[Record]:
        return self._tables.get(name, [])

    def _sides(self, row: Record, ns: str, ew: str) -> _Sides:
        """The numbers that sit North-South and East-West: a pair, or the two players of an
        individual."""
        north, east = _number(row, ns), _number(row, ew)
        if not self._individual:
            return (north,), (east,)
        return (north, _number(row, "South")), (east, _number(row, "West"))

    def event(self) -> Event:
        received = [row for row in self._table("ReceivedData") if not row.get("Erased")]
        lines = [line for row in received if (line := self._line(row)) is not None]
        if not lines:
            self._problems.add("no results in it yet", expected="at least one line received")
        self._problems.settle()
        apart = not self._individual and numbered_apart(self._meetings(lines))
        seated = [(line.result, seats_of(line.result, apart)) for line in lines]
        ids = unique_ids(seating for _, sides in seated for side in sides for seating in side)
        results = tuple(with_ids(result, sides, ids) for result, sides in seated)
        return Event(
            title=Path(self._path).stem,
            kind="individual" if self._individual else "pairs",
            scoring="matchpoints",
            entrants=self._entrants(ids),
            sessions=(Session(1, results, boards=self._boards()),),
            winners=2 if apart else 0,
            date=_day(received),
            program="Bridgemate",
            facts=self._facts(),
            source=Source(self._path),
        )

    def _facts(self) -> dict[str, str]:
        """Settings of the devices that scoring may ask for: whether sections score together."""
        together = any(row.get("GroupSections") for row in self._table("Settings"))
        unsaid = {UNSAID: "scoring" if self._individual else "kind, scoring, winners"}
        return unsaid | ({"sections": "together"} if together else {})

    # --- lines ------------------------------------------------------------------------------

    def _line(self, row: Record) -> _ReceivedLine | None:
        """A received line, or nothing where a seat is empty or it cannot be read."""
        ns, ew = self._sides(row, "PairNS", "PairEW")
        if not all((*ns, *ew)):
            return None
        try:
            result = self._outcome(row, self._bare(row, ns, ew))
        except ValueError as error:
            self._problems.add(
                "record {number} of ReceivedData: {error}", number=_number(row, "ID"), error=error
            )
            return None
        return _ReceivedLine(_number(row, "Section"), result)

    def _bare(self, row: Record, ns: tuple[int, ...], ew: tuple[int, ...]) -> Result:
        """A line before its outcome, its pairs as they really sat."""
        board = _number(row, "Board")
        if board < 1:
            raise ValueError(Message("board {board}", board=board))
        remark = _text(row, "Remarks")
        place = (_number(row, "Section"), _number(row, "Table"), _number(row, "Round"))
        # The device stores the pairs as the movement has them: only then are they to be turned.
        if remark.casefold() == _WRONG_DIRECTION and self._schedule.get(place) == (ns, ew):
            ns, ew = ew, ns
        return Result(
            board,
            tuple(map(str, ns)),
            tuple(map(str, ew)),
            lead=_text(row, "LeadCard"),
            section=self._letters.get(place[0], str(place[0])),
            table=place[1],
            round=place[2],
            remark=remark,
            source=Source(self._path, _number(row, "ID")),
        )

    def _outcome(self, row: Record, bare: Result) -> Result:
        remark = bare.remark
        stands = remark and (is_not_played(remark) or parse_ruling(remark))
        cells = (_text(row, name) for name in ("Contract", "NS/EW", "Result"))
        contract, seat, tricks = cells
        return read_outcome(bare, contract, seat, tricks, remark if stands else "")

    # --- entrants ---------------------------------------------------------------------------

    def _meetings(self, lines: Iterable[_ReceivedLine]) -> list[tuple[str, str, str, int]]:
        """The meetings: by the movement's rounds, else by the boards played."""
        scheduled = [
            (str(section), str(ns[0]), str(ew[0]), round_)
            for (section, _, round_), (ns, ew) in self._schedule.items()
            if ns[0] and ew[0]
        ]
        return scheduled or [
            (str(line.section), line.result.ns[0], line.result.ew[0], line.result.board)
            for line in lines
        ]

    def _entrants(self, ids: Mapping[EntrantKey, str]) -> tuple[EventEntrant, ...]:
        players = self._players()
        ordered = sorted(ids, key=lambda s: (s.section, s.line != NS, int(s.number)))
        return tuple(
            EventEntrant(
                Entrant(ids[s], tuple(self._seated(players, s))), s.number, s.line, s.section
            )
            for s in ordered
        )

    def _seated(
        self, players: Mapping[tuple[str, str, str], list[Player]], seating: EntrantKey
    ) -> list[Player]:
        sides = [seating.line] if seating.line else [NS, EW]
        seated = [players.get((seating.section, seating.number, side), []) for side in sides]
        return next((people for people in seated if people), [])

    def _players(self) -> dict[tuple[str, str, str], list[Player]]:
        """The players who sat down at each table: (section, pair, side) → its players, in seat
        order."""
        names = self._names()
        first = self._first_rounds()
        seated: dict[tuple[str, str, str], list[Player]] = {}
        rows = sorted(
            self._table("PlayerNumbers"), key=lambda r: "NSEW".find(_text(r, "Direction"))
        )
        for row in rows:
            section, direction = _number(row, "Section"), _text(row, "Direction")
            number, name = _text(row, "Number").removesuffix(".0"), _text(row, "Name")
            pairs = first.get((section, _number(row, "Table")))
            if pairs is None or direction not in "NSEW" or not (name or number.strip("0")):
                continue
            side = 0 if direction in "NS" else 1
            seats = pairs[side]
            entrant = seats[0] if direction in "NE" else seats[-1]
            letter = self._letters.get(section, str(section))
            player = Player(name or names.get(number, ""), number)
            seated.setdefault((letter, str(entrant), (NS, EW)[side]), []).append(player)
        return seated

    def _first_rounds(self) -> dict[tuple[int, int], _Sides]:
        first: dict[tuple[int, int], _Sides] = {}
        for (section, table, _), pairs in sorted(self._schedule.items()):
            first.setdefault((section, table), pairs)
        return first

    def _names(self) -> dict[str, str]:
        """The names of players by their numbers."""
        names = {}
        for row in self._table("PlayerNames"):
            for key in (_text(row, "ID"), _text(row, "strID")):
                if key:
                    names[key] = _text(row, "Name")
        return names

    # --- boards -----------------------------------------------------------------------------

    def _boards(self) -> tuple[Board, ...]:
        """The hands, where the file has them, as PBN deals from North."""
        return tuple(
            Board(
                _number(row, "Board"),
                "N:"
                + " ".join(".".join(_text(row, seat + suit) for suit in _SUITS) for seat in _SEATS),
                self._letters.get(_number(row, "Section"), ""),
            )
            for row in self._table("HandRecord")
        )


def _day(received: Iterable[Record]) -> date | None:
    days = [day.date() for row in received if isinstance(day := row.get("DateLog"), datetime)]
    return min(days, default=None)


# --- the movement ------------------------------------------------------------------------------


_COLUMNS = ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard")


def read_movement_file(path: str | Path) -> tuple[Movement, ...]:
    """The movements in a file of any kind we know: a club's own, EBUScore's, or a .bws."""
    data = read_bytes(path)
    if not is_bws(data):
        return read_movements(path)
    base = JetDatabase(str(path), data)
    rows = base.rows("RoundData") if "RoundData" in base.tables else []
    if not rows:
        raise FileProblem(str(path), "no movement", "a table RoundData")
    letters = {row.get("ID"): str(row.get("Letter") or "") for row in base.rows("Section")}
    sections: dict[int, list[tuple[int, ...]]] = {}
    for row in rows:
        figures = _figures(row)
        sections.setdefault(figures[0], []).append(figures[1:])
    return tuple(
        _movement(str(path), letters.get(number, ""), lines)
        for number, lines in sorted(sections.items())
    )


def _figures(row: Record) -> tuple[int, ...]:
    values = (row.get(name) for name in _COLUMNS)
    return tuple(value if isinstance(value, int) else 0 for value in values)


def _movement(path: str, letter: str, lines: Sequence[tuple[int, ...]]) -> Movement:
    """A section's movement; where both lines are numbered from 1, East-West follow North-South."""
    lengths = Counter(high - low + 1 for _, _, _, _, low, high in lines if low and high >= low)
    if not lengths:
        raise FileProblem(path, "no boards in its movement", "boards")
    per_set = lengths.most_common(1)[0][0]
    shift = _shift(lines)
    rounds: dict[int, list[Seating]] = {}
    for table, number, ns, ew, low, _ in sorted(lines):
        seating = Seating(
            table, ns, ew + shift if ew else 0, (low - 1) // per_set + 1 if low else 0
        )
        rounds.setdefault(number, []).append(seating)
    made = tuple(tuple(rounds[number]) for number in sorted(rounds))
    copies = max(Counter(s.set for s in seatings).most_common(1)[0][1] for seatings in made)
    movement = Movement("own", made, copies, len(made), name=letter, per_set=per_set)
    if faults := check(movement).faults:
        raise FileProblem(path, faults[0], "a movement that works")
    return movement


def _shift(lines: Sequence[tuple[int, ...]]) -> int:
    """The number added to the numbers of East-West so that every pair has its own."""
    meets_itself = any(ns == ew and ns for _, _, ns, ew, _, _ in lines)
    return max(ns for _, _, ns, _, _, _ in lines) if meets_itself else 0


FORMATS = (Format("bws", "Bridgemate results", head(is_bws), read_bws, rarely_seen),)
