"""ACBLscore game files: a heap of records that pointers lead to, read into events.

Every access is checked against the record's own length, every record against the file, and no two
records may share a byte: a damaged file is refused, and reading costs no more than its size. Only
what the file's description proves is read; kinds of game nobody has seen a file of (teams,
individuals, IMPs, handicaps, manual movements …) are refused by name. Facts of an event are named
as rulebooks ask for them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from honours.errors import FileProblem
from honours.formats.entrants import EW, NS, EntrantKey, unique_ids
from honours.formats.format import Format, head
from honours.formats.reading import MEGABYTE, read_bytes
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message
from honours.scoring.award_lists import COLUMNS

EVENT_TYPES = MappingProxyType(
    {
        0: "Pairs",
        1: "Teams",
        2: "Individual",
        3: "Home Style Pairs",
        4: "BAM",
        5: "Series Winner",
    }
)
SCORINGS = MappingProxyType(
    {
        0: "Matchpoints",
        1: "IMPs with computed datum",
        2: "Average IMPs",
        3: "Total IMPs",
        4: "Instant Matchpoints",
        5: "BAM Teams",
        6: "Win/Loss",
        7: "Victory Points",
        8: "Knockout",
        9: "ZIP knockout",
        10: "Series Winner",
        13: "IMPs with predetermined datum",
        14: "Double matchpoints",
        15: "Total points",
        16: "BAM Matchpoints",
        18: "Compact KO",
    }
)
RATINGS = MappingProxyType(
    {
        0: "No Masterpoints",
        1: "Club Masterpoint",
        2: "Club Championship",
        3: "Charity Club Championship",
        4: "Unit Championship",
        5: "Sectional",
        6: "Regional",
        7: "Club International Fund",
        8: "Club Membership",
        12: "Upgraded Club Championship",
        14: "STAC",
        15: "National",
        16: "Bridge Plus",
        17: "Progressive Sectional",
        18: "Unit Charity Game",
        19: "Unit Extended Team Game",
        20: "NAP Club Level",
        21: "NAP Unit Level",
        22: "GNT Club Level",
        23: "GNT Unit Level",
        24: "ACBL Wide Charity",
        25: "ACBL Wide International Fund",
        27: "Canada Wide Olympiad",
        28: "World Wide Instant Matchpoints",
        29: "ACBL Wide Instant Matchpoints",
        30: "Junior Fund",
        32: "ACBL Wide Senior",
        33: "COPC Club Level",
        34: "CNTC Master/Non Master",
        35: "CNTC Club Level",
        36: "CNTC Unit Level",
        37: "CWTC",
        38: "Canada Rookie/Master",
        39: "Inter-Club Championship",
        40: "Unit Wide Championship",
        43: "Club Appreciation",
        49: "Club Appreciation Team",
        50: "NABC Fund Raiser",
        51: "GNT Fund Raiser",
        52: "CNTC Fund Raiser",
        55: "Club Education Foundation",
        56: "Unit International Fund",
        57: "Club Membership",
        58: "Unit Education Fund",
        63: "Grass Roots Fund",
    }
)
MOVEMENTS = MappingProxyType(
    {
        0: "Mitchell",
        1: "Howell",
        2: "Web",
        3: "External",
        4: "External BAM",
        5: "Barometer",
        6: "Manual Mitchell",
        7: "Manual Howell",
    }
)
COLOURS = MappingProxyType({0: "", 1: "B", 2: "S", 3: "R", 4: "G", 5: "P"})
COLOUR_WORDS = MappingProxyType(
    {"B": "black", "S": "silver", "R": "red", "G": "gold", "P": "platinum"}
)
CLASSES = MappingProxyType(
    {
        4: "unit-championship",
        5: "sectional",
        6: "regional",
        14: "stac",
        15: "national",
        17: "sectional",
        40: "unit-championship",
    }
)
"""Ratings that are a classification of a tournament in the ACBL's own lists of factors."""
NEAREST_CLASSES = MappingProxyType(dict.fromkeys((20, 21, 22, 23), "sectional"))
"""Qualifying games of national events, which no list has: what they awarded in 2017 comes out with
a factor of 9, and sectional events, with 10 or 11, are the nearest."""
GAMES = MappingProxyType({1: "club", 2: "club-championship", 20: "nap-club", 21: "nap-unit"})
"""Ratings that are a kind of game, by the words of the fact ``game``."""
PUPILS = 47
"""In no list; two games of the type Pupil had it."""


# --- facts -------------------------------------------------------------------------------------


_OF_STRATA = ("limit", "limit_b", "limit_c")


