"""Awards held for review: drafted by one person, reviewed, and released by someone authorised.

A draft stores the facts with members instead of names, as a record does; releasing it posts exactly
what was reviewed, or is refused if the rulebook is not the one it was reviewed under. What the
ledger itself adds (what players were awarded before in the year) is taken when the draft is
released. Nobody becomes a member by a draft: it calls them by negative numbers and keeps their
names until it is settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from honours.errors import InputError
from honours.ledger import events, members, post, sealing
from honours.ledger import facts as stored
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import locked, now
from honours.ledger.events import EventToPost
from honours.ledger.identify import Enrol, Identifier, people_of
from honours.ledger.post import PostingOutcome, allowed, check_may_release
from honours.ledger.posting_limits import forbidden
from honours.ledger.schema import drafts, end_of, releasers
from honours.ledger.store import Ledger
from honours.model import Entrant, Field, Player, Standing
from honours.model.member import Member
from honours.model.message import Message
from honours.rulebooks import with_hash

Claimed = Mapping[tuple[str, str], Fraction]
"""What a club awarded to players, by number and name."""
NOTHING_CLAIMED: Claimed = {}
STATUSES = PENDING, RELEASED, WITHDRAWN = "pending", "released", "withdrawn"
HELD = "held"


@dataclass(frozen=True, slots=True)
class Draft:
    """An event's awards as drafted."""

    id: int
    status: str
    at: str
    who: str
    content: Mapping[str, Any]
    record: int | None
    settled_by: str
    remark: str

    @property
    def title(self) -> str:
        return str(self.content["title"])

    @property
    def newcomers(self) -> dict[int, Member]:
        """Those who would become members or visitors, by the numbers it calls them by."""
        return {
            number: Member(number, name, own, visitor=not own)
            for number, name, own in self.content["newcomers"]
        }


def draft(
    ledger: Ledger,
    event: EventToPost,
    who: str,
    dry_run: bool = False,
    foreseen: events.PreparedEvent | None = None,
    claimed: Claimed = NOTHING_CLAIMED,
) -> PostingOutcome:
    """Hold an event's awards; one already drafted or posted is not held again. ``claimed`` is what
    a club awarded, if that differs."""
    events.check_dated(event)
    foreseen = foreseen or events.foresee(ledger, event, enrol=_nobody_yet())

    def work(connection: Connection) -> PostingOutcome:
        locked(connection)
        prepared = events.prepare(connection, event, before=foreseen, enrol=_nobody_yet())
        posted = events.record_of(connection, event.key)
        if posted is not None:
            differences = post.differences_from(connection, posted, prepared)
            status = post.DIFFERS if differences else post.ALREADY
            return PostingOutcome(
                status, event, posted.id, prepared.lines, differences, prepared=prepared
            )
        held = [d for d in all_drafts(connection, PENDING) if d.content["key"] == event.key]
        if held:
            like = Message("draft {id}: withdraw it first", id=held[0].id)
            return PostingOutcome(post.ALREADY, event, None, prepared.lines, like=like)
        number = _store(connection, event, prepared, who, claimed)
        return PostingOutcome(
            HELD,
            event,
            number,
            prepared.lines,
            newcomers=prepared.newcomers,
            remarks=forbidden(connection, prepared),
            prepared=prepared,
        )

    return post.attempt(ledger, work, HELD, who, dry_run)


def _nobody_yet() -> Enrol:
    """Numbers for newcomers of a draft, who become members when it is released."""
    free = count(-1, -1)
    return lambda _player: next(free)


def _store(
    connection: Connection,
    event: EventToPost,
    prepared: events.PreparedEvent,
    who: str,
    claimed: Claimed,
) -> int:
    number = sealing.next_number(connection, drafts)
    content = {
        "key": event.key,
        "title": event.title,
        "day": event.day,
        "club": event.club,
        "source": event.source,
        "year_begins": event.year_begins,
        "rulebook": event.rulebook.id,
        "hash": event.rulebook.hash,
        "amended": dict(event.rulebook.amended),
        "facts": stored.to_text(prepared.facts),
        "sources": stored.sources_data(prepared.facts.lists),
        "newcomers": [[one.id, one.name, one.number] for one in prepared.newcomers],
        "claimed": _claims(event, prepared, claimed),
    }
    row = {
        "id": number,
        "status": PENDING,
        "at": now(),
        "who": who,
        "content": text_of(content),
        "record": None,
        "settled_by": "",
        "remark": "",
    }
    sealing.put(connection, drafts, row)
    return number


def _claims(
    event: EventToPost, prepared: events.PreparedEvent, claimed: Claimed
) -> list[list[int | str]]:
    """Return the awards a club claims: the number of a member here, and the points as text."""
    ids = {
        (player.number, player.name): member
        for named, own in zip(event.lists, prepared.facts.lists, strict=True)
        for written, standing in zip(named.standings, own.standings, strict=True)
        for player, member in zip(written.entrant.players, stored.members_of(standing), strict=True)
    }
    return [[ids[who], str(points)] for who, points in claimed.items() if who in ids]


def all_drafts(connection: Connection, status: str = "") -> list[Draft]:
    """Every draft, or those of a status."""
    return _drafts(connection, *([drafts.c.status == status] if status else []))


def find(connection: Connection, number: int) -> Draft | None:
    """The draft of this number, whatever became of it."""
    return next(iter(_drafts(connection, drafts.c.id == number)), None)


def _drafts(connection: Connection, *conditions: ColumnElement[bool]) -> list[Draft]:
    rows = connection.execute(select(drafts).where(*conditions).order_by(drafts.c.id))
    return [
        Draft(r.id, r.status, r.at, r.who, data_of(r.content), r.record, r.settled_by, r.remark)
        for r in rows
    ]


