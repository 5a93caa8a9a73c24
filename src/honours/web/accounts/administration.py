"""Who may change whose account: what an administrator does, at one club or at every club.

An account acts with all of its roles, so its password and its tokens are given by somebody who
administers every one of its clubs; a role at a club is given and taken by that club's own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.requests import Request

from honours.model.message import Message, mark
from honours.web.accounts.audit import AuditLine
from honours.web.accounts.keys import Token, TokenWish
from honours.web.accounts.roles import UserAccount
from honours.web.accounts.store import Accounts
from honours.web.http.access import EVERY_CLUB
from honours.web.http.problems import Forbidden, NotThere
from honours.web.http.requester import requester_of

ROLE = "administrator"


@dataclass(frozen=True, slots=True)
class Administration:
    """The accounts as one administrator sees and changes them."""

    accounts: Accounts
    asker: UserAccount

    @property
    def everywhere(self) -> bool:
        return self.asker.may(ROLE, EVERY_CLUB)

    def everybody(self) -> list[UserAccount]:
        """Whoever has a role at a club of the asker's, with their roles there and no others."""
        return [seen for one in self.accounts.all() if (seen := self._seen(one)).grants]

    def _seen(self, one: UserAccount) -> UserAccount:
        here = tuple(grant for grant in one.grants if self.asker.may(ROLE, grant.club))
        return replace(one, grants=here)

    def one(self, name: str) -> UserAccount:
        """An account with a role at a club of the asker's."""
        account = next((one for one in self.everybody() if one.name == name), None)
        if account is None:
            raise NotThere(mark("there is no account {name}"), name=name[:100])
        return account

    def grant(self, name: str, role: str, password: str = "", club: str = "") -> None:
        """Give a role at a club; a new account needs a password, one of other clubs keeps its."""
        where = self.asker.club_for(ROLE, club)
        known = self.accounts.find(name)
        if known and password and not self._whole(known):
            raise Forbidden(ROLE, EVERY_CLUB)
        self.accounts.set(name, role, password, where)

    def take(self, name: str, club: str = "") -> None:
        """Take the role at a club away; at every club, the account."""
        self.one(name)
        where = self.asker.club_for(ROLE, club)
        if where == EVERY_CLUB:
            self.accounts.remove(name)
        else:
            self.accounts.take(name, where)

    def token(self, name: str, wish: TokenWish) -> str:
        """A token for a program of theirs, shown once."""
        self._own(name)
        return self.accounts.token(name, wish)

    def link(self, name: str) -> str:
        """The key of a link by which they get a new password."""
        self._own(name)
        return self.accounts.keys.link(name)

    def tokens_of(self, name: str) -> list[Token]:
        """What is known of somebody's tokens: never the tokens themselves."""
        self._own(name)
        return self.accounts.keys.tokens(name)

    def end_token(self, name: str, token_id: str) -> None:
        """End a single token."""
        self._own(name)
        if not self.accounts.keys.end(name, token_id):
            raise NotThere(mark("there is no token {name}"), name=token_id[:40])

    def end_keys(self, name: str) -> None:
        """Sign somebody out everywhere, their programs too."""
        self._own(name)
        self.accounts.keys.end_all(name)

    def tokens(self) -> dict[str, int]:
        """How many tokens each account has."""
        return self.accounts.keys.counts()

    def log(self) -> list[AuditLine]:
        """What was done, the latest first: by those whose every role is at the asker's clubs, and
        by the asker; what others do may concern other clubs."""
        own = {one.name for one in self.accounts.all() if self._whole(one)} | {self.asker.name}
        return [one for one in self.accounts.audit.lines() if self.everywhere or one.who in own]

    def _whole(self, one: UserAccount) -> bool:
        return self._seen(one).grants == one.grants

    def _own(self, name: str) -> None:
        self.one(name)
        known = self.accounts.find(name)
        if known is None or not self._whole(known):
            raise Forbidden(ROLE, EVERY_CLUB)


def accounts_of(request: Request) -> Accounts:
    """The accounts of this application, where it has any."""
    accounts: Accounts | None = request.app.state.accounts
    if accounts is None:
        raise NotThere(Message("this server has no accounts"))
    return accounts


def administration_of(request: Request) -> Administration:
    """The accounts as whoever asks may change them."""
    accounts, requester = accounts_of(request), requester_of(request)
    if not isinstance(requester, UserAccount):
        raise Forbidden(ROLE)
    return Administration(accounts, requester)
