"""The work of administrators on other people's accounts, at one club or at every club.

An account acts with all of its roles, so its password and its tokens are given by somebody who
administers every one of its clubs; a role at a club is given and taken by that club's own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.requests import Request

from honours.model.message import Message, mark
from honours.model.rights import ACTIONS, ADMINISTER, AUDIT, EVERY_CLUB
from honours.web.accounts.audit import AuditLine
from honours.web.accounts.roles import UserAccount
from honours.web.accounts.store import Accounts
from honours.web.http.access import requester_of
from honours.web.http.problems import Forbidden, NotThere


@dataclass(frozen=True, slots=True)
class Administration:
    """The accounts as one administrator sees and changes them."""

    accounts: Accounts
    asker: UserAccount

    @property
    def everywhere(self) -> bool:
        return self.asker.may(ADMINISTER, EVERY_CLUB)

    def everybody(self) -> list[UserAccount]:
        """Everybody with a role at a club of the asker's, with their roles there and no others."""
        return [seen for one in self.accounts.all() if (seen := self._seen(one)).grants]

    def _seen(self, one: UserAccount) -> UserAccount:
        here = tuple(grant for grant in one.grants if self.asker.may(ADMINISTER, grant.club))
        return replace(one, grants=here)

    def one(self, name: str) -> UserAccount:
        """An account with a role at a club of the asker's."""
        account = next((one for one in self.everybody() if one.name == name), None)
        if account is None:
            raise NotThere(mark("there is no account {name}"), name=name[:100])
        return account

    def grant(self, name: str, role: str, password: str = "", club: str = "") -> None:
        """Give a role at a club; a new account needs a password, one of other clubs keeps its."""
        where = self.asker.club_for(ADMINISTER, club)
        known = self.accounts.find(name)
        if known and password and not self._whole(known):
            raise Forbidden(ADMINISTER, EVERY_CLUB)
        for action in self.accounts.role(role):  # nobody gives what they have not
            if not self.asker.may(ACTIONS[action], where):
                raise Forbidden(ACTIONS[action], where)
        self.accounts.set(name, role, password, where)

    def take(self, name: str, club: str = "") -> None:
        """Take the role at a club away; at every club, the account."""
        self.one(name)
        where = self.asker.club_for(ADMINISTER, club)
        if where == EVERY_CLUB:
            self.accounts.remove(name)
        else:
            self.accounts.take(name, where)

    def of(self, name: str) -> Accounts:
        """The accounts, for what is done to a whole one: its password, its tokens."""
        self.one(name)
        known = self.accounts.find(name)
        if known is None or not self._whole(known):
            raise Forbidden(ADMINISTER, EVERY_CLUB)
        return self.accounts

    def _whole(self, one: UserAccount) -> bool:
        return self._seen(one).grants == one.grants


def accounts_of(request: Request) -> Accounts:
    """The accounts of this application, where it has any."""
    accounts: Accounts | None = request.app.state.accounts
    if accounts is None:
        raise NotThere(Message("this server has no accounts"))
    return accounts


def audit_lines(request: Request) -> list[AuditLine]:
    """Return the audit log, the latest first, as far as whoever asks may read it: what was done by
    themselves, and by those whose every role is at clubs where they may read the log. What others
    do may concern other clubs."""
    accounts, asker = accounts_of(request), requester_of(request)
    assert asker is not None
    lines = accounts.audit.lines()
    if asker.may(AUDIT, EVERY_CLUB):
        return lines
    own = {
        one.name
        for one in accounts.all()
        if all(asker.may(AUDIT, grant.club) for grant in one.grants)
    }
    return [one for one in lines if one.who in own | {asker.name}]


def administration_of(request: Request) -> Administration:
    """The accounts as whoever asks may change them."""
    accounts, requester = accounts_of(request), requester_of(request)
    if not isinstance(requester, UserAccount):
        raise Forbidden(ADMINISTER)
    return Administration(accounts, requester)
