"""Rows of an Access database taken apart: null mask, fixed and variable columns, long values."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from honours.model.message import Message

Cell = None | bool | int | float | Decimal | datetime | str | bytes

BOOLEAN, BYTE, SHORT, LONG, MONEY, SINGLE, DOUBLE, DATE = range(1, 9)
BINARY, TEXT, OLE, MEMO, GUID, NUMERIC = 9, 10, 11, 12, 15, 16
_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 - the format knows no time zone
_LAST_DAY = 2_958_465
_INLINE, _ONE_RECORD = 0x80, 0x40
_LONGEST_VALUE = 16 << 20


class DamagedDatabase(Exception):
    """Something in the file contradicts the format."""


@dataclass(frozen=True, slots=True)
class JetLayout:
    """Where the two generations of the format keep things; ``wide`` ones count in two bytes.

    ``column_fields`` are the offsets in a column's description of its number, its place among
    the variable columns, flags, fixed offset, size and precision.
    """

    name: str
    page: int
    row_count: int
    tdef_rows: int
    tdef_counts: int
    tdef_indexes: int
    tdef_map: int
    tdef_end: int
    index_size: int
    column_size: int
    wide: bool
    column_fields: tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class JetColumn:
    """A column as its table's definition describes it."""

    name: str
    kind: int
    number: int
    variable_index: int
    fixed: bool
    fixed_offset: int
    size: int
    scale: int = 0


# Compiled once: a row has a dozen numbers and a file a thousand rows.
_NUMBERS = {form: struct.Struct(form) for form in ("<B", "<H", "<I")}


def unsigned_number(form: str, data: bytes, at: int) -> int:
    """One unsigned number; a position outside of ``data`` is damage, negative ones included."""
    number = _NUMBERS[form]
    if not 0 <= at <= len(data) - number.size:
        raise DamagedDatabase(Message("nothing at byte {at} of {count}", at=at, count=len(data)))
    return int(number.unpack_from(data, at)[0])


class RowReader:
    """Takes rows of one table apart. ``record`` follows a pointer to another record."""

    def __init__(
        self,
        layout: JetLayout,
        columns: Sequence[JetColumn],
        variable: int,
        record: Callable[[int], bytes],
    ) -> None:
        self._layout, self._columns = layout, columns
        self._has_variable, self._record = variable > 0, record
        self._head = 2 if layout.wide else 1

    def row(self, data: bytes) -> dict[str, Cell]:
        count = unsigned_number("<H" if self._layout.wide else "<B", data, 0)
        mask = (count + 7) // 8
        if len(data) < self._head + mask:
            raise DamagedDatabase(
                Message("a row of {size} bytes for {count} columns", size=len(data), count=count)
            )
        present = int.from_bytes(data[len(data) - mask :], "little")
        offsets = self._offsets(data, len(data) - mask) if self._has_variable else []
        present &= (1 << count) - 1
        cells: dict[str, Cell] = {}
        for column in self._columns:
            # A row written before its column was added has no such bit: empty, or false.
            there = present >> column.number & 1
            if column.kind == BOOLEAN:
                cells[column.name] = bool(there)
            else:
                cells[column.name] = self._cell(column, data, offsets) if there else None
        return cells

    def _offsets(self, data: bytes, end: int) -> list[int]:
        """Where the variable columns start, and after the last where they end."""
        if self._layout.wide:
            count = unsigned_number("<H", data, end - 2)
            return [unsigned_number("<H", data, end - 4 - 2 * n) for n in range(count + 1)]
        return _jumping_offsets(data, end)

    def _cell(self, column: JetColumn, data: bytes, offsets: Sequence[int]) -> Cell:
        if column.fixed:
            start = self._head + column.fixed_offset
            return self._value(column, data[start : start + column.size])
        n = column.variable_index
        if n + 1 >= len(offsets):
            return None
        start, end = offsets[n], offsets[n + 1]
        if not 0 < start <= end <= len(data):
            raise DamagedDatabase(
                Message(
                    "column {name} runs from {start} to {end}",
                    name=column.name,
                    start=start,
                    end=end,
                )
            )
        return self._value(column, data[start:end])

    def _value(self, column: JetColumn, raw: bytes) -> Cell:
        kind = column.kind
        if kind in (MEMO, OLE):
            long = self._long_value(raw)
            return self._text(long) if kind == MEMO else long
        if kind == TEXT:
            return self._text(raw)
        if kind == BINARY:
            return raw
        return _plain_value(column, raw)

    def _text(self, raw: bytes) -> str:
        if not self._layout.wide:
            return raw.decode("cp1252", errors="replace")
        return expand(raw) if raw[:2] == b"\xff\xfe" else raw.decode("utf-16-le", errors="replace")

    def _long_value(self, raw: bytes) -> bytes:
        """A memo: in the row, in a record of its own, or in a chain of them."""
        length = unsigned_number("<I", raw, 0) & 0xFFFFFF
        if raw[3] & _INLINE:
            return raw[12 : 12 + length]
        pointer = unsigned_number("<I", raw, 4)
        if raw[3] & _ONE_RECORD:
            return self._record(pointer)[:length]
        parts = bytearray()
        seen = set()
        while pointer >> 8 and len(parts) < min(length, _LONGEST_VALUE):
            if pointer in seen:
                raise DamagedDatabase("a long value that runs in a circle")
            seen.add(pointer)
            record = self._record(pointer)
            pointer = unsigned_number("<I", record, 0)
            parts += record[4:]
        return bytes(parts[:length])


