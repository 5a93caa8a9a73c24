"""Identification of the players of an event in the ledger."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product

from rapidfuzz.distance import JaroWinkler
from rapidfuzz.fuzz import token_sort_ratio
from rapidfuzz.process import extract
from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger import members
from honours.ledger.balances import ends
from honours.ledger.bulk import lots
from honours.ledger.schema import people
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
        return self._people.roots[member.id]

    def may_be(self, name: str, member: Member) -> bool:
        """Return whether a name may belong to a member, or to the one they were merged into, under
        a current or an earlier name."""
        if alike(name, member.name):
            return True
        root = self._people.roots[member.id]
        both = members.get(self.connection, [root])[root].name
        before = members.names_of(self.connection, {member.id, root})
        return any(alike(name, each) for each in (both, *chain(*before.values())))

    def _named(self, player: Player) -> int:
        namesakes = self._people.by_name.setdefault(sought(player.name), [])
        if not namesakes:
            namesakes.append(self._new(player))
        roots = {self._people.roots[m.id] for m in namesakes}
        if len(roots) > 1:
            numbers = ", ".join(m.called for m in namesakes)
            raise InputError(
                "{name}: several members have this name ({numbers}); put the number into the file",
                name=player.name,
                numbers=numbers,
            )
        return roots.pop()

    def _new(self, player: Player) -> Member:
        newcomer = Member(self.enrol(player), player.name, player.number, visitor=not player.number)
        self.newcomers.append(newcomer)
        return self.newcomers[-1]


_SAME_PERSON, _LIKELY = 75, 0.93
_BEGINNING = 4
"""Names that have no part with the same first letters are not compared."""
_MANY = 300
"""Where more different names have such a part, another must begin alike too: a common first name
would otherwise bring everybody together with everybody."""


def alike(one: str, other: str) -> bool:
    """Return whether two names may belong to one person: misspelt, in another order, with initials,
    or with a part missing. If one is empty, there is nothing to disagree about."""
    a, b = sought(one).replace(".", " ").split(), sought(other).replace(".", " ").split()
    if not a or not b:
        return True
    return _abbreviates(a, b) or token_sort_ratio(" ".join(a), " ".join(b)) >= _SAME_PERSON


def _abbreviates(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether the parts of two names begin alike in pairs, at least one of them whole."""
    short, long = sorted((list(one), list(other)), key=len)
    left = list(long)
    for part in sorted(short, key=len, reverse=True):
        match = next((p for p in left if p.startswith(part) or part.startswith(p)), None)
        if match is None:
            return False
        left.remove(match)
    return any(len(part) > 1 and part in long for part in short)


def likely_duplicates(connection: Connection) -> Iterator[tuple[Member, Member]]:
    """Pairs of members who are not merged and whose names are nearly the same: beginning alike,
    or with their parts in another order."""
    merged = ends(connection)
    called: dict[str, list[int]] = {}
    chosen = select(people.c.member, people.c.sought).order_by(people.c.sought, people.c.member)
    for member, name in connection.execute(chosen.execution_options(yield_per=5_000)):
        if member not in merged and name:
            called.setdefault(" ".join(sorted(name.split())), []).append(member)

    def pairs() -> Iterator[tuple[int, int]]:
        for name, others in _similar(called):
            yield from combinations(called[name], 2)
            for other in others:
                yield from product(called[name], called[other])

    for some in lots(pairs(), 1_000):
        who = members.get(connection, {one for pair in some for one in pair})
        yield from ((who[min(pair)], who[max(pair)]) for pair in some)


def _similar(names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Each name with those later ones that are similar."""
    blocks = _blocks(names)
    place = {name: n for n, name in enumerate(names)}
    for name, own in place.items():
        near: dict[str, None] = {}
        for key in _keys(name, blocks):
            later = blocks[key][bisect_right(blocks[key], own, key=place.__getitem__) :]
            for other, *_ in extract(
                name, later, scorer=JaroWinkler.similarity, score_cutoff=_LIKELY, limit=None
            ):
                near[other] = None
        yield name, list(near)


_Key = tuple[str, ...]


def _blocks(names: Iterable[str]) -> dict[_Key, list[str]]:
    """Names by how a part of them begins; where very many have it, also by how another does, and
    where that is not enough, by one more letter of the other."""
    blocks: dict[_Key, list[str]] = {}
    for name in names:
        for part in _beginnings(name):
            blocks.setdefault((part,), []).append(name)
    crowded = [(key, block) for key, block in blocks.items() if len(block) > _MANY]
    while crowded:
        key, block = crowded.pop()
        blocks[key] = []
        narrower: dict[_Key, list[str]] = {}
        for name in block:
            for more in _narrower(name, key):
                narrower.setdefault(more, []).append(name)
        blocks |= narrower
        crowded += [(k, b) for k, b in narrower.items() if len(k) == 2 and len(b) > _MANY]
    return blocks


def _keys(name: str, blocks: Mapping[_Key, object]) -> Iterator[_Key]:
    for part in _beginnings(name):
        for key in [(part,), *_narrower(name, (part,))]:
            further = _narrower(name, key) if len(key) == 2 else set()
            yield from (one for one in (key, *further) if one in blocks)


def _beginnings(name: str) -> set[str]:
    return {part[:_BEGINNING] for part in name.split()}


def _narrower(name: str, key: _Key) -> set[_Key]:
    """The keys of a name in a block that is divided. The third letter of the other part, or the
    fourth: whoever mistook one of them has the other."""
    others = [part for part in name.split() if part[:_BEGINNING] != key[0]] or [key[0]]
    if len(key) == 1:
        return {(*key, other[:2]) for other in others}
    longer = (other for other in others if other.startswith(key[1]))
    return {(*key, f"{n}{other[n : n + 1]}") for other in longer for n in (2, 3)}
