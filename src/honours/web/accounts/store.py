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
from sqlalchemy import Connection, delete, func, insert, select, update

from honours.errors import InputError, UnknownName
from honours.formats.names import sought
from honours.web.accounts.database import accounts, audit, connect, grants, keys
from honours.web.http.problems import Forbidden
from honours.web.texts import mark

ROLES = (mark("viewer"), mark("scorer"), mark("secretary"), mark("administrator"))
"""From the least to the most; each may do what those before it may."""
EVERY_CLUB = ""
SESSION_SECONDS = 12 * 3600
TOKEN_SECONDS = 365 * 86400
AUDIT_SHOWN = 500
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

    def club_for(self, role: str, said: str) -> str:
        """The club they do something for: the one they say, or the only one they may; who may at
        every club and says none does it for no club in particular."""
        if said:
            if not self.may(role, said):
                raise Forbidden(role, said)
            return said
        clubs = self.clubs(role)
        if EVERY_CLUB in clubs:
            return EVERY_CLUB
        if len(clubs) > 1:
            raise InputError(f"club=: say for which club, one of {', '.join(clubs)}")
        if not clubs:
            raise Forbidden(role)
        return clubs[0]


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
        """Add an account, or change its role at a club and, if one is given, its password; with
        another password its sessions and tokens end."""
        if role not in ROLES:
            raise UnknownName("role", role, ROLES)
        if not name.strip() or len(name) > 100 or "/" in name:
            raise InputError(
                "name=: an account needs a name of at most 100 characters, none of them a slash"
            )
        if club != EVERY_CLUB and not 0 < len(sought(club)) <= 100:
            raise InputError(f"club={club[:100]}: expected the name of a club")
        known = self.find(name) is not None
        if len(password) < LEAST_PASSWORD and (password or not known):
            raise InputError(f"password=: at least {LEAST_PASSWORD} characters")
        hashed = {"hash": self._hasher.hash(password)} if password else {}
        with self._open() as db:
            if not known:
                db.execute(delete(accounts).where(accounts.c.name == name))
                db.execute(insert(accounts).values(name=name, active=True, **hashed))
            elif hashed:
                db.execute(update(accounts).where(accounts.c.name == name).values(hashed))
            if hashed:
                db.execute(delete(keys).where(keys.c.name == name))
            _take(db, name, club)
            db.execute(insert(grants).values(name=name, club=club, role=role))

    def take(self, name: str, club: str) -> None:
        """Take the role at a club away; who has none left signs in no longer."""
        with self._open() as db:
            _take(db, name, club)
            left = db.scalar(select(grants.c.role).where(grants.c.name == name).limit(1))
        if left is None:
            self.remove(name)

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

    def find(self, name: str) -> Account | None:
        """The account of this name, if somebody may sign in with it."""
        return next((one for one in self.all() if one.name == name), None)

    def clubs(self) -> list[str]:
        """Every club at which somebody has a role."""
        with self._open() as db:
            named = select(grants.c.club).where(grants.c.club != EVERY_CLUB).distinct()
            found = {sought(club): club for club in db.scalars(named.order_by(grants.c.club))}
        return list(found.values())

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

    def token(self, name: str) -> str:
        """A key for a program, shown once."""
        if self.find(name) is None:
            raise InputError(f"there is no account {name!r}")
        return self._key(name, "token", time.time() + TOKEN_SECONDS)

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

    def tokens(self) -> dict[str, int]:
        """How many tokens there are of each account."""
        held = (keys.c.kind == "token", keys.c.ends > time.time())
        with self._open() as db:
            counted = (
                select(keys.c.name, func.count().label("held")).where(*held).group_by(keys.c.name)
            )
            return {row.name: row.held for row in db.execute(counted)}

    def end_keys(self, name: str) -> None:
        """End the sessions and tokens of an account."""
        with self._open() as db:
            db.execute(delete(keys).where(keys.c.name == name))

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

    def audit(self) -> list[tuple[str, str, str, str, int]]:
        """What was done, the latest first."""
        told = (audit.c.at, audit.c.name, audit.c.method, audit.c.path, audit.c.status)
        with self._open() as db:
            rows = db.execute(select(*told).order_by(audit.c.id.desc()).limit(AUDIT_SHOWN))
            return [tuple(row) for row in rows]


def _take(db: Connection, name: str, club: str) -> None:
    """Take a role away, however the club's name was written."""
    held = db.scalars(select(grants.c.club).where(grants.c.name == name)).all()
    same = [one for one in held if sought(one) == sought(club)]
    db.execute(delete(grants).where(grants.c.name == name, grants.c.club.in_(same)))


def _account(name: str, rows: Iterable[Any]) -> Account:
    return Account(name, tuple(Grant(row.club, row.role) for row in rows))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
