"""A federation's history as a corpus, however it is stored: tables, files of events, or both.

The command, Python, the API and the pages all import through this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from honours.errors import FileProblem, FileProblems, HonoursError, InputError
from honours.formats.detect import UnknownFormat, files_of
from honours.lab.corpus import Corpus
from honours.lab.files.importing import WORK as FILES_WORK
from honours.lab.files.importing import Importer
from honours.lab.history.importing import (
    TableImportResult,
    drafted_plan,
    histories,
    import_tables,
    lacks_event,
    open_tables,
)
from honours.lab.history.plan import UnknownColumns, is_address, read_plan, understood
from honours.lab.holes import PREFIX, fill, hole_notes, read_policies
from honours.lab.shard_awards import award_shard
from honours.model.message import Message, joined, plural
from honours.pipeline import Account
from honours.pipeline.options import OF_EACH, chosen_options

Progress = Callable[[int, int], None]
_SHOWN = 5
NOTES = "import-notes.txt"


Source = str | Path | Account


@dataclass
class ImportResult:
    """An imported corpus, with all notes about the import."""

    corpus: Corpus
    tables: TableImportResult | None = None
    files: Importer | None = None
    strange: list[str] = field(default_factory=list)
    """Files of an unknown kind."""
    failed: list[str] = field(default_factory=list)
    """Files that yielded no event, and why."""
    stopped: str = ""
    """How far the import came, if it was interrupted."""
    unawardable: str = ""
    """Why no rulebook awards anything in it."""

    @property
    def events(self) -> int:
        """How many events the corpus has."""
        return self._taken + (self.files.events if self.files else 0)

    @property
    def _taken(self) -> int:
        return self.tables.findings.events if self.tables else 0

    def notes(self) -> list[Message | str]:
        """What was left out, set aside, merged as duplicate, derived or rounded, one line each."""
        notes: list[Message | str] = [*self.tables.notes()] if self.tables else []
        notes += hole_notes(self.corpus)
        notes += [self.unawardable] if self.unawardable else []
        if self.strange:
            more = ", …" if len(self.strange) > _SHOWN else ""
            notes.append(
                Message(
                    "{files} of no kind we know, passed over: {names}",
                    files=plural("{count:,} file", "{count:,} files", count=len(self.strange)),
                    names=", ".join(self.strange[:_SHOWN]) + more,
                )
            )
        notes += [Message("set aside: {what}", what=why) for why in self.failed]
        if self.files:
            notes += self._of_files(self.files)
        return notes

    def _of_files(self, files: Importer) -> Iterator[Message]:
        for one in files.aside:
            yield Message("set aside: {what}", what=str(one))
        for one in files.twice:
            yield Message("taken once: {what}", what=str(one))
        for one in files.without_boards:
            yield Message("its boards are left out: {what}", what=str(one))
        for one in files.without_games:
            yield Message("its games are left out: {what}", what=str(one))
        for one in files.unpaid:
            yield Message("{what}", what=str(one))
        if files.dated_by_name:
            yield plural(
                "{count:,} event has its day from the name of its file",
                "{count:,} events have their day from the name of their file",
                count=len(files.dated_by_name),
            )
        yield from files.paid.notes()

    def data(self) -> dict[str, Any]:
        """The same as plain data."""
        data = self.tables.data() if self.tables else {}
        data |= {"corpus": str(self.corpus.folder), "hash": self.corpus.hash}
        data |= {"events": self.events, "notes": [str(note) for note in self.notes()]}
        if self.files is None:
            return data
        once = [*data.get("taken_once", []), *map(str, self.files.twice)]
        return {
            **data,
            "members": len(self.corpus.member_ids()),
            "set_aside": [*self.strange, *self.failed, *map(str, self.files.aside)],
            **({"set_aside_of_tables": data["set_aside"]} if self.tables else {}),
            "taken_once": once,
            "without_boards": [str(one) for one in self.files.without_boards],
            "without_games": [str(one) for one in self.files.without_games],
            "paid": [str(note) for note in self.files.paid.notes()],
            "paid_unclear": [str(one) for one in self.files.unpaid],
        }


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import: tables, files or folders of them, a database address, or events already
    read."""

    sources: Sequence[Source]
    given: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    """How files of events are scored and their players matched."""
    plan_file: Path | None = None
    query: str = ""

    @property
    def named(self) -> list[str]:
        """The sources given as a path or an address."""
        return [str(source) for source in self.sources if not isinstance(source, Account)]

    @property
    def read(self) -> list[Account]:
        """The events that have already been read."""
        return [source for source in self.sources if isinstance(source, Account)]


def bring(
    wanted: ImportRequest, target: Path, progress: Progress = lambda _done, _of: None
) -> ImportResult:
    """Make a corpus; if restarted after an interruption, continue."""
    chosen_options(_given(wanted.options), OF_EACH)
    holes = dict(read_plan(wanted.plan_file).get("missing", {})) if wanted.plan_file else {}
    own = {k: v for k, v in wanted.given.items() if k.startswith(PREFIX)}
    policies = read_policies(holes | {k.removeprefix(PREFIX): v for k, v in own.items()})
    given = {k: v for k, v in wanted.given.items() if k not in own}
    try:
        brought = _bring(replace(wanted, given=given), target, progress)
    except UnknownColumns as unknown:
        raise _drafted(wanted, target, unknown) from unknown
    if not brought.stopped:
        brought.corpus = fill(brought.corpus, policies)
        brought.unawardable = unawardable(brought.corpus)
    text = "".join(f"{note}\n" for note in brought.notes())
    (target / NOTES).write_text(text, encoding="utf-8")
    return brought


