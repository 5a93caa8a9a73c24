"""Who may have played: the members of the ledger and a club's regulars, to complete names with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from honours.formats.name_index import NameIndex
from honours.formats.names import sought
from honours.ledger import members
from honours.web.events.summaries import summaries

if TYPE_CHECKING:
    from starlette.requests import Request

    from honours.web.events.service import EventService
    from honours.web.ledger.service import LedgerService

_OFFERED = 8


class Person(NamedTuple):
    """A name, the member's number where there is one, and how often they played of late."""

    name: str
    number: str = ""
    played: int = 0


@dataclass(frozen=True, slots=True)
class People:
    """Everybody who may be meant, those who play most first."""

    known: tuple[Person, ...]
    numbers: dict[str, str]
    """The name of every member, by number."""
    index: NameIndex

    def completing(self, typed: str) -> list[Person]:
        """Who a few letters or a number may stand for: regulars first."""
        words = sought(typed).split()
        if not words:
            return list(self.known[:_OFFERED])
        begun = (one for one in self.known if _begins(one, words))
        return [one for one, _ in zip(begun, range(_OFFERED), strict=False)]

    def number_of(self, name: str) -> str:
        """The number of the only member of this name."""
        namesakes = self.index.same(name)
        return namesakes[0] if len(namesakes) == 1 else ""

    def meant(self, name: str) -> list[Person]:
        """Members who may be meant by a name that is nobody's: to accept or refuse."""
        namesakes = self.index.same(name)
        likely = namesakes or [one.number for one in self.index.alike(name)]
        return [Person(self.numbers[number], number) for number in likely]


def _begins(person: Person, words: Sequence[str]) -> bool:
    own = [*sought(person.name).split(), person.number.lower()]
    return all(any(part.startswith(word) for part in own) for word in words)


def people(request: Request, service: EventService, club: str) -> People:
    """The members of the ledger and whoever played here, the most frequent first."""
    numbers = dict(_members(request))
    played: Counter[tuple[str, str]] = Counter()
    events = [kept for kept in service.store.all() if kept.club == club]
    for one in summaries(service, events).values():
        played.update(set(one.players))
    index = NameIndex((name, number) for number, name in numbers.items())
    often: Counter[Person] = Counter()
    for (name, number), times in played.items():
        known = number if number in numbers else _only(index.same(name))
        often[Person(numbers.get(known, name), known)] += times
    regulars = [person._replace(played=times) for person, times in often.most_common()]
    seen = {person.number for person in regulars}
    others = [Person(name, number) for number, name in numbers.items() if number not in seen]
    return People((*regulars, *sorted(others, key=lambda one: sought(one.name))), numbers, index)


def _only(numbers: Sequence[str]) -> str:
    return numbers[0] if len(numbers) == 1 else ""


def _members(request: Request) -> Iterable[tuple[str, str]]:
    """Number and name of everybody in the ledger; who has no number is called by ours."""
    ledger: LedgerService = request.app.state.ledger
    if not ledger.there:
        return []
    with ledger.reading() as connection:
        every = members.everyone(connection)
    return [(one.number or f"#{one.id}", one.name) for one in every if one.name != members.ERASED]
