"""A corpus from real files: whatever Honours reads, ranked as it is for awards.

What goes in is what a rulebook would be given of the same file: its ranking lists, the facts of
the event, of entrants and of players. What a file does not say is null, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from honours.engine.ranking import tied_by_score
from honours.errors import HonoursError, InputError, UnknownName
from honours.lab.board_results import plain_results
from honours.lab.corpus import Corpus, write_shard
from honours.lab.plausible import impossible_places
from honours.lab.tables import ENTRANTS, EVENTS, LINES, PLAYERS, RESULTS, UNITS, table_of
from honours.model.message import Message
from honours.pipeline import Account, Report, read_accounts
from honours.pipeline.checking.awards import AWARD
from honours.pipeline.way import score
from honours.scoring.profiles import DEFAULT

if TYPE_CHECKING:
    from honours.model import Entrant, Field, Standing

Row = dict[str, Any]

_EVENTS_A_SHARD = 500
_SCHEMAS = {"events": EVENTS, "entrants": ENTRANTS, "players": PLAYERS, "results": RESULTS}
_MOST_ENTRANTS = 2**16
_OUR_OWN = ("event", "title")
_PLAYERS = {"pairs": 2, "teams": 4, "swiss": 4}
_LINE_NUMBERS = {name: number for number, name in LINES.items()}


@dataclass(frozen=True, slots=True)
class Aside:
    """A file or an event of it that is not in the corpus, or not its boards, and why."""

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
    """How the events are scored and their players matched, as to ``honours award``."""
    events: int = 0
    aside: list[Aside] = field(default_factory=list)
    without_boards: list[Aside] = field(default_factory=list)
    twice: list[Aside] = field(default_factory=list)
    """Events that another file told before: taken once."""

    def __post_init__(self) -> None:
        self._given = dict(read_given(self.given))
        self._rows: dict[str, list[Row]] = {name: [] for name in _SCHEMAS}
        self._numbers: dict[str, int] = {}
        self._seen: dict[object, list[tuple[date | None, str]]] = {}
        self._named: set[str] = set()
        self._shards = 0
        profile = str(self.options.get("profile") or DEFAULT)
        self._writer = Corpus.create(self.target, {"profile": profile})

    def add(self, path: Path) -> int:
        """Take in every event of a file that can be; how many. A file of none raises."""
        before = self.events
        accounts = read_accounts(path)
        for account in accounts:
            try:
                self._add(account)
            except HonoursError as error:
                if len(accounts) == 1:
                    raise
                self.aside.append(Aside(str(path), account.title, _brief(error)))
        return self.events - before

    def finish(self, source: str, stopped: str = "") -> Corpus:
        """Write what is left and the manifest; ``stopped`` says how far an import came."""
        if not self.events:
            self.target.rmdir()
            raise InputError(f"{source}: none of its files could be made an event")
        self._write()
        self._writer.about["imported from"] = source
        if stopped:
            self._writer.about["stopped after"] = stopped
        return self._writer.finish()

    def _add(self, account: Account) -> None:
        if account.is_go and "section" not in self._given:
            raise InputError(
                "which section it is decides the awards and is never guessed; "
                "say section=open or section=handicapped"
            )
        report = score(account, **self.options)
        standings = _placed(report)
        if self._is_known(account, standings):
            return
        paid, self._named = _paid_of(account), set()
        row = self._event_row(report, account)
        self._rows["events"].append(row)
        shared = _shared_places(report)
        for k, (line, stratum, standing) in enumerate(standings):
            entrant = self._entrant_row(k, line, stratum, standing)
            self._rows["entrants"].append(entrant | {"score_place": shared[k]})
            players = self._player_rows(k, standing.entrant, str(row["kind"]))
            own = paid(standing.entrant)
            self._rows["players"] += [
                player | {"paid": amount} for player, amount in zip(players, own, strict=False)
            ]
        self._add_boards(account, report, [s.entrant.id for _, _, s in standings])
        self.events += 1
        if len(self._rows["events"]) >= _EVENTS_A_SHARD:
            self._write()

    def _is_known(self, account: Account, standings: list[tuple[str, int, Standing]]) -> bool:
        """Whether another file told of the same people in the same places on the same day."""
        mark = _mark(standings)
        if mark is None:
            return False
        earlier = self._seen.setdefault(mark, [])
        same = [path for day, path in earlier if account.day is None or day in (None, account.day)]
        if same:
            self.twice.append(Aside(account.path, account.title, f"it is in {same[0]} too"))
            return True
        earlier.append((account.day, account.path))
        return False

    def _add_boards(self, account: Account, report: Report, entrants: list[str]) -> None:
        if report.scored is None:
            return
        index = {name: k for k, name in enumerate(entrants)}
        rows, why = plain_results(report.scored, index)
        self._rows["results"] += [{"event": self.events, **row} for row in rows]
        if why:
            self.without_boards.append(Aside(account.path, account.title, why))

    def _event_row(self, report: Report, account: Account) -> Row:
        facts = report.lists[0].facts
        own = {k: facts[k] for k in EVENTS.names if k in facts and k not in _OUR_OWN}
        row: Row = dict.fromkeys(EVENTS.names)
        row |= {k: int(v) if isinstance(v, Fraction) else v for k, v in own.items()}
        row |= {"event": self.events, "title": account.title, "date": account.day}
        return row | self._given

    def _entrant_row(self, k: int, line: str, stratum: int, standing: Standing) -> Row:
        row: Row = {"event": self.events, "entrant": k, "stratum": stratum}
        row |= {"line": _LINE_NUMBERS[line] if line else None}
        row |= {"place": standing.place, "tied": standing.tied}
        for name in ("games_played", "boards_played", "won", "drawn"):
            value = standing.facts.get(name)
            whole = isinstance(value, Fraction) and value.denominator == 1
            row[name] = int(value) if whole and value is not None else None
        return row

    def _player_rows(self, k: int, entrant: Entrant, kind: str) -> Iterator[Row]:
        """Players nobody named are members of their own."""
        for nth, player in enumerate(entrant.players or (None,) * _PLAYERS.get(kind, 1)):
            row: Row = {"event": self.events, "entrant": k}
            alone = f"{self.events}.{k}.{nth}"
            if player is None:
                yield row | {"player": self._number(alone), **_figures({})}
            else:
                name = player.number or self._by_name(player.name) or alone
                yield row | {"player": self._number(name), **_figures(player.facts)}

    def _by_name(self, name: str) -> str:
        """A name as an id; in an event a second of the same name is somebody else, a robot say."""
        if name in self._named:
            return ""
        self._named.add(name)
        return name

    def _number(self, name: str) -> int:
        """A member's number in the corpus: the same person is the same number."""
        return self._numbers.setdefault(name, len(self._numbers))

    def _write(self) -> None:
        if not self._rows["events"]:
            return
        tables = {name: _table(rows, _SCHEMAS[name]) for name, rows in self._rows.items()}
        self._writer.add(write_shard(self.target, self._shards, tables))
        self._rows = {name: [] for name in _SCHEMAS}
        self._shards += 1