def event_of(held: Draft, folders: Iterable[str | Path] = ()) -> EventToPost:
    """The drafted event, to be reviewed or posted."""
    content = held.content
    book = with_hash(content["hash"], content["amended"], folders)
    if book is None:
        raise InputError(
            "draft {id}: {rulebook} has changed since; withdraw the draft and post the event again",
            id=held.id,
            rulebook=content["rulebook"],
        )
    facts = stored.from_text(content["facts"])
    return EventToPost(
        content["title"],
        stored.with_sources(facts.lists, content["sources"]),
        book,
        facts.given,
        content["day"],
        content["club"],
        content["source"],
        facts.kind,
        year_begins=content["year_begins"],
        numbers=facts.numbers,
    )


def with_newcomers(
    connection: Connection, held: Draft, event: EventToPost, enrol: Enrol | None = None
) -> EventToPost:
    """A drafted event with everybody a member: those who were new when it was drafted are looked
    for again, and enrolled; as it would be, unless it is said how."""
    if not held.newcomers:
        return event
    free = count(end_of(connection).members + 1)
    new = {number: Player(one.name, one.number) for number, one in held.newcomers.items()}
    named = Field({}, tuple(Standing(Entrant("", (one,)), 1) for one in new.values()))
    found = people_of(connection, [named])
    identify = Identifier(connection, found, enrol or (lambda _player: next(free)))
    ids = {number: identify(player, player.name) for number, player in new.items()}
    if identify.unlike:
        raise events.NamesUnlike(events.unlike_names(tuple(identify.unlike.values())))
    lists = stored.without_names(
        event.lists, lambda player, _entrant: ids.get(int(player.number), int(player.number)), True
    )
    numbers = {
        standing.entrant.id: event.numbers[was.entrant.id]
        for field, before in zip(lists, event.lists, strict=True)
        for standing, was in zip(field.standings, before.standings, strict=True)
        if was.entrant.id in event.numbers
    }
    return replace(event, lists=lists, numbers=numbers)


def release(
    ledger: Ledger,
    number: int,
    who: str,
    folders: Iterable[str | Path] = (),
    *,
    another: bool = False,
    overrule: str = "",
    dry_run: bool = False,
) -> PostingOutcome:
    """Post what was drafted, if ``who`` is authorised."""
    with ledger.reading() as connection:
        check_may_release(connection, who)
        drafted = _pending(connection, number)
        event = event_of(drafted, folders)
        foreseen_event = with_newcomers(connection, drafted, event)
    foreseen = events.foresee(ledger, foreseen_event, identified=True)

    def work(connection: Connection) -> PostingOutcome:
        locked(connection)
        check_may_release(connection, who)
        held = _pending(connection, number)  # nobody has settled it in the meantime

        new: list[Member] = []

        def enrol(player: Player) -> int:
            visits = not player.number
            added = members.add(connection, player.name, player.number, visitor=visits)
            new.append(Member(added, player.name, player.number, visitor=visits))
            return added

        now_members = with_newcomers(connection, held, event, enrol)
        prepared = events.prepare(connection, now_members, identified=True, before=foreseen)
        prepared = replace(prepared, newcomers=tuple(new))
        asked = post.PostingTerms(who, f"drafted by {held.who}", another=another, overrule=overrule)
        outcome = post.post_prepared(connection, prepared, asked)
        if outcome.status == post.POSTED:
            _settle(connection, held, RELEASED, who, "", outcome.record)
        return outcome

    return post.attempt(ledger, work, post.POSTED, who, dry_run)


def drafters(connection: Connection) -> dict[int, str]:
    """Return the drafter of each release, by the resulting record."""
    released = select(drafts.c.record, drafts.c.who).where(drafts.c.record.is_not(None))
    return {row.record: row.who for row in connection.execute(released)}


def withdraw(ledger: Ledger, number: int, who: str, why: str, dry_run: bool = False) -> None:
    """Abandon a draft; it stays in the list with the reason."""
    with ledger.writing(dry_run, who) as connection:
        locked(connection)
        _settle(connection, _pending(connection, number), WITHDRAWN, who, why, None)


def _pending(connection: Connection, number: int) -> Draft:
    draft = find(connection, number)
    if draft is None:
        waiting = tuple(str(one.id) for one in all_drafts(connection, PENDING))
        pending = waiting or Message("none")
        raise InputError(
            "there is no draft {number}; pending: {pending}", number=number, pending=pending
        )
    if draft.status != PENDING:
        raise InputError(
            "draft {number} was already {status} by {settled_by}; nothing was changed",
            number=number,
            status=draft.status,
            settled_by=draft.settled_by,
        )
    return draft


def _settle(
    connection: Connection, held: Draft, status: str, who: str, remark: str, record: int | None
) -> None:
    kept = connection.execute(select(drafts).where(drafts.c.id == held.id)).mappings().one()
    content = text_of({**held.content, "newcomers": [], "claimed": []})
    row = {
        **kept,
        "content": content,
        "status": status,
        "settled_by": who,
        "remark": remark,
        "record": record,
    }
    sealing.change(connection, drafts, row)


# --- who may ----------------------------------------------------------------------------------


def allow(
    ledger: Ledger, name: str, may: bool = True, dry_run: bool = False, who: str = ""
) -> list[str]:
    """Authorise somebody to release awards, or no longer; returns everybody who is authorised."""
    with ledger.writing(dry_run, who) as connection:
        locked(connection)
        if not may:
            sealing.remove(connection, releasers, releasers.c.name == name)
        elif name not in allowed(connection):
            sealing.put(connection, releasers, {"name": name, "salt": sealing.salt()})
        return allowed(connection)
