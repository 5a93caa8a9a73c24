"""The cells of a column as whole numbers: ids, words, dates and figures, however they are written.

A missing value is ``NOT_SAID``; one that cannot be read is ``UNREADABLE``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from honours.lab.column_reading import NOT_SAID

Ints = NDArray[np.int64]
UNREADABLE = NOT_SAID + 1
_WHOLE = r"^(0|[1-9][0-9]{0,17})$"
_HASHED = 1 << 62
_EPOCH = date(1970, 1, 1)
DATE_FORMATS = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d")


@dataclass
class TextNumbers:
    """Numbers that stand for texts: ids that are not numbers, words and titles."""

    texts: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        known = self.numbers.get(text)
        if known is None:
            known = self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return known


def texts_of(column: Any) -> Any:
    """A column as text without surrounding spaces; an empty cell is null."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    text = column if pa.types.is_string(column.type) else column.cast(pa.string())
    trimmed = pc.utf8_trim_whitespace(text)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)


def coded(column: Any) -> tuple[list[str], Ints]:
    """The distinct texts of a column, and each row's index among them; -1 for none."""
    encoded = texts_of(column).dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return encoded.dictionary.to_pylist(), codes


def keys(column: Any, ids: dict[int, str]) -> Ints:
    """A number for every id: the id itself if it is a number, otherwise one computed from its
    text, which is recorded in ``ids``. The same id has the same number in every table."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_integer(column.type) and column.type != pa.uint64():
        wide = column.cast(pa.int64()).fill_null(NOT_SAID)
        whole: Ints = wide.to_numpy(zero_copy_only=False)
        if whole[whole != NOT_SAID].min(initial=0) >= 0:
            return whole
    texts, codes = coded(column)
    numbers = _keys_of_texts(pa.array([*texts, None], pa.string()), ids)
    return numbers[codes]


def _keys_of_texts(texts: Any, ids: dict[int, str]) -> Ints:
    whole = pc.match_substring_regex(texts, _WHOLE)
    as_number = pc.if_else(whole, texts, pa.scalar(None, pa.string())).cast(pa.int64())
    keys: Ints = as_number.fill_null(NOT_SAID).to_numpy(zero_copy_only=False).copy()
    for k in np.flatnonzero(pc.invert(whole).fill_null(False).to_numpy(zero_copy_only=False)):
        text = texts[int(k)].as_py()
        keys[k] = _hashed(text)
        if ids.setdefault(int(keys[k]), text) != text:  # 2⁻⁶² a pair of ids
            raise AssertionError(f"two ids have one digest: {text}")
    return keys


def _hashed(text: str) -> int:
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2 | _HASHED


def id_text(key: int, ids: Mapping[int, str]) -> str:
    """The id that a key stands for, as its owner writes it."""
    return ids.get(key) or str(key)


def words(column: Any, names: TextNumbers, translate: Callable[[str], str]) -> Ints:
    """The number of every word among ``names``, translating each distinct word once."""
    texts, codes = coded(column)
    numbers = [names.number(translate(text)) for text in texts]
    return np.array([*numbers, NOT_SAID], np.int64)[codes]


def mapped(column: Any, read: Callable[[str], int | None]) -> Ints:
    """The number that each distinct text stands for."""
    texts, codes = coded(column)
    numbers = [read(text) for text in texts]
    return np.array([*(UNREADABLE if n is None else n for n in numbers), NOT_SAID], np.int64)[codes]


def figures(column: Any, decimals: int, mark: str) -> tuple[Ints, int]:
    """Figures as whole numbers of the smallest unit kept, and how many had more decimals than
    that."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    scale = 10**decimals
    if pa.types.is_integer(column.type):
        wide = column.cast(pa.int64())
        whole = wide.fill_null(0).to_numpy(zero_copy_only=False) * scale
        return _nulled(whole, wide), 0
    if pa.types.is_floating(column.type):
        return _from_floats(column, scale)
    texts, codes = coded(column)
    grouped = all(_is_grouped(text) for text in texts)
    read = [
        (UNREADABLE, False) if _SPACED.search(text) and not grouped else _figure(text, scale, mark)
        for text in texts
    ]
    numbers = np.array([*(number for number, _ in read), NOT_SAID], np.int64)
    rounded = np.array([*(more for _, more in read), False], np.bool_)
    return numbers[codes], int(rounded[codes].sum())


