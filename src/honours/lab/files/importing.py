"""Imports files of events into a corpus one after another; an interrupted import can continue.

Each event is stored as a rulebook would be given it from the same file: its ranking lists, and the
facts of the event, its entrants and its players.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from honours.engine.event_awards import strata_in_order
from honours.engine.ranking import by_score, reranked, tied_by_score
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError, UnknownName, WrongValue
from honours.lab.corpus import MEMBERS, Corpus, Writer, write_shard
from honours.lab.shards import game_rows, impossible_places
from honours.lab.store import NOT_SAID
from honours.lab.tables import EVENTS, LIMITS, LINES, TABLES, UNITS, table_of
from honours.model import Entrant, Field, Player, Standing
from honours.model.message import Message, mark, plural, word
from honours.pipeline import Account, Report, read_accounts
from honours.pipeline.api import score
from honours.pipeline.checking.awards import published_awards
from honours.pipeline.checking.paid_units import HUNDREDTHS, POINTS, PaidUnit, paid_as
from honours.pipeline.report import require_awardable, require_no_doubts
from honours.scoring.profiles import DEFAULT

if TYPE_CHECKING:
    from honours.model import Event, Result
    from honours.scoring import ScoredEvent


# --- what a file says about an event, as rows of a corpus ---------------------------------------

Row = dict[str, Any]
Placed = tuple[str, int, Standing]
"""A line, the number of a stratum, and who came where."""
OUR_OWN = ("event", "title", "id")
_MOST_ENTRANTS = 2**16
_LINE_NUMBERS = {name: number for number, name in LINES.items()}
_COUNTS = (
    *("games_played", "boards_played", "won", "drawn", "ifpa_rating", "ifpa_rank", "is_rated"),
)
_LIMIT_OF = "stratum_limit."
_FIGURES = {"holding": "masterpoints", "rating": "rating", "gor": "gor"}


def placed_entrants(report: Report) -> list[Placed]:
    """All entrants with their line and the number of their stratum, the highest being 0."""
    lists = [_of_those_paid(f) if report.scored else f for f in report.lists if f.standings]
    _check_lists(lists)
    if report.scored and any(tally.entrant.carried for tally in report.scored.tallies):
        raise InputError("scores are carried over from a session that is not in the file")
    labels = _strata(lists)
    _check_limits(lists[0].facts, labels)
    return [
        (f.line, labels.index(_label(s)) if _label(s) else 0, s)
        for f in lists
        for s in sorted(f.standings, key=lambda s: s.place)
    ]


def _of_those_paid(field: Field) -> Field:
    """The list without those who may not be given points: a corpus has no place for them."""
    kept = [s for s in field.standings if not s.entrant.is_barred]
    whole = len(kept) == len(field.standings)
    return field if whole else replace(field, standings=reranked(kept))


def event_row(report: Report) -> Row:
    """The facts of the event, by column name."""
    facts = report.lists[0].facts
    columns = {k: facts[k] for k in EVENTS.names if k in facts and k not in OUR_OWN}
    row: Row = dict.fromkeys(EVENTS.names)
    row |= {k: int(v) if isinstance(v, Fraction) else v for k, v in columns.items()}
    for column, label in zip(LIMITS, _strata(report.lists), strict=False):
        limit = facts.get(f"{_LIMIT_OF}{label}")
        if isinstance(limit, Fraction):
            row[column] = int(limit)
    if row["boards_per_session"] is not None:  # all sessions had the same number
        row["boards_of_sessions"] = None
    club = facts.get("club_number")
    row |= {"club": None if club is None else str(club)}
    return row | {"title": report.account.title, "date": report.account.likely_day}


def entrant_rows(report: Report, standings: Sequence[Placed]) -> list[Row]:
    """The places of all entrants: in their line, by score alone and over both lines, and where
    they sat."""
    shared, overall = _shared_places(report), _overall_places(standings)
    labels = sorted({_section(s) for _, _, s in standings})
    rows = []
    for k, (line, stratum, standing) in enumerate(standings):
        row: Row = {"entrant": k, "stratum": stratum, "place": standing.place}
        row |= {"line": _LINE_NUMBERS[line] if line else None, "tied": standing.tied}
        row |= {"score_place": shared[k], "overall_place": overall.get(standing.entrant.id)}
        row["score"] = None if standing.score is None else round(standing.score / UNITS["score"])
        row["sat_in"] = 1 + labels.index(_section(standing)) if len(labels) < 2**8 else None
        for name in _COUNTS:
            value = standing.facts.get(name)
            units = value / UNITS.get(name, Fraction(1)) if isinstance(value, Fraction) else None
            row[name] = int(units) if units is not None and units.denominator == 1 else None
        rows.append(row)
    return rows


def figures(standing: Standing, player: Player | None) -> Row:
    """Holdings and ratings in the units of their columns, and whether the player may receive
    points; facts of an entrant also apply to its only player."""
    facts = dict(player.facts) if player else {}
    if len(standing.entrant.players) <= 1:
        facts |= {name: standing.facts[name] for name in ("gor", "grade") if name in standing.facts}
    if facts.get("rating_scale") == "EGF":  # the same value as in ``gor``
        facts.pop("rating", None)
    row: Row = {"eligible": facts.get("eligible")}
    grade = facts.get("grade")
    row["grade"] = int(grade) if isinstance(grade, Fraction) else None
    for column, fact in _FIGURES.items():
        value = facts.get(fact)
        units = value / UNITS[column] if isinstance(value, Fraction) else None
        if units is not None and units.denominator != 1:
            raise InputError(
                "{fact} {float}: a corpus keeps {count} decimals",
                fact=fact,
                float=float(units * UNITS[column]),
                count=len(str(UNITS[column].denominator)) - 1,
            )
        row[column] = None if units is None else int(units)
    return row


def _shared_places(report: Report) -> list[int | None]:
    """Each entrant's place if equal scores share one; None if that is the entrant's place
    anyway."""
    return [
        shared.place if shared.place != own.place else None
        for f in report.lists
        for own, shared in zip(
            sorted(f.standings, key=lambda s: s.place), tied_by_score(f.standings), strict=True
        )
    ]


def _overall_places(standings: Sequence[Placed]) -> dict[str, int]:
    """Each entrant's place by score over both lines, if there are two and every entrant has a
    score."""
    lines = {line for line, _, _ in standings}
    if len(lines) < 2 or any(s.score is None for _, _, s in standings):
        return {}
    return {s.entrant.id: s.place for s in by_score([s for _, _, s in standings])}


def _check_lists(lists: Sequence[Field]) -> None:
    if not lists:
        raise InputError("it has no standings")
    if any(f.session for f in lists):
        raise InputError(
            "it ranks sessions by themselves, and a corpus holds one ranking of an "
            "event; name each session in a column `event` if it was one of its own, "
            "or leave their rows out"
        )
    strange = [f.group or f.line for f in lists if f.group or f.line not in ("", *_LINE_NUMBERS)]
    if strange:
        raise InputError(
            "it has a list {strange!r}; a corpus knows the lines NS and EW", strange=strange[0]
        )
    for f in lists:
        places = np.array([s.place for s in f.standings], np.int64)
        tied = np.array([s.tied for s in f.standings], np.int64)
        if impossible_places(np.zeros(len(places), np.int64), places, tied).any():
            raise InputError(
                "its places cannot be: more or fewer have one than share it, or some are missing"
            )
    if sum(len(f.standings) for f in lists) > _MOST_ENTRANTS:
        raise InputError(
            "it has more than {most_entrants:,} entrants", most_entrants=_MOST_ENTRANTS
        )


def _strata(lists: Sequence[Field]) -> list[str]:
    """The strata of an event by label, highest first, including empty ones."""
    own = {_label(s) for f in lists for s in f.standings} - {""}
    limited = {name.partition(".")[2] for name in lists[0].facts if name.startswith(_LIMIT_OF)}
    return sorted(own | limited) if own and limited - own else [*strata_in_order(lists)]


def _check_limits(facts: Mapping[str, object], labels: Sequence[str]) -> None:
    """Refuse more strata with limits than a corpus has room for, and limits that disagree."""
    limited = [label for label in labels if f"{_LIMIT_OF}{label}" in facts]
    if limited and len(labels) > len(LIMITS):
        raise InputError(
            "it has {count} strata with limits; a corpus keeps those of {most}",
            count=len(labels),
            most=len(LIMITS),
        )
    for column, label in zip(LIMITS, labels, strict=False):
        in_file, kept = facts.get(f"{_LIMIT_OF}{label}"), facts.get(column)
        if in_file is not None and kept is not None and in_file != kept:
            raise InputError(
                "the limit of stratum {label} is {told}, and {column} is {kept}",
                label=label,
                told=in_file,
                column=column,
                kept=kept,
            )


def _label(standing: Standing) -> str:
    return str(standing.facts.get("stratum", ""))


def _section(standing: Standing) -> str:
    return str(standing.facts.get("section", ""))


# --- the progress of an import of files ---------------------------------------------------------

WORK = ".import-files"
_JOB, _STATE = "job.json", "state.json"
_EPOCH = date(1970, 1, 1)


@dataclass
class KnownEvents:
    """The events imported so far, identified by who came where and on which day."""

    events: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def before(self, mark: str, day: date | None, path: str) -> str:
        """The file that already contained the same people in the same places, on the same day or
        with either undated; if there is none, this file is recorded as the first."""
        when = day.isoformat() if day else ""
        earlier = self.events.setdefault(mark, [])
        same = [file for on, file in earlier if not when or on in ("", when)]
        if not same:
            earlier.append((when, path))
        return same[0] if same else ""

    def forget(self, path: str) -> None:
        """Forget the events of a file."""
        for earlier in self.events.values():
            earlier[:] = [one for one in earlier if one[1] != path]


def mark_of(standings: list[Placed]) -> str:
    """The key that identifies an event: who came where. Nothing if nobody is named."""
    people = [
        (line, s.place, [p.number or p.name for p in s.entrant.players]) for line, _, s in standings
    ]
    return _mark(people) if all(any(names) for _, _, names in people) else ""


def _mark(people: list[tuple[str, int, list[str]]]) -> str:
    rows = sorted((line, place, sorted(names)) for line, place, names in people)
    return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


def marks_of_corpus(corpus: Corpus, path: str) -> KnownEvents:
    """The events of a corpus made from tables, to recognise those that files repeat."""
    seen, ids = KnownEvents(), corpus.member_ids()
    for shard in corpus:
        days = shard.events.get("date")
        for row in range(len(shard.ids)):
            people = []
            for k in range(int(shard.entrant_offsets[row]), int(shard.entrant_offsets[row + 1])):
                line = "" if shard.line is None else LINES.get(int(shard.line[k]), "")
                members = shard.player[shard.player_offsets[k] : shard.player_offsets[k + 1]]
                names = [ids.get(int(member), "") for member in members]
                people.append((line, int(shard.place[k]), names))
            if all(any(names) for _, _, names in people):
                known = days is not None and int(days[row]) != NOT_SAID
                day = _EPOCH + timedelta(int(days[row])) if days is not None and known else None
                seen.before(_mark(people), day, path)
    return seen


class ImportState:
    """The folder of an import that may be interrupted."""

    def __init__(self, target: Path, job: Mapping[str, Any]) -> None:
        self._folder = target / WORK
        self._target, self._job = target, json.loads(json.dumps(job))

    def begun(self) -> dict[str, Any] | None:
        """The state of the same import, if it was started before; otherwise nothing."""
        path = self._folder / _JOB
        if not path.exists():
            return None
        if json.loads(path.read_text(encoding="utf-8")) != self._job:
            raise InputError(
                "{folder}: holds another import that is not finished; "
                "take the folder away, or choose another",
                folder=str(self._target),
            )
        state = self._folder / _STATE
        done: dict[str, Any] = json.loads(state.read_text(encoding="utf-8"))
        return done

    def keep(self, done: Mapping[str, Any]) -> None:
        """Write the progress atomically."""
        self._folder.mkdir(exist_ok=True)
        part = self._folder / f"{_STATE}.part"
        part.write_text(json.dumps(done), encoding="utf-8")
        part.replace(self._folder / _STATE)
        job = self._folder / _JOB
        if not job.exists():
            job.write_text(json.dumps(self._job), encoding="utf-8")

    def finished(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


# --- the payments recorded in files of events ---------------------------------------------------

PAID = "paid"
"""The option that says whether the files' figures are points or hundredths."""
WORDS = {"points": POINTS, "hundredths": HUNDREDTHS}
UNCLEAR = Message(
    "what was paid is left out: its figures are whole, and no rulebook tells whether they are "
    "points or hundredths; say paid=points or paid=hundredths"
)
_SEATS = 4
_COUNTED = ("agree", "lines", "events")
Paying = Callable[[Entrant], list[int | None]]


