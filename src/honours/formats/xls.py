"""An old workbook (.xls, Excel 5 to 2003) as the text of its first sheet, by way of calamine.

Such a sheet has at most 65,536 rows of 256 cells. Experimental: no real file has been seen.
"""

from __future__ import annotations

import io
from datetime import date, datetime
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.file_bytes import MEGABYTE
from honours.formats.grids import Grid, number_text
from honours.model.message import Message
from honours.rings import require

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LARGEST = 32 * MEGABYTE


def xls_text(path: str | Path, data: bytes) -> str:
    """The first sheet as CSV, row for row; any other Office document is refused."""
    if len(data) > LARGEST:
        fault = Message("{count} MB of an old workbook", count=len(data) // MEGABYTE)
        raise FileProblem(
            path, fault, "at most {largest} MB; save it as CSV", largest=LARGEST // MEGABYTE
        )
    require("python_calamine")
    from python_calamine import CalamineWorkbook

    grid = Grid(path)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for number, row in enumerate(book.get_sheet_by_index(0).iter_rows(), start=1):
            cells = [_text(cell) for cell in row]
            if any(cells):
                grid.add(number, cells)
    except (FileProblem, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # what goes wrong inside calamine is no Exception
        raise FileProblem(
            path,
            "an old Office document that is no workbook we can read: {why}",
            "an .xls; save it as .xlsx or CSV",
            why=str(error)[:150],
        ) from error
    return grid.text()


def _text(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    return number_text(repr(cell)) if isinstance(cell, float) else str(cell)
