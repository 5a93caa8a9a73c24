"""The numbers and names that members had before; anything that still uses one refers to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from honours.formats.entrants import sought
from honours.ledger import sealing
from honours.ledger.bulk import lots
from honours.ledger.chain import now
from honours.ledger.schema import names, numbers


def remember_number(connection: Connection, number: str, member: int) -> None:
    """Store a number that somebody had."""
    sealing.remove(connection, numbers, numbers.c.number == number)
    row = {"number": number, "member": member, "until": now()[:10], "salt": sealing.salt()}
    sealing.put(connection, numbers, row)


def remember_names(
    connection: Connection, changed: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> None:
    """Store the previous names of people who are now called something else, given both."""
    last = int(connection.scalar(select(func.coalesce(func.max(names.c.id), 0))) or 0)
    before = [was for was, now_ in changed if sought(was["name"]) != sought(now_["name"])]
    rows = [
        {
            "id": number,
            "member": was["member"],
            "name": was["name"],
            "until": now()[:10],
            "salt": sealing.salt(),
        }
        for number, was in enumerate(before, last + 1)
    ]
    if rows:
        sealing.put_many(connection, names, rows)


def numbers_of(connection: Connection, ids: Iterable[int]) -> dict[int, list[str]]:
    """The numbers that members had before, the oldest first."""
    kept: dict[int, list[str]] = {}
    for some in lots(ids):
        chosen = select(numbers).where(numbers.c.member.in_(some))
        for row in connection.execute(chosen.order_by(numbers.c.until, numbers.c.number)):
            kept.setdefault(row.member, []).append(row.number)
    return kept


def names_of(connection: Connection, ids: Iterable[int]) -> dict[int, list[str]]:
    """The names that members had before, the oldest first."""
    kept: dict[int, list[str]] = {}
    for some in lots(ids):
        chosen = select(names).where(names.c.member.in_(some))
        for row in connection.execute(chosen.order_by(names.c.id)):
            kept.setdefault(row.member, []).append(row.name)
    return kept