_SPACED = re.compile(r"\d[ \u00a0\u202f]+\d")
_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d*)?")


def _is_grouped(text: str) -> bool:
    """Whether any spaces in a number separate thousands: 12 345, but not 17 1778, which is two
    numbers in one cell."""
    return not _SPACED.search(text) or _GROUPS.fullmatch(text) is not None


def _nulled(whole: Ints, column: Any) -> Ints:
    if not column.null_count:
        return whole
    return np.where(column.is_null().to_numpy(zero_copy_only=False), NOT_SAID, whole)


def _from_floats(column: Any, scale: int) -> tuple[Ints, int]:
    values = column.cast(pa.float64()).fill_null(float("nan")).to_numpy(zero_copy_only=False)
    unsaid = np.isnan(values)
    steps = np.where(unsaid, 0.0, values) * scale
    near = np.rint(steps)
    finer = int((np.abs(steps - near) > 1e-3 * np.maximum(1.0, np.abs(near) * 1e-9)).sum())
    beyond = ~(np.abs(near) < 2**53)
    whole = np.where(beyond, 0, near).astype(np.int64)
    return np.where(unsaid, NOT_SAID, np.where(beyond, UNREADABLE, whole)), finer


def _figure(text: str, scale: int, mark: str) -> tuple[int, bool]:
    """A number in steps of the unit; a finer one is rounded half away from zero."""
    plain = re.sub("[ \u00a0\u202f']", "", text)
    plain = plain.replace("." if mark == "," else ",", "").replace(mark, ".")
    match = re.fullmatch(r"([+-]?)(\d{0,15})(?:\.(\d{0,15}))?", plain)
    if match is None or not (match[2] or match[3]):
        return UNREADABLE, False
    digits = len(str(scale)) - 1
    after = (match[3] or "").ljust(digits, "0")
    whole = int((match[2] or "0") + after[:digits])
    finer = after[digits:].strip("0")
    if finer and int(finer[0]) >= 5:
        whole += 1
    return (-whole if match[1] == "-" else whole), bool(finer)


def decimal_mark(texts: Iterable[str]) -> str:
    """The decimal sign, judged by the cells that can be read in only one way."""
    commas = sum(bool(re.fullmatch(r"[+-]?\d+,\d{1,2}|[+-]?[\d.]+,\d+", t)) for t in texts)
    points = sum(bool(re.fullmatch(r"[+-]?[\d,]*\d\.\d+", t)) for t in texts)
    return "," if commas > points else "."


def days(column: Any, wanted: str) -> Ints:
    """Dates as days since 1970."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_temporal(column.type):
        whole = column.cast(pa.date32()).cast(pa.int32()).cast(pa.int64())
        return np.asarray(whole.fill_null(NOT_SAID).to_numpy(zero_copy_only=False))
    texts, codes = coded(column)
    return np.array([*(_day(text, wanted) for text in texts), NOT_SAID], np.int64)[codes]


def _day(text: str, wanted: str) -> int:
    try:
        return (_date(text, wanted) - _EPOCH).days
    except ValueError:
        return UNREADABLE


def _date(text: str, wanted: str) -> date:
    head = text.split("T", maxsplit=1)[0].split(" ", maxsplit=1)[0]
    if wanted == "%Y-%m-%d":
        return date.fromisoformat(head)
    return datetime.strptime(head, wanted).date()  # noqa: DTZ007  # a day has no zone


def date_format(texts: Iterable[str]) -> tuple[str, ...]:
    """The date formats that fit all of these texts."""
    some = list(texts)
    return tuple(f for f in DATE_FORMATS if some and all(_day(t, f) != UNREADABLE for t in some))
