"""Many rows at once, in the way each database takes and returns them fastest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Table,
    Text,
    any_,
    bindparam,
    func,
    select,
)

_Item = TypeVar("_Item")


class PageOf(list[_Item]):
    """A part of a list, at most ``limit`` of what was read, which is one more: so it knows whether
    there are ``more``. Whoever is not shown is left out of the query, or a part would end early."""

    def __init__(self, read: Iterable[_Item], limit: int | None = None) -> None:
        super().__init__(read)
        self.more = limit is not None and len(self) > limit
        del self[limit if self.more else len(self) :]


def lots(wanted: Iterable[_Item], size: int = 500) -> Iterator[list[_Item]]:
    """A few hundred at a time, because databases limit how many values a query may have."""
    rest = iter(wanted)
    while some := list(islice(rest, size)):
        yield some


def among(connection: Connection, column: ColumnElement[int], ids: Iterable[int]) -> Any:
    """The condition that a column is one of these numbers, passed as one value however many they
    are."""
    if connection.dialect.name == "sqlite":
        each = func.json_each(bindparam(None, json.dumps(list(ids)), Text)).table_valued("value")
        return column.in_(select(each.c.value))
    return column == any_(bindparam(None, list(ids), ARRAY(BigInteger)))


def insert_rows(
    connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Insert rows whose values are in the order of ``columns``."""
    if not rows:
        return
    names = ", ".join(f'"{name}"' for name in columns)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" for _ in columns)
        sql = f"INSERT INTO {table.name} ({names}) VALUES ({marks})"
        connection.exec_driver_sql(sql, [tuple(row) for row in rows])
        return
    cursor: Any = connection.connection.cursor()
    with cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
