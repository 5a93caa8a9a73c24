"""ACBLscore game files: a heap of records that pointers lead to, read into events.

Every access is checked against the record's own length, every record against the file, and no two
records may share a byte: a damaged file is refused, and reading costs no more than its size. Only
what the file's description proves is read; kinds of game nobody has seen a file of (teams,
individuals, IMPs, handicaps, manual movements …) are refused, and the error says so. Facts of an
event are named as rulebooks ask for them.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from honours.errors import FileProblem
from honours.formats.entrants import EW, NS, EntrantKey, unique_ids
from honours.formats.format import Format, head
from honours.formats.reading import MEGABYTE, read_bytes
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message
from honours.scoring.award_lists import COLUMNS

_DECLARED = tomllib.loads(files(__package__).joinpath("acblscore.toml").read_text("utf-8"))
_LAYOUTS = _DECLARED["layout"]


def _codes(name: str) -> Mapping[int, str]:
    return {int(code): word for code, word in _DECLARED[name].items()}


EVENT_TYPES, SCORINGS, RATINGS, MOVEMENTS, COLOURS = map(
    _codes, ("types", "scorings", "ratings", "movements", "colours")
)
CLASSES, NEAREST_CLASSES, GAMES, MEMBERSHIP = map(
    _codes, ("classes", "nearest_classes", "games", "membership")
)
COLOUR_WORDS = {"B": "black", "S": "silver", "R": "red", "G": "gold", "P": "platinum"}


# --- facts -------------------------------------------------------------------------------------


_OF_STRATA = ("limit", "limit_b", "limit_c")


def facts_of_rating(rating: int) -> dict[str, Value]:
    """The class, where the ACBL's lists of factors have the game's rating or one near it, and what
    is played for at a club."""
    facts: dict[str, Value] = {}
    rated = CLASSES.get(rating) or NEAREST_CLASSES.get(rating)
    if rated:
        facts["class"] = rated
    if rating in GAMES:
        facts["game"] = GAMES[rating]
    return facts


def facts_of_limits(strata: Sequence[tuple[str, Fraction]]) -> dict[str, Value]:
    """The upper limits of a game and of its strata, the top one first; nought is none."""
    limits = [limit for _, limit in strata]
    named = zip(_OF_STRATA, limits, strict=False)
    facts: dict[str, Value] = {name: limit for name, limit in named if limit}
    for name, limit in strata:
        if limit and len(limits) > 1:
            facts[f"stratum_limit.{name}"] = limit
    if len(limits) > 1 and all(limits[1:]):
        facts["lowest_limit"] = min(limits[1:])
    return facts


# --- the heap ----------------------------------------------------------------------------------


MASTER_LENGTH = 2580
CENT = Fraction(1, 100)


class Record:
    """The bytes of one record, and what they are called in messages."""

    def __init__(self, heap: Heap, start: int, length: int, what: str) -> None:
        self._heap, self._start, self._length, self.what = heap, start, length, what

    def __len__(self) -> int:
        return self._length

    def part(self, offset: int, length: int, what: str) -> Record:
        """A record inside this one."""
        self._at(offset, length)
        return Record(self._heap, self._start + offset, length, what)

    def _at(self, offset: int, length: int) -> int:
        if offset < 0 or offset + length > self._length:
            raise self.problem(
                Message("{length} bytes long", length=self._length),
                Message("at least {offset}", offset=offset + length),
            )
        return self._start + offset

    def problem(self, found: str, expected: str = "") -> FileProblem:
        return FileProblem(
            self._heap.path, "{what}: {given}", expected, what=self.what, given=found
        )

    def raw(self, offset: int, length: int) -> bytes:
        start = self._at(offset, length)
        return self._heap.data[start : start + length]

    def number(self, kind: str, offset: int) -> int:
        """A number of a kind: ``u16`` has sixteen bits, ``i16`` a sign."""
        return int.from_bytes(self.raw(offset, int(kind[1:]) // 8), "little", signed=kind[0] == "i")

    def read(self, layout: str, **more: Any) -> Any:
        """The figures and texts of a record by their names."""
        fields = {name: self._field(*how.split()) for name, how in _LAYOUTS[layout].items()}
        return SimpleNamespace(**fields, **more)

    def _field(self, kind: str, where: str, longest: str = "") -> int | str | Fraction:
        offset = int(where, 16)
        if kind == "text":
            return self.text(offset, int(longest))
        if kind == "char":
            return chr(code) if (code := self.number("u8", offset)) else ""
        if kind == "flag":
            return bool(self.number("u8", offset))
        return self.number(kind[1:], offset) * CENT if kind[0] == "c" else self.number(kind, offset)

    def text(self, offset: int, longest: int) -> str:
        """A text with its length before it; what follows it are remains of others."""
        length = self.number("u8", offset)
        if length > longest:
            raise self.problem(
                Message("a text of {length} characters", length=length),
                Message("at most {longest}", longest=longest),
            )
        return self.raw(offset + 1, length).decode("latin-1").replace("\0", "")

    def stamp(self, offset: int) -> datetime | None:
        """A time as MS-DOS keeps it; ``None`` where it is no time."""
        time, day = self.number("u16", offset), self.number("u16", offset + 2)
        try:
            return datetime(  # noqa: DTZ001 - the file has local time and no zone
                1980 + (day >> 9),
                day >> 5 & 15,
                day & 31,
                time >> 11,
                time >> 5 & 63,
                2 * (time & 31),
            )
        except ValueError:
            return None


class Heap:
    """A file's bytes, and which of them were taken for a record."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data = path, data
        self._starts: list[int] = [0]
        self._ends: list[int] = [MASTER_LENGTH]
        if len(data) < MASTER_LENGTH:
            raise FileProblem(
                path, "{count} bytes, cut short", "a whole ACBLscore file", count=len(data)
            )

    def master(self) -> Record:
        return Record(self, 0, MASTER_LENGTH, "its master table")

    def record(self, pointer: int, what: str, length: int = 0) -> Record:
        """The record at a pointer, of the given length where that is known."""
        size = len(self.data)
        if pointer < MASTER_LENGTH or pointer % 2 or pointer + 4 > size:
            raise self._bad(what, Message("a pointer to byte {pointer}", pointer=pointer))
        whole = int.from_bytes(self.data[pointer : pointer + 2], "little") + 2
        if whole < 4 or pointer + whole > size:
            raise self._bad(
                what,
                Message(
                    "{whole} bytes at {pointer} of {size}", whole=whole, pointer=pointer, size=size
                ),
            )
        if length and whole != length:
            raise self._bad(what, Message("{whole} bytes long", whole=whole), f"{length}")
        self._take(pointer, pointer + whole, what)
        return Record(self, pointer, whole, what)

    def _take(self, start: int, end: int, what: str) -> None:
        """Note the bytes of a record; two records that share one are damage."""
        at = bisect_left(self._starts, start)
        before_ends_later = at > 0 and self._ends[at - 1] > start
        after_starts_sooner = at < len(self._starts) and self._starts[at] < end
        if before_ends_later or after_starts_sooner:
            raise self._bad(
                what, Message("bytes from {start} on belong to another record too", start=start)
            )
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def _bad(self, what: str, found: str, expected: str = "a record of its own") -> FileProblem:
        return FileProblem(self.path, "damaged: {what}: {given}", expected, what=what, given=found)


