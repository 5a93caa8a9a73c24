"""How tables are read: what each column means, and how dates, decimals and words are written.

A first draft is made from the headers and the first rows, and written as a small file that people
correct and give back.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from honours.engine.rules import public
from honours.errors import FileProblem, InputError, UnknownName
from honours.files import toml_of, toml_text
from honours.formats.sheet import plain
from honours.formats.table_standings import COLUMNS as STANDINGS
from honours.lab.store import NOT_SAID
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

# --- tables from wherever a federation keeps them -----------------------------------------------

ROWS_AT_ONCE = 250_000
_BLOCK = 16 * 2**20
_TEXT = (".csv", ".tsv", ".txt")
_WORKBOOKS = (".xlsx", ".xls", ".ods")
_PARQUET = (".parquet", ".pq")
_SQLITE = (".sqlite", ".sqlite3", ".db")
_DUCKDB = (".duckdb", ".ddb")
_POSTGRESQL = ("postgresql://", "postgres://")
SUFFIXES = (*_TEXT, *_WORKBOOKS, *_PARQUET, *_SQLITE, *_DUCKDB)
_DELIMITERS = (",", ";", "\t", "|")
_PASSWORD_AT = "@"


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One table: its name, its columns, its approximate number of rows, and a way to read them.

    ``batches`` takes the wanted columns and yields Arrow tables; ``first`` is the number of the
    first row as people count them, with a header being row 1.
    """

    name: str
    origin: str
    columns: tuple[str, ...]
    batches: Callable[[Sequence[str]], Iterator[Any]] = field(repr=False)
    rows: int | None = None
    first: int = 1
    mark: str = ""
    """A value that changes when the table does: its size and time."""


def open_source(address: str, query: str = "") -> list[SourceTable]:
    """The tables of a file, or the result of a query to a database."""
    if address.startswith(_POSTGRESQL):
        return [_postgresql(address, query)]
    path, query = Path(address), query.strip().rstrip(";")
    suffix = path.suffix.lower()
    if suffix in _SQLITE:
        return _sqlite(path, query)
    if suffix in _DUCKDB:
        return _duckdb(path, query)
    if query:
        raise InputError("{path}: a query is asked of a database only", path=address)
    if suffix in _PARQUET:
        return [_parquet(path)]
    return _workbook(path) if suffix in _WORKBOOKS else [_csv(path)]


def is_address(text: str) -> bool:
    """Whether it names a database server rather than a file."""
    return text.startswith(_POSTGRESQL)


def shown_address(text: str) -> str:
    """An address without its user name and password."""
    if not is_address(text):
        return text
    scheme, _, rest = text.partition("://")
    return f"{scheme}://{rest.rpartition(_PASSWORD_AT)[2].partition('?')[0]}"


def _mark(path: Path) -> str:
    about = path.stat()
    return f"{about.st_size} {about.st_mtime_ns}"


# --- files --------------------------------------------------------------------------------------


def _csv(path: Path) -> SourceTable:
    header, delimiter, encoding = _header(path)
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise FileProblem(
            path, "two columns are called {repeated!r}", line=1, repeated=min(repeated)
        )

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        types = {name: pa.string() for name in header}
        try:
            reader = pa_csv.open_csv(
                path,
                pa_csv.ReadOptions(block_size=_BLOCK, encoding=encoding),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                pa_csv.ConvertOptions(
                    include_columns=list(wanted),
                    column_types=types,
                    strings_can_be_null=True,
                    null_values=[""],  # n/a is not nothing: it may stand for a payment
                ),
            )
            for batch in reader:
                yield pa.Table.from_batches([batch])
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise FileProblem(path, "not a table: {why}", why=str(error).splitlines()[0]) from error

    return SourceTable(path.stem, path.name, header, batches, _lines(path), 2, _mark(path))


def _header(path: Path) -> tuple[tuple[str, ...], str, str]:
    """The columns of a text table, their separator and the text encoding."""
    import csv

    try:
        with path.open("rb") as file:
            start = file.read(2**20)
    except OSError as error:
        raise FileProblem(path, "cannot be read ({strerror})", strerror=error.strerror) from error
    encoding = "utf8"
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf16"
    else:
        try:
            start.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            encoding = "utf8" if error.start > len(start) - 4 else "cp1252"
    text = start.decode("utf-8-sig" if encoding == "utf8" else encoding, errors="replace")
    line = next((line for line in text.splitlines() if line.strip()), "")
    if not line:
        raise FileProblem(path, "no rows", "a header and rows under it")
    delimiter = max(_DELIMITERS, key=line.count)
    columns = tuple(next(csv.reader([line], delimiter=delimiter)))
    return columns, delimiter, encoding


def _lines(path: Path) -> int:
    """Roughly how many rows a text has, judging by the length of the first ones."""
    with path.open("rb") as file:
        start = file.read(2**16)
    return int(path.stat().st_size / max(1, len(start)) * max(1, start.count(b"\n")))


def _parquet(path: Path) -> SourceTable:
    try:
        footer = pq.read_metadata(path)
        columns = tuple(pq.read_schema(path).names)
    except (OSError, pa.ArrowException) as error:
        brief = str(error).splitlines()[0]
        raise FileProblem(
            path, "not a Parquet file that can be read ({brief})", brief=brief
        ) from error

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(wanted)):
                yield pa.Table.from_batches([batch])

    return SourceTable(path.stem, path.name, columns, batches, footer.num_rows, 1, _mark(path))


