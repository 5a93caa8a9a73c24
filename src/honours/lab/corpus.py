"""A corpus: a folder of Parquet shards with a manifest, and the questions one may ask of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from markupsafe import Markup

from honours.errors import FileProblem, InputError, UnknownName, WrongValue, raise_problems
from honours.lab import questions, store
from honours.lab.shards import Shard, read_shard, together
from honours.lab.tables import NEEDED, TABLES, UNITS
from honours.language import DEFAULT
from honours.model.message import Message, by_command, joined, message_data, message_of, plural

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.history.importing import Source


# --- a corpus -----------------------------------------------------------------------------------

MANIFEST = "corpus.json"
MEMBERS = "members.parquet"
NOTES = "import-notes.txt"
_VERSION = 1
A_PIECE = 200_000
"""How many entrants are processed at a time."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A federation's history. Open one, then ask: ``corpus.compare(a, b).by("size")``."""

    folder: Path
    manifest: Mapping[str, Any]
    shards: tuple[int, ...]
    address: str = ""
    """What it was opened by, for workers elsewhere: a folder, or a place in an object store."""

    @staticmethod
    def open(folder: str | Path) -> Corpus:
        """The corpus in a folder, which has all of its files."""
        path = store.local_folder(folder)
        if not path.is_dir():
            raise InputError(
                "{folder}: no such corpus; make one with {remedy}",
                folder=folder,
                remedy=by_command("lab generate", Message("Lab")),
            )
        manifest = _read_manifest(path)
        gone = [path / name for name in manifest["digests"] if not (path / name).exists()]
        raise_problems([FileProblem(one, "missing", "every file of the corpus") for one in gone])
        return Corpus(path, manifest, tuple(store.shard_numbers(path)), str(folder))

    @staticmethod
    def create(folder: str | Path, about: Mapping[str, str]) -> Writer:
        """Start a corpus in a folder that does not have one."""
        path = Path(folder)
        if path.exists() and any(path.iterdir()):
            raise InputError(
                "{folder}: not empty; a corpus is made in a folder of its own", folder=folder
            )
        path.mkdir(parents=True, exist_ok=True)
        return Writer(path, dict(about))

    @staticmethod
    def of(folder: str | Path, unit: str = "", **tables: Any) -> Corpus:
        """A corpus from tables in memory (Arrow, pandas or Polars): ``events=``, ``entrants=``,
        ``players=``, and optionally ``results=`` for scoring and ``games=`` for rating. ``unit``
        says what holdings and ratings are in: ``points``, or ``corpus`` for the fractions of them
        that a corpus stores. Events that cannot be are set aside and are in ``corpus.notes``."""
        return corpus_from(folder, tables, unit)

    @staticmethod
    def take(
        sources: Source | Sequence[Source],
        folder: str | Path,
        given: Mapping[str, object] | None = None,
        plan_file: str | Path | None = None,
        query: str = "",
        **options: Any,
    ) -> Corpus:
        """A corpus from a federation's own data, as ``honours lab import`` takes it: files of
        events, tables, folders of both, a database address with ``query=``, or events that
        ``honours.read`` returned. ``given=`` supplies what they do not say and ``plan_file=``
        what columns mean; the other options say how files are scored and whose list of members
        to use. Notes about the import are in ``corpus.notes``."""
        from honours.lab.history.importing import ImportRequest, bring
        from honours.pipeline import Account

        named = [sources] if isinstance(sources, str | Path | Account) else [*sources]
        given_texts = {key: str(value) for key, value in (given or {}).items()}
        plan = Path(plan_file) if plan_file else None
        brought = bring(ImportRequest(named, given_texts, options, plan, query), Path(folder))
        if brought.stopped:  # keep what exists: called again, the import continues
            raise KeyboardInterrupt(brought.stopped)
        return brought.corpus

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines on what the import left out, set aside, merged as duplicate or derived."""
        path = self.folder / NOTES
        return tuple(path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()

    def columns(self, table: str) -> list[str]:
        """The columns that its events, entrants or players may have."""
        schemas = (store.open_file(path).schema_arrow for path in self._files(table))
        return list(dict.fromkeys(name for schema in schemas for name in schema.names))

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        return sum(map(store.rows_of, self._files(table)))

    @property
    def tells_paid(self) -> bool:
        """True if it records what was paid."""
        return "paid" in self.columns("players")

    def member_ids(self) -> dict[int, str]:
        """The owner's ids of the members, by their numbers here; nothing if they were not kept."""
        path = self.folder / MEMBERS
        if not path.exists():
            return {}
        table = store.read_table(path)
        return dict(zip(table["player"].to_pylist(), table["id"].to_pylist(), strict=True))

    @property
    def hash(self) -> str:
        """A digest of every file, which identifies the data a report was made from."""
        text = "".join(f"{k} {v}\n" for k, v in sorted(self.manifest["digests"].items()))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def provenance(self) -> dict[str, str]:
        """Return what an answer from this corpus is based on: its digest, and the seed if it was
        generated."""
        seed = self.manifest.get("about", {}).get("seed")
        return {"corpus": self.hash, **({"seed": str(seed)} if seed is not None else {})}

    @property
    def figures(self) -> list[dict[str, Any]]:
        """The figures the sources publish, with how well a generated corpus meets each."""
        rows = self.manifest.get("figures", [])
        return [{**row, "figure": message_of(row["figure"])} for row in rows]

    def verify(self) -> None:
        """Read every file, and raise an error that names those which are not as they were made."""
        known = self.manifest["digests"].items()
        spoilt = [self.folder / n for n, own in known if store.file_digest(self.folder / n) != own]
        problems = [
            FileProblem(p, "not as it was made", "its digest in corpus.json") for p in spoilt
        ]
        raise_problems(problems)

    def with_table(self, name: str, changed: Callable[[int, Any], Any], **about: Any) -> Corpus:
        """The corpus with one of its tables ``changed`` shard by shard, in place."""
        digests = dict(self.manifest["digests"])
        for number in self.shards:
            path = store.shard_file(self.folder, name, number)
            digests |= write_shard(
                self.folder, number, {name: changed(number, store.read_table(path))}
            )
        _write_manifest(self.folder, {**self.manifest, "digests": digests, **about})
        return Corpus.open(self.folder)

    def _files(self, table: str) -> Iterator[Path]:
        """The files of a table, one for each shard that has it."""
        paths = (store.shard_file(self.folder, table, number) for number in self.shards)
        return (path for path in paths if path.exists())

    def read(self, shard: int) -> Shard:
        """One shard in memory."""
        return read_shard(self.folder, shard)

    def __iter__(self) -> Iterator[Shard]:
        """The whole corpus, loaded a piece at a time."""
        return (shard for numbers in self.pieces() for shard in self.together(numbers))

    def pieces(self) -> list[list[int]]:
        """The numbers of the shards, small neighbours in one piece, because starting one takes as
        long as a thousand events."""
        groups: list[list[int]] = [[]]
        many = 0
        for number in self.shards:
            groups[-1].append(number)
            many += store.rows_of(store.shard_file(self.folder, "entrants", number))
            if many >= A_PIECE:
                groups.append([])
                many = 0
        return [group for group in groups if group]

    def together(self, numbers: Iterable[int]) -> Iterator[Shard]:
        """Some shards as one, as far as they have the same columns."""
        return together([*map(self.read, numbers)])

    def number_of(self, event: int | str) -> int:
        """The number, in this corpus, of the event with the owner's id."""
        text = str(event)
        for number in self.shards if self.manifest.get("about", {}).get("ids") else ():
            path = store.shard_file(self.folder, "events", number)
            table = store.read_table(path, ["event", "id"])
            ids = table["id"].to_pylist()
            if text in ids:
                return int(table["event"][ids.index(text)].as_py())
        if not text.isdecimal():
            raise InputError("{folder}: has no event {event}", folder=self.folder, event=event)
        return int(text)

    def find(self, event: int) -> tuple[Shard, int]:
        """The shard that contains an event, and the event's row there."""
        for number in self.shards:
            path = store.shard_file(self.folder, "events", number)
            ids = store.read_table(path, ["event"])["event"].to_numpy()
            if len(ids) and ids[0] <= event <= ids[-1]:
                shard = self.read(number)
                rows = (shard.ids == event).nonzero()[0]
                if len(rows):
                    return shard, int(rows[0])
        raise InputError("{folder}: has no event {event}", folder=self.folder, event=event)

    # --- questions ----------------------------------------------------------------------------

    def award(self, rulebook: str | Rulebook) -> Any:
        """Every award as an Arrow table: event, entrant, amount in ten-thousandths."""
        from honours.lab.left_out import award_table

        return award_table(self, rulebook)

    compare = questions.compare
    sweep = questions.sweep
    calibrate = questions.calibrate
    growth = questions.growth
    fit = questions.fit
    study = questions.study
    audit = questions.audit
    predict = questions.predict
    rate = questions.rate
    fair = questions.fair
    placement = questions.placement
    gaming = questions.gaming
    simulate = staticmethod(questions.simulate)

    def rated(self, folder: str | Path, holdings: bool = False) -> Corpus:
        """A copy in which every player has the rating known before each event, the fact
        ``skill``."""
        from honours.lab.rate import with_ratings

        return with_ratings(self, Path(folder), holdings)

    def explain(
        self, rulebook: str | Rulebook, event: int, entrant: int, language: str = DEFAULT
    ) -> str:
        """Explain why an entrant was awarded what it was, in words of a language."""
        from honours.lab.left_out import explain

        return explain(self, rulebook, event, entrant, language)

    def table(self, name: str) -> Any:
        """One of its tables as Arrow: ``corpus.table("events").to_pandas()``."""
        parts = [*map(store.read_table, self._files(name))]
        if not parts and name in TABLES:
            return TABLES[name].empty_table()
        return pa.concat_tables(parts, promote_options="default")

    def _repr_html_(self) -> str:
        about = ", ".join(f"{k} {v}" for k, v in self.manifest.get("about", {}).items())
        shards = plural("{count:,} shard", "{count:,} shards", count=len(self.shards))
        described = Markup("<b>Corpus</b> {}: {}; {}").format(self.folder.name, shards, about)
        return str(described)