def facts_of_rating(rating: int) -> dict[str, Value]:
    """The class, where the ACBL's lists of factors have the game's rating or one near it, and what
    is played for at a club."""
    facts: dict[str, Value] = {}
    rated = CLASSES.get(rating) or NEAREST_CLASSES.get(rating)
    if rated:
        facts["class"] = rated
    if rating in GAMES or rating == PUPILS:
        facts["game"] = GAMES.get(rating, "club")
    return facts


def facts_of_limits(strata: Sequence[tuple[str, Fraction]]) -> dict[str, Value]:
    """The upper limits of a game and of its strata, the top one first; nought is none."""
    limits = [limit for _, limit in strata]
    named = zip(_OF_STRATA, limits, strict=False)
    facts: dict[str, Value] = {name: limit for name, limit in named if limit}
    for name, limit in strata:
        if limit and len(limits) > 1:
            facts[f"stratum_limit.{name}"] = limit
    if len(limits) > 1 and all(limits[1:]):
        facts["lowest_limit"] = min(limits[1:])
    return facts


# --- the heap ----------------------------------------------------------------------------------


MASTER_LENGTH = 2580
CENT = Fraction(1, 100)


class Record:
    """The bytes of one record, and what they are called in messages."""

    def __init__(self, heap: Heap, start: int, length: int, what: str) -> None:
        self._heap, self._start, self._length, self.what = heap, start, length, what

    def __len__(self) -> int:
        return self._length

    def part(self, offset: int, length: int, what: str) -> Record:
        """A record inside this one."""
        self._at(offset, length)
        return Record(self._heap, self._start + offset, length, what)

    def _at(self, offset: int, length: int) -> int:
        if offset < 0 or offset + length > self._length:
            raise self.problem(
                Message("{length} bytes long", length=self._length),
                Message("at least {offset}", offset=offset + length),
            )
        return self._start + offset

    def problem(self, found: str, expected: str = "") -> FileProblem:
        return FileProblem(
            self._heap.path, "{what}: {given}", expected, what=self.what, given=found
        )

    def raw(self, offset: int, length: int) -> bytes:
        start = self._at(offset, length)
        return self._heap.data[start : start + length]

    def u8(self, offset: int) -> int:
        return self.raw(offset, 1)[0]

    def i8(self, offset: int) -> int:
        return int.from_bytes(self.raw(offset, 1), "little", signed=True)

    def u16(self, offset: int) -> int:
        return int.from_bytes(self.raw(offset, 2), "little")

    def i16(self, offset: int) -> int:
        return int.from_bytes(self.raw(offset, 2), "little", signed=True)

    def u32(self, offset: int) -> int:
        return int.from_bytes(self.raw(offset, 4), "little")

    def i32(self, offset: int) -> int:
        return int.from_bytes(self.raw(offset, 4), "little", signed=True)

    def text(self, offset: int, longest: int) -> str:
        """A text with its length before it; what follows it are remains of others."""
        length = self.u8(offset)
        if length > longest:
            raise self.problem(
                Message("a text of {length} characters", length=length),
                Message("at most {longest}", longest=longest),
            )
        return self.raw(offset + 1, length).decode("latin-1").replace("\0", "")

    def char(self, offset: int) -> str:
        code = self.u8(offset)
        return chr(code) if code else ""

    def stamp(self, offset: int) -> datetime | None:
        """A time as MS-DOS keeps it; ``None`` where it is no time."""
        time, day = self.u16(offset), self.u16(offset + 2)
        try:
            return datetime(  # noqa: DTZ001 - the file has local time and no zone
                1980 + (day >> 9),
                day >> 5 & 15,
                day & 31,
                time >> 11,
                time >> 5 & 63,
                2 * (time & 31),
            )
        except ValueError:
            return None


