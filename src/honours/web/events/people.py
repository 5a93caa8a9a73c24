"""The people who may have played: members of the ledger and a club's regulars, to complete names
with.

A ledger may have a hundred thousand members: it is asked for those who are wanted, and read through
once, without keeping it, where somebody's name is nobody's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection
from starlette.requests import Request

from honours.formats.entrants import sought, words_of
from honours.formats.members import NameIndex
from honours.ledger import members
from honours.ledger.identify import members_unlike
from honours.model.member import Member
from honours.web.events.service import EventService
from honours.web.events.summaries import summaries
from honours.web.ledger.service import LedgerService

_OFFERED = 8
_OF_LATE = 60
"""So many events of a club say who its regulars are."""
_ALIKE = 3
"""Names alike have a word that begins with the same letters, so many of them."""


class Person(NamedTuple):
    """A name, the member's number where there is one, and how often they played of late."""

    name: str
    number: str = ""
    played: int = 0


@dataclass(frozen=True, slots=True)
class KnownMembers:
    """The members who may be meant by some names."""

    numbers: dict[str, str]
    """The name of each of them, by number."""
    index: NameIndex

    @classmethod
    def of(cls, people: Iterable[Person]) -> KnownMembers:
        """The candidates among whom a person is looked for."""
        numbers = {one.number: one.name for one in people}
        return cls(numbers, NameIndex((name, number) for number, name in numbers.items()))

    def number_of(self, name: str) -> str:
        """The number of the only member of this name."""
        namesakes = self.index.same(name)
        return namesakes[0] if len(namesakes) == 1 else ""

    def meant(self, name: str) -> list[Person]:
        """Members who may be meant by a name, to be accepted or refused."""
        namesakes = self.index.same(name)
        likely = namesakes or [one.number for one in self.index.alike(name)]
        return [Person(self.numbers[number], number) for number in likely]


class PeopleDirectory:
    """Everybody who may be meant, those who play most first."""

    def __init__(self, request: Request, service: EventService, club: str) -> None:
        self._ledger: LedgerService = request.app.state.ledger
        self._service, self._club = service, club

    def among(self, names: Iterable[str]) -> KnownMembers:
        """The members who may be meant by some names: of the same name, or nearly."""
        wanted = {sought(name): name for name in names if sought(name)}
        with self._asked() as connection:
            if connection is None or not wanted:
                return KnownMembers.of(())
            same = members.by_names(connection, wanted.values())
            people = [_person(one) for several in same.values() for one in several]
            if left := [name for name in wanted if name not in same]:
                people += [_person(one) for one in members.alike(connection, _beginnings(left))]
        return KnownMembers.of(people)

    def unlike(self, players: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Person]:
        """The players, as name and number, whose number is that of a member of another name."""
        with self._asked() as connection:
            found = members_unlike(connection, players) if connection else {}
        return {player: _person(member) for player, member in found.items()}

    def called(self, numbers: Iterable[str]) -> dict[str, str]:
        """Return the names of the members who have some numbers."""
        with self._asked() as connection:
            found = members.by_numbers(connection, set(numbers)) if connection else {}
        return {number: member.name for number, member in found.items()}

    def completing(self, typed: str) -> list[Person]:
        """Return the people a few letters or a number may stand for: regulars first, and last
        whoever was here once and is no member, since that may be a name mistyped."""
        words = sought(typed).split()
        begun = [one for one in self._regulars() if _begins(one, words)]
        begun.sort(key=lambda one: (-one.played, not sought(one.name).startswith(sought(typed))))
        regulars = [one for one in begun if one.number or one.played > 1][:_OFFERED]
        strangers = [one for one in begun if not one.number and one.played <= 1]
        with self._asked() as connection:
            if connection is None or len(regulars) == _OFFERED:
                return [*regulars, *strangers][:_OFFERED]
            listed = members.beginning(connection, words, _OFFERED + len(regulars))
        seen = {one.number for one in regulars if one.number}
        others = [one for one in map(_person, listed) if one.number not in seen]
        return [*regulars, *others, *strangers][:_OFFERED]

    def _regulars(self) -> list[Person]:
        """The people who played here lately, by name."""
        events = [kept for kept in self._service.store.all() if kept.club == self._club][:_OF_LATE]
        played: Counter[tuple[str, str]] = Counter()
        for one in summaries(self._service, events).values():
            played.update(set(one.players))
        often: Counter[Person] = Counter()
        with self._asked() as connection:
            for player, person in _resolved(connection, list(played)):
                often[person] += played[player]
        return sorted(person._replace(played=times) for person, times in often.items())

    @contextmanager
    def _asked(self) -> Iterator[Connection | None]:
        """The ledger, if there is one."""
        if not self._ledger.there:
            yield None
            return
        with self._ledger.reading() as connection:
            yield connection


def _resolved(
    connection: Connection | None, played: Sequence[tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], Person]]:
    """Each player with the member they are, by number and then by the only one of the name."""
    by_number: dict[str, Member] = {}
    by_name: dict[str, list[Member]] = {}
    if connection is not None:
        by_number = members.by_numbers(connection, {number for _, number in played if number})
        by_name = members.by_names(connection, {name for name, number in played if not number})
    for name, number in played:
        namesakes = by_name.get(sought(name), [])
        member = by_number.get(number) or (namesakes[0] if len(namesakes) == 1 else None)
        yield (name, number), _person(member) if member else Person(name)


def _person(member: Member) -> Person:
    """A member as they are offered; who has no number is called by ours."""
    return Person(member.name, member.called)


def _begins(person: Person, words: Sequence[str]) -> bool:
    own = [*sought(person.name).split(), person.number.lower()]
    return all(any(part.startswith(word) for part in own) for word in words)


def _beginnings(names: Iterable[str]) -> frozenset[str]:
    words = {word for name in names for word in words_of(name) if len(word) > 1}
    return frozenset(word[:_ALIKE] for word in words)
