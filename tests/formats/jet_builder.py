"""Writes small Access databases, both generations, to try the reader and mdb-export on.

Written from the description of the format; it writes what the one real file has not: long values
in all three forms, rows that outgrew their page, compressed text, Jet 4.
"""

import struct
from dataclasses import dataclass, field

from honours.formats.jet import BOOLEAN, JET3, JET4, LONG, MEMO, SHORT, TEXT, JetLayout

_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 4, 7: 8, 8: 8}


@dataclass
class Spec:
    """A table to write: (name, kind) columns and records already encoded by :func:`record`."""

    name: str
    columns: list[tuple[str, int]]
    pages: list[list[tuple[int, bytes]]] = field(default_factory=list)
    count: int = 0


def number(layout: JetLayout, value: int) -> bytes:
    return struct.pack("<H" if layout.wide else "<B", value)


def text(layout: JetLayout, value: str) -> bytes:
    return value.encode("utf-16-le" if layout.wide else "cp1252")


def record(
    layout: JetLayout, columns: list[tuple[str, int]], values: list[bytes | bool | None]
) -> bytes:
    """A row of the first ``len(values)`` columns: fewer than the table has are an old row."""
    fixed, variable, offsets, mask = b"", b"", [], 0
    stored = columns[: len(values)]
    for n, ((_, kind), value) in enumerate(zip(stored, values, strict=True)):
        mask |= (1 << n) if value not in (None, False) else 0
        if kind in _SIZES and kind != BOOLEAN:
            fixed += value if isinstance(value, bytes) else bytes(_SIZES[kind])
    start = len(number(layout, 0)) + len(fixed)
    for (_, kind), value in zip(stored, values, strict=True):
        if kind not in _SIZES:
            offsets.append(start + len(variable))
            variable += value if isinstance(value, bytes) else b""
    row = number(layout, len(values)) + fixed + variable
    tail = b""
    if any(kind not in _SIZES for _, kind in columns):
        tail = _offset_table(layout, [*offsets, len(row)], len(row), (len(values) + 7) // 8)
    return row + tail + mask.to_bytes((len(values) + 7) // 8, "little")


def _offset_table(layout: JetLayout, offsets: list[int], data: int, mask: int) -> bytes:
    if layout.wide:
        table = b"".join(struct.pack("<H", at) for at in reversed(offsets))
        return table + struct.pack("<H", len(offsets) - 1)
    jumps = 0
    while (data + len(offsets) + jumps + 1 + mask - 1) // 256 > jumps:
        jumps += 1
    firsts = [
        next((n for n, at in enumerate(offsets) if at >= 256 * (jump + 1)), 0xFF)
        for jump in range(jumps)
    ]
    table = bytes(at % 256 for at in reversed(offsets))
    return table + bytes(reversed(firsts)) + bytes([len(offsets) - 1])


def page_of(layout: JetLayout, owner: bytes, records: list[tuple[int, bytes]]) -> bytes:
    """A data page; each record has the flags of its offset (deleted, elsewhere)."""
    page = bytearray(layout.page)
    page[0:2], page[4:8] = b"\x01\x01", owner
    struct.pack_into("<H", page, layout.row_count, len(records))
    end = layout.page
    for n, (flags, data) in enumerate(records):
        end -= len(data)
        page[end : end + len(data)] = data
        struct.pack_into("<H", page, layout.row_count + 2 + 2 * n, end | flags)
    return bytes(page)


def definition(layout: JetLayout, spec: Spec, used: int) -> bytes:
    page = bytearray(layout.page)
    page[0:4] = b"\x02\x01VC"
    variable = sum(kind not in _SIZES for _, kind in spec.columns)
    struct.pack_into("<I", page, layout.tdef_rows, spec.count)
    counts = (len(spec.columns), variable, len(spec.columns))
    page[layout.tdef_counts - 1] = 0x4E
    struct.pack_into("<3H", page, layout.tdef_counts, *counts)
    struct.pack_into("<2I", page, layout.tdef_map, used, used)
    at, fixed_at, variable_at = layout.tdef_end, 0, 0
    where = layout.column_fields
    for n, (_, kind) in enumerate(spec.columns):
        page[at] = kind
        struct.pack_into("<H", page, at + where[0], n)
        struct.pack_into("<H", page, at + where[1], variable_at)
        page[at + where[2]] = 1 if kind in _SIZES else 0
        struct.pack_into("<H", page, at + where[3], fixed_at)
        struct.pack_into("<H", page, at + where[4], _SIZES.get(kind, 0 if kind == MEMO else 100))
        fixed_at += _SIZES.get(kind, 0) if kind != BOOLEAN else 0
        variable_at += kind not in _SIZES
        at += layout.column_size
    names = b"".join(
        number(layout, len(text(layout, name))) + text(layout, name) for name, _ in spec.columns
    )
    page[at : at + len(names)] = names
    return bytes(page)


def usage(pages: list[int]) -> bytes:
    bits = bytearray(64)
    for page in pages:
        bits[page // 8] |= 1 << page % 8
    return b"\0" + bytes(4) + bytes(bits)


def database(layout: JetLayout, tables: list[Spec], long_pages: list[bytes]) -> bytes:
    """Pages: header, usage maps, catalogue, then long values (from 4 on), definitions, rows."""
    catalogue = Spec(
        "MSysObjects",
        [("Id", LONG), ("Type", SHORT), ("Flags", LONG), ("Name", TEXT), ("LvProp", 11)],
    )
    first = 4 + len(long_pages)
    maps = [usage([3])]
    later: list[bytes] = []
    rows = []
    for n, spec in enumerate(tables):
        at = first + len(later)
        values = [
            struct.pack("<I", at),
            struct.pack("<H", 1),
            bytes(4),
            text(layout, spec.name),
            None,
        ]
        rows.append((0, record(layout, catalogue.columns, list(values))))
        owner = struct.pack("<I", at)
        later.append(definition(layout, spec, 1 << 8 | n + 1))
        maps.append(usage(list(range(at + 1, at + 1 + len(spec.pages)))))
        later += [page_of(layout, owner, records) for records in spec.pages]
    catalogue.count = len(rows)
    head = bytearray(layout.page)
    head[:20] = b"\x00\x01\x00\x00Standard Jet DB\x00"
    head[0x14] = 1 if layout.wide else 0
    head[0x18:0x80] = SCRAMBLED_ZEROS
    fixed = [
        bytes(head),
        page_of(layout, bytes(4), [(0, m) for m in maps]),
        definition(layout, catalogue, 1 << 8),
        page_of(layout, struct.pack("<I", 2), rows),
    ]
    return b"".join([*fixed, *long_pages, *later])


SCRAMBLED_ZEROS = bytes.fromhex(
    "b56f03626108c255eba96772433f009c7a9f90ff809a31c579baed30bcdfcc9d63d9e4c37b42fb8abc4e"
    "86fbec375d449cfac65e28e613b68a6054947b36f572dfb177f41343cfafb1333461795b92b57c2a05f1"
    "7c99011b98fd124f4a946c3e60265f95f8d08924"
)
"""What an empty header looks like: every header is scrambled under one known key."""

__all__ = ["JET3", "JET4", "Spec", "database", "number", "page_of", "record", "text"]
