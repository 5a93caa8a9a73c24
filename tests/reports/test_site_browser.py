"""The site in a browser: accessible, light and dark, wide and on a phone, asking nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from honours.reports.site import write_site
from tests.looking import faults
from tests.reports.test_site import DEAL, demo, made

PAGES = ("index.html", "awards.html", "scorecard-11.html")


@pytest.mark.slow
def test_every_page_is_accessible_and_alone(browser: Browser, tmp_path: Path) -> None:
    write_site(demo(), tmp_path / "demo")
    write_site(made(("1", "2", "3", "4"), DEAL), tmp_path / "deal")
    pages = [tmp_path / "demo" / name for name in PAGES] + [tmp_path / "deal/boards.html"]
    for page in pages:
        for width, scheme in ((390, "dark"), (1100, "light")):
            assert _complaints(browser, page, width, scheme) == []


def _complaints(browser: Browser, path: Path, width: int, scheme: str) -> list[str]:
    """What somebody could not use, and whatever was asked of anybody."""
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
    complaints = [url for url in asked if url != path.as_uri()] + faults(page)
    context.close()
    return complaints
