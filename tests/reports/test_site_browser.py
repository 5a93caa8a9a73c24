"""The site in a browser: accessible, light and dark, wide and on a phone, asking nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from honours.reports.site import write_site
from tests.reports.test_site import DEAL, demo, made
from tests.support import ROOT, needs_tool

AXE = ROOT / "tests/browser/vendor/axe.min.js"
PAGES = ("index.html", "awards.html", "scorecard-11.html")


@pytest.mark.slow
def test_every_page_is_accessible_and_alone(tmp_path: Path) -> None:
    chromium = needs_tool("chromium")
    write_site(demo(), tmp_path / "demo")
    write_site(made(("1", "2", "3", "4"), DEAL), tmp_path / "deal")
    pages = [tmp_path / "demo" / name for name in PAGES] + [tmp_path / "deal/boards.html"]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for page in pages:
            for width, scheme in ((390, "dark"), (1100, "light")):
                assert faults(browser, page, width, scheme) == []
        browser.close()


def faults(browser: Browser, path: Path, width: int, scheme: str) -> list[str]:
    """What axe finds, wider than the screen, and whatever was asked of anybody."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        bypass_csp=True,  # so that axe may be put into the page
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.evaluate(
        "document.querySelectorAll('section:first-of-type details').forEach(d => d.open = true)"
    )
    found = [url for url in asked if url != path.as_uri()]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        found.append(f"{path.name} is wider than {width}")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found += [rule["id"] for rule in page.evaluate("axe.run()")["violations"]]
    context.close()
    return found
