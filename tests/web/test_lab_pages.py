"""From a synthetic year to a comparison with charts and both explanations."""

import re
import time
from pathlib import Path

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.server import serving

pytestmark = pytest.mark.slow


def _done(client: httpx.Client, path: str) -> str:
    for _ in range(1200):
        page = client.get(path).text
        if "<progress" not in page:
            return page
        time.sleep(0.1)
    raise AssertionError(f"{path} goes on and on")


def test_a_change_of_the_rules_is_tried_on_a_year(tmp_path: Path) -> None:
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        assert "There is no corpus yet" in client.get("/lab").text
        made = client.post("/lab/corpora", data={"name": "year", "scale": "0.002", "seed": "7"})
        assert "It is there" in _done(client, made.headers["location"])
        asked = {"corpus": "year", "a": "acbl-sof-2011", "b": "acbl-sof-2020"}
        answer = client.post("/lab/compare", data=asked).headers["location"]
        page = _done(client, answer)
        assert "would pay" in page
        assert "application/json" in page
        event = re.search(r"/lab/answers/\w+/events/\d+", page)
        assert event
        assert client.get(event[0]).text.count('class="step') > 2
        told = client.get(f"/api/v1/jobs/{answer.split('/')[3].partition('?')[0]}").json()
        assert told["result"][0]["statement"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/lab/corpora", {"name": "../x"}),
        ("/lab/corpora", {"name": "x", "scale": "900"}),
        ("/lab/corpora", {"name": "x", "scale": "large"}),
        ("/lab/compare", {"corpus": "../..", "a": "aga-category", "b": "aga-category"}),
    ],
)
def test_what_cannot_be_asked(client: httpx.Client, path: str, said: dict[str, str]) -> None:
    assert client.post(path, data=said).status_code in (404, 422)
