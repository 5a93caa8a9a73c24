"""Meetings, read from the results: impossible movements, how many winners there are, and which
sections are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from honours.errors import InputError
from honours.model import Event, Result, Session
from honours.model.message import Message, mark, plural
from honours.scoring.scored import Side, is_played


@dataclass(frozen=True, slots=True)
class Clash:
    """Lines that cannot all be true: ``what`` is impossible, shown by ``lines``."""

    what: Message
    lines: tuple[Result, ...]
    entrant: str
    repeated_board: bool = False


@dataclass(frozen=True, slots=True)
class WinnersProposal:
    """The number of winners the seating suggests, and why; for the user to confirm."""

    winners: int
    reason: Message
    one_winner: tuple[str, ...] = ()
    """The sections that have one winner, where others have two."""


def clashes(session: Session) -> list[Clash]:
    """Everything impossible in a session's seating."""
    played = [result for result in session.results if is_played(result)]
    return [*_at_two_tables(played), *_board_twice(played)]


def _at_two_tables(results: Sequence[Result]) -> Iterator[Clash]:
    """Somebody at two tables at once; only looked for where rounds and tables are known."""
    seats: dict[tuple[str, int], dict[tuple[str, int], Result]] = {}
    for result in results:
        if result.round and result.table:
            for who in (*result.ns, *result.ew):
                seen = seats.setdefault((who, result.round), {})
                seen.setdefault((result.section, result.table), result)
    for (who, round_), tables in seats.items():
        if len(tables) > 1:
            places = tuple(f"{section}{table}" for section, table in tables)
            clash = Message(
                "{who} is at tables {places} in round {round}", who=who, places=places, round=round_
            )
            yield Clash(clash, tuple(tables.values()), who)


def _board_twice(results: Sequence[Result]) -> Iterator[Clash]:
    met: dict[tuple[str, int], list[Result]] = {}
    for result in results:
        for who in (*result.ns, *result.ew):
            met.setdefault((who, result.board), []).append(result)
    for (who, board), lines in met.items():
        # The very same line twice is a duplicate, and reported as that.
        if len({(line.ns, line.ew) for line in lines}) > 1:
            clash = Message(
                "{who} plays board {board} {count} times", who=who, board=board, count=len(lines)
            )
            yield Clash(clash, tuple(lines), who, repeated_board=True)


def directions(event: Event) -> dict[str, Side]:
    """The side on which each entrant played most of its boards."""
    return {who: Side.EW if ew > ns else Side.NS for who, (ns, ew) in _seats(event).items()}


def _seats(event: Event) -> dict[str, tuple[int, int]]:
    """The number of lines each entrant has North-South and East-West."""
    ns, ew = Counter[str](), Counter[str]()
    for session in event.sessions:
        for result in session.results:
            ns.update(result.ns)
            ew.update(result.ew)
    return {who: (ns[who], ew[who]) for who in dict.fromkeys((*ns, *ew))}


def propose_winners(event: Event) -> WinnersProposal:
    """Two winners where every pair kept its direction throughout, one where they changed; in
    sections of both kinds each by itself."""
    if event.kind != "pairs":
        kind = Message("teams") if event.kind == "teams" else Message("individual")
        return WinnersProposal(1, Message("{kind} events have one ranking", kind=kind))
    seats = _seats(event)
    moved = sorted(who for who, (ns, ew) in seats.items() if ns and ew)
    if not moved:
        kept = Message("every pair kept its direction, so the lines never compare")
        return WinnersProposal(2, kept)
    if one_winner := sections_that_moved(event):
        reason = Message(
            "in {moved} pairs played in both directions, in {kept} none did",
            moved=_named(one_winner),
            kept=_named(sorted(_sections(event) - {*one_winner})),
        )
        return WinnersProposal(2, reason, one_winner)
    some = ", ".join(moved[:3]) + (" …" if len(moved) > 3 else "")
    reason = Message(
        "{moved} of {all} pairs played in both directions ({some})",
        moved=len(moved),
        all=len(seats),
        some=some,
    )
    return WinnersProposal(1, reason)


