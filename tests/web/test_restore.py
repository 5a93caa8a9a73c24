"""A copy of the ledger brought back in the browser: seen before it is done, with a reason, and
the ledger of before kept."""

import gzip
import re
import time
from pathlib import Path

import httpx

from honours.web.settings import Settings
from tests.web.server import serving

WHY = {"by": "A. Secretary", "why": "the disk failed"}


def _brought_in(client: httpx.Client, content: bytes) -> tuple[str, str]:
    """Where a copy is looked at, and what is said of it once it was read."""
    sent = client.post("/ledger/restore", files={"backup": ("ledger.backup.gz", content)})
    path = sent.headers["location"]
    for _ in range(600):
        page = client.get(path).text
        if "Reading and verifying" not in page:
            return path, page
        time.sleep(0.1)
    raise AssertionError("the copy was never read")


def _adds(client: httpx.Client, name: str) -> None:
    added = client.post("/ledger/people/new", data={"name": name, "by": "A", "why": "joined"})
    assert added.is_redirect


def test_a_copy_is_brought_back(tmp_path: Path) -> None:
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        assert "/ledger/restore" in client.get("/ledger").text  # also where there is none yet
        event = client.post("/demo").headers["location"]
        copy = client.get("/ledger/backup").content
        _adds(client, "Later Comer")
        held = {"by": "A. Secretary", "day": "2020-03-03", "new": "yes"}
        client.post(f"{event}/draft?rulebook=sbu-clubs-2016", data=held)
        client.post("/ledger/drafts/1/release", data=held)
        path, page = _brought_in(client, copy)
        assert "is sound" in page
        assert re.search(r"Posted since.*Tuesday pairs", page, re.DOTALL)
        assert "Later Comer" in client.get("/ledger/members?find=later").text  # nothing is done yet
        assert client.post(path, data={"by": "A. Secretary", "why": " "}).status_code == 422
        assert client.post(path, data=WHY).is_redirect
        assert "Later Comer" not in client.get("/ledger/members?find=later").text
        assert "Tuesday pairs" not in client.get("/ledger/ranks").text
        told = client.get("/ledger/restore").text
        assert "the disk failed" in told
        [aside] = tmp_path.glob("ledger.before-*.db")
        assert aside.name in told
        _adds(client, "After Comer")  # it goes on from there
        assert client.post(path, data=WHY).status_code == 404


def test_what_is_no_copy_changes_nothing(tmp_path: Path) -> None:
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        client.post("/demo")
        copy = client.get("/ledger/backup").content
        wrong = gzip.compress(gzip.decompress(copy).replace(b"Alma Reed", b"Alma Read"))
        for content in (b"no copy", copy[: len(copy) // 2], wrong):
            path, page = _brought_in(client, content)
            assert 'role="alert"' in page
            assert client.post(path, data=WHY).status_code == 422
        assert "Alma Reed" in client.get("/ledger/members").text
        assert not list(tmp_path.glob("ledger.before-*"))
