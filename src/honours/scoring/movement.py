"""Who met whom, read from the results: impossible movements, and how many winners there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.model.message import Message
from honours.scoring.sides import Side, is_played

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from honours.model import Event, Result, Session


@dataclass(frozen=True, slots=True)
class Clash:
    """Lines that cannot all be true: ``what`` is impossible, shown by ``lines``."""

    what: Message
    lines: tuple[Result, ...]
    entrant: str
    repeated_board: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """How many winners the seating suggests, and why; for the user to confirm."""

    winners: int
    reason: Message


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
    """How many lines each entrant has North-South and East-West."""
    ns, ew = Counter[str](), Counter[str]()
    for session in event.sessions:
        for result in session.results:
            ns.update(result.ns)
            ew.update(result.ew)
    return {who: (ns[who], ew[who]) for who in dict.fromkeys((*ns, *ew))}


def propose_winners(event: Event) -> Proposal:
    """Two winners where every pair kept its direction throughout, one where they changed."""
    if event.kind != "pairs":
        kind = Message("teams") if event.kind == "teams" else Message("individual")
        return Proposal(1, Message("{kind} events have one ranking", kind=kind))
    seats = _seats(event)
    moved = sorted(who for who, (ns, ew) in seats.items() if ns and ew)
    if not moved:
        kept = Message("every pair kept its direction, so the lines never compare")
        return Proposal(2, kept)
    some = ", ".join(moved[:3]) + (" …" if len(moved) > 3 else "")
    reason = Message(
        "{moved} of {all} pairs played in both directions ({some})",
        moved=len(moved),
        all=len(seats),
        some=some,
    )
    return Proposal(1, reason)
