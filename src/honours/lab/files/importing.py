"""Imports files of events into a corpus one after another; an interrupted import can continue.

Each event is stored as a rulebook would be given it from the same file: its ranking lists, and the
facts of the event, its entrants and its players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from honours.errors import HonoursError, InputError, UnknownName, WrongValue
from honours.lab.corpus import MEMBERS, Corpus, Writer, write_shard
from honours.lab.files.board_results import plain_results
from honours.lab.files.paid_figures import KEY as PAID
from honours.lab.files.paid_figures import PaidFigures
from honours.lab.files.rows import (
    OUR_OWN,
    Placed,
    Row,
    entrant_rows,
    event_row,
    figures,
    placed_entrants,
)
from honours.lab.files.state import ImportState, KnownEvents, mark_of, marks_of_corpus
from honours.lab.games import game_rows
from honours.lab.tables import EVENTS, ONCE, TABLES, table_of
from honours.model.message import Message, mark
from honours.pipeline import Account, Report, read_accounts
from honours.pipeline.five_calls import score
from honours.pipeline.report import require_awardable
from honours.scoring.profiles import DEFAULT

if TYPE_CHECKING:
    from honours.model import Standing

_EVENTS_A_SHARD = 500
_PLAYERS = {"pairs": 2, "teams": 4, "swiss": 4}


@dataclass(frozen=True, slots=True)
class SetAside:
    """A file or an event that is not in the corpus, or not with its boards, and why; or one that
    needs a remark."""

    path: str
    event: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}{f' ({self.event})' if self.event else ''}: {self.why}"


@dataclass
class Importer:
    """Takes files one after the other; every five hundred events become a shard."""

    target: Path
    given: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    """How the events are scored and their players matched, as for ``honours award``."""
    beside: Corpus | None = None
    """The corpus made from tables in the same folder, whose events come first."""
    job: Mapping[str, Any] = field(default_factory=dict)
    """What must be equal for an import to continue where another stopped."""
    events: int = 0
    done: list[str] = field(default_factory=list)
    """The files that were read."""
    aside: list[SetAside] = field(default_factory=list)
    without_boards: list[SetAside] = field(default_factory=list)
    without_games: list[SetAside] = field(default_factory=list)
    twice: list[SetAside] = field(default_factory=list)
    """Events that another file already contained, so that they are taken once."""
    unpaid: list[SetAside] = field(default_factory=list)
    """Events for which it is unclear what was paid."""
    dated_by_name: list[SetAside] = field(default_factory=list)
    """Events whose day was taken from the name of their file."""

    def __post_init__(self) -> None:
        self.paid = PaidFigures(self.given.get(PAID, ""))
        self._given = dict(read_given({k: v for k, v in self.given.items() if k != PAID}))
        self._rows: dict[str, list[Row]] = {name: [] for name in TABLES}
        self._numbers: dict[str, int] = {}
        self._names: set[str] = set()
        self._next, self._first = 0, 0
        self._seen, self._named = KnownEvents(), set[str]()
        self._shards = 0
        self._state = ImportState(self.target, {"given": dict(self.given), **self.job})
        begun = self._state.begun()
        if begun is not None:
            self._go_on(begun)
        elif self.beside is not None:
            self._follow(self.beside)
        else:
            profile = str(self.options.get("profile") or DEFAULT)
            self._writer = Corpus.create(self.target, {"profile": profile})

    def add(self, path: Path, read: Account | None = None) -> int:
        """Add every usable event of a file, or of one already ``read``, and return how many.
        Raises if the file has none."""
        if str(path) in self.done:
            return 0
        before, rows = self.events, {name: len(rows) for name, rows in self._rows.items()}
        paid = self.paid.data()
        self.done.append(str(path))
        try:
            self._add_all(path, read)
        except KeyboardInterrupt:
            self._forget(path, path if read is None else Path(read.path), before, rows)
            self.paid.go_on(paid)
            raise
        if len(self._rows["events"]) >= _EVENTS_A_SHARD:
            self._write()
        return self.events - before

    def _add_all(self, path: Path, read: Account | None) -> None:
        accounts = read_accounts(path) if read is None else [read]
        for account in accounts:
            try:
                self._add(account)
            except HonoursError as error:
                if len(accounts) == 1:
                    raise
                self.aside.append(SetAside(str(path), account.title, error.brief))

    def _forget(self, done: Path, path: Path, events: int, rows: Mapping[str, int]) -> None:
        """Undo everything added from a file."""
        self.done.remove(str(done))
        self.events = events
        for name, many in rows.items():
            del self._rows[name][many:]
        self._seen.forget(str(path))
        for name in _NAMED:
            setattr(self, name, [one for one in getattr(self, name) if one.path != str(path)])

    def give_up(self) -> None:
        """Remove everything that was written."""
        self._state.finished()
        self.target.rmdir()

    def finish(self, source: str, stopped: str = "") -> Corpus:
        """Write the remaining events and the manifest; ``stopped`` says how far an interrupted
        import came."""
        self._write()
        self._write_members()
        about = self._writer.about
        about["imported from"] = ", ".join(filter(None, (about.get("imported from"), source)))
        if self.beside is None or not self.beside.tells_paid:
            about.update(self.paid.about())
        if stopped:
            return Writer(
                self.target, {**about, "stopped after": stopped}, self._writer.digests
            ).finish()
        self._state.finished()
        return self._writer.finish()

    # --- one event --------------------------------------------------------------------------------

    def _add(self, account: Account) -> None:
        require_awardable(account)
        report = score(account, **self.options)
        groups = dict.fromkeys(one.group for one in report.lists if one.standings)
        for group in groups or ("",):  # flights, brackets or sections ranked by themselves
            own = tuple(replace(one, group="") for one in report.lists if one.group == group)
            self._add_report(account, replace(report, lists=own) if len(groups) > 1 else report)

    def _add_report(self, account: Account, report: Report) -> None:
        standings = placed_entrants(report)
        mark = mark_of(standings)
        earlier = self._seen.before(mark, account.likely_day, account.path) if mark else ""
        if earlier:
            self.twice.append(
                SetAside(account.path, account.title, Message("it is in {file} too", file=earlier))
            )
            return
        if account.day is None and account.likely_day and "date" not in self._given:
            self.dated_by_name.append(SetAside(account.path, account.title, ""))
        event = {"event": self._first + self.events}
        row = event_row(report) | self._given
        entrants, players = entrant_rows(report, standings), self._players(report, standings, row)
        self._rows["events"].append(row | event)
        self._rows["entrants"] += [entrant | event for entrant in entrants]
        self._rows["players"] += [player | event for player in players]
        games, why = game_rows(standing for _, _, standing in standings)
        self._rows["games"] += [game | event for game in games]
        if why:
            self.without_games.append(SetAside(account.path, account.title, why))
        self._add_boards(account, report, [s.entrant.id for _, _, s in standings])
        self.events += 1

    def _players(self, report: Report, standings: list[Placed], event: Row) -> list[Row]:
        paid, unclear = self.paid.of(report)
        if unclear:
            self.unpaid.append(SetAside(report.account.path, report.account.title, unclear))
        self._named = set()
        rows = []
        for k, (_, _, standing) in enumerate(standings):
            players = self._player_rows(k, standing, str(event["kind"]))
            own = zip(players, paid(standing.entrant), strict=False)
            rows += [player | {"paid": amount} for player, amount in own]
        return rows

    def _add_boards(self, account: Account, report: Report, entrants: list[str]) -> None:
        if report.scored is None:
            return
        index = {name: k for k, name in enumerate(entrants)}
        rows, why = plain_results(report.scored, index)
        self._rows["results"] += [{"event": self._first + self.events, **row} for row in rows]
        if why:
            self.without_boards.append(SetAside(account.path, account.title, why))

    def _player_rows(self, k: int, standing: Standing, kind: str) -> Iterator[Row]:
        """The rows of an entrant's players; each unnamed player becomes a separate member."""
        for player in standing.entrant.players or (None,) * _PLAYERS.get(kind, 1):
            name = "" if player is None else player.number or self._by_name(player.name)
            yield {"entrant": k, "player": self._number(name), **figures(standing, player)}

    def _by_name(self, name: str) -> str:
        """A name used as an id. The second of the same name in an event is taken for another
        person (a robot, say)."""
        if name in self._named:
            return ""
        self._named.add(name)
        if name not in self._numbers:
            self._names.add(name)
        return name

    def _number(self, name: str) -> int:
        """A member's number in the corpus; the same person always gets the same number."""
        number = self._numbers.get(name) if name else None
        if number is None:
            number, self._next = self._next, self._next + 1
            if name:
                self._numbers[name] = number
        return number

    # --- shards, and where it stands --------------------------------------------------------------

    def _write(self) -> None:
        if self._rows["events"]:
            tables = {
                name: _table(rows, TABLES[name])
                for name, rows in self._rows.items()
                if rows or name != "games"
            }
            self._writer.add(write_shard(self.target, self._shards, tables))
            self._rows = {name: [] for name in TABLES}
            self._shards += 1
        self._state.keep(self._stands())

    def _write_members(self) -> None:
        """Write the owner's ids of the members; people's names stay out of a corpus."""
        ids = {name: number for name, number in self._numbers.items() if name not in self._names}
        columns = {
            "player": pa.array(ids.values(), pa.int32()),
            "id": pa.array(ids.keys(), pa.string()),
        }
        pq.write_table(pa.table(columns), self.target / MEMBERS)

    def _stands(self) -> dict[str, Any]:
        lists = {n: [asdict(a) for a in getattr(self, n)] for n in _NAMED}
        return {
            "done": self.done,
            "counts": [self.events, self._next, self._first, self._shards],
            "about": self._writer.about,
            "digests": self._writer.digests,
            "numbers": self._numbers,
            "names": sorted(self._names),
            "seen": self._seen.events,
            "paid": self.paid.data(),
            **lists,
        }

    def _go_on(self, state: Mapping[str, Any]) -> None:
        """Continue from the last shard of an interrupted import."""
        self.done = list(state["done"])
        self.events, self._next, self._first, self._shards = state["counts"]
        self._writer = Writer(self.target, dict(state["about"]), dict(state["digests"]))
        self._numbers, self._names = dict(state["numbers"]), set(state["names"])
        self._seen = KnownEvents({k: [(d, p) for d, p in v] for k, v in state["seen"].items()})
        self.paid.go_on(state["paid"])
        for name in _NAMED:
            setattr(self, name, [SetAside(**one) for one in state.get(name, ())])

    def _follow(self, corpus: Corpus) -> None:
        """Number events, members and shards after those of an existing corpus."""
        about, digests = dict(corpus.manifest["about"]), dict(corpus.manifest["digests"])
        self._writer = Writer(self.target, about, digests)
        self._numbers = {name: number for number, name in corpus.member_ids().items()}
        self._seen = marks_of_corpus(corpus, str(about.get("imported from", "")))
        for shard in corpus:
            self._next = max(self._next, 1 + int(shard.player.max(initial=-1)))
            self._first = max(self._first, 1 + int(shard.ids.max(initial=-1)))
        self._shards = 1 + max(corpus.shards)