@dataclass
class Writer:
    """Writes a corpus shard by shard; ``finish`` completes it."""

    folder: Path
    about: dict[str, str]
    digests: dict[str, str] = field(default_factory=dict)
    holes: Sequence[Mapping[str, Any]] = ()

    def add(self, digests: Mapping[str, str]) -> None:
        """Record the files of a shard that has been written."""
        self.digests.update(digests)

    def finish(self, figures: Iterable[Mapping[str, Any]] = ()) -> Corpus:
        """Write the manifest and open the corpus."""
        manifest = {
            "honours corpus": _VERSION,
            "about": self.about,
            "digests": self.digests,
            "holes": [*self.holes],
            "figures": [{**row, "figure": message_data(row["figure"])} for row in figures],
        }
        _write_manifest(self.folder, manifest)
        return Corpus.open(self.folder)


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def write_shard(folder: Path, shard: int, tables: Mapping[str, Any]) -> dict[str, str]:
    """Write the tables of a shard; returns the digest of each file."""
    paths = {table: store.shard_file(folder, table, shard) for table in tables}
    for table, path in paths.items():
        store.write_table(path, tables[table])
    return {path.name: store.file_digest(path) for path in paths.values()}


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileProblem(
            path,
            "no corpus ({error})",
            "a folder that Honours made; honours.lab.Corpus.of makes one of tables",
            error=error,
        ) from error
    if not isinstance(manifest, dict) or manifest.get("honours corpus") != _VERSION:
        raise FileProblem(
            path, "not a corpus of this version", "version {version}", version=_VERSION
        )
    return manifest


