"""What somebody reads on a phone at the table: nothing of it is beyond the edge."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Opened

pytestmark = pytest.mark.slow
BEYOND = "one => one.scrollWidth - one.clientWidth"


def test_a_scorecard_shows_its_points_and_leads_to_its_own_line(visit: Opened) -> None:
    visitor = visit(*PHONE)
    page = visitor.page
    visitor.goes_to("/events")
    page.evaluate("fetch('/events/example', {method: 'POST'}).then((r) => location.href = r.url)")
    page.wait_for_url("**/events/*")
    event = page.url.removeprefix(visitor.address)
    visitor.goes_to(f"{event}/pairs/7")
    card = page.locator("[data-table=scorecard] .scroll")
    assert card.evaluate(BEYOND) <= 0
    expect(page.get_by_text("47.71%", exact=True)).to_be_in_viewport()
    card.get_by_role("link").first.click()
    page.wait_for_url("**/boards/1#line-1-*")
    own = page.locator("tr:has(> :target)")
    expect(own).to_be_in_viewport()
    expect(own.get_by_role("link", name="7", exact=True)).to_be_visible()
