"""Writes small ACBLscore files from the description of the format, with what real ones have."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

MASTER, EVENT, DETAILS, ENTRY, PLAYER = 2580, 742, 804, 0xA4, 120
LATE, NOT_PLAYED, AVE_MINUS, AVE, AVE_PLUS, FOULED = 900, 950, 2040, 2050, 2060, 3001
"""Codes that stand in place of a score, which is told in tens."""

Line = tuple[int, int, int, int, int, int]
"""Round, table, North-South's number and code, East-West's number and code."""


@dataclass
class Pair:
    """A pair: ``line`` is N, E or nothing; ``players`` are first and last name, number, holding."""

    number: int
    line: str = ""
    players: Sequence[tuple[str, str, str, int]] = ()
    stratum: int = 1
    percent: int = 5000
    session: int = 0
    carry: int = 0
    adjustment: int = 0
    not_eligible: int = 0
    boards: int = 2
    awards: Mapping[int, Sequence[tuple[int, int, int]]] = field(default_factory=dict)
    """Before, of the section and in all: hundredths of a point, colour, what for."""
    ranks: Sequence[tuple[int, ...]] = ()


@dataclass
class Section:
    letter: str
    pairs: Sequence[Pair]
    boards: Mapping[int, Sequence[Line]]
    howell: bool = False
    phantom: int = 0
    scored_with: int = 0
    """The slot of the section that is scored and ranked after this one."""


@dataclass
class Game:
    sections: Sequence[Section]
    name: str = "Tuesday Pairs"
    date: str = "July 24, 2017"
    rating: int = 5
    session: int = 1
    sessions: int = 1
    strata: Sequence[tuple[str, int]] = (("A", 0),)
    club_game: int = 0
    added: int = 0
    """Entries of other games that count with this one."""


def text(value: str, longest: int) -> bytes:
    """A text with its length before it; what follows are remains of others."""
    raw = value.encode("latin-1")
    return bytes([len(raw)]) + raw.ljust(longest, b"~")


class Bytes(bytearray):
    """Bytes of a record to be put where they belong."""

    def put(self, offset: int, form: str, *values: int) -> None:
        struct.pack_into("<" + form, self, offset, *values)

    def write(self, offset: int, value: str, longest: int) -> None:
        self[offset : offset + longest + 1] = text(value, longest)


class Builder:
    """A file as it grows: records are added at its end, and where they are is returned."""

    def __init__(self) -> None:
        self.data = Bytes(MASTER)
        self.data[:6] = b"\x12\x0a\x03AC3"
        self.data.put(0x9DB, "H", 815)
        self.sections = 0

    def add(self, record: Bytes) -> int:
        record += bytes(len(record) % 2)
        record.put(0, "H", len(record) - 2)
        at = len(self.data)
        self.data += record
        return at

    def game(self, game: Game, slot: int = 1) -> None:
        e = Bytes(EVENT)
        for offset, value, longest in (
            (0x004, game.name, 25),
            (0x048, game.date, 19),
            (0x05C, "Valley Club", 25),
            (0x0B0, "101010", 6),
        ):
            e.write(offset, value, longest)
        for offset, number in (
            (0x088, game.rating),
            (0x08C, game.session),
            (0x09E, len(game.strata)),
            (0x09F, game.sessions),
            (0x0A1, game.club_game),
            (0x255, game.added),
        ):
            e[offset] = number
        for n, (letter, limit) in enumerate(game.strata):
            e.put(0x0D4 + 95 * n + 0x20, "HB", limit, ord(letter))
        self.data.put(0x012 + 4 * (slot - 1), "I", self.add(e))
        for section in game.sections:
            details, boards = self.section(section), self.boards(section.boards)
            at = 0x13E + 22 * self.sections
            self.sections += 1
            self.data[at] = slot
            self.data.write(at + 1, section.letter, 2)
            self.data.put(at + 4, "II", details, boards)
            before = [n for n, s in enumerate(game.sections, 1) if s.scored_with == self.sections]
            links = (*(before or [0]), section.scored_with)
            self.data.put(at + 0x0F, "BBBB", *links, *links)

    def section(self, section: Section) -> int:
        entries = {pair.number * (-1 if pair.line == "E" else 1): pair for pair in section.pairs}
        highest = max(pair.number for pair in section.pairs)
        d = Bytes(DETAILS)
        d[0x018] = section.howell
        d.put(0x01B, "H", highest)
        d.put(0x043, "h", section.phantom)
        d.put(0x04E, "H", 100)
        for side, sign in enumerate((1, -1)):
            index = Bytes(0x14 + 8 * highest)
            index.put(0x06, "H", highest)
            for number in range(1, highest + 1):
                if pair := entries.get(sign * number):
                    index.put(0x14 + 8 * (number - 1) + 4, "I", self.add(_entry(pair)))
                at = 0x0DD + (80 + 2 * (number - 1) if section.howell else 156 + 4 * number + side)
                if section.howell:
                    d[at : at + 2] = bytes([number, 1])
                else:
                    d[at] = number
            d.put(4 + 4 * side, "I", self.add(index))
        return self.add(d)

    def boards(self, boards: Mapping[int, Sequence[Line]]) -> int:
        index = Bytes(0x26 + 8 * len(boards))
        index.put(0x04, "H", len(boards))
        for slot, (number, lines) in enumerate(boards.items()):
            board = Bytes(0x06 + 18 * len(lines))
            board.put(0x04, "BB", 2, len(lines))
            for n, (round_, table, ns, own, ew, other) in enumerate(lines):
                board.put(0x06 + 18 * n, "BBHhIHhI", round_, table, ns, own, 50, ew, other, 50)
            index[0x26 + 8 * slot] = number
            index.put(0x26 + 8 * slot + 4, "I", self.add(board))
        return self.add(index)


def _entry(pair: Pair) -> Bytes:
    e = Bytes(ENTRY + PLAYER * len(pair.players))
    e.put(0x04, "i", pair.adjustment)
    e.put(0x0C, "iii", pair.session, pair.carry, pair.session + pair.carry)
    e.put(0x1C, "HB", pair.percent, pair.stratum)
    e[0x2F], e[0x33] = pair.boards, pair.not_eligible
    for kind, cells in pair.awards.items():
        for n, cell in enumerate(cells):
            e.put(0x34 + 12 * kind + 4 * n, "HBB", *cell)
    for n, rank in enumerate(pair.ranks):
        e.put(0x5E + 20 * n, "6H", *rank)
    for n, (first, last, number, holding) in enumerate(pair.players):
        at = ENTRY + PLAYER * n
        for offset, value, longest in ((0, last, 16), (0x11, first, 16), (0x36, number, 7)):
            e.write(at + offset, value, longest)
        e.put(at + 0x71, "HB", holding, ord("N"))
    return e


def game_file(*games: Game) -> bytes:
    """A file of these games, as large as it says."""
    builder = Builder()
    for slot, game in enumerate(games, start=1):
        builder.game(game, slot)
    builder.data.put(0x006, "I", len(builder.data))
    return bytes(builder.data)


def mitchell(pairs: Iterable[Pair], score: int = 42) -> Section:
    """Two tables and two rounds of one board each, all scores alike but the first."""
    boards = {
        1: [(1, 1, 1, score, 1, -score), (2, 2, 2, 5, 1, -5)],
        2: [(1, 2, 2, 5, 2, -5), (2, 1, 1, 7, 2, -7)],
    }
    return Section("A", list(pairs), boards)
