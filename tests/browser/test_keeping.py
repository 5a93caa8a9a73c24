"""What a secretary keeps and a committee asks, from a fresh start to the downloaded file."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE, Opened, Visitor, ways

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("size", "scheme"), ways(DESKTOP, PHONE))
def test_a_secretary_keeps_the_ledger(visit: Opened, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    visitor.goes_to("/ledger")
    visitor.looks("ledger-none")
    visitor.presses("Begin a ledger")
    visitor.reads("Not verified yet", "Bring in your list of members")
    visitor.looks("ledger")
    visitor.follows("Bring in your list of members")
    visitor.presses("Try it with an example list")
    visitor.reads("Opening balances are record 1", "Alma Reed")
    visitor.looks("members")
    _releases(visitor)
    visitor.follows("Ranks")
    visitor.reads("Magnus Young")
    visitor.looks("ranks")
    visitor.follows("Magnus Young")
    visitor.page.wait_for_url("**/ledger/members/*")
    expect(visitor.page.locator(".curves")).to_have_count(0)  # of a single day there is no line
    visitor.asks(visitor.page.locator("td a").first)
    expect(visitor.page.locator("#why")).to_contain_text("In short")
    visitor.looks("statement")
    _sends(visitor)
    visitor.follows("Overview")
    visitor.presses("Verify now")
    visitor.reads("Sound", "records derived again")
    visitor.looks("ledger-sound")


def _releases(visitor: Visitor) -> None:
    visitor.goes_to("/events")
    visitor.presses("Try it with an example")
    visitor.follows("Awards")
    visitor.unfolds("#hold")
    visitor.fills(by="A. Secretary", day="2020-03-03")
    visitor.presses("Hold these awards for release")
    visitor.reads("Who is new?", "Nothing has been held yet")
    visitor.looks("newcomers")
    visitor.presses("They are new")
    visitor.reads("The awards are held")
    visitor.looks("held")
    visitor.follows("Review and release")
    visitor.reads("What would be posted", "Magnus Young")
    visitor.looks("draft")
    visitor.presses("Release")
    visitor.reads("Posted as record 2")
    visitor.looks("released")


def _sends(visitor: Visitor) -> None:
    visitor.follows("Submissions")
    visitor.reads("Not sent yet")
    visitor.looks("submissions-pending")
    visitor.fills(by="A. Secretary")
    visitor.presses("Make the file for the federation")
    assert b"<USEBIO" in visitor.downloads("Submission 1 (USEBIO)")
    visitor.fills(remark="by post")
    visitor.presses("Note it")
    visitor.reads("sent", "by post")
    visitor.looks("submissions")


@pytest.mark.parametrize(("size", "scheme"), ways(PHONE, DESKTOP))
def test_a_club_works_out_its_year(visit: Opened, size: str, scheme: str) -> None:
    visitor = visit(size, scheme)
    visitor.goes_to("/ledger/seasons")
    visitor.looks("seasons-none")
    visitor.presses("Try it with an example")
    visitor.reads("Saturday Pairs, bonus", "61.12")
    visitor.asks(visitor.page.get_by_role("link", name="150", exact=True))
    expect(visitor.page.locator("#why")).to_contain_text("Why 150 for Ann Adair")
    visitor.page.evaluate("scrollTo(0, 0)")
    visitor.looks("season")
    names = [row["names"] for row in json.loads(visitor.downloads("JSON"))]
    assert names[:2] == ["Ann Adair & Bob Adair", "Ann Baird & Bob Baird"]
    visitor.fills(by="A. Secretary")
    visitor.presses("Hold these awards for release")
    visitor.reads("Who is new?", "Ann Adair")
    visitor.presses("They are new")
    visitor.reads("The awards are held")
    visitor.goes_to("/ledger/seasons/new")
    visitor.looks("season-new")
    visitor.fills(title="Two Saturdays", best="2")
    for box in visitor.page.locator("input[type=checkbox]").all()[:2]:
        box.check()
    visitor.presses("Work it out")
    visitor.reads("Two Saturdays", "25/03")


@pytest.mark.parametrize("goes_on", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_committee_asks_the_lab(visit: Opened, goes_on: bool) -> None:
    """One of its members asks, and another reads it on a phone, and may go on asking."""
    visitor = visit("desktop", "light")
    _compares(visitor)
    _sweeps_and_simulates(visitor, "0.65 0.7")
    phone = visit("phone", "dark")
    for what in ("corpus", "compare", "lab-event", "simulate", "lab"):
        phone.goes_to(visitor.been[what])
        phone.page.wait_for_load_state()
        if what == "compare":
            expect(phone.page.locator(".chart canvas").first).to_be_visible()
        phone.looks(what, otherwise=goes_on)
    if goes_on:
        phone.goes_to(visitor.been["simulate"])
        _sweeps(phone, "0.6 0.7")


def _compares(visitor: Visitor) -> None:
    page = visitor.page
    visitor.goes_to("/lab")
    visitor.looks("lab-none")
    visitor.presses("Make a small synthetic year")
    visitor.reads("It is there")
    visitor.looks("corpus")
    visitor.follows("Compare two rulebooks over it")
    visitor.reads("events that both award")
    expect(page.locator(".chart canvas").first).to_be_visible()
    visitor.looks("compare")
    assert b"<!doctype html>" in visitor.downloads("The whole report (HTML)")
    assert json.loads(visitor.downloads("All data (JSON)"))["tables"]
    visitor.unfolds("#events-that-change-most")
    visitor.asks(page.locator("#events-that-change-most td a").first)
    expect(page.locator("#why .short")).to_have_count(2)
    page.wait_for_load_state()
    page.locator("td a").nth(2).click()
    visitor.reads("Why, for entrant")
    visitor.looks("lab-event")


def _sweeps(visitor: Visitor, values: str) -> None:
    visitor.follows("Try values")
    visitor.fills(values=values)
    visitor.presses("Ask")
    visitor.reads("Click a value to compare it")
    visitor.looks("sweep")


def _sweeps_and_simulates(visitor: Visitor, values: str) -> None:
    _sweeps(visitor, values)
    visitor.follows("Simulate")
    visitor.presses("Ask")
    visitor.reads("Simulated, not played")
    visitor.looks("simulate")
    visitor.goes_to("/lab/audit?a=acbl-sof-2011")
    visitor.presses("Cancel")
    visitor.reads("It was cancelled")
    visitor.goes_to("/lab")
    visitor.reads("cancelled", "small-year")
    visitor.looks("lab")


def test_the_figures_are_gone_through_while_one_watches(visit: Opened) -> None:
    for size, scheme in (DESKTOP, PHONE):  # who comes later finds them gone through
        visitor = visit(size, scheme)
        visitor.goes_to("/conformance")
        visitor.page.wait_for_load_state()
        expect(visitor.page.locator("#f-verdict")).to_be_visible()
        visitor.looks("conformance")
        visitor.page.locator("#f-verdict").select_option("reproduced")
        visitor.page.wait_for_url("**verdict=reproduced**")
        assert len(json.loads(visitor.downloads("JSON"))) > 3