class Heap:
    """A file's bytes, and which of them were taken for a record."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data = path, data
        self._starts: list[int] = [0]
        self._ends: list[int] = [MASTER_LENGTH]
        if len(data) < MASTER_LENGTH:
            raise FileProblem(
                path, "{count} bytes, cut short", "a whole ACBLscore file", count=len(data)
            )

    def master(self) -> Record:
        return Record(self, 0, MASTER_LENGTH, "its master table")

    def record(self, pointer: int, what: str, length: int = 0) -> Record:
        """The record at a pointer, of the given length where that is known."""
        size = len(self.data)
        if pointer < MASTER_LENGTH or pointer % 2 or pointer + 4 > size:
            raise self._bad(what, Message("a pointer to byte {pointer}", pointer=pointer))
        whole = int.from_bytes(self.data[pointer : pointer + 2], "little") + 2
        if whole < 4 or pointer + whole > size:
            raise self._bad(
                what,
                Message(
                    "{whole} bytes at {pointer} of {size}", whole=whole, pointer=pointer, size=size
                ),
            )
        if length and whole != length:
            raise self._bad(what, Message("{whole} bytes long", whole=whole), f"{length}")
        self._take(pointer, pointer + whole, what)
        return Record(self, pointer, whole, what)

    def _take(self, start: int, end: int, what: str) -> None:
        """Note the bytes of a record; two records that share one are damage."""
        at = bisect_left(self._starts, start)
        before_ends_later = at > 0 and self._ends[at - 1] > start
        after_starts_sooner = at < len(self._starts) and self._starts[at] < end
        if before_ends_later or after_starts_sooner:
            raise self._bad(
                what, Message("bytes from {start} on belong to another record too", start=start)
            )
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def _bad(self, what: str, found: str, expected: str = "a record of its own") -> FileProblem:
        return FileProblem(self.path, "damaged: {what}: {given}", expected, what=what, given=found)


# --- sections ----------------------------------------------------------------------------------


NORTH, EAST = 1, 2
LATE, NOT_PLAYED, AVERAGE_MINUS, AVERAGE, AVERAGE_PLUS = "late", "not played", "A-", "A", "A+"
_WORDS = {900: LATE, 950: NOT_PLAYED, 2040: AVERAGE_MINUS, 2050: AVERAGE, 2060: AVERAGE_PLUS}
_NOT_HERE = 999
_FOULED = 3000
_MITCHELL_PAIRS, _HOWELL_PAIRS = 40, 80
_ENTRY, _PLAYER = 0xA4, 120
_MOST_SCORE = 900


@dataclass(frozen=True, slots=True)
class AwardCell:
    """Part of an award: points of a colour, and for what (0 none, 11 overall in stratum 1 …)."""

    points: Fraction
    colour: str
    reason: int


@dataclass(frozen=True, slots=True)
class AwardSets:
    """Awards won before, in this session's section, and altogether."""

    previous: tuple[AwardCell, ...]
    current: tuple[AwardCell, ...]
    total: tuple[AwardCell, ...]


@dataclass(frozen=True, slots=True)
class GamePlayer:
    last: str
    first: str
    city: str
    state: str
    number: str
    holding: int
    rank: str


@dataclass(frozen=True, slots=True)
class StratumRank:
    """An entry's places in a stratum: section and overall ones only where they are paid."""

    stratum: int
    section_place: int
    section_last: int
    overall_place: int
    overall_last: int
    qualified: int
    rank: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair; ``line`` is N or E in a Mitchell and empty in a Howell."""

    number: int
    line: str
    adjustment: Fraction
    session: Fraction
    carry: Fraction
    final: Fraction
    percent: Fraction
    stratum: int
    boards: int
    not_eligible: int
    awards: AwardSets
    ranks: tuple[StratumRank, ...]
    players: tuple[GamePlayer, ...]


@dataclass(frozen=True, slots=True)
class LineSide:
    """A pair's side of a result: its own score in points, or a word for what stands instead."""

    pair: int
    score: int | None
    word: str
    matchpoints: Fraction


@dataclass(frozen=True, slots=True)
class GameLine:
    """One result."""

    round: int
    table: int
    ns: LineSide
    ew: LineSide


@dataclass(frozen=True, slots=True)
class GameSection:
    letter: str
    howell: bool
    maximum: int
    entries: tuple[Entry, ...]
    boards: tuple[tuple[int, tuple[GameLine, ...]], ...]


def read_section(heap: Heap, details: Record, letter: str, boards: int, strata: int) -> GameSection:
    """Everything a section's details lead to."""
    howell = details.u8(0x018) == 1
    _refuse_reassigned(details, howell)
    return GameSection(
        letter=letter,
        howell=howell,
        maximum=details.u16(0x04E),
        entries=tuple(_entries(heap, details, letter, howell, strata)),
        boards=tuple(_boards(heap, boards, letter)) if boards else (),
    )


def _refuse_reassigned(details: Record, howell: bool) -> None:
    length = _HOWELL_PAIRS if howell else 4 * _MITCHELL_PAIRS
    if any(details.raw(0x0DD, length)):
        raise details.problem(
            Message("pair numbers were reassigned: no file with that has been seen")
        )


# --- who ------------------------------------------------------------------------------------


