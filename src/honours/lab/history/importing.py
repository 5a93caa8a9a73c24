"""A federation's history as a corpus, however it is stored: tables, files of events, or both.

The command, Python, the API and the pages all import through this module. What was taken is kept
beside the corpus until everything is done, so that an interrupted import of files can continue.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from honours.errors import (
    FileProblem,
    FileProblems,
    HonoursError,
    InputError,
    UnknownName,
    WrongValue,
)
from honours.formats.detect import UnknownFormat, files_of
from honours.formats.sheet import plain
from honours.lab.corpus import NOTES, Corpus
from honours.lab.history.event_files import PaidFigures, event_rows
from honours.lab.history.plan import (
    ImportPlan,
    MeantColumn,
    UnknownColumns,
    make_plan,
    meanings,
    plan_text,
    read_plan,
    shape_of,
    understood,
)
from honours.lab.history.sources import (
    NEVER_ONE_EVENT,
    SUFFIXES,
    SourceTable,
    is_address,
    open_source,
    open_tables,
    shown_address,
)
from honours.lab.history.staging import EVENT_FACTS, WORK, Staging
from honours.lab.holes import PREFIX, hole_notes, read_policies
from honours.lab.shard_awards import award_shard
from honours.lab.tables import EVENTS
from honours.model.message import Message, Remedy, by_option, joined, mark, plural, quoted
from honours.pipeline import Account, Report, read_accounts
from honours.pipeline.api import score
from honours.pipeline.options import OF_EACH, chosen_options
from honours.pipeline.report import require_awardable, require_no_doubts
from honours.scoring.profiles import DEFAULT

Progress = Callable[[int, int], None]
Source = str | Path | Account
PLAN = "import.toml"
_PAID = "paid"
"""What says whether the figures of files are points or hundredths."""
_TABLES = "the tables"
_SHOWN = 5
_LOOKED_AT = 100


# --- what is wanted -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The things to import: tables, files or folders of them, a database address, or events already
    read."""

    sources: Sequence[Source]
    given: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    """How files of events are scored and their players matched, as for ``honours award``."""
    plan_file: Path | None = None
    query: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    """What columns of tables mean, by their headers."""

    @property
    def named(self) -> list[str]:
        """The sources given as a path or an address."""
        return [str(source) for source in self.sources if not isinstance(source, Account)]

    @property
    def called(self) -> str:
        """The names of the sources, without folders and passwords."""
        read = [source.called for source in self.sources if isinstance(source, Account)]
        return ", ".join(dict.fromkeys([*map(shown_address, self.named), *read]))

    def parted(self) -> tuple[list[str], dict[str, Account | None]]:
        """The sources divided into tables of many events, and files of one or a few with those
        that have been read."""
        if self.query or any(map(is_address, self.named)):
            return self.named, {}
        for source in self.named:
            if not Path(source).exists():
                raise InputError("{path}: no such file or folder", path=source)
        paths = files_of(self.named)
        tables = histories(paths, self.plan_file, self.columns)
        files: dict[str, Account | None] = {str(p): None for p in paths if p not in tables}
        read = [source for source in self.sources if isinstance(source, Account)]
        files |= {f"{k}: {account.called}": account for k, account in enumerate(read, 1)}
        return [str(path) for path in tables], files


