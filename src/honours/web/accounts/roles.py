"""Roles, held at a club, and the accounts that hold them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from honours.errors import WrongValue
from honours.formats.entrants import sought
from honours.model.message import Message
from honours.web.http.access import EVERY_CLUB, READ, Action, Requester, Thing
from honours.web.http.problems import Forbidden

ROLES = (Message("viewer"), Message("scorer"), Message("secretary"), Message("administrator"))
"""From the least to the most; each may do what those before it may."""


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """A role at a club; at ``EVERY_CLUB`` it holds for all."""

    club: str
    role: str

    def covers(self, role: str, club: str | None) -> bool:
        """Whether it is at least this role, at this club; at any, if none is asked for."""
        everywhere = club is None or self.club == EVERY_CLUB
        here = everywhere or (bool(club) and same_club(self.club, club or ""))
        return here and ROLES.index(self.role) >= ROLES.index(role)

    def within(self, scope: RoleGrant) -> RoleGrant | None:
        """What remains of it for a program that may do no more than ``scope`` says."""
        if scope.club != EVERY_CLUB and self.club not in (EVERY_CLUB, scope.club):
            return None
        return RoleGrant(scope.club or self.club, min(self.role, scope.role, key=ROLES.index))


def same_club(one: str, other: str) -> bool:
    """Whether two names are of one club, however they are written."""
    return sought(one) == sought(other)


@dataclass(frozen=True, slots=True)
class UserAccount(Requester):
    """Somebody who may sign in, and what they may do where."""

    name: str
    grants: tuple[RoleGrant, ...]
    by_token: bool = False
    """Whether a program acts for it, with a token."""

    def allows(self, action: Action, thing: Thing) -> bool:
        """Whether the account may do this to that; what belongs to no club may be read by
        everybody."""
        club = None if action is READ and thing.club == EVERY_CLUB else thing.club
        return self.may(action.role, club)

    def may(self, role: str, club: str | None = None) -> bool:
        return any(grant.covers(role, club) for grant in self.grants)

    def clubs(self, role: str) -> list[str]:
        return [grant.club for grant in self.grants if grant.covers(role, None)]

    def club_for(self, role: str, club: str) -> str:
        """The club they act for: the one they name, or the only one they may act for; somebody with
        a role at every club who names none acts for no club in particular."""
        if club:
            if not self.may(role, club):
                raise Forbidden(role, club)
            return club
        clubs = self.clubs(role)
        if EVERY_CLUB in clubs:
            return EVERY_CLUB
        if len(clubs) > 1:
            raise WrongValue("club", "", "say for which club, one of {clubs}", clubs=tuple(clubs))
        if not clubs:
            raise Forbidden(role)
        return clubs[0]

    def scoped(self, scope: RoleGrant) -> UserAccount:
        """The account as a program with a token of this scope acts."""
        left = (grant.within(scope) for grant in self.grants)
        return replace(self, grants=tuple(grant for grant in left if grant is not None))
