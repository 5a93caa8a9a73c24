"""Players of a file and members of a list: by number, then by name, never by likeness alone.

Who is nearly called like a member is named for confirmation and stays unmatched until confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from honours.errors import FileProblem, InputError, UnknownName
from honours.formats.go import GoTournament
from honours.formats.members import MemberLine, MemberList
from honours.formats.names import sought
from honours.formats.opening import read_text
from honours.formats.table_standings import StandingsFile
from honours.formats.wall_lists import WallList
from honours.model import Entrant, Event, Field, Player
from honours.model.message import Message

NOBODY = ("", "-", "none")
"""Answers that say a player is no member."""
_NEAR = 0.8
_AS_MANY = 3
Content = TypeVar("Content", bound=Event | StandingsFile | GoTournament | WallList)


@dataclass(slots=True)
class Matching:
    """Finds members for players and remembers what a person must be told.

    ``confirmed`` is name or number → member number, as people answered.
    """

    members: MemberList
    day: date | None = None
    confirmed: Mapping[str, str] = field(default_factory=dict)
    near: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matched: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for told, number in self.confirmed.items():
            if number not in NOBODY and number not in self.members.members:
                raise UnknownName(
                    Message("member number (confirmed for {who})", who=told),
                    number,
                    list(self.members.members)[:20],
                )

    def player(self, player: Player) -> Player:
        """The player as the list knows them, or unchanged."""
        if not player.name and not player.number:
            return player
        number = self._number(player)
        if number is None:
            return player
        self._claim(number, player)
        line = self.members.on(number, self.day)
        if line is None:
            self._note(f"{player.name or number}: nothing in the list as early as {self.day}")
            return replace(player, number=number)
        if line.expires and self.day and line.expires < self.day:
            self._note(f"{line.name} ({number}): membership expired {line.expires}")
        for figure in sorted(self.members.figures - line.facts.keys() - {"eligible"}):
            self._note(f"{line.name} ({number}) has no {figure} in the list")
        name = player.name or line.name
        return replace(player, name=name, number=number, facts={**player.facts, **line.facts})

    def _number(self, player: Player) -> str | None:
        answers = {sought(told): number for told, number in self.confirmed.items()}
        for told in (player.name, player.number):
            answer = answers.get(sought(told)) if told else None
            if answer is not None:
                return None if answer in NOBODY else answer
        if player.number in self.members.members:
            return self._by_number(player)
        found = self.members.named(player.name) if player.name else ()
        if len(found) == 1 and not player.number:
            return found[0]
        self._propose(player, found or self._like(player))
        return None

    def _by_number(self, player: Player) -> str:
        line = self.members.latest(player.number)
        if player.name and sought(player.name) != sought(line.name):
            self._note(f"{player.number} is {player.name} in the results, {line.name} in the list")
        return player.number

    def _like(self, player: Player) -> tuple[str, ...]:
        names = {sought(self.members.latest(n).name): n for n in self.members.members}
        near = get_close_matches(sought(player.name), names, n=_AS_MANY, cutoff=_NEAR)
        return tuple(names[name] for name in near) if player.name else ()

    def _propose(self, player: Player, numbers: tuple[str, ...]) -> None:
        told = player.name or player.number
        if numbers:
            self.near[told] = numbers
        elif told not in self.unmatched:
            self.unmatched.append(told)

    def _claim(self, number: str, player: Player) -> None:
        """Two different people of a file may not be the same member."""
        who = (sought(player.name), player.number)
        first = self.matched.setdefault(number, who)
        if first[0] and who[0] and first != who:
            raise InputError(
                f"member {number} would be both {first[0]!r} and {who[0]!r}: "
                "say which with --confirm"
            )

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def report(self) -> Iterator[str]:
        """What to tell a person, a line each; near misses with the answer that confirms them."""
        yield from self.notes
        for name, numbers in self.near.items():
            for number in numbers:
                line: MemberLine = self.members.latest(number)
                yield f"{name}: {line.name} ({number})? --confirm {f'{name}={number}'!r}"
        if self.unmatched:
            yield f"not in the member list: {', '.join(self.unmatched)}"


def match(content: Content, matching: Matching) -> Content:
    """An event, standings or a go tournament with its players as the list knows them."""
    matched: Content = _MATCHED[type(content)](content, matching)
    return matched


def _entrant(entrant: Entrant, matching: Matching) -> Entrant:
    return replace(entrant, players=tuple(map(matching.player, entrant.players)))


def _event(event: Event, matching: Matching) -> Event:
    entrants = tuple(replace(e, entrant=_entrant(e.entrant, matching)) for e in event.entrants)
    return replace(event, entrants=entrants)


def _field(field: Field, matching: Matching) -> Field:
    standings = (replace(s, entrant=_entrant(s.entrant, matching)) for s in field.standings)
    return replace(field, standings=tuple(standings))


def _standings(file: StandingsFile, matching: Matching) -> StandingsFile:
    return replace(file, lists=tuple(_field(field, matching) for field in file.lists))


def _tournament(tournament: GoTournament, matching: Matching) -> GoTournament:
    players = tuple(replace(p, player=matching.player(p.player)) for p in tournament.players)
    return replace(tournament, players=players)


def _wall_list(wall: WallList, matching: Matching) -> WallList:
    return replace(
        wall, field=_field(wall.field, matching), tournament=_tournament(wall.tournament, matching)
    )


_MATCHED: Mapping[type, Callable[..., Any]] = {
    Event: _event,
    StandingsFile: _standings,
    GoTournament: _tournament,
    WallList: _wall_list,
}


def read_answers(path: str | Path) -> dict[str, str]:
    """Answers from a file, ``name=number`` a line; ``#`` begins a comment."""
    answers: dict[str, str] = {}
    for number, raw in enumerate(read_text(path).splitlines(), start=1):
        told = raw.partition("#")[0].strip()
        if told:
            name, sign, answer = told.rpartition("=")
            if not sign or not name.strip():
                raise FileProblem(path, f"{told!r}", "name=number", number)
            answers[name.strip()] = answer.strip()
    return answers


def parse_answers(texts: Iterable[str]) -> dict[str, str]:
    """Answers from the command line, each ``name=number``."""
    answers: dict[str, str] = {}
    for text in texts:
        name, sign, answer = text.rpartition("=")
        if not sign or not name.strip():
            raise InputError(f"{text!r}: expected name=number, or name=none")
        answers[name.strip()] = answer.strip()
    return answers
