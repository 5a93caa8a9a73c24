"""The smallest workbook a test can write: one sheet, texts and numbers in the cells."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

_OPEN = "http://schemas.openxmlformats.org"
_OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_TYPES = (
    f'<?xml version="1.0"?><Types xmlns="{_OPEN}/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_OFFICE}.sheet.main+xml"/><Override '
    f'PartName="/xl/worksheets/sheet1.xml" ContentType="{_OFFICE}.worksheet+xml"/></Types>'
)
_ROOT = (
    f'<?xml version="1.0"?><Relationships xmlns="{_OPEN}/package/2006/relationships">'
    f'<Relationship Id="r1" Type="{_OPEN}/officeDocument/2006/relationships/{{kind}}" '
    'Target="{target}"/></Relationships>'
)
_BOOK = (
    f'<?xml version="1.0"?><workbook xmlns="{_OPEN}/spreadsheetml/2006/main" '
    f'xmlns:r="{_OPEN}/officeDocument/2006/relationships"><sheets>'
    '<sheet name="history" sheetId="1" r:id="r1"/></sheets></workbook>'
)
_SHEET = (
    f'<?xml version="1.0"?><worksheet xmlns="{_OPEN}/spreadsheetml/2006/main">'
    "<sheetData>{rows}</sheetData></worksheet>"
)


def _cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


def write_xlsx(path: Path, rows: list[dict[str, Any]]) -> None:
    """Rows under their names."""
    cells = [list(rows[0]), *(list(row.values()) for row in rows)]
    made = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in cells)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr(
            "_rels/.rels", _ROOT.format(kind="officeDocument", target="xl/workbook.xml")
        )
        archive.writestr("xl/workbook.xml", _BOOK)
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            _ROOT.format(kind="worksheet", target="worksheets/sheet1.xml"),
        )
        archive.writestr("xl/worksheets/sheet1.xml", _SHEET.format(rows=made))
