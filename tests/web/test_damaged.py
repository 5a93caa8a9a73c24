"""What was half-written when the power went is named, set aside, and takes no page down."""

from pathlib import Path

import httpx
import pytest

from honours.errors import InputError
from honours.ledger.store import open_ledger, shown_address
from honours.web.events.store import EventStore, Upload
from honours.web.http.problems import NotThere
from honours.web.settings import Settings
from tests.web.federation import signed
from tests.web.server import example_event, serving

V1 = "/api/v1"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"id": 3}', b"\xff\xfe"])
def test_an_event_half_written_is_set_aside(tmp_path: Path, content: bytes) -> None:
    store = EventStore(tmp_path)
    [good], [bad] = (store.add(Upload(f"{n}.csv", b"x"), ["Monday"]) for n in range(2))
    (tmp_path / "events" / bad.id / "about.json").write_bytes(content)
    again = EventStore(tmp_path)  # as after the power came back
    assert [one.id for one in again.all()] == [good.id]
    assert again.damaged() == [f"damaged-{bad.id}"]
    with pytest.raises(NotThere):
        again.get(bad.id)
    assert (tmp_path / "events" / f"damaged-{bad.id}" / "results").read_bytes() == b"x"


def test_a_page_names_what_was_set_aside(tmp_path: Path) -> None:
    [bad] = EventStore(tmp_path).add(Upload("a.csv", b"x"), ["Monday"])
    (tmp_path / "events" / bad.id / "about.json").write_bytes(b"")
    with serving(Settings(data=tmp_path)) as address, _client(address) as client:
        page = client.get("/events")
        assert page.status_code == 200
        assert f"damaged-{bad.id}" in page.text
        assert client.get(f"/events/{bad.id}").status_code == 404


def _client(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, timeout=300)


def test_results_that_are_not_what_was_sent_are_not_scored(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path)) as address, _client(address) as client:
        event = example_event(client)
    results = tmp_path / "events" / event.rpartition("/")[2] / "results"
    whole = results.read_bytes()
    results.write_bytes(whole[: len(whole) // 2])
    with serving(Settings(data=tmp_path)) as address, _client(address) as client:
        page = client.get(event)
        assert page.status_code == 422
        assert "not those that were sent" in page.text
        assert client.get("/events").status_code == 200


def test_rulings_that_were_lost_are_not_overlooked(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path)) as address, _client(address) as client:
        event = example_event(client)
        ruling = {"kind": "penalty", "pair": "3", "amount": "10", "unit": "percent"}
        done = client.post(f"{V1}{event}/rulings", json={**ruling, "by": "A", "why": "late"})
        assert done.status_code == 201
        [rulings] = (tmp_path / "events" / event.rpartition("/")[2]).glob("*rulings*")
        rulings.write_bytes(b"")
        page = client.get(event)
        assert page.status_code == 422
        assert "rulings that were made on this event are lost" in page.text
        assert client.get("/events").status_code == 200


def test_a_season_half_written_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "seasons").mkdir()
    (tmp_path / "seasons" / "0123456789ab.json").write_bytes(b"")
    with serving(Settings(data=tmp_path)) as address, _client(address) as client:
        client.post("/ledger")
        assert client.get("/ledger/seasons").status_code == 200
        assert client.get("/ledger/seasons/0123456789ab").status_code == 404
    assert [path.name for path in (tmp_path / "seasons").iterdir()] == ["0123456789ab.json.damaged"]


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://ann:hunter2@db.example/honours",
        "postgresql://db.example/honours?user=ann&password=hunter2",
        "postgresql://db.example/honours?user=ann&sslpassword=hunter2",
        "nonsense://ann:hunter2@[",
    ],
)
def test_a_password_in_an_address_is_never_shown(place: str, tmp_path: Path) -> None:
    assert "hunter2" not in shown_address(place)
    with pytest.raises(Exception, match=r"\S") as caught:
        open_ledger(place)
    assert "hunter2" not in str(caught.value)
    from honours.web.accounts.store import Accounts

    with pytest.raises(InputError) as refused:
        Accounts(place.replace("db.example", "").replace("/honours", f"/x?host={tmp_path}&", 1))
    assert "hunter2" not in str(refused.value)


def test_a_ruling_is_made_by_whoever_signed_in(federation: str, tokens: dict[str, str]) -> None:
    from tests.web.test_clubs import _upload

    with signed(federation, tokens["ann"]) as ann:
        [made] = _upload(ann).json()
        ruling = {"kind": "penalty", "pair": "3", "amount": "10", "unit": "percent"}
        signed_by = {**ruling, "by": "Somebody Else", "why": "late"}
        done = ann.post(f"{V1}/events/{made['id']}/rulings", json=signed_by).json()
        assert [one["by"] for one in done["rulings"]] == ["ann"]
        final = {"by": "Somebody Else"}
        rulings = ann.post(f"{V1}/events/{made['id']}/final", json=final).json()["rulings"]
        assert {one["by"] for one in rulings} == {"ann"}