@dataclass
class PaidFigures:
    """Reads what events were paid, and counts how often that agrees with the rulebooks."""

    unit: str = ""
    agree: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    """For each rulebook: figures that agree, figures that can be compared, and events."""
    hundredths: int = 0

    def __post_init__(self) -> None:
        if self.unit and self.unit not in WORDS:
            raise UnknownName(Message("unit of what was paid"), self.unit, WORDS)
        self._books: list[Rulebook] = []
        self._known: dict[str, str] = {}

    def of(self, report: Report) -> tuple[Paying, Message | None]:
        """What each player of an entrant was paid, with a remark if one is needed."""
        account = report.account
        if account.played is None or not published_awards(account.played):
            return _not_known, None
        written = self._written(report)
        if written.scale is None:
            return _not_known, UNCLEAR
        self.hundredths += written.scale == HUNDREDTHS
        return _paying(report, written.scale), None

    def _written(self, report: Report) -> PaidUnit:
        """The unit in which the file records payments; a unit given for all files takes
        precedence."""
        program = report.account.event.program
        rulebook = paid_as(report, self._rulebooks(), self._known.get(program, ""))
        assert rulebook is not None
        if rulebook.is_clear:
            self._known[program] = rulebook.reading
        if rulebook.book:
            self.agree[rulebook.book] += rulebook.agree
            self.lines[rulebook.book] += rulebook.lines
            self.events[rulebook.book] += 1
        return PaidUnit(WORDS[self.unit]) if self.unit else rulebook

    def _rulebooks(self) -> Sequence[Rulebook]:
        from honours.rulebooks import ids, load

        if not self._books:
            self._books = [load(name) for name in ids()]
        return self._books

    def about(self) -> dict[str, str]:
        """The unit of the payments and the rulebook's owner, judged by the rulebooks they agree
        with; several units are named as such, so that no total of them is compared with one."""
        agreeing = [book for book in self._rulebooks() if self.agree[book.id]]
        units = {(book.unit, book.body) for book in agreeing}
        if not units:
            return {}
        if len(units) > 1:
            return {"unit": ", ".join(f"{unit} ({body})" for unit, body in sorted(units))}
        [(unit, body)] = units
        return {"unit": unit, "body": body}

    def data(self) -> dict[str, Any]:
        """The state to store in the folder of an import that may be interrupted."""
        counted = {name: dict(getattr(self, name)) for name in _COUNTED}
        return {**counted, "hundredths": self.hundredths, "known": dict(self._known)}

    def go_on(self, data: Mapping[str, Any]) -> None:
        """Continue from the state of an interrupted import."""
        self.hundredths = int(data["hundredths"])
        for name in _COUNTED:
            setattr(self, name, Counter(data[name]))
        self._known = dict(data["known"])

    def notes(self) -> Iterator[Message]:
        """How well payments agree with the rules, one line per rulebook."""
        for book, events in self.events.most_common():
            yield Message(
                "paid: as {rulebook} pays in {agree:,} of {figures} of {events}",
                rulebook=book,
                agree=self.agree[book],
                figures=plural("{count:,} figure", "{count:,} figures", count=self.lines[book]),
                events=plural("{count:,} event", "{count:,} events", count=events),
            )
        if self.hundredths:
            yield Message(
                "paid: {events} in hundredths, taken as points",
                events=plural("{count:,} event", "{count:,} events", count=self.hundredths),
            )


