"""The names of the pairs, within the actions a scorer has patience for, on a desktop by day in
English or on a phone by night in French: an action is a click, a paste, or a word with Enter."""

from itertools import pairwise

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ENGLISH, FRENCH, Opened, Visitor, ways

pytestmark = pytest.mark.slow
NAMES, KEEP = ".tabs a[href$='/names']", "form#names button:not([type])"
PAIRS = 24
FIRST = ("Ann", "Bob", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal")
LAST = ("Ash", "Birch", "Cole", "Dow", "Elm", "Frost")
PEOPLE = [f"{first} {last}" for last in LAST for first in FIRST]
NIGHT = "board,ns,ew,score\n" + "".join(
    f"{board},{pair},{pair + 1},{420 if (pair + board) % 3 else -50}\n"
    for board in range(1, 3)
    for pair in range(1, PAIRS, 2)
)


def _prepared(visitor: Visitor) -> None:
    """An event without names, and a ledger with members."""
    members = "number,name\n" + "".join(f"{n},{name}\n" for n, name in enumerate(PEOPLE, 101))
    with httpx.Client(base_url=visitor.address, timeout=60) as client:
        client.post("/ledger")
        lists = {"list": ("members.csv", members.encode())}
        sent = client.post("/ledger/members", files=lists, data={"by": "A. Secretary"})
        assert sent.status_code < 400, sent.text[-600:]
        made = client.post("/events", files={"files": ("night.csv", NIGHT.encode())})
    visitor.goes_to(made.headers["location"])


@pytest.mark.parametrize(("size", "scheme", "language"), ways(ENGLISH, FRENCH))
def test_pairs_are_named_by_pasting(visit: Opened, size: str, scheme: str, language: str) -> None:
    visitor = visit(size, scheme, language)
    _prepared(visitor)
    page = visitor.page
    actions = 0
    page.locator(NAMES).click()
    actions += 1
    wrong = ["Anne Ash", *PEOPLE[1:]]  # a letter too many
    text = "\n".join(f"{n}\t{a}\t{b}" for n, (a, b) in enumerate(pairwise(wrong), 1) if n <= PAIRS)
    first = page.locator("[name='p.1.0']")
    page.wait_for_load_state()
    first.click()
    actions += 1
    first.evaluate(
        """(input, text) => {
            const data = new DataTransfer();
            data.setData("text", text);
            input.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }""",
        text,
    )
    actions += 1
    expect(page.locator("#pasted")).to_contain_text("48")
    expect(page.locator("[name='p.24.1']")).to_have_value(PEOPLE[24])
    page.locator(KEEP).click()
    actions += 1
    visitor.reads("Anne Ash", "Ann Ash 101")
    visitor.looks("names-proposed")
    page.locator("#proposals button").first.click()
    actions += 1
    expect(page.locator("[name='n.1.0']")).to_have_value("101")
    expect(page.locator("#proposals")).to_have_count(0)
    visitor.looks("names")
    assert actions <= 5
    page.locator(".tabs a[href$='/rulings']").click()
    visitor.reads("Anne Ash & Bob Ash")


@pytest.mark.parametrize(("size", "scheme", "language"), ways(FRENCH, ENGLISH))
def test_pairs_are_named_by_typing(visit: Opened, size: str, scheme: str, language: str) -> None:
    visitor = visit(size, scheme, language)
    _prepared(visitor)
    page = visitor.page
    page.locator(NAMES).click()
    page.wait_for_load_state()
    page.locator("[name='p.1.0']").click()
    actions = 1  # to the first field
    for player, letters in enumerate(("ann b", "gus e", "103", "Zoe Quill")):
        page.keyboard.type(letters)
        page.keyboard.press("Enter")
        actions += 1  # a word with Enter
        place = page.locator(f"[name='p.{player // 2 + 1}.{player % 2}']")
        expect(place).not_to_be_focused()
    assert actions <= 2 * 4
    expect(page.locator("[name='p.1.0']")).to_have_value("Ann Birch")
    expect(page.locator("[name='p.1.1']")).to_have_value("Gus Elm")
    expect(page.locator("[name='p.2.0']")).to_have_value("Cat Ash")
    expect(page.locator("[name='n.2.0']")).to_have_value("103")
    expect(page.locator("[name='p.2.1']")).to_have_value("Zoe Quill")
    page.locator("tr[data-entrant='3'] summary").click()
    page.locator("[name='gone.3']").check()
    page.locator(KEEP).click()
    expect(page.locator("tr[data-entrant='3']")).to_have_count(0)
    expect(page.locator("[name='n.2.1']")).to_have_value("")  # a visitor stays one
