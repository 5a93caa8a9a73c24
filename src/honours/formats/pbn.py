"""PBN 2.1: boards with their deals, and tables of results (ScoreTable, TotalScoreTable).

Experimental: written from the description of the format, no real file with results has been seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from honours.formats.contracts import (
    is_not_played,
    is_passed_out,
    parse_contract,
    parse_ruling,
    parse_score,
    parse_seat,
    parse_tricks,
)
from honours.formats.dates import day_like
from honours.formats.entrants import EW, NS, Seating, line_of, numbered_apart, unique_ids
from honours.formats.opening import read_text
from honours.formats.sheet import Problems, parse_number
from honours.model import (
    Board,
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Session,
    Source,
    Value,
)

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_COLUMN = re.compile(r"([+-]?)(\w+)(?:\\(\d+)([LR]?))?")
_DAY = r"\A(?P<year>\d{4})\.(?P<month>\d\d)\.(?P<day>\d\d)\Z"
_CELL = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_PUBLISHED = {
    "MP_NS": "ns_matchpoints",
    "MP_EW": "ew_matchpoints",
    "IMP_NS": "ns_imps",
    "IMP_EW": "ew_imps",
    "Percentage_NS": "ns_percentage",
    "Percentage_EW": "ew_percentage",
}
_TOTALS = {
    "TotalPercentage": "percentage",
    "Percentage": "percentage",
    "TotalScoreMP": "total_score",
    "TotalMP": "total_score",
    "TotalIMP": "total_score",
    "TotalScoreIMP": "total_score",
    "TotalScore": "total_score",
    "TotalScoreVP": "total_score",
}

Row = Mapping[str, str]


@dataclass(slots=True)
class _Game:
    """One game: its tags, and its tables as rows of named cells with their lines."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[tuple[int, Row]]] = field(default_factory=dict)


def is_pbn(lines: Sequence[str]) -> bool:
    """Whether a text begins with PBN's own comment or with one of its tags."""
    first = next((line for line in lines if not line.startswith(("%", ";"))), "")
    return bool(lines) and (lines[0].startswith("% PBN") or bool(_TAG.match(first)))


def read_pbn(path: str | Path) -> Event:
    """Read the results of a PBN file; FileProblems lists all that is wrong in them."""
    problems = Problems(str(path))
    games = list(_games(read_text(path), problems))
    reading = _Reading(str(path), problems)
    for game in games:
        reading.take(game)
    if not reading.results and not problems.found:
        problems.add("no table of results in it", expected="a ScoreTable")
    problems.settle()
    return reading.event(games)


# --- the text ---------------------------------------------------------------------------------


def _games(text: str, problems: Problems) -> Iterator[_Game]:
    """The games of a file; a tag of ``#`` has the value it had in the game before."""
    game, table = _Game(1), ""
    before: Mapping[str, str] = {}
    columns: list[_Column] = []
    for line, raw in enumerate(_without_comments(text).split("\n"), start=1):
        told = raw.strip()
        if not told or raw.startswith("%"):
            continue
        match = _TAG.match(told)
        if match is None:
            if table:
                game.tables[table].append((line, _row(raw.rstrip(), columns)))
            continue
        name, value = match[1], match[2].replace('\\"', '"').replace("\\\\", "\\")
        if name in game.tags:
            yield game
            before, game = game.tags, _Game(line)
        table = name if name.endswith("Table") else ""
        if table:
            columns = _columns(match[2], line, problems)
            game.tables.setdefault(table, [])
        game.tags[name] = before.get(name, "") if value == "#" else value
    if game.tags:
        yield game


