"""How one server is set up; nothing here changes while it runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def data_folder() -> Path:
    """Where events are kept unless said otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "honours"


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading and scoring one uploaded file may take, and how many do so at once."""

    seconds: float = 20
    megabytes: int = 1024
    at_once: int = 4


@dataclass(frozen=True, slots=True)
class Settings:
    """``hosts`` are the names a request may ask for; ``body_seconds`` is how long a body may take
    to arrive; ``rulebooks`` are folders of a user's own; ``database`` is a PostgreSQL URL for
    ledger and accounts, otherwise files of the data folder; ``ledger`` is another file for the
    ledger alone. A ``proxy`` in front is believed when it says who its clients are.

    With ``accounts`` people sign in; ``per_minute`` and ``sign_ins`` bound what each may ask, and
    ``guesses`` how often an account's password may be wrong within a quarter of an hour."""

    data: Path = field(default_factory=data_folder)
    host: str = "127.0.0.1"
    port: int = 8737
    hosts: tuple[str, ...] = LOOPBACK
    rulebooks: tuple[str, ...] = ()
    ledger: str = ""
    database: str = ""
    proxy: str = ""
    accounts: bool = False
    per_minute: int = 600
    sign_ins: int = 10
    guesses: int = 10
    body_limit: int = 16 << 20
    body_seconds: float = 30
    files_at_once: int = 50
    reading: Limits = field(default_factory=Limits)

    @property
    def accounts_at(self) -> str:
        """Where the accounts are."""
        return self.database or str(self.data / "accounts.db")

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK
