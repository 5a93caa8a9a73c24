"""Events that an older Honours posted without a day are told of, and given one, on a page and over
the API."""

from __future__ import annotations

from pathlib import Path

import httpx

from honours.ledger.events import undated
from honours.ledger.store import open_ledger
from honours.ledger.verify import verify
from honours.web.settings import Settings
from tests.ledger.older import older_ledger
from tests.web.server import serving

WHY = {"by": "A. Secretary", "why": "from the club's diary"}


def _number(url: str) -> int:
    with open_ledger(url).reading() as connection:
        (row,) = undated(connection)
        return int(row.id)


def test_a_day_is_given_on_the_page(tmp_path: Path) -> None:
    url = older_ledger(str(tmp_path / "old.db"))
    page = f"/ledger/records/{_number(url)}/date"
    with (
        serving(Settings(data=tmp_path / "data", ledger=url)) as address,
        httpx.Client(base_url=address) as client,
    ):
        assert page in client.get("/ledger").text
        assert "posted without a day" in client.get(page).text
        assert client.post(page, data=WHY).status_code == 422
        assert client.post(page, data={**WHY, "day": "2017-04-01"}).is_redirect
        assert page not in client.get("/ledger").text
        again = client.post(f"/api/v1{page}", json={**WHY, "date": "2017-04-02"})
        assert again.status_code == 422
        assert "is no event without a day" in again.json()["detail"]
    assert verify(open_ledger(url)).sound


def test_a_day_is_given_over_the_api(tmp_path: Path) -> None:
    url = older_ledger(str(tmp_path / "old.db"))
    with (
        serving(Settings(data=tmp_path / "data", ledger=url)) as address,
        httpx.Client(base_url=f"{address}/api/v1/ledger") as api,
    ):
        path = f"/records/{_number(url)}/date"
        assert api.post(path, json={**WHY, "date": "1 April"}).status_code == 422
        done = api.post(path, json={**WHY, "date": "2017-04-01"})
        assert done.status_code == 201
        data = api.get(f"/records/{done.json()['record']}").json()
    assert data["date"] == "2017-04-01"