def _workbook(path: Path) -> list[SourceTable]:
    """Every sheet of a workbook that has a header and rows."""
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(str(path))
        sheets = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (OSError, CalamineError, ValueError) as error:
        raise FileProblem(path, "not a workbook that can be read ({error})", error=error) from error
    made = []
    for name, rows in sheets.items():
        if len(rows) < 2:
            continue
        columns = tuple(_cell(cell) or f"column {k + 1}" for k, cell in enumerate(rows[0]))
        called = f"{path.stem}-{name}" if len(sheets) > 1 else path.stem
        batches = _kept(columns, rows[1:])
        origin = Message("{file}, sheet {sheet}", file=path.name, sheet=name)
        made.append(SourceTable(called, origin, columns, batches, len(rows) - 1, 2, _mark(path)))
    if not made:
        raise FileProblem(path, "no sheet with rows", "a header and rows under it")
    return made


def _kept(
    columns: tuple[str, ...], rows: Sequence[Sequence[object]]
) -> Callable[[Sequence[str]], Iterator[Any]]:
    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        at = [columns.index(name) for name in wanted]
        cells = [[_cell(row[k]) or None if k < len(row) else None for row in rows] for k in at]
        yield pa.table({n: pa.array(c, pa.string()) for n, c in zip(wanted, cells, strict=True)})

    return batches


def _cell(value: object) -> str:
    """A cell as people see it: a whole number without a point, a day without its time."""
    from datetime import datetime

    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return str(value).strip()


# --- databases ----------------------------------------------------------------------------------


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _fails(address: str | Path, error: Exception) -> InputError:
    brief = str(error).strip().splitlines()[0] if str(error).strip() else "no answer"
    return InputError("{address}: the query fails: {why}", address=str(address), why=brief)


def _database(
    path: Path,
    query: str,
    tables: str,
    connect: Callable[[], Any],
    read: Callable[[Any, str, Sequence[str]], Iterator[Any]],
) -> list[SourceTable]:
    """A query to a database in a file, or each of the tables that a statement names."""
    with connect() as db:
        names = [name for (name,) in db.execute(tables).fetchall()]
        asked = {"query": query} if query else {n: f"select * from {_quoted(n)}" for n in names}
        columns = {
            name: tuple(d[0] for d in db.execute(f"select * from ({text}) limit 0").description)
            for name, text in asked.items()
        }

    def reader(text: str) -> Callable[[Sequence[str]], Iterator[Any]]:
        def batches(wanted: Sequence[str]) -> Iterator[Any]:
            with connect() as db:
                chosen = ", ".join(map(_quoted, wanted))
                yield from read(db, f"select {chosen} from ({text})", wanted)

        return batches

    return [
        SourceTable(name, f"{path.name}, {name}", columns[name], reader(text), None, 1, _mark(path))
        for name, text in asked.items()
    ]


def _sqlite(path: Path, query: str) -> list[SourceTable]:
    tables = (
        "select name from sqlite_master where type in ('table', 'view') "
        "and name not like 'sqlite_%' order by name"
    )
    address = f"file:{path.resolve().as_posix()}?mode=ro"
    try:
        return _database(
            path,
            query,
            tables,
            lambda: sqlite3.connect(address, uri=True),
            lambda db, text, wanted: _fetched(db.execute(text), wanted),
        )
    except sqlite3.Error as error:
        if query:
            raise _fails(path, error) from error
        raise FileProblem(
            path, "not a SQLite database that can be read ({error})", error=error
        ) from error


def _fetched(cursor: Any, wanted: Sequence[str]) -> Iterator[Any]:
    """The rows of a cursor in batches, as text if a column has more than one type."""
    while rows := cursor.fetchmany(50_000):
        cells = zip(*rows, strict=True)
        yield pa.table({n: _column(c) for n, c in zip(wanted, cells, strict=True)})


def _column(cells: Sequence[object]) -> Any:
    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError):
        return pa.array([None if c is None else str(c) for c in cells], pa.string())


def _duckdb(path: Path, query: str) -> list[SourceTable]:
    try:
        import duckdb
    except ImportError as error:
        raise InputError(
            "{path}: reading it needs DuckDB: pip install duckdb", path=str(path)
        ) from error

    def read(db: Any, text: str, _: Sequence[str]) -> Iterator[Any]:
        for batch in db.sql(text).to_arrow_reader(ROWS_AT_ONCE):
            yield pa.Table.from_batches([batch])

    try:
        return _database(
            path,
            query,
            "select table_name from information_schema.tables",
            lambda: duckdb.connect(str(path), read_only=True),
            read,
        )
    except duckdb.Error as error:
        if query:
            raise _fails(path, error) from error
        raise FileProblem(
            path, "not a DuckDB file that can be read ({error})", error=error
        ) from error


def _postgresql(address: str, query: str) -> SourceTable:
    import psycopg

    if not query:
        raise InputError(
            "{address}: say with a query what to read, e.g. --query 'select * from results'",
            address=shown_address(address),
        )
    text, name = query.strip().rstrip(";"), shown_address(address)
    try:
        with psycopg.connect(address) as db:
            made = db.execute(f"select * from ({text}) asked limit 0")
            columns = tuple(d.name for d in made.description or ())
    except psycopg.Error as error:
        raise _fails(name, error) from error

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        chosen = ", ".join(map(_quoted, wanted))
        with psycopg.connect(address) as db, db.cursor(name="honours_import") as cursor:
            cursor.itersize = 50_000
            asked = f"select {chosen} from ({text}) asked"
            cursor.execute(asked)
            yield from _fetched(cursor, wanted)

    return SourceTable("query", name, columns, batches)


# --- the meaning of the headers in a federation's table -----------------------------------------

