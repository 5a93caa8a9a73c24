"""Sessions of people and tokens of programs: kept as digests, so that whoever reads them can sign
in as nobody.

A token may be given a scope, the most it may do, at a club or at all of its account's; it ends by
itself, and each can be ended singly.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field
from sqlalchemy import Connection, delete, func, insert, select

from honours import clock
from honours.model.message import Message, word
from honours.model.rights import ACTIONS, EVERY_CLUB, ROLES
from honours.model.shape import Item, Shape, titled
from honours.model.table import Kind
from honours.web.accounts.database import accounts, grants, keys, roles
from honours.web.accounts.roles import RoleGrant, UserAccount
from honours.web.http.api import StrictRequest, Text

SESSION_SECONDS = 12 * 3600
LINK_SECONDS = 24 * 3600
"""How long a link to a new password holds."""
TOKEN_DAYS = 365
_DAY = 86400
_NUMBER = 12
"""How much of a digest names a token: enough to tell, nothing to sign in with."""


@dataclass(frozen=True, slots=True)
class Token:
    """A program's token, or a session, as its owner sees it: never the key itself."""

    id: str
    label: str
    role: str
    club: str
    since: datetime
    ends: datetime


_ALL = Message("all roles")
TOKENS: Shape[Token] = Shape(
    "tokens",
    (
        Item("id", title=Message("token")),
        Item("label", title=Message("what for")),
        Item(
            "role",
            title=Message("at most"),
            cell=lambda one: word(one.role) if one.role else Message("all roles"),
        ),
        titled("club", cell=lambda one: one.club or Message("every club")),
        titled("ends", lambda one: one.ends.isoformat(" "), Kind.DATE),
    ),
)


class TokenWish(StrictRequest):
    """A token for a program: what for, the most it may do and where, and for how many days."""

    label: Annotated[str, Field(max_length=100, examples=["results page"])] = ""
    role: Annotated[
        Text, Field(description="The most it may do; otherwise what its account may.")
    ] = ""
    club: Annotated[Text, Field(description="The only club it may act for.")] = EVERY_CLUB
    days: Annotated[int, Field(ge=1, le=TOKEN_DAYS)] = TOKEN_DAYS


def roles_in(db: Connection) -> dict[str, frozenset[str]]:
    """Every role there is, and the actions it is made of."""
    made = {row.name: frozenset(row.actions.split()) for row in db.execute(select(roles))}
    return {**ROLES, **made}


class Keys:
    """The sessions and tokens of one server."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._open = opened

    def session(self, name: str, label: str = "") -> str:
        """The key of a new session; the ``label`` tells its owner where it is."""
        return self._new(
            name, "session", clock.seconds() + SESSION_SECONDS, TokenWish(label=label[:100])
        )

    def link(self, name: str) -> str:
        """The key of a link to a new password; one that was made before holds no more."""
        with self._open() as db:
            db.execute(delete(keys).where(keys.c.name == name, keys.c.kind == "link"))
        return self._new(name, "link", clock.seconds() + LINK_SECONDS, TokenWish())

    def token(self, name: str, wish: TokenWish) -> str:
        """A key for a program, shown once."""
        return self._new(name, "token", clock.seconds() + wish.days * _DAY, wish)

    def _new(self, name: str, kind: str, ends: float, wish: TokenWish) -> str:
        key = secrets.token_urlsafe(32)
        row = {
            "digest": _digest(key),
            "name": name,
            "kind": kind,
            "ends": ends,
            "label": wish.label,
            "scope_role": wish.role,
            "scope_club": wish.club,
        }
        with self._open() as db:
            db.execute(delete(keys).where(keys.c.ends < clock.seconds()))
            db.execute(insert(keys).values(row))
        return key

    def who(self, key: str, kind: str) -> UserAccount | None:
        """Return the account that a key is of, with no more than the key may do, while it holds."""
        own = keys.join(accounts, accounts.c.name == keys.c.name)
        own = own.join(grants, grants.c.name == keys.c.name)
        holds = (keys.c.digest == _digest(key), keys.c.kind == kind, keys.c.ends > clock.seconds())
        chosen = select(grants, keys.c.scope_role, keys.c.scope_club).select_from(own)
        with self._open() as db:
            rows = db.execute(chosen.where(*holds, accounts.c.active)).all()
            known = roles_in(db)
        if not rows:
            return None
        held = tuple(RoleGrant(row.club, row.role, known[row.role]) for row in rows)
        account = UserAccount(rows[0].name, held, by_token=kind == "token")
        role, club = rows[0].scope_role, rows[0].scope_club
        scope = RoleGrant(club, role, known[role] if role else frozenset(ACTIONS))
        return account.scoped(scope) if role or club else account

    def tokens(self, name: str, kind: str = "token") -> list[Token]:
        """An account's tokens, or its sessions, those that end last first."""
        own = (keys.c.name == name, keys.c.kind == kind, keys.c.ends > clock.seconds())
        with self._open() as db:
            rows = db.execute(select(keys).where(*own).order_by(keys.c.ends.desc())).all()
        return [
            Token(
                row.digest[:_NUMBER],
                row.label,
                row.scope_role,
                row.scope_club,
                _moment(row.ends - SESSION_SECONDS),
                _moment(row.ends),
            )
            for row in rows
        ]

    def counts(self) -> dict[str, int]:
        """Return the number of tokens that each account has."""
        held = (keys.c.kind == "token", keys.c.ends > clock.seconds())
        count = select(keys.c.name, func.count().label("held")).where(*held).group_by(keys.c.name)
        with self._open() as db:
            return {row.name: row.held for row in db.execute(count)}

    def end(self, name: str, token_id: str, kind: str = "token") -> bool:
        """End a single token or session; whether there was such a one."""
        one = (keys.c.name == name, keys.c.kind == kind)
        with self._open() as db:
            digests = list(db.scalars(select(keys.c.digest).where(*one)))
            ended = [digest for digest in digests if digest[:_NUMBER] == token_id]
            db.execute(delete(keys).where(keys.c.digest.in_(ended)))
        return bool(ended)

    def end_all(self, name: str, but: str = "") -> None:
        """End the sessions and tokens of an account, but for the one with this key."""
        with self._open() as db:
            others = keys.c.digest != _digest(but)
            db.execute(delete(keys).where(keys.c.name == name, others))

    def sign_out(self, key: str) -> None:
        """End a session."""
        with self._open() as db:
            db.execute(delete(keys).where(keys.c.digest == _digest(key)))


def shown_part(key: str) -> str:
    """Return the short name of a session or token: enough to tell it, nothing to sign in with."""
    return _digest(key)[:_NUMBER]


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
