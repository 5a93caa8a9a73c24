"""A section of an ACBLscore game: who sat where, what they scored, what they were given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from honours.formats.acblscore.codes import COLOURS
from honours.formats.acblscore.heap import CENT, Heap, Record
from honours.model.message import Message

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
    """What was won before, in this session's section, and altogether."""

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