def _drafted(wanted: ImportRequest, target: Path, unknown: UnknownColumns) -> InputError:
    """What to do about columns that nobody knows: a draft of the plan is written, to complete."""
    if wanted.plan_file is not None:
        return unknown
    draft = target.with_name(f"{target.name}.plan.toml")
    if not draft.exists():
        draft.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(drafted_plan(wanted.named, wanted.query), encoding="utf-8")
    tables = open_tables(wanted.named, wanted.query)
    columns = [column for table in tables for column in understood(table.columns)[0]]
    return InputError(
        "{why}. Taken so far: {taken}. {draft} says so; write in it what the others are, then "
        "import again with --plan {draft!q}",
        why=unknown.brief,
        taken=", ".join(f"{one.header} = {one.shown}" for one in columns) or "–",
        draft=str(draft),
    )


_LOOKED_AT = 100


def unawardable(corpus: Corpus) -> Message | str:
    """Why none of the first events is awarded by any rulebook; nothing if one is."""
    from honours.lab.left_out import reasons
    from honours.rulebooks import ids, load

    shard = next(iter(corpus), None)
    if shard is None or not len(shard.ids):
        return ""
    shard = shard.only(list(range(min(_LOOKED_AT, len(shard.ids)))))
    why: list[str] = []
    for name in ids():
        awards = award_shard(load(name), shard)
        if not awards.refused.all():
            return ""
        why += reasons(load(name), shard, awards)[1][:1]
    return Message(
        "no rulebook awards anything in it: {why}; correct the plan and import again",
        why=joined("; ", why[:_SHOWN]),
    )


def notes_kept(corpus: Corpus) -> tuple[str, ...]:
    """The notes stored when a corpus was imported."""
    path = corpus.folder / NOTES
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()


def _bring(wanted: ImportRequest, target: Path, progress: Progress) -> ImportResult:
    tables, files = tables_and_files(wanted)
    if tables and not files and not wanted.read:
        taken = import_tables(
            tables, target, wanted.given, wanted.plan_file, wanted.query, progress
        )
        return ImportResult(taken.corpus, taken)
    if not tables:
        return _bring_files(wanted, files, target, progress)
    return _bring_both(wanted, tables, files, target, progress)


def tables_and_files(wanted: ImportRequest) -> tuple[list[str], list[Path]]:
    """The sources divided into tables of many events and files of one or a few."""
    if wanted.query or any(map(is_address, wanted.named)):
        return wanted.named, []
    for source in wanted.named:
        if not Path(source).exists():
            raise InputError("{path}: no such file or folder", path=source)
    files = files_of(wanted.named)
    tables = histories(files, wanted.plan_file)
    return [str(path) for path in tables], [path for path in files if path not in tables]


def _bring_both(
    wanted: ImportRequest, tables: list[str], files: list[Path], target: Path, progress: Progress
) -> ImportResult:
    """Import the tables first, then the files, whose events are numbered after those of the
    tables."""
    taken = None
    if not (target / FILES_WORK).exists():
        given = {key: text for key, text in wanted.given.items() if key != "paid"}
        taken = import_tables(tables, target, given, wanted.plan_file, "", progress)
    brought = _bring_files(wanted, files, target, progress, taken.corpus if taken else None)
    brought.tables = taken
    return brought


def _bring_files(
    wanted: ImportRequest,
    files: list[Path],
    target: Path,
    progress: Progress,
    beside: Corpus | None = None,
) -> ImportResult:
    read = {f"{k}: {account.called}": account for k, account in enumerate(wanted.read, 1)}
    job = {"files": [*map(str, files), *read], "options": _plain(wanted.options)}
    importer = Importer(target, wanted.given, wanted.options, beside, job)
    strange: list[str] = []
    failed: list[str] = []
    stopped, many = "", len(files) + len(read)
    for count, path in enumerate([*files, *map(Path, read)]):
        try:
            importer.add(path, read.get(str(path)))
            progress(count + 1, many)
        except UnknownFormat:
            strange.append(path.name)
        except HonoursError as error:
            failed.append(_named(path, error))
        except KeyboardInterrupt:
            stopped = Message("{count} of {files} files", count=count, files=many)
            break
    names = [*wanted.named, *(account.called for account in wanted.read)]
    source = ", ".join(dict.fromkeys(Path(name).name for name in names))
    if not importer.events and beside is None:
        importer.give_up()
        raise _nothing(source, failed, strange, any(map(lacks_event, files)))
    corpus = importer.finish("" if beside else source, stopped)
    return ImportResult(corpus, None, importer, strange, failed, stopped)


def _nothing(source: str, failed: list[str], strange: list[str], lacks_event: bool) -> InputError:
    """Why no file yielded an event: the first few reasons."""
    why = failed[:_SHOWN] or [
        Message("{name}: not a kind of file we know", name=n) for n in strange
    ]
    texts = {"source": source, "why": "; ".join(map(str, why[:_SHOWN])) or "–"}
    if lacks_event:
        return UnknownColumns(
            "{source}: no column is understood as the event's id, and it cannot be read as one "
            "event either: {why}",
            **texts,
        )
    return InputError("{source}: none of its files could be made an event: {why}", **texts)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _plain(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in _given(options).items()}


def _named(path: Path, error: HonoursError) -> str:
    first = error.problems[0] if isinstance(error, FileProblems) else error
    if isinstance(first, FileProblem) and first.path == str(path):
        return first.message
    return Message("{path}: {problem}", path=path, problem=error.brief)
