"""The journeys within the actions people have patience for, on a desktop by day in English or on a
phone by night in French; and how much the first page weighs."""

import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Route, expect

from honours.demo import CLUB_NIGHT, FILES, file
from tests.browser.conftest import ENGLISH, FRENCH, Opened, Visitor, ways

pytestmark = pytest.mark.slow
HEAVIEST = 100_000
MOST_SHIFT = 0.01
# A page may be drawn while it arrives, in more pieces on a busy machine: here it is shown when
# all of it is there, and whatever moves after that is moved by a script or a late style.
SHIFTS = """
const hidden = new CSSStyleSheet();
hidden.replaceSync("html { display: none }");
document.adoptedStyleSheets.push(hidden);
document.addEventListener("readystatechange", () => hidden.replaceSync(""), { once: true });
window.shift = 0;
const add = (shifts) => shifts.getEntries().forEach((one) => (window.shift += one.value));
new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
"""
SCRIPTS_COME_LATE = 0.2


class Counting:
    """Counts what somebody does: a click, a choice of a file, or a word with Enter."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page, self.actions = visitor, visitor.page, 0

    def clicks(self, selector: str) -> None:
        self.page.wait_for_load_state()
        self.page.locator(selector).first.click()
        self.actions += 1

    def chooses(self, path: Path) -> None:
        self.page.wait_for_load_state()
        self.page.set_input_files("#files", path)
        self.actions += 1

    def writes(self, selector: str, text: str) -> None:
        self.page.wait_for_load_state()
        self.page.locator(selector).first.fill(text)
        self.actions += 1


def _published(counting: Counting, folder: Path) -> None:
    night = folder / "tuesday.csv"
    night.write_bytes(file(CLUB_NIGHT).read_bytes())
    counting.visitor.goes_to("/")
    counting.chooses(night)
    counting.clicks("form[action*='/publish'] button")
    counting.clicks("a.button[href*='/p/']")
    expect(counting.page.locator("main")).to_contain_text("Magnus Young & Iain Galt")


@pytest.mark.parametrize(("size", "scheme", "language"), ways(FRENCH, ENGLISH))
def test_from_a_file_to_a_published_page_and_a_correction(
    visit: Opened, tmp_path: Path, size: str, scheme: str, language: str
) -> None:
    """A result is put right after it was published: the public page has it."""
    visitor = visit(size, scheme, language)
    counting = Counting(visitor)
    _published(counting, tmp_path)
    assert counting.actions <= 4
    visitor.looks("published-page")
    public = visitor.page.url
    visitor.goes_to("/events")
    counting.actions = 0
    counting.clicks("td a[href^='/events/']")
    counting.clicks(".tabs a[href$='/boards']")
    visitor.looks("board")
    counting.clicks("td a[href*='kind=correct']")
    counting.writes("[name=contract]", "7NTN=")
    counting.writes("[name=by]", "A. Scorer")
    counting.clicks("main form[action*='/rulings'] button:not(.keep)")
    expect(visitor.page.locator(".log")).to_contain_text("7NT N" if language == "en" else "7SA N")
    assert counting.actions <= 6
    visitor.page.goto(public.replace("index.html", "boards.html"))
    expect(visitor.page.locator("#board-1")).to_contain_text("7")


def _late(route: Route) -> None:
    time.sleep(SCRIPTS_COME_LATE)
    route.continue_()


@pytest.mark.parametrize(("size", "scheme", "language"), ways(FRENCH, ENGLISH))
def test_the_first_page_is_light_and_no_page_jumps(
    visit: Opened, size: str, scheme: str, language: str
) -> None:
    visitor = visit(size, scheme, language)
    weights: list[int] = []
    visitor.page.on("requestfinished", lambda r: weights.append(r.sizes()["responseBodySize"]))
    for path in ("/calculators/sbu-clubs-2016", "/lab", "/"):
        weights.clear()
        visitor.goes_to(path)
        visitor.page.wait_for_load_state("networkidle")
        assert weights
        assert sum(weights) < HEAVIEST, path
    visitor.page.add_init_script(SHIFTS)
    visitor.page.route("**/*.js", _late)
    with httpx.Client(base_url=visitor.address, timeout=60) as client:
        event = client.post("/demo").headers["location"]
    pages = ("/", "/events", event, f"{event}/boards/1", f"{event}/names", f"{event}/awards")
    for path in (*pages, "/ledger", "/ledger/members", "/calculators/sbu-clubs-2016"):
        visitor.goes_to(path)
        visitor.page.wait_for_load_state("networkidle")
        assert visitor.page.evaluate("window.shift") < MOST_SHIFT, path


@pytest.mark.parametrize(("size", "scheme", "language"), ways(ENGLISH, FRENCH))
def test_a_week_joins_a_season_by_one_click(
    visit: Opened, size: str, scheme: str, language: str
) -> None:
    visitor = visit(size, scheme, language)
    counting = Counting(visitor)
    weeks = [name for name in FILES if name.startswith("season/saturdays/")][:3]
    files = [("files", (name.rpartition("/")[2], file(name).read_bytes())) for name in weeks]
    form = {"title": "Saturdays", "kind": "pairs", "type": "table", "score": "sum", "best": "1"}
    form |= {"rulebook": "sbu-clubs-2016", "year": "2016-09-01", "played": "1"}
    form |= {f"event.{one[0]}": "on" for _, one in files[:2]}
    with httpx.Client(base_url=visitor.address, timeout=60) as client:
        client.post("/events", files=files)
        path = client.post("/ledger/seasons/new", data=form).headers["location"]
    visitor.goes_to(path)
    expect(visitor.page.locator("th[data-key^=event_]")).to_have_count(2)
    counting.clicks("form[action$='/events'] button")
    expect(visitor.page.locator("th[data-key^=event_]")).to_have_count(3)
    assert counting.actions == 1
    visitor.looks("season-of-three")
