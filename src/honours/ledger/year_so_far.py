"""What players were awarded before in a period, for rulebooks that ask for it.

An input with ``awarded_in`` is what a player was awarded by the same rulebook, in any revision, in
the events of the club's year, of the month or of the day up to this one, or in all: those of
earlier days, and on the same day those posted first. An event's own postings never count, so that
posting it again, or correcting it, asks the same question. The figure is stored in the facts of a
record like any other fact of a player, and ``verify`` derives the award from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, func, select

from honours.engine.periods import EVER, period_around
from honours.engine.rulebook import Rulebook
from honours.engine.written_names import public
from honours.ledger import kinds
from honours.ledger.balances import ends, merged_into
from honours.ledger.bulk import among
from honours.ledger.facts import members_of
from honours.ledger.schema import OF_RECORD, STANDS, postings, records, rulebooks
from honours.model import Field, KnownFact, Origin, Player
from honours.model.message import Message, mark

if TYPE_CHECKING:
    from honours.ledger.events import EventToPost

THE_LEDGER, THE_SEASON = mark("the ledger"), mark("the season")
NOTHING = Fraction(0)

Points = Callable[[Player, str], Fraction]
"""What a player was awarded before in a period."""


def with_points(
    rulebook: Rulebook,
    given: Mapping[str, str],
    lists: tuple[Field, ...],
    points: Points,
    source: str,
) -> tuple[Field, ...]:
    """The lists with what the rulebook asks about earlier awards. If that is given, or a list
    states it for somebody, the stated value counts and nothing is added."""
    names = [name for name in rulebook.asked_before if public(name) not in given]
    if not names:
        return lists
    asked = rulebook.asked_before

    def of_list(field: Field) -> Field:
        wanted = {name: asked[name] for name in names if not _is_told(field, name)}
        return _of_list(field, wanted, points, source)

    return tuple(map(of_list, lists))


def _is_told(field: Field, name: str) -> bool:
    known = field.sources.get(name)
    if known is not None and known.source in (THE_LEDGER, THE_SEASON):
        return False
    standings = field.standings
    of_players = (player.facts for each in standings for player in each.entrant.players)
    return any(name in facts for facts in (*(each.facts for each in standings), *of_players))


def _of_list(field: Field, names: Mapping[str, str], points: Points, source: str) -> Field:
    """A list with inputs, each for a period."""
    if not names:
        return field

    def with_own(player: Player) -> Player:
        own = {name: points(player, of) for name, of in names.items()}
        return replace(player, facts={**player.facts, **own})

    known = {name: KnownFact(name, "", Origin.DERIVED, source) for name in names}
    return replace(field.with_players(with_own), sources={**field.sources, **known})


def without_points(rulebook: Rulebook, lists: tuple[Field, ...]) -> tuple[Field, ...]:
    """The lists of a return without what the club's own ledger added, since that knows only one
    club's year."""

    def stripped(player: Player) -> Player:
        names = rulebook.asked_before
        return replace(player, facts={k: v for k, v in player.facts.items() if k not in names})

    return tuple(field.with_players(stripped) for field in lists)


# --- from the ledger --------------------------------------------------------------------------


def with_ledgers_points(
    connection: Connection, event: EventToPost, lists: tuple[Field, ...]
) -> tuple[Field, ...]:
    """The lists of an event whose players are members, with what the ledger has."""
    if not event.rulebook.asked_before or not event.day:
        return lists
    ids = {i for f in lists for s in f.standings for i in members_of(s)}
    periods = {*event.rulebook.asked_before.values()}
    earned = {period: _earned(connection, event, period, ids) for period in periods}
    return with_points(
        event.rulebook,
        event.given,
        lists,
        lambda player, period: earned[period].get(int(player.number), NOTHING),
        THE_LEDGER,
    )


