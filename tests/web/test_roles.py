"""Whoever signs in is shown what they may do, and nothing that would be refused."""

from __future__ import annotations

import re

import pytest

from honours.demo import CLUB_NIGHT, file
from honours.web.accounts.roles import UserAccount
from honours.web.accounts.store import Accounts
from honours.web.http.access import everywhere, permission_of
from honours.web.routes import every_route
from honours.web.settings import Settings
from tests.web.federation import signed, tokens_at
from tests.web.server import serving
from tests.web.walking import walk

_PAGES = [one for one in every_route() if "POST" in (one.methods or ()) and "/api" not in one.path]


def _permitted(asker: UserAccount, action: str) -> bool:
    """Whether somebody may send a form, as far as its address says."""
    path = action.partition("?")[0]
    routes = [one for one in _PAGES if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one.path), path)]
    permission = permission_of(routes[0].endpoint)
    return asker.may(permission.action.role, "" if permission.find is everywhere else None)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(tmp_path_factory.mktemp("roles"), accounts=True, per_minute=100_000)


@pytest.mark.parametrize("who", ["eva", "ann", "sec"])
def test_nothing_is_offered_that_would_be_refused(settings: Settings, who: str) -> None:
    tokens = tokens_at(settings)
    asker = next(one for one in Accounts(settings.accounts_at).all() if one.name == who)
    with serving(settings) as address:
        with signed(address, tokens["all"]) as head:
            head.post("/ledger")
            head.post("/ledger/people/new", data={"name": "Ann Ash", "why": "joined"})
            night = {"files": ("tuesday.csv", file(CLUB_NIGHT).read_bytes())}
            head.post("/events", files=night, data={"club": "Aberdeen"})
        with signed(address, tokens[who]) as client:
            pages = list(walk(client, ["/", "/events", "/ledger/members/1"]))
    # An account's own page is for people who signed in: no token opens it.
    refused = [
        f"{page.path} cannot be seen"
        for page in pages
        if page.status == 403 and page.path != "/account"
    ]
    refused += [
        f"{form.page} offers {form.action}"
        for page in pages
        for form in page.forms
        if not _permitted(asker, form.action)
    ]
    assert "\n".join(sorted(set(refused))) == ""
    assert len(pages) > 15