# --- sections ----------------------------------------------------------------------------------


NORTH, EAST = 1, 2
LATE, NOT_PLAYED, AVERAGE_MINUS, AVERAGE, AVERAGE_PLUS = "late", "not played", "A-", "A", "A+"
_WORDS = {900: LATE, 950: NOT_PLAYED, 2040: AVERAGE_MINUS, 2050: AVERAGE, 2060: AVERAGE_PLUS}
_NOT_HERE = 999
_FOULED = 3000
_MITCHELL_PAIRS, _HOWELL_PAIRS = 40, 80
_ENTRY, _PLAYER = 0xA4, 120
_MOST_SCORE = 900


def read_section(heap: Heap, details: Record, letter: str, boards: int, strata: int) -> Any:
    """Everything a section's details lead to."""
    section = details.read("section", letter=letter)
    section.howell = section.movement == 1
    length = _HOWELL_PAIRS if section.howell else 4 * _MITCHELL_PAIRS
    if any(details.raw(0x0DD, length)):
        raise details.problem(
            Message("pair numbers were reassigned: no file with that has been seen")
        )
    section.entries = tuple(_entries(heap, details, section, strata))
    section.boards = tuple(_boards(heap, boards, letter)) if boards else ()
    return section


def _entries(heap: Heap, details: Record, section: Any, strata: int) -> Iterator[Any]:
    """The pairs of a section, phantoms left out; ``line`` is N or E in a Mitchell."""
    indexes = {
        direction: heap.record(
            pointer,
            Message(
                "section {letter}, the index of {side}",
                letter=section.letter,
                side="NE"[direction - 1],
            ),
        )
        for direction in (NORTH, EAST)
        if (pointer := details.number("u32", 4 * direction))
    }
    for number, direction, table, line in _numbered(details, section):
        index = indexes.get(direction)
        ghost = -number if line == "E" else number
        there = index is not None and 1 <= table <= index.number("u16", 0x06)
        if index is None or not there or ghost == section.phantom:
            continue
        if pointer := index.number("u32", 0x14 + 8 * (table - 1) + 4):
            pair = f"{number}{line}"
            what = Message("section {section}, pair {pair}", section=section.letter, pair=pair)
            yield _entry(heap.record(pointer, what), number, line, strata)