def _table(rows: list[Row], schema: Any) -> Any:
    """The rows as a table, without the columns of which they say nothing."""
    if not rows:
        return schema.empty_table()
    columns = {f.name: [row[f.name] for row in rows] for f in schema}
    filled = {
        f.name for f in schema if not f.nullable or any(v is not None for v in columns[f.name])
    }
    return table_of({name: columns[name] for name in filled}, schema)


def _figures(facts: Mapping[str, object]) -> Row:
    """Holding and rating in the units of their columns, and whether points may be given."""
    row: Row = {"eligible": facts.get("eligible")}
    for column, fact in (("holding", "masterpoints"), ("rating", "rating")):
        value = facts.get(fact)
        units = value / UNITS[column] if isinstance(value, Fraction) else None
        if units is not None and units.denominator != 1:
            raise InputError(
                f"{fact} {float(units * UNITS[column])}: a corpus keeps "
                f"{len(str(UNITS[column].denominator)) - 1} decimals"
            )
        row[column] = None if units is None else int(units)
    return row


def _placed(report: Report) -> list[tuple[str, int, Standing]]:
    """Everybody with their line and the number of their stratum, the highest 0."""
    lists = [f for f in report.lists if f.standings]
    _check_lists(lists)
    labels = sorted({_label(s) for f in lists for s in f.standings} - {""})
    return [
        (f.line, labels.index(_label(s)) if _label(s) else 0, s)
        for f in lists
        for s in sorted(f.standings, key=lambda s: s.place)
    ]


