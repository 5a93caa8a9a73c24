"""Accounts, sessions, tokens and the audit log of a server that many people use.

Passwords are kept as argon2 hashes, sessions and tokens as digests: whoever reads the file can
sign in as nobody.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from honours.errors import InputError

ROLES = ("viewer", "scorer", "secretary", "administrator")
"""From the least to the most; each may do what those before it may."""
SESSION_SECONDS = 12 * 3600
LEAST_PASSWORD = 10
_TABLES = """
create table if not exists accounts (name text primary key, hash text, role text, active integer);
create table if not exists keys (digest text primary key, name text, kind text, ends real);
create table if not exists audit (at text, name text, method text, path text, status integer);
"""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Whether their role is at least this one."""
        return ROLES.index(self.role) >= ROLES.index(role)


class Accounts:
    """The accounts in one file of the data folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path, self._lock = folder / "accounts.db", threading.Lock()
        self._hasher = PasswordHasher()
        # Verified against where there is no such account, so that both take the same time.
        self._nobody = self._hasher.hash(secrets.token_hex(16))
        with self._open() as db:
            db.executescript(_TABLES)
        self._path.chmod(0o600)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            db = sqlite3.connect(self._path)
            try:
                with db:
                    yield db
            finally:
                db.close()

    def set(self, name: str, role: str, password: str) -> None:
        """Add an account or change one; its sessions and tokens end."""
        if role not in ROLES:
            raise InputError(f"role={role}: expected one of {', '.join(ROLES)}")
        if len(password) < LEAST_PASSWORD:
            raise InputError(f"a password has at least {LEAST_PASSWORD} characters")
        if not name.strip() or len(name) > 100:
            raise InputError("an account needs a name of at most 100 characters")
        hashed = self._hasher.hash(password)
        with self._open() as db:
            db.execute("insert or replace into accounts values (?, ?, ?, 1)", (name, hashed, role))
            db.execute("delete from keys where name = ?", (name,))

    def remove(self, name: str) -> None:
        """Let an account sign in no longer."""
        with self._open() as db:
            db.execute("update accounts set active = 0 where name = ?", (name,))
            db.execute("delete from keys where name = ?", (name,))

    def all(self) -> list[Account]:
        with self._open() as db:
            rows = db.execute("select name, role from accounts where active = 1 order by name")
            return [Account(*row) for row in rows]

    def signed_in(self, name: str, password: str) -> str | None:
        """A new session's key, if name and password belong together."""
        with self._open() as db:
            row = db.execute(
                "select hash from accounts where name = ? and active = 1", (name,)
            ).fetchone()
        try:
            self._hasher.verify(row[0] if row else self._nobody, password)
        except (Argon2Error, InvalidHashError):
            return None
        return self._key(name, "session", time.time() + SESSION_SECONDS) if row else None

    def token(self, name: str, days: int = 365) -> str:
        """A key for a program, shown once."""
        if name not in {account.name for account in self.all()}:
            raise InputError(f"there is no account {name!r}")
        return self._key(name, "token", time.time() + days * 86400)

    def _key(self, name: str, kind: str, ends: float) -> str:
        key = secrets.token_urlsafe(32)
        with self._open() as db:
            db.execute("delete from keys where ends < ?", (time.time(),))
            db.execute("insert into keys values (?, ?, ?, ?)", (_digest(key), name, kind, ends))
        return key

    def who(self, key: str, kind: str) -> Account | None:
        """Whose key this is, while it holds."""
        with self._open() as db:
            row = db.execute(
                "select a.name, a.role from keys k join accounts a on a.name = k.name "
                "where k.digest = ? and k.kind = ? and k.ends > ? and a.active = 1",
                (_digest(key), kind, time.time()),
            ).fetchone()
        return Account(*row) if row else None

    def sign_out(self, key: str) -> None:
        with self._open() as db:
            db.execute("delete from keys where digest = ?", (_digest(key),))

    def note(self, name: str, method: str, path: str, status: int) -> None:
        """Write down who did what."""
        at = datetime.now(UTC).isoformat(" ", "seconds")
        with self._open() as db:
            db.execute("insert into audit values (?, ?, ?, ?, ?)", (at, name, method, path, status))

    def audit(self, count: int = 500) -> list[tuple[str, str, str, str, int]]:
        """What was done, the latest first."""
        with self._open() as db:
            return list(db.execute("select * from audit order by rowid desc limit ?", (count,)))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class Rate:
    """At most so many of something in so many seconds, for each who asks."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._seen: defaultdict[str, deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        with self._lock:
            seen = self._seen[who]
            while seen and seen[0] < now - self.seconds:
                seen.popleft()
            if len(seen) >= self.most:
                return False
            seen.append(now)
            if len(self._seen) > 10_000:
                self._seen.clear()  # many strangers at once: forget rather than grow
            return True
