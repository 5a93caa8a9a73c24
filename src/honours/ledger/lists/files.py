"""A list as a file, in the format that its name implies; one larger than memory is written in
parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from honours.errors import InputError
from honours.files import kind_of, new_file
from honours.model.table import Table
from honours.reports.drawing import draw_arrow, draw_csv, rows_data
from honours.rings import require

FORMATS = ("csv", "parquet", "json")
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}


def form_of(path: str | Path) -> str:
    """The format implied by a file's name."""
    form = Path(path).suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise InputError(
            "{path}: expected a name that ends in one of {endings}",
            path=str(path),
            endings=tuple(f".{one}" for one in FORMATS),
        )
    return form


def write_list(parts: Iterable[Table], path: str | Path, replace: bool = False) -> int:
    """Write a list part by part; returns the number of rows."""
    form = form_of(path)
    with new_file(path, kind_of(path), replace) as beside:
        return _WRITERS[form](iter(parts), beside)


def _csv(parts: Iterator[Table], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        for nth, part in enumerate(parts):
            text = draw_csv(part)
            out.write(text if nth == 0 else text.partition("\n")[2])
            count += len(part.rows)
    return count


def _parquet(parts: Iterator[Table], file: Path) -> int:
    require("pyarrow")
    import pyarrow.parquet as pq

    first = next(parts)
    # A column that is empty in the first part may contain text in a later one.
    schema = _schema(draw_arrow(first).schema)
    count = 0
    with pq.ParquetWriter(file, schema) as out:
        for part in chain([first], parts):
            out.write_table(draw_arrow(part).cast(schema))
            count += len(part.rows)
    return count


def _schema(schema: Any) -> Any:
    import pyarrow

    fields = [
        pyarrow.field(one.name, pyarrow.string()) if pyarrow.types.is_null(one.type) else one
        for one in schema
    ]
    return pyarrow.schema(fields)


def _json(parts: Iterator[Table], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        for part in parts:
            for row in rows_data(part):
                out.write(("\n" if count == 0 else ",\n") + json.dumps(row, ensure_ascii=False))
                count += 1
        out.write("\n]\n")
    return count


_WRITERS = {"csv": _csv, "parquet": _parquet, "json": _json}
