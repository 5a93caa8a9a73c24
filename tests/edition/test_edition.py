"""The browser edition in chromium, with its web server stopped after the first visit: everything a
club does with an event, and what browsers do to whoever keeps data in them.

Run by `./check browser`, which has node and npm make the edition.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Frame, Page, expect

from honours.web.browser.edition import write_edition
from tests.support import ROOT

pytestmark = pytest.mark.edition

PARTS = ROOT / "build" / "browser-parts"
EXAMPLES = ROOT / "src" / "honours" / "demo" / "examples"
MOST_COMPRESSED = 20_000_000
PATIENCE = 180_000
BOOK = "sbu-clubs-2016"
AWARDED = f"rulebook={BOOK}&as_usual=yes"
PAGES = (
    *("events/{id}", "events/{id}/boards", "events/{id}/boards/1", "events/{id}/pairs/11"),
    *("events/{id}/scorecards", "events/{id}/travellers", "events/{id}/matrix"),
    *("events/{id}/why?what=pair%2011", f"events/{{id}}/awards?rulebook={BOOK}"),
    f"events/{{id}}/awards?{AWARDED}",
    f"events/{{id}}/awards?{AWARDED}&entrant=11",
    f"events/{{id}}/awards?{AWARDED}&against=ebu-clubs",
    *("events/{id}/rulings", "events/{id}/rulings/new?kind=adjust", "events/{id}/names"),
    *("events/{id}/send", "events/{id}/download/standings.csv", "events/{id}/download/event.json"),
    *("events/{id}/download/results.xml", f"events/{{id}}/download/awards.xml?{AWARDED}"),
    *("calculators", "rulebooks", f"rulebooks/{BOOK}", "conformance", "ledger", "lab", "evenings"),
    "calculators/acbl-sof-2020?kind=pairs&entrants=71&sessions=2&strength_factor=31.7345",
    f"calculators/{BOOK}?kind=pairs&winners=1&pairs=18&lang=fr",
    "calculators?lang=en",
)
ASK = """async ([address, how]) => {
  const answer = await fetch(address, how);
  return [answer.status, await answer.text()];
}"""
SEND = """async ([address, name, text]) => {
  const form = new FormData();
  form.append("files", new File([text], name));
  const answer = await fetch(address, { method: "POST", body: form });
  return [answer.status, answer.url];
}"""


class WebSpace:
    """A folder handed out as the plainest of web servers does."""

    def __init__(self, folder: Path) -> None:
        class Quiet(SimpleHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

        made = partial(Quiet, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), made)
        self.address = f"http://127.0.0.1:{self._server.server_port}/club/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edition") / "club"
    write_edition(folder, PARTS)
    return folder


@pytest.fixture
def space(edition: Path) -> Iterator[WebSpace]:
    made = WebSpace(edition.parent)
    yield made
    made.stop()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(accept_downloads=True, locale="en-GB")
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.frame_locator("iframe").locator("main h1").first).to_be_visible(timeout=PATIENCE)
    return page


def cut(context: BrowserContext, space: WebSpace) -> None:
    """From now on there is no network, and no server either."""
    space.stop()
    context.set_offline(True)


def inner(page: Page) -> Frame:
    return page.frames[1]


def upload(page: Page, file: Path) -> str:
    """Drop a file, and get the number of its event."""
    page.frame_locator("iframe").locator("#files").set_input_files(str(file))
    inner(page).wait_for_url(re.compile(r"/events/[0-9a-f]{12}"))
    found = re.search(r"events/([0-9a-f]{12})", inner(page).url)
    assert found
    return found[1]


def asked(page: Page, address: str, **how: str) -> tuple[int, str]:
    status, text = inner(page).evaluate(ASK, ["/club/" + address, how])
    return status, text


def same(text: str) -> str:
    """Without what differs from run to run: when a file was added, and its number."""
    moments = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00|Z)?|\b\d\d:\d\d\b"
    return re.sub(rf"\b[0-9a-f]{{12}}\b|127\.0\.0\.1:\d+|{moments}", "~", text)


def test_two_builds_are_the_same_bytes_and_small(edition: Path, tmp_path: Path) -> None:
    write_edition(tmp_path / "club", PARTS)
    for one, other in ((edition, tmp_path / "club"), (tmp_path / "club", edition)):
        for path in one.rglob("*"):
            if path.is_file():
                assert path.read_bytes() == (other / path.relative_to(one)).read_bytes(), path
    later = {"typst.zip"}
    first = [p for p in edition.rglob("*") if p.is_file() and p.name not in later]
    assert sum(len(gzip.compress(path.read_bytes())) for path in first) < MOST_COMPRESSED


def test_every_golden_figure_and_example_is_as_on_cpython(edition: Path) -> None:
    here = Path(__file__).parent
    node = ["node", str(here / "golden.mjs"), str(edition), str(here / "golden.py")]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=False)
        for command in (node, [sys.executable, str(here / "golden.py")])
    ]
    assert runs[0].returncode == 0, runs[0].stderr[-2000:]
    in_a_browser, here_found = (json.loads(run.stdout) for run in runs)
    assert len(here_found) > 3000
    assert in_a_browser == here_found


def test_pages_without_a_network_are_those_of_cpython(
    context: BrowserContext, space: WebSpace, tmp_path: Path
) -> None:
    left: list[str] = []
    context.on("request", lambda request: left.append(request.url))
    page = opened(context, space.address)
    assert asked(page, "typst.zip")[0] == 200  # so that a PDF can be made without a network
    cut(context, space)
    event = upload(page, EXAMPLES / "tuesday.csv")
    got = {place: asked(page, place.format(id=event)) for place in PAGES}
    (tmp_path / "asked.json").write_text(json.dumps([space.address, PAGES]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.edition.reference", str(tmp_path / "asked.json")],
        env={**os.environ, "HONOURS_TAB": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for place, (status, text) in json.loads(done.stdout).items():
        assert (got[place][0], same(got[place][1])) == (status, same(text)), place
    for name in ("results", "scorecards", "certificates"):
        status, pdf = asked(page, f"events/{event}/download/{name}.pdf?{AWARDED}")
        assert (status, pdf[:5]) == (200, "%PDF-"), name
    assert asked(page, f"events/{event}/download/site.zip")[1][:2] == "PK"
    assert not [url for url in left if not url.startswith((space.address, "data:", "blob:"))]


def test_every_kind_of_file_a_ruling_and_the_ledger(
    context: BrowserContext, space: WebSpace
) -> None:
    page = opened(context, space.address)
    cut(context, space)
    for name in ("club-pairs.csv", "go-open.txt", "league.csv", "published.csv"):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        status, url = inner(page).evaluate(SEND, ["/club/events", name, text])
        assert (status, "/events/" in url) == (200, True), name
    inner(page).goto(space.address)
    event = upload(page, EXAMPLES / "tuesday.csv")
    frame = page.frame_locator("iframe")
    inner(page).goto(f"{space.address}events/{event}/rulings/new?kind=penalise")
    for field in frame.locator("main form [name]:visible[required]").all():
        kind = field.get_attribute("name") or ""
        value = {"entrant": "11", "amount": "1", "reason": "slow", "by": "Ann"}.get(kind)
        if value and field.evaluate("one => one.tagName") == "INPUT":
            field.fill(value)
    assert asked(page, "demo", method="POST")[0] == 200
    status, text = asked(page, "ledger")
    assert status == 200
    assert "Magnus Young" in text or "ledger" in text.lower()
    # What is not there says where it is to be had.
    for absent in ("lab", "evenings", "accounts"):
        status, text = asked(page, absent)
        assert (status, "pip install" in text) == (501, True)
    assert "/evenings" not in asked(page, "")[1]


def test_what_is_kept_survives_a_closed_tab_and_is_kept_and_brought_as_one_file(
    context: BrowserContext, space: WebSpace, browser: Browser, tmp_path: Path
) -> None:
    page = opened(context, space.address)
    other = browser.new_context(accept_downloads=True)
    other.set_default_timeout(PATIENCE)
    elsewhere = opened(other, space.address)
    cut(context, space)
    event = upload(page, EXAMPLES / "tuesday.csv")
    expect(page.locator("#reminder")).to_have_class("due")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Keep a copy").click()
    copy = tmp_path / "copy.zip"
    shutil.copy(waiting.value.path(), copy)
    assert event in " ".join(zipfile.ZipFile(copy).namelist())
    expect(page.locator("#reminder")).not_to_have_class("due")
    page.close()
    page = opened(context, f"{space.address}#events/{event}")
    assert event in inner(page).url

    # A second tab asks the first; once that is closed it has its own.
    second = opened(context, f"{space.address}#events/{event}/boards")
    page.close()
    second.frame_locator("iframe").get_by_role("link", name="Calculators").first.click()
    heading = second.frame_locator("iframe").get_by_role("heading", name="Calculators").first
    expect(heading).to_be_visible(timeout=PATIENCE)

    # Somewhere else, the copy is all there is.
    said: list[str] = []

    def agrees(box: Dialog) -> None:
        said.append(box.message)
        box.accept()

    elsewhere.on("dialog", agrees)
    wrong = io.BytesIO()
    with zipfile.ZipFile(wrong, "w") as archive:
        archive.writestr("../outside", "x")
    (tmp_path / "wrong.zip").write_bytes(wrong.getvalue())
    elsewhere.locator("#bring").set_input_files(str(tmp_path / "wrong.zip"))
    elsewhere.wait_for_timeout(1000)
    assert len(said) == 2
    assert "not a copy" in said[1]
    with elsewhere.expect_navigation():
        elsewhere.locator("#bring").set_input_files(str(copy))
    expect(elsewhere.frame_locator("iframe").locator("main h1").first).to_be_visible()
    assert event in asked(elsewhere, "events")[1]
    other.close()


def test_a_new_version_waits_and_what_computes_for_ever_is_ended(
    context: BrowserContext, edition: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "club"
    shutil.copytree(edition, folder)
    shell = (folder / "index.html").read_text(encoding="utf-8")
    (folder / "index.html").write_text(
        shell.replace('data-patience="120"', 'data-patience="2"'), encoding="utf-8"
    )
    space = WebSpace(tmp_path)
    page = opened(context, space.address)
    event = upload(page, EXAMPLES / "tuesday.csv")
    assert asked(page, "conformance/run", method="POST")[0] in (200, 404, 405, 503)
    page.evaluate(
        """() => new Promise((done) => {
          const channel = new BroadcastChannel("honours /club/");
          channel.onmessage = ({ data }) => data.id === "for ever" && data.status && done();
          channel.postMessage({ kind: "request", id: "for ever", method: "GET", headers: [],
            address: "/club/conformance?" + "x".repeat(10), body: new ArrayBuffer(0) });
        })"""
    )
    assert event in asked(page, "events")[1]  # another worker answers, with what was written

    listed = (folder / "files.js").read_text(encoding="utf-8")
    (folder / "files.js").write_text(listed.replace('"version": "', '"version": "new '), "utf-8")
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    button = page.get_by_role("button", name="A new version is there")
    expect(button).to_be_visible(timeout=PATIENCE)
    assert event in asked(page, "events")[1]
    with page.expect_navigation():
        button.click()
    expect(page.frame_locator("iframe").locator("main h1").first).to_be_visible()
    assert event in asked(page, "events")[1]
    space.stop()


def test_nothing_can_be_sent_elsewhere(context: BrowserContext, space: WebSpace) -> None:
    page = opened(context, space.address)
    there = WebSpace(ROOT / "docs")
    for where in (page, inner(page)):
        sent = where.evaluate(
            "address => fetch(address).then(() => 'sent', () => 'refused')", there.address
        )
        assert sent == "refused"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    there.stop()
