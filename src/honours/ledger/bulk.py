"""Many rows at once, the way each database takes them fastest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table


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
