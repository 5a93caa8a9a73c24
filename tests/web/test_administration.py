"""An administrator of one club looks after its accounts, and reaches nobody else's."""

import re
from collections.abc import Iterator

import httpx
import pytest

from honours.model.rights import ADMINISTER
from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, signed

V1 = "/api/v1"


@pytest.fixture
def adm(federation: str, tokens: dict[str, str]) -> Iterator[httpx.Client]:
    """The administrator of Aberdeen."""
    with signed(federation, tokens["adm"]) as client:
        yield client


@pytest.fixture
def kept(federation_settings: Settings) -> Iterator[Accounts]:
    accounts = Accounts(federation_settings.accounts_at)
    yield accounts
    accounts.close()


def _roles(accounts: Accounts, name: str) -> list[tuple[str, str]]:
    account = accounts.find(name)
    return [(one.club, one.role) for one in account.grants] if account else []


def test_an_administrator_sees_the_people_of_the_club(adm: httpx.Client) -> None:
    page = adm.get("/accounts")
    assert page.status_code == 200
    named = re.findall(r"<td[^>]*>\s*(\w+)\s*</td>\s*<td[^>]*>\s*(\w+)\s*</td>", page.text)
    assert ("ann", "scorer") in named
    assert {"pat", "per", "eva", "all"}.isdisjoint(name for name, _ in named)
    roles = {one["name"]: one["roles"] for one in adm.get(f"{V1}/accounts").json()["items"]}
    assert roles["two"] == [{"club": "Aberdeen", "role": "scorer"}]
    assert {"pat", "per", "eva", "all"}.isdisjoint(roles)


def test_nobody_else_manages_accounts(federation: str, tokens: dict[str, str]) -> None:
    for name in ("sec", "eva", "pat"):
        with signed(federation, tokens[name]) as client:
            form = {"name": "new", "role": "viewer", "password": PASSWORD}
            assert client.get("/accounts").status_code == 403
            assert client.post("/accounts", data=form).status_code == 403
            assert client.get(f"{V1}/accounts").status_code == 403
            assert client.get(f"{V1}/audit").status_code == 403
            put = client.put(f"{V1}/accounts/{name}", json={"role": "administrator"})
            assert (put.status_code, put.json()["detail"]) == (
                403,
                f"This takes the right to {ADMINISTER.about}.",
            )


def test_a_clubs_administrator_gives_and_takes_its_roles(
    federation: str, adm: httpx.Client, kept: Accounts
) -> None:
    form = {"name": "newcomer", "role": "scorer", "password": PASSWORD}
    assert adm.post("/accounts", data=form).status_code == 303
    assert _roles(kept, "newcomer") == [("Aberdeen", "scorer")]
    token = adm.post(f"{V1}/accounts/newcomer/tokens").json()["token"]
    with signed(federation, token) as newcomer:
        assert newcomer.post("/events/example").status_code == 303
        changed = adm.put(f"{V1}/accounts/newcomer", json={"role": "viewer"})
        assert changed.json() == {
            "name": "newcomer",
            "roles": [{"club": "Aberdeen", "role": "viewer"}],
            "tokens": 1,
        }
        assert newcomer.post("/events/example").status_code == 403, "from the next request on"
        assert newcomer.get("/events").status_code == 200
        assert adm.post("/accounts/end", data={"name": "newcomer"}).status_code == 303
        assert newcomer.get(f"{V1}/events").status_code == 401
    assert adm.delete(f"{V1}/accounts/newcomer").status_code == 204
    assert not kept.knows("newcomer", PASSWORD)
    assert adm.delete(f"{V1}/accounts/newcomer").status_code == 404
    short = adm.post("/accounts", data={**form, "password": "short"})
    assert short.status_code == 422
    assert "at least 10 characters" in short.text


@pytest.mark.parametrize("club", ["Perth", "perth ", "Perth B.C.", "Aberdeen and Perth"])
def test_nothing_is_granted_at_another_club(adm: httpx.Client, kept: Accounts, club: str) -> None:
    for name in ("adm", "ann", "stranger"):
        form = {"name": name, "role": "viewer", "password": PASSWORD, "club": club}
        refused = adm.post("/accounts", data=form)
        assert refused.status_code == 403
        asked = {"role": "viewer", "password": PASSWORD, "club": club}
        refused = adm.put(f"{V1}/accounts/{name}", json=asked)
        assert refused.status_code == 403
        assert refused.json()["detail"] == f"This takes the right to {ADMINISTER.about} at {club}."
    assert _roles(kept, "adm") == [("Aberdeen", "administrator")]
    assert _roles(kept, "stranger") == []


