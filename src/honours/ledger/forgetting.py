"""Forgetting a person: every text with their name is removed, and what cannot be removed is
reported.

A name is in ``people``, and earlier ones in ``names``. It may also be in texts that somebody wrote:
a receipt, a remark. Those are emptied. Texts covered by the chain (titles, reasons, file names, who
did something) cannot be removed; the person who erases is told where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Column, Connection, or_, select

from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger import earlier_names, sealing
from honours.ledger import facts as stored
from honours.ledger.balances import recount
from honours.ledger.canonical import data_of, text_of
from honours.ledger.schema import (
    assertions,
    changes,
    drafts,
    names,
    numbers,
    people,
    postings,
    receipts,
    records,
    submissions,
)
from honours.model.message import Message

_WRITTEN = (
    (receipts, ("said", "source")),
    (drafts, ("remark",)),
    (submissions, ("remark",)),
    (assertions, ("remark",)),
)
"""Texts that may be emptied."""
_FOR_GOOD: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (records, ("title", "why", "who", "club", "source")),
    (changes, ("who",)),
)
"""Texts covered by the chain."""
_TOLD = 12
"""The number of places that are listed one by one."""


def called(connection: Connection, ids: Sequence[int]) -> list[list[str]]:
    """Everything people are or were called, names and numbers, each split into words to search
    for."""
    own = connection.execute(select(people).where(people.c.member.in_(ids))).all()
    before = (earlier_names.names_of(connection, ids), earlier_names.numbers_of(connection, ids))
    texts = [row.name for row in own] + [row.number or "" for row in own]
    texts += [text for kept in before for some in kept.values() for text in some]
    return [words for words in (sought(text).split() for text in texts) if words]


def mentions(text: str, names_: Sequence[Sequence[str]]) -> bool:
    """Whether a text contains all words of one of the names, in any order."""
    there = set(sought(text).split()) | set(sought(text.replace(",", " ")).split())
    return any(there.issuperset(words) for words in names_)


def check_nameless(connection: Connection, ids: Sequence[int], why: str) -> None:
    """Refuse a reason for an erasure that contains the name, because it stays in the chain."""
    if mentions(why, called(connection, ids)):
        raise InputError(
            "the reason is kept for good: say it without the name that is to be forgotten"
        )


def forget(connection: Connection, ids: Sequence[int]) -> None:
    """Remove everything that contains the name of these people."""
    names_ = called(connection, ids)
    theirs = set(_receipts_of(connection, ids))
    for table, columns in _WRITTEN:
        for row in connection.execute(select(table)).mappings().all():
            empty = {column: "" for column in columns if mentions(row[column], names_)}
            if table is receipts and row["id"] in theirs:
                empty["said"] = ""  # it may have the name as spelt in the file
            if any(row[column] for column in empty):
                sealing.change(connection, table, {**row, **empty})
    for row in connection.execute(select(drafts)).mappings().all():
        content = data_of(row["content"])
        new = [
            [n, "", ""] if mentions(f"{a} {b}", names_) else [n, a, b]
            for n, a, b in content["newcomers"]
        ]
        if new != content["newcomers"]:
            emptied = text_of({**content, "newcomers": new})
            sealing.change(connection, drafts, {**row, "content": emptied})
    sealing.remove(connection, people, people.c.member.in_(ids))
    sealing.remove(connection, numbers, numbers.c.member.in_(ids))
    sealing.remove(connection, names, names.c.member.in_(ids))
    recount(connection, ids)


def _receipts_of(connection: Connection, ids: Sequence[int]) -> Iterator[int]:
    """The receipts of events in which people played."""
    wanted = set(ids)
    posted = select(postings.c.record).where(postings.c.member.in_(ids))
    of_record = or_(receipts.c.record.in_(posted), drafts.c.record.in_(posted))
    chosen = select(receipts.c.id).outerjoin(drafts, drafts.c.id == receipts.c.draft)
    yield from connection.scalars(chosen.where(of_record))
    held = select(receipts.c.id, drafts.c.content).join(drafts, drafts.c.id == receipts.c.draft)
    for row in connection.execute(held):
        lists = stored.from_text(data_of(row.content)["facts"]).lists
        if any(wanted & {*stored.members_of(s)} for each in lists for s in each.standings):
            yield row.id


def left_for_good(connection: Connection, ids: Sequence[int]) -> list[Message]:
    """Where the chain itself contains the name of these people, in texts that somebody wrote."""
    names_ = [words for words in called(connection, ids) if any(not w.isdigit() for w in words)]
    places = list(_places(connection, names_)) if names_ else []
    more = len(places) - _TOLD
    rest = [Message("and {count} more", count=more)] if more > 0 else []
    return [*places[:_TOLD], *rest]


def _places(connection: Connection, names_: Sequence[Sequence[str]]) -> Iterator[Message]:
    for table, columns in _FOR_GOOD:
        asked: list[Column[Any]] = [table.c.id, *(table.c[name] for name in columns)]
        for row in connection.execute(select(*asked).order_by(table.c.id)).mappings():
            for column in columns:
                if mentions(row[column], names_):
                    yield Message(
                        "{table} {number}: {text}",
                        table=Message("record") if table is records else Message("changes"),
                        number=row["id"],
                        text=row[column],
                    )
