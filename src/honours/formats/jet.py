"""A small reader of Microsoft Access databases: Jet 3 (Access 97) and Jet 4 (2000 to 2003).

A file is a sequence of pages. Page 2 defines the catalogue (MSysObjects), which names the tables
and the page that defines each; a definition points to a map of the pages that hold the rows.
Nothing in a file is trusted: a pointer that leads out of it, or a count that does not match, makes
it a damaged file.
"""

from __future__ import annotations

import struct
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from honours.errors import FileProblem
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
    """The layout of one of the two generations of the format; ``wide`` ones count in two bytes.

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
        """The cells of a row by the names of their columns."""
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
        """The offsets at which the variable columns start, and the last one's end."""
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
    """The value of a column of fixed width."""
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


# --- pages and tables --------------------------------------------------------------------------


JET3 = JetLayout(
    name="Jet 3",
    page=2048,
    row_count=8,
    tdef_rows=12,
    tdef_counts=21,
    tdef_indexes=27,
    tdef_map=35,
    tdef_end=43,
    index_size=8,
    column_size=18,
    wide=False,
    column_fields=(1, 3, 13, 14, 16, 9),
)
JET4 = JetLayout(
    name="Jet 4",
    page=4096,
    row_count=12,
    tdef_rows=16,
    tdef_counts=41,
    tdef_indexes=47,
    tdef_map=55,
    tdef_end=63,
    index_size=12,
    column_size=25,
    wide=True,
    column_fields=(5, 7, 15, 21, 23, 11),
)

_MAGIC = b"\x00\x01\x00\x00Standard Jet DB\x00"
_NEWER = b"\x00\x01\x00\x00Standard ACE DB\x00"
_HEADER_KEY = bytes((0xC7, 0xDA, 0x39, 0x6B))
_DATA, _DEFINITION, _MAP = 1, 2, 5
_CATALOGUE = 2
_TABLE, _SYSTEM_FLAGS = 1, 0x80000002
_HIDDEN, _ELSEWHERE, _OFFSET = 0x8000, 0x4000, 0x1FFF
_MOST_COLUMNS = 255


@dataclass(frozen=True, slots=True)
class JetTable:
    """A table's definition: its columns in order, how many rows it says it has, where they are."""

    name: str
    page: int
    columns: tuple[JetColumn, ...]
    variable: int
    count: int
    used_pages: int


