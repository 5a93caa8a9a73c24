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
from honours.formats.acblscore.codes import COLOURS, EVENT_TYPES, MOVEMENTS, RATINGS, SCORINGS
from honours.formats.acblscore.heap import CENT, Heap, Record
from honours.formats.acblscore.sections import GameSection, read_section
from honours.model.message import Message

MAGIC = b"\x12\x0a\x03AC3"
EVENT_SLOTS, SECTION_SLOTS, MOST_STRATA = 50, 100, 3


@dataclass(frozen=True, slots=True)
class Colour:
    """How much of an award has a colour: a percentage, and in club games a limit."""

    percent: Fraction
    limit: Fraction
    colour: str


@dataclass(frozen=True, slots=True)
class Stratum:
    """One of an event's strata, the first being everybody."""

    letter: str
    least: int
    limit: int
    factor: Fraction
    m_event: Fraction
    m_session: Fraction
    open_percent: int
    life_masters: int
    entries: int
    tables: int
    first_award: Fraction
    depth: int
    table_basis: int
    ribbon: int
    ribbon_depth: int
    overall: tuple[Colour, ...]
    session: tuple[Colour, ...]
    section: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class GameEvent:
    """An event of the file; ``groups`` are its sections by what is scored, then ranked together."""

    slot: int
    name: str
    session_name: str
    director: str
    sanction: str
    date: str
    club: str
    club_number: str
    code: str
    qualifying_code: str
    rating: int
    session: int
    sessions: int
    club_session: int
    club_game: int
    by_average: bool
    consolation: int
    continuous: int
    seniors: int
    not_acbl: int
    p_factor: Fraction
    s_factor: Fraction
    t_factor: Fraction
    award_revision: int
    added_entries: int
    hand_set: str
    game_fee: Fraction
    table_fee: Fraction
    charity_fee: Fraction
    charity: str
    changed: datetime | None
    strata: tuple[Stratum, ...]
    sections: tuple[GameSection, ...]
    groups: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def tournament(self) -> bool:
        return self.club_session == 0

    @property
    def rating_name(self) -> str:
        return RATINGS.get(self.rating) or Message("rating {code}", code=self.rating)


@dataclass(frozen=True, slots=True)
class GameFile:
    """A whole file."""

    version: Fraction
    version_needed: Fraction
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
    status: int
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
    version, needed = (master.u16(offset) * CENT for offset in (0x9DB, 0x9E1))
    return GameFile(version, needed, master.stamp(0x9DD), events)


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
        part.u8(0x0E),
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
        slot=slot,
        name=e.text(0x004, 25),
        session_name=e.text(0x01E, 13),
        director=e.text(0x02C, 16),
        sanction=e.text(0x03D, 10),
        date=e.text(0x048, 19),
        club=e.text(0x05C, 25),
        club_number=e.text(0x0B0, 6),
        code=e.text(0x076, 4),
        qualifying_code=e.text(0x0C5, 4),
        rating=e.u8(0x088),
        session=e.u8(0x08C),
        sessions=e.u8(0x09F),
        club_session=e.u8(0x095),
        club_game=e.u8(0x0A1),
        by_average=bool(e.u8(0x2C8)),
        consolation=e.u8(0x0A0),
        continuous=e.u8(0x0CE),
        seniors=e.u8(0x251),
        not_acbl=e.u8(0x2CA),
        p_factor=Fraction(e.u16(0x07D), 1000),
        s_factor=e.u16(0x24F) * CENT,
        t_factor=Fraction(e.u16(0x083), 1000),
        award_revision=e.u8(0x254),
        added_entries=e.u8(0x255),
        hand_set=e.text(0x244, 8),
        game_fee=e.real48(0x275),
        table_fee=e.real48(0x27B),
        charity_fee=e.real48(0x281),
        charity=e.text(0x295, 50),
        changed=e.stamp(0x0B7),
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
    counts = event.part(0x20F + 20 * number, 4, part.what)
    return Stratum(
        letter=part.char(0x22).strip() or str(number + 1),
        least=part.u16(0x1E),
        limit=part.u16(0x20),
        factor=Fraction(part.u32(0x14), 10000),
        m_event=part.real48(0x24),
        m_session=part.real48(0x2A),
        open_percent=part.u8(0x23),
        life_masters=event.i8(0x1F7 + number),
        entries=counts.u16(2),
        tables=counts.u16(0),
        first_award=part.u16(0x10) * CENT,
        depth=part.u16(0x18),
        table_basis=part.u16(0x1A),
        ribbon=part.u8(0x12),
        ribbon_depth=part.u8(0x13),
        overall=tuple(_colours(part.part(0x32, 15, part.what))),
        session=tuple(_colours(part.part(0x41, 15, part.what))),
        section=tuple(_colours(part.part(0x50, 15, part.what))),
    )


def _colours(part: Record) -> Iterator[Colour]:
    for n in range(3):
        percent = part.u16(2 * n) * CENT
        if not percent:
            return
        yield Colour(percent, part.u16(6 + 2 * n) * CENT, COLOURS.get(part.u8(12 + n), ""))


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
        yield read_section(heap, details, summary.letter, summary.boards, summary.status, strata)


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