def _not_known(entrant: Entrant) -> list[int | None]:
    return [None] * max(len(entrant.players), _SEATS)


def _paying(report: Report, scale: Fraction) -> Paying:
    """The payments of an event in which somebody was paid: anyone the file does not mention was
    paid nothing."""
    awards = published_awards(report.account.event)

    def paid(entrant: Entrant) -> list[int | None]:
        whole = awards.get(entrant.id, Fraction(0))
        own = [player.facts.get("own_masterpoints") for player in entrant.players]
        amounts = [value if isinstance(value, Fraction) else whole for value in own]
        seats = [*amounts, *[whole] * (_SEATS - len(amounts))]
        return [round(amount * scale / UNITS["paid"]) for amount in seats]

    return paid


# --- the results of an event as a corpus holds them ---------------------------------------------

_MOST_BOARDS = 256
_LARGEST = 2**15


def plain_results(
    scored: ScoredEvent, index: Mapping[str, int]
) -> tuple[list[dict[str, int]], str]:
    """Every result by the number of its board throughout the event; or none, and the reason."""
    event = scored.event
    why = _not_plain(event, index)
    if why:
        return [], why
    played = sorted(
        (session.number, r.board, index[r.ns[0]], index[r.ew[0]], r.score)
        for session in event.sessions
        for r in session.results
        if r.score is not None
    )
    boards = {key: k for k, key in enumerate(dict.fromkeys(row[:2] for row in played))}
    if len(boards) > _MOST_BOARDS:
        return [], Message(
            "{boards} boards; a corpus numbers {most} in an event",
            boards=len(boards),
            most=_MOST_BOARDS,
        )
    return [
        {"board": boards[session, board], "ns": ns, "ew": ew, "score": score}
        for session, board, ns, ew, score in played
    ], ""