def _numbered(details: Record, section: Any) -> Iterator[tuple[int, int, int, str]]:
    """Each pair number with its direction and table at the start, and its line in a Mitchell."""
    most = _HOWELL_PAIRS if section.howell else _MITCHELL_PAIRS
    if section.highest > most:
        raise details.problem(
            Message("pair numbers up to {highest}", highest=section.highest),
            Message("at most {most}", most=most),
        )
    for number in range(1, section.highest + 1):
        if section.howell:
            at = 0x0DD + _HOWELL_PAIRS + 2 * (number - 1)
            yield number, details.number("u8", at + 1), details.number("u8", at), ""
        else:
            for side, line in ((0, "N"), (1, "E")):
                at = 0x0DD + 4 * _MITCHELL_PAIRS + 4 * (number - 1) + side
                yield number, side + 1, details.number("u8", at), line


def _entry(e: Record, number: int, line: str, strata: int) -> Any:
    """A pair with its places, awards (before, in this session's section, altogether) and
    players."""
    ranks = (e.part(0x5E + 20 * n, 20, e.what).read("rank", stratum=n + 1) for n in range(strata))
    people = range(_ENTRY, len(e) - _PLAYER + 1, _PLAYER)
    return e.read(
        "entry",
        number=number,
        line=line,
        ranks=tuple(r for r in ranks if r.qualified or r.rank),
        players=tuple(e.part(at, _PLAYER, e.what).read("player") for at in people),
        **{
            name: tuple(_awards(e, 0x34 + 12 * n))
            for n, name in enumerate(("previous", "current", "total"))
        },
    )


def _awards(e: Record, offset: int) -> Iterator[Any]:
    cells = (e.part(at, 4, e.what).read("award") for at in range(offset, offset + 12, 4))
    return takewhile(lambda cell: cell.points, cells)


# --- what they played -------------------------------------------------------------------------


