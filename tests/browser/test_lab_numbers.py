"""The numbers of a rulebook are slid, typed, marked and set back in the lab."""

from playwright.sync_api import expect

from tests.browser.conftest import Opened


def test_a_number_is_slid_typed_and_reset(visit: Opened) -> None:
    visitor = visit("phone", "dark")
    page = visitor.page
    visitor.goes_to("/lab/audit")
    page.wait_for_load_state()
    with page.expect_response("**/numbers/a?*"):
        page.locator("#f-a").select_option("acbl-sof-2020")
    page.get_by_text("Other numbers for acbl-sof-2020").click()
    box = page.locator("[id='f-a.acbl-sof-2020.size_exponent']")
    slider = page.locator("[data-slides='f-a.acbl-sof-2020.size_exponent']")
    field = page.locator(".amends", has=box)
    expect(field.locator(".changed")).to_be_hidden()
    slider.fill("0.6")
    expect(box).to_have_value("0.6")
    expect(field.locator(".changed")).to_contain_text("changed from 2/3")
    expect(page.locator("summary .changed")).to_be_visible()
    box.fill("1/2")
    expect(slider).to_have_value("0.5")
    visitor.looks("lab-numbers")
    field.get_by_role("button", name="Reset").click()
    expect(box).to_have_value("")
    expect(slider).to_have_value("0.67")
    expect(page.locator("summary .changed")).to_be_hidden()
    box.fill("1/2")
    visitor.presses("Ask")
    page.wait_for_url("**/lab/audit?a=acbl-sof-2020&a_with=size_exponent%3D1%2F2")
    expect(box).to_have_value("1/2")
    visitor.presses("Cancel")
    visitor.reads("It was cancelled")
