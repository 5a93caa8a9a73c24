"""The settings of one server; nothing here changes while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from honours.places import own_folder
from honours.processes import READING, Limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def data_folder() -> Path:
    """Return the folder where events are kept unless said otherwise."""
    return own_folder("data")


@dataclass(frozen=True, slots=True)
class Settings:
    """``hosts`` are the names a request may ask for; ``body_seconds`` is how long a body may take
    to arrive, ``head_seconds`` what comes before it, ``answer_seconds`` how long an answer may wait
    to be taken; ``from_one_address`` is how many connections an address may have, ``each`` how many
    requests of one person are worked on at once; ``rulebooks`` are folders of a user's own;
    ``database`` is a PostgreSQL URL for ledger and accounts, otherwise files of the data folder;
    ``ledger`` is another file for the ledger alone. A ``proxy`` in front is believed when it says
    who its clients are.

    With ``accounts`` people sign in, and get a link to a new password by ``mail``, the address of a
    mail server, where one is set up; ``per_minute`` and ``sign_ins`` bound what each may ask, and
    ``guesses`` how often an account's password may be wrong within a quarter of an hour.

    ``reading`` is what reading or scoring one file may take, ``at_once`` how many are at it.

    Of several ``processes`` this is the one of that ``number``; the first keeps what the others
    hand over to it at ``keeper``."""

    data: Path = field(default_factory=data_folder)
    host: str = "127.0.0.1"
    port: int = 8737
    hosts: tuple[str, ...] = LOOPBACK
    rulebooks: tuple[str, ...] = ()
    ledger: str = ""
    database: str = ""
    proxy: str = ""
    accounts: bool = False
    mail: str = ""
    per_minute: int = 600
    sign_ins: int = 10
    guesses: int = 10
    body_limit: int = 16 << 20
    body_seconds: float = 30
    head_seconds: float = 10
    answer_seconds: float = 60
    from_one_address: int = 100
    each: int = 8
    files_at_once: int = 50
    reading: Limits = READING
    at_once: int = 4
    processes: int = 1
    number: int = 0
    keeper: str = ""

    @property
    def keeps(self) -> bool:
        """True if this process keeps what there is one of."""
        return self.number == 0

    @property
    def accounts_at(self) -> str:
        """The address or file of the database of accounts."""
        return self.database or str(self.data / "accounts.db")

    @property
    def local(self) -> bool:
        """True if only this machine can reach the server."""
        return self.host in LOOPBACK
