"""The versions of the tables: which one a database has, and how it is upgraded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from honours.errors import LedgerError
from honours.model.message import Message, by_command

if TYPE_CHECKING:  # takes as long to import as all else, and only a migration needs it
    from alembic.config import Config

NEWEST = "0001"
STEPS = ("honours.ledger:migrations/versions",)
"""Where the migrations are, one step a file."""


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "honours.ledger:migrations")
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(STEPS))
    config.attributes["connection"] = connection
    return config


def known() -> tuple[str, ...]:
    """Every version this Honours knows, from the first."""
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(_config())
    return tuple(reversed([step.revision for step in script.walk_revisions()]))


def check(connection: Connection, where: str) -> str:
    """The database's version; an error unless it is one we know."""
    if not inspect(connection).has_table("alembic_version"):
        raise LedgerError(
            "{where} is not a ledger: make one with {remedy}",
            where=where,
            remedy=by_command("ledger init", Message("Ledger")),
        )
    version = connection.scalar(text("select version_num from alembic_version")) or "none"
    if version != NEWEST and version not in known():
        raise LedgerError(
            "the ledger {where} is of version {version}, made by a newer Honours than "
            "this one (which knows up to {newest}): it is left alone. Install the "
            "newer Honours",
            where=where,
            version=version,
            newest=NEWEST,
        )
    return version


def upgrade(connection: Connection, to: str = "head") -> None:
    from alembic import command

    command.upgrade(_config(connection), to)
