"""An event on its way into the ledger: who its players are, and whether it is there already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain as chain_of
from itertools import count
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.lists import EventAwards, award_event
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.names import sought
from honours.ledger import earlier, explained, kinds, members
from honours.ledger import facts as stored
from honours.ledger.balances import ends
from honours.ledger.chain import Line
from honours.ledger.derive import Payment, awards_of, lines_of
from honours.ledger.facts import EventFacts
from honours.ledger.likeness import alike
from honours.ledger.schema import chain, postings, records
from honours.ledger.store import Ledger
from honours.model import Field, Player
from honours.model.member import Member
from honours.model.message import Message, plural


@dataclass(frozen=True, slots=True)
class EventToPost:
    """An event's ranking lists, what they do not say, and the rulebook that awards them.

    ``source`` is the file it came from; with ``given`` go the facts a rulebook asks for.
    """

    title: str
    lists: tuple[Field, ...]
    rulebook: Rulebook
    given: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    club: str = ""
    source: str = ""
    kind: str = ""
    """The kind of points it pays; without one, what the rulebook says, else the usual kind."""
    numbers_decide: bool = False
    """Whether a number counts even where the name beside it is another than the member's."""
    year_begins: str = ""
    """The day on which the club's year begins, as 09-01; without one it is the calendar's."""

    @property
    def key(self) -> str:
        """What makes it this event and no other: its day, club and title."""
        return "/".join((self.day, sought(self.club), sought(self.title)))


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event with its people identified and its awards worked out."""

    event: EventToPost
    facts: EventFacts
    awards: EventAwards
    lines: tuple[Line, ...]
    payment: Payment
    newcomers: tuple[Member, ...]
    explanation: str


Enrol = Callable[[Player], int]
"""Gives somebody who is not known an id."""


class _Identifier:
    """Finds each player's member; who is not known becomes one, or a visitor if without number."""

    def __init__(self, connection: Connection, lists: Sequence[Field], enrol: Enrol) -> None:
        players = [p for f in lists for s in f.standings for p in s.entrant.players]
        self.connection, self.enrol = connection, enrol
        self.newcomers: list[Member] = []
        self.unlike: dict[str, Message] = {}
        self._by_number = members.by_numbers(connection, {p.number for p in players if p.number})
        self._by_name = members.by_names(connection, {p.name for p in players if not p.number})
        called = [m for some in self._by_name.values() for m in some]
        self._roots = ends(connection, {m.id for m in (*self._by_number.values(), *called)})

    def __call__(self, player: Player, entrant: str) -> int:
        if player.number.startswith("#"):
            return members.find(self.connection, player.number).id
        if player.number:
            return self._numbered(player)
        if not sought(player.name):
            raise InputError(f"entrant {entrant}: a player without name and number")
        return self._named(player)

    def _numbered(self, player: Player) -> int:
        member = self._by_number.get(player.number)
        if member is None:
            member = self._by_number[player.number] = self._new(player)
        if not self._may_be(player.name, member):
            self.unlike[player.number] = Message(
                "{number} is {member} in the ledger, {name} here",
                number=player.number,
                member=member.name,
                name=player.name,
            )
        return self._roots.get(member.id, member.id)

    def _may_be(self, name: str, member: Member) -> bool:
        """Whether a name may be of a member, or of the one they were merged into: as they are
        called now, or were before."""
        if alike(name, member.name):
            return True
        root = self._roots.get(member.id, member.id)
        both = members.get(self.connection, [root])[root].name
        before = earlier.names_of(self.connection, {member.id, root})
        return any(alike(name, each) for each in (both, *chain_of(*before.values())))

    def _named(self, player: Player) -> int:
        namesakes = self._by_name.setdefault(sought(player.name), [])
        if not namesakes:
            namesakes.append(self._new(player))
        roots = {self._roots.get(m.id, m.id) for m in namesakes}
        if len(roots) > 1:
            numbers = ", ".join(m.number or f"#{m.id}" for m in namesakes)
            raise InputError(
                f"{player.name}: several members are called so ({numbers}); give the "
                "number in the file"
            )
        return roots.pop()

    def _new(self, player: Player) -> Member:
        newcomer = Member(self.enrol(player), player.name, player.number, visitor=not player.number)
        self.newcomers.append(newcomer)
        return self.newcomers[-1]


@dataclass(frozen=True, slots=True)
class _Identified:
    """An event with its people identified."""

    event: EventToPost
    facts: EventFacts
    payment: Payment
    newcomers: tuple[Member, ...]

    def worked_out(self) -> Prepared:
        awards = _awards(self.event, self.facts)
        return Prepared(
            self.event,
            self.facts,
            awards,
            lines_of(awards, self.payment),
            self.payment,
            self.newcomers,
            explained.to_text(awards),
        )


def prepare(
    connection: Connection,
    event: EventToPost,
    identified: bool = False,
    before: Prepared | None = None,
) -> Prepared:
    """Identify everybody, unless that was done, and work out the awards; nothing is posted.

    What was foreseen is taken over if everybody still is who they were then.
    """
    kinds.ensure_scheme(connection, event.rulebook)

    def enrol(player: Player) -> int:
        return members.add(connection, player.name, player.number, visitor=not player.number)

    identified_event = _identified(connection, event, identified, enrol)
    if before and (before.facts, before.payment) == (
        identified_event.facts,
        identified_event.payment,
    ):
        return replace(before, newcomers=identified_event.newcomers)
    return identified_event.worked_out()