Level = Literal["event", "entrant", "player", "game"]
Shape = Literal["members", "events", "entrants", "players", "games"]
"""What a row of a table describes: a member, an event, an entrant with its players, a player, or
a game."""
Type = Literal["id", "word", "text", "count", "number", "date", "grade", "yes-no"]

_HEADERS = tomllib.loads((files(__package__) / "headers.toml").read_text("utf-8"))
AMBIGUOUS: Mapping[str, Sequence[str]] = _HEADERS["ambiguous"]
_OTHER_NAMES = {"masterpoints": "holding", "number": "player", "percentage": "score"}
"""Facts and meanings from other tables that have another name as a column here."""
_NOT_HERE = ("id", "score_place")
DECIMALS = {"holding": 2, "rating": 5, "paid": 4, "score": 6, "gor": 3, "ifpa_rating": 2}
"""How many decimals of a number are kept."""
SIDES_OF_GAMES = frozenset({"opponent", "black", "white", "winner", "loser"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """A column of the corpus that a header may mean."""

    name: str
    of: Level
    type: Type
    spellings: tuple[str, ...]

    @property
    def decimals(self) -> int:
        return DECIMALS.get(self.name, 0)


@cache
def meanings() -> Mapping[str, Meaning]:
    """Every column that a table may contain."""
    known: dict[str, Meaning] = {}
    levels: tuple[tuple[Level, object], ...] = (
        ("event", EVENTS),
        ("entrant", ENTRANTS),
        ("player", PLAYERS),
    )
    for of, schema in levels:
        for column in schema:  # type: ignore[attr-defined]
            name = column.name
            if name not in known and name not in _NOT_HERE:
                known[name] = Meaning(name, of, _type(column), _spellings(name))
    known["score"] = Meaning("score", "entrant", "number", _spellings("score"))
    for name, column in _HEADERS["games"].items():
        known[name] = Meaning(name, "game", column["type"], (name, *column["spellings"]))
    return known


def _type(column: object) -> Type:
    name, kind = column.name, str(column.type)  # type: ignore[attr-defined]
    return _HEADERS["types"].get(name) or ("word" if kind.startswith("dictionary") else "count")


def _spellings(name: str) -> tuple[str, ...]:
    other = [known for known, column in _OTHER_NAMES.items() if column == name]
    listed: list[str] = [*_HEADERS["spellings"].get(name, ())]
    for known in (name, *other):
        if known in VOCABULARY:
            listed += [known, *VOCABULARY[known].spellings]
        listed += [known, *STANDINGS.spellings.get(known, ())] if known != "title" else []
    stems = {"player": "number", "holding": "masterpoints"}.get(name, name)
    listed += STANDINGS.numbered.get(stems, ())
    return tuple(dict.fromkeys(map(plain, (name, *listed))))


@dataclass(frozen=True, slots=True)
class MeantColumn:
    """A header and its interpretation: a column of the corpus and, if the header has a number,
    which player of the entrant."""

    header: str
    meaning: str
    number: int = 0

    @property
    def shown(self) -> str:
        return f"{self.meaning}{self.number or ''}"


def read_meaning(text: str) -> tuple[str, int] | None:
    """``holding2`` as a column of the corpus and the number of a player."""
    if text in meanings():
        return text, 0
    match = re.fullmatch(r"([a-z_]+?)(\d{1,2})", text)
    if match and match[1] in meanings() and _numbered(meanings()[match[1]]):
        return match[1], int(match[2])
    return None


def _numbered(meaning: Meaning) -> bool:
    """Whether a row may have several such columns: for players, or for rounds."""
    return meaning.of == "player" or meaning.name == "round"


def understood(headers: Iterable[str]) -> tuple[list[MeantColumn], dict[str, Message]]:
    """The interpretation of each header, and for the others why there is none."""
    columns_meant: dict[tuple[str, int], MeantColumn] = {}
    left: dict[str, Message] = {}
    headers = list(headers)
    games = _tells_games(headers)
    for header in headers:
        meant = _meant(header, games)
        if meant is None:
            left[header] = _nearest(header)
        elif (
            meant in columns_meant
            and plain(header) in ("event", "name")
            and "title" not in {m for m, _ in columns_meant}
        ):
            columns_meant["title", 0] = MeantColumn(header, "title")
        elif meant in columns_meant and plain(columns_meant[meant].header) == "event":
            columns_meant["title", 0] = MeantColumn(columns_meant[meant].header, "title")
            columns_meant[meant] = MeantColumn(header, *meant)
        elif meant in columns_meant:
            left[header] = Message(
                "{other} is taken for {meaning} already",
                other=columns_meant[meant].header,
                meaning=MeantColumn("", *meant).shown,
            )
        else:
            columns_meant[meant] = MeantColumn(header, *meant)
    return _without_doubt(columns_meant, left)


def _without_doubt(
    columns: dict[tuple[str, int], MeantColumn], left: dict[str, Message]
) -> tuple[list[MeantColumn], dict[str, Message]]:
    """If a header has two possible meanings, the one that no other column has; ``tournament``
    means the event if no other column names one."""
    if ("event", 0) not in columns and ("tournament", 0) in columns:
        columns["event", 0] = MeantColumn(columns.pop(("tournament", 0)).header, "event")
    if not any(meaning == "player" for meaning, _ in columns):
        for header in [h for h in left if plain(h) in _HEADERS["names"]["headers"]][:1]:
            columns["player", 0] = MeantColumn(header, "player")
            del left[header]
    for header in [*left]:
        open_to = [m for m in AMBIGUOUS.get(plain(header), ()) if (m, 0) not in columns]
        if len(open_to) == 1:
            columns[open_to[0], 0] = MeantColumn(header, open_to[0])
            del left[header]
        elif open_to:
            left[header] = Message(
                "it may be {one} or {other}: say which", one=open_to[0], other=open_to[1]
            )
    return list(columns.values()), left


def _tells_games(headers: Iterable[str]) -> bool:
    """Whether headers say who played whom."""
    known_headers = {plain(header) for header in headers}
    sides = (("opponent",), ("black", "white"), ("winner", "loser"))
    return any(all(known_headers & {*meanings()[m].spellings} for m in both) for both in sides)


def _meant(header: str, games: bool = False) -> tuple[str, int] | None:
    """The interpretation of a header; words about games count only if the table says who played
    whom."""
    name = plain(header)
    if name == "points":
        return None
    by_games = [m for m in meanings().values() if m.of == "game"] if games else []
    for meaning in (*by_games, *(m for m in meanings().values() if m.of != "game")):
        if name in meaning.spellings:
            return meaning.name, 0
    match = re.fullmatch(r"([^\d]*)(\d{1,2})([^\d]*)", name)
    if match is None:
        return None
    stem, number = match[1] + match[3], int(match[2])
    if stem in meanings()["round"].spellings:
        return "round", number
    own = stem.removeprefix("player").removeprefix("p") or "player"
    for meaning in meanings().values():
        spellings = {stem, own, f"player{stem}"} & {*meaning.spellings}
        if meaning.of == "player" and (
            spellings or (meaning.name == "player" and own in ("id", "no"))
        ):
            return meaning.name, number
    return None


def _nearest(header: str) -> Message:
    """Why a header is not understood, and which known one it most resembles."""
    spelled = {s: m.name for m in meanings().values() for s in m.spellings}
    near = get_close_matches(plain(header), spelled, n=1, cutoff=0.75)
    if near:
        return Message("not understood; it is most like {name}", name=spelled[near[0]])
    return Message("not understood")


def shape_of(columns: Iterable[MeantColumn]) -> Shape | None:
    """What one row of a table with these columns describes; nothing if the rows cannot be used."""
    meanings_there = {column.meaning for column in columns}
    seats = {column.number for column in columns if column.meaning == "player"}
    if "event" not in meanings_there:
        alone = seats == {0} and not meanings_there & {"place", "score", "entrant"}
        return "members" if alone and meanings_there & {"holding", "rating", "eligible"} else None
    if meanings_there & SIDES_OF_GAMES:
        return "games"
    if seats - {0}:
        return "entrants"
    if 0 in seats:
        return "players"
    return "entrants" if meanings_there & {"place", "score", "entrant"} else "events"


# --- the cells of a column as whole numbers -----------------------------------------------------

Ints = NDArray[np.int64]
UNREADABLE = NOT_SAID + 1
UNKNOWN = NOT_SAID + 2
"""Said not to be known: n/a among what was paid is not an empty cell, which is nothing paid."""
_UNKNOWN_WORDS = ("n/a", "na", "nan", "null", "none", "unknown", "?", "-", "–", "#n/a")
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
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        keys[k] = int.from_bytes(digest, "big") >> 2 | _HASHED
        if ids.setdefault(int(keys[k]), text) != text:  # 2⁻⁶² a pair of ids
            raise AssertionError(f"two ids have one digest: {text}")
    return keys


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
        values = column.cast(pa.float64()).fill_null(float("nan")).to_numpy(zero_copy_only=False)
        unsaid = np.isnan(values)
        steps = np.where(unsaid, 0.0, values) * scale
        near = np.rint(steps)
        finer = int((np.abs(steps - near) > 1e-3 * np.maximum(1.0, np.abs(near) * 1e-9)).sum())
        beyond = ~(np.abs(near) < 2**53)
        whole = np.where(beyond, 0, near).astype(np.int64)
        return np.where(unsaid, NOT_SAID, np.where(beyond, UNREADABLE, whole)), finer
    texts, codes = coded(column)
    grouped = all(
        (not _SPACED.search(text) or _GROUPS.fullmatch(text) is not None) for text in texts
    )
    read = [
        (UNREADABLE, False) if _SPACED.search(text) and not grouped else _figure(text, scale, mark)
        for text in texts
    ]
    numbers = np.array([*(number for number, _ in read), NOT_SAID], np.int64)
    rounded = np.array([*(more for _, more in read), False], np.bool_)
    return numbers[codes], int(rounded[codes].sum())


_SPACED = re.compile(r"\d[ \u00a0\u202f]+\d")
_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d*)?")


def _nulled(whole: Ints, column: Any) -> Ints:
    if not column.null_count:
        return whole
    return np.where(column.is_null().to_numpy(zero_copy_only=False), NOT_SAID, whole)


def _figure(text: str, scale: int, mark: str) -> tuple[int, bool]:
    """A number in steps of the unit; a finer one is rounded half away from zero."""
    plain = re.sub("[ \u00a0\u202f']", "", text)
    plain = plain.replace("." if mark == "," else ",", "").replace(mark, ".")
    match = re.fullmatch(r"([+-]?)(\d{0,15})(?:\.(\d{0,15}))?", plain)
    if text.casefold() in _UNKNOWN_WORDS:
        return UNKNOWN, False
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


# --- splits cells that name several members at once ---------------------------------------------

SIGNS = {
    "&": r"\s*&\s*",
    "/": r"\s*/\s*",
    ";": r"\s*;\s*",
    "+": r"\s*\+\s*",
    "|": r"\s*\|\s*",
    "and": r"\s+[aA][nN][dD]\s+",
    " - ": r"\s+[-–]\s+",
    ",": r"\s*,\s*",
    "-": r"\s*-\s*",
}
"""The possible separators between members, by their name in a plan."""
ONE_EACH = ""
"""What a plan says if every cell is one member."""
_DOUBTFUL = {",": re.compile(r"\d+\s*,\s*\d+"), "-": re.compile(r"(\d{4,})\s*-\s*(\d{4,})")}
"""Signs that occur in many ids and names: they are asked about only between whole numbers."""
_MOST_SEATS = 12
_LOOKED_AT = 50_000
_ENOUGH = 20


@dataclass(frozen=True, slots=True)
class SplitTable:
    """A table in which every cell belongs to one member. ``several`` has the separator of each
    column that was split; ``unclear`` lists the columns for which nobody can say whose they are."""

    table: SourceTable
    columns: list[MeantColumn]
    several: Mapping[str, str]
    unclear: Mapping[str, Message]


def split_table(
    table: SourceTable, columns: list[MeantColumn], wanted: str | None, draft: bool
) -> SplitTable:
    """The table with a column for every member of a cell, split at the ``wanted`` separator or
    at one that is recognised."""
    unclear = _whose(columns)
    columns = [c for c in columns if c.header not in unclear]
    of_players = [c for c in columns if meanings()[c.meaning].of == "player"]
    if wanted is not None and wanted != ONE_EACH and wanted not in SIGNS:
        known = ", ".join(map(repr, SIGNS))
        raise InputError("members = {sign!r}: expected one of {known}", sign=wanted, known=known)
    if wanted == ONE_EACH or not any(c.meaning == "player" for c in of_players):
        return SplitTable(table, columns, {}, unclear)
    texts = _first_texts(table, of_players)
    signs = {c.header: _sign(table, c, texts[c.header], wanted, draft) for c in of_players}
    several = {header: sign for header, sign in signs.items() if sign}
    if not any(c.header in several for c in of_players if c.meaning == "player"):
        return SplitTable(table, columns, {}, unclear)
    seats = _seats(table, of_players, several)
    made, more = _split_columns(columns, several, seats)
    return SplitTable(_parting(table, several), made, several, {**unclear, **more})


def _first_texts(table: SourceTable, columns: Sequence[MeantColumn]) -> dict[str, list[str]]:
    """The distinct texts of the first rows of some columns."""
    batch = next(iter(table.batches([c.header for c in columns])), None)
    if batch is None:
        return {c.header: [] for c in columns}
    return {c.header: coded(batch[c.header][:_LOOKED_AT])[0] for c in columns}


def _sign(
    table: SourceTable, column: MeantColumn, texts: Sequence[str], wanted: str | None, draft: bool
) -> str:
    """The separator between the members in a column's cells; nothing if each cell has one
    member."""
    if column.meaning != "player":  # figures for each member may have another separator
        return next((s for s in ("&", "/", ";", "+", "|") if _share(texts, s) > 0.5), "")
    if wanted is not None:
        return wanted if any(len(re.split(SIGNS[wanted], text)) > 1 for text in texts) else ""
    shares = {sign: _share(texts, sign) for sign in SIGNS}
    sign = max(shares, key=lambda one: shares[one])
    if not shares[sign] or draft:
        return sign if shares[sign] > 0.5 else ""
    if shares[sign] > 0.5 and sign not in _DOUBTFUL and not _is_prefix(texts, sign):
        return sign
    example = next(text for text in texts if _has(text, sign))
    raise InputError(
        "{table}: column {header!r}: is {example!r} one member or several? Say in the plan "
        '(--draft FILE writes one): members = {sign!r} for several, members = "" for one',
        table=table.origin,
        header=column.header,
        example=example,
        sign=sign,
    )


def _share(texts: Sequence[str], sign: str) -> float:
    return sum(_has(text, sign) for text in texts) / len(texts) if texts else 0.0


def _is_prefix(texts: Sequence[str], sign: str) -> bool:
    """Whether the text before the separator keeps recurring, and so is part of an id: UK/1234."""
    before = {re.split(SIGNS[sign], text)[0] for text in texts}
    return len(texts) >= _ENOUGH and len(before) < len(texts) / 10


def _has(text: str, sign: str) -> bool:
    """Whether there is text on both sides of the separator."""
    if sign in _DOUBTFUL:
        match = _DOUBTFUL[sign].fullmatch(text)
        return match is not None and (sign == "," or len(match[1]) == len(match[2]))
    return len([part for part in re.split(SIGNS[sign], text) if part]) > 1


# --- how many, and which columns ----------------------------------------------------------------


def _seats(
    table: SourceTable, columns: Sequence[MeantColumn], several: Mapping[str, str]
) -> dict[int, int]:
    """The largest number of members in a cell, for each numbered column of players."""
    named = [c for c in columns if c.meaning == "player"]
    most = {c.number: 1 for c in named}
    parting = [c for c in named if c.header in several]
    for batch in table.batches([c.header for c in parting]):
        for column in parting:
            sign = SIGNS[several[column.header]]
            for text in coded(batch[column.header])[0]:
                count = len(re.split(sign, text))
                if count > _MOST_SEATS:
                    raise _too_many(table, column, text, count)
                most[column.number] = max(most[column.number], count)
    return most


def _too_many(table: SourceTable, column: MeantColumn, text: str, count: int) -> InputError:
    return InputError(
        "{table}: column {header!r}: {text!r} names {count} members; at most {most} are an entrant",
        table=table.origin,
        header=column.header,
        text=text[:80],
        count=count,
        most=_MOST_SEATS,
    )


def _split_columns(
    columns: Sequence[MeantColumn], several: Mapping[str, str], seats: Mapping[int, int]
) -> tuple[list[MeantColumn], dict[str, Message]]:
    """A column for each member; a value given once for several members belongs to none of them."""
    first, at = {}, 1
    for number in sorted(seats):
        first[number] = at
        at += seats[number]
    made: list[MeantColumn] = []
    for column in columns:
        of = first.get(column.number)
        if meanings()[column.meaning].of != "player" or of is None:
            made.append(column)
        elif column.header in several:
            made += [
                MeantColumn(part_name(column.header, k), column.meaning, of + k)
                for k in range(seats[column.number])
            ]
        elif seats[column.number] == 1:
            made.append(replace(column, number=of))
        else:
            made.append(column if column.meaning == "paid" else replace(column, number=0))
    unclear = _whose(made)
    return [c for c in made if c.header not in unclear], unclear


def _whose(columns: Sequence[MeantColumn]) -> dict[str, Message]:
    """Columns that give one value in a row of several players without saying whose it is."""
    if not any(c.meaning == "player" and c.number for c in columns):
        return {}
    return {
        c.header: Message("a row has several players, and it does not say of which this is")
        for c in columns
        if meanings()[c.meaning].of == "player" and not c.number and c.meaning != "paid"
    }


def part_name(header: str, k: int) -> str:
    """The name of the column for one of several members."""
    return f"{header} [{k + 1}]"


# --- parting ------------------------------------------------------------------------------------


def _parting(table: SourceTable, several: Mapping[str, str]) -> SourceTable:
    """The table with the cells of some columns split into one column per member."""
    parts = {part_name(header, k): (header, k) for header in several for k in range(_MOST_SEATS)}

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        plain = dict.fromkeys(parts.get(name, (name, 0))[0] for name in wanted)
        for batch in table.batches(list(plain)):
            split = {h: _split(batch[h], several[h]) for h in plain if h in several}
            yield pa.table(
                {
                    name: split[parts[name][0]][parts[name][1]] if name in parts else batch[name]
                    for name in wanted
                }
            )

    columns = tuple(name for name in table.columns if name not in several)
    return replace(table, columns=(*columns, *parts), batches=batches)


def _split(column: Any, sign: str) -> list[Any]:
    """The cells of a column split into columns of their first, second … members."""
    texts, codes = coded(column)
    lists = [[part for part in re.split(SIGNS[sign], text) if part] for text in texts]
    where = pa.array(np.where(codes < 0, len(texts), codes))
    made = []
    for k in range(_MOST_SEATS):
        own = [parts[k] if k < len(parts) else None for parts in lists]
        made.append(pc.take(pa.array([*own, None], pa.string()), where))
    return made


# --- how tables are read ------------------------------------------------------------------------

EACH_PLAYER, ENTRANT = "each player", "entrant"
_WORDS = {
    "kind": {
        "pair": "pairs",
        "open-pairs": "pairs",
        "team": "teams",
        "swiss-teams": "swiss",
        "swiss-team": "swiss",
        "bam": "board-a-match",
        "board-a-match-teams": "board-a-match",
        "individuals": "individual",
        "knock-out": "knockout",
        "ko": "knockout",
        "knockout-teams": "knockout",
    },
    "line": {"n/s": "ns", "n-s": "ns", "north-south": "ns", "e/w": "ew", "e-w": "ew"}
    | {"east-west": "ew", "1": "ns", "2": "ew", "n": "ns", "s": "ns", "e": "ew", "w": "ew"},
    "eligible": {"y": "yes", "true": "yes", "1": "yes", "n": "no", "false": "no", "0": "no"},
}
_KEPT_AS_WRITTEN = ("stratum", "flight")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table with the meaning of its columns, and why the others are ignored."""

    table: SourceTable
    columns: tuple[MeantColumn, ...]
    left: Mapping[str, Message]
    shape: Shape
    drafted: tuple[MeantColumn, ...]
    """The columns as in the plan's file, before cells with several members were split."""
    several: Mapping[str, str] = field(default_factory=dict)
    """The separator between the members in a cell, by the column's header."""

    def column(self, meaning: str, number: int = 0) -> MeantColumn | None:
        matching = (c for c in self.columns if (c.meaning, c.number) == (meaning, number))
        return next(matching, None)

    @property
    def seats(self) -> list[int]:
        """The numbers of the players a row has."""
        return sorted({c.number for c in self.columns if c.meaning == "player" and c.number})

    @property
    def rounds(self) -> list[int]:
        """The rounds whose games a row contains."""
        return sorted({c.number for c in self.columns if c.meaning == "round" and c.number})

    def without(self, meant: Collection[str], why: Message) -> TablePlan:
        """The table without the columns of these meanings."""
        kept = tuple(c for c in self.columns if c.meaning not in meant)
        left = {c.header: why for c in self.columns if c.meaning in meant}
        return replace(self, columns=kept, left={**self.left, **left})


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All tables of an import, and how their cells are written."""

    tables: tuple[TablePlan, ...]
    date: str = "%Y-%m-%d"
    decimal: str = "."
    paid_to: str = EACH_PLAYER
    unit: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    proposed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Words of the tables with what they most likely mean; empty where nobody can tell."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """What a missing value of a column counts as."""

    def translate(self, meaning: str, text: str) -> str:
        """A word in the form the corpus uses: lower case with hyphens, or as the plan says; a
        letter that stands for a class is left alone."""
        own, likely = (some.get(meaning, {}).get(text) for some in (self.words, self.proposed))
        if own or likely:
            return str(own or likely)
        if meaning in _KEPT_AS_WRITTEN or (meaning == "class" and len(text) == 1):
            return text
        plain = "-".join(text.casefold().replace("_", " ").split())
        return _WORDS.get(meaning, {}).get(plain, plain)

    def signature(self) -> dict[str, Any]:
        """What must be equal for an import to continue where another stopped."""
        tables = [
            [t.table.origin, t.table.mark, {c.header: c.shown for c in t.columns}]
            for t in self.tables
        ]
        words = {k: dict(v) for k, v in self.words.items()}
        return {
            "tables": tables,
            "written": [self.date, self.decimal, self.paid_to, self.unit],
            "words": words,
        }


def read_plan(path: Path) -> dict[str, Any]:
    """A corrected plan, as plain data."""
    try:
        content = toml_of(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FileProblem(path, "not TOML ({error})", "what --draft writes", error=error) from error
    strange = [key for key in content if key not in ("written", "words", "missing", "table")]
    if strange:
        raise FileProblem(
            path, "{strange!r} is not known", "written, words, missing or table", strange=strange[0]
        )
    return content


def make_plan(
    tables: Sequence[SourceTable],
    corrected: Mapping[str, Any] | None = None,
    draft: bool = False,
) -> tuple[ImportPlan, list[SourceTable]]:
    """The plan for these tables, and the tables that cannot be used; a ``draft`` may lack what
    an import needs."""
    corrections = corrected or {}
    written = {str(k): str(v) for k, v in corrections.get("written", {}).items()}
    plans: list[TablePlan] = []
    without: list[SourceTable] = []
    for table in tables:
        named = corrections.get("table", {}).get(table.name)
        own = _planned(table, named, written.get("members"), draft)
        if own is None:
            without.append(table)
        else:
            plans.append(own)
    plans = _each_once(plans)
    if not draft:
        _check(plans)
    sampled = [(plan.table, plan.columns) for plan in plans]
    sampled += [(table, tuple(understood(table.columns)[0])) for table in without] if draft else []
    texts = _samples(sampled)
    plan = ImportPlan(
        tuple(plans),
        _date_format(written.get("date", ""), texts.get("date", []), draft),
        _decimal(written.get("decimal", ""), texts),
        _paid_to(written.get("paid", EACH_PLAYER)),
        written.get("unit", ""),
        {
            k: {str(a): str(b) for a, b in v.items()}
            for k, v in corrections.get("words", {}).items()
        },
        missing={str(k): str(v) for k, v in corrections.get("missing", {}).items()},
    )
    return replace(plan, proposed=_proposed(plan, texts)), without


@cache
def _words_of(meaning: str) -> tuple[str, ...]:
    """The words that rulebooks know for a column."""
    from honours.rulebooks import ids, load

    inputs = (one for name in ids() for one in load(name).inputs.values())
    words = (w for one in inputs if public(one.name) == meaning for w in one.words)
    return tuple(dict.fromkeys(words))


def _proposed(plan: ImportPlan, texts: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """What words that no rulebook knows most likely mean: SEC begins sectional, Prs is pairs
    without some of its letters."""
    proposed: dict[str, dict[str, str]] = {}
    for meaning in ("class", "kind"):
        for text in dict.fromkeys(texts.get(meaning, ())):
            known = _words_of(meaning)
            if plan.translate(meaning, text) not in known and len(proposed.get(meaning, ())) < 50:
                proposed.setdefault(meaning, {})[text] = _likely(text, known)
    return proposed


def _likely(text: str, known: Sequence[str]) -> str:
    letters = [c for c in text.casefold() if c.isalpha()]
    begins = [word for word in known if word.startswith("".join(letters))]

    def spells(word: str) -> bool:
        rest = iter(word)
        return all(c in rest for c in letters)

    alike = begins or [w for w in known if letters and w[0] == letters[0] and spells(w)]
    return min(alike, key=len) if alike and len(letters) > 1 else ""


def _planned(
    table: SourceTable, corrections: Mapping[str, str] | None, members: str | None, draft: bool
) -> TablePlan | None:
    """The meaning of a table's columns; nothing if its rows cannot be used."""
    columns, left = _columns(table, corrections)
    if shape_of(columns) is None:
        return None
    one_each = split_table(table, columns, members, draft)
    shape = shape_of(one_each.columns)
    assert shape is not None  # a column of members is still one after it has been split
    return TablePlan(
        one_each.table,
        tuple(one_each.columns),
        {**left, **one_each.unclear},
        shape,
        tuple(columns),
        one_each.several,
    )


def _columns(
    table: SourceTable, corrections: Mapping[str, str] | None
) -> tuple[list[MeantColumn], dict[str, Message]]:
    if corrections is None:
        return understood(table.columns)
    columns: list[MeantColumn] = []
    left: dict[str, Message] = {}
    for header, text in corrections.items():
        if header not in table.columns:
            raise UnknownName(
                Message("column of {table}", table=table.origin), header, table.columns
            )
        if not text:
            left[header] = Message("as you say")
            continue
        meant = read_meaning(text)
        if meant is None:
            raise UnknownName(
                Message("meaning of the column {header}", header=header), text, meanings()
            )
        columns.append(MeantColumn(header, *meant))
    for header in table.columns:
        if header not in corrections:
            left[header] = Message("the plan does not name it")
    return columns, left


class UnknownColumns(InputError):
    """Columns of tables that must be told what they mean before anything can be imported."""


def _check(plans: Sequence[TablePlan]) -> None:
    """Check that the tables together say who came where in which event."""
    if not plans:
        raise UnknownColumns("no column is understood as the event's id")
    meant = {c.meaning for plan in plans for c in plan.columns}
    if not meant & {"place", "score", "round", *SIDES_OF_GAMES}:
        headers = [header for plan in plans for header in plan.left]
        raise UnknownColumns(
            "no column is understood as the place or the score of an entrant; not understood "
            "are {columns}",
            columns=", ".join(map(repr, headers[:12])) or "–",
        )


def _each_once(plans: list[TablePlan]) -> list[TablePlan]:
    """The plans without duplicates: if another table says who took part, tables of games only
    say who played whom."""
    if not any(plan.shape in ("entrants", "players") for plan in plans):
        return plans
    own = ("entrant", "player")
    of = {m.name for m in meanings().values() if m.of in ("entrant", "player")} - {*own}
    why = Message("another table tells who took part")
    return [plan.without(of, why) if plan.shape == "games" else plan for plan in plans]


def _samples(tables: Iterable[tuple[SourceTable, Sequence[MeantColumn]]]) -> dict[str, list[str]]:
    """The distinct texts of the first rows, by the meaning of their columns."""
    samples: dict[str, list[str]] = {}
    for table, columns in tables:
        wanted = [c for c in columns if meanings()[c.meaning].type in ("date", "number", "word")]
        batches = iter(table.batches([c.header for c in wanted])) if wanted else iter(())
        batch = next(batches, None)
        for column in wanted if batch is not None else ():
            cells: Any = batch[column.header][:50_000] if batch is not None else ()
            if "string" in str(cells.type) or "dictionary" in str(cells.type):
                samples.setdefault(column.meaning, []).extend(coded(cells)[0])
    return samples


def _date_format(given: str, texts: Sequence[str], draft: bool) -> str:
    if given or not texts:
        return given or DATE_FORMATS[0]
    fit = date_format(texts)
    if len(fit) == 1 or draft:
        return fit[0] if len(fit) == 1 else ""
    shown = next(iter(texts))
    if not fit:
        raise InputError(
            "dates such as {text}: no one way of writing dates fits them all; say in the plan "
            'how they are written, e.g. date = "%d/%m/%Y"',
            text=shown,
        )
    raise InputError(
        "dates such as {text} may be {one} or {other}: say in the plan which, e.g. date = {one!r}",
        text=shown,
        one=fit[0],
        other=fit[1],
    )


def _decimal(given: str, texts: Mapping[str, Sequence[str]]) -> str:
    if given and given not in (".", ","):
        raise InputError('decimal = {mark!r}: expected "." or ","', mark=given)
    numbers = [t for m, some in texts.items() if meanings()[m].type == "number" for t in some]
    return given or decimal_mark(numbers)


def _paid_to(given: str) -> str:
    if given not in (EACH_PLAYER, ENTRANT):
        raise UnknownName("who is paid", given, (EACH_PLAYER, ENTRANT))
    return given


# --- the file -----------------------------------------------------------------------------------


def plan_text(plan: ImportPlan, without: Iterable[SourceTable] = ()) -> str:
    """The plan as the file that people correct."""
    lines = [
        "# What the columns are taken for. Correct it and import again with --plan and this file.",
        "# Right of = stands a column of the corpus (`honours lab tables`); of players with a",
        '# number: player1, holding2. "" leaves a column out.',
        "",
        "[written]",
        f"date = {toml_text(plan.date)}  # how dates are written: %d the day, %m the month",
        f"decimal = {toml_text(plan.decimal)}",
        f"paid = {toml_text(plan.paid_to)}  # or {toml_text(ENTRANT)}: all its players together",
        f"unit = {toml_text(plan.unit)}  # of what was paid, e.g. masterpoints",
        *_members_line(plan),
        "",
    ]
    for meaning in dict.fromkeys((*plan.words, *plan.proposed)):
        words = {**plan.proposed.get(meaning, {}), **plan.words.get(meaning, {})}
        lines += [f"[words.{meaning}]  # one of: {', '.join(_words_of(meaning))}"]
        lines += [f"{toml_text(a)} = {toml_text(b)}" for a, b in words.items()] + [""]
    if plan.missing:
        lines += ["[missing]  # leave-out, median, nearest or a value"]
        lines += [f"{a} = {toml_text(b)}" for a, b in plan.missing.items()] + [""]
    for one in plan.tables:
        lines.append(f"[table.{toml_text(one.table.name)}]  # a row is one of: {one.shape}")
        unused = {h: why for h, why in one.left.items() if h not in {c.header for c in one.drafted}}
        lines += [f"{toml_text(c.header)} = {toml_text(c.shown)}" for c in one.drafted]
        lines += [f'{toml_text(header)} = ""  # {why}' for header, why in unused.items()] + [""]
    for table in without:
        lines += [f"[table.{toml_text(table.name)}]  # say which column is the event's id"]
        columns, left = understood(table.columns)
        lines += [f"{toml_text(c.header)} = {toml_text(c.shown)}" for c in columns]
        lines += [f'{toml_text(header)} = ""  # {why}' for header, why in left.items()] + [""]
    return "\n".join(lines).rstrip() + "\n"


def _members_line(plan: ImportPlan) -> list[str]:
    """The separator between several members in a cell, if a column has such cells."""
    signs = [
        table.several[c.header]
        for table in plan.tables
        for c in table.drafted
        if c.meaning == "player" and c.header in table.several
    ]
    if not signs:
        return []
    return [f'members = {toml_text(signs[0])}  # between members in one cell; "" where each is one']