def _boards(heap: Heap, pointer: int, letter: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The boards of a section with their lines."""
    index = heap.record(
        pointer, Message("section {letter}, the index of its boards", letter=letter)
    )
    for slot in range(index.number("u16", 0x04)):
        at = 0x26 + 8 * slot
        number, board = index.number("u8", at), index.number("u32", at + 4)
        if board:
            what = Message("section {section}, board {board}", section=letter, board=number)
            record = heap.record(board, what)
            yield number, tuple(_lines(record))


def _lines(board: Record) -> Iterator[Any]:
    """The results of a board; a side that was not there has no line."""
    units = board.number("u8", 0x04)
    if units != 2:
        raise board.problem(
            Message("{units} sides a line", units=units),
            Message("2: nothing but pairs has been seen"),
        )
    for n in range(board.number("u8", 0x05)):
        at = 0x06 + 18 * n
        ns, ew = (board.part(at + side, 8, board.what).read("side") for side in (2, 10))
        if _NOT_HERE not in (ns.code, ew.code):
            yield SimpleNamespace(
                round=board.number("u8", at),
                table=board.number("u8", at + 1),
                ns=_side(board, ns),
                ew=_side(board, ew),
            )


def _side(board: Record, side: Any) -> Any:
    """A side with its score in points, or the word that stands in its place."""
    scored = -_MOST_SCORE < side.code < _MOST_SCORE
    side.score, side.word = side.code * 10 if scored else None, _WORDS.get(side.code, "")
    if side.code >= _FOULED:
        raise board.problem(
            Message("a fouled board: no file with one has been seen, so it is not read")
        )
    if not scored and not side.word:
        raise board.problem(
            Message("a score of code {code}", code=side.code),
            Message("a score, an average, late or not played"),
        )
    return side


# --- the file ----------------------------------------------------------------------------------


MAGIC = b"\x12\x0a\x03AC3"
EVENT_SLOTS, SECTION_SLOTS, MOST_STRATA = 50, 100, 3


def is_game(head: bytes) -> bool:
    return head.startswith(MAGIC)


def read_game(path: str, data: bytes) -> Any:
    """Take a file apart; a FileProblem names what is damaged or of a kind not known."""
    heap = Heap(path, data)
    master = heap.master()
    size = master.number("u32", 0x006)
    if size != len(data):
        how = "cut short" if len(data) < size else "grown"
        raise FileProblem(
            path,
            "{count} bytes, {how}",
            "{size}, as it says itself",
            count=len(data),
            how=how,
            size=size,
        )
    summaries = [_summary(master, slot) for slot in range(1, SECTION_SLOTS + 1)]
    events = tuple(
        _event(heap, master, slot, [s for s in summaries if s.event == slot])
        for slot in range(1, EVENT_SLOTS + 1)
        if master.number("u32", 0x012 + 4 * (slot - 1))
    )
    if not events:
        raise FileProblem(path, "an ACBLscore file without an event", "at least one game in it")
    version = master.number("u16", 0x9DB) * CENT
    return SimpleNamespace(version=version, created=master.stamp(0x9DD), events=events)


def _summary(master: Record, slot: int) -> Any:
    """A section's line in the master table."""
    what = Message("the summary of section {slot}", slot=slot)
    part = master.part(0x13E + 22 * (slot - 1), 22, what)
    if not part.number("u8", 0):
        return SimpleNamespace(event=0)
    summary = part.read("summary", slot=slot)
    summary.letter = summary.letter.strip()
    return summary


def _event(heap: Heap, master: Record, slot: int, summaries: list[Any]) -> Any:
    """An event, if it is of a kind that is known; ``groups`` are its sections by what is scored,
    then ranked together."""
    what = Message("event {event}", event=slot)
    kind, scoring = (master.number("u8", at + slot - 1) for at in (0x0DA, 0x10C))
    _refuse_unseen(heap.path, what, kind, scoring)
    record = heap.record(master.number("u32", 0x012 + 4 * (slot - 1)), what, 742)
    event = record.read("event")
    if event.handicaps:
        raise FileProblem(
            heap.path, "{what}: ranked with handicaps", "a game without: not known", what=what
        )
    if not summaries:
        raise FileProblem(heap.path, "{what}: no section belongs to it", "at least one", what=what)
    if not 1 <= event.strata_count <= MOST_STRATA:
        raise record.problem(Message("{count} strata", count=event.strata_count), Message("1 to 3"))
    event.strata = tuple(_stratum(record, number) for number in range(event.strata_count))
    event.sections = tuple(_sections(heap, summaries, event.strata_count))
    event.groups = _groups(heap.path, summaries)
    event.rating_name = RATINGS.get(event.rating) or Message("rating {code}", code=event.rating)
    return event


def _refuse_unseen(path: str, what: str, kind: int, scoring: int) -> None:
    """Refuse kinds of events and of scoring that no file has been seen of."""
    if kind or scoring:
        raise FileProblem(
            path,
            "{what} is {kind}, scored by {scoring}: no file of that kind has been "
            "seen, so it is not read",
            "matchpointed pairs; export the others from ACBLscore as text",
            what=what,
            kind=EVENT_TYPES.get(kind) or Message("type {code}", code=kind),
            scoring=SCORINGS.get(scoring) or Message("scoring {code}", code=scoring),
        )


def _stratum(event: Record, number: int) -> Any:
    what = Message("stratum {number} of {event}", number=number + 1, event=event.what)
    stratum = event.part(0x0D4 + 95 * number, 95, what).read("stratum")
    stratum.letter = stratum.letter.strip() or str(number + 1)
    return stratum


def _sections(heap: Heap, summaries: list[Any], strata: int) -> Iterator[Any]:
    """The sections of an event, if their movements are of a known kind."""
    for summary in summaries:
        what = Message("section {section}", section=summary.letter)
        details = heap.record(summary.details, what, 804)
        movement = details.number("u8", 0x018)
        if movement not in (0, 1):
            name = MOVEMENTS.get(movement) or Message("movement {code}", code=movement)
            raise FileProblem(
                heap.path,
                "{what}: the movement {name}: no file with one has been seen, so it is not read",
                "a Mitchell or a Howell",
                what=what,
                name=name,
            )
        yield read_section(heap, details, summary.letter, summary.boards, strata)


def _groups(path: str, summaries: list[Any]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The sections by what is scored together, and inside it by what is ranked together."""
    known = {summary.slot: summary for summary in summaries}
    groups = []
    for scored in _chains(path, known, "scored"):
        chain = {slot: known[slot] for slot in scored}
        ranked = _chains(path, chain, "ranked")
        groups.append(tuple(tuple(known[slot].letter for slot in slots) for slots in ranked))
    return tuple(groups)


def _chains(path: str, known: dict[int, Any], kind: str) -> list[list[int]]:
    """The chains that sections make by their links; a circle is damage."""
    chains, seen = [], set()
    for slot, summary in known.items():
        if getattr(summary, f"{kind}_before") in known:
            continue
        chain, at = [], slot
        while at in known and at not in seen:
            chain.append(at)
            seen.add(at)
            at = getattr(known[at], f"{kind}_after")
        chains.append(chain)
    if len(seen) != len(known):
        raise FileProblem(
            path, "damaged: sections {kind} together in a circle", "a chain", kind=kind
        )
    return chains


# --- events ------------------------------------------------------------------------------------


LARGEST = 16 * MEGABYTE
"""The largest file seen has 43 kilobytes; a hundred full sections would have ten megabytes."""
NON_MEMBER = "NM"
_LINES = {"N": NS, "E": EW, "": ""}
_WHOLE = Fraction(1)
_PUPIL = 4
_AVERAGES = {
    AVERAGE_MINUS: ArtificialScore(Fraction(2, 5), session_rule=True),
    AVERAGE: ArtificialScore(Fraction(1, 2)),
    AVERAGE_PLUS: ArtificialScore(Fraction(3, 5), session_rule=True),
}
"""Averages as Law 12C2 means them; that ACBLscore does otherwise is for its profile to say."""

__all__ = ["is_game", "read_acblscore"]


def read_acblscore(path: str | Path) -> tuple[Event, ...]:
    """Every game of a file; damaged ones and kinds nobody has seen are a FileProblem."""
    game = read_game(str(path), read_bytes(path, LARGEST))
    return tuple(_as_event(str(path), game, event) for event in game.events)


def _as_event(path: str, game: Any, event: Any) -> Event:
    """A game in the model."""
    seatings = {
        EntrantKey(section.letter, str(entry.number), _LINES[entry.line]): (section, entry)
        for section in event.sections
        for entry in section.entries
    }
    seats = _Seats(path, event, unique_ids(seatings))
    entrants = tuple(seats.entrant(seating, entry) for seating, (_, entry) in seatings.items())
    results = tuple(line for section in event.sections for line in seats.results(section))
    if not results:
        raise FileProblem(
            path, "{name}: no results in it", "a game that was scored by board", name=event.name
        )
    penalties = tuple(
        Penalty(seats.ids[seating], -entry.adjustment, "matchpoints")
        for seating, (_, entry) in seatings.items()
        if entry.adjustment
    )
    return Event(
        title=event.name.strip() or Path(path).stem,
        kind="pairs",
        scoring="matchpoints",
        entrants=entrants,
        sessions=(Session(max(event.session, 1), results, penalties=penalties),),
        winners=1 if all(section.howell for section in event.sections) else 2,
        date=_day(event, game),
        club=event.club.strip(),
        program=f"ACBLscore {float(game.version):.2f}",
        facts=_facts(event),
        source=Source(path),
    )


def _day(event: Any, game: Any) -> date | None:
    """The day in words; where that was left out, the day the file was made."""
    for form in ("%B %d, %Y", "%b %d, %Y"):
        try:
            return datetime.strptime(event.date.strip(), form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    return game.created.date() if game.created else None


def _facts(event: Any) -> dict[str, Value]:
    """Facts of the game as the file states them: in the words of rulebooks, then in its own."""
    limits = [Fraction(stratum.limit) for stratum in event.strata]
    strata = list(zip(strata_names(event), limits, strict=True))
    asked = {**_what_it_is(event), **facts_of_limits(strata)}
    own: dict[str, Value] = {
        "rated": event.rating_name,
        "session": Fraction(event.session),
        "compared": ", ".join("+".join("+".join(r) for r in scored) for scored in event.groups),
        "ranked": ", ".join("+".join(r) for scored in event.groups for r in scored),
        "programme": Fraction(max(section.maximum for section in event.sections)),
        "stratified_by": "average" if event.by_average else "highest",
        COLUMNS: ", ".join(asked),
    }
    unknown = sum(not p.holding for s in event.sections for e in s.entries for p in e.players)
    if unknown:
        own["holdings_unknown"] = Fraction(unknown)
    if event.rating in NEAREST_CLASSES:
        own["class_nearest"] = event.rating_name
    howells = [section.letter for section in event.sections if section.howell]
    if 0 < len(howells) < len(event.sections):
        own["one_winner_sections"] = ", ".join(howells)
    if event.club_number.strip():
        own["club_number"] = event.club_number.strip()
    return {**asked, **own}


def _what_it_is(event: Any) -> dict[str, Value]:
    """Facts of the game that rulebooks ask for, by its rating and kind."""
    facts: dict[str, Value] = {"sessions": Fraction(max(event.sessions, 1))}
    facts |= facts_of_rating(event.rating)
    if "game" in facts:
        entries = (entry for section in event.sections for entry in section.entries)
        overall = any(rank.overall_place for entry in entries for rank in entry.ranks)
        facts["ranked_overall"] = "yes" if overall else "no"
        facts["pupils"] = "yes" if event.club_game == _PUPIL else "no"
        facts["membership"] = MEMBERSHIP.get(event.club_game, "open")
        facts["added_tables"] = Fraction(event.added_entries // 2)
    return facts


def strata_names(event: Any) -> tuple[str, ...]:
    """The names of the strata: their letters where these tell them apart, in their order."""
    letters = tuple(stratum.letter for stratum in event.strata)
    in_order = list(letters) == sorted(set(letters))
    return letters if in_order else tuple(str(n + 1) for n in range(len(letters)))


@dataclass(frozen=True, slots=True)
class _Seats:
    """An event's pairs by where they sit, on the way into the model."""

    path: str
    event: Any
    ids: Mapping[EntrantKey, str]

    def entrant(self, seating: EntrantKey, entry: Any) -> EventEntrant:
        return EventEntrant(
            Entrant(self.ids[seating], tuple(_players(entry))),
            seating.number,
            seating.line,
            seating.section,
            self._stratum(entry),
            carried=entry.carry,
            published=_published(entry, strata_names(self.event)),
        )

    def _stratum(self, entry: Any) -> str:
        names = strata_names(self.event)
        return names[entry.stratum - 1] if 1 <= entry.stratum <= len(names) > 1 else ""

    def results(self, section: Any) -> Iterator[Result]:
        for board, lines in section.boards:
            for line in lines:
                yield self._result(section, board, line)

    def _result(self, section: Any, board: int, line: Any) -> Result:
        """A line in the model, by the ids of its pairs."""
        sides = [
            self._id(section, side, "" if section.howell else name)
            for side, name in ((line.ns, NS), (line.ew, EW))
        ]
        score, adjusted, remark = _outcome(line)
        published: dict[str, Value] = {}
        if not remark:
            published["ns_matchpoints"] = line.ns.matchpoints
            published["ew_matchpoints"] = line.ew.matchpoints
        return Result(
            board,
            (sides[0],),
            (sides[1],),
            score=score,
            adjusted=adjusted,
            section=section.letter,
            round=line.round,
            table=line.table,
            remark=remark,
            published=published,
            source=Source(self.path),
        )

    def _id(self, section: Any, side: Any, line: str) -> str:
        """The id of a side's pair, which must be entered."""
        entrant = self.ids.get(EntrantKey(section.letter, str(side.pair), line))
        if entrant is None:
            raise FileProblem(
                self.path,
                "damaged: section {letter}: a result of pair {pair}{row}",
                "a pair that is entered",
                letter=section.letter,
                pair=side.pair,
                row=line,
            )
        return entrant


def _players(entry: Any) -> Iterator[Player]:
    """The players that are named; those of a pair that gets no award are not eligible."""
    for player in entry.players:
        if player.first.strip() or player.last.strip() or player.number.strip():
            yield _as_player(player, not entry.not_eligible)


def _as_player(player: Any, eligible: bool) -> Player:
    """A player in the model; who is no member has no number."""
    name = " ".join(part.strip() for part in (player.first, player.last) if part.strip())
    number = player.number.strip()
    # 0 is none or not known: the program takes it for none when it makes strata.
    facts: dict[str, Value] = {"masterpoints": Fraction(player.holding)}
    if not eligible:
        facts["eligible"] = "no"
    about = (("city", player.city), ("state", player.state), ("bridge_rank", player.rank))
    for key, text in about:
        if text.strip():
            facts[key] = text.strip()
    return Player(name, "" if number == NON_MEMBER else number, facts)


def _published(entry: Any, strata: Sequence[str]) -> dict[str, Value]:
    """The figures ACBLscore published of a pair; nothing of one it did not score."""
    published: dict[str, Value] = {}
    if entry.session >= 0 and entry.boards:
        published |= {
            "percentage": entry.percent,
            "total_score": entry.final if entry.carry else entry.session,
            "boards_played": Fraction(entry.boards),
        }
    for rank in entry.ranks:
        published |= _places(strata[rank.stratum - 1], rank)
        if rank.stratum == 1 and rank.rank:
            # Of those who tie only the paid places say so; the rank parts them.
            published["place"] = Fraction(rank.section_place if rank.section_last else rank.rank)
    return published | _awarded(entry)


def _places(stratum: str, rank: Any) -> dict[str, Value]:
    """An entry's places in a stratum that are more than none."""
    places = {
        f"section_place.{stratum}": rank.rank,
        f"overall_place.{stratum}": rank.overall_place,
        f"qualified.{stratum}": rank.qualified,
    }
    return {name: Fraction(place) for name, place in places.items() if place}


def _awarded(entry: Any) -> dict[str, Value]:
    """The masterpoints of an entry: in all, for what, in its section and before."""
    awarded: dict[str, Value] = {}
    for name, cells in (
        ("masterpoints", entry.total),
        ("section_masterpoints", entry.current),
        ("earlier_masterpoints", entry.previous),
    ):
        if cells:
            awarded[name] = sum((cell.points for cell in cells), Fraction(0))
    if entry.total:
        colours = (COLOUR_WORDS.get(COLOURS.get(cell.colour, ""), "") for cell in entry.total)
        awarded["masterpoint_type"] = "+".join(dict.fromkeys(colours))
        awarded["masterpoints_for"] = "overall" if entry.total[0].reason >= 10 else "section"
    return awarded


def _outcome(line: Any) -> tuple[int | None, AdjustedScore | None, str]:
    """North-South's score, or a ruling, or why there is neither."""
    ns, ew = line.ns, line.ew
    if ns.score is not None and ew.score == -ns.score:
        return ns.score, None, ""
    for side in (ns, ew):
        if side.score is None and side.word not in _AVERAGES:
            return None, None, "late play" if side.word == LATE else "not played"
    return None, AdjustedScore(_given(ns, 1), _given(ew, -1)), ""


def _given(side: Any, sign: int) -> ArtificialScore | AssignedScore:
    """A side's average, or its own score as seen by North-South."""
    if side.score is not None:
        return AssignedScore(((_WHOLE, sign * side.score),))
    return _AVERAGES[side.word]


FORMATS = (Format("acblscore", "ACBLscore game file", head(is_game), read_acblscore),)
