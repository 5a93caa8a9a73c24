"""A certificate for other programs: made-up events of a rulebook with the right awards and the
clause for each, and what a program answered beside them.

The events are those examples of the rulebook that are whole events: each is written as a table of
standings, as JSON and, of bridge, as USEBIO, as far as the file, read again with what is told, is
awarded the same.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from honours.engine.award import award, ranks, read_ties
from honours.engine.exact.explanation import in_short
from honours.engine.exact.working import Working
from honours.engine.numbers import exact
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import Example, examples, fields
from honours.errors import HonoursError, InputError, UnknownName
from honours.files import new_folder
from honours.formats.honours_json import write_json
from honours.formats.table_standings import StandingsFile
from honours.formats.table_write import table, write_standings
from honours.formats.usebio import read_usebio, write_usebio
from honours.model import Award, Awards, Entrant, Event, EventEntrant, Field, Player, Session
from honours.model.message import Message, plural
from honours.pipeline import awarded, ranked, read_accounts
from honours.rulebooks import load

_NEEDED = ("event", "entrant", "award")
_PLAYERS = {"pairs": "AB", "individual": "A", "teams": "ABCD"}
_COLUMNS = ("event", "line", "entrant", "place", "award", "clause", "why")


@dataclass(frozen=True, slots=True)
class RightAward:
    """The award of an entrant of a made-up event, the clause that says so, and why."""

    event: str
    line: str
    entrant: str
    place: int
    amount: Fraction
    shown: str
    clause: str
    why: str

    def row(self) -> dict[str, str]:
        values = (self.event, self.line, self.entrant, str(self.place), self.shown)
        return dict(zip(_COLUMNS, (*values, self.clause, self.why), strict=True))


@dataclass(frozen=True, slots=True)
class CertifiedEvent:
    """A made-up event: what is told of it, its ranking lists, and what everybody is awarded."""

    id: str
    told: str
    source: str
    known: str
    """What a program is known to do otherwise, and why."""
    lists: tuple[Awards, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The event as files, by how their names end."""

    @property
    def name(self) -> str:
        return self.id.partition("/")[2]

    @property
    def given(self) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self.told.split())

    def answers(self) -> Iterator[RightAward]:
        for one in self.lists:
            if one.refusal:
                clause, why = one.refusal.citation.clause, one.refusal.reason
                for standing in one.field.standings:
                    where = (self.id, one.field.line, standing.entrant.id, standing.place)
                    yield RightAward(*where, Fraction(0), "0", clause, why)
            for item in one.schedule:
                clause, why = _reason(item)
                why = " ".join(filter(None, (why, self.known)))
                where = (self.id, one.field.line, item.standing.entrant.id, item.standing.place)
                yield RightAward(*where, item.amount, item.shown, clause, why)


def _reason(item: Award) -> tuple[str, str]:
    told = in_short(item.why)
    cited = item.why.citation.clause if item.why.citation else ""
    return (told[-1][1] if told else cited), " ".join(text for text, _ in told)


@cache
def suite(rulebook_id: str) -> tuple[CertifiedEvent, ...]:
    """The made-up events of a rulebook, without files."""
    return tuple(_events(load(rulebook_id)))


def _events(book: Rulebook) -> Iterator[CertifiedEvent]:
    for example in examples(book):
        if not example.changes and set(example.expect) != {"quantities"}:
            try:
                lists = tuple(award(book, one) for one in _whole_lists(book, example))
            except HonoursError:  # bare figures that are of no event, such as a first award alone
                continue
            name = re.sub(r"[^a-z0-9]+", "-", example.name.lower()).strip("-")
            source = example.published or Message("worked out: {how}", how=example.ours)
            told = _told(book, lists[0])
            yield CertifiedEvent(f"{book.id}/{name}", told, source, example.reason, lists)


def _told(book: Rulebook, one: Awards) -> str:
    """All that the awards rest on beside the list."""
    used = [k for k in one.known if k.used and k.name in book.keys]
    asked = [(k, book.input(k.name)) for k in used if k.name != "line" or one.field.line]
    return " ".join(f"{k.name}={i.shown(k.value)}" for k, i in asked if i.per == "field")