def _mark(standings: list[tuple[str, int, Standing]]) -> object:
    """What an event is known by: who came where. Nothing where nobody is named."""
    people = [
        (line, s.place, tuple(sorted(p.number or p.name for p in s.entrant.players)))
        for line, _, s in standings
    ]
    return frozenset(people) if all(any(names) for _, _, names in people) else None


def _paid_of(account: Account) -> Callable[[Entrant], list[int | None]]:
    """What each player of an entrant was paid, as the file tells; somebody it does not mention was
    paid nothing where others were paid."""
    event = account.played
    published = {e.entrant.id: e.published.get(AWARD) for e in event.entrants} if event else {}
    known = any(isinstance(value, Fraction) for value in published.values())

    def paid(entrant: Entrant) -> list[int | None]:
        seats = max(len(entrant.players), *_PLAYERS.values())
        if not known:
            return [None] * seats
        own = [player.facts.get("own_masterpoints") for player in entrant.players]
        whole = published.get(entrant.id)
        amounts = [*own, *[None] * (seats - len(own))]
        return [_points(a if isinstance(a, Fraction) else whole) for a in amounts]

    return paid


def _points(value: object) -> int:
    points = value if isinstance(value, Fraction) else Fraction(0)
    return round(points / UNITS["paid"])


def _shared_places(report: Report) -> list[int | None]:
    """Everybody's place where equal scores share one; None where it is their place anyway."""
    return [
        shared.place if shared.place != own.place else None
        for f in report.lists
        for own, shared in zip(
            sorted(f.standings, key=lambda s: s.place), tied_by_score(f.standings), strict=True
        )
    ]


def _check_lists(lists: list[Field]) -> None:
    if not lists:
        raise InputError("it has no standings")
    if any(f.session for f in lists):
        raise InputError(
            "it ranks sessions by themselves, and a corpus holds one ranking of an "
            "event; name each session in a column `event` if it was one of its own, "
            "or leave their rows out"
        )
    if any("lowest_limit" in f.facts for f in lists):
        raise InputError("its strata have limits of their own, which a corpus does not keep yet")
    strange = [f.line for f in lists if f.line and f.line not in _LINE_NUMBERS]
    if strange:
        raise InputError(f"it has a list {strange[0]!r}; a corpus knows the lines NS and EW")
    for f in lists:
        places = np.array([s.place for s in f.standings], np.int64)
        tied = np.array([s.tied for s in f.standings], np.int64)
        if impossible_places(np.zeros(len(places), np.int64), places, tied).any():
            raise InputError(
                Message(
                    "its places cannot be: more or fewer have one than share it, "
                    "or some are missing"
                )
            )
    if sum(len(f.standings) for f in lists) > _MOST_ENTRANTS:
        raise InputError(f"it has more than {_MOST_ENTRANTS:,} entrants")


def _label(standing: Standing) -> str:
    return str(standing.facts.get("stratum", ""))


def read_given(given: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """What the files do not say, each read as its column wants it."""
    known = [f.name for f in EVENTS if f.name not in _OUR_OWN]
    for key, text in given.items():
        if key not in known:
            raise _unknown(key, text, known)
        kind = str(EVENTS.field(key).type)
        try:
            if kind.startswith("date"):
                yield key, date.fromisoformat(text)
            else:
                yield key, text if kind.startswith("dictionary") else int(text)
        except ValueError as error:
            wanted = "a date such as 2019-06-30" if kind.startswith("date") else "a whole number"
            raise InputError(f"{key}={text}: expected {wanted}") from error


def _unknown(key: str, text: str, known: list[str]) -> InputError:
    """Why a key is no column; one that a rulebook asks for is given with the rulebook."""
    from honours.rulebooks import ids, load

    asking = [name for name in ids() if key in load(name).keys]
    if not asking or key in EVENTS.names:
        return UnknownName("column of an event", key, known)
    return InputError(
        Message(
            "{key}={text}: a corpus has no such column; give it with the rulebook that asks for "
            'it, for all events: "{rulebook} {key}={text}"',
            key=key,
            text=text,
            rulebook=asking[0],
        )
    )


def _brief(error: HonoursError) -> str:
    return str(error).splitlines()[0]