def _entries(
    heap: Heap, details: Record, letter: str, howell: bool, strata: int
) -> Iterator[Entry]:
    """The pairs of a section, phantoms left out."""
    indexes = {
        direction: heap.record(
            pointer,
            Message(
                "section {letter}, the index of {side}", letter=letter, side="NE"[direction - 1]
            ),
        )
        for direction in (NORTH, EAST)
        if (pointer := details.u32(4 * direction))
    }
    phantom = details.i16(0x043)
    for number, direction, table, line in _numbered(details, howell):
        index = indexes.get(direction)
        ghost = -number if line == "E" else number
        if index is None or not 1 <= table <= index.u16(0x06) or ghost == phantom:
            continue
        pointer = index.u32(0x14 + 8 * (table - 1) + 4)
        if pointer:
            pair = f"{number}{line}"
            what = Message("section {section}, pair {pair}", section=letter, pair=pair)
            record = heap.record(pointer, what)
            yield _entry(record, number, line, strata)


def _numbered(details: Record, howell: bool) -> Iterator[tuple[int, int, int, str]]:
    """Each pair number with its direction and table at the start, and its line in a Mitchell."""
    highest = details.u16(0x01B)
    most = _HOWELL_PAIRS if howell else _MITCHELL_PAIRS
    if highest > most:
        raise details.problem(
            Message("pair numbers up to {highest}", highest=highest),
            Message("at most {most}", most=most),
        )
    for number in range(1, highest + 1):
        if howell:
            at = 0x0DD + _HOWELL_PAIRS + 2 * (number - 1)
            yield number, details.u8(at + 1), details.u8(at), ""
        else:
            for side, line in ((0, "N"), (1, "E")):
                at = 0x0DD + 4 * _MITCHELL_PAIRS + 4 * (number - 1) + side
                yield number, side + 1, details.u8(at), line


def _entry(e: Record, number: int, line: str, strata: int) -> Entry:
    ranks = (_rank(n + 1, e.part(0x5E + 20 * n, 20, e.what)) for n in range(strata))
    room = (len(e) - _ENTRY) // _PLAYER
    people = (e.part(_ENTRY + _PLAYER * n, _PLAYER, e.what) for n in range(room))
    return Entry(
        number=number,
        line=line,
        adjustment=e.i32(0x04) * CENT,
        session=e.i32(0x0C) * CENT,
        carry=e.i32(0x10) * CENT,
        final=e.i32(0x14) * CENT,
        percent=e.u16(0x1C) * CENT,
        stratum=e.u8(0x1E),
        boards=e.u8(0x2F),
        not_eligible=e.u8(0x33),
        awards=_awards(e, 0x34),
        ranks=tuple(r for r in ranks if r.qualified or r.rank),
        players=tuple(_player(part) for part in people),
    )


def _rank(stratum: int, part: Record) -> StratumRank:
    return StratumRank(stratum, *(part.u16(2 * n) for n in range(6)))


def _player(part: Record) -> GamePlayer:
    return GamePlayer(
        last=part.text(0x00, 16),
        first=part.text(0x11, 16),
        city=part.text(0x22, 16),
        state=part.text(0x33, 2),
        number=part.text(0x36, 7),
        holding=part.u16(0x71),
        rank=part.char(0x73),
    )


def _awards(part: Record, offset: int) -> AwardSets:
    return AwardSets(*(tuple(_cells(part, offset + 12 * n)) for n in range(3)))


def _cells(part: Record, offset: int) -> Iterator[AwardCell]:
    for at in range(offset, offset + 12, 4):
        points = part.u16(at) * CENT
        if not points:
            return
        yield AwardCell(points, COLOURS.get(part.u8(at + 2), ""), part.u8(at + 3))


# --- what they played -------------------------------------------------------------------------


def _boards(heap: Heap, pointer: int, letter: str) -> Iterator[tuple[int, tuple[GameLine, ...]]]:
    """The boards of a section with their lines."""
    index = heap.record(
        pointer, Message("section {letter}, the index of its boards", letter=letter)
    )
    for slot in range(index.u16(0x04)):
        at = 0x26 + 8 * slot
        number, board = index.u8(at), index.u32(at + 4)
        if board:
            what = Message("section {section}, board {board}", section=letter, board=number)
            record = heap.record(board, what)
            yield number, tuple(_lines(record))


def _lines(board: Record) -> Iterator[GameLine]:
    """The results of a board; a side that was not there has no line."""
    units = board.u8(0x04)
    if units != 2:
        raise board.problem(
            Message("{units} sides a line", units=units),
            Message("2: nothing but pairs has been seen"),
        )
    for n in range(board.u8(0x05)):
        at = 0x06 + 18 * n
        if _NOT_HERE not in (board.i16(at + 4), board.i16(at + 12)):
            sides = (_side(board, at + 2), _side(board, at + 10))
            yield GameLine(board.u8(at), board.u8(at + 1), *sides)


