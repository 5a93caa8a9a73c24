"""Sheets of .ods and old .xls, and files that ask for more cells than there is room for."""

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from honours.errors import FileProblem
from honours.formats.detect import experimental, read, recognise
from honours.formats.table_standings import read_standings
from honours.formats.workbooks import MAGIC, read_table
from tests.formats.test_xlsx import row, workbook

_END, _FAT, _FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def ods(path: Path, rows: str) -> Path:
    names = " ".join(f'xmlns:{n}="urn:{n}"' for n in ("office", "table", "text"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:spreadsheet>"
            f'<table:table table:name="A">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return path


def cells(*words: str, times: str = "1") -> str:
    made = "".join(
        f"<table:table-cell><text:p>{word}</text:p></table:table-cell>" for word in words
    )
    blank = '<table:table-cell table:number-columns-repeated="16000"/>'
    return f'<table:table-row table:number-rows-repeated="{times}">{made}{blank}</table:table-row>'


def record(kind: int, *parts: bytes) -> bytes:
    data = b"".join(parts)
    return struct.pack("<HH", kind, len(data)) + data


def label(row_: int, column: int, text: str) -> bytes:
    head = struct.pack("<HHHHB", row_, column, 0, len(text), 0)
    return record(0x0204, head, text.encode("latin-1"))


def xls(rows: list[list[str | float]]) -> bytes:
    """A workbook of Excel 97: a container with one stream, of records."""
    sheet = record(0x0809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for r, row_ in enumerate(rows):
        for c, cell in enumerate(row_):
            if isinstance(cell, str):
                sheet += label(r, c, cell)
            else:
                sheet += record(0x0203, struct.pack("<HHHd", r, c, 0, cell))
    sheet += record(0x000A)
    head = record(0x0809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    at = len(head) + 4 + 9 + 4
    head += record(0x0085, struct.pack("<IHBB", at, 0, 1, 0), b"A") + record(0x000A)
    return contained((head + sheet).ljust(8192, b"\0"))


def contained(stream: bytes) -> bytes:
    """One stream of whole sectors, too long for the small ones, in a compound file."""
    sectors = len(stream) // 512
    header = MAGIC + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIIII", 0, 1, 1, 0, 4096, _END, 0, _END, 0, 0)
    header += struct.pack("<I", _FREE) * 108
    chain = [_FAT, _END, *range(3, sectors + 2), _END]
    fat = b"".join(struct.pack("<I", n) for n in chain).ljust(512, b"\xff")

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        wide = name.encode("utf-16-le") + b"\0\0"
        part = wide.ljust(64, b"\0") + struct.pack("<HBB", len(wide), kind, 1)
        part += struct.pack("<III", _FREE, _FREE, child) + bytes(36)
        return part + struct.pack("<IQ", start, size)

    entries = entry("Root Entry", 5, 1, _END, 0) + entry("Workbook", 2, _FREE, 2, len(stream))
    return header + fat + entries.ljust(512, b"\0") + stream


def test_an_ods(tmp_path: Path) -> None:
    day = (
        '<table:table-row><table:table-cell office:value-type="float" office:value="1"/>'
        "<table:table-cell><text:p>Zoë &amp; <text:span>Bo</text:span></text:p></table:table-cell>"
        '<table:table-cell office:value-type="float" office:value="52.299999999999997"/>'
        "</table:table-row>"
    )
    path = ods(tmp_path / "x.ods", cells("pair", "players", "score") + cells(times="3") + day)
    assert recognise(path).name == "standings"
    assert read_table(path).splitlines()[4].startswith("1,")
    assert str(read_standings(path).standings[0].score) == "523/10"
    assert "workbooks" in experimental(*read(path), path)


def test_an_old_xls(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(
        xls([["pair", "players", "score"], [1.0, "Ann & Bo", 52.3], [2.0, "Cy", 40.0]])
    )
    form, _ = read(path)
    assert form.name == "standings"
    first, second = read_standings(path).standings
    assert (first.entrant.title, str(first.score), str(second.score)) == (
        "Ann & Bo",
        "523/10",
        "40",
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: ods(p, cells("x", times="1048576") * 9), "more than 5000000 cells|row 1048577"),
        (
            lambda p: ods(p, cells(*["x"] * 900, times="9999")),
            "more than 5000000 cells; expected a smaller workbook",
        ),
        (
            lambda p: ods(p, cells("x").replace("<table:table-cell>", _REPEATED)),
            "column 16384; expected at most 1000",
        ),
        (
            lambda p: workbook(
                p, "".join(row(n, f'<c r="ALL{n}"><v>1</v></c>') for n in range(1, 5100))
            ),
            "more than 5000000 cells",
        ),
    ],
)
def test_more_cells_than_there_is_room_for(
    tmp_path: Path, make: Callable[[Path], Path], message: str
) -> None:
    with pytest.raises(FileProblem, match=message):
        read_table(make(tmp_path / "x"))


def test_another_office_document(tmp_path: Path) -> None:
    path = tmp_path / "x.doc"
    path.write_bytes(contained(bytes(8192)))
    with pytest.raises(
        FileProblem, match="an old Office document that cannot be read as a workbook"
    ):
        recognise(path)
    path.write_bytes(MAGIC + bytes(100))
    with pytest.raises(
        FileProblem, match="an old Office document that cannot be read as a workbook"
    ):
        recognise(path)


_REPEATED = '<table:table-cell table:number-columns-repeated="16384">'