def _whole_lists(book: Rulebook, example: Example) -> Iterator[Field]:
    """The lists of an example down to the last entrant."""
    lists = fields(book, example)
    for one in lists:
        standings = one.standings
        if not example.entrants:
            standings = ranks(_everybody(book, one), read_ties(example.ties))
        if len(lists) > 1:
            standings = tuple(
                replace(s, entrant=replace(s.entrant, id=f"{s.entrant.id}{one.line}"))
                for s in standings
            )
        yield replace(one, standings=standings)


def _everybody(book: Rulebook, one: Field) -> int:
    working = Working(book, one)
    try:
        return int(working.number("entrants"))
    except HonoursError:
        return int(working.number("players"))


def _with_files(book: Rulebook, event: CertifiedEvent, folder: Path) -> CertifiedEvent:
    """The event with the files that are awarded the same when they are read again."""
    titled = [
        replace(one.field, facts={**one.field.facts, "title": event.id}) for one in event.lists
    ]
    files = {
        "csv": write_standings(titled).data,
        "json": write_json(StandingsFile(event.id, tuple(titled))),
    }
    if book.game == "bridge":
        files["xml"] = write_usebio(_of_places(event), version="1.3").data
    same = {end: data for end, data in files.items() if _is_whole(book, event, folder, end, data)}
    return replace(event, files=same)


def _of_places(event: CertifiedEvent) -> Event:
    """The event as far as USEBIO has it without boards: everybody's place, and made-up names."""
    lists = [one.field for one in event.lists]
    told = str(lists[0].facts.get("kind"))
    kind = told if told in _PLAYERS else "pairs"
    entrants = tuple(
        EventEntrant(
            Entrant(s.entrant.id, tuple(Player(f"{s.entrant.id} {p}") for p in _PLAYERS[kind])),
            s.entrant.id.removesuffix(one.line),
            one.line,
            published={"place": Fraction(s.place)},
        )
        for one in lists
        for s in one.standings
    )
    scoring = "imps" if kind == "teams" else "matchpoints"
    winners = 2 if lists[0].line else 1
    return Event(event.id, kind, scoring, entrants, (Session(),), winners, club="Made-up Club")


def _is_whole(book: Rulebook, event: CertifiedEvent, folder: Path, end: str, data: bytes) -> bool:
    path = folder / f"event.{end}"
    path.write_bytes(data)
    try:
        [account] = read_accounts(path)
        awards = awarded(ranked(account), book, event.given, in_words=False).awards
    except HonoursError:
        return False
    return awards is not None and all(
        awards.amount(one.entrant) == one.amount for one in event.answers()
    )


# --- the suite as files -----------------------------------------------------------------------


def write_suite(rulebook_id: str, folder: str | Path) -> int:
    """Write the suite into a new folder; returns how many events it has."""
    book = load(rulebook_id)
    with TemporaryDirectory() as trial:
        every = [_with_files(book, event, Path(trial)) for event in suite(rulebook_id)]
    events = [event for event in every if event.files]
    with new_folder(folder) as out:
        (out / "events").mkdir()
        for event in events:
            for end, data in event.files.items():
                (out / "events" / f"{event.name}.{end}").write_bytes(data)
        about = [{"event": e.id, "told": e.told, "source": e.source} for e in events]
        (out / "events.csv").write_bytes(table(about))
        rows = [one.row() for event in events for one in event.answers()]
        (out / "answers.csv").write_bytes(table(rows))
        text = _README.format(rulebook=rulebook_id, events=len(events))
        (out / "README.md").write_text(text, encoding="utf-8")
    return len(events)


