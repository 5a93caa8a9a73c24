"""Players of a file and members of a list: by number, then by name, never by likeness alone.

Order, case and accents of a name do not matter. Who is nearly called like a member is proposed
with a score, and stays unmatched until a person confirms it; what was confirmed is kept beside the
file (``results.csv.names``) and holds the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Protocol, TypeVar

from honours.errors import FileProblem, InputError, UnknownName
from honours.files import write_whole
from honours.formats.file_bytes import read_text
from honours.formats.go import GoTournament
from honours.formats.members import MemberList
from honours.formats.name_index import NameIndex, NameProposal
from honours.formats.names import sought, words_of
from honours.formats.table_standings import StandingsFile
from honours.formats.wall_lists import WallList
from honours.model import Event, Player
from honours.model.message import Message

SAME = 100
"""The score of a name that several members have."""
NOBODY = ("", "-", "none")
"""Answers that say a player is no member."""
Content = TypeVar("Content", bound=Event | StandingsFile | GoTournament | WallList)


@dataclass(slots=True)
class Matching:
    """Finds members for players, and remembers what somebody has to look at. ``confirmed`` is name
    or number → member number, as people answered."""

    members: MemberList
    day: date | None = None
    confirmed: Mapping[str, str] = field(default_factory=dict)
    near: dict[str, tuple[NameProposal, ...]] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matched: dict[str, tuple[str, str]] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    """The answers that decided who somebody of this file is."""
    _index: NameIndex = field(init=False, repr=False)
    _answers: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._index = NameIndex(
            (line.name, number) for number, lines in self.members.members.items() for line in lines
        )
        self._answers = {sought(name): number for name, number in self.confirmed.items()}
        for name, number in self.confirmed.items():
            if number not in NOBODY and number not in self.members.members:
                raise UnknownName(
                    Message("member number (confirmed for {who})", who=name),
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
            self._note(
                Message(
                    "{name}: nothing in the list as early as {day}",
                    name=player.name or number,
                    day=self.day,
                )
            )
            return replace(player, number=number)
        if line.expires and self.day and line.expires < self.day:
            self._note(
                Message(
                    "{name} ({number}): membership expired {expires}",
                    name=line.name,
                    number=number,
                    expires=line.expires,
                )
            )
        for figure in sorted(self.members.figures - line.facts.keys()):
            self._note(
                Message(
                    "{name} ({number}) has no {figure} in the list",
                    name=line.name,
                    number=number,
                    figure=figure,
                )
            )
        name = player.name or line.name
        facts = {**player.facts, **line.facts}
        if "rating" in line.facts and "rating_scale" not in line.facts:
            # the list's own rating, whatever scale the file's was on
            facts.pop("rating_scale", None)
        return replace(player, name=name, number=number, facts=facts)

    def _number(self, player: Player) -> str | None:
        for word in (player.name, player.number):
            answer = self._answers.get(sought(word)) if word else None
            if answer is not None:
                self.used[word] = answer
                return None if answer in NOBODY else answer
        if player.number in self.members.members:
            return self._by_number(player)
        namesakes = self._index.same(player.name)
        if len(namesakes) == 1 and not player.number:
            return namesakes[0]
        known = tuple(NameProposal(number, SAME) for number in namesakes)
        self._propose(player, known or self._index.alike(player.name))
        return None

    def _by_number(self, player: Player) -> str:
        line = self.members.latest(player.number)
        if player.name and words_of(player.name) != words_of(line.name):
            self._note(
                Message(
                    "{number} is {name} in the results, {listed} in the list",
                    number=player.number,
                    name=player.name,
                    listed=line.name,
                )
            )
        return player.number

    def _propose(self, player: Player, proposals: tuple[NameProposal, ...]) -> None:
        name = player.name or player.number
        if proposals:
            self.near[name] = proposals
        elif name not in self.unmatched:
            self.unmatched.append(name)

    def _claim(self, number: str, player: Player) -> None:
        """Two different people of a file may not be the same member."""
        who = (sought(player.name), player.number)
        first = self.matched.setdefault(number, who)
        if first[0] and who[0] and first != who:
            raise InputError(
                "member {number} would be both {first!r} and {who!r}: say which with --confirm",
                number=number,
                first=first[0],
                who=who[0],
            )

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def report(self) -> Iterator[str]:
        """What somebody has to look at, a line each; near misses with how alike the names are, out
        of 100, and the answer that confirms them."""
        yield from self.notes
        for name, proposals in self.near.items():
            for number, score in proposals:
                yield Message(
                    "{name}: {member} ({number})? {score} of 100; --confirm {answer!q}",
                    name=name,
                    member=self.members.latest(number).name,
                    number=number,
                    score=score,
                    answer=f"{name}={number}",
                )
        for name in self.unmatched:
            yield Message("not in the member list: {name}", name=name)


class Recogniser(Protocol):
    """Whoever says who a player is, or what to call one."""

    def player(self, player: Player) -> Player:
        """The player as they are to be known."""


def match(content: Content, matching: Recogniser) -> Content:
    """An event, standings or a go tournament with its players as the list knows them."""
    matched: Content = _MATCHED[type(content)](content, matching)
    return matched


def _event(event: Event, matching: Recogniser) -> Event:
    known = matching.player
    entrants = (replace(e, entrant=e.entrant.with_players(known)) for e in event.entrants)
    return replace(event, entrants=tuple(entrants))


def _standings(file: StandingsFile, matching: Recogniser) -> StandingsFile:
    return replace(file, lists=tuple(one.with_players(matching.player) for one in file.lists))


def _tournament(tournament: GoTournament, matching: Recogniser) -> GoTournament:
    players = tuple(replace(p, player=matching.player(p.player)) for p in tournament.players)
    return replace(tournament, players=players)


def _wall_list(wall: WallList, matching: Recogniser) -> WallList:
    return replace(
        wall,
        field=wall.field.with_players(matching.player),
        tournament=_tournament(wall.tournament, matching),
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
        text = raw.partition("#")[0].strip()
        if text:
            name, sign, answer = text.rpartition("=")
            if not sign or not name.strip():
                raise FileProblem(path, "{text!r}", "name=number", number, text=text)
            answers[name.strip()] = answer.strip()
    return answers


def parse_answers(texts: Iterable[str]) -> dict[str, str]:
    """Answers from the command line, each ``name=number``."""
    answers: dict[str, str] = {}
    for text in texts:
        name, sign, answer = text.rpartition("=")
        if not sign or not name.strip():
            raise InputError("{text!r}: expected name=number, or name=none", text=text)
        answers[name.strip()] = answer.strip()
    return answers


# --- decisions kept beside a file ---------------------------------------------------------------

_HEADING = "# Who the players of this file are, as confirmed: name=number, or name=none.\n"


def names_beside(path: str | Path) -> Path:
    """Where it is kept who a file's players are: ``results.csv.names`` for ``results.csv``."""
    return Path(f"{path}.names")


def kept_answers(path: str | Path) -> dict[str, str]:
    """What was confirmed for a file before."""
    beside = names_beside(path)
    return read_answers(beside) if beside.is_file() else {}


def keep_answers(path: str | Path, answers: Mapping[str, str]) -> Path | None:
    """Keep what was confirmed beside its file, with what is there; ``None`` if nothing is new."""
    before = kept_answers(path)
    after = {**before, **answers}
    if after == before:
        return None
    beside = names_beside(path)
    if beside.exists() and not read_text(beside).startswith(_HEADING.strip()):
        raise FileProblem(beside, "not written by us", "a file of names, or none")
    lines = "".join(f"{name}={number}\n" for name, number in after.items())
    write_whole(beside, (_HEADING + lines).encode("utf-8"))
    return beside
