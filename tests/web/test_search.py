"""One box finds events, boards, players, members, rulebooks, pages; a demo club is a click away."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import client_of


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    data: Path = tmp_path_factory.mktemp("data")
    with client_of(Settings(data=data)) as client:
        assert "I only look around" in client.get("/").text
        assert client.post("/demo").status_code == 303
        yield client


def test_recent_work_is_on_the_first_page(client: httpx.Client) -> None:
    page = client.get("/").text
    assert "Recent work" in page
    assert "Tuesday pairs" in page


@cases
def test_everything_is_found(client: httpx.Client, wanted: str, expected: str) -> None:
    assert expected in client.get("/search", params={"q": wanted}).text


def test_the_demo_club_has_members_to_name_pairs_by(client: httpx.Client) -> None:
    unnamed, night = (
        re.search(f'href="(/events/[0-9a-f]+)">{title}', client.get("/events").text)
        for title in ("Thursday pairs", "Tuesday pairs")
    )
    assert unnamed is not None
    assert night is not None
    known = client.get(f"{unnamed[1]}/names/people", params={"q": "magn"}).json()
    assert [person["name"] for person in known] == ["Magnus Young"]
    assert known[0]["number"]
    known = client.get(f"{unnamed[1]}/names/people", params={"q": "ma"}).json()
    assert [person["name"] for person in known] == ["Magnus Young", "Mairi Begg", "Effie Mair"]
    known = client.get(f"{unnamed[1]}/names/people", params={"q": "galt"}).json()
    assert [person["name"] for person in known] == ["Ian Galt", "Iain Galt"]  # a member first
    assert "Ian Galt 5012" in client.get(f"{night[1]}/names").text  # Iain Galt, in the results