def foresee(ledger: Ledger, event: EventToPost, identified: bool = False) -> Prepared | None:
    """The event as it would be prepared, worked out while others may write; newcomers get the ids
    that would be theirs. Nothing can be foreseen of the first points of a scheme."""
    with ledger.reading() as connection:
        if not kinds.is_open(connection, event.rulebook):
            return None
        free = count(int(connection.scalar(select(chain.c.members)) or 0) + 1)
        identified_event = _identified(connection, event, identified, lambda _: next(free))
    return identified_event.worked_out()


def _identified(
    connection: Connection, event: EventToPost, identified: bool, enrol: Enrol
) -> _Identified:
    word, paid = kinds.payment_of(connection, event.rulebook, event.kind)
    identify = _Identifier(connection, () if identified else event.lists, enrol)
    lists = event.lists if identified else stored.without_names(event.lists, identify)
    if identify.unlike and not event.numbers_decide:
        raise InputError(_unlike(tuple(identify.unlike.values())))
    _once_each(lists, event.lists)
    dated = {"date": event.day} if event.day else {}
    given = {**dated, **{key: str(value) for key, value in event.given.items()}}
    return _Identified(event, EventFacts(lists, given, word), paid, tuple(identify.newcomers))


def _unlike(differences: tuple[Message, ...]) -> Message:
    return plural(
        "a number and a name do not belong together: {told}. Mend the file; or, if it is the same "
        "person, change the name in the ledger, or say --numbers-decide",
        "{count} numbers and names do not belong together: {told}. Mend the file; or, if they are "
        "the same people, change the names in the ledger, or say --numbers-decide",
        count=len(differences),
        told=differences,
    )


def check_dated(event: EventToPost) -> None:
    """An event without a day is of no season, no return and no year."""
    if not event.day:
        raise InputError(
            Message(
                "{title}: no day is known of it, and none is guessed; say e.g. --date 2017-01-14",
                title=event.title,
            )
        )


def _awards(event: EventToPost, facts: EventFacts) -> EventAwards:
    try:
        return awards_of(event.rulebook, facts)
    except InputError:
        award_event(event.rulebook, event.lists, facts.given)  # the same with the players' names
        raise


def _once_each(lists: Sequence[Field], named: Sequence[Field]) -> None:
    """A person plays for one entrant of a list, whatever names and numbers the file has."""
    for each, as_named in zip(lists, named, strict=True):
        seen: dict[int, str] = {}
        for standing, written in zip(each.standings, as_named.standings, strict=True):
            title = written.entrant.title
            for member in stored.members_of(standing):
                if member in seen:
                    raise InputError(
                        f"member #{member} is in two entrants of one ranking list, "
                        f"{seen[member]} and {title}"
                    )
                seen[member] = title


# --- is it there already? ---------------------------------------------------------------------


def live_events(connection: Connection, *conditions: Any) -> list[Any]:
    """Records of awarded events that no reversal took back, the newest last."""
    later = records.alias()
    undone = select(later.c.id).where(later.c.reverses == records.c.id).exists()
    chosen = select(records).where(records.c.action == "award", ~undone, *conditions)
    return list(connection.execute(chosen.order_by(records.c.id)))


def same_event(connection: Connection, event: EventToPost) -> Any | None:
    matching = live_events(connection, records.c.event == event.key)
    return matching[-1] if matching else None


def same_session(connection: Connection, prepared: Prepared) -> Any | None:
    """An event under another name that has the same results, or the same people on that day."""
    event, lists = prepared.event, prepared.facts.lists
    results = stored.results_fingerprint(lists)
    entrants = stored.entrants_fingerprint(lists)
    matching = live_events(connection, records.c.results == results)
    if not matching and event.day:
        matching = live_events(
            connection, records.c.entrants == entrants, records.c.day == event.day
        )
    return next((r for r in matching if r.event != event.key), None)


def lines_posted(connection: Connection, record: Any) -> list[Any]:
    return list(
        connection.execute(
            select(postings)
            .where(
                postings.c.record == record.id,
                postings.c.id >= record.first_posting,
                postings.c.id < record.first_posting + record.postings,
            )
            .order_by(postings.c.id)
        )
    )


def difference(connection: Connection, record: Any, prepared: Prepared) -> tuple[str, ...]:
    """What is other than in the ledger, entrant by entrant."""
    before = _outcomes(stored.from_text(record.facts), lines_posted(connection, record))
    after = _outcomes(prepared.facts, prepared.lines)
    ids = {i for entrant in {*before, *after} for i in entrant}
    names = {i: m.title for i, m in members.get(connection, ids).items()}
    shown = prepared.payment.usual.shown
    differences = []
    for entrant in sorted({*before, *after}, key=lambda e: after.get(e, before.get(e, (0, 0)))):
        was, now = before.get(entrant), after.get(entrant)
        if was != now:
            who = " & ".join(names[i] for i in entrant)
            differences.append(f"{who}: {_told(was, shown)} in the ledger, {_told(now, shown)} now")
    return tuple(differences)


def _told(outcome: tuple[int, int] | None, shown: Any) -> str:
    return f"place {outcome[0]}, {shown(outcome[1])} points" if outcome else "not there"


def _outcomes(facts: EventFacts, lines: Sequence[Any]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Each entrant's best place and what its first-named player gets."""
    earned: dict[int, int] = {}
    for line in lines:
        earned[line.member] = earned.get(line.member, 0) + line.amount
    outcomes: dict[tuple[int, ...], tuple[int, int]] = {}
    for each in facts.lists:
        for standing in each.standings:
            ids = tuple(sorted(stored.members_of(standing)))
            place = min(standing.place, outcomes.get(ids, (standing.place, 0))[0])
            outcomes[ids] = (place, max(earned.get(i, 0) for i in ids))
    return outcomes