def _side(board: Record, at: int) -> LineSide:
    """A side's score in points, or the word that stands in its place."""
    pair, code, matchpoints = board.u16(at), board.i16(at + 2), board.u32(at + 4) * CENT
    if -_MOST_SCORE < code < _MOST_SCORE:
        return LineSide(pair, code * 10, "", matchpoints)
    if code in _WORDS:
        return LineSide(pair, None, _WORDS[code], matchpoints)
    if code >= _FOULED:
        raise board.problem(
            Message("a fouled board: no file with one has been seen, so it is not read")
        )
    raise board.problem(
        Message("a score of code {code}", code=code),
        Message("a score, an average, late or not played"),
    )


# --- the file ----------------------------------------------------------------------------------


MAGIC = b"\x12\x0a\x03AC3"
EVENT_SLOTS, SECTION_SLOTS, MOST_STRATA = 50, 100, 3


@dataclass(frozen=True, slots=True)
class Stratum:
    """One of an event's strata, the first being everybody."""

    letter: str
    limit: int


@dataclass(frozen=True, slots=True)
class GameEvent:
    """An event of the file; ``groups`` are its sections by what is scored, then ranked together."""

    name: str
    date: str
    club: str
    club_number: str
    rating: int
    session: int
    sessions: int
    club_game: int
    by_average: bool
    added_entries: int
    strata: tuple[Stratum, ...]
    sections: tuple[GameSection, ...]
    groups: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def rating_name(self) -> str:
        return RATINGS.get(self.rating) or Message("rating {code}", code=self.rating)


@dataclass(frozen=True, slots=True)
class GameFile:
    """A whole file."""

    version: Fraction
    created: datetime | None
    events: tuple[GameEvent, ...]


@dataclass(frozen=True, slots=True)
class _Summary:
    """A section's line in the master table."""

    slot: int
    event: int
    letter: str
    details: int
    boards: int
    scored_after: int
    scored_before: int
    ranked_after: int
    ranked_before: int


def is_game(head: bytes) -> bool:
    return head.startswith(MAGIC)


def read_game(path: str, data: bytes) -> GameFile:
    """Take a file apart; a FileProblem names what is damaged or of a kind not known."""
    heap = Heap(path, data)
    master = heap.master()
    size = master.u32(0x006)
    if size != len(data):
        how = "cut short" if len(data) < size else "grown"
        raise FileProblem(
            path,
            "{count} bytes, {how}",
            "{size}, as it says itself",
            count=len(data),
            how=how,
            size=size,
        )
    summaries = [_summary(master, slot) for slot in range(1, SECTION_SLOTS + 1)]
    events = tuple(
        _event(heap, master, slot, [s for s in summaries if s.event == slot])
        for slot in range(1, EVENT_SLOTS + 1)
        if master.u32(0x012 + 4 * (slot - 1))
    )
    if not events:
        raise FileProblem(path, "an ACBLscore file without an event", "at least one game in it")
    return GameFile(master.u16(0x9DB) * CENT, master.stamp(0x9DD), events)


def _summary(master: Record, slot: int) -> _Summary:
    part = master.part(
        0x13E + 22 * (slot - 1), 22, Message("the summary of section {slot}", slot=slot)
    )
    event = part.u8(0)
    return _Summary(
        slot,
        event,
        part.text(0x01, 2).strip() if event else "",
        part.u32(0x04),
        part.u32(0x08),
        part.u8(0x10),
        part.u8(0x0F),
        part.u8(0x12),
        part.u8(0x11),
    )


def _event_record(heap: Heap, master: Record, slot: int, summaries: list[_Summary]) -> Record:
    """The record of an event, if it is of a kind that is known."""
    what = Message("event {event}", event=slot)
    _refuse_unseen(heap.path, what, master.u8(0x0DA + slot - 1), master.u8(0x10C + slot - 1))
    e = heap.record(master.u32(0x012 + 4 * (slot - 1)), what, 742)
    if e.i8(0x08D):
        raise FileProblem(
            heap.path, "{what}: ranked with handicaps", "a game without: not known", what=what
        )
    if not summaries:
        raise FileProblem(heap.path, "{what}: no section belongs to it", "at least one", what=what)
    return e


def _strata(e: Record) -> tuple[Stratum, ...]:
    count = e.u8(0x09E)
    if not 1 <= count <= MOST_STRATA:
        raise e.problem(Message("{count} strata", count=count), Message("1 to 3"))
    return tuple(_stratum(e, number) for number in range(count))


def _event(heap: Heap, master: Record, slot: int, summaries: list[_Summary]) -> GameEvent:
    e = _event_record(heap, master, slot, summaries)
    strata = _strata(e)
    return GameEvent(
        name=e.text(0x004, 25),
        date=e.text(0x048, 19),
        club=e.text(0x05C, 25),
        club_number=e.text(0x0B0, 6),
        rating=e.u8(0x088),
        session=e.u8(0x08C),
        sessions=e.u8(0x09F),
        club_game=e.u8(0x0A1),
        by_average=bool(e.u8(0x2C8)),
        added_entries=e.u8(0x255),
        strata=strata,
        sections=tuple(_sections(heap, summaries, len(strata))),
        groups=_groups(heap.path, summaries),
    )