def _earned(
    connection: Connection, event: EventToPost, period: str, ids: set[int]
) -> dict[int, Fraction]:
    """What members were awarded before in a period, including those merged into them."""
    last = ends(connection, ids)
    roots = {i: last.get(i, i) for i in ids}
    merged = merged_into(connection, roots.values())
    worth = {kind.id: 10**kind.decimals for kind in kinds.all_kinds(connection)}
    summed = (
        select(postings.c.member, postings.c.kind, func.sum(postings.c.amount))
        .select_from(postings.join(records, OF_RECORD))
        .where(
            among(connection, records.c.id, _earlier(connection, event, period)),
            among(connection, postings.c.member, {*roots.values(), *merged}),
        )
        .group_by(postings.c.member, postings.c.kind)
    )
    earned: dict[int, Fraction] = {}
    for member, kind, amount in connection.execute(summed):
        root = merged.get(member, member)
        earned[root] = earned.get(root, NOTHING) + Fraction(int(amount), worth[kind])
    return {i: earned.get(root, NOTHING) for i, root in roots.items()}


def _earlier(connection: Connection, event: EventToPost, period: str) -> list[int]:
    """The records of a period that come before an event, under its rulebook."""
    since, _ = period_around(period, event.day, event.year_begins)
    chosen = select(records.c.id, records.c.event, records.c.day).where(
        STANDS, records.c.day.between(since, event.day), awarded_by(event.rulebook.id)
    )
    first = _first_posted(connection, event.day)
    own = first.get(event.key)
    return [
        row.id
        for row in connection.execute(chosen)
        if row.day < event.day or own is None or first[row.event] < own
    ]


def asked_period(event: EventToPost) -> tuple[str, str]:
    """The first day of which an event asks what was awarded, and the last day on which another may
    ask what this one awarded; empty where its rulebook asks nothing."""
    asked = event.rulebook.asked_before.values() if event.day else ()
    periods = [period_around(period, event.day, event.year_begins) for period in asked]
    first, last = (p[0] for p in periods), (p[1] for p in periods)
    return min(first, default=""), max(last, default="")


def _first_posted(connection: Connection, day: str) -> dict[str, int]:
    """The first record of each event of a day: this keeps its place in the order, however often
    corrected."""
    first = select(records.c.event, func.min(records.c.id)).where(
        records.c.action == "award", records.c.day == day
    )
    rows = connection.execute(first.group_by(records.c.event))
    return {row[0]: int(row[1]) for row in rows}


def awarded_by(rulebook: str) -> ColumnElement[bool]:
    """Records awarded by a rulebook, in any revision."""
    own = select(rulebooks.c.hash).where(rulebooks.c.rulebook == rulebook)
    return records.c.rulebook.in_(own)


def is_same(before: Sequence[Field], now: Sequence[Field]) -> bool:
    """Whether the ledger adds the same as before."""
    return all(
        [player.facts for each in one.standings for player in each.entrant.players]
        == [player.facts for each in other.standings for player in each.entrant.players]
        for one, other in zip(before, now, strict=True)
    )


def in_words(event: EventToPost, lists: Sequence[Field]) -> tuple[Message, ...]:
    """What the ledger added, as messages for the person who posts the event."""
    names = [
        (name, period)
        for name, period in event.rulebook.asked_before.items()
        if any(field.sources[name].source == THE_LEDGER for field in lists if name in field.sources)
    ]
    if not names:
        return ()
    return tuple(
        Message(
            _EVER_BEFORE if period == EVER else _SINCE_A_DAY,
            name=public(name),
            rulebook=event.rulebook.id,
            since=period_around(period, event.day, event.year_begins)[0],
            day=event.day,
        )
        for name, period in names
    )


_SINCE_A_DAY = mark(
    "{name} is derived from the ledger: what each player was awarded by {rulebook} from {since} to "
    "{day}, this event left out"
)
_EVER_BEFORE = mark(
    "{name} is derived from the ledger: all that each player was awarded by {rulebook} up to "
    "{day}, this event left out"
)
