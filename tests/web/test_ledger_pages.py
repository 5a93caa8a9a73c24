"""From an event's awards to a released posting and a member's statement."""

import re
from pathlib import Path

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.server import example_event, serving

WHO = {"by": "A. Secretary", "day": "2020-03-03"}


def test_awards_are_held_released_and_stand_in_the_statement(tmp_path: Path) -> None:
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=60, follow_redirects=True) as client,
    ):
        assert "There is no ledger yet" in client.get("/ledger").text
        assert "There are none" in client.post("/ledger").text
        path = f"{client.post('/events/example').url.path}/draft"
        query = "?rulebook=sbu-clubs-2016"
        assert "held" in client.post(path + query, data=WHO).text
        number = re.search(r"/ledger/drafts/(\d+)/release", client.get("/ledger").text)
        assert number
        released = client.post(number[0], data=WHO)
        assert "posted" in released.text
        assert "already posted" in client.post(path + query, data=WHO).text
        found = client.get("/ledger").text
        member = re.search(r'/ledger/members/\d+">Magnus Young', found)
        assert member
        statement = client.get(member[0].partition('"')[0]).text
        assert "36" in statement
        posting = re.search(r"/ledger/postings/\d+", statement)
        assert posting
        assert "Chapter" in client.get(posting[0]).text
        assert "All is as it was written" in client.post("/ledger/verify").text


@pytest.mark.parametrize("path", ["/ledger/members/1", "/ledger/postings/1"])
def test_without_a_ledger_there_is_nobody(tmp_path: Path, path: str) -> None:
    with serving(Settings(data=tmp_path)) as address:
        assert httpx.get(address + path).status_code == 404


def test_who_does_it_must_be_said(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path)) as address, httpx.Client(base_url=address) as client:
        path = f"{example_event(client)}/draft?rulebook=sbu-clubs-2016"
        assert client.post(path, data={"by": " "}).status_code == 422