def read_given(given: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """The values given for what the files do not say, each read as its column requires."""
    known = [f.name for f in EVENTS if f.name not in ("event", "title", "id")]
    for key, text in given.items():
        if key not in known:
            raise _unknown(key, text, known)
        kind = str(EVENTS.field(key).type)
        is_date = kind.startswith("date")
        try:
            if is_date:
                yield key, date.fromisoformat(text)
            else:
                yield key, text if kind.startswith(("dictionary", "string")) else int(text)
        except ValueError as error:
            expected = (
                mark("not a date; expected e.g. 2019-06-30")
                if is_date
                else mark("expected a whole number")
            )
            raise WrongValue(key, text, expected) from error


def _unknown(key: str, text: str, known: list[str]) -> InputError:
    """Return why a key is not a column; an input of a rulebook has to be given with the rulebook
    instead."""
    from honours.rulebooks import ids, load

    asking = [name for name in ids() if key in load(name).keys]
    if not asking or key in EVENTS.names:
        return UnknownName("column of an event", key, known)
    return WrongValue(
        key,
        text,
        "a corpus has no such column; give it with the rulebook that asks for "
        'it, for all events: "{rulebook} {key}={text}"',
        key=key,
        text=text,
        rulebook=asking[0],
    )


def histories(
    paths: Sequence[Path], plan_file: Path | None = None, told: Collection[str] = ()
) -> list[Path]:
    """The files that are tables of many events rather than the output of a scoring program for
    one event; lists of members are included if there is any such table. A table named in a plan,
    or with a column that was ``told`` of, always counts."""
    planned = read_plan(plan_file).get("table", {})
    kinds = {path: _tells(path, planned, told) for path in paths}
    return [path for path, kind in kinds.items() if kind] if "history" in kinds.values() else []


def _tells(path: Path, planned: Collection[str], told: Collection[str]) -> str:
    """Return the kind of the table: ``history``, ``members`` or nothing."""
    if path.suffix.lower() in NEVER_ONE_EVENT:
        return "history"
    kinds = [
        "history" if t.name in planned or {*told} & {*t.columns} else _tells_table(t)
        for t in _tables_in(path)
    ]
    return max(kinds, key=("", "members", "history").index, default="")


def _tells_table(table: SourceTable) -> str:
    if {"section", "pair"} <= {plain(header) for header in table.columns}:
        return ""  # standings as scoring programs write them, of one event or several
    columns, _ = understood(table.columns)
    meant = {column.meaning for column in columns}
    more = meant & {*EVENT_FACTS, "paid"} - {"title", "section_kind"}
    if "event" in meant and (more or shape_of(columns) in ("players", "games")):
        return "history"
    return "members" if shape_of(columns) == "members" else ""


def _tables_in(path: Path) -> list[SourceTable]:
    """The tables of a file; none if it is not one of tables."""
    try:
        return open_source(str(path)) if path.suffix.lower() in SUFFIXES else []
    except HonoursError:
        return []


def drafted_plan(sources: Sequence[str], query: str = "") -> str:
    """The first draft of a plan for these tables."""
    loaded = Staging().load(open_tables(sources, query), whole=False)
    return plan_text(make_plan(loaded, {}, draft=True))


# --- what came of it ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark about a file, a column or an event."""

    kind: str
    origin: str
    title: str
    why: str

    def __str__(self) -> str:
        return f"{self.origin}{f' ({self.title})' if self.title else ''}: {self.why}"


@dataclass
class ImportResult:
    """An imported corpus, with all notes about the import."""

    corpus: Corpus
    plan: ImportPlan | None
    paid: PaidFigures
    remarks: Sequence[Remark] = ()
    aside: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The events of tables that cannot be, by reason."""
    twice: Sequence[str] = ()
    """The events of tables that were told more than once."""
    strange: Sequence[str] = ()
    """Files of an unknown kind."""
    failed: Sequence[str] = ()
    """Files that yielded no event, and why."""
    stopped: str = ""
    """How far the import came, if it was interrupted."""
    unawardable: str = ""
    """Why no rulebook awards anything in it."""

    def __post_init__(self) -> None:
        self.events = self.corpus.count("events")  # wherever its folder goes then

    def _of(self, kind: str) -> list[Remark]:
        return [remark for remark in self.remarks if remark.kind == kind]

    def notes(self) -> list[Message | str]:
        """Return a line for everything left out, set aside, merged, derived or rounded."""
        notes: list[Message | str] = [
            *(*self._columns(), *self._words(), *self._cells(), *self._events())
        ]
        notes += hole_notes(self.corpus)
        notes += [self.unawardable] if self.unawardable else []
        if self.strange:
            notes.append(
                Message(
                    "{files} of no kind we know, passed over: {names}",
                    files=plural("{count:,} file", "{count:,} files", count=len(self.strange)),
                    names=_some(self.strange),
                )
            )
        notes += [Message("set aside: {what}", what=why) for why in self.failed]
        for kind, template in _SAID.items():
            notes += [Message(template, what=str(one)) for one in self._of(kind)]
        if dated := self._of("dated by name"):
            notes.append(
                plural(
                    "{count:,} event has its day from the name of its file",
                    "{count:,} events have their day from the name of their file",
                    count=len(dated),
                )
            )
        return [*notes, *self.paid.notes()]

    def _columns(self) -> Iterator[Message]:
        if self.plan is None:
            return
        for own in self.plan.tables:
            for header, (sign, _) in own.several.items():
                yield Message(
                    "{table}: column {header!r} has several members in a cell, with {sign!r} "
                    "between them: each is taken as one",
                    table=own.table.origin,
                    header=header,
                    sign=sign,
                )
            for event in (c for c in own.columns if c.meaning == "event"):
                if plain(event.header) in meanings()["tournament"].spellings:
                    yield Message(
                        "{table}: column {header!r} is taken for the event's id",
                        table=own.table.origin,
                        header=event.header,
                    )
            for header, why in own.why_left().items():
                yield Message(
                    "{table}: column {header!r} is left out: {why}",
                    table=own.table.origin,
                    header=header,
                    why=why,
                )
        for table in self.plan.without:
            yield Message(
                "{table}: left out: no column is understood as the event's id", table=table.origin
            )

    def _words(self) -> Iterator[Message]:
        for meaning, words in (self.plan.proposed if self.plan else {}).items():
            unknown = [repr(text) for text, likely in words.items() if not likely]
            likely = [f"{text} = {word}" for text, word in words.items() if word]
            if likely:
                yield Message(
                    "{meaning}: taken as {words}; correct it in the plan if it is otherwise",
                    meaning=meaning,
                    words=", ".join(likely[:_SHOWN]),
                )
            if unknown:
                yield Message(
                    "{meaning}: no rulebook knows {words}; say in the plan, under "
                    "[words.{meaning}], what they are",
                    meaning=meaning,
                    words=", ".join(unknown[:_SHOWN]),
                )

    def _cells(self) -> Iterator[Message]:
        for kind, template in _COUNTED.items():
            for one in self._of(kind):
                many = int(one.why)
                yield Message(
                    template,
                    column=one.origin,
                    table=one.origin,
                    cells=plural("{count:,} cell", "{count:,} cells", count=many),
                    rows=plural("{count:,} row", "{count:,} rows", count=many),
                    example=one.title,
                )
        for one in self._of("unpaid cells"):
            empty = plural("{count:,} empty cell", "{count:,} empty cells", count=int(one.why))
            yield Message("paid: {cells} in events that paid somebody, taken as 0", cells=empty)
        if self.plan and any(own.has("paid") for own in self.plan.tables):
            yield Message("paid is taken to be what {who} got", who=self.plan.paid_to)

    def _events(self) -> Iterator[Message]:
        if by_games := self._of("by games"):
            yield Message(
                "{events} without places: they are by games won", events=_count(len(by_games))
            )
        if self.twice:
            yield Message(
                "{events} told more than once, taken once: {ids}",
                events=_count(len(self.twice)),
                ids=_some(self.twice),
            )
        for reason, ids in self.aside.items():
            yield Message(
                "{events} set aside, {reason}: {ids}",
                events=_count(len(ids)),
                reason=reason,
                ids=_some(ids),
            )

    def data(self) -> dict[str, Any]:
        """The same as plain data."""
        of_tables = [f"{event}: {reason}" for reason, ids in self.aside.items() for event in ids]
        tables = self.plan.tables if self.plan else ()
        return {
            "corpus": str(self.corpus.folder),
            "hash": self.corpus.hash,
            "events": self.events,
            "entrants": self.corpus.count("entrants"),
            "members": len(self.corpus.member_ids()),
            "notes": [str(note) for note in self.notes()],
            "set_aside": [*self.strange, *self.failed, *of_tables, *map(str, self._of("aside"))],
            "taken_once": [*self.twice, *map(str, self._of("twice"))],
            "without_boards": [str(one) for one in self._of("without boards")],
            "without_games": [str(one) for one in self._of("without games")],
            "paid": [str(note) for note in self.paid.notes()],
            "paid_unclear": [str(one) for one in self._of("unpaid")],
            "not_understood": {
                own.table.origin: {header: str(why) for header, why in own.why_left().items()}
                for own in tables
                if own.why_left()
            },
        }


_COUNTED = {
    "unreadable": mark("{column}: {cells} cannot be read, e.g. {example!r}"),
    "no event": mark("{table}: {rows} without an event"),
    "rounded": mark("{column}: {cells} with more decimals than are kept, rounded to the nearest"),
    "byes": mark("games: {rows} without an opponent, taken as byes"),
}
_SAID = {
    "aside": mark("set aside: {what}"),
    "twice": mark("taken once: {what}"),
    "without boards": mark("its boards are left out: {what}"),
    "without games": mark("its games are left out: {what}"),
    "unpaid": mark("{what}"),
}


def _count(events: int) -> Message:
    return plural("{count:,} event", "{count:,} events", count=events)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


# --- the import ---------------------------------------------------------------------------------


def bring(
    wanted: ImportRequest, target: Path, progress: Progress = lambda _done, _of: None
) -> ImportResult:
    """Make a corpus; if restarted after an interruption among files, continue."""
    chosen_options({k: v for k, v in wanted.options.items() if v is not None}, OF_EACH)
    corrected = read_plan(wanted.plan_file)
    of_holes = {k: v for k, v in wanted.given.items() if k.startswith(PREFIX)}
    holes = {k.removeprefix(PREFIX): v for k, v in of_holes.items()}
    policies = read_policies({**corrected.get("missing", {}), **holes})
    headers = _headers(wanted) if any(k not in EVENTS.names for k in wanted.given) else ()
    columns = {k: v for k, v in wanted.given.items() if k in headers and k not in EVENTS.names}
    given = {k: v for k, v in wanted.given.items() if k not in (*of_holes, *columns)}
    wanted = replace(wanted, given=given, columns=columns)
    try:
        brought = _Import(wanted, target, progress, policies).run(corrected)
    except UnknownColumns as unknown:
        raise _drafted(wanted, target, unknown) from unknown
    if not brought.stopped:
        brought.unawardable = unawardable(brought.corpus)
    text = "".join(f"{note}\n" for note in brought.notes())
    (target / NOTES).write_text(text, encoding="utf-8")
    return brought


def _headers(wanted: ImportRequest) -> set[str]:
    """The columns of all tables that are named."""
    if wanted.query or any(map(is_address, wanted.named)):
        tables = open_tables(wanted.named, wanted.query)
    else:
        there = [source for source in wanted.named if Path(source).exists()]
        tables = [table for path in files_of(there) for table in _tables_in(path)]
    return {column for table in tables for column in table.columns}


class _Import:
    """One import into a folder, which continues if it was interrupted."""

    def __init__(
        self,
        wanted: ImportRequest,
        target: Path,
        progress: Progress,
        policies: Mapping[str, str],
    ) -> None:
        self.wanted, self.target, self.progress = wanted, target, progress
        self.policies = policies
        self.given = dict(read_given({k: v for k, v in wanted.given.items() if k != _PAID}))
        self.paid = PaidFigures(wanted.given.get(_PAID, ""))
        self.tables, self.files = wanted.parted()
        self.plan: ImportPlan | None = None
        self.strange: list[str] = []
        self.failed: list[str] = []

    def run(self, corrected: Mapping[str, Any]) -> ImportResult:
        begun = self._begin()
        staging = Staging(self.target / WORK)
        try:
            if self.tables:
                self._take_tables(staging, corrected)
            self.paid.read = staging.dicts("payments")
            stopped = self._take_files(staging)
            brought = self._finish(staging, stopped)
        except BaseException:
            staging.close()
            if not begun:
                shutil.rmtree(self.target)
            raise
        staging.close()
        if not stopped:
            shutil.rmtree(self.target / WORK)
        return brought

    def _begin(self) -> bool:
        """Make the folder, or check that it has the same import, unfinished."""
        job = self.target / WORK / "job.json"
        options = {name: str(value) for name, value in self.wanted.options.items() if value}
        given = {**self.wanted.given, **self.wanted.columns}
        what = [self.tables, [*self.files], given, options]
        if job.exists():
            if json.loads(job.read_text(encoding="utf-8")) != what:
                raise InputError(
                    "{folder} holds another import that is not finished; delete the folder, "
                    "or choose another",
                    folder=str(self.target),
                )
            return True
        if self.target.exists() and any(self.target.iterdir()):
            raise InputError(
                "{folder}: not empty; a corpus is made in a folder of its own",
                folder=str(self.target),
            )
        job.parent.mkdir(parents=True)
        job.write_text(json.dumps(what), encoding="utf-8")
        return False

    def _take_tables(self, staging: Staging, corrected: Mapping[str, Any]) -> None:
        sources = open_tables(self.tables, self.wanted.query)
        if staging.is_done(_TABLES):
            return
        with staging.one_step(_TABLES):
            loaded = staging.load(sources)
            self.progress(1, 3)
            self.plan = make_plan(loaded, corrected, told=self.wanted.columns)
            staging.take(self.plan, loaded, self.given)
            self.progress(2, 3)

    def _take_files(self, staging: Staging) -> str:
        """Take one file after the other; returns how far that came if it was interrupted."""
        for count, (name, read) in enumerate(self.files.items()):
            if staging.is_done(name):
                continue
            known = len(self.paid.read)
            try:
                with staging.one_step(name):
                    self._take_file(staging, name, read)
                    staging.add("payments", self.paid.read[known:])
                self.progress(count + 1, len(self.files))
            except UnknownFormat:
                self.strange.append(Path(name).name)
            except HonoursError as error:
                self.failed.append(_named(name, error))
            except KeyboardInterrupt:
                del self.paid.read[known:]
                return Message("{count} of {files} files", count=count, files=len(self.files))
        return ""

    def _take_file(self, staging: Staging, path: str, read: Account | None) -> None:
        accounts = read_accounts(Path(path)) if read is None else [read]
        for account in accounts:
            try:
                require_awardable(account)
                require_no_doubts(account)
                for report in apart(score(account, **self.wanted.options)):
                    rows, left = event_rows(report, self.given, self.paid)
                    staging.add_event(account.path, rows)
                    staging.remark(account.path, account.title, left)
            except HonoursError as error:
                if len(accounts) == 1:
                    raise
                staging.remark(path, account.title, {"aside": error.brief})

    def _finish(self, staging: Staging, stopped: str) -> ImportResult:
        about = {"imported from": self.wanted.called}
        if self.files:
            about["profile"] = str(self.wanted.options.get("profile") or DEFAULT)
        if self.tables:
            about["ids"] = "theirs"
            text = plan_text(self.plan) if self.plan else ""
            (self.target / PLAN).write_text(text, encoding="utf-8")
        if self.plan and any(own.has("paid") for own in self.plan.tables):
            about |= {"unit": self.plan.unit} if self.plan.unit else {}
        elif self.files:
            about |= self.paid.about()
        if stopped:
            about["stopped after"] = stopped
        corpus = staging.finish(self.target, about, self.policies)
        aside = staging.aside()
        if corpus is None:
            raise self._nothing(aside)
        return ImportResult(
            corpus,
            self.plan,
            self.paid,
            [Remark(*row) for row in staging.remarks()],
            aside,
            staging.twice(),
            self.strange,
            self.failed,
            stopped,
        )

    def _nothing(self, aside: Mapping[str, Sequence[str]]) -> InputError:
        """Return why nothing is an event: the first few reasons."""
        if self.tables and not self.files:
            reasons = "; ".join(aside) or "no rows"
            return InputError("no event could be taken: {reasons}", reasons=reasons)
        unknown = [Message("{name}: not a kind of file we know", name=n) for n in self.strange]
        why = "; ".join(map(str, [*self.failed, *aside][:_SHOWN] or unknown[:_SHOWN])) or "–"
        texts = {"source": self.wanted.called, "why": why}
        tables = [table for path in self.files for table in _tables_in(Path(path))]
        if any(len(table.columns) > 2 and _tells_table(table) != "history" for table in tables):
            return UnknownColumns(
                "{source}: no column is understood as the event's id, and it cannot be read as one "
                "event either: {why}",
                **texts,
            )
        return InputError("{source}: none of its files could be made an event: {why}", **texts)


def apart(report: Report) -> Iterator[Report]:
    """Flights, brackets or sections ranked by themselves, each an event."""
    groups = dict.fromkeys(one.group for one in report.lists if one.standings)
    if len(groups) < 2:
        yield report
        return
    for group in groups:
        own = tuple(replace(one, group="") for one in report.lists if one.group == group)
        yield replace(report, lists=own)


def _named(path: str, error: HonoursError) -> str:
    first = error.problems[0] if isinstance(error, FileProblems) else error
    if isinstance(first, FileProblem) and first.path == path:
        return first.message
    return Message("{path}: {problem}", path=path, problem=error.brief)


def _drafted(wanted: ImportRequest, target: Path, unknown: UnknownColumns) -> InputError:
    """Draft a plan for columns that nobody knows, and return an error that asks to complete it."""
    if wanted.plan_file is not None:
        return unknown
    draft = target.with_name(f"{target.name}.plan.toml")
    if not draft.exists():
        draft.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(drafted_plan(wanted.named, wanted.query), encoding="utf-8")
    tables = open_tables(wanted.named, wanted.query)
    columns: list[MeantColumn] = [c for table in tables for c in understood(table.columns)[0]]
    return InputError(
        "{why}. Taken so far: {taken}. Import again with what the others are{remedy}",
        why=unknown.brief,
        taken=", ".join(f"{one.header} = {one.shown}" for one in columns) or "–",
        remedy=Remedy(
            mark(", e.g. {header!q}=event, or write it into {draft} and import with {plan}"),
            header=next((h for table in tables for h in understood(table.columns)[1]), "id"),
            draft=str(draft),
            plan=by_option("plan", quoted(str(draft))),
        ),
    )


def unawardable(corpus: Corpus) -> Message | str:
    """Return why no rulebook awards any of the first events, or an empty text if one does."""
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
