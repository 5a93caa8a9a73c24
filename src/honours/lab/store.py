"""Writes and reads the Parquet files of a corpus; errors name the file and the row group."""

from __future__ import annotations

import hashlib
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.fs as fs
import pyarrow.parquet as pq
from numpy.typing import NDArray

from honours.errors import FileProblem, FileProblems, InputError
from honours.lab.tables import NEEDED, ROWS_A_GROUP, TABLES, numbers, numbers_or, whole
from honours.model.message import Message, mark
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


class CorruptGroup(FileProblem):
    """A row group that cannot be read; ``why`` says what is wrong with it, without the location."""

    def __init__(self, path: Path, group: int, error: Exception) -> None:
        self.why = Message("is corrupt ({brief})", brief=_brief(error))
        super().__init__(path, "row group {group} {why}", group=group, why=self.why)


def read_group(path: Path, file: Any, group: int, columns: list[str] | None = None) -> Any:
    """One row group as a table."""
    try:
        return file.read_row_group(group, columns=columns, use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise CorruptGroup(path, group, error) from error


def read_table(path: Path, columns: list[str] | None = None) -> Any:
    """All row groups of a file as one table."""
    file = open_file(path)
    groups = [read_group(path, file, i, columns) for i in range(file.num_row_groups)]
    return pa.concat_tables(groups) if groups else file.schema_arrow.empty_table()


def rows_of(path: Path) -> int:
    """Return how many rows a file has, according to its footer."""
    return int(open_file(path).metadata.num_rows)


def event_span(footer: Any, group: int) -> tuple[int, int] | None:
    """The first and the last event of a row group according to its statistics, if it has any."""
    names = [footer.schema.column(i).name for i in range(footer.num_columns)]
    if "event" not in names:
        return None
    figures = footer.row_group(group).column(names.index("event")).statistics
    return (figures.min, figures.max) if figures is not None and figures.has_min_max else None


def where_are(path: Path, events: Iterable[int]) -> dict[int, str]:
    """The file and row group each event is in, or would be in."""
    footer = open_file(path).metadata
    spans = [event_span(footer, group) for group in range(footer.num_row_groups)]
    firsts = [span[0] if span else 0 for span in spans]
    return {e: group_of(path, max(0, bisect(firsts, e) - 1)) for e in events}


def group_of(path: Path, group: int) -> Message:
    """Return the name of a row group of a file in messages."""
    return Message("{file}, row group {group}", file=path.name, group=group)


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
_NEVER_NULL = {
    name: tuple(column.name for column in schema if not column.nullable)
    for name, schema in TABLES.items()
}


@dataclass(frozen=True, slots=True)
class LostEvents:
    """Events from ``first`` to ``last``, which a row group makes unusable in part."""

    path: Path
    group: int
    why: str
    first: int
    last: int

    @property
    def where(self) -> Message:
        return group_of(self.path, self.group)

    @property
    def problem(self) -> FileProblem:
        return FileProblem(self.path, "row group {group}: {why}", group=self.group, why=self.why)

    @property
    def message(self) -> Message:
        """The events that are lost, with where and why, as a message."""
        template = (
            mark("{where}: {why}: event {first} set aside")
            if self.first == self.last
            else mark("{where}: {why}: events {first} to {last} set aside")
        )
        return Message(template, where=self.where, why=self.why, first=self.first, last=self.last)

    def __str__(self) -> str:
        return str(self.message)


def groups_of(
    path: Path, table: str, columns: list[str] | None = None
) -> Iterator[tuple[int, Any]]:
    """The row groups of a file by number, as Arrow tables, each after the :class:`LostEvents` that
    it makes unusable; rows that name no event are left out."""
    file = open_file(path)
    for group in range(file.num_row_groups):
        try:
            part = read_group(path, file, group, columns)
        except CorruptGroup as problem:
            span = event_span(file.metadata, group)
            if span is None:
                raise
            yield group, LostEvents(path, group, problem.why, *span)
            continue
        nulls = list(_null_events(path, part, group, table))
        yield from ((group, one) for one in nulls)
        yield group, part.filter(part["event"].is_valid()) if nulls else part
        del part  # before the next is read, which can then reuse cached memory


def read_columns(path: Path, table: str) -> tuple[Columns, list[LostEvents]]:
    """The columns of a table as far as they can be read; :func:`check_order` checks their order."""
    parts: list[Any] = []
    lost: list[LostEvents] = []
    for _, one in groups_of(path, table):
        (lost if isinstance(one, LostEvents) else parts).append(one)
    empty = [] if parts else [open_file(path).schema_arrow.empty_table()]
    rows = parts[0] if len(parts) == 1 else pa.concat_tables([*parts, *empty])
    there = [n for n in TABLES[table].names if n in rows.column_names]
    return {name: _array(rows[name], name) for name in there}, lost


def check_order(path: Path, columns: Columns) -> None:
    """Refuse a table whose rows are not in ascending order of events."""
    if (columns["event"][1:] < columns["event"][:-1]).any():
        raise FileProblem(path, "not sorted by event", "events rising")


def _null_events(path: Path, part: Any, group: int, table: str) -> Iterator[LostEvents]:
    """The events with a null in a column that allows none."""
    if not any(column.null_count for column in part.itercolumns()):
        return
    for column in _NEVER_NULL[table]:
        if not part[column].null_count:
            continue
        rows = np.flatnonzero(part[column].is_null().to_numpy())
        events = part["event"].to_pylist()
        for row in map(int, rows):
            near = [e for e in _nearest(events, row) if e is not None]
            if near:
                why = Message("{column!r} is null in its row {row}", column=column, row=row)
                yield LostEvents(path, group, why, min(near), max(near))


def _nearest(events: list[int | None], row: int) -> tuple[int | None, int | None]:
    """The event of a row; if that itself is null, the events on either side of it."""
    if events[row] is not None:
        return events[row], events[row]
    before = next((e for e in reversed(events[:row]) if e is not None), None)
    return before, next((e for e in events[row:] if e is not None), None)


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


# --- what can be wrong with the files of a corpus, found before anything runs -------------------


def check_files(folder: Path) -> None:
    """Raise one error that lists every problem the footers show; otherwise do nothing."""
    problems = list(_problems(folder))
    if problems:
        raise FileProblems(problems)


def read_through(paths: Iterable[Path]) -> list[FileProblem]:
    """Read files completely: raises for problems that spoil a file, returns those that cost
    events."""
    fatal: list[FileProblem] = []
    costly: list[FileProblem] = []
    for path in paths:
        table = path.name.rpartition("-")[0]
        for group, one in groups_of(path, table) if table in TABLES else ():
            if isinstance(one, LostEvents):
                costly.append(one.problem)
                continue
            falls = np.flatnonzero(np.diff(one["event"].to_numpy()) < 0)
            if len(falls):
                where = Message(
                    "row group {group} is not sorted by event at its row {falls}",
                    group=group,
                    falls=int(falls[0]) + 1,
                )
                fatal.append(FileProblem(path, where, "events rising"))
    if fatal:
        raise FileProblems([*fatal, *costly])
    return costly


def _problems(folder: Path) -> Iterator[FileProblem]:
    shards = shard_numbers(folder)
    if not shards:
        yield FileProblem(folder, "no events-*.parquet", "a corpus")
    for table in TABLES:
        last: tuple[int, str] | None = None
        for shard in shards:
            path = shard_file(folder, table, shard)
            if not path.exists():
                if table in NEEDED:
                    yield FileProblem(path, "missing", "a file of this table for every shard")
                continue
            problems = list(_file_problems(path, table))
            yield from problems
            if not problems:
                last, problem = _in_order(path, last)
                yield from problem


def _file_problems(path: Path, table: str) -> Iterator[FileProblem]:
    try:
        file = open_file(path)
    except FileProblem as problem:
        yield problem
        return
    yield from column_problems(path, file.schema_arrow, TABLES[table])


def column_problems(path: Path, schema: Any, wanted: Any) -> Iterator[FileProblem]:
    """Required columns that are missing, and columns of the wrong type."""
    for column in wanted:
        if column.name not in schema.names:
            if not column.nullable:
                yield FileProblem(
                    path, "column {name!r} is missing", str(column.type), name=column.name
                )
            continue
        kind = schema.field(column.name).type
        if _plain(kind) != _plain(column.type):
            wanted_type = str(_plain(column.type))
            yield FileProblem(
                path, "column {name!r} is {kind}", wanted_type, name=column.name, kind=kind
            )


def _plain(kind: Any) -> Any:
    """The type of the values, whether or not they are dictionary-encoded."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _in_order(
    path: Path, last: tuple[int, str] | None
) -> tuple[tuple[int, str] | None, list[FileProblem]]:
    """Check by their statistics that the row groups follow each other and the previous file."""
    problems: list[FileProblem] = []
    footer = open_file(path).metadata
    for group in range(footer.num_row_groups):
        span = event_span(footer, group)
        if span is None:
            continue
        first, final = span
        where = group_of(path, group)
        if last and first == last[0]:
            problems.append(
                FileProblem(
                    path,
                    "event {event} is split: {before} and {where}",
                    event=last[0],
                    before=last[1],
                    where=where,
                )
            )
        elif last and first < last[0]:
            fault = Message(
                "row group {group} begins at event {first}, after {event} in {before}",
                group=group,
                first=first,
                event=last[0],
                before=last[1],
            )
            problems.append(FileProblem(path, fault, "events rising and each in one place"))
        last = (final, where)
    return last, problems
