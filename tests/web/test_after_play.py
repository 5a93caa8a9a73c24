"""One place after play: published, posted and checked for receivers in one click."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import httpx

from honours.web.settings import Settings
from tests.web.server import client_of, example_event


def test_one_click_publishes_posts_and_makes_the_files(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        event = example_event(client)
        client.post(f"{event}/said", data={"date": "2017-01-14", "club": "Ayr"})
        before = client.get(f"{event}/after").text
        assert before.count("not yet") >= 2
        wrong = client.patch("/api/v1/club", json={"receivers": "nobody"})
        assert wrong.status_code == 422
        assert client.patch("/api/v1/club", json={"receivers": "bridgewebs"}).status_code == 200
        asked = _done(client, event, {})
        assert "/p/" in asked
        assert "would be new in the ledger" in asked
        done = _done(client, event, {"new": "1"})
        assert "record 1" in done
        assert client.get("/api/v1/ledger/records").json()["items"][0]["club"] == "Ayr"
        sent = client.get(f"{event}/after/files.zip")
        assert sent.status_code == 200, sent.text
        assert len(zipfile.ZipFile(io.BytesIO(sent.content)).namelist()) == 1
        after = client.get(f"{event}/after").text
        assert "file fetched" in after
        assert "not yet" not in after


def _done(client: httpx.Client, event: str, said: dict[str, str]) -> str:
    query = {"rulebook": "sbu-clubs-2016"}
    answer = client.post(f"{event}/after", params=query, data={"by": "Eve", **said})
    assert answer.status_code == 200, answer.text
    return answer.text
