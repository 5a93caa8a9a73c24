"""Roles, held at a club, and the accounts that hold them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from honours.errors import WrongValue
from honours.formats.entrants import sought
from honours.model.rights import EVERY_CLUB, READ, ROLES, Action
from honours.web.http.access import Requester, Thing
from honours.web.http.problems import Forbidden


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """A role at a club, and the actions it is made of; at ``EVERY_CLUB`` it holds for all."""

    club: str
    role: str
    actions: frozenset[str]

    def covers(self, action: Action, club: str | None) -> bool:
        """Return whether it lets somebody do this at this club; at any, if none is asked for."""
        everywhere = club is None or self.club == EVERY_CLUB
        here = everywhere or (bool(club) and same_club(self.club, club or ""))
        return here and action.name in self.actions

    def within(self, scope: RoleGrant) -> RoleGrant | None:
        """Return what remains of it for a program that may only do what ``scope`` says."""
        if scope.club != EVERY_CLUB and self.club not in (EVERY_CLUB, scope.club):
            return None
        role = self.role if self.actions <= scope.actions else scope.role
        return RoleGrant(scope.club or self.club, role, self.actions & scope.actions)


def granted(club: str, role: str) -> RoleGrant:
    """One of the roles that every server has."""
    return RoleGrant(club, role, next(held for name, held in ROLES.items() if name == role))


def same_club(one: str, other: str) -> bool:
    """Return whether two names are of one club, however they are written."""
    return sought(one) == sought(other)


@dataclass(frozen=True, slots=True)
class UserAccount(Requester):
    """Somebody who may sign in, and what they may do where."""

    name: str
    grants: tuple[RoleGrant, ...]
    by_token: bool = False
    """Whether a program acts for it, with a token."""

    def allows(self, action: Action, thing: Thing) -> bool:
        """Return whether the account may do this to that; what belongs to no club may be read by
        everybody."""
        club = None if action is READ and thing.club == EVERY_CLUB else thing.club
        return self.may(action, club)

    def may(self, action: Action, club: str | None = None) -> bool:
        return any(grant.covers(action, club) for grant in self.grants)

    def clubs(self, action: Action) -> list[str]:
        return [grant.club for grant in self.grants if grant.covers(action, None)]

    def club_for(self, action: Action, club: str) -> str:
        """The club they act for: the one they name, or the only one they may act for; somebody who
        may at every club and names none acts for no club in particular."""
        if club:
            if not self.may(action, club):
                raise Forbidden(action, club)
            return club
        clubs = self.clubs(action)
        if EVERY_CLUB in clubs:
            return EVERY_CLUB
        if len(clubs) > 1:
            raise WrongValue("club", "", "say for which club, one of {clubs}", clubs=tuple(clubs))
        if not clubs:
            raise Forbidden(action)
        return clubs[0]

    def scoped(self, scope: RoleGrant) -> UserAccount:
        """The account as a program with a token of this scope acts."""
        left = (grant.within(scope) for grant in self.grants)
        return replace(self, grants=tuple(grant for grant in left if grant is not None))