def _refuse_unseen(path: str, what: str, kind: int, scoring: int) -> None:
    """Refuse kinds of events and of scoring that no file has been seen of."""
    if kind or scoring:
        raise FileProblem(
            path,
            "{what} is {kind}, scored by {scoring}: no file of that kind has been "
            "seen, so it is not read",
            "matchpointed pairs; export the others from ACBLscore as text",
            what=what,
            kind=EVENT_TYPES.get(kind) or Message("type {code}", code=kind),
            scoring=SCORINGS.get(scoring) or Message("scoring {code}", code=scoring),
        )


def _stratum(event: Record, number: int) -> Stratum:
    what = Message("stratum {number} of {event}", number=number + 1, event=event.what)
    part = event.part(0x0D4 + 95 * number, 95, what)
    return Stratum(part.char(0x22).strip() or str(number + 1), part.u16(0x20))


def _sections(heap: Heap, summaries: list[_Summary], strata: int) -> Iterator[GameSection]:
    """The sections of an event, if their movements are of a known kind."""
    for summary in summaries:
        what = Message("section {section}", section=summary.letter)
        details = heap.record(summary.details, what, 804)
        movement = details.u8(0x018)
        if movement not in (0, 1):
            name = MOVEMENTS.get(movement) or Message("movement {code}", code=movement)
            raise FileProblem(
                heap.path,
                "{what}: the movement {name}: no file with one has been seen, so it is not read",
                "a Mitchell or a Howell",
                what=what,
                name=name,
            )
        yield read_section(heap, details, summary.letter, summary.boards, strata)


