"""Whoever signs in is shown what they may do, and nothing that would be refused."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.demo import CLUB_NIGHT, file
from honours.model.rights import EXAMPLES
from honours.web.accounts.roles import UserAccount
from honours.web.accounts.store import Accounts
from honours.web.http.access import everywhere, permission_of
from honours.web.routes import every_route
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, signed, tokens_at
from tests.web.server import serving
from tests.web.walking import walk

_PAGES = [one for one in every_route() if "POST" in (one.methods or ()) and "/api" not in one.path]


def _permitted(asker: UserAccount, action: str) -> bool:
    """Whether somebody may send a form, as far as its address says."""
    path = action.partition("?")[0]
    routes = [one for one in _PAGES if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one.path), path)]
    permission = permission_of(routes[0].endpoint)
    return asker.may(permission.action, "" if permission.find is everywhere else None)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(tmp_path_factory.mktemp("roles"), accounts=True, per_minute=100_000)


@pytest.mark.parametrize("who", ["eva", "ann", "sec", "director", "auditor", "treasurer"])
def test_nothing_is_offered_that_would_be_refused(settings: Settings, who: str) -> None:
    tokens = tokens_at(settings)
    accounts = Accounts(settings.accounts_at)
    for role, actions in EXAMPLES.items():
        accounts.set_role(role, actions)
        accounts.set(role, role, PASSWORD, "Aberdeen")
        tokens[role] = accounts.token(role)
    asker = next(one for one in accounts.all() if one.name == who)
    with serving(settings) as address:
        with signed(address, tokens["all"]) as head:
            head.post("/ledger")
            head.post("/ledger/people/new", data={"name": "Ann Ash", "why": "joined"})
            night = {"files": ("tuesday.csv", file(CLUB_NIGHT).read_bytes())}
            head.post("/events", files=night, data={"club": "Aberdeen"})
        with signed(address, tokens[who]) as client:
            pages = list(walk(client, ["/", "/events", "/ledger/members/1", "/search?q=settings"]))
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


def test_a_role_is_made_the_same_by_page_api_and_command(settings: Settings) -> None:
    tokens = tokens_at(settings)
    with serving(settings) as address, signed(address, tokens["all"]) as head:
        actions = ["read", "look"]
        by_api = head.put("/api/v1/roles/treasurer", json={"actions": actions})
        assert by_api.json() == {"role": "treasurer", "actions": actions, "built_in": False}
        by_page = head.post("/accounts/roles", data={"role": "inspector", "actions": actions})
        assert by_page.status_code == 303
        where = ["--data", str(settings.data)]
        made = CliRunner().invoke(cli, ["accounts", "role", "reader", *actions, *where])
        assert made.exit_code == 0, made.output
        told = head.get("/api/v1/roles").json()
        listed = CliRunner().invoke(cli, ["accounts", "roles", "--json", *where]).stdout
        assert json.loads(listed)["items"] == told
        known = {one["role"]: one["actions"] for one in told}
        assert known["treasurer"] == known["inspector"] == known["reader"] == actions
        wrong = head.put("/api/v1/roles/treasurer", json={"actions": ["fly"]})
        assert wrong.status_code == 422
        assert head.put("/api/v1/roles/viewer", json={"actions": actions}).status_code == 422
        with signed(address, tokens["adm"]) as club:  # of one club only
            assert club.put("/api/v1/roles/mine", json={"actions": actions}).status_code == 403
        given = {"role": "reader", "password": PASSWORD}
        assert head.put("/api/v1/accounts/rita", json=given).status_code == 200
        assert head.delete("/api/v1/roles/reader").status_code == 422
        assert head.delete("/api/v1/accounts/rita").status_code == 204
        assert head.post("/accounts/roles/remove", data={"role": "reader"}).status_code == 303


def test_nobody_gives_what_they_have_not(settings: Settings) -> None:
    tokens = tokens_at(settings)
    accounts = Accounts(settings.accounts_at)
    accounts.set_role("doorkeeper", ["read", "administer"])
    accounts.set("dora", "doorkeeper", PASSWORD, "")
    tokens["dora"] = accounts.token("dora")
    with serving(settings) as address, signed(address, tokens["dora"]) as dora:
        given = {"role": "viewer", "password": PASSWORD}
        assert dora.put("/api/v1/accounts/new", json=given).status_code == 200
        for role in ("scorer", "administrator"):
            refused = dora.put("/api/v1/accounts/dora", json={"role": role})
            assert refused.status_code == 403
