"""A federation's office decides about what was held because a club awarded other points.

Ours: what the rulebook gives is posted. Theirs: so it is, and beside it a record with the
difference to what the club awarded, and the reason. Or the club is asked: a letter says line by
line what differs, and the draft waits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select

from honours.errors import HonoursError, InputError, UnknownName
from honours.ledger import facts as stored
from honours.ledger import post, receipts, release, sealing
from honours.ledger.canonical import text_of
from honours.ledger.chain import NewRecord, append, now
from honours.ledger.derive import opening_lines
from honours.ledger.lists import Listed, ListQuery
from honours.ledger.post import ADJUSTMENT
from honours.ledger.receipts import ASKED, HELD, REFUSED, Receipt
from honours.ledger.requests import within_transaction
from honours.ledger.schema import drafts
from honours.ledger.store import Ledger
from honours.model.message import Message, joined, word
from honours.model.table import Cell, Column, Kind, Link, headed, table

DECISIONS = OURS, THEIRS, ASK = "ours", "theirs", "ask"


class Decided(NamedTuple):
    """A receipt about which something was decided, and what came of it."""

    receipt: int
    status: str
    record: int | None = None
    said: str = ""


def held(connection: Connection, clubs: Collection[str] | None = None) -> list[Receipt]:
    """Return the receipts that wait for a decision, the oldest first."""
    return receipts.listed(connection, 10**9, None, str(HELD), clubs)[::-1]


def decide(
    ledger: Ledger,
    numbers: Sequence[int],
    decision: str,
    who: str,
    why: str = "",
    folders: Iterable[str | Path] = (),
    dry_run: bool = False,
) -> list[Decided]:
    """Decide about receipts that are held, each for itself: one that cannot be done keeps no other
    back. Against the rulebook nothing is posted without a reason."""
    if decision not in DECISIONS:
        raise UnknownName("decision", decision, DECISIONS)
    if decision == THEIRS and not why:
        raise InputError("points that the rulebook does not give are posted with a reason: say why")
    done = []
    for number in numbers:
        try:
            with ledger.writing(dry_run, who) as connection:
                part = within_transaction(ledger, connection)
                one = receipts.find(connection, number)
                draft = release.find(connection, one.draft or 0) if one else None
                if one is None or one.status != HELD or draft is None:
                    raise InputError("receipt {number} is not held", number=number)
                if decision == ASK:
                    _ask(connection, draft)
                    done.append(Decided(number, ASK))
                else:
                    done.append(_post(part, connection, number, draft, decision, who, why, folders))
        except HonoursError as error:
            done.append(Decided(number, str(REFUSED), said=error.message))
    return done


def _ask(connection: Connection, draft: release.Draft) -> None:
    row = connection.execute(select(drafts).where(drafts.c.id == draft.id)).mappings().one()
    sealing.change(connection, drafts, {**row, "remark": now()[:10]})


def _post(
    part: Ledger,
    connection: Connection,
    number: int,
    draft: release.Draft,
    decision: str,
    who: str,
    why: str,
    folders: Iterable[str | Path],
) -> Decided:
    outcome = release.release(part, draft.id, who, folders)
    if outcome.status != post.POSTED:
        why_not = outcome.difference or (outcome.like, *outcome.remarks)
        raise InputError("{status}: {why}", status=outcome.status, why=tuple(filter(None, why_not)))
    if decision == THEIRS:
        facts = text_of({"balances": list(_more(draft, outcome)), "of": outcome.record})
        event = outcome.event
        append(
            connection,
            NewRecord(
                ADJUSTMENT,
                who,
                why,
                event.key,
                event.title,
                event.day,
                event.club,
                event.source,
                facts=facts,
                lines=opening_lines(facts),
            ),
        )
    return Decided(number, post.POSTED, outcome.record)


def _more(draft: release.Draft, outcome: post.PostingOutcome) -> Iterator[list[int]]:
    """Member, kind and units by which the club awarded more, or less."""
    assert outcome.prepared is not None
    was, is_ = stored.from_text(draft.content["facts"]).lists, outcome.prepared.facts.lists
    ids = {
        before: after
        for one, other in zip(was, is_, strict=True)
        for held_, posted in zip(one.standings, other.standings, strict=True)
        for before, after in zip(stored.members_of(held_), stored.members_of(posted), strict=True)
    }
    usual = outcome.prepared.payment.usual
    ours = dict.fromkeys(ids.values(), 0)
    for line in outcome.lines:
        ours[line.member] += line.amount
    for number, points in draft.content["claimed"]:
        units = usual.units(Fraction(points)) - ours[ids[number]]
        if units:
            yield [ids[number], usual.id, units]


# --- what a club is told ------------------------------------------------------------------------

_MEND = {
    str(REFUSED): Message("correct it and send the file again"),
    str(ASKED): Message("answer, and send the file again"),
    str(HELD): Message("nothing: we are looking at it"),
}
_COMPARE = Message("compare, then send a corrected file or confirm that yours is right")


def to_mend(
    connection: Connection, club: str = "", since: str = "", until: str = "9999"
) -> list[Receipt]:
    """Return what clubs sent in that is not in the ledger, the oldest first; of an event that was
    sent again and taken in since, nothing."""
    wanted = receipts.spellings(connection, club) if club else None
    latest: dict[tuple[str, ...], Receipt] = {}
    for one in receipts.listed(connection, 10**9, None, "", wanted)[::-1]:
        latest[(one.club, one.title, one.day) if one.title else (one.club, one.source)] = one
    return [
        one for one in latest.values() if str(one.status) in _MEND and since <= one.at[:10] <= until
    ]


def _mend(one: Receipt) -> Message:
    return _COMPARE if one.asked else _MEND[str(one.status)]


def replies(connection: Connection, query: ListQuery) -> Listed:
    """A club's corrections to make, file by file, to be sent back to it; nothing in public."""
    waiting = to_mend(connection, query.club, query.since, query.until)
    columns = (
        headed("club"),
        headed("receipt", Kind.CODE),
        headed("received", Kind.DATE),
        Column("source", Message("file")),
        headed("event"),
        Column("day", Message("date"), Kind.DATE),
        headed("status", Kind.WORD),
        Column("said", Message("what is wrong")),
        Column("mend", Message("what to do")),
    )
    rows = [
        (
            one.club,
            Cell(str(one.id), link=Link("receipt", str(one.id))),
            one.at[:10],
            one.source,
            one.title,
            one.day,
            word(one.status),
            joined("; ", one.said),
            _mend(one),
        )
        for one in sorted(() if query.public else waiting, key=lambda one: (one.club, one.id))
    ]
    return Listed([table("replies", columns, rows, Message("what has to be mended"))])


def letters(waiting: Iterable[Receipt]) -> Iterator[tuple[str, Message]]:
    """A letter for each club: what is wrong with what it sent, line by line, and what to do."""
    by_club = sorted(waiting, key=lambda one: (one.club, one.id))
    for club, own in groupby(by_club, key=lambda one: one.club):
        yield club, joined("\n\n", [_greeting(club), *map(_paragraph, own)])


def _greeting(club: str) -> Message:
    return Message("To {club}: please look at the following in what you sent us.", club=club or "–")


def _paragraph(one: Receipt) -> Message:
    head = Message(
        "{title}, {day}, in {source} (receipt {number}): {status}",
        title=one.title or "–",
        day=one.day or "–",
        source=one.source,
        number=one.id,
        status=word(one.status),
    )
    lines = [Message("  {line}", line=line) for line in one.said]
    return joined("\n", [head, *lines, Message("Please {mend}.", mend=_mend(one))])
