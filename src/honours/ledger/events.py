"""An event on its way into the ledger: who its players are, and whether it is already there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger import kinds, members, stored_explanations
from honours.ledger.chain import NewPosting
from honours.ledger.derive import Payment, awards_of, lines_of
from honours.ledger.facts import EventFacts
from honours.ledger.identify import Enrol, Identifier, MemberIndex, people_of
from honours.ledger.schema import STANDS, end_of, postings, records
from honours.ledger.store import Ledger
from honours.model import Field, Player
from honours.model.member import Member
from honours.model.message import Message, by_option, plural


class NamesUnlike(InputError):
    """Numbers stand beside names that are not their members'."""


@dataclass(frozen=True, slots=True)
class EventToPost:
    """An event's ranking lists, what they do not say, and the rulebook that awards them.

    ``source`` is the file it came from; ``given`` holds the facts that a rulebook asks for.
    """

    title: str
    lists: tuple[Field, ...]
    rulebook: Rulebook
    given: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    club: str = ""
    source: str = ""
    kind: str = ""
    """The kind of points it pays; if empty, the rulebook's choice, otherwise the usual kind."""
    numbers_decide: bool = False
    """Whether a number counts even if the name beside it is not the member's."""
    year_begins: str = ""
    """The day on which the club's year begins, as 09-01; if empty, the calendar year applies."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """The numbers of entrants in the event, if its lists already have members' ids."""

    @property
    def key(self) -> str:
        """The identity of the event: its day, club and title."""
        return "/".join((self.day, sought(self.club), sought(self.title)))


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """An event with its people identified and its awards worked out."""

    event: EventToPost
    facts: EventFacts
    awards: EventAwards
    lines: tuple[NewPosting, ...]
    payment: Payment
    newcomers: tuple[Member, ...]
    explanation: str


@dataclass(frozen=True, slots=True)
class _Identified:
    """An event with its people identified."""

    event: EventToPost
    facts: EventFacts
    payment: Payment
    newcomers: tuple[Member, ...]

    def worked_out(self) -> PreparedEvent:
        awards = _awards(self.event, self.facts)
        return PreparedEvent(
            self.event,
            self.facts,
            awards,
            lines_of(awards, self.payment),
            self.payment,
            self.newcomers,
            stored_explanations.to_text(awards),
        )


@dataclass(frozen=True, slots=True)
class LedgerContext:
    """The facts that several events need from the ledger before they are posted, fetched at once:
    who their players may be, how they are paid, and how many members there are."""

    connection: Connection
    people: MemberIndex
    paid: Mapping[tuple[str, str], tuple[str, Payment]]
    members: int

    def identified(self, event: EventToPost, enrol: Enrol, done: bool = False) -> _Identified:
        """The event with everybody identified, unless that has been ``done``."""
        word, payment = self.paid[event.rulebook.hash, event.kind]
        identify = Identifier(self.connection, self.people.copy(), enrol)
        lists = event.lists
        if not done:
            lists = stored.without_names(lists, identify, event.rulebook.plays_games)
        if identify.unlike and not event.numbers_decide:
            raise NamesUnlike(unlike_names(tuple(identify.unlike.values())))
        _once_each(lists, event.lists)
        dated = {"date": event.day} if event.day else {}
        given = {**dated, **{key: str(value) for key, value in event.given.items()}}
        numbers = event.numbers if done else stored.numbers_of(lists, event.lists)
        facts = EventFacts(lists, given, word, numbers)
        return _Identified(event, facts, payment, tuple(identify.newcomers))

    def foresee(
        self, event: EventToPost, done: bool = False, enrol: Enrol | None = None
    ) -> _Identified | None:
        """The event as it would be prepared; newcomers get the ids they would receive, or those
        that ``enrol`` gives them. Nothing can be foreseen for the first points of a scheme."""
        if (event.rulebook.hash, event.kind) not in self.paid:
            return None
        free = count(self.members + 1)
        return self.identified(event, enrol or (lambda _: next(free)), done)

    def still_holds(self, before: PreparedEvent) -> bool:
        """Return whether everybody is identified as when this was foreseen, and nobody is new."""

        def enrol(player: Player) -> int:
            raise _New(player.name)

        try:
            now = self.identified(before.event, enrol)
        except (_New, InputError, KeyError):
            return False
        return (before.facts, before.payment) == (now.facts, now.payment)


class _New(Exception):
    """Somebody whom the ledger does not know."""


def look_around(
    connection: Connection, events: Sequence[EventToPost], identified: bool = False
) -> LedgerContext:
    """Fetch what these events need to know from the ledger; missing kinds of points are left
    out."""
    paid: dict[tuple[str, str], tuple[str, Payment]] = {}
    for key, event in {(one.rulebook.hash, one.kind): one for one in events}.items():
        if kinds.is_open(connection, event.rulebook):
            paid[key] = kinds.payment_of(connection, event.rulebook, event.kind)
    lists = () if identified else [each for event in events for each in event.lists]
    there = end_of(connection).members
    return LedgerContext(connection, people_of(connection, lists), paid, there)


