"""A server that many people use: signing in, roles, tokens, rates and the audit log."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from honours.errors import InputError
from honours.ledger import members
from honours.ledger.store import open_ledger
from honours.model.rights import KEEP, READ, ROLES, SCORE
from honours.web.accounts.roles import UserAccount, granted
from honours.web.accounts.store import Accounts
from honours.web.app import create_app
from honours.web.http.rate import Rate
from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import serving

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("many")
    accounts = Accounts(str(place / "accounts.db"))
    for role in ROLES:
        accounts.set(role, role, PASSWORD)
    return place


@pytest.fixture(scope="module")
def many(folder: Path) -> Iterator[str]:
    with serving(Settings(data=folder, accounts=True, sign_ins=1000)) as address:
        yield address


@contextmanager
def _signed_in(address: str, name: str, password: str = PASSWORD) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        client.post("/sign-in", data={"name": name, "password": password})
        yield client


def test_nobody_gets_in_without_signing_in(many: str) -> None:
    with httpx.Client(base_url=many) as client:
        assert client.get("/events").headers["location"].startswith("/sign-in")
        assert client.get("/sign-in").status_code == 200
        assert client.get("/api/v1/rulebooks").status_code == 401
        assert client.post("/events/example").headers["location"] == "/sign-in"


def test_a_wrong_password_is_refused(many: str) -> None:
    with _signed_in(many, "scorer", "wrong password") as client:
        assert client.get("/events").status_code == 303
    with _signed_in(many, "nobody") as client:
        assert client.get("/events").status_code == 303


@cases
def test_a_role_may_what_it_may(many: str, name: str, path: str, code: int) -> None:
    with _signed_in(many, name) as client:
        assert client.get("/events").status_code == 200
        assert client.post(path).status_code == code


def test_an_administrator_sees_what_was_done(many: str) -> None:
    with _signed_in(many, "scorer") as client:
        client.post("/events/example")
    with _signed_in(many, "administrator") as client:
        page = client.get("/accounts").text
        assert "brought in the example event" in page
        client.post("/sign-out")
        assert client.get("/events").status_code == 303


def test_a_program_has_a_token(many: str, folder: Path) -> None:
    accounts = Accounts(str(folder / "accounts.db"))
    headers = {"authorization": f"Bearer {accounts.token('viewer')}"}
    assert httpx.get(f"{many}/api/v1/rulebooks", headers=headers).status_code == 200
    refused = httpx.post(f"{many}/api/v1/jobs", headers=headers, json={"what": "conformance"})
    assert refused.status_code == 403
    wrong = {"authorization": "Bearer guessed"}
    assert httpx.get(f"{many}/api/v1/rulebooks", headers=wrong).status_code == 401


def test_nothing_in_the_file_signs_anybody_in(folder: Path) -> None:
    accounts = Accounts(str(folder / "accounts.db"))
    token, session = accounts.token("viewer"), accounts.keys.session("viewer")
    kept = b"".join(path.read_bytes() for path in folder.glob("accounts.db*"))
    assert session
    for secret in (PASSWORD, token, session):
        assert secret.encode() not in kept
    assert b"$argon2id$" in kept


def test_an_account_changed_or_removed_is_signed_out(tmp_path: Path) -> None:
    accounts = Accounts(str(tmp_path / "accounts.db"))
    accounts.set("ann", "viewer", PASSWORD)
    token = accounts.token("ann")
    accounts.set("ann", "scorer", PASSWORD)
    assert accounts.who(token, "token") is None
    accounts.remove("ann")
    assert not accounts.knows("ann", PASSWORD)
    with pytest.raises(InputError, match="at least 10"):
        accounts.set("bob", "viewer", "short")


def test_the_hasty_are_slowed(tmp_path: Path) -> None:
    rate = Rate(2, 60)
    assert [rate.allows("ann") for _ in range(3)] == [True, True, False]
    assert rate.allows("bob")
    with serving(Settings(data=tmp_path, accounts=True)) as address:
        codes = [
            httpx.post(f"{address}/sign-in", data={"name": "x"}).status_code for _ in range(11)
        ]
    assert codes == [403] * 10 + [429]


def test_who_is_private_is_seen_by_secretaries_only(many: str, folder: Path) -> None:
    with _signed_in(many, "secretary") as client:
        client.post("/ledger")
    ledger = open_ledger(str(folder / "ledger.db"))
    with ledger.writing() as connection:
        hidden = members.add(connection, "Peregrine Private", opted_out=True)
        members.add(connection, "Olga Open")
    ledger.close()
    for name, seen in (("viewer", False), ("secretary", True)):
        with _signed_in(many, name) as client:
            page = client.get("/ledger/members").text
            assert "Olga Open" in page
            assert ("Peregrine" in page) is seen
            own = client.get(f"/ledger/members/{hidden}")
            assert ("Peregrine" in own.text) is seen
            assert client.get("/ledger/postings/1").status_code == (422 if seen else 403)


def test_other_machines_need_accounts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only this machine"):
        create_app(Settings(data=tmp_path, host="0.0.0.0"))


def test_a_role_is_held_at_a_club() -> None:
    ann = UserAccount("ann", (granted("Aberdeen B.C.", "scorer"), granted("Perth", "viewer")))
    assert ann.may(SCORE, "aberdeen b c")
    assert ann.may(SCORE)
    assert not ann.may(KEEP, "Aberdeen B.C.")
    assert not ann.may(SCORE, "Perth")
    assert not ann.may(READ, "")
    assert UserAccount("bob", (granted("", "viewer"),)).may(READ, "Perth")
