"""From a synthetic year to answers with charts, downloads and both explanations of an event."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from honours.web.settings import Settings
from tests.support import ROOT, cases
from tests.web.server import client_of, serving

pytestmark = pytest.mark.slow
PAIR = {"a": "acbl-sof-2011", "b": "acbl-sof-2020"}
COMPARE = {"corpus": "year", **PAIR}
QUESTIONS = {
    "compare": (COMPARE, "events that both award"),
    "sweep": (
        {"corpus": "year", "parameter": "acbl-sof-2020 first_exponent", "values": "0.65, 0.7"},
        "0.7 would pay",
    ),
    "audit": ({"a": "vbl-2017"}, "no jump at a boundary of size"),
    "simulate": (
        {**PAIR, "holding": "600", "events": "open: entrants=20 holding=900 sessions=2"},
        "Simulated, not played: under acbl-sof-2011 “open” would",
    ),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A lab with a year in it."""
    with (
        serving(Settings(data=tmp_path_factory.mktemp("lab"))) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        assert "There is no corpus yet" in client.get("/lab").text
        assert "There is no corpus yet" in client.get("/lab/compare").text
        made = client.post("/lab/corpora", data={"name": "year", "scale": "0.002", "seed": "7"})
        assert "It is there" in _done(client, made.headers["location"])
        yield client


def _done(client: httpx.Client, path: str) -> str:
    for _ in range(1000):
        page = client.get(path).text
        if "<progress" not in page:
            return page
        time.sleep(0.3)  # a page takes some of the time that the work could have
    raise AssertionError(f"{path} goes on and on")


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_question_has_an_address_an_answer_and_downloads(client: httpx.Client, kind: str) -> None:
    form, expected = QUESTIONS[kind]
    address = client.post(f"/lab/{kind}", data=form).headers["location"]
    page = _done(client, address)
    assert expected in page
    assert address.replace("&", "&amp;") in page
    query = address.partition("?")[2]
    data = json.loads(client.get(f"/lab/{kind}/download/answer.json?{query}").text)
    assert data["statement"]
    assert "Broken" in data["tables"] or kind != "audit"
    report = client.get(f"/lab/{kind}/download/report.html?{query}")
    assert "<!doctype html>" in report.text
    assert "attachment" in report.headers["content-disposition"]
    jobs = client.get("/api/v1/jobs").json()["items"]
    own = next(job["id"] for job in jobs if job["what"] == kind)
    assert client.get(f"/api/v1/jobs/{own}").json()["result"][0].keys() == data.keys()


def test_a_comparison_leads_to_an_event_and_both_explanations(client: httpx.Client) -> None:
    page = _done(client, client.post("/lab/compare", data=COMPARE).headers["location"])
    event = re.search(r"/lab/compare/events/\d+\?[^\"]+", page)
    assert event
    shown = client.get(event[0].replace("&amp;", "&")).text
    assert shown.count('class="short"') == 2
    assert "Basic SOF Formula" in shown
    other = re.search(r'href="(/lab/compare/events/[^"]+&amp;entrant=\d+)"', shown)
    assert other
    assert "Why, for entrant" in client.get(other[1].replace("&amp;", "&")).text


def test_a_value_leads_to_its_comparison(client: httpx.Client) -> None:
    page = _done(client, client.post("/lab/sweep", data=QUESTIONS["sweep"][0]).headers["location"])
    assert "b_with=first_exponent%3D0.7" in page


def test_a_link_shows_its_answer_before_and_after_a_restart(tmp_path: Path) -> None:
    link, settings = "/lab/audit?a=vbl-2017", Settings(data=tmp_path)
    with client_of(settings) as client:
        assert 'class="answer"' in _done(client, link)
    with client_of(settings) as client:
        assert 'class="answer"' in client.get(link).text
        assert link in client.get("/lab").text
        [job] = client.get("/api/v1/jobs").json()["items"]
        assert (job["what"], job["state"]) == ("audit", "done")


def test_work_is_called_off(client: httpx.Client) -> None:
    address = client.post("/lab/audit", data={"a": "acbl-sof-2011"}).headers["location"]
    cancel = re.search(r"/lab/jobs/\w+/cancel", client.get(address).text)
    assert cancel
    assert client.post(cancel[0]).headers["location"] == address
    assert "It was cancelled" in _done(client, address)


def test_a_year_that_is_called_off_leaves_nothing(client: httpx.Client) -> None:
    made = client.post("/lab/corpora", data={"name": "large", "scale": "1"}).headers["location"]
    cancel = re.search(r"/lab/jobs/\w+/cancel", client.get(made).text)
    assert cancel
    client.post(cancel[0])
    assert "nothing was kept" in _done(client, made)
    assert ">large<" not in client.get("/lab").text


@cases
def test_what_cannot_be_asked(client: httpx.Client, path: str, form: dict[str, str]) -> None:
    assert client.post(path, data=form).status_code in (404, 422)


def test_a_history_is_brought_and_compared_with_what_was_paid(client: httpx.Client) -> None:
    """From the file to a comparison in the browser: two forms."""
    content = (ROOT / "examples" / "history.csv").read_bytes()
    files = {"files": ("history.csv", content, "text/csv")}
    sent = client.post("/lab/corpora/import", data={"name": "ours"}, files=files)
    page = _done(client, sent.headers["location"])
    assert "Compare what was paid with a rulebook" in page
    assert "taken as 0" in page
    assert "history.csv" in page
    assert 'value="as-paid"' in client.get("/lab/compare").text
