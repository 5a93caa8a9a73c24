"""The heap an ACBLscore file is: records that pointers lead to, each looked at once.

Every access is checked against the record's own length, every record against the file, and no two
records may share a byte. So a damaged file is refused, and reading costs no more than its size.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime
from fractions import Fraction

from honours.errors import FileProblem
from honours.model.message import Message

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
