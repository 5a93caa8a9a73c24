"""What people come for, from a fresh start to the downloaded file."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from honours.demo import FILES, file
from tests.browser.conftest import Opened

pytestmark = pytest.mark.slow
expect.set_options(timeout=20_000)


def _downloaded(page: Page, name: str, folder: Path) -> str:
    with page.expect_download() as waiting:
        page.get_by_text(name, exact=True).first.click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_a_volunteer_scores_a_night(visit: Opened, tmp_path: Path, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    page = visitor.page
    visitor.goes_to("/events")
    visitor.looks("events")
    path = tmp_path / FILES[0]
    path.write_bytes(file(FILES[0]).read_bytes())
    page.set_input_files("#files", path)
    expect(page.locator("h1")).to_contain_text("tuesday")
    visitor.looks("standings")
    rows = list(csv.DictReader(_downloaded(page, "CSV", tmp_path).splitlines()))
    assert rows[0]["name"] == "Magnus Young & Iain Galt"
    page.get_by_role("link", name="Travellers").click()
    visitor.looks("travellers")
    page.get_by_role("link", name="correct").first.click()
    page.wait_for_load_state()  # until the scripts listen, nothing typed is heard
    page.get_by_label("contract").fill("7NTN=")
    page.get_by_label("who rules").fill("A. Scorer")
    expect(page.locator("#preview")).to_contain_text("It would change")
    visitor.looks("ruling")
    page.get_by_role("button", name="Record it").click()
    expect(page.locator("main")).to_contain_text("What the last one changed")
    visitor.looks("rulings")
    page.get_by_role("button", name="Undo the last one").click()
    expect(page.locator("main")).to_contain_text("There are no rulings yet")


def test_a_director_shows_why(visit: Opened, tmp_path: Path) -> None:
    visitor = visit()
    page = visitor.page
    visitor.goes_to("/")
    visitor.looks("home")
    page.get_by_role("button", name="Try it with an example").click()
    page.get_by_role("link", name="Awards").click()
    page.get_by_role("link", name="36", exact=True).click()
    expect(page.locator("#why")).to_contain_text("Why 36 for Magnus Young")
    expect(page.locator("#why")).to_contain_text("Chapter")
    visitor.looks("awards")
    assert "entrant=11" in page.url
    found = json.loads(_downloaded(page, "Awards (JSON)", tmp_path))
    assert found["awards"][0]["award"] == "36"


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "dark"), ("phone", "light")])
def test_a_player_asks_what_third_would_get(visit: Opened, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    page = visitor.page
    visitor.goes_to("/calculators")
    page.get_by_role("link", name="Master points for clubs").click()
    page.wait_for_load_state()  # until the scripts listen, nothing typed is heard
    page.wait_for_load_state("load")  # what is typed before the scripts are there is not heard
    expect(page.locator("#result td").nth(1)).to_have_text("36")
    page.locator("#f-pairs").fill("26")
    expect(page.locator("#result td").nth(1)).to_have_text("54")
    expect(page.locator(".chart canvas")).to_be_visible()
    page.get_by_role("link", name="42", exact=True).click()
    expect(page.locator("#result h3").first).to_contain_text("Place 3")
    visitor.looks("calculator")
    permalink = page.url
    assert "pairs=26" in permalink
    assert "place=3" in permalink
    page.goto(permalink)
    expect(page.locator("#result td").nth(1)).to_have_text("54")


def test_a_table_sorts_and_filters(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    visitor.goes_to("/rulebooks")
    page.get_by_role("button", name="title").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_count(1)
    page.get_by_label("Filter").first.fill("scottish")
    expect(page.locator("tbody tr:visible")).to_have_count(1)


def test_a_secretary_releases_awards(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    visitor.goes_to("/ledger")
    visitor.looks("ledger-none")
    page.get_by_role("button", name="Begin a ledger").click()
    visitor.goes_to("/events")
    page.get_by_role("button", name="Try it with an example").click()
    page.get_by_role("link", name="Awards").click()
    page.get_by_label("who does this").fill("A. Secretary")
    page.locator("#f-day").fill("2020-03-03")
    page.get_by_role("button", name="Hold these awards for release").click()
    page.get_by_role("main").get_by_role("link", name="Ledger").click()
    visitor.looks("ledger-draft")
    page.get_by_label("who releases").fill("A. Secretary")
    page.get_by_role("button", name="Release").click()
    expect(page.locator("main")).to_contain_text("posted")
    page.get_by_role("main").get_by_role("link", name="Ledger").click()
    visitor.looks("ledger")
    page.get_by_role("link", name="Magnus Young").first.click()
    expect(page.locator(".chart canvas")).to_be_visible()
    visitor.looks("statement")


PLACES = (
    "/lab",
    "/rulebooks/aga-category",
    "/developers",
    "/developers/api",
    "/events/typed",
    "/nowhere",
)


def test_every_other_page_can_be_used_by_everybody(visit: Opened) -> None:
    visitor = visit(language="fr")
    for path in PLACES:
        visitor.goes_to(path)
        visitor.looks(path.strip("/").replace("/", "-"))
    visitor.complaints[:] = [c for c in visitor.complaints if "404" not in c]


def test_the_figures_are_gone_through_while_one_watches(visit: Opened) -> None:
    visitor = visit()
    visitor.goes_to("/conformance")
    expect(visitor.page.locator("#f-verdict")).to_be_visible(timeout=60_000)
    visitor.looks("conformance")


def test_the_colours_are_the_readers_choice(visit: Opened) -> None:
    visitor = visit()
    visitor.goes_to("/")
    visitor.page.get_by_role("button", name="Dark or light").click()
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "dark"
    visitor.goes_to("/calculators")
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "dark"
    visitor.looks("calculators-dark")