class JetDatabase:
    """An Access database in memory. ``tables`` has the user's tables by name."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self._data = path, data
        self.layout = self._recognise()
        self._pages = len(data) // self.layout.page
        try:
            self.tables = {name: self._definition(name, page) for name, page in self._catalogue()}
        except (DamagedDatabase, struct.error, UnicodeDecodeError) as error:
            raise FileProblem(
                path, "a damaged {name} database: {error}", name=self.layout.name, error=error
            ) from error

    def rows(self, name: str) -> list[dict[str, Cell]]:
        """The rows of a table, as many as its definition says, or the file is damaged."""
        table = self.tables[name]
        try:
            rows = list(self._rows(table))
            if len(rows) != table.count:
                raise DamagedDatabase(
                    Message("{count} rows found of {all}", count=len(rows), all=table.count)
                )
        except (DamagedDatabase, struct.error, UnicodeDecodeError) as error:
            fault = Message(
                "a damaged {name} database: table {table}: {error}",
                name=self.layout.name,
                table=name,
                error=error,
            )
            raise FileProblem(self.path, fault) from error
        return rows

    # --- the file ---------------------------------------------------------------------------

    def _recognise(self) -> JetLayout:
        """The layout of the file's generation; another one is refused."""
        head = self._data[:0x80]
        if head.startswith(_NEWER):
            raise FileProblem(self.path, "an Access 2007 (.accdb) database", "Jet 3 or Jet 4")
        if not head.startswith(_MAGIC) or len(head) < 0x80:
            raise FileProblem(self.path, "not an Access database", "Jet 3 or Jet 4")
        if head[0x14] not in (0, 1):
            raise FileProblem(
                self.path, "Jet version {version}", "Jet 3 or Jet 4", version=head[0x14]
            )
        layout = JET4 if head[0x14] else JET3
        if any(_decrypted(head[0x18:])[0x3E - 0x18 : 0x42 - 0x18]):
            raise FileProblem(
                self.path, "an encrypted {name} database", "one without a key", name=layout.name
            )
        size = len(self._data)
        if size % layout.page or size < 3 * layout.page:
            fault = Message(
                "a truncated {name} database: {size} bytes", name=layout.name, size=size
            )
            raise FileProblem(self.path, fault, "whole pages of {page}", page=layout.page)
        return layout

    def _page(self, number: int) -> bytes:
        if not 0 < number < self._pages:
            raise DamagedDatabase(f"page {number} of {self._pages}")
        start = number * self.layout.page
        return self._data[start : start + self.layout.page]

    # --- definitions ------------------------------------------------------------------------

    def _catalogue(self) -> Iterator[tuple[str, int]]:
        for row in self._rows(self._definition("MSysObjects", _CATALOGUE)):
            kind, flags, where, name = (row.get(k) for k in ("Type", "Flags", "Id", "Name"))
            if kind != _TABLE or not isinstance(name, str) or not isinstance(where, int):
                continue
            if not (isinstance(flags, int) and flags & _SYSTEM_FLAGS):
                yield name, where & 0xFFFFFF

    def _definition_bytes(self, page: int) -> bytes:
        """A definition may run over several pages, each naming the next."""
        parts: list[bytes] = []
        seen = {0}
        while page not in seen:
            seen.add(page)
            data = self._page(page)
            if data[0] != _DEFINITION:
                raise DamagedDatabase(Message("page {page} is no table definition", page=page))
            parts.append(data[8:] if parts else data)
            page = unsigned_number("<I", data, 4)
        return b"".join(parts)

    def _definition(self, name: str, page: int) -> JetTable:
        """A table's columns and the pages of its rows."""
        layout = self.layout
        data = self._definition_bytes(page)
        count = unsigned_number("<I", data, layout.tdef_rows)
        variable, columns = (unsigned_number("<H", data, layout.tdef_counts + n) for n in (2, 4))
        indexes = unsigned_number("<I", data, layout.tdef_indexes + 4)
        if columns > _MOST_COLUMNS or indexes > _MOST_COLUMNS:
            raise DamagedDatabase(
                Message(
                    "table {name} with {columns} columns and {indexes} indexes",
                    name=name,
                    columns=columns,
                    indexes=indexes,
                )
            )
        start = layout.tdef_end + indexes * layout.index_size
        names = self._names(data, start + columns * layout.column_size, columns)
        described = [
            self._column(data, start + n * layout.column_size, names[n]) for n in range(columns)
        ]
        described.sort(key=lambda column: column.number)
        used = unsigned_number("<I", data, layout.tdef_map)
        return JetTable(name, page, tuple(described), variable, count, used)

    def _names(self, data: bytes, at: int, count: int) -> list[str]:
        names = []
        for _ in range(count):
            length = unsigned_number("<H" if self.layout.wide else "<B", data, at)
            at += 2 if self.layout.wide else 1
            encoding = "utf-16-le" if self.layout.wide else "cp1252"
            names.append(data[at : at + length].decode(encoding))
            at += length
        return names

    def _column(self, data: bytes, at: int, name: str) -> JetColumn:
        number, variable, flags, fixed, size, detail = self.layout.column_fields
        return JetColumn(
            name=name,
            kind=unsigned_number("<B", data, at),
            number=unsigned_number("<H", data, at + number),
            variable_index=unsigned_number("<H", data, at + variable),
            fixed=bool(unsigned_number("<B", data, at + flags) & 1),
            fixed_offset=unsigned_number("<H", data, at + fixed),
            size=unsigned_number("<H", data, at + size),
            scale=unsigned_number("<B", data, at + detail + 1),
        )

    # --- rows -------------------------------------------------------------------------------

    def _rows(self, table: JetTable) -> Iterator[dict[str, Cell]]:
        reader = RowReader(self.layout, table.columns, table.variable, self._record)
        for number in self._owned(table):
            page = self._page(number)
            if page[0] != _DATA or unsigned_number("<I", page, 4) != table.page:
                continue
            for index in range(unsigned_number("<H", page, self.layout.row_count)):
                if (record := self._live_record(page, index)) is not None:
                    yield reader.row(record)

    def _live_record(self, page: bytes, index: int) -> bytes | None:
        """A row's bytes, from another page when it outgrew this one.

        ``None`` for one that is deleted, or that a pointer on another page leads to.
        """
        at = unsigned_number("<H", page, self.layout.row_count + 2 + 2 * index)
        if at & _HIDDEN:
            return None
        record = self._span(page, index)
        return self._record(unsigned_number("<I", record, 0)) if at & _ELSEWHERE else record

    def _record(self, pointer: int) -> bytes:
        """The bytes that a pointer (page and row in it) leads to."""
        page = self._page(pointer >> 8)
        if page[0] != _DATA:
            raise DamagedDatabase(Message("page {pointer} holds no rows", pointer=pointer >> 8))
        return self._span(page, pointer & 0xFF)

    def _span(self, page: bytes, index: int) -> bytes:
        """Rows lie from the end of the page backwards, each ending where the one before starts."""
        table = self.layout.row_count
        if index >= unsigned_number("<H", page, table):
            raise DamagedDatabase(Message("no row {index} on its page", index=index))
        start = unsigned_number("<H", page, table + 2 + 2 * index) & _OFFSET
        end = unsigned_number("<H", page, table + 2 * index) & _OFFSET if index else len(page)
        if not table < start <= end <= len(page):
            raise DamagedDatabase(
                Message("row {index} runs from {start} to {end}", index=index, start=start, end=end)
            )
        return page[start:end]

    def _owned(self, table: JetTable) -> Iterator[int]:
        """The pages a table's usage map marks as its own."""
        usage = self._record(table.used_pages)
        if usage[:1] == b"\0":
            yield from _marked(usage[5:], unsigned_number("<I", usage, 1))
        else:
            span = (self.layout.page - 4) * 8
            for n in range((len(usage) - 1) // 4):
                if page := unsigned_number("<I", usage, 1 + 4 * n):
                    yield from _marked(self._map_page(page)[4:], n * span)

    def _map_page(self, number: int) -> bytes:
        page = self._page(number)
        if page[0] != _MAP:
            raise DamagedDatabase(Message("page {number} is no usage map", number=number))
        return page


def _marked(bitmap: bytes, first: int) -> Iterator[int]:
    for position, byte in enumerate(bitmap):
        for bit in range(8):
            if byte >> bit & 1:
                yield first + 8 * position + bit


def _decrypted(data: bytes) -> bytes:
    """The header is always scrambled with RC4 under one known key."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + _HEADER_KEY[i % len(_HEADER_KEY)]) % 256
        state[i], state[j] = state[j], state[i]
    plain = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        plain.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(plain)
