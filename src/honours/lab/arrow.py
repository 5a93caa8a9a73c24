"""Whole numbers between Arrow and NumPy, as they lie in memory.

Arrow's own ways there import pandas or all of its functions, which takes longer than reading a
year.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def whole(column: Any) -> Any:
    """A chunked column as one array, which is itself where it has one chunk."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def numbers_or(empty: int, array: Any) -> NDArray[Any]:
    """Whole numbers, with one that stands for nulls."""
    if not array.null_count:
        return numbers(array)
    values = numbers(array)
    wide = values if empty == 0 else values.astype(np.int64)
    return np.where(_valid(array), wide, np.array(empty, wide.dtype))


def _valid(array: Any) -> NDArray[np.bool_]:
    """Which items of an array are not null."""
    bits = np.frombuffer(array.buffers()[0], np.uint8)
    first, last = array.offset, array.offset + len(array)
    return np.unpackbits(bits, count=last, bitorder="little")[first:].astype(np.bool_)


def numbers(array: Any) -> NDArray[Any]:
    """Whole numbers, what stands for a null being anything."""
    _, values = array.buffers()
    kind = _kind(array.type)
    if values is None:
        return np.empty(0, kind)
    return np.frombuffer(values, kind)[array.offset : array.offset + len(array)]


@cache
def _kind(arrow_type: Any) -> np.dtype[Any]:
    return np.dtype(str(arrow_type))


def arrow_of(values: NDArray[Any], kind: Any) -> Any:
    """The same back: an Arrow array of whole numbers of that kind."""
    narrow = np.ascontiguousarray(values, np.dtype(str(kind)))
    return pa.Array.from_buffers(kind, len(narrow), [None, pa.py_buffer(narrow)])
