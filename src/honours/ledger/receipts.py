"""Receipts: the outcome of each event that was sent in, kept for its sender.

A receipt for something held eventually shows the outcome of the draft: posted if it was released,
refused, with the reason, if it was withdrawn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, select

from honours.formats.entrants import sought
from honours.ledger import sealing
from honours.ledger.bulk import PageOf
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import locked, now
from honours.ledger.schema import drafts, receipts, records
from honours.model.message import Message, message_data, message_of

POSTED, HELD, REFUSED = Message("posted"), Message("held"), Message("refused")
ALREADY, TAKEN_BACK = Message("already posted"), Message("taken back")
ASKED = Message("asked")
"""Put aside with its question: sent again with the answer, it is taken in."""
TAKEN_BACK_ALREADY = Message("taken back already")
STATUSES = (POSTED, ALREADY, TAKEN_BACK, HELD, ASKED, REFUSED)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of an incoming event: which it was, what was done, and what differs. ``id`` is
    its number, once it is stored."""

    source: str
    status: str
    record: int | None = None
    said: tuple[str, ...] = ()
    """What is to be said of it, reason by reason: each a message with its values."""
    title: str = ""
    day: str = ""
    club: str = ""
    identifier: str = ""
    """The club's identifier of the record, by which it is reversed."""
    draft: int | None = None
    id: int = 0
    at: str = ""
    who: str = ""
    asked: str = ""
    """When its club was asked about it, while it is held."""


def keep(
    connection: Connection, received: Sequence[tuple[Receipt, str]], who: str
) -> list[Receipt]:
    """Store receipts, each with the digest of its file, in a few statements; returns them as
    stored, with their numbers."""
    if not received:
        return []
    locked(connection)
    first = sealing.next_number(connection, receipts)
    at = now()
    kept = [
        replace(receipt, id=number, at=at, who=who)
        for number, (receipt, _) in enumerate(received, first)
    ]
    rows = [
        {
            "id": receipt.id,
            "at": at,
            "who": who,
            "source": _kept(receipt.source),
            "digest": digest,
            "title": _kept(receipt.title),
            "day": receipt.day,
            "club": _kept(receipt.club),
            "identifier": _kept(receipt.identifier),
            "status": str(receipt.status),
            "said": _said(receipt.said),
            "record": receipt.record,
            "draft": receipt.draft,
            "salt": sealing.salt(),
        }
        for receipt, (_, digest) in zip(kept, received, strict=True)
    ]
    sealing.put(connection, receipts, *rows)
    return kept


def _kept(text: str) -> str:
    """A text that can be stored: a fault in a file must not prevent its receipt."""
    if isinstance(text, Message):
        return text.with_values(_kept)
    return text.replace("\x00", "\ufffd")


def _said(reasons: tuple[str, ...]) -> str:
    """Reasons as they are stored: with their values apart, to be read again in any language."""
    return text_of(message_data(tuple(map(_kept, reasons)))) if reasons else ""


def reasons_of(said: str) -> tuple[str, ...]:
    """The reasons that are stored so."""
    reasons: tuple[str, ...] = message_of(data_of(said)) if said else ()
    return reasons


_status = case(
    (drafts.c.status == "released", str(POSTED)),
    (drafts.c.status == "withdrawn", str(REFUSED)),
    else_=receipts.c.status,
).label("status_now")
_CHOSEN = (
    select(receipts, _status, drafts.c.record.label("released_as"), drafts.c.remark)
    .select_from(receipts)
    .outerjoin(drafts, drafts.c.id == receipts.c.draft)
)


def listed(
    connection: Connection,
    limit: int,
    before: int | None = None,
    status: str = "",
    clubs: Collection[str] | None = None,
) -> PageOf[Receipt]:
    """A limited number of receipts, the latest first, older than a given one; by status and
    clubs."""
    conditions: list[ColumnElement[bool]] = []
    if before is not None:
        conditions.append(receipts.c.id < before)
    if status:
        conditions.append(_status == status)
    if clubs is not None:
        conditions.append(receipts.c.club.in_(clubs))
    chosen = _CHOSEN.where(*conditions).order_by(receipts.c.id.desc()).limit(limit + 1)
    return PageOf(map(_receipt, connection.execute(chosen).mappings()), limit)


