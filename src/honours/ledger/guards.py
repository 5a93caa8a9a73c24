"""The triggers that make the database itself refuse to change or delete what was written."""

from __future__ import annotations

SAYING = "the ledger is only ever added to: correct a posting by reversing it"


def create(table: str, dialect: str) -> list[str]:
    """The statements that create the guards of a table."""
    return _sqlite(table) if dialect == "sqlite" else _postgresql(table)


def drop(table: str, dialect: str) -> list[str]:
    """The statements that remove the guards."""
    if dialect == "sqlite":
        return [f"DROP TRIGGER {name}" for name in names(table, dialect)]
    return [f"DROP TRIGGER {name} ON {table}" for name in names(table, dialect)]


def names(table: str, dialect: str) -> list[str]:
    """The names of the triggers."""
    moments = ["update", "delete"] + (["truncate"] if dialect != "sqlite" else [])
    return [f"{table}_no_{moment}" for moment in moments]


BODY = f"BEGIN RAISE EXCEPTION '{SAYING}'; END"
FUNCTION = f"CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ {BODY} $$"
"""The function that PostgreSQL's triggers call; created once, before the first guard."""


def _sqlite(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{moment} BEFORE {moment.upper()} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{SAYING}'); END"
        for moment in ("update", "delete")
    ]


def _postgresql(table: str) -> list[str]:
    rows = [
        f"CREATE TRIGGER {table}_no_{moment} BEFORE {moment.upper()} ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        for moment in ("update", "delete")
    ]
    whole = (
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    return [*rows, whole]
