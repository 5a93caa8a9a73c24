"""Who may release awards and overrule what a rulebook's body forbids."""

from __future__ import annotations

from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.ledger.schema import releasers


def allowed(connection: Connection) -> list[str]:
    return list(connection.scalars(select(releasers.c.name).order_by(releasers.c.name)))


def check_may_release(connection: Connection, who: str) -> None:
    names = allowed(connection)
    if names and who not in names:
        raise InputError("{who} may not release awards; {names} may", who=who, names=tuple(names))