def find(connection: Connection, number: int) -> Receipt | None:
    row = connection.execute(_CHOSEN.where(receipts.c.id == number)).mappings().first()
    return _receipt(row) if row else None


def counts(connection: Connection) -> dict[str, int]:
    """Return how many receipts there are of each status."""
    counted = (
        select(_status, func.count())
        .select_from(receipts)
        .outerjoin(drafts, drafts.c.id == receipts.c.draft)
        .group_by(_status)
    )
    return {str(status): int(count) for status, count in connection.execute(counted)}


def clubs(connection: Connection) -> list[str]:
    """Every club that has sent something."""
    return list(connection.scalars(select(receipts.c.club).distinct().order_by(receipts.c.club)))


def spellings(connection: Connection, club: str) -> list[str]:
    """Return the spellings of a club in receipts."""
    return [one for one in clubs(connection) if sought(one) == sought(club)]


def _receipt(row: Mapping[Any, Any]) -> Receipt:
    waits = row["status_now"] == HELD  # then the draft's remark is when its club was asked
    return Receipt(
        row["source"],
        next((one for one in STATUSES if one == row["status_now"]), row["status_now"]),
        row["record"] or row["released_as"],
        (row["remark"],) if row["remark"] and not waits else reasons_of(row["said"]),
        row["title"],
        row["day"],
        row["club"],
        row["identifier"],
        row["draft"],
        row["id"],
        row["at"],
        row["who"],
        row["remark"] or "" if waits else "",
    )


def settled(connection: Connection, digests: Sequence[str]) -> dict[str, list[Receipt]]:
    """Return what became of each event of those files, by their digests, that were taken in before
    and settled then: posted, and still in force, or held, or taken back. A file of which anything
    would now be done anew is left out."""
    known: dict[str, dict[tuple[str, ...], Receipt]] = {}
    for row in connection.execute(_CHOSEN.where(receipts.c.digest.in_(digests))).mappings():
        event = (row["title"], row["day"], row["identifier"])
        known.setdefault(row["digest"], {})[event] = _receipt(row)
    posted = {
        one.record for own in known.values() for one in own.values() if one.status != TAKEN_BACK
    }
    chosen = select(records.c.reverses).where(records.c.reverses.in_(posted - {None}))
    undone = set(connection.scalars(chosen))
    return {
        digest: [_again(one) for one in own.values()]
        for digest, own in known.items()
        if not any(one.status in (REFUSED, ASKED) or one.record in undone for one in own.values())
    }


def _again(receipt: Receipt) -> Receipt:
    if receipt.status == TAKEN_BACK:
        return replace(receipt, status=ALREADY, said=(TAKEN_BACK_ALREADY,))
    return replace(receipt, status=ALREADY) if receipt.status == POSTED else receipt


def taken_in_as(connection: Connection, club: str, identifier: str) -> Receipt | None:
    """The latest receipt, posted or held, for the award that a club calls by this identifier."""
    later = records.alias()
    undone = select(later.c.id).where(
        later.c.reverses == func.coalesce(receipts.c.record, drafts.c.record)
    )
    chosen = _CHOSEN.where(
        and_(
            receipts.c.identifier == identifier, _status.in_([str(POSTED), str(ALREADY), str(HELD)])
        ),
        ~undone.exists(),
    ).order_by(receipts.c.id.desc())
    candidates = (_receipt(row) for row in connection.execute(chosen).mappings())
    return next((one for one in candidates if sought(one.club) == sought(club)), None)


def took_back(connection: Connection, club: str, identifier: str) -> bool:
    """Return whether the award with this identifier of a club has already been reversed here."""
    chosen = _CHOSEN.where(receipts.c.identifier == identifier, _status == str(TAKEN_BACK))
    candidates = (_receipt(row) for row in connection.execute(chosen).mappings())
    return any(sought(one.club) == sought(club) for one in candidates)
