"""Writes and reads the Parquet files of a corpus; errors name the file and the row group."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.fs as fs
import pyarrow.parquet as pq
from numpy.typing import NDArray

from honours.errors import FileProblem, InputError
from honours.lab.tables import ROWS_A_GROUP, TABLES, numbers, numbers_or, whole
from honours.places import own_folder

# --- writes and reads the Parquet files of a corpus ---------------------------------------------

_SUFFIX = ".parquet"


def local_folder(address: str | Path) -> Path:
    """The folder at an address; one in an object store (``s3://``, ``gs://``, …) is copied here
    first, each of its files once."""
    if "://" not in str(address):
        return Path(address)
    try:
        there, root = fs.FileSystem.from_uri(str(address))
        found = there.get_file_info(fs.FileSelector(root))
    except (OSError, pa.ArrowException) as error:
        raise InputError("{address}: {why}", address=str(address), why=_brief(error)) from error
    digest = hashlib.blake2b(str(address).encode(), digest_size=8).hexdigest()
    here = own_folder("cache") / "corpora" / digest
    here.mkdir(parents=True, exist_ok=True)
    for one in found:
        copy = here / one.base_name
        if one.is_file and not (copy.exists() and copy.stat().st_size == one.size):
            part = copy.with_suffix(".part")
            fs.copy_files(one.path, str(part), there, fs.LocalFileSystem())
            part.replace(copy)
    return here


def shard_file(folder: Path, table: str, shard: int) -> Path:
    return folder / f"{table}-{shard:05d}{_SUFFIX}"


def shard_numbers(folder: Path) -> list[int]:
    """The shards a folder holds, by their files of events."""
    names = (p.name for p in folder.glob(f"events-*{_SUFFIX}"))
    return sorted(int(n.removeprefix("events-").removesuffix(_SUFFIX)) for n in names)


def write_table(path: Path, table: Any, rows: int = ROWS_A_GROUP, coded: bool = True) -> None:
    """Write a table sorted by event, with no event in two row groups.

    It is written to a temporary file and moved into place, so that an existing file is always
    whole. Values are ``coded`` by a dictionary, which is small and quick to read, but building it
    takes as long as everything else.
    """
    beside = path.with_suffix(".part")
    options = {"compression": "lz4", "write_page_checksum": True, "use_dictionary": coded}
    with pq.ParquetWriter(beside, table.schema, **options) as writer:
        for start, stop in row_groups(numbers(whole(table["event"])), rows):
            part = table.slice(start, stop - start)
            writer.write_table(part, row_group_size=max(1, stop - start))
    beside.replace(path)


def row_groups(events: NDArray[Any], rows: int) -> Iterator[tuple[int, int]]:
    """Spans of at most ``rows`` rows that end where an event ends; a larger event has its own
    span."""
    if 0 < len(events) <= rows:
        yield 0, len(events)
        return
    changes = np.flatnonzero(np.diff(events)) + 1
    ends = [*map(int, changes), len(events)] if len(events) else []
    start, last = 0, 0
    for end in ends:
        if end - start > rows and last > start:
            yield start, last
            start = last
        last = end
    if last > start or not len(events):
        yield start, last


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]


def open_file(path: Path) -> Any:
    """A Parquet file whose checksums are verified as it is read."""
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except (OSError, pa.ArrowException) as error:
        raise FileProblem(
            path, "not a Parquet file that can be read ({brief})", brief=_brief(error)
        ) from error


def read_group(path: Path, file: Any, group: int, columns: list[str] | None = None) -> Any:
    """One row group as a table."""
    try:
        return file.read_row_group(group, columns=columns, use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise FileProblem(
            path, "row group {group} is corrupt ({brief})", group=group, brief=_brief(error)
        ) from error


def read_table(path: Path, columns: list[str] | None = None) -> Any:
    """All row groups of a file as one table."""
    file = open_file(path)
    groups = [read_group(path, file, i, columns) for i in range(file.num_row_groups)]
    return pa.concat_tables(groups) if groups else file.schema_arrow.empty_table()


def rows_of(path: Path) -> int:
    """Return how many rows a file has, according to its footer."""
    return int(open_file(path).metadata.num_rows)


def _brief(error: Exception) -> str:
    return str(error).splitlines()[0][:120]


# --- a column of words as it comes from Parquet -------------------------------------------------

Ints = NDArray[np.int64]


class WordColumn:
    """Words by row: ``codes`` index the distinct ``words``; an empty word means that nothing is
    said.

    It behaves like an array of texts when compared, indexed, or passed to ``np.asarray``.
    """

    __slots__ = ("codes", "words")
    dtype = np.dtype(object)
    __hash__ = None  # type: ignore[assignment]  # it compares row by row

    def __init__(self, codes: Ints, words: Sequence[str]) -> None:
        self.codes, self.words = codes, tuple(words)

    @staticmethod
    def of(texts: Iterable[str]) -> WordColumn:
        """A column of the given texts."""
        index: dict[str, int] = {}
        codes = [index.setdefault(str(text), len(index)) for text in texts]
        return WordColumn(np.array(codes, np.int64), tuple(index))

    @staticmethod
    def same(word: str, rows: int) -> WordColumn:
        """One word in every row."""
        return WordColumn(np.zeros(rows, np.int64), (word,))

    @staticmethod
    def together(parts: Sequence[WordColumn]) -> WordColumn:
        """The rows of several columns, one after the other."""
        index = {word: None for part in parts for word in part.words}
        number = {word: n for n, word in enumerate(index)}
        codes = [np.array([number[w] for w in p.words] or [0], np.int64)[p.codes] for p in parts]
        return WordColumn(np.concatenate(codes), tuple(index))

    def where(self, rows: NDArray[np.bool_], put: str | WordColumn) -> WordColumn:
        """The same column with some rows replaced, by those of another column or by one word."""
        other = WordColumn.same(put, len(self)) if isinstance(put, str) else put
        both = WordColumn.together([self, other])
        return WordColumn(
            np.where(rows, both.codes[len(self) :], both.codes[: len(self)]), both.words
        )

    def is_in(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Return which rows contain one of the given words."""
        wanted = set(words)
        own: NDArray[np.bool_] = np.array([w in wanted for w in self.words] or [False])
        return own[self.codes]

    def __len__(self) -> int:
        return len(self.codes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        del copy  # the texts are created each time
        texts = np.array([*self.words, ""], dtype=object)[self.codes]
        return texts if dtype is None else texts.astype(dtype)

    def astype(self, dtype: Any) -> NDArray[Any]:
        return np.asarray(self).astype(dtype)

    def tolist(self) -> list[str]:
        return [self.words[code] for code in self.codes]

    def __getitem__(self, rows: Any) -> Any:
        codes = self.codes[rows]
        return WordColumn(codes, self.words) if np.ndim(codes) else self.words[codes]

    def __eq__(self, other: object) -> Any:
        if isinstance(other, str):
            if other not in self.words:
                return np.zeros(len(self.codes), np.bool_)
            return self.codes == self.words.index(other)
        return np.asarray(self) == other

    def __ne__(self, other: object) -> Any:
        return ~(self == other)


# --- the columns of one file of a corpus as arrays ----------------------------------------------

Columns = Mapping[str, Any]
"""An array, or words, for each name."""

MISSING = -(2**31)
"""Stands for a null among whole numbers; no column can contain it."""
_NULL_IS_ZERO = ("line", "stratum")


def read_columns(path: Path, table: str) -> Columns:
    """The columns of one of the tables of a corpus."""
    rows = read_table(path)
    return {n: _array(rows[n], n) for n in TABLES[table].names if n in rows.column_names}


def _array(column: Any, name: str) -> Any:
    """An Arrow column as NumPy: words as codes, dates as days, numbers in their own type."""
    kind = str(column.type)
    if kind.startswith("dictionary") or kind == "string":
        return _words(column)
    values = whole(column)
    if kind.startswith("date32"):
        values = values.view("int32")
    elif kind.startswith("date"):
        values = values.cast("date32").view("int32")
    if not column.null_count:
        return numbers(values)
    return numbers_or(0 if name in _NULL_IS_ZERO else MISSING, values)


def _words(column: Any) -> WordColumn:
    """Words by row, empty for a null; the codes are those of the file."""
    texts = whole(column)
    coded = texts if pa.types.is_dictionary(texts.type) else texts.dictionary_encode()
    words = coded.dictionary.to_pylist()
    empty = words.index("") if "" in words else len(words)
    codes = numbers_or(empty, coded.indices).astype(np.int64, copy=False)
    return WordColumn(codes, words if empty < len(words) else (*words, ""))
