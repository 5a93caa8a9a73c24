"""What people come for on the night, from a fresh start to the downloaded file."""

import csv
import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from honours.demo import CLUB_NIGHT, file
from tests.browser.conftest import DESKTOP, PHONE, Opened, Visitor, ways

pytestmark = pytest.mark.slow
RULINGS = {
    "Correct a line": {"board": "1", "pair": "1", "contract": "7NTN="},
    "Name a pair": {"pair": "16", "players": "Nessa Calder, Zoe Quill"},
    "Mark a board fouled": {"board": "20", "pairs": "7, 4"},
    "Adjust a score": {"board": "2", "pair": "6", "score": "60-40"},
    "Give a penalty": {"pair": "11", "amount": "25"},
}


def _drops(visitor: Visitor, folder: Path, **files: bytes) -> None:
    paths = []
    for name, content in files.items():
        paths.append(folder / name.replace("_", "."))
        paths[-1].write_bytes(content)
    visitor.page.wait_for_load_state()
    visitor.page.set_input_files("#files", paths)


@pytest.mark.parametrize(("size", "scheme"), ways(DESKTOP, PHONE))
def test_a_volunteer_scores_a_night(visit: Opened, tmp_path: Path, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    night = file(CLUB_NIGHT).read_bytes()
    visitor.goes_to("/events")
    visitor.looks("events-none")
    _drops(visitor, tmp_path, tuesday_csv=night, bad_csv=night.replace(b"1H", b"9H"))
    visitor.reads("bad.csv could not be read", "line")
    visitor.looks("unreadable")
    visitor.complaints[:] = [c for c in visitor.complaints if "422" not in c]
    visitor.follows("tuesday")
    visitor.reads("What is odd", "provisional")
    visitor.looks("standings")
    rows = list(csv.DictReader(visitor.downloads("CSV").decode().splitlines()))
    assert rows[0]["players"] == "Magnus Young & Iain Galt"
    visitor.follows("board 20")
    visitor.reads("Board 20", "Contracts")
    visitor.looks("boards")
    for title, fields in RULINGS.items():
        _rules(visitor, title, fields)
    visitor.looks("rulings")
    visitor.page.get_by_role("button", name="Undo ruling 5").click()
    visitor.reads(f"Rulings ({len(RULINGS) - 2})")  # one undone; a name is none
    assert b"Zoe Quill" in _final(visitor)


def _rules(visitor: Visitor, title: str, fields: dict[str, str]) -> None:
    """Make a ruling after seeing what it would change."""
    visitor.page.get_by_role("link", name="Rulings").click()
    visitor.follows(title)
    visitor.fills(**fields, by="A. Scorer")
    expect(visitor.page.locator("#preview")).to_contain_text("It would change")
    visitor.looks(f"ruling-{title.split(maxsplit=1)[0].lower()}")
    visitor.presses("Record it")
    visitor.reads("What the last one changed")


def _final(visitor: Visitor) -> bytes:
    """Make it final, change something, and take the results home."""
    visitor.presses("Make these standings final")
    visitor.reads("final")
    _rules(visitor, "Give a penalty", RULINGS["Give a penalty"])
    visitor.page.get_by_role("link", name="Standings").click()
    visitor.reads("amended", "Changed since it was made final")
    visitor.looks("amended")
    return visitor.downloads("Results (USEBIO)")


@pytest.mark.parametrize(("size", "scheme"), ways(DESKTOP, PHONE))
def test_a_volunteer_types_travellers_in(visit: Opened, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    visitor.goes_to("/events")
    visitor.follows("Type travellers in by hand")
    visitor.looks("typed")
    visitor.presses("Score it")
    visitor.reads("Ann Ash & Bob Birch")
    assert b"Ann Ash" in visitor.downloads("Standings (CSV)")


@pytest.mark.parametrize(("size", "scheme"), ways(PHONE, DESKTOP))
def test_a_director_shows_why(visit: Opened, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    page = visitor.page
    visitor.goes_to("/")
    visitor.looks("home")
    visitor.presses("Try it with an example")
    visitor.follows("Awards")
    page.wait_for_url("**/awards*")
    visitor.asks(page.get_by_role("link", name="36", exact=True))
    why = page.locator("#why")
    expect(why).to_contain_text("Why 36 for Magnus Young")
    expect(why).to_contain_text("In short")
    expect(why).to_contain_text("Chapter 1, Tables 2, 3 and 4")
    expect(why.locator(".short").first).to_be_in_viewport()
    visitor.looks("awards")
    assert "entrant=11" in page.url
    visitor.unfolds("#downloads")
    assert json.loads(visitor.downloads("Awards (JSON)"))["awards"][0]["award"] == "36"
    assert b"Magnus Young" in visitor.downloads("Awards (CSV)")
    assert b"<MASTER_POINTS" in visitor.downloads("Results with awards (USEBIO)")
    assert visitor.downloads("A results site with awards (ZIP)").startswith(b"PK")


def test_two_rulebooks_stand_side_by_side(visit: Opened) -> None:
    visitor = visit()
    visitor.goes_to("/events")
    visitor.presses("Try it with an example")
    visitor.follows("Awards")
    visitor.page.wait_for_load_state()
    visitor.unfolds("#change")
    visitor.page.locator("#f-against").select_option("acbl-general")
    visitor.reads("sectional: 3.17", "regional: 4.43")
    visitor.page.locator("[name='g.class']").select_option("sectional")
    visitor.fills(**{"g.limit": "none"})
    visitor.presses("Award it")
    visitor.asks(visitor.page.get_by_role("link", name="36", exact=True))
    expect(visitor.page.locator("#why")).to_contain_text("acbl-general:")
    visitor.looks("side-by-side")


@pytest.mark.parametrize(("size", "scheme"), ways(PHONE, DESKTOP))
def test_a_player_asks_what_third_would_get(visit: Opened, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    page = visitor.page
    visitor.goes_to("/calculators")
    visitor.looks("calculators")
    visitor.follows("Master points for clubs")
    page.wait_for_load_state()  # until the scripts listen, nothing typed is heard
    expect(page.locator("#result td").nth(1)).to_have_text("36")
    expect(page.locator("#result th").nth(2)).to_have_text("Printed")
    page.locator("#f-pairs").fill("26")
    expect(page.locator("#result td").nth(1)).to_have_text("54")
    page.locator("[data-slides=f-pairs]").fill("12")
    expect(page.locator("#result td").nth(1)).to_have_text("24")
    page.locator("#f-pairs").fill("26")
    expect(page.locator("#result td").nth(1)).to_have_text("54")
    expect(page.locator(".curves svg")).to_be_visible()
    visitor.asks(page.get_by_role("link", name="42", exact=True))
    expect(page.locator("#result h3").first).to_contain_text("Place 3")
    visitor.looks("calculator")
    permalink = page.url
    assert {"pairs=26", "place=3"} <= set(permalink.partition("?")[2].split("&"))
    page.goto(permalink)
    expect(page.locator("#result td").nth(1)).to_have_text("54")
    rows = list(csv.DictReader(visitor.downloads("CSV").decode().splitlines()))
    assert rows[2] == {"place": "3", "points": "42", "printed": "42"}


def test_a_wrong_number_is_told_at_its_field_and_takes_the_old_answer_away(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    visitor.goes_to("/calculators/sbu-clubs-2016")
    page.wait_for_load_state()
    expect(page.locator("#result td").nth(1)).to_have_text("36")
    for typed, fault in (("-3", "-3: must be at least 0"), ("many", "many: not a number")):
        page.locator("#f-pairs").fill(typed)
        expect(page.locator(".fault:visible")).to_have_text([fault])
        expect(page.locator("#f-pairs")).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#result td")).to_have_count(0)
        assert fault not in page.locator("#result").inner_text(), "it is said once"
    visitor.looks("calculator-wrong")
    page.reload()
    expect(page.locator("#f-pairs")).to_have_value("many")
    expect(page.locator(".fault:visible")).to_have_text(["many: not a number"])
    page.locator("#f-pairs").fill("26")
    expect(page.locator("#result td").nth(1)).to_have_text("54")
    expect(page.locator(".fault, [aria-invalid]")).to_have_count(0)


def test_a_form_comes_back_as_it_was_typed(visit: Opened) -> None:
    """What is wrong is said once, at its field; without one, above the form."""
    visitor = visit("phone", "light", "fr")
    page = visitor.page
    with httpx.Client(base_url=visitor.address, timeout=60) as client:
        event = client.post("/events/example").headers["location"]
        weeks = {"title": "Mardis", "kind": "pairs", "type": "table", "series": "Mardi*"}
        weeks |= {"rulebook": "sbu-clubs-2016", "year": "2016-09-01"}
        season = client.post("/ledger/seasons/new", data=weeks).headers["location"]
    visitor.goes_to(f"{event}/rulings")
    visitor.fills(by="  ")
    page.locator("form[action$='/final'] button").click()
    expect(page.locator(".fault:visible")).to_have_text(["Il faut le dire."])
    expect(page.locator("#f-by")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#f-by")).to_have_value("  ")
    visitor.looks("come-back")
    visitor.goes_to(season)
    page.wait_for_load_state()
    page.locator("details.more summary").click()
    visitor.fills(text="rulebook = 3\nnonsense")
    page.locator("form[action$='/text'] button").click()
    expect(page.locator("[role=alert]")).to_have_count(1)
    expect(page.locator("#text")).to_be_visible()
    expect(page.locator("#text")).to_have_value("rulebook = 3\nnonsense")
    visitor.complaints[:] = [c for c in visitor.complaints if "422" not in c]


def test_the_colours_are_the_readers_choice(visit: Opened) -> None:
    visitor = visit()
    visitor.goes_to("/")
    visitor.presses("Dark or light")
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "dark"
    visitor.goes_to("/calculators/acbl-sof-2020")
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "dark"
    visitor.looks("calculator-dark")


def test_everything_can_be_done_from_the_keyboard(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    visitor.goes_to("/")
    page.wait_for_load_state()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    _tabs_to(visitor, "Try it with an example")
    page.keyboard.press("Enter")
    visitor.reads("What is odd")
    page.wait_for_load_state()
    _tabs_to(visitor, "Awards")
    page.keyboard.press("Enter")
    visitor.reads("Click any award")
    page.wait_for_load_state()
    _tabs_to(visitor, "36")
    page.keyboard.press("Enter")
    visitor.reads("Why 36 for Magnus Young")


def _tabs_to(visitor: Visitor, text: str) -> None:
    """Press Tab until something that begins with this text has the focus, and it shows."""
    for _ in range(80):
        visitor.page.keyboard.press("Tab")
        focused = visitor.page.evaluate("document.activeElement.textContent.trim()")
        if focused.startswith(text):
            seen = "getComputedStyle(document.activeElement).outlineStyle"
            assert visitor.page.evaluate(seen) != "none"
            return
    raise AssertionError(f"{text} cannot be reached from the keyboard")


def test_a_page_prints_without_what_only_a_screen_needs(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    visitor.goes_to("/events")
    visitor.presses("Try it with an example")
    visitor.reads("Magnus Young")
    page.emulate_media(media="print")
    expect(page.locator("table").first).to_be_visible()
    expect(page.locator("thead th").nth(2)).to_have_text("Name")
    expect(page.locator("#said-title")).to_be_visible()
    for gone in ("header nav", ".table-menu", ".doubts", "main form:not(.said)", "footer"):
        expect(page.locator(gone).first).to_be_hidden()
    assert page.pdf(format="A4").startswith(b"%PDF")
