"""Accounts, sessions, tokens and the audit log of a server that many people use.

They are in a file of the data folder, or on PostgreSQL beside the ledger. Passwords are kept as
argon2 hashes, sessions and tokens as digests: whoever reads them can sign in as nobody.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection, delete, insert, select, update

from honours.errors import InputError, UnknownName
from honours.formats.names import sought
from honours.web.database import accounts, audit, connect, grants, keys

ROLES = ("viewer", "scorer", "secretary", "administrator")
"""From the least to the most; each may do what those before it may."""
EVERY_CLUB = ""
SESSION_SECONDS = 12 * 3600
LEAST_PASSWORD = 10


@dataclass(frozen=True, slots=True)
class Grant:
    """A role at a club; at ``EVERY_CLUB`` it holds for all."""

    club: str
    role: str

    def covers(self, role: str, club: str | None) -> bool:
        """Whether it is at least this role, at this club; at any, if none is asked for."""
        everywhere = club is None or self.club == EVERY_CLUB
        here = everywhere or (bool(club) and sought(self.club) == sought(club or ""))
        return here and ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in, and what they may do where."""

    name: str
    grants: tuple[Grant, ...]

    def may(self, role: str, club: str | None = None) -> bool:
        """Whether their role is at least this one: at a club, or at any if none is named."""
        return any(grant.covers(role, club) for grant in self.grants)

    def clubs(self, role: str) -> list[str]:
        """The clubs where they have at least this role."""
        return [grant.club for grant in self.grants if grant.covers(role, None)]


class Accounts:
    """The accounts of one server: at a path or a URL."""

    def __init__(self, where: str) -> None:
        self._engine = connect(where)
        self._hasher = PasswordHasher()
        # Verified against where there is no such account, so that both take the same time.
        self._nobody = self._hasher.hash(secrets.token_hex(16))

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    # --- who there is ---------------------------------------------------------------------------

    def set(self, name: str, role: str, password: str = "", club: str = EVERY_CLUB) -> None:
        """Add an account, or change its role at a club and, if one is given, its password; its
        sessions and tokens end."""
        if role not in ROLES:
            raise UnknownName("role", role, ROLES)
        if not name.strip() or len(name) > 100:
            raise InputError("name=: an account needs a name of at most 100 characters")
        if club != EVERY_CLUB and not 0 < len(sought(club)) <= 100:
            raise InputError(f"club={club[:100]}: expected the name of a club")
        known = name in {one.name for one in self.all()}
        if len(password) < LEAST_PASSWORD and (password or not known):
            raise InputError(f"password=: at least {LEAST_PASSWORD} characters")
        hashed = {"hash": self._hasher.hash(password)} if password else {}
        with self._open() as db:
            if known:
                if hashed:
                    db.execute(update(accounts).where(accounts.c.name == name).values(hashed))
            else:
                db.execute(delete(accounts).where(accounts.c.name == name))
                db.execute(insert(accounts).values(name=name, active=True, **hashed))
            db.execute(delete(grants).where(grants.c.name == name, grants.c.club == club))
            db.execute(insert(grants).values(name=name, club=club, role=role))
            db.execute(delete(keys).where(keys.c.name == name))

    def remove(self, name: str) -> None:
        """Let an account sign in no longer; what it did stays in the log under its name."""
        with self._open() as db:
            db.execute(update(accounts).where(accounts.c.name == name).values(active=False))
            for table in (keys, grants):
                db.execute(delete(table).where(table.c.name == name))

    def all(self) -> list[Account]:
        with self._open() as db:
            active = select(accounts.c.name).where(accounts.c.active).order_by(accounts.c.name)
            names = list(db.scalars(active))
            given = db.execute(select(grants).order_by(grants.c.name, grants.c.club)).all()
        return [_account(name, (row for row in given if row.name == name)) for name in names]

    # --- signing in -----------------------------------------------------------------------------

    def signed_in(self, name: str, password: str) -> str | None:
        """A new session's key, if name and password belong together."""
        with self._open() as db:
            wanted = select(accounts.c.hash).where(accounts.c.name == name, accounts.c.active)
            hashed = db.scalar(wanted)
        try:
            self._hasher.verify(hashed or self._nobody, password)
        except (Argon2Error, InvalidHashError):
            return None
        return self._key(name, "session", time.time() + SESSION_SECONDS) if hashed else None

    def token(self, name: str, days: int = 365) -> str:
        """A key for a program, shown once."""
        if name not in {account.name for account in self.all()}:
            raise InputError(f"there is no account {name!r}")
        return self._key(name, "token", time.time() + days * 86400)

    def _key(self, name: str, kind: str, ends: float) -> str:
        key = secrets.token_urlsafe(32)
        row = {"digest": _digest(key), "name": name, "kind": kind, "ends": ends}
        with self._open() as db:
            db.execute(delete(keys).where(keys.c.ends < time.time()))
            db.execute(insert(keys).values(row))
        return key

    def who(self, key: str, kind: str) -> Account | None:
        """Whose key this is, while it holds."""
        mine = keys.join(accounts, accounts.c.name == keys.c.name).join(
            grants, grants.c.name == keys.c.name
        )
        holds = (keys.c.digest == _digest(key), keys.c.kind == kind, keys.c.ends > time.time())
        with self._open() as db:
            rows = db.execute(
                select(grants).select_from(mine).where(*holds, accounts.c.active)
            ).all()
        return _account(rows[0].name, rows) if rows else None

    def sign_out(self, key: str) -> None:
        with self._open() as db:
            db.execute(delete(keys).where(keys.c.digest == _digest(key)))

    # --- the audit log --------------------------------------------------------------------------

    def note(self, name: str, method: str, path: str, status: int) -> None:
        """Write down who did what."""
        at = datetime.now(UTC).isoformat(" ", "seconds")
        row = {"at": at, "name": name, "method": method, "path": path[:1000], "status": status}
        with self._open() as db:
            db.execute(insert(audit).values(row))

    def audit(self, count: int = 500) -> list[tuple[str, str, str, str, int]]:
        """What was done, the latest first."""
        told = (audit.c.at, audit.c.name, audit.c.method, audit.c.path, audit.c.status)
        with self._open() as db:
            rows = db.execute(select(*told).order_by(audit.c.id.desc()).limit(count))
            return [tuple(row) for row in rows]


def _account(name: str, rows: Iterable[Any]) -> Account:
    return Account(name, tuple(Grant(row.club, row.role) for row in rows))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
