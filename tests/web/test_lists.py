"""Lists on pages and over the API: pages of members and ranks, tables of a period, files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.demo import file
from honours.ledger.lists import LISTS, SINCE
from honours.ledger.shapes import DRAFTS, MEMBERS, RECEIPTS, SUBMISSIONS
from honours.model.shape import Shape
from honours.web.settings import Settings
from tests.web.server import serving

V1 = "/api/v1/ledger"
LIST = "number,name,local,opted_out\n" + "".join(
    f"{n},Member {n:03d},{n % 50},{'yes' if n == 7 else ''}\n" for n in range(1, 231)
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lists")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[httpx.Client]:
    """A server whose ledger has a few hundred members with balances."""
    with (
        serving(Settings(data=data)) as address,
        httpx.Client(base_url=address, timeout=120, follow_redirects=True) as client,
    ):
        client.post("/ledger")
        client.post("/ledger/members", files={"list": ("m.csv", LIST)}, data=_ASKED)
        yield client


_ASKED = {"by": "A. Secretary", "rulebook": "sbu-clubs-2016"}
YEAR = {"since": "2000-01-01", "until": "2099-12-31"}


def _pages(client: httpx.Client, path: str) -> list[dict[str, str]]:
    items: list[dict[str, str]] = []
    following: str | None = path
    while following:
        data = client.get(following).json()
        items += data["items"]
        following = data["next"]
    return items


def test_members_come_in_pages(client: httpx.Client) -> None:
    first = client.get(f"{V1}/members?limit=50").json()
    assert first["total"] == 230
    everybody = _pages(client, f"{V1}/members?limit=50")
    assert [one["name"] for one in everybody] == [f"Member {n:03d}" for n in range(1, 231)]
    assert client.get(f"{V1}/members?after=none").status_code == 422
    assert [m["name"] for m in _pages(client, f"{V1}/members?find=200")] == ["Member 200"]


def test_pages_of_the_browser_go_on(client: httpx.Client) -> None:
    for path in ("/ledger/members", "/ledger/lists?list=ranks"):
        first = client.get(path).text
        following = re.search(r'href="(/ledger/[^"]*after=\d+)"', first)
        assert following
        second = client.get(following[1].replace("&amp;", "&")).text
        rows = [set(re.findall(r"/ledger/members/(\d+)", page)) for page in (first, second)]
        assert (len(rows[0]), len(rows[1])) == (200, 30)
        assert not rows[0] & rows[1]
    assert "Member 042" in client.get("/ledger/members?find=042").text
    assert "Nobody is called so." in client.get("/ledger/members?find=nobody").text


def test_lists_are_shown_and_downloaded(client: httpx.Client) -> None:
    upload = {"file": ("club-pairs.csv", file("club-pairs.csv").read_bytes())}
    event = client.post("/api/v1/events", files=upload).json()[0]["id"]
    asked = {
        "rulebook": "sbu-clubs-2016",
        "as_usual": True,
        "given": {"kind": "pairs", "winners": "1"},
    }
    body = {**asked, "date": "2017-01-14", "by": "A. Secretary"}
    done = client.post(f"/api/v1/events/{event}/postings", json=body)
    assert done.status_code == 201, done.text
    for name in ("points", "totals", "promotions"):
        answer = client.get(f"{V1}/lists/{name}", params=YEAR)
        assert answer.status_code == 200, answer.text
        assert answer.json()["name"] == name
        page = client.get("/ledger/lists", params={"list": name, **YEAR})
        assert page.status_code == 200
        assert f"/api/v1/ledger/lists/{name}?" in page.text
    points = client.get(f"{V1}/lists/points", params={**YEAR, "format": "csv", "places": "2"})
    assert points.headers["content-type"].startswith("text/csv")
    assert points.text.splitlines()[1].endswith(",Alma Reed,12,1,qualifies")
    assert client.get(f"{V1}/lists/roll?format=parquet").content.startswith(b"PAR1")
    assert len(client.get(f"{V1}/lists/roll?format=csv").text.splitlines()) > 231
    assert client.get("/ledger/year.pdf", params=YEAR).content.startswith(b"%PDF-")
    member = client.get(f"{V1}/members?find=Alma").json()["items"][0]["member"]
    assert client.get(f"/ledger/members/{member}/statement.pdf").content.startswith(b"%PDF-")
    assert client.get(f"{V1}/members/{member}/statement.pdf").content.startswith(b"%PDF-")
    wrong = client.get("/ledger/lists?list=points&since=2018-01-01&until=2017-01-01")
    assert (wrong.status_code, "begins on 1 Jan 2018" in wrong.text) == (422, True)
    on = client.get("/ledger/lists?list=roll")
    assert "after=" in on.text


def test_a_list_is_the_same_by_command_route_and_page(client: httpx.Client, data: Path) -> None:
    for one in LISTS.values():
        asked = YEAR if SINCE in one.asks else {}
        options = [f"--{name}={value}" for name, value in asked.items()]
        at = ["--ledger", str(data / "ledger.db"), "--json"]
        command = CliRunner().invoke(cli, ["ledger", "lists", one.name, *options, *at])
        if one.name in ("grades", "living"):  # which this body has none of
            assert command.exit_code == 2
            assert client.get(f"{V1}/lists/{one.name}").status_code == 422
            continue
        assert command.exit_code == 0, command.output
        rows = json.loads(command.stdout)["items"]
        following, told = f"{V1}/lists/{one.name}?{urlencode(asked)}", []
        while following:
            part = client.get(following).json()
            told += part["rows"]
            following = part["next"]
        assert told == rows
        file_ = client.get(f"{V1}/lists/{one.name}", params={**asked, "format": "csv"}).text
        assert len(file_.splitlines()) == len(rows) + 1
        page = client.get("/ledger/lists", params={"list": one.name, **asked}).text
        assert page.count("<tr") >= min(len(rows), 200)


SHAPED: dict[str, tuple[Shape[Any], list[str], str]] = {
    "members": (MEMBERS, ["members", "list"], ""),
    "drafts": (DRAFTS, ["drafts", "list", "--all"], ""),
    "receipts": (RECEIPTS, ["returns", "receipts"], "receipts"),
    "submissions": (SUBMISSIONS, ["returns", "list"], "submissions"),
}


def test_a_thing_is_told_the_same_by_command_route_and_table(
    client: httpx.Client, data: Path
) -> None:
    """Every item of a shape is in the API's model, in what --json prints and in the table."""
    models = client.get("/api/v1/openapi.json").json()["components"]["schemas"]
    for name, (shape, command, inside) in SHAPED.items():
        at = ["--ledger", str(data / "ledger.db"), "--json"]
        done = CliRunner().invoke(cli, ["ledger", *command, *at])
        assert done.exit_code == 0, done.output
        told = json.loads(done.stdout)
        told = told["items"] if "items" in told else told[inside]
        keys = {one.key for one in shape.told if one.type is not None}
        over_http = _pages(client, f"{V1}/{name}")
        assert [{key: one[key] for key in keys} for one in over_http] == told
        assert any(keys <= set(one.get("properties", ())) for one in models.values())
        shown = [one.key for one in shape.told if one.title]
        assert [column.key for column in shape.table([]).columns] == shown