def prepare(
    connection: Connection,
    event: EventToPost,
    identified: bool = False,
    before: PreparedEvent | None = None,
    enrol: Enrol | None = None,
) -> PreparedEvent:
    """Identify everybody, unless that has been done, and work out the awards; nothing is posted.
    Newcomers become members, unless ``enrol`` does otherwise with them.

    What was foreseen is reused if everybody is still identified in the same way.
    """
    kinds.ensure_scheme(connection, event.rulebook)

    def add(player: Player) -> int:
        return members.add(connection, player.name, player.number, visitor=not player.number)

    around = look_around(connection, [event], identified)
    now = around.identified(event, enrol or add, identified)
    if before and (before.facts, before.payment) == (now.facts, now.payment):
        return replace(before, newcomers=now.newcomers)
    return now.worked_out()


def foresee(
    ledger: Ledger, event: EventToPost, identified: bool = False, enrol: Enrol | None = None
) -> PreparedEvent | None:
    """The event as it would be prepared, worked out while others may write."""
    with ledger.reading() as connection:
        foreseen = look_around(connection, [event], identified).foresee(event, identified, enrol)
    return foreseen.worked_out() if foreseen else None


def unlike_names(differences: tuple[Message, ...]) -> Message:
    """The error that these numbers are beside other names than their members', and what to do."""
    return plural(
        "a number belongs to somebody with another name: {told}. Correct the file; or, if it "
        "is the same person, change the name in the ledger, or say {remedy}",
        "{count} numbers belong to people with other names: {told}. Correct the file; or, if "
        "they are the same people, change the names in the ledger, or say {remedy}",
        count=len(differences),
        told=differences,
        remedy=by_option("numbers_decide"),
    )


def check_dated(event: EventToPost) -> None:
    """Refuse an event without a day: it would belong to no season, return or year."""
    if not event.day:
        raise InputError(
            "{title}: its date is not known; give it, e.g. {remedy}",
            title=event.title,
            remedy=by_option("date", "2017-01-14"),
        )


def _awards(event: EventToPost, facts: EventFacts) -> EventAwards:
    try:
        return awards_of(event.rulebook, facts)
    except InputError:
        award_event(event.rulebook, event.lists, facts.given)  # the same with the players' names
        raise


def _once_each(lists: Sequence[Field], named: Sequence[Field]) -> None:
    """Refuse a person in two entrants of one list, whatever names and numbers the file has."""
    for each, as_named in zip(lists, named, strict=True):
        seen: dict[int, str] = {}
        for standing, written in zip(each.standings, as_named.standings, strict=True):
            title = written.entrant.title
            for member in stored.members_of(standing):
                if member in seen:
                    raise InputError(
                        "member #{member} appears twice in one ranking list: in {seen} and "
                        "in {title}",
                        member=member,
                        seen=seen[member],
                        title=title,
                    )
                seen[member] = title


# --- is it there already? ---------------------------------------------------------------------


def live_events(connection: Connection, *conditions: Any) -> list[Any]:
    """Records of awarded events that have not been reversed, the newest last."""
    chosen = select(records).where(STANDS, *conditions)
    return list(connection.execute(chosen.order_by(records.c.id)))


def record_of(connection: Connection, key: str) -> Any | None:
    """The record that stands of the event with this key, if it was posted."""
    matching = live_events(connection, records.c.event == key)
    return matching[-1] if matching else None


def same_session(connection: Connection, prepared: PreparedEvent) -> Any | None:
    """An event under another name with the same results, or with the same people on that day."""
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


def titles_of(
    connection: Connection, ids: Iterable[int], prepared: PreparedEvent
) -> dict[int, str]:
    """Return the titles of members, including those the event would add."""
    known = {i: member.title for i, member in members.get(connection, ids).items()}
    return known | {member.id: member.title for member in prepared.newcomers}


def difference(
    connection: Connection, facts: EventFacts, lines: Sequence[Any], prepared: PreparedEvent
) -> tuple[str, ...]:
    """The differences from what was posted or held, entrant by entrant."""
    before, after = _outcomes(facts, lines), _outcomes(prepared.facts, prepared.lines)
    names = titles_of(connection, {i for e in {*before, *after} for i in e}, prepared)
    shown = prepared.payment.usual.shown
    differences = []
    for entrant in sorted({*before, *after}, key=lambda e: after.get(e, before.get(e, (0, 0)))):
        was, now = before.get(entrant), after.get(entrant)
        if was != now:
            who = " & ".join(names[i] for i in entrant)
            differences.append(
                Message(
                    "{who}: {before} in the ledger, {now} now",
                    who=who,
                    before=_outcome(was, shown),
                    now=_outcome(now, shown),
                )
            )
    return tuple(differences)


def _outcome(outcome: tuple[int, int] | None, shown: Any) -> Message:
    if not outcome:
        return Message("not there")
    place, points = outcome
    return Message("place {place}, {points} points", place=place, points=shown(points))


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
