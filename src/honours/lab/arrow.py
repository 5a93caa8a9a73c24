"""Whole numbers between Arrow and NumPy, as they lie in memory.

Arrow's own conversions import pandas or all of Arrow's compute functions, which takes longer than
reading a year.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def whole(column: Any) -> Any:
    """A chunked column as one array, without copying if it has only one chunk."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def numbers_or(empty: int, array: Any) -> NDArray[Any]:
    """The column's whole numbers, with the given number in place of nulls."""
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
    """The column's whole numbers; the value in place of a null is arbitrary."""
    _, values = array.buffers()
    kind = _kind(array.type)
    if values is None:
        return np.empty(0, kind)
    return np.frombuffer(values, kind)[array.offset : array.offset + len(array)]


@cache
def _kind(arrow_type: Any) -> np.dtype[Any]:
    return np.dtype(str(arrow_type))


def arrow_of(values: NDArray[Any], kind: Any) -> Any:
    """The reverse: an Arrow array of whole numbers of the given type."""
    narrow = np.ascontiguousarray(values, np.dtype(str(kind)))
    return pa.Array.from_buffers(kind, len(narrow), [None, pa.py_buffer(narrow)])
