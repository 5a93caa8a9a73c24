"""Who the players of an event are in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from sqlalchemy import Connection

from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger import earlier_names, members
from honours.ledger.balances import ends
from honours.ledger.likeness import alike
from honours.model import Field, Player
from honours.model.member import Member
from honours.model.message import Message

Enrol = Callable[[Player], int]
"""Gives an id to somebody who is not known."""


@dataclass(frozen=True, slots=True)
class MemberIndex:
    """The members whom players may be: by number, by name, and those they were merged into."""

    by_number: dict[str, Member]
    by_name: dict[str, list[Member]]
    roots: dict[int, int]

    def copy(self) -> MemberIndex:
        """A copy to start from, because the newcomers of one event are not those of another."""
        named = {name: list(some) for name, some in self.by_name.items()}
        return MemberIndex(dict(self.by_number), named, self.roots)


def people_of(connection: Connection, lists: Iterable[Field]) -> MemberIndex:
    """Everybody who may be a player in these lists, found in a few queries."""
    players = [p for f in lists for s in f.standings for p in s.entrant.players]
    by_number = members.by_numbers(connection, {p.number for p in players if p.number})
    by_name = members.by_names(connection, {p.name for p in players if not p.number})
    called = [m for some in by_name.values() for m in some]
    return MemberIndex(
        by_number, by_name, ends(connection, {m.id for m in (*by_number.values(), *called)})
    )


def members_unlike(
    connection: Connection, players: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Member]:
    """The players, as name and number, whose number is that of a member of another name."""
    numbered = [(name, number) for name, number in players if name and number]
    by_number = members.by_numbers(connection, {number for _, number in numbered})
    index = MemberIndex(by_number, {}, ends(connection, {m.id for m in by_number.values()}))
    known = Identifier(connection, index, lambda _: 0)
    return {
        (name, number): by_number[number]
        for name, number in numbered
        if number in by_number and not known.may_be(name, by_number[number])
    }


class Identifier:
    """Finds each player's member; an unknown player becomes one, or a visitor if without a
    number."""

    def __init__(self, connection: Connection, people: MemberIndex, enrol: Enrol) -> None:
        self.connection, self.enrol = connection, enrol
        self.newcomers: list[Member] = []
        self.unlike: dict[str, Message] = {}
        self._people = people

    def __call__(self, player: Player, entrant: str) -> int:
        if player.number.startswith("#"):
            return members.find(self.connection, player.number).id
        if player.number:
            return self._numbered(player)
        if not sought(player.name):
            raise InputError("entrant {entrant}: a player without name and number", entrant=entrant)
        return self._named(player)

    def _numbered(self, player: Player) -> int:
        member = self._people.by_number.get(player.number)
        if member is None:
            member = self._people.by_number[player.number] = self._new(player)
        if not self.may_be(player.name, member):
            self.unlike[player.number] = Message(
                "{number} is {member} in the ledger, {name} here",
                number=player.number,
                member=member.name,
                name=player.name,
            )
        return self._people.roots.get(member.id, member.id)

    def may_be(self, name: str, member: Member) -> bool:
        """Whether a name may belong to a member, or to the one they were merged into, under a
        current or an earlier name."""
        if alike(name, member.name):
            return True
        root = self._people.roots.get(member.id, member.id)
        both = members.get(self.connection, [root])[root].name
        before = earlier_names.names_of(self.connection, {member.id, root})
        return any(alike(name, each) for each in (both, *chain(*before.values())))

    def _named(self, player: Player) -> int:
        namesakes = self._people.by_name.setdefault(sought(player.name), [])
        if not namesakes:
            namesakes.append(self._new(player))
        roots = {self._people.roots.get(m.id, m.id) for m in namesakes}
        if len(roots) > 1:
            numbers = ", ".join(m.called for m in namesakes)
            raise InputError(
                "{name}: several members are called so ({numbers}); give the number in the file",
                name=player.name,
                numbers=numbers,
            )
        return roots.pop()

    def _new(self, player: Player) -> Member:
        newcomer = Member(self.enrol(player), player.name, player.number, visitor=not player.number)
        self.newcomers.append(newcomer)
        return self.newcomers[-1]
