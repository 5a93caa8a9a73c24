"""Every page there is a link to: everybody can use it, and every table of it sorts, filters and
downloads, in both languages."""

import csv
import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import SIZES, Opened, Visitor, ways
from tests.looking import too_wide

pytestmark = pytest.mark.slow
FILES = re.compile(
    r"/download/|/send/file|/backup\b|[?&]format=|\.(xml|pdf|csv|zip|eml|svg|ics|atom)\b|openapi\.json"
)
"""Addresses that lead to a file, not a page."""
_ONE_IS_ENOUGH = (
    (re.compile(r"[0-9a-f]{12}|\d+"), "1"),
    (re.compile(r"/(calculators|rulebooks)/[a-z0-9-]+"), r"/\1/one"),
    (re.compile(r"kind=[a-z]+"), "kind=one"),
)
MOST = 80


def _pattern(path: str) -> str:
    """What kind of page an address leads to: of a kind one is looked at."""
    bare = re.sub(r"[?#](?!kind=).*", "", path)
    for pattern, one in _ONE_IS_ENOUGH:
        bare = pattern.sub(one, bare)
    return bare


def _prepared(visitor: Visitor) -> list[str]:
    """Something of everything: an event, a ledger with a draft and a posting; pages that ask about
    an event of which nothing was answered yet."""
    visitor.goes_to("/ledger")
    visitor.page.locator("main button").first.click()
    for day in ("2020-03-03", "2020-03-10"):
        visitor.goes_to("/events")
        visitor.page.locator("form[action='/events/example'] button").click()
        visitor.page.wait_for_url("**/events/*")
        visitor.goes_to(visitor.page.url.removeprefix(visitor.address) + "/awards?as_usual=yes")
        visitor.unfolds("#hold")
        visitor.fills(by="A. Secretary", day=day)
        visitor.page.locator("form[action*='/draft'] button").click()
        if visitor.page.locator("[name=new]").count():
            visitor.page.locator("[name=new]").click()
    visitor.goes_to("/ledger/drafts/1")
    visitor.fills(by="A. Secretary")
    visitor.page.locator("form[action$='/release'] button").first.click()
    visitor.goes_to("/events/typed")
    visitor.page.locator("main form button").first.click()
    visitor.page.wait_for_url(re.compile("/events/[0-9a-f]{12}"))
    awards = visitor.page.url.removeprefix(visitor.address) + "/awards"
    return [awards, f"{awards}?rulebook=ebu-clubs", f"{awards}?rulebook=ebu-clubs&g.scale=A"]


def _walk(visitor: Visitor, *more: str) -> Iterator[str]:
    """One page of every kind that a link leads to, beginning at the first; and some more."""
    waiting, seen = ["/", "/nowhere", *more], {"/", "/nowhere"}
    while waiting:
        path = waiting.pop(0)
        visitor.goes_to(path)
        visitor.page.wait_for_load_state()
        yield path
        links: list[str] = visitor.page.eval_on_selector_all(
            "a[href^='/']", "all => all.map(link => link.getAttribute('href'))"
        )
        for link in links:
            if _pattern(link) not in seen and not FILES.search(link):
                seen.add(_pattern(link))
                waiting.append(link)


@pytest.mark.parametrize(
    ("size", "scheme", "language"), ways(("desktop", "light", "en"), ("phone", "dark", "fr"))
)
def test_every_page_and_every_table_can_be_used(
    visit: Opened, size: str, scheme: str, language: str
) -> None:
    visitor = visit(size, scheme, language)
    questions = _prepared(visitor)
    tables, pages = 0, 0
    for path in _walk(visitor, *questions):
        pages += 1
        name = _pattern(path).strip("/").replace("/", "-").replace("?", "-") or "first"
        visitor.looks(name, otherwise=False)
        frames = visitor.page.locator("[data-table]").all()
        ends = frames[:2] + frames[2:][-1:]  # of the sheets of a night
        for frame in ends if size == "desktop" else []:  # whose tools are the same on a phone
            _check(frame, visitor, path)
            tables += 1
        _fits_a_phone(visitor, path)
        assert pages < MOST
    visitor.complaints[:] = [c for c in visitor.complaints if "404" not in c]
    assert pages > 25
    assert tables > 25 or size == "phone"


def _fits_a_phone(visitor: Visitor, path: str) -> None:
    """No page is wider than a phone, whatever it is looked at with."""
    for size in ("phone", visitor.size):
        width, height = SIZES[size]
        visitor.page.set_viewport_size({"width": width, "height": height})
        for _ in range(100):  # what a script draws follows the width in its own time
            if not (faults := too_wide(visitor.page)):
                break
            visitor.page.wait_for_timeout(100)
        assert faults == [], (path, size)


def _check(frame: Locator, visitor: Visitor, path: str) -> None:
    rest = frame.locator("button.rest")
    if rest.is_visible():
        rest.click()
    every = _texts(frame)
    if not every:
        return
    frame.locator("button.sort").first.click()
    assert sorted(_texts(frame)) == sorted(every), path
    assert frame.locator("th[aria-sort]").count() == 1, path
    frame.locator(".table-menu > summary").click()
    frame.locator("input[type=search]").fill(every[-1].split("\t")[0].strip()[:30])
    shown = _texts(frame)
    assert 0 < len(shown) <= len(every), path
    header = frame.locator("thead th").count()
    rows = list(csv.reader(_downloaded(frame, visitor, "csv").splitlines()))
    assert (len(rows), {len(row) for row in rows}) == (len(shown) + 1, {header}), path
    assert len(json.loads(_downloaded(frame, visitor, "json"))) == len(shown), path


def _texts(frame: Locator) -> list[str]:
    """The rows that are shown."""
    texts: list[str] = frame.evaluate(
        "f => [...f.querySelectorAll('tbody tr')].filter(r => r.offsetParent)"
        ".map(r => [...r.cells].map(c => c.textContent.trim()).join('\\t'))"
    )
    return texts


def _downloaded(frame: Locator, visitor: Visitor, kind: str) -> str:
    with visitor.page.expect_download() as waiting:
        frame.locator(f"[data-as={kind}]").click()
    return waiting.value.path().read_text(encoding="utf-8")