# --- work on every shard of a corpus, here or on a Dask cluster, in random order ----------------

T = TypeVar("T")
_SEED = 10


def pieces_of(corpus: Corpus) -> list[list[int]]:
    """The pieces of a corpus in random order, so that the first of them are like all."""
    whole = corpus.pieces()
    return [whole[k] for k in np.random.default_rng(_SEED).permutation(len(whole))]


def is_tenth(done: int, of: int) -> bool:
    """Return whether another tenth of the pieces is done, but not all: time for interim results."""
    return done < of and done % max(1, of // 10) == 0


def each_shard(corpus: Corpus, work: Callable[[Shard], T], on: str = "") -> Iterator[T]:
    """The result of the work for every piece of a corpus, in random order; ``on`` is the address
    of a Dask scheduler whose workers see the folder under the same path."""
    groups = pieces_of(corpus)
    if not on:
        for group in groups:
            yield from map(work, corpus.together(group))
        return
    from honours.lab.run import mapped, seen_from_afar

    there = partial(_on_shards, replace(corpus, address=seen_from_afar(corpus.address)), work)
    try:
        for made in mapped(on, there, groups):
            yield from made
    except (AttributeError, TypeError, ImportError) as error:
        raise InputError(
            "{address}: the rulebook cannot be sent there ({why}); bundled rulebooks can",
            address=on,
            why=str(error).splitlines()[0],
        ) from error


def _on_shards(corpus: Corpus, work: Callable[[Shard], T], numbers: list[int]) -> list[T]:
    here = replace(corpus, folder=store.local_folder(corpus.address))
    return [*map(work, here.together(numbers))]


# --- a corpus from tables in memory -------------------------------------------------------------

_SORTED_BY = {"events": ("event",), "results": ("event", "board")}
_OTHERS = ("event", "entrant")
_MOST = 2**31 - 1
_SHOWN = 5


def corpus_from(folder: str | Path, tables: Mapping[str, Any], unit: str = "") -> Corpus:
    """Write ``events``, ``entrants``, ``players`` and, for scoring, ``results`` as a corpus.
    ``unit`` says what figures are in that a corpus stores as fractions: ``points`` or
    ``corpus``."""
    from honours.lab.history.staging import impossible_events

    for name in tables:
        if name not in TABLES:
            raise UnknownName("table", name, TABLES)
    missing = [name for name in NEEDED if name not in tables]
    if missing:
        raise InputError("a corpus needs a table of {missing}", missing=" and of ".join(missing))
    frames = {name: _stored(name, _arrow(frame), unit) for name, frame in tables.items()}
    about = {"made from": "tables"}
    events, members = _numbered(frames, "events", "event"), _numbered(frames, "players", "player")
    own = frames["events"]
    if events is not None and "id" not in own.column_names:
        frames["events"] = own.append_column("id", events.take(own["event"]).cast(pa.string()))
    if "id" in frames["events"].column_names:
        about["ids"] = "theirs"
    frames["entrants"] = _with_ties(frames["entrants"])
    made = {name: _as_table(name, table) for name, table in frames.items()}
    aside = impossible_events(made)
    kept = {n: t.filter(~pc.field("event").isin([*aside])) if aside else t for n, t in made.items()}
    notes = [Message("event {event}: {why}", event=e, why=why) for e, why in aside.items()]
    if not kept["events"].num_rows:
        why = joined("; ", notes[:_SHOWN]) if notes else Message("no rows")
        raise InputError("no event could be taken: {reasons}", reasons=why)
    writer = Corpus.create(folder, about)
    writer.add(write_shard(Path(folder), 0, kept))
    (Path(folder) / NOTES).write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")
    if members is not None:
        numbers = pa.array(range(len(members)), pa.int32())
        named = pa.table({"player": numbers, "id": members.cast(pa.string())})
        pq.write_table(named, Path(folder) / MEMBERS)
    return writer.finish()


def _stored(name: str, table: Any, unit: str) -> Any:
    """The table with its figures in the fractions that a corpus stores: never guessed."""
    for column in table.column_names:
        if column not in TABLES[name].names:
            raise UnknownName(Message("column of {table}", table=name), column, TABLES[name].names)
        own = table[column]
        is_figure = column in UNITS and name != "results"  # whose scores are points of a contract
        if own.null_count == len(own):
            continue
        if is_figure and unit not in ("points", "corpus"):
            raise WrongValue(
                "unit",
                unit,
                "{table}: {column} may be in points or in the fractions of them that a corpus "
                "stores: say unit='points' or unit='corpus'",
                table=name,
                column=column,
            )
        if is_figure and unit == "points":
            at = table.column_names.index(column)
            table = table.set_column(at, column, _in_units(name, column, own))
        elif pa.types.is_floating(own.type):
            raise InputError(
                "{table}: column {name!r} has floats; expected whole numbers",
                table=name,
                name=column,
            )
    return table


def _in_units(table: str, column: str, figures: Any) -> Any:
    """Points, as whole numbers, decimals, text or floats, in the smallest fraction stored."""
    scale = int(1 / UNITS[column])
    try:
        if pa.types.is_floating(figures.type):  # the shortest decimals that are this float
            figures = figures.cast(pa.string())
        units = pa.scalar(Decimal(scale), pa.decimal128(6, 0))
        return pc.multiply(figures.cast(pa.decimal128(30, 9)), units).cast(pa.int64())
    except pa.ArrowException as error:
        raise InputError(
            "{table}: {column} has figures that are no number, or finer than 1/{scale}",
            table=table,
            column=column,
            scale=scale,
        ) from error


def _with_ties(entrants: Any) -> Any:
    """The entrants with how many share each place, counted where the table does not say it."""
    keys = [name for name in ("event", "line", "place") if name in entrants.column_names]
    if "tied" in entrants.column_names or "place" not in keys:
        return entrants
    counted = entrants.group_by(keys).aggregate([([], "count_all")])
    return entrants.join(counted.rename_columns([*keys, "tied"]), keys)


def _numbered(tables: dict[str, Any], of: str, column: str) -> Any:
    """Put numbers in place of ids that are texts or long numbers, in all tables; returns these ids,
    if there are any."""
    ids = tables[of][column] if column in tables[of].column_names else pa.array([], pa.int64())
    if pa.types.is_dictionary(ids.type):
        ids = ids.cast(ids.type.value_type)
    ids = pc.unique(ids.drop_null())
    ends = pc.min_max(ids).as_py() if pa.types.is_integer(ids.type) else {"min": -1}
    stay = ends["min"] is None or (ends["min"] >= 0 and ends["max"] <= _MOST)
    for name, table in tables.items():
        if column not in table.column_names:
            continue
        own = table[column].cast(ids.type)
        at = pc.index_in(own, value_set=ids)
        if at.null_count > own.null_count:
            strange = own.filter(pc.and_(at.is_null(), own.is_valid()))[0].as_py()
            raise InputError(
                "{table}: {column} {id!r} is not in events", table=name, column=column, id=strange
            )
        if not stay:
            tables[name] = table.set_column(table.column_names.index(column), column, at)
    return None if stay else ids


def _as_table(name: str, frame: Any) -> Any:
    """The frame converted to its table's types and sorted; values that do not fit raise an
    error."""
    given, schema = frame, TABLES[name]
    fields = [f for f in schema if not f.nullable or f.name in given.column_names]
    absent = [f.name for f in fields if f.name not in given.column_names]
    if absent:
        raise InputError(
            "{name}: column {absent!r} is missing; it has {column_names}",
            name=name,
            absent=absent[0],
            column_names=tuple(given.column_names),
        )
    columns = [_column(name, given[field.name], field) for field in fields]
    order = [(key, "ascending") for key in _SORTED_BY.get(name, _OTHERS)]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields)).sort_by(order)


def _arrow(frame: Any) -> Any:
    if isinstance(frame, pa.Table):
        return frame
    if hasattr(frame, "to_arrow"):
        return frame.to_arrow()
    if hasattr(frame, "iloc"):
        return pa.Table.from_pandas(frame, preserve_index=False)
    return pa.table(frame)


def _column(table: str, column: Any, field: Any) -> Any:
    if column.null_count and not field.nullable:
        nulls = plural("{count:,} null", "{count:,} nulls", count=column.null_count)
        raise InputError(
            "{table}: column {name!r} has {nulls}; it must have none",
            table=table,
            name=field.name,
            nulls=nulls,
        )
    kind = column.type
    if pa.types.is_dictionary(field.type) and not pa.types.is_dictionary(kind):
        column = column.cast(pa.string()).dictionary_encode()
    try:
        return column.cast(field.type)
    except pa.ArrowException as error:
        brief = str(error).splitlines()[0]
        raise InputError(
            "{table}: column {name!r} is {kind}; expected {type} ({brief})",
            table=table,
            name=field.name,
            kind=kind,
            type=field.type,
            brief=brief,
        ) from error
