"""Access databases: equal to mdb-export on every table, and refused by name when damaged."""

import contextlib
import csv
import io
import random
import struct
import subprocess
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from honours.errors import FileProblem
from honours.formats.jet import (
    BOOLEAN,
    DATE,
    DOUBLE,
    LONG,
    MEMO,
    MONEY,
    SHORT,
    TEXT,
    Cell,
    JetDatabase,
    JetLayout,
    expand,
)
from tests.formats.jet_builder import JET3, JET4, Spec, database, page_of, record, text
from tests.support import needs_tool

COLUMNS = [
    ("Id", LONG),
    ("Short", SHORT),
    ("Flag", BOOLEAN),
    ("Word", TEXT),
    ("Long", MEMO),
    ("Day", DATE),
    ("Real", DOUBLE),
    ("Money", MONEY),
    ("Added", TEXT),
    ("Late", BOOLEAN),
]


def exported(path: Path, table: str) -> list[list[str]]:
    tool = needs_tool("mdb-export")
    form = ["-D", "%Y-%m-%d %H:%M:%S", "-T", "%Y-%m-%d %H:%M:%S"]
    run = subprocess.run([tool, *form, str(path), table], capture_output=True, check=True)
    return list(csv.reader(io.StringIO(run.stdout.decode("utf-8"))))


