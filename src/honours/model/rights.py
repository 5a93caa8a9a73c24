"""The rights of somebody at a club, or everywhere: actions, and roles, which are named sets of
them.

Pages, routes and commands ask for an action and never for a role's name; an administrator makes
another role of the actions there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from honours.model.message import Message

EVERY_CLUB = ""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done; ``about`` says it to whoever puts a role together."""

    name: str
    about: Message


OPEN = Action("open", Message("what anybody may"))
"""What anybody may, signed in or not."""
READ = Action("read", Message("see results, lists and published members"))
SCORE = Action("score", Message("bring in events, score them and rule on them, ask the lab"))
DIRECT = Action("direct", Message("run evenings"))
LOOK = Action("look", Message("see every member, posting, draft, receipt and submission"))
POST = Action("post", Message("hold, release, correct and take back awards; take in returns"))
SEND = Action("send", Message("make returns to the federation, and note what became of them"))
KEEP = Action("keep", Message("keep members, seasons, registers, the club's page and the ledger"))
AUDIT = Action("audit", Message("read the audit log and have the ledger verified"))
ADMINISTER = Action("administer", Message("give and take roles, make tokens"))
ACTIONS = {
    one.name: one for one in (READ, SCORE, DIRECT, LOOK, POST, SEND, KEEP, AUDIT, ADMINISTER)
}

_SCORER = frozenset({"read", "score", "direct"})
ROLES = {
    Message("viewer"): frozenset({"read"}),
    Message("scorer"): _SCORER,
    Message("secretary"): _SCORER | {"look", "post", "send", "keep"},
    Message("administrator"): frozenset(ACTIONS),
}
"""The roles that every server has."""
EXAMPLES = {
    Message("director"): frozenset({"read", "direct"}),
    Message("auditor"): frozenset({"read", "look", "audit"}),
    Message("treasurer"): frozenset({"read", "look", "send"}),
}
"""Roles that an administrator may want beside them, offered by the form that makes one."""
