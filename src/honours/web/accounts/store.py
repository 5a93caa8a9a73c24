"""Accounts, with their roles and passwords, of a server that many people use.

They are in a file of the data folder, or on PostgreSQL beside the ledger. Passwords are kept as
argon2 hashes, sessions and tokens as digests: whoever reads them can sign in as nobody.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from honours.errors import InputError, MissingInput, UnknownName, WrongValue
from honours.formats.entrants import sought
from honours.model.message import Message
from honours.model.rights import ACTIONS, EVERY_CLUB, ROLES
from honours.rings import require
from honours.web.accounts import second_factor
from honours.web.accounts.audit import AuditLog
from honours.web.accounts.database import accounts, connect, grants, keys, roles
from honours.web.accounts.keys import Keys, TokenWish, roles_in
from honours.web.accounts.letters import is_mail_address
from honours.web.accounts.passwords import weakness
from honours.web.accounts.roles import RoleGrant, UserAccount, same_club


class Accounts:
    """The accounts of one server: at a path or a URL."""

    def __init__(self, where: str) -> None:
        require("argon2")
        from argon2 import PasswordHasher

        self._engine = connect(where)
        self._hasher = PasswordHasher()
        # Verified against where there is no such account, so that both take the same time.
        self._nobody = self._hasher.hash(secrets.token_hex(16))
        self.audit = AuditLog(self._engine)
        self.keys = Keys(self._open)

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
        _check(name, club)
        self.role(role)
        known = self.find(name) is not None
        if not known and self.spelled(name) != name:
            raise WrongValue(
                "name", name, "there is already one that differs only in capital letters"
            )
        hashed = {"hash": self._hashed(password, name)} if password or not known else {}
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
        """Take away a role at a club; an account without any role can no longer sign in."""
        with self._open() as db:
            _take(db, name, club)
            left = db.scalar(select(grants.c.role).where(grants.c.name == name).limit(1))
        if left is None:
            self.remove(name)

    def remove(self, name: str) -> None:
        """Let an account sign in no longer; what it did stays in the log under its name."""
        gone = {"active": False, "second_factor": "", "offered_factor": ""}
        with self._open() as db:
            db.execute(update(accounts).where(accounts.c.name == name).values(gone))
            for table in (keys, grants):
                db.execute(delete(table).where(table.c.name == name))

    def all(self) -> list[UserAccount]:
        """Everybody who may sign in."""
        return self._active()

    def find(self, name: str) -> UserAccount | None:
        """The account of this name, if somebody may sign in with it."""
        return next(iter(self._active(accounts.c.name == name)), None)

    def _active(self, *chosen: ColumnElement[bool]) -> list[UserAccount]:
        held = accounts.outerjoin(grants, grants.c.name == accounts.c.name)
        columns = (accounts.c.name, grants.c.club, grants.c.role)
        every = select(*columns).select_from(held).where(accounts.c.active, *chosen)
        with self._open() as db:
            rows = db.execute(every.order_by(accounts.c.name, grants.c.club)).all()
            known = roles_in(db)

        def granted(own: Iterable[Any]) -> Iterator[RoleGrant]:
            return (RoleGrant(row.club, row.role, known[row.role]) for row in own if row.role)

        return [
            UserAccount(name, tuple(granted(own)))
            for name, own in groupby(rows, key=lambda row: str(row.name))
        ]

    def clubs(self) -> list[str]:
        """Every club at which somebody has a role."""
        with self._open() as db:
            named = select(grants.c.club).where(grants.c.club != EVERY_CLUB).distinct()
            clubs = {sought(club): club for club in db.scalars(named.order_by(grants.c.club))}
        return list(clubs.values())

    # --- roles ----------------------------------------------------------------------------------

    def roles(self) -> dict[str, frozenset[str]]:
        """Every role, and the actions it is made of."""
        with self._open() as db:
            return roles_in(db)

    def role(self, name: str) -> frozenset[str]:
        """The actions of a role."""
        known = self.roles()
        if name not in known:
            raise UnknownName("role", name, known)
        return known[name]

    def set_role(self, name: str, actions: Iterable[str]) -> None:
        """Make a role of one's own, or of other actions."""
        _check_own(name)
        wanted = list(dict.fromkeys(actions))
        if not wanted:
            raise MissingInput("actions", Message("what a role lets somebody do"))
        for action in wanted:
            if action not in ACTIONS:
                raise UnknownName("action", action, ACTIONS)
        with self._open() as db:
            db.execute(delete(roles).where(roles.c.name == name))
            db.execute(insert(roles).values(name=name, actions=" ".join(wanted)))

    def drop_role(self, name: str) -> None:
        """Take a role of one's own away; not while an account or a token has it."""
        _check_own(name)
        self.role(name)
        with self._open() as db:
            holder = db.scalar(select(grants.c.name).where(grants.c.role == name).limit(1))
            holder = holder or db.scalar(select(keys.c.name).where(keys.c.scope_role == name))
            if holder:
                raise WrongValue("name", name, "{holder} still has this role", holder=holder)
            db.execute(delete(roles).where(roles.c.name == name))

    # --- passwords ------------------------------------------------------------------------------

    def _hashed(self, password: str, name: str, field: str = "password") -> str:
        weak = weakness(password, name)
        if weak:
            raise WrongValue(field, "", "{weak}", weak=weak)
        return self._hasher.hash(password)

    def knows(self, name: str, password: str) -> bool:
        """Return whether name and password belong together."""
        from argon2.exceptions import Argon2Error, InvalidHashError

        hashed = self._of(name, accounts.c.hash)
        try:
            self._hasher.verify(hashed or self._nobody, password)
        except (Argon2Error, InvalidHashError):
            return False
        return bool(hashed)

    def change_password(self, name: str, password: str, session: str) -> None:
        """Another password; every other session, and every token, ends."""
        hashed = self._hashed(password, name, "new_password")
        with self._open() as db:
            db.execute(update(accounts).where(accounts.c.name == name).values(hash=hashed))
        self.keys.end_all(name, but=session)

    def _of(self, name: str, column: Any) -> Any:
        with self._open() as db:
            return db.scalar(select(column).where(accounts.c.name == name, accounts.c.active))

    def mail_of(self, name: str) -> str:
        """Return the mail address of somebody; empty where they have not given one."""
        return str(self._of(name, accounts.c.mail) or "")

    def set_mail(self, name: str, address: str) -> None:
        """Set the mail address of somebody; empty takes it away."""
        if address and not is_mail_address(address):
            raise WrongValue("mail", address[:60], "expected an address like ann@example.org")
        self._set(name, mail=address[:200])

    # --- the second factor ----------------------------------------------------------------------

    def has_second_factor(self, name: str) -> bool:
        """Return whether signing in takes a code."""
        return bool(self._of(name, accounts.c.second_factor))

    def offer_second_factor(self, name: str) -> str:
        """A new secret, which counts once a code of it was given."""
        secret = second_factor.new_secret()
        self._set(name, offered_factor=secret)
        return secret

    def take_second_factor(self, name: str, code: str) -> bool:
        """Have signing in take a code from now on, if the telephone has the secret offered."""
        secret = self._of(name, accounts.c.offered_factor)
        step = second_factor.accepted_step(secret, code, 0) if secret else None
        if step is None:
            return False
        self._set(name, second_factor=secret, offered_factor="", code_step=step)
        return True

    def drop_second_factor(self, name: str) -> None:
        """Let the password alone be enough again."""
        self._set(name, second_factor="", offered_factor="")

    def has_code(self, name: str, code: str) -> bool:
        """Return whether a code is right; each is good once. Without a second factor any is."""
        secret, used = (self._of(name, one) for one in (_factor, accounts.c.code_step))
        if not secret:
            return True
        step = second_factor.accepted_step(secret, code, used)
        if step is None:
            return False
        newer = (accounts.c.name == name, accounts.c.code_step < step)
        with self._open() as db:
            return db.execute(update(accounts).where(*newer).values(code_step=step)).rowcount == 1

    def _set(self, name: str, **values: object) -> None:
        with self._open() as db:
            db.execute(update(accounts).where(accounts.c.name == name).values(values))

    # --- keys -----------------------------------------------------------------------------------

    def spelled(self, name: str) -> str:
        """The name of an account as it was given, from how somebody types it: capitals and spaces
        at the ends do not matter. What is nobody's stays as it is."""
        with self._open() as db:
            known = list(db.scalars(select(accounts.c.name).where(accounts.c.active)))
        alike = [one for one in known if one.casefold() == name.strip().casefold()]
        return name if name in known or len(alike) != 1 else alike[0]

    def token(self, name: str, wish: TokenWish | None = None) -> str:
        """A key for a program, shown once."""
        if self.find(name) is None:
            raise InputError("there is no account {name!r}", name=name)
        wish = wish or TokenWish()
        if wish.role:
            self.role(wish.role)
        return self.keys.token(name, wish)

    def who(self, key: str, kind: str) -> UserAccount | None:
        """Return the account that a key is of, while it holds."""
        return self.keys.who(key, kind)


_factor = accounts.c.second_factor


def _check(name: str, club: str) -> None:
    if not name.strip() or len(name) > 100 or "/" in name or not name.isprintable():
        raise WrongValue(
            "name", "", "an account needs a name of at most 100 characters, none of them a slash"
        )
    if club != EVERY_CLUB and not (0 < len(sought(club)) <= 100 and club.isprintable()):
        raise WrongValue("club", club[:100], "expected the name of a club")


def _check_own(role: str) -> None:
    if role in ROLES:
        raise WrongValue("name", role, "this role is built in and cannot be changed")
    if not role.strip() or len(role) > 50 or "/" in role or not role.isprintable():
        raise WrongValue("name", role[:50], "expected a name of at most 50 characters")


def _take(db: Connection, name: str, club: str) -> None:
    """Take a role away, however the club's name was written."""
    held = db.scalars(select(grants.c.club).where(grants.c.name == name)).all()
    same = [one for one in held if same_club(one, club)]
    db.execute(delete(grants).where(grants.c.name == name, grants.c.club.in_(same)))