def _jumping_offsets(data: bytes, end: int) -> list[int]:
    """Jet 3 offsets are single bytes; a table of jumps says from which column to add 256."""
    count = unsigned_number("<B", data, end - 1)
    jumps = (len(data) - 1) // 256
    last = end - 2 - jumps
    if (last - count) // 256 < jumps:
        jumps -= 1
    if last < count:
        raise DamagedDatabase(
            Message("{count} columns in a row of {size} bytes", count=count, size=len(data))
        )
    offsets, used = [], 0
    for n in range(count + 1):
        while used < jumps and data[end - 2 - used] == n:
            used += 1
        offsets.append(data[last - n] + 256 * used)
    return offsets


_PLAIN = {
    kind: struct.Struct(form)
    for kind, form in ((BYTE, "<B"), (SHORT, "<h"), (LONG, "<i"), (SINGLE, "<f"), (DOUBLE, "<d"))
}


def _plain_value(column: JetColumn, raw: bytes) -> Cell:
    form = _PLAIN.get(column.kind)
    if form is not None:
        value: int | float = form.unpack_from(raw)[0]
        return value
    if column.kind == MONEY:
        return Decimal(struct.unpack_from("<q", raw)[0]).scaleb(-4)
    if column.kind == DATE:
        return _date(struct.unpack_from("<d", raw)[0])
    if column.kind == GUID:
        return str(uuid.UUID(bytes_le=raw[:16].ljust(16, b"\0")))
    if column.kind == NUMERIC:
        return _numeric(raw, column.scale)
    raise DamagedDatabase(
        Message("column {name} of the unknown type {kind}", name=column.name, kind=column.kind)
    )


def _date(days: float) -> datetime:
    """Days since 30 December 1899; before it, the fraction still counts forward."""
    if not -_LAST_DAY < days < _LAST_DAY:
        raise DamagedDatabase(Message("a date of {days} days", days=days))
    whole = int(days)
    return _DAY_ZERO + timedelta(days=whole, seconds=round(abs(days - whole) * 86_400))


def _numeric(raw: bytes, scale: int) -> Decimal:
    """A sign, then sixteen bytes in four little-endian words, the highest word first."""
    if len(raw) < 17:
        raise DamagedDatabase("a decimal number cut short")
    words = struct.unpack_from("<4I", raw, 1)
    value = 0
    for word in words:
        value = value << 32 | word
    return Decimal(-value if raw[0] & 0x80 else value).scaleb(-scale)


def expand(raw: bytes) -> str:
    """Jet 4's compressed text: single bytes; a zero switches to two-byte characters and back."""
    characters, at, wide = [], 2, False
    while at < len(raw):
        if raw[at] == 0:
            wide = not wide
            at += 1
            continue
        step = 2 if wide else 1
        code = raw[at : at + step]
        characters.append(code.decode("utf-16-le" if wide else "latin-1", errors="replace"))
        at += step
    return "".join(characters)
