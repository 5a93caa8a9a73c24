"""An ACBLscore file as it stands: its events, sections, entries, results and awards.

Only what the file's description proves is read. Kinds of game nobody has seen a file of (teams,
individuals, IMPs, handicaps, manual movements …) are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from honours.errors import FileProblem
from honours.formats.acblscore.codes import EVENT_TYPES, MOVEMENTS, RATINGS, SCORINGS
from honours.formats.acblscore.heap import CENT, Heap, Record
from honours.formats.acblscore.sections import GameSection, read_section
from honours.model.message import Message

MAGIC = b"\x12\x0a\x03AC3"
EVENT_SLOTS, SECTION_SLOTS, MOST_STRATA = 50, 100, 3


@dataclass(frozen=True, slots=True)
class Stratum:
    """One of an event's strata, the first being everybody."""

    letter: str
    limit: int


@dataclass(frozen=True, slots=True)
class GameEvent:
    """An event of the file; ``groups`` are its sections by what is scored, then ranked together."""

    name: str
    date: str
    club: str
    club_number: str
    rating: int
    session: int
    sessions: int
    club_game: int
    by_average: bool
    added_entries: int
    strata: tuple[Stratum, ...]
    sections: tuple[GameSection, ...]
    groups: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def rating_name(self) -> str:
        return RATINGS.get(self.rating) or Message("rating {code}", code=self.rating)


@dataclass(frozen=True, slots=True)
class GameFile:
    """A whole file."""

    version: Fraction
    created: datetime | None
    events: tuple[GameEvent, ...]


@dataclass(frozen=True, slots=True)
class _Summary:
    """A section's line in the master table."""

    slot: int
    event: int
    letter: str
    details: int
    boards: int
    scored_after: int
    scored_before: int
    ranked_after: int
    ranked_before: int


def is_game(head: bytes) -> bool:
    return head.startswith(MAGIC)


def read_game(path: str, data: bytes) -> GameFile:
    """Take a file apart; a FileProblem names what is damaged or of a kind not known."""
    heap = Heap(path, data)
    master = heap.master()
    size = master.u32(0x006)
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
        if master.u32(0x012 + 4 * (slot - 1))
    )
    if not events:
        raise FileProblem(path, "an ACBLscore file without an event", "at least one game in it")
    return GameFile(master.u16(0x9DB) * CENT, master.stamp(0x9DD), events)


def _summary(master: Record, slot: int) -> _Summary:
    part = master.part(
        0x13E + 22 * (slot - 1), 22, Message("the summary of section {slot}", slot=slot)
    )
    event = part.u8(0)
    return _Summary(
        slot,
        event,
        part.text(0x01, 2).strip() if event else "",
        part.u32(0x04),
        part.u32(0x08),
        part.u8(0x10),
        part.u8(0x0F),
        part.u8(0x12),
        part.u8(0x11),
    )


def _event_record(heap: Heap, master: Record, slot: int, summaries: list[_Summary]) -> Record:
    """The record of an event, if it is of a kind that is known."""
    what = Message("event {event}", event=slot)
    _refuse_unseen(heap.path, what, master.u8(0x0DA + slot - 1), master.u8(0x10C + slot - 1))
    e = heap.record(master.u32(0x012 + 4 * (slot - 1)), what, 742)
    if e.i8(0x08D):
        raise FileProblem(
            heap.path, "{what}: ranked with handicaps", "a game without: not known", what=what
        )
    if not summaries:
        raise FileProblem(heap.path, "{what}: no section belongs to it", "at least one", what=what)
    return e


def _strata(e: Record) -> tuple[Stratum, ...]:
    count = e.u8(0x09E)
    if not 1 <= count <= MOST_STRATA:
        raise e.problem(Message("{count} strata", count=count), Message("1 to 3"))
    return tuple(_stratum(e, number) for number in range(count))


def _event(heap: Heap, master: Record, slot: int, summaries: list[_Summary]) -> GameEvent:
    e = _event_record(heap, master, slot, summaries)
    strata = _strata(e)
    return GameEvent(
        name=e.text(0x004, 25),
        date=e.text(0x048, 19),
        club=e.text(0x05C, 25),
        club_number=e.text(0x0B0, 6),
        rating=e.u8(0x088),
        session=e.u8(0x08C),
        sessions=e.u8(0x09F),
        club_game=e.u8(0x0A1),
        by_average=bool(e.u8(0x2C8)),
        added_entries=e.u8(0x255),
        strata=strata,
        sections=tuple(_sections(heap, summaries, len(strata))),
        groups=_groups(heap.path, summaries),
    )


def _refuse_unseen(path: str, what: str, kind: int, scoring: int) -> None:
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


def _stratum(event: Record, number: int) -> Stratum:
    what = Message("stratum {number} of {event}", number=number + 1, event=event.what)
    part = event.part(0x0D4 + 95 * number, 95, what)
    return Stratum(part.char(0x22).strip() or str(number + 1), part.u16(0x20))


def _sections(heap: Heap, summaries: list[_Summary], strata: int) -> Iterator[GameSection]:
    for summary in summaries:
        what = Message("section {section}", section=summary.letter)
        details = heap.record(summary.details, what, 804)
        movement = details.u8(0x018)
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


def _groups(path: str, summaries: list[_Summary]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The sections by what is scored together, and inside it by what is ranked together."""
    known = {summary.slot: summary for summary in summaries}
    groups = []
    for scored in _chains(path, known, "scored"):
        chain = {slot: known[slot] for slot in scored}
        ranked = _chains(path, chain, "ranked")
        groups.append(tuple(tuple(known[slot].letter for slot in slots) for slots in ranked))
    return tuple(groups)


def _chains(path: str, known: dict[int, _Summary], kind: str) -> list[list[int]]:
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
