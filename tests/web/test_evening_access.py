"""Who may do what at an evening: its club's people, and tables with their codes, nothing more."""

import re

import httpx

from honours.model.rights import OPEN
from honours.web import routes
from honours.web.accounts.store import Accounts
from honours.web.http.access import permission_of
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, signed
from tests.web.test_evening import Phone, set_up

V1 = "/api/v1"


def _begun(address: str, token: str, **more: str) -> tuple[str, dict[str, str]]:
    with signed(address, token) as client:
        evening = set_up(client, **more)
        codes: dict[str, str] = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]
    return evening, codes


def test_a_table_enters_without_an_account(federation: str, tokens: dict[str, str]) -> None:
    evening, codes = _begun(federation, tokens["ann"])
    with httpx.Client(base_url=federation, timeout=60) as client:
        assert client.get(f"/table/{codes['1']}").status_code == 200
        phone = Phone(client, evening, 1, codes["1"])
        board = phone.boards()[0]
        assert phone.sends("result", board, text="3NT S =").status_code == 200
        other = client.get(f"{V1}/evenings/{evening}/tables/2", headers=phone.headers)
        assert other.status_code == 404
        nobody = client.get(f"{V1}/evenings/{evening}/tables/1")
        assert nobody.status_code == 401


def test_a_tables_code_opens_nothing_else(federation: str, tokens: dict[str, str]) -> None:
    """Every route there is, asked with a table's code."""
    evening, codes = _begun(federation, tokens["ann"])
    headers = {"authorization": f"Table {codes['1']}"}
    its_own = re.compile(rf"{V1}/evenings/{evening}/tables/1(/.*)?")
    asked = 0
    with httpx.Client(base_url=federation, headers=headers, timeout=60) as client:
        for route in routes.every_route():
            if permission_of(route.endpoint).action is OPEN:
                continue
            path = route.path.replace("{evening_id}", evening).replace("{table}", "1")
            path = re.sub(r"\{[^}]+\}", "1", path)
            for prefix in ("", V1):
                if its_own.fullmatch(prefix + path):
                    continue
                for method in route.methods or set():
                    answer = client.request(method, prefix + path)
                    assert answer.status_code in (403, 404, 405), (method, prefix + path)
                    asked += 1
    assert asked > 200


def test_an_evening_is_its_clubs(federation: str, tokens: dict[str, str]) -> None:
    evening, _ = _begun(federation, tokens["ann"])
    with signed(federation, tokens["pat"]) as client:
        assert client.get(f"{V1}/evenings/{evening}").status_code == 404
        listed = client.get(f"{V1}/evenings").json()["items"]
        assert evening not in [one["id"] for one in listed]
    with signed(federation, tokens["eva"]) as client:  # who may only look
        assert client.get(f"{V1}/evenings/{evening}").status_code == 200
        for path in ("lines", "codes", "results.json", "missing"):
            assert client.get(f"{V1}/evenings/{evening}/{path}").status_code == 403
        for path in ("grid", "settings", "rulings", "names"):
            assert client.get(f"/evenings/{evening}/{path}").status_code == 403


def test_only_who_plays_is_kept_from_boards(federation: str, tokens: dict[str, str]) -> None:
    evening, codes = _begun(federation, tokens["ann"], playing="1")
    with httpx.Client(base_url=federation, timeout=60) as client:
        for table, code in codes.items():
            phone = Phone(client, evening, int(table), code)
            seats = phone.state()["rounds"][0]["seats"][0]
            if "1" not in (*seats["ns"], *seats["ew"]):
                phone.sends("result", phone.boards()[0], text="6C W -3")
    with signed(federation, tokens["ann"]) as client:
        mine = client.get(f"{V1}/evenings/{evening}/lines").json()
    with signed(federation, tokens["two"]) as client:
        theirs = client.get(f"{V1}/evenings/{evening}/lines").json()
    assert len(theirs) == 3
    assert mine == []


def test_an_account_called_like_a_table_is_no_table(
    federation: str, federation_settings: Settings, tokens: dict[str, str]
) -> None:
    """Another club's administrator may call an account what the log calls a table."""
    evening, _ = _begun(federation, tokens["ann"])
    accounts = Accounts(federation_settings.accounts_at)
    for where in ("table 1", "screen"):
        name = f"{where} of evening {evening}"
        accounts.set(name, "viewer", PASSWORD, "Perth")
        with signed(federation, accounts.token(name)) as client:
            for path in ("tables/1", "standings"):
                assert client.get(f"{V1}/evenings/{evening}/{path}").status_code == 404, name
    accounts.close()