def test_a_role_at_every_club_cannot_be_said(adm: httpx.Client, kept: Accounts) -> None:
    """No club is the administrator's own, and not every club."""
    assert adm.put(f"{V1}/accounts/adm", json={"role": "administrator"}).status_code == 200
    assert _roles(kept, "adm") == [("Aberdeen", "administrator")]


@pytest.mark.parametrize("name", ["two", "duo", "all", "pat"])
def test_whoever_has_roles_elsewhere_is_not_taken_over(
    federation: str, adm: httpx.Client, kept: Accounts, tokens: dict[str, str], name: str
) -> None:
    before = _roles(kept, name)
    form = {"name": name, "role": "viewer", "password": "another password"}
    taken = [
        adm.post("/accounts", data=form),
        adm.put(f"{V1}/accounts/{name}", json={"role": "viewer", "password": "another password"}),
        adm.post("/accounts/token", data=form),
        adm.post(f"{V1}/accounts/{name}/tokens"),
        adm.post("/accounts/end", data=form),
        adm.delete(f"{V1}/accounts/{name}/tokens"),
    ]
    assert {answer.status_code for answer in taken} <= {403, 404}
    assert _roles(kept, name) == before
    assert kept.knows(name, PASSWORD)
    assert kept.who(tokens[name], "token")
    with signed(federation, tokens[name]) as client:
        assert client.get("/events").status_code == 200


def test_a_role_here_leaves_those_elsewhere(
    adm: httpx.Client, kept: Accounts, tokens: dict[str, str]
) -> None:
    given = adm.put(f"{V1}/accounts/pat", json={"role": "viewer", "club": "ABERDEEN"})
    assert given.json()["roles"] == [{"club": "ABERDEEN", "role": "viewer"}]
    assert _roles(kept, "pat") == [("ABERDEEN", "viewer"), ("Perth", "scorer")]
    assert adm.put(f"{V1}/accounts/pat", json={"role": "scorer"}).status_code == 200
    assert _roles(kept, "pat") == [("Aberdeen", "scorer"), ("Perth", "scorer")]
    assert kept.who(tokens["pat"], "token"), "who signed in stays so"
    assert adm.post("/accounts/remove", data={"name": "pat"}).status_code == 303
    assert _roles(kept, "pat") == [("Perth", "scorer")]
    assert kept.knows("pat", PASSWORD)


def test_what_is_done_to_accounts_is_written_down(
    federation: str, adm: httpx.Client, tokens: dict[str, str]
) -> None:
    adm.post("/accounts", data={"name": "logged", "role": "viewer", "password": PASSWORD})
    adm.delete(f"{V1}/accounts/logged")
    with signed(federation, tokens["per"]) as per:
        per.post("/events/example")
    own = adm.get(f"{V1}/audit?limit=500").json()["items"]
    done = [(one["who"], one["what"]) for one in own]
    assert ("adm", "gave logged the role of viewer at Aberdeen") in done
    assert ("adm", "took the role of logged away") in done
    assert "per" not in {who for who, _ in done}, "of another club nothing is told"
    assert PASSWORD not in str(own)
    with signed(federation, tokens["all"]) as everywhere:
        every = everywhere.get(f"{V1}/audit?limit=500").json()["items"]
        assert {"adm", "per"} <= {one["who"] for one in every}
        assert "gave logged the role of viewer at Aberdeen" in everywhere.get("/accounts").text


def test_who_administers_two_clubs_says_which(
    federation: str, kept: Accounts, tokens: dict[str, str]
) -> None:
    assert tokens
    for club in ("Aberdeen", "Perth"):
        kept.set("both", "administrator", PASSWORD, club)
    with signed(federation, kept.token("both")) as both:
        assert 'value="Perth">Perth</option>' in both.get("/accounts").text
        form = {"name": "their", "role": "viewer", "password": PASSWORD}
        asked = both.post("/accounts", data=form)
        assert asked.status_code == 422
        assert "one of Aberdeen, Perth" in asked.text
        assert both.post("/accounts", data={**form, "club": "Perth"}).status_code == 303
        assert _roles(kept, "their") == [("Perth", "viewer")]
        # Of somebody whose every club they administer they may give the password too.
        assert both.post(f"{V1}/accounts/two/tokens").status_code == 201
        assert both.post(f"{V1}/accounts/all/tokens").status_code == 404


def test_without_accounts_there_are_none(client: httpx.Client) -> None:
    assert client.get("/accounts").status_code == 404
    assert client.get(f"{V1}/accounts").status_code == 404
    assert client.get(f"{V1}/audit").status_code == 404
