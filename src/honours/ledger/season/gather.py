"""The events of a competition, from files or from the ledger, with one key per person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger import members
from honours.ledger.balances import ends
from honours.ledger.events import live_events
from honours.ledger.season.plan import Competition, Season
from honours.ledger.sources import Reader, day_of, file_of, read_ranked, title_of
from honours.ledger.store import Ledger
from honours.model import Field, Player
from honours.model.member import Member
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event that counts: its day, its ranking lists, what it is marked as, and its origin."""

    day: str
    title: str
    lists: tuple[Field, ...]
    marked: str
    source: str

    @property
    def kind(self) -> str:
        """The kind of entrants in it, by how many play together."""
        sizes = {len(s.entrant.players) for f in self.lists for s in f.standings}
        if sizes == {1}:
            return "individual"
        return "pairs" if sizes <= {2} else "teams"


def gather(
    season: Season, competition: Competition, ledger: Ledger | None, read: Reader = read_ranked
) -> list[CountedEvent]:
    """The events of a competition in the order of their days, without those of another year."""
    chosen = competition.events
    counted = [_from_file(path, competition, read) for path in chosen.files]
    if chosen.ledger:
        if ledger is None:
            raise InputError(
                "{title} counts events of a ledger: say which (--ledger)", title=competition.title
            )
        counted += _from_ledger(ledger, chosen.ledger)
    inside = [
        e for e in counted if not e.day or not season.since or season.since <= e.day <= season.until
    ]
    return sorted(inside, key=lambda e: (e.day, e.title, e.source))


def _from_file(path: Path, competition: Competition, read: Reader) -> CountedEvent:
    report = read(path, competition.options)
    own = report.account
    mark = (competition.events.marked or {}).get(file_of(own), "")
    return CountedEvent(day_of(own), title_of(own), report.lists, mark, str(path))


def _from_ledger(ledger: Ledger, title: str) -> list[CountedEvent]:
    with ledger.reading() as connection:
        rows = [r for r in live_events(connection) if fnmatchcase(r.title.lower(), title.lower())]
        known = [(r, stored.from_text(r.facts)) for r in rows]
        ids = {
            i
            for _, f in known
            for each in f.lists
            for s in each.standings
            for i in stored.members_of(s)
        }
        people = members.get(connection, ids)
        roots = ends(connection)
        people |= members.get(connection, roots.values())
    named = {i: _player(people[roots.get(i, i)]) for i in ids}
    return [
        CountedEvent(
            r.day,
            r.title,
            tuple(one.with_players(lambda p: named[int(p.number)]) for one in f.lists),
            _marked(f.given),
            Message("record {record}", record=r.id),
        )
        for r, f in known
    ]


def _marked(given: Mapping[str, str]) -> str:
    """Whose event a posted one was said to be, if not the club's own."""
    whose = given.get("event", "club")
    return "" if whose == "club" else whose


def _player(member: Member) -> Player:
    return Player(member.name, member.called)


class PersonKeys:
    """One key per person over all files: the number, or the name if no file has a number for it.

    A name that occurs with one number somewhere stands for that number everywhere.
    """

    def __init__(self, lists: Iterable[Field]) -> None:
        numbers: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}
        for field in lists:
            for standing in field.standings:
                for player in standing.entrant.players:
                    if player.number and player.name:
                        numbers.setdefault(sought(player.name), set()).add(player.number)
                        self._names.setdefault(player.number, player.name)
        self._number = {name: min(n) for name, n in numbers.items() if len(n) == 1}
        self._numbers = {number for known in numbers.values() for number in known}

    def key(self, player: Player) -> str:
        if player.number:
            self._numbers.add(player.number)
            return player.number
        name = sought(player.name)
        key = self._number.get(name, name)
        self._names.setdefault(key, player.name)
        return key

    def meant(self, text: str) -> str:
        """The key of a person whom a season file names by number or by name."""
        return text if text in self._names else self._number.get(sought(text), sought(text))

    def player(self, key: str) -> Player:
        """The person again, as files name them."""
        number = key if key in self._numbers else ""
        return Player(self._names.get(key, "" if number else key), number)

    def name(self, key: str) -> str:
        return self._names.get(key, key)