def _not_plain(event: Event, index: Mapping[str, int]) -> str:
    """Why an event cannot be scored from plain scores alone; empty if it can."""
    results = [r for session in event.sessions for r in session.results]
    if not results:
        return Message("it has no boards")
    if event.scoring != "matchpoints" or event.swiss:
        template = (
            mark("it is scored by {scoring} in matches")
            if event.swiss
            else mark("it is scored by {scoring}")
        )
        return Message(template, scoring=word(event.scoring))
    if ", " in str(event.facts.get("compared", "")):
        return Message("it compares some of its sections apart")
    if any(session.penalties for session in event.sessions):
        return Message("it has penalties")
    if any(e.carried for e in event.entrants):
        return Message("it has a carry-over")
    if any(r.adjusted for r in results):
        return Message("it has adjusted scores")
    if any(r.version for r in results):
        return Message("it has a fouled board")
    if not all(_is_plain(r, index) for r in results if r.score is not None):
        return Message("it has sides of two entrants, or of none")
    if len({size for session in event.sessions for size in _fullest(session.results)}) > 1:
        return Message("its sessions differ in size, or its fullest board was not played by all")
    return ""


def _is_plain(result: Result, index: Mapping[str, int]) -> bool:
    one_each = len(result.ns) == len(result.ew) == 1
    known = one_each and result.ns[0] in index and result.ew[0] in index
    return known and result.score is not None and abs(result.score) < _LARGEST


def _fullest(results: tuple[Result, ...]) -> tuple[int, int]:
    """The most results on one board, counting all lines and counting only those played; scores
    are factored to these."""
    lines = Counter(r.board for r in results)
    played = Counter(r.board for r in results if r.score is not None)
    return max(lines.values(), default=0), max(played.values(), default=0)


# --- imports files of events into a corpus one after another ------------------------------------

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
        require_no_doubts(account)
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
    for key, text in given.items():
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