def _groups(path: str, summaries: list[_Summary]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The sections by what is scored together, and inside it by what is ranked together."""
    known = {summary.slot: summary for summary in summaries}
    groups = []
    for scored in _chains(path, known, "scored"):
        chain = {slot: known[slot] for slot in scored}
        ranked = _chains(path, chain, "ranked")
        groups.append(tuple(tuple(known[slot].letter for slot in slots) for slots in ranked))
    return tuple(groups)


def _chains(path: str, known: dict[int, _Summary], kind: str) -> list[list[int]]:
    """The chains that sections make by their links; a circle is damage."""
    chains, seen = [], set()
    for slot, summary in known.items():
        if getattr(summary, f"{kind}_before") in known:
            continue
        chain, at = [], slot
        while at in known and at not in seen:
            chain.append(at)
            seen.add(at)
            at = getattr(known[at], f"{kind}_after")
        chains.append(chain)
    if len(seen) != len(known):
        raise FileProblem(
            path, "damaged: sections {kind} together in a circle", "a chain", kind=kind
        )
    return chains


# --- events ------------------------------------------------------------------------------------


LARGEST = 16 * MEGABYTE
"""The largest file seen has 43 kilobytes; a hundred full sections would have ten megabytes."""
NON_MEMBER = "NM"
_LINES = {"N": NS, "E": EW, "": ""}
_WHOLE = Fraction(1)
_PUPIL = 4
_MEMBERSHIP = {1: "invitational", 2: "newcomer", 4: "newcomer", 5: "newcomer"}
"""To whom a club game is open, by ACBLscore's list of club games."""
_AVERAGES = {
    AVERAGE_MINUS: ArtificialScore(Fraction(2, 5), session_rule=True),
    AVERAGE: ArtificialScore(Fraction(1, 2)),
    AVERAGE_PLUS: ArtificialScore(Fraction(3, 5), session_rule=True),
}
"""Averages as Law 12C2 means them; that ACBLscore does otherwise is for its profile to say."""

__all__ = ["is_game", "read_acblscore"]


def read_acblscore(path: str | Path) -> tuple[Event, ...]:
    """Every game of a file; damaged ones and kinds nobody has seen are a FileProblem."""
    game = read_game(str(path), read_bytes(path, LARGEST))
    return tuple(_as_event(str(path), game, event) for event in game.events)


def _as_event(path: str, game: GameFile, event: GameEvent) -> Event:
    """A game in the model."""
    seatings = {
        EntrantKey(section.letter, str(entry.number), _LINES[entry.line]): (section, entry)
        for section in event.sections
        for entry in section.entries
    }
    seats = _Seats(path, event, unique_ids(seatings))
    entrants = tuple(seats.entrant(seating, entry) for seating, (_, entry) in seatings.items())
    results = tuple(line for section in event.sections for line in seats.results(section))
    if not results:
        raise FileProblem(
            path, "{name}: no results in it", "a game that was scored by board", name=event.name
        )
    penalties = tuple(
        Penalty(seats.ids[seating], -entry.adjustment, "matchpoints")
        for seating, (_, entry) in seatings.items()
        if entry.adjustment
    )
    return Event(
        title=event.name.strip() or Path(path).stem,
        kind="pairs",
        scoring="matchpoints",
        entrants=entrants,
        sessions=(Session(max(event.session, 1), results, penalties=penalties),),
        winners=1 if all(section.howell for section in event.sections) else 2,
        date=_day(event, game),
        club=event.club.strip(),
        program=f"ACBLscore {float(game.version):.2f}",
        facts=_facts(event),
        source=Source(path),
    )


def _day(event: GameEvent, game: GameFile) -> date | None:
    """The day in words; where that was left out, the day the file was made."""
    for form in ("%B %d, %Y", "%b %d, %Y"):
        try:
            return datetime.strptime(event.date.strip(), form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    return game.created.date() if game.created else None


def _facts(event: GameEvent) -> dict[str, Value]:
    """Facts of the game as the file states them: in the words of rulebooks, then in its own."""
    limits = [Fraction(stratum.limit) for stratum in event.strata]
    strata = list(zip(strata_names(event), limits, strict=True))
    asked = {**_what_it_is(event), **facts_of_limits(strata)}
    own: dict[str, Value] = {
        "rated": event.rating_name,
        "session": Fraction(event.session),
        "compared": ", ".join("+".join("+".join(r) for r in scored) for scored in event.groups),
        "ranked": ", ".join("+".join(r) for scored in event.groups for r in scored),
        "programme": Fraction(max(section.maximum for section in event.sections)),
        "stratified_by": "average" if event.by_average else "highest",
        COLUMNS: ", ".join(asked),
    }
    unknown = sum(not p.holding for s in event.sections for e in s.entries for p in e.players)
    if unknown:
        own["holdings_unknown"] = Fraction(unknown)
    if event.rating in NEAREST_CLASSES:
        own["class_nearest"] = event.rating_name
    howells = [section.letter for section in event.sections if section.howell]
    if 0 < len(howells) < len(event.sections):
        own["one_winner_sections"] = ", ".join(howells)
    if event.club_number.strip():
        own["club_number"] = event.club_number.strip()
    return {**asked, **own}


def _what_it_is(event: GameEvent) -> dict[str, Value]:
    """Facts of the game that rulebooks ask for, by its rating and kind."""
    facts: dict[str, Value] = {"sessions": Fraction(max(event.sessions, 1))}
    facts |= facts_of_rating(event.rating)
    if "game" in facts:
        entries = (entry for section in event.sections for entry in section.entries)
        overall = any(rank.overall_place for entry in entries for rank in entry.ranks)
        facts["ranked_overall"] = "yes" if overall else "no"
        facts["pupils"] = "yes" if event.club_game == _PUPIL else "no"
        facts["membership"] = _MEMBERSHIP.get(event.club_game, "open")
        facts["added_tables"] = Fraction(event.added_entries // 2)
    return facts


def strata_names(event: GameEvent) -> tuple[str, ...]:
    """The names of the strata: their letters where these tell them apart, in their order."""
    letters = tuple(stratum.letter for stratum in event.strata)
    in_order = list(letters) == sorted(set(letters))
    return letters if in_order else tuple(str(n + 1) for n in range(len(letters)))


@dataclass(frozen=True, slots=True)
class _Seats:
    """An event's pairs by where they sit, on the way into the model."""

    path: str
    event: GameEvent
    ids: Mapping[EntrantKey, str]

    def entrant(self, seating: EntrantKey, entry: Entry) -> EventEntrant:
        return EventEntrant(
            Entrant(self.ids[seating], tuple(_players(entry))),
            seating.number,
            seating.line,
            seating.section,
            self._stratum(entry),
            carried=entry.carry,
            published=_published(entry, strata_names(self.event)),
        )

    def _stratum(self, entry: Entry) -> str:
        names = strata_names(self.event)
        return names[entry.stratum - 1] if 1 <= entry.stratum <= len(names) > 1 else ""

    def results(self, section: GameSection) -> Iterator[Result]:
        for board, lines in section.boards:
            for line in lines:
                yield self._result(section, board, line)

    def _result(self, section: GameSection, board: int, line: GameLine) -> Result:
        """A line in the model, by the ids of its pairs."""
        sides = [
            self._id(section, side, "" if section.howell else name)
            for side, name in ((line.ns, NS), (line.ew, EW))
        ]
        score, adjusted, remark = _outcome(line)
        published: dict[str, Value] = {}
        if not remark:
            published["ns_matchpoints"] = line.ns.matchpoints
            published["ew_matchpoints"] = line.ew.matchpoints
        return Result(
            board,
            (sides[0],),
            (sides[1],),
            score=score,
            adjusted=adjusted,
            section=section.letter,
            round=line.round,
            table=line.table,
            remark=remark,
            published=published,
            source=Source(self.path),
        )

    def _id(self, section: GameSection, side: LineSide, line: str) -> str:
        """The id of a side's pair, which must be entered."""
        entrant = self.ids.get(EntrantKey(section.letter, str(side.pair), line))
        if entrant is None:
            raise FileProblem(
                self.path,
                "damaged: section {letter}: a result of pair {pair}{row}",
                "a pair that is entered",
                letter=section.letter,
                pair=side.pair,
                row=line,
            )
        return entrant


def _players(entry: Entry) -> Iterator[Player]:
    """The players that are named; those of a pair that gets no award are not eligible."""
    for player in entry.players:
        if player.first.strip() or player.last.strip() or player.number.strip():
            yield _as_player(player, not entry.not_eligible)


def _as_player(player: GamePlayer, eligible: bool) -> Player:
    """A player in the model; who is no member has no number."""
    name = " ".join(part.strip() for part in (player.first, player.last) if part.strip())
    number = player.number.strip()
    # 0 is none or not known: the program takes it for none when it makes strata.
    facts: dict[str, Value] = {"masterpoints": Fraction(player.holding)}
    if not eligible:
        facts["eligible"] = "no"
    about = (("city", player.city), ("state", player.state), ("bridge_rank", player.rank))
    for key, text in about:
        if text.strip():
            facts[key] = text.strip()
    return Player(name, "" if number == NON_MEMBER else number, facts)


def _published(entry: Entry, strata: Sequence[str]) -> dict[str, Value]:
    """The figures ACBLscore published of a pair; nothing of one it did not score."""
    published: dict[str, Value] = {}
    if entry.session >= 0 and entry.boards:
        published |= {
            "percentage": entry.percent,
            "total_score": entry.final if entry.carry else entry.session,
            "boards_played": Fraction(entry.boards),
        }
    for rank in entry.ranks:
        published |= _places(strata[rank.stratum - 1], rank)
        if rank.stratum == 1 and rank.rank:
            # Of those who tie only the paid places say so; the rank parts them.
            published["place"] = Fraction(rank.section_place if rank.section_last else rank.rank)
    return published | _awarded(entry)


def _places(stratum: str, rank: StratumRank) -> dict[str, Value]:
    """An entry's places in a stratum that are more than none."""
    places = {
        f"section_place.{stratum}": rank.rank,
        f"overall_place.{stratum}": rank.overall_place,
        f"qualified.{stratum}": rank.qualified,
    }
    return {name: Fraction(place) for name, place in places.items() if place}


def _awarded(entry: Entry) -> dict[str, Value]:
    """The masterpoints of an entry: in all, for what, in its section and before."""
    awarded: dict[str, Value] = {}
    if entry.awards.total:
        awarded["masterpoints"] = _sum(entry.awards.total)
        awarded["masterpoint_type"] = "+".join(
            dict.fromkeys(COLOUR_WORDS.get(c.colour, "") for c in entry.awards.total)
        )
        first = entry.awards.total[0].reason
        awarded["masterpoints_for"] = "overall" if first >= 10 else "section"
    if entry.awards.current:
        awarded["section_masterpoints"] = _sum(entry.awards.current)
    if entry.awards.previous:
        awarded["earlier_masterpoints"] = _sum(entry.awards.previous)
    return awarded


def _sum(cells: Sequence[AwardCell]) -> Fraction:
    return sum((cell.points for cell in cells), Fraction(0))


def _outcome(line: GameLine) -> tuple[int | None, AdjustedScore | None, str]:
    """North-South's score, or a ruling, or why there is neither."""
    ns, ew = line.ns, line.ew
    if ns.score is not None and ew.score == -ns.score:
        return ns.score, None, ""
    for side in (ns, ew):
        if side.score is None and side.word not in _AVERAGES:
            return None, None, "late play" if side.word == LATE else "not played"
    return None, AdjustedScore(_given(ns, 1), _given(ew, -1)), ""


def _given(side: LineSide, sign: int) -> ArtificialScore | AssignedScore:
    """A side's average, or its own score as seen by North-South."""
    if side.score is not None:
        return AssignedScore(((_WHOLE, sign * side.score),))
    return _AVERAGES[side.word]


FORMATS = (Format("acblscore", "ACBLscore game file", head(is_game), read_acblscore),)
