"""A file gives the same through the pages as through the library, whatever it is."""

import io
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from honours.demo import FILES, file
from honours.pipeline import awarded, ranked, read_account
from honours.reports.awards import event_csv
from honours.reports.site import build_site
from honours.rulebooks import load
from honours.web.settings import Settings
from tests.support import ROOT
from tests.web.server import client_of, serving

SBU = ("sbu-clubs-2016", {"kind": "pairs", "winners": "1"})
AGA = (
    "aga-category",
    {"section_kind": "open", "mean_rating": "3", "qualifier": "yes", "minimum_category": "none"},
)


def _file(name: str) -> Path:
    return ROOT / "examples" / name  # or any path that is absolute


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server where nobody of these files is a member, or does not want to be named."""
    with client_of(Settings(data=tmp_path_factory.mktemp("alone"))) as client:
        yield client


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("tuesday.csv", SBU),
        ("club-pairs.csv", SBU),
        ("go-open.txt", AGA),
    ],
)
def test_a_file_gives_the_same(
    alone: httpx.Client, name: str, asked: tuple[str, dict[str, str]]
) -> None:
    path, (rulebook, given) = _file(name), asked
    upload = alone.post(
        "/events", files=[("files", (path.name, path.read_bytes()))], data={"again": "yes"}
    )
    event = f"{upload.headers['location']}/download"
    report = ranked(read_account(path))
    with zipfile.ZipFile(io.BytesIO(alone.get(f"{event}/site.zip").content)) as site:
        assert {name: site.read(name) for name in site.namelist()} == build_site(report)
    query = {"rulebook": rulebook, "as_usual": "yes"} | {
        f"g.{key}": value for key, value in given.items()
    }
    awards = awarded(report, load(rulebook), given).awards
    assert awards is not None
    assert alone.get(f"{event}/awards.csv", params=query).text == event_csv(awards)


@pytest.mark.slow
def test_a_restarted_server_has_everything_for_whoever_asks(tmp_path: Path) -> None:
    """Nothing that was read is kept on disk: every event is read again when it is asked for."""
    settings = Settings(data=tmp_path, per_minute=10_000)
    content = file(FILES[0]).read_bytes()
    nights = [f"night-{n}.csv" for n in range(22)]
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        for name in nights:
            sent = [("files", (name, content))]
            assert client.post("/events", files=sent, data={"again": "yes"}).is_redirect
        events = [one["id"] for one in client.get("/api/v1/events").json()["items"]]
        before = {one: client.get(f"/api/v1/events/{one}").json() for one in events}
    assert len(before) == len(nights)
    with (
        serving(settings) as address,
        httpx.Client(base_url=address, timeout=60) as client,
        ThreadPoolExecutor(8) as asking,
    ):
        after = asking.map(lambda one: client.get(f"/api/v1/events/{one}").json(), events)
        assert dict(zip(events, after, strict=True)) == before
