"""A plain table's text, whether it is a text file or the first sheet of a workbook."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path

from honours.errors import FileProblem
from honours.formats import ods, xls, xlsx
from honours.formats.file_bytes import decode, read_bytes
from honours.formats.grids import ZipParts

_DAMAGE = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    zlib.error,
    ValueError,
)


def is_workbook(data: bytes) -> bool:
    """Whether a file is a zip archive or an old Office document, which may be a workbook."""
    return data.startswith((b"PK\x03\x04", xls.MAGIC))


def read_table(path: str | Path) -> str:
    """The text of a plain table, from a text file or from the first sheet of a workbook."""
    data = read_bytes(path)
    return workbook_text(path, data) if is_workbook(data) else decode(path, data)


def workbook_text(path: str | Path, data: bytes) -> str:
    """The first sheet as CSV, row for row, so that line numbers are row numbers."""
    if data.startswith(xls.MAGIC):
        return xls.xls_text(path, data)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = ZipParts(path, archive)
            if xlsx.PART in parts.sizes:
                return xlsx.Xlsx(parts).text()
            if ods.PART in parts.sizes:
                return ods.ods_text(parts)
    except _DAMAGE as error:
        raise FileProblem(
            path, "a damaged or encrypted zip archive: {error}", error=error
        ) from error
    raise FileProblem(path, "a zip archive that is no workbook", "an .xlsx or .ods")
