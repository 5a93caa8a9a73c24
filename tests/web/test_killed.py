"""A server killed in the middle of an upload and of a posting: nothing lost, nothing doubled."""

import random
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from honours.demo import FILES, file
from honours.ledger.store import open_ledger
from honours.ledger.verify import verify
from scripts.served import Served, served, start

pytestmark = pytest.mark.slow
V1 = "/api/v1"
BOOK = {"rulebook": "sbu-clubs-2016", "given": {"winners": "1"}, "by": "W", "another": True}
NIGHTS = [f"2017-01-{day:02}" for day in range(1, 6)]


def _upload(address: str, night: str) -> httpx.Response:
    content = file(FILES[0]).read_bytes()
    files, headers = {"file": (f"{night}.csv", content)}, {"idempotency-key": night}
    return httpx.post(f"{address}{V1}/events", files=files, headers=headers, timeout=60)


def _post(address: str, event: str, night: str) -> httpx.Response:
    asked: dict[str, Any] = {**BOOK, "day": night, "title": f"Night {night}"}
    path = f"{address}{V1}/events/{event}/postings"
    return httpx.post(path, json=asked, headers={"idempotency-key": night}, timeout=60)


def _killed_while(server: Served, seed: int, work: Any) -> list[httpx.Response]:
    """What was answered before the server was killed, at some moment of the work."""
    answered: list[httpx.Response] = []

    def asking() -> None:
        with suppress(httpx.HTTPError):  # as somebody sees it whose server was killed
            answered.extend(work(server.address, night) for night in NIGHTS)

    asker = threading.Thread(target=asking)
    asker.start()
    asker.join(random.Random(seed).uniform(0.5, 3))
    server.process.kill()
    server.process.wait(20)
    asker.join(60)
    assert server.process.stdout is not None
    server.process.stdout.close()
    return answered


@pytest.mark.parametrize("seed", [1])
def test_killed_in_the_middle_of_uploads(tmp_path: Path, seed: int) -> None:
    before = _killed_while(start(tmp_path), seed, _upload)
    assert all(one.status_code == 201 for one in before)
    with served(tmp_path) as server:
        listed = httpx.get(f"{server.address}{V1}/events").json()
        assert {one.json()[0]["id"] for one in before} <= {one["id"] for one in listed["items"]}
        again = [_upload(server.address, night) for night in NIGHTS]
        assert [one.json() for one in before] == [one.json() for one in again[: len(before)]]
        assert httpx.get(f"{server.address}{V1}/events").json()["total"] == len(NIGHTS)
    assert len(list((tmp_path / "events").iterdir())) == len(NIGHTS)


@pytest.mark.parametrize("seed", [3])
def test_killed_in_the_middle_of_postings(tmp_path: Path, seed: int) -> None:
    with served(tmp_path) as server:
        event = _upload(server.address, "all").json()[0]["id"]

    def work(address: str, night: str) -> httpx.Response:
        return _post(address, event, night)

    before = _killed_while(start(tmp_path), seed, work)
    assert all(one.status_code == 201 for one in before)
    with served(tmp_path) as server:
        again = [work(server.address, night) for night in NIGHTS]
        assert [one.json() for one in before] == [one.json() for one in again[: len(before)]]
        records = httpx.get(f"{server.address}{V1}/ledger/records").json()
    assert [one["day"] for one in records["items"]] == NIGHTS
    ledger = open_ledger(str(tmp_path / "ledger.db"))
    assert verify(ledger).sound
    ledger.close()