_NAMED = ("aside", "without_boards", "without_games", "twice", "unpaid", "dated_by_name")


def _table(rows: list[Row], schema: Any) -> Any:
    """The rows as a table, without optional columns that are empty in all rows."""
    if not rows:
        return schema.empty_table()
    columns = {f.name: [row.get(f.name) for row in rows] for f in schema}
    filled = {
        f.name for f in schema if not f.nullable or any(v is not None for v in columns[f.name])
    }
    return table_of({name: columns[name] for name in filled}, schema)


def read_given(given: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """The values given for what the files do not say, each read as its column requires."""
    known = [f.name for f in EVENTS if f.name not in OUR_OWN]
    for written, text in given.items():
        key = ONCE.get(written, written)
        if key not in known:
            raise _unknown(key, text, known)
        kind = str(EVENTS.field(key).type)
        try:
            if kind.startswith("date"):
                yield key, date.fromisoformat(text)
            else:
                yield key, text if kind.startswith(("dictionary", "string")) else int(text)
        except ValueError as error:
            wrong = (
                mark("not a date; expected e.g. 2019-06-30")
                if kind.startswith("date")
                else mark("expected a whole number")
            )
            raise WrongValue(key, text, wrong) from error


def _unknown(key: str, text: str, known: list[str]) -> InputError:
    """Why a key is not a column; an input of a rulebook has to be given with the rulebook
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
