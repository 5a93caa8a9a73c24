"""Workbooks read like tables, and bombs refused without being unpacked."""

import io
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem
from honours.formats.detect import recognise
from honours.formats.table_results import read_results
from honours.formats.table_standings import read_standings
from honours.formats.workbooks import read_table

WORKBOOK = (
    '<workbook xmlns:r="x"><sheets><sheet name="A" sheetId="1" r:id="rId7"/></sheets></workbook>'
)
RELATIONS = '<Relationships><Relationship Id="rId7" Target="worksheets/first.xml"/></Relationships>'
STYLES = (
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yy"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>'
)
STRINGS = "<sst><si><t>pair</t></si><si><r><t>Zoë &amp; </t></r><r><t>Bo</t></r></si></sst>"


def workbook(path: Path, rows: str, strings: str = STRINGS, book: str = WORKBOOK) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", book)
        archive.writestr("xl/_rels/workbook.xml.rels", RELATIONS)
        archive.writestr("xl/styles.xml", STYLES)
        archive.writestr("xl/sharedStrings.xml", strings)
        archive.writestr(
            "xl/worksheets/first.xml", f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
        )
    return path


def row(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def text(at: str, value: str) -> str:
    return f'<c r="{at}" t="inlineStr"><is><t>{value}</t></is></c>'


def number(at: str, value: str, style: str = "0") -> str:
    return f'<c r="{at}" s="{style}"><v>{value}</v></c>'


def test_standings_of_a_workbook(tmp_path: Path) -> None:
    rows = row(1, '<c r="A1" t="s"><v>0</v></c>', text("B1", "players"), text("D1", "score"))
    rows += row(
        3, number("A3", "1"), '<c r="B3" t="s"><v>1</v></c>', number("D3", "52.299999999999997")
    )
    path = workbook(tmp_path / "x.dat", rows)
    assert recognise(path).name == "standings"
    (first,) = read_standings(path).standings
    assert first.entrant.players[1].name == "Bo"
    assert first.score == Fraction("52.3")


def test_row_numbers_are_line_numbers(tmp_path: Path) -> None:
    rows = row(1, text("A1", "pair"), text("B1", "score")) + row(
        5, text("A5", "1"), text("B5", "x")
    )
    with pytest.raises(FileProblem, match="line 5: score 'x' is not a number"):
        read_standings(workbook(tmp_path / "x.xlsx", rows))


def test_results_with_a_day(tmp_path: Path) -> None:
    head = [
        text(f"{c}1", h)
        for c, h in zip("ABCDE", ["board", "ns", "ew", "score", "date"], strict=True)
    ]
    cells = [number(f"{c}2", v) for c, v in zip("ABCD", ["1", "1", "2", "-50"], strict=True)]
    rows = row(1, *head) + row(2, *cells, number("E2", "45747", "1"))
    event = read_results(workbook(tmp_path / "x.xlsx", rows))
    assert str(event.date) == "2025-03-31"
    of_1904 = WORKBOOK.replace("<sheets>", '<workbookPr date1904="1"/><sheets>')
    rows = rows.replace("45747", str(45747 - 1462))
    same = read_results(workbook(tmp_path / "mac.xlsx", rows, book=of_1904))
    assert str(same.date) == "2025-03-31"
    assert event.sessions[0].results[0].score == -50


def test_bombs_are_refused(tmp_path: Path) -> None:
    bomb = workbook(tmp_path / "bomb.xlsx", "", "<sst>" + " " * (65 << 20) + "</sst>")
    assert bomb.stat().st_size < 1 << 20
    with pytest.raises(FileProblem, match="unpacks to more than 64 MB"):
        read_table(bomb)
    entity = STRINGS.replace("<sst>", '<!DOCTYPE s [<!ENTITY a "b">]><sst>')
    with pytest.raises(FileProblem, match="an entity declaration"):
        read_table(workbook(tmp_path / "e.xlsx", "", entity))
    wide = row(1, '<c r="ZZZ1"><v>1</v></c>')
    with pytest.raises(FileProblem, match="column 18278"):
        read_table(workbook(tmp_path / "w.xlsx", wide))


def test_a_lying_size_is_not_believed(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", "", "<sst>" + " " * (65 << 20) + "</sst>")
    data = bytearray(path.read_bytes())
    size = (len("<sst></sst>") + (65 << 20)).to_bytes(4, "little")
    assert data.count(size) >= 1
    path.write_bytes(bytes(data).replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(FileProblem):
        read_table(path)


def test_damaged_and_other_archives(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", row(1))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FileProblem, match="damaged or encrypted zip"):
        read_table(path)
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("../../evil", "x")
    path.write_bytes(other.getvalue())
    with pytest.raises(FileProblem, match="a zip archive that is not a workbook"):
        recognise(path)