def printed(cell: Cell) -> str:
    """A cell as mdb-export prints it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    return f"{cell:.4f}" if isinstance(cell, Decimal) else str(cell)


def ours(path: Path, table: str) -> list[list[str]]:
    base = JetDatabase(str(path), path.read_bytes())
    names = [column.name for column in base.tables[table].columns]
    return [names, *([printed(row[name]) for name in names] for row in base.rows(table))]


# --- databases of our own ---------------------------------------------------------------------


def inline(layout: JetLayout, words: str) -> bytes:
    data = text(layout, words)
    return struct.pack("<I", len(data) | 0x80 << 24) + bytes(8) + data


def stored(length: int, kind: int, page: int, row: int) -> bytes:
    return struct.pack("<3I", length | kind << 24, page << 8 | row, 0)


def made(layout: JetLayout) -> bytes:
    """A database with everything the real one has not."""
    whole = text(layout, "w" * 600)
    first, second = text(layout, "a" * 700), text(layout, "b" * 300)
    long_pages = [
        page_of(layout, b"LVAL", [(0, whole), (0, struct.pack("<I", 5 << 8) + first)]),
        page_of(layout, b"LVAL", [(0, bytes(4) + second)]),
    ]
    long = struct.pack("<i", -7)

    def row(n: int, word: bytes, memo: bytes | None) -> list[bytes | bool | None]:
        return [
            struct.pack("<i", n),
            struct.pack("<h", -n),
            n % 2 == 0,
            word,
            memo,
            struct.pack("<d", 45000.25),
            struct.pack("<d", 0.5),
            struct.pack("<q", 123456),
            text(layout, "x"),
            True,
        ]

    moved = record(layout, COLUMNS, row(4, text(layout, "moved"), None))
    compressed = b"\xff\xfecaf\xe9" if layout.wide else "café".encode("cp1252")
    rows = [
        (0, record(layout, COLUMNS, row(1, text(layout, "é" * 90), inline(layout, "memo")))),
        (0, record(layout, COLUMNS, row(2, compressed, stored(len(whole), 0x40, 4, 0)))),
        (0xC000, record(layout, COLUMNS, row(99, text(layout, "gone"), None))),
        (0, record(layout, COLUMNS, row(3, b"", stored(len(first + second), 0, 4, 1)))),
        (0, record(layout, COLUMNS, [long, None, True, text(layout, "old"), None])),
    ]
    big = record(layout, COLUMNS, row(5, text(layout, "z" * 99), inline(layout, "m" * 300)))
    pages = [rows, [(0x4000, struct.pack("<I", 9 << 8 | 1)), (0, big)], [(0, big), (0x8000, moved)]]
    spec = Spec("Things", COLUMNS, pages, 7)
    return database(layout, [spec], long_pages)


@pytest.mark.parametrize("layout", [JET3, JET4], ids=["jet3", "jet4"])
def test_what_the_real_file_has_not(layout: JetLayout, tmp_path: Path) -> None:
    path = tmp_path / "made.mdb"
    path.write_bytes(made(layout))
    rows = JetDatabase("made", path.read_bytes()).rows("Things")
    assert [row["Id"] for row in rows] == [1, 2, 3, -7, 4, 5, 5]
    assert [row["Word"] for row in rows[1:5]] == ["café", "", "old", "moved"]
    assert rows[0]["Long"] == "memo"
    assert rows[1]["Long"] == "w" * 600
    assert rows[2]["Long"] == "a" * 700 + "b" * 300
    assert (rows[3]["Short"], rows[3]["Flag"], rows[3]["Added"], rows[3]["Late"]) == (
        None,
        True,
        None,
        False,
    )
    assert rows[0]["Day"] == datetime(2023, 3, 15, 6)  # noqa: DTZ001
    assert (rows[0]["Real"], rows[0]["Money"]) == (0.5, Decimal("12.3456"))


@pytest.mark.parametrize("layout", [JET3, JET4], ids=["jet3", "jet4"])
def test_made_file_equal_to_mdb_export(layout: JetLayout, tmp_path: Path) -> None:
    path = tmp_path / "made.mdb"
    path.write_bytes(made(layout))
    # A row that outgrew its page is listed by mdb-export where it went, by us where it was.
    assert sorted(ours(path, "Things")) == sorted(exported(path, "Things"))


def test_compressed_text() -> None:
    assert expand(b"\xff\xfeabc") == "abc"
    assert expand(b"\xff\xfea\x00\x20\x26\x00b") == "a\u2620b"
    assert expand(b"\xff\xfe") == ""


# --- refusals ---------------------------------------------------------------------------------


def read_whole(data: bytes) -> None:
    base = JetDatabase("x.bws", data)
    for table in base.tables:
        base.rows(table)


def refusal(data: bytes) -> str:
    with pytest.raises(FileProblem) as caught:
        read_whole(data)
    return str(caught.value)


def test_refused_by_name() -> None:
    good = made(JET4)
    assert "not an Access database" in refusal(b"PK\x03\x04" + bytes(5000))
    assert "not an Access database" in refusal(good[:50])
    assert "Access 2007" in refusal(good.replace(b"Standard Jet DB", b"Standard ACE DB", 1))
    assert "a truncated Jet 4 database: 30000 bytes" in refusal(good[:30000])
    assert "Jet version 7" in refusal(good[:0x14] + b"\x07" + good[0x15:])
    locked = bytearray(good)
    locked[0x3E] ^= 0x55
    assert "an encrypted Jet 4 database" in refusal(bytes(locked))
    assert "a damaged Jet 4 database: page 6 of 6" in refusal(good[: 6 * 4096])
    assert "table Things: page 8 of 8" in refusal(good[: 8 * 4096])


def test_rows_must_add_up() -> None:
    data = bytearray(made(JET3))
    struct.pack_into("<I", data, 6 * 2048 + JET3.tdef_rows, 8)
    assert "table Things: 7 rows found of 8" in refusal(bytes(data))


@pytest.mark.parametrize("layout", [JET3, JET4], ids=["jet3", "jet4"])
def test_mutations_answer_or_refuse(layout: JetLayout) -> None:
    good = made(layout)
    dice = random.Random(4)
    for _ in range(400):
        data = bytearray(good)
        for _ in range(dice.choice((1, 4, 40))):
            data[dice.randrange(0x80, len(data))] = dice.randrange(256)
        with contextlib.suppress(FileProblem):
            read_whole(bytes(data))
