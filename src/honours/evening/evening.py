"""An evening as it stands: its plan and everything done since; an evening is never modified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from honours.errors import InputError
from honours.evening.board_lines import BoardLine, BoardPlace
from honours.evening.plan import EveningPlan, Round, TableRound
from honours.evening.sections import section_of, table_name
from honours.model import Board, Player
from honours.model.message import Message

_NONE: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Evening:
    """The state of an evening. ``number`` counts the acts of the journal; ``keys`` are those
    that clients gave at a table, each with the number and a digest of its act. ``started``
    says when each round began; ``rulings`` are written as in a rulings file. ``generation``
    grows when the tables' codes are renewed; ``file`` is the digest of a watched evening's
    file."""

    id: str
    plan: EveningPlan
    number: int = 1
    rounds: tuple[Round, ...] = ()
    names: Mapping[str, tuple[Player, ...]] = field(default_factory=lambda: _NONE)
    teams: Mapping[str, str] = field(default_factory=lambda: _NONE)
    """What teams are called."""
    lines: Mapping[BoardPlace, BoardLine] = field(default_factory=lambda: _NONE)
    keys: Mapping[tuple[str, str], tuple[int, str]] = field(default_factory=lambda: _NONE)
    started: Mapping[int, str] = field(default_factory=lambda: _NONE)
    calls: Mapping[int, str] = field(default_factory=lambda: _NONE)
    rulings: tuple[Mapping[str, Any], ...] = ()
    deals: Mapping[int, Board] = field(default_factory=lambda: _NONE)
    generation: int = 1
    file: str = ""
    file_name: str = ""
    ended: str = ""
    ended_by: str = ""
    event: str = ""
    settled: bool = False
    devices: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    """What table devices were told, and up to where what they sent was taken; empty if none were
    started."""
    strays: tuple[Mapping[str, Any], ...] = ()
    """Results that devices sent for boards that are not played where they say."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """All entrants, in the order of their numbers."""
        seated = {who for one in self.rounds for seats in one for who in seats.entrants}
        return tuple(sorted(seated | set(self.names), key=_by_number))

    @property
    def tables(self) -> tuple[int, ...]:
        return tuple(sorted({seats.table for one in self.rounds for seats in one}))

    def table_name(self, table: int) -> str:
        """Return the name of a table: ``7``, or ``B2`` where there are sections."""
        return table_name(self.plan.sections, table)

    def section_of(self, table: int) -> str:
        """The section that a table is in, or the whole evening's if there is only one."""
        return section_of(self.plan.sections, table) or self.plan.section

    @property
    def boards(self) -> tuple[int, ...]:
        """Every board in play."""
        return tuple(sorted({b for one in self.rounds for seats in one for b in seats.boards}))

    def seats(self, number: int) -> Round:
        """The tables of a round."""
        if not 1 <= number <= len(self.rounds):
            raise InputError("there is no round {round}", round=number)
        return self.rounds[number - 1]

    def at_table(self, number: int, table: int) -> tuple[TableRound, ...]:
        """Return who sits at a table in a round; several entries if some boards are turned."""
        return tuple(seats for seats in self.seats(number) if seats.table == table)

    def seated(self, place: BoardPlace) -> TableRound:
        """Return who plays a board at a table; an InputError says where it is played instead."""
        for seats in self.at_table(place.round, place.table):
            if place.board in seats.boards and seats.is_played:
                return seats
        elsewhere = [
            number
            for number in range(1, len(self.rounds) + 1)
            for seats in self.at_table(number, place.table)
            if place.board in seats.boards
        ]
        if elsewhere:
            message = Message(
                "board {board} is played at table {table} in round {other}, not in round {round}",
                board=place.board,
                table=self.table_name(place.table),
                other=tuple(elsewhere),
                round=place.round,
            )
            raise InputError(message)
        message = Message(
            "board {board} is not played at table {table}",
            board=place.board,
            table=self.table_name(place.table),
        )
        raise InputError(message)

    def places(self) -> Iterator[tuple[BoardPlace, TableRound]]:
        """Every board at every table where it is to be played."""
        for number, one in enumerate(self.rounds, 1):
            for seats in one:
                if seats.is_played:
                    for board in seats.boards:
                        yield BoardPlace(number, seats.table, board), seats

    def line(self, place: BoardPlace) -> BoardLine | None:
        """Return the line that holds for a board at a table, if anything was entered."""
        line = self.lines.get(place)
        return line if line and line.is_there else None

    def is_complete(self, number: int, table: int) -> bool:
        """Return whether everything in a round at a table has been entered and confirmed."""
        boards = [b for s in self.at_table(number, table) if s.is_played for b in s.boards]
        lines = (self.line(BoardPlace(number, table, board)) for board in boards)
        return all(line is not None and line.is_settled for line in lines)

    def round_at(self, table: int) -> int:
        """The round a table is at: its first incomplete one, otherwise the last. A table that
        sits out is not ahead of the room until something is entered there."""
        numbers = range(1, len(self.rounds) + 1)
        first = next((n for n in numbers if not self.is_complete(n, table)), len(self.rounds))
        return self.current if first > self.current and self._waits(table) else first

    def _waits(self, table: int) -> bool:
        """Return whether a table sits out the current round and has not entered for a later one."""
        if any(seats.is_played for seats in self.at_table(self.current, table)):
            return False
        return self.last_entered(table) <= self.current

    def last_entered(self, table: int) -> int:
        """The last round for which a table has entered something; 0 if for none."""
        there = (p.round for p, line in self.lines.items() if p.table == table and line.is_there)
        return max(there, default=0)

    @property
    def current(self) -> int:
        """The round that the director started last; the first round if none has been started."""
        return max(self.started, default=1)

    def title_of(self, who: str) -> str:
        """The names of an entrant, or its number."""
        players = self.names.get(who, ())
        return (
            self.teams.get(who)
            or " & ".join(player.name for player in players if player.name)
            or who
        )


def _by_number(who: str) -> tuple[str, int, str]:
    """Pair 2 before pair 10, and A10 before B1."""
    letters = who.rstrip("0123456789")
    return letters, int(who[len(letters) :] or 0), who
