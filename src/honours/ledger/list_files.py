"""Tables as files, made part by part, because a federation has more rows than fit into memory."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path

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


def write_list(
    parts: Iterable[Table],
    path: str | Path,
    replace: bool = False,
    *,
    private: bool = False,
    numbers: Collection[str] = (),
) -> int:
    """Write a list part by part, in the format that the file's name implies; returns the number of
    rows. A column that is empty at first is of text, unless it is one of those with whole
    ``numbers``."""
    form = form_of(path)
    with new_file(path, kind_of(path), replace, private) as beside:
        return _WRITERS[form](iter(parts), beside, numbers)


def _csv(parts: Iterator[Table], file: Path, _numbers: Collection[str]) -> int:
    count = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        for nth, part in enumerate(parts):
            text = draw_csv(part)
            out.write(text if nth == 0 else text.partition("\n")[2])
            count += len(part.rows)
    return count


def _parquet(parts: Iterator[Table], file: Path, numbers: Collection[str]) -> int:
    require("pyarrow")
    import pyarrow
    import pyarrow.parquet as pq

    first = next(parts)
    kinds = {True: pyarrow.int64(), False: pyarrow.string()}
    schema = pyarrow.schema(
        one.with_type(kinds[one.name in numbers]) if pyarrow.types.is_null(one.type) else one
        for one in draw_arrow(first).schema
    )
    count = 0
    with pq.ParquetWriter(file, schema) as out:
        for part in chain([first], parts):
            out.write_table(draw_arrow(part).cast(schema))
            count += len(part.rows)
    return count


def _json(parts: Iterator[Table], file: Path, _numbers: Collection[str]) -> int:
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