_README = """# {events} made-up events of {rulebook}

- `events/NAME.csv`, `.json` and `.xml`: an event as a table of standings, as JSON and as USEBIO.
  The USEBIO files have participants and places, and no boards. Events that need more have none.
- `events.csv`: what is told of each event beside its list, and where it is printed.
- `answers.csv`: what everybody is awarded, the clause that decides, and why.

Have your program award the events and write a CSV file with the columns `event`, `entrant` and
`award`, and `line` where an event has two lists. Or have it put its master points into copies of
the USEBIO files. `honours certify --check` compares the CSV file, or the folder of the copies.
"""


# --- what a program answered ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Certificate:
    """The right and wrong answers of a program, and the events that it left out."""

    right: int
    wrong: tuple[tuple[RightAward, str], ...]
    """The right award, and what the program answered; nothing where it did not."""
    unanswered: tuple[str, ...]

    @property
    def statement(self) -> Message:
        return plural(
            "{right} of {count} award is right; {events} events were not answered.",
            "{right} of {count} awards are right; {events} events were not answered.",
            right=self.right,
            count=self.right + len(self.wrong),
            events=len(self.unanswered),
        )

    def as_dict(self) -> dict[str, object]:
        wrong = [{**one.row(), "answered": theirs} for one, theirs in self.wrong]
        return {"right": self.right, "wrong": wrong, "unanswered": list(self.unanswered)}


def check_answers(path: str | Path) -> Certificate:
    """A program's answers beside the right ones, for every event it answered."""
    answered: dict[str, dict[tuple[str, str], str]] = {}
    for event, line, entrant, amount in _read_answers(Path(path)):
        answered.setdefault(event, {})[line, entrant] = amount
    known = {e.id: e for book in {e.partition("/")[0] for e in answered} for e in suite(book)}
    if unknown := [event for event in answered if event not in known]:
        raise UnknownName("event", unknown[0], [*known])
    right, wrong = 0, []
    for event, amounts in answered.items():
        for one in known[event].answers():
            theirs = amounts.get((one.line, one.entrant), amounts.get(("", one.entrant), ""))
            if exact(theirs or 0) == one.amount:
                right += 1
            else:
                wrong.append((one, theirs))
    return Certificate(right, tuple(wrong), tuple(e for e in known if e not in answered))


def _read_answers(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Event, line, entrant and award of each answer: of a CSV file, or of awarded USEBIO files."""
    if path.is_dir() or path.suffix.lower() == ".xml":
        yield from _awarded(sorted(path.glob("*.xml")) if path.is_dir() else [path])
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("{path}: {error}", path=path, error=error) from error
    rows = csv.DictReader(io.StringIO(text))
    missing = [name for name in _NEEDED if name not in (rows.fieldnames or ())]
    if missing:
        raise InputError(
            "{path}, line 1: no column {missing!r}; expected {needed}",
            path=path,
            missing=missing[0],
            needed=_NEEDED,
        )
    for number, row in enumerate(rows, 2):
        amount = (row["award"] or "").strip()
        try:
            exact(amount or 0)
        except ValueError as error:
            raise InputError(
                "{path}, line {number}: award {amount!r}, expected a number",
                path=path,
                number=number,
                amount=amount,
            ) from error
        yield row["event"], row.get("line") or "", row["entrant"], amount


def _awarded(paths: Sequence[Path]) -> Iterator[tuple[str, str, str, str]]:
    """The answers in documents, which have master points in hundredths."""
    for event in (event for path in paths for event in read_usebio(path)):
        unit = 100 if load(event.title.partition("/")[0]).decimals else 1
        for one in event.entrants:
            points = one.published.get("masterpoints", 0)
            yield event.title, one.line, one.entrant.id, str(Fraction(points) / unit)


def told(certificate: Certificate) -> Sequence[str]:
    """Return a line for each wrong answer: theirs, ours, the clause, and why."""
    return [
        Message(
            "{event}, {entrant}: the answer is {theirs}, and {ours} is right ({clause}). {why}",
            event=one.event,
            entrant=" ".join(filter(None, (one.line, one.entrant))),
            theirs=theirs or "nothing",
            ours=one.shown,
            clause=one.clause,
            why=one.why,
        )
        for one, theirs in certificate.wrong
    ]
