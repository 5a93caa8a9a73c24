"""A history brought in the browser and over the API, and the fields of a range and of numbers."""

import csv
import io
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from honours.rulebooks import load
from honours.web.lab.amending import ranging, read_form
from honours.web.settings import Settings
from tests.lab.histories import history
from tests.support import ROOT
from tests.web.server import serving

BOOK = "acbl-sof-2020"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        serving(Settings(data=tmp_path_factory.mktemp("bringing"))) as address,
        httpx.Client(base_url=address, timeout=120) as opened,
    ):
        yield opened


def _table() -> bytes:
    rows = [*history(8)]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def _until_done(client: httpx.Client, address: str) -> dict[str, Any]:
    for _ in range(1200):
        job: dict[str, Any] = client.get(address).json()
        if job["state"] != "running":
            return job
        time.sleep(0.1)
    raise AssertionError(f"{address} goes on and on")


def test_a_history_comes_in_over_the_api_and_is_compared(client: httpx.Client) -> None:
    """Tables and results files at once, then what was paid beside a rule."""
    evening = ("club-pairs.csv", (ROOT / "examples" / "club-pairs.csv").read_bytes())
    started = client.post(
        "/api/v1/jobs/import",
        files=[("files", ("history.csv", _table())), ("files", evening)],
        data={"name": "mine", "given": "limit=0"},
    )
    assert started.status_code == 202, started.text
    job = _until_done(client, started.headers["location"])
    assert job["state"] == "done", job
    [result] = job["result"]
    assert result["corpus"] == "mine"
    assert result["events"] == 9
    assert any("paid is taken to be what each player got" in note for note in result["notes"])
    assert "mine" in client.get("/api/v1/corpora").json()
    asked = client.post(
        "/api/v1/jobs",
        json={"what": "compare", "said": {"corpus": "mine", "a": "as-paid", "b": BOOK}},
    )
    answered = _until_done(client, asked.headers["location"])
    assert "compared with as-paid" in answered["result"][0]["statement"]
    page = client.get("/lab/corpora/mine").text
    assert "Compare what was paid with a rulebook" in page
    assert "&#34;Member 1&#34; = &#34;player1&#34;" in page, "the plan that was followed"


def test_what_is_wrong_with_an_import_is_said_and_leaves_nothing(client: httpx.Client) -> None:
    started = client.post(
        "/api/v1/jobs/import", files=[("files", ("a.csv", b"x,y\n1,2\n"))], data={"name": "bad"}
    )
    job = _until_done(client, started.headers["location"])
    assert job["state"] == "failed"
    assert "none of its files could be made an event" in str(job["error"])
    assert "bad" not in client.get("/api/v1/corpora").json()
    nothing = client.post(
        "/api/v1/jobs/import", files=[("files", ("a.csv", b""))], data={"name": "empty"}
    )
    assert nothing.status_code == 422


def test_a_plan_is_drafted_and_followed(client: httpx.Client) -> None:
    drafted = client.post("/lab/corpora/plan", files=[("files", ("history.csv", _table()))])
    assert "plan.toml" in drafted.headers["content-disposition"]
    plan = drafted.text.replace('"Points won" = "paid"', '"Points won" = ""')
    started = client.post(
        "/api/v1/jobs/import",
        files=[("files", ("history.csv", _table())), ("files", ("plan.toml", plan.encode()))],
        data={"name": "planned"},
    )
    job = _until_done(client, started.headers["location"])
    assert any("'Points won' is left out" in n for n in job["result"][0]["notes"])


def test_a_range_of_values_has_sliders(client: httpx.Client) -> None:
    book = load(BOOK)
    around = ranging("values", book, "size_exponent", "")
    assert around is not None
    assert (around.first, around.last, around.count, around.published) == ("0.53", "0.8", 5, "2/3")
    again = ranging("values", book, "size_exponent", "0.5 0.6 0.7")
    assert again is not None
    assert (again.first, again.last, again.count, again.text) == ("0.5", "0.7", 3, "")
    exactly = ranging("values", book, "size_exponent", "1/2 2/3 1")
    assert exactly is not None
    assert exactly.text == "1/2 2/3 1"
    part = client.get("/lab/sweep/values", params={"parameter": f"{BOOK} size_exponent"}).text
    assert 'data-slides="f-values.from" min="0" max="1.34"' in part


def test_fields_of_a_form_become_the_question() -> None:
    books = {BOOK: load(BOOK)}
    swept = read_form(
        "sweep",
        {
            "corpus": "c",
            "parameter": f"{BOOK} size_exponent",
            "values": "",
            "values.from": "1/2",
            "values.to": "0.8",
            "values.count": "4",
        },
        books,
    )
    assert swept.get("values") == "0.5 0.6 0.7 0.8"
    boxed = {"corpus": "c", "a": BOOK, "parameters.total_coefficient": "on", "parameters": "whole"}
    assert read_form("calibrate", boxed, books).get("parameters") == "total_coefficient whole"
