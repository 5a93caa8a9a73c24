"""Records with their postings, from first to last, reading each row once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from honours.ledger.schema import postings, records

_LOT = 200


class Posting(NamedTuple):
    """A posting as it stands in its table."""

    id: int
    record: int
    member: int
    kind: int
    amount: int
    entrant: str
    reverses: int | None


def walk(
    connection: Connection, after: int, posted: int, strays: list[Any]
) -> Iterator[tuple[Any, list[Posting]]]:
    """Every record after a given one, with its postings, which are in the same order as the
    records. Postings far from their record are ``strays``."""
    waiting: dict[int, list[Posting]] = {}
    last = after
    chosen = select(records).order_by(records.c.id).limit(_LOT)
    while rows := connection.execute(chosen.where(records.c.id > last)).all():
        last = rows[-1].id
        until = max(row.first_posting + row.postings - 1 for row in rows)
        for line in _between(connection, posted, until):
            waiting.setdefault(line.record, []).append(line)
        posted = max(posted, until)
        yield from ((row, waiting.pop(row.id, [])) for row in rows)
    for line in _between(connection, posted, None):
        waiting.setdefault(line.record, []).append(line)
    strays += [line for lines in waiting.values() for line in lines]


def _between(connection: Connection, above: int, until: int | None) -> Iterator[Posting]:
    """The postings after one number, up to another."""
    chosen = select(postings).where(postings.c.id > above).order_by(postings.c.id)
    if until is not None:
        chosen = chosen.where(postings.c.id <= until)
    # Closed even if the reader stops in the middle, at a line that makes no sense.
    with connection.execute(chosen.execution_options(yield_per=5_000)) as rows:
        for row in rows:
            yield Posting(*row)