def hangs_on_one_table(event: Event) -> tuple[str, ...]:
    """The pairs who alone changed direction, at one table of one round; then a line may be swapped,
    and one winner is no conclusion. Nobody where more did, or where few kept theirs."""
    if event.kind != "pairs" or event.swiss:
        return ()
    seats = _seats(event)
    moved = {who for who, (ns, ew) in seats.items() if ns and ew}
    turned = {
        (session.number, result.round, result.section, result.table)
        for session in event.sessions
        for result in session.results
        for side, people in ((0, result.ns), (1, result.ew))
        for who in people
        if who in moved and seats[who][side] <= seats[who][1 - side]
    }
    return tuple(sorted(moved)) if len(turned) == 1 and len(moved) < len(seats) / 2 else ()


NAMED_WHERE_OTHERS_HAVE_TWO = mark(
    "sections with one winner are named where the others have two winners"
)
ONE_WINNER = "one_winner_sections"
"""The fact of an event that names the sections with one winner, where others have two."""


def one_winner_sections(event: Event) -> tuple[str, ...]:
    """The sections of an event that have one winner where others have two: as the event says; or
    as its results show, where it says nothing or only has the others' pairs in lines."""
    named = [name.strip() for name in str(event.facts.get(ONE_WINNER, "")).split(",")]
    if any(named):
        return checked_sections(event, named)
    if event.kind != "pairs" or event.swiss or event.winners == 1:
        return ()
    moved = sections_that_moved(event)
    in_lines = {e.section for e in event.entrants if e.line}
    is_given = event.winners == 2 and (not in_lines or in_lines & {*moved})
    return () if is_given else moved


def checked_sections(event: Event, named: Sequence[str]) -> tuple[str, ...]:
    """The sections with one winner that somebody names; InputError for one that there is not, and
    where none is left with two."""
    known = _sections(event)
    wrong = [name for name in named if name not in known]
    if wrong:
        raise InputError(
            "{section!r} is no section of the event; it has {known}",
            section=wrong[0],
            known=", ".join(sorted(known - {""})) or "none",
        )
    if not known - {*named}:
        raise InputError("every section is said to have one winner: that is winners=1")
    return tuple(sorted({*named}))


def sections_that_moved(event: Event) -> tuple[str, ...]:
    """The sections in which pairs played in both directions, where there are others in which
    every pair kept its own; nothing where all are alike."""
    seats = _seats(event)
    moved = {e.section for e in event.entrants if all(seats.get(e.entrant.id, (0, 0)))}
    return tuple(sorted(moved)) if _sections(event) - moved else ()


def _sections(event: Event) -> set[str]:
    return {e.section for e in event.entrants}


def _named(sections: Sequence[str]) -> Message:
    names = ", ".join(sections)
    return plural("section {names}", "sections {names}", count=len(sections), names=names)


# --- which sections are compared ---------------------------------------------------------------


SECTIONS_APART = "sections_apart"
"""The fact of an event that says its sections are compared and ranked each by itself."""


@dataclass(frozen=True, slots=True)
class SectionGroups:
    """``groups`` are the sections that meet one field; one that is in none is a field by itself.

    Without groups they are one field, or with ``apart`` a field each.
    """

    apart: bool = False
    groups: tuple[tuple[str, ...], ...] = ()

    def field_of(self, section: str) -> str:
        """The name of the field a section's results are compared in; empty where all are one."""
        if not self.groups:
            return section if self.apart else ""
        group = next((group for group in self.groups if section in group), (section,))
        return "+".join(group)


def comparison(event: Event, apart: bool, chosen: str) -> SectionGroups:
    """As the organiser says (``A+B,C``), else as the file does, else all together."""
    if apart or (are_apart(event) and not chosen):
        return SectionGroups(apart=True)
    as_written = chosen or str(event.facts.get("compared", ""))
    groups = tuple(
        tuple(name.strip() for name in group.split("+") if name.strip())
        for group in as_written.split(",")
        if group.strip()
    )
    if chosen:
        _check(event, [name for group in groups for name in group])
    return SectionGroups(groups=groups if len(groups) > 1 else ())


def are_apart(event: Event) -> bool:
    """True if the event itself says that its sections are apart."""
    return event.facts.get(SECTIONS_APART) == "yes"


def _check(event: Event, named: list[str]) -> None:
    known = {result.section for session in event.sessions for result in session.results} - {""}
    wrong = [name for name in named if name not in known or named.count(name) > 1]
    if wrong:
        raise InputError(
            "sections compared: {wrong!r} is named twice or is no section of the "
            "event; it has {known}",
            wrong=wrong[0],
            known=", ".join(sorted(known)) or "none",
        )