def _without_comments(text: str) -> str:
    """Comments in braces, and from a semicolon at the start of a line; line ends are kept."""
    kept = re.sub(r"\{[^}]*\}", lambda found: "\n" * found[0].count("\n"), text)
    return re.sub(r"(?m)^;.*$", "", kept.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    width: int


def _columns(declared: str, line: int, problems: Problems) -> list[_Column]:
    """``PairId_NS\\3R;Contract\\4L``: names, and widths where they are declared."""
    columns = []
    for text in declared.replace("\\\\", "\\").split(";"):
        match = _COLUMN.fullmatch(text.strip())
        if match is None:
            problems.add(f"column {text.strip()!r} of a table", line, "one like Table\\2R")
        else:
            columns.append(_Column(match[2], int(match[3] or 0)))
    return columns


def _row(raw: str, columns: Sequence[_Column]) -> Row:
    """Cells by words; by the declared widths when a value such as a name has spaces in it."""
    cells = [quoted or plain for quoted, plain in _CELL.findall(raw)]
    if len(cells) != len(columns) and all(column.width for column in columns):
        cells, at = [], 0
        for column in columns:
            cells.append(raw[at : at + column.width].strip().strip('"'))
            at += column.width + 1
    elif len(cells) > len(columns) > 0:
        last = len(columns) - 1
        cells = [*cells[:last], " ".join(cells[last:])]
    named = zip((column.name for column in columns), cells, strict=False)
    return {name: "" if cell == "-" else cell for name, cell in named}


# --- the event --------------------------------------------------------------------------------


class _Reading:
    def __init__(self, path: str, problems: Problems) -> None:
        self._path, self._problems = path, problems
        self.results: list[Result] = []
        self._boards: list[Board] = []
        self._totals: list[tuple[int, Row]] = []
        self._imps = False

    def take(self, game: _Game) -> None:
        self._totals += game.tables.get("TotalScoreTable", [])
        rows = game.tables.get("ScoreTable", [])
        number = game.tags.get("Board", "")
        if not number.isdecimal() or not 1 <= int(number[:6]) <= 9999:
            if rows:
                self._problems.add(f"board {number!r}", game.line, "a number from 1 on")
            return
        if deal := game.tags.get("Deal", ""):
            self._boards.append(Board(int(number), deal))
        for line, row in rows:
            self._imps = self._imps or "IMP_NS" in row
            if (result := self._result(int(number), line, row)) is not None:
                self.results.append(result)

    def _result(self, board: int, line: int, row: Row) -> Result | None:
        ns, ew = row.get("PairId_NS", ""), row.get("PairId_EW", "")
        if not ns or not ew:
            self._problems.add("a line without both of its pairs", line)
            return None
        published: dict[str, Value] = {}
        for column, name in _PUBLISHED.items():
            number = self._number(row, column, line)
            if number is not None:
                published[name] = number
        bare = Result(
            board,
            (ns,),
            (ew,),
            lead=row.get("Lead", ""),
            section=row.get("Section", ""),
            round=_whole(row, "Round"),
            table=_whole(row, "Table"),
            published=published,
            source=Source(self._path, line),
        )
        return self._problems.attempt(line, lambda _: _outcome(row, bare), "")

    def _number(self, row: Row, column: str, line: int) -> Fraction | None:
        text = row.get(column, "")
        return self._problems.attempt(line, parse_number, text) if text else None

    def event(self, games: Sequence[_Game]) -> Event:
        meetings = [(r.section, r.ns[0], r.ew[0], r.board) for r in self.results]
        apart = numbered_apart(meetings)
        people = {_seating(row, apart): (line, row) for line, row in self._totals}
        seated = [(_sides(r, apart), r) for r in self.results]
        everyone = {seating for sides, _ in seated for seating in sides} | set(people)
        ids = unique_ids(everyone)
        results = tuple(replace(r, ns=(ids[ns],), ew=(ids[ew],)) for (ns, ew), r in seated)
        entrants = tuple(
            self._entrant(seating, ids[seating], people.get(seating, (0, {})))
            for seating in sorted(everyone, key=lambda s: s.order)
        )
        self._problems.settle()
        tags = games[0].tags
        return Event(
            title=tags.get("Event", "") or Path(self._path).stem,
            kind="pairs",
            scoring="cross-imps" if self._imps else "matchpoints",
            entrants=entrants,
            sessions=(Session(1, results, boards=tuple(self._boards)),),
            winners=2 if apart else 0,
            date=day_like(_DAY, tags.get("Date", "") or tags.get("EventDate", "")),
            club=tags.get("Site", ""),
            program=tags.get("Generator", ""),
            source=Source(self._path),
        )

    def _entrant(self, seating: Seating, id: str, told: tuple[int, Row]) -> EventEntrant:
        line, row = told
        names = re.split(r"\s*(?:&|\s-\s|;)\s*", row.get("Names", "")) if row.get("Names") else []
        numbers = [row.get(f"MemberID{n}", "") for n in range(1, len(names) + 1)]
        players = tuple(Player(*pair) for pair in zip(names, numbers, strict=True))
        published: dict[str, Value] = {}
        for column, name in _TOTALS.items():
            number = self._number(row, column, line)
            if number is not None:
                published.setdefault(name, number)
        if place := re.match(r"=?(\d{1,6})", row.get("Rank", "")):
            published["place"] = Fraction(int(place[1]))
        return EventEntrant(
            Entrant(id, players),
            seating.number,
            seating.line,
            seating.section,
            published=published,
        )


def _outcome(row: Row, bare: Result) -> Result:
    contract, ns, ew = (row.get(name, "") for name in ("Contract", "Score_NS", "Score_EW"))
    for text in (contract, ns):
        if text and is_not_played(text):
            return bare
        if text and (ruling := parse_ruling(text)) is not None:
            return replace(bare, adjusted=ruling)
    score = parse_score(ns) if ns else -parse_score(ew) if ew else None
    if not contract:
        return replace(bare, score=score)
    if is_passed_out(contract):
        return replace(bare, score=score or 0, passed_out=True)
    call = parse_contract(contract)
    declarer = parse_seat(row.get("Declarer", "").lstrip("^"))
    tricks = parse_tricks(row["Result"], call.level) if row.get("Result") else None
    if tricks is None and score is None:
        raise ValueError(f"contract {contract!r} without result or score")
    return replace(bare, contract=call.played_by(declarer), tricks=tricks, score=score)


def _sides(result: Result, apart: bool) -> tuple[Seating, Seating]:
    lines = (NS, EW) if apart else ("", "")
    ns = Seating(result.section, result.ns[0], lines[0])
    return ns, Seating(result.section, result.ew[0], lines[1])


def _seating(row: Row, apart: bool) -> Seating:
    line = line_of(row.get("Direction", "")) if apart else ""
    return Seating(row.get("Section", ""), row.get("PairId", ""), line)


def _whole(row: Row, name: str) -> int:
    text = row.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else 0
