"""A federation's server: roles held at a club, in files and on a real PostgreSQL."""

from pathlib import Path

import httpx
import pytest

from honours.demo import FILES, file
from honours.errors import InputError
from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, signed

V1 = "/api/v1"


def _upload(client: httpx.Client, **more: str) -> httpx.Response:
    content = file(FILES[0]).read_bytes()
    return client.post(f"{V1}/events", files={"file": ("night.csv", content)}, data=more)


def test_an_event_is_its_clubs(federation: str, tokens: dict[str, str]) -> None:
    with signed(federation, tokens["ann"]) as ann:
        [made] = _upload(ann).json()
        assert made["club"] == "Aberdeen"
        path = f"{V1}/events/{made['id']}"
        assert ann.get(path).status_code == 200
    with signed(federation, tokens["pat"]) as pat:
        assert pat.get(path).status_code == 404
        assert made["id"] not in pat.get("/events").text
        assert made["id"] not in [one["id"] for one in pat.get(f"{V1}/events").json()["items"]]
    with signed(federation, tokens["eva"]) as eva:
        assert eva.get(path).status_code == 200
        assert eva.post(f"{path}/final", json={"by": "Eva"}).status_code == 403


def test_sessions_and_the_log_are_kept_where_the_accounts_are(
    federation: str, federation_settings: Settings, tokens: dict[str, str]
) -> None:
    with httpx.Client(base_url=federation) as client:
        client.post("/sign-in", data={"name": "ann", "password": PASSWORD})
        assert client.get("/events").status_code == 200
        client.post("/sign-out")
        assert client.get("/events").status_code == 303
    accounts = Accounts(federation_settings.accounts_at)
    done = {(line.who, line.what, line.address) for line in accounts.audit.lines()}
    accounts.close()
    assert ("ann", "signed in", "127.0.0.1") in done
    assert ("ann", "signed out", "127.0.0.1") in done
    with signed(federation, tokens["all"]) as client:
        assert "signed out" in client.get("/accounts").text
    with signed(federation, tokens["ann"]) as client:
        assert client.get("/accounts").status_code == 403


def test_a_role_changes_and_a_password_stays(federation_settings: Settings) -> None:
    accounts = Accounts(federation_settings.accounts_at)
    accounts.set("new", "viewer", PASSWORD, "Perth")
    accounts.set("new", "scorer", club="Perth")
    accounts.set("new", "viewer", club="Aberdeen")
    key = accounts.keys.session("new")
    assert key
    account = accounts.who(key, "session")
    assert account
    assert [(one.club, one.role) for one in account.grants] == [
        ("Aberdeen", "viewer"),
        ("Perth", "scorer"),
    ]
    accounts.remove("new")
    assert accounts.who(key, "session") is None
    with pytest.raises(InputError, match="at least 10"):
        accounts.set("new", "viewer")
    with pytest.raises(InputError, match="the name of a club"):
        accounts.set("new", "viewer", PASSWORD, "!")
    accounts.close()


def test_a_database_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="given as postgresql"):
        Accounts("mysql://somewhere/x")
    with pytest.raises(InputError, match="accounts cannot be kept there"):
        Accounts(f"postgresql://nobody@/x?host={tmp_path}")


BOOK = {
    "rulebook": "sbu-clubs-2016",
    "as_usual": True,
    "given": {"winners": "1"},
    "date": "2017-01-14",
}


def test_a_clubs_secretary_posts_for_that_club(federation: str, tokens: dict[str, str]) -> None:
    with signed(federation, tokens["ann"]) as ann, signed(federation, tokens["pat"]) as pat:
        [ours], [theirs] = _upload(ann).json(), _upload(pat).json()
    with signed(federation, tokens["all"]) as everywhere:
        assert everywhere.post(f"{V1}/ledger").status_code in (200, 201)
    with signed(federation, tokens["ann"]) as ann:
        assert ann.post(f"{V1}/events/{ours['id']}/drafts", json=BOOK).status_code == 403
        assert ann.post(f"{V1}/ledger/members", json={"name": "X"}).status_code == 403
    with signed(federation, tokens["sec"]) as sec:
        assert sec.post(f"{V1}/events/{theirs['id']}/drafts", json=BOOK).status_code == 404
        held = sec.post(f"{V1}/events/{ours['id']}/drafts", json={**BOOK, "by": "Someone Else"})
        path = f"{V1}/ledger/drafts/{held.json()['record']}"
        draft = sec.get(path).json()
        assert (draft["who"], draft["club"]) == ("sec", "Aberdeen")
        assert sec.post(f"{V1}/ledger/members", json={"name": "X"}).status_code == 403
        released = sec.post(f"{path}/release", json={})
        assert released.status_code == 201, released.text
        record = f"{V1}/ledger/records/{released.json()['record']}"
        assert sec.post(f"{record}/reversal", json={"why": "x"}).status_code == 201


def test_who_opted_out_is_in_no_answer_to_a_viewer(federation: str, tokens: dict[str, str]) -> None:
    private = {"name": "Peregrine Private", "number": "P1", "opted_out": True}
    with signed(federation, tokens["all"]) as everywhere:
        everywhere.post(f"{V1}/ledger")
        member = everywhere.post(f"{V1}/ledger/members", json=private).json()["member"]
        assert "Peregrine" in everywhere.get(f"{V1}/ledger/members?find=P1").text
    with signed(federation, tokens["eva"]) as eva:
        for path in ("members", "members?find=P1", "members?find=Peregrine", "ranks"):
            assert "Peregrine" not in eva.get(f"{V1}/ledger/{path}").text
        for path in ("", "/statement", "/ranks"):
            assert eva.get(f"{V1}/ledger/members/{member}{path}").status_code == 404
        assert eva.get(f"{V1}/ledger/postings/1").status_code == 403
        season = {"season": 'rulebook = "sbu-clubs-2016"\ntitle = "x"\nkind = "pairs"'}
        assert eva.post(f"{V1}/ledger/season/standings", json=season).status_code == 403


def test_a_newline_in_an_address_passes_no_guard(federation: str, tokens: dict[str, str]) -> None:
    """The router takes an address with a newline at its end for the one without."""
    with signed(federation, tokens["two"]) as two:
        [made] = _upload(two, club="Perth").json()
    with signed(federation, tokens["mix"]) as mix:
        for ending in ("%0a", "%0d", "%00", "%e2%80%a8"):
            for path in (f"/events/{made['id']}/delete", f"{V1}/events/{made['id']}/rulings"):
                assert mix.post(f"{path}{ending}").status_code in (403, 404)
    with signed(federation, tokens["pat"]) as pat:
        assert pat.get(f"{V1}/events/{made['id']}").status_code == 200
