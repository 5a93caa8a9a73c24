"""A fresh server for each journey, and somebody who goes on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from honours.web.settings import Settings
from tests.looking import faults, picture
from tests.web.server import serving

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
FOR_DOCS = os.environ.get("HONOURS_DOCS_IMAGES", "")
PATIENCE = int(os.environ.get("HONOURS_PATIENCE", "240")) * 1000
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with serving(Settings(data=tmp_path / "data")) as found:
        yield found


Opened = Callable[..., "Visitor"]


class Visitor:
    """Somebody at a browser; whatever a console or a request says that it should not is kept."""

    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page, self.address, self.name = page, address, name
        self.complaints: list[str] = []
        self.been: dict[str, str] = {}
        """The address of whatever was looked at."""
        page.on("console", lambda m: self._heard(m.type, m.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda r: self._left(r.url))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def _left(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"a request left the host: {url}")

    def goes_to(self, path: str) -> None:
        self.page.goto(self.address + path)

    def presses(self, name: str) -> None:
        """Press a button, once the scripts listen."""
        self.page.wait_for_load_state()
        self.page.get_by_role("button", name=name).first.click()

    def follows(self, name: str) -> None:
        """Follow a link of the page's content."""
        self.page.wait_for_load_state()
        self.page.get_by_role("main").get_by_role("link", name=name).first.click()

    def fills(self, **fields: str) -> None:
        """Fill in fields by the names they have."""
        self.page.wait_for_load_state()
        for name, text in fields.items():
            self.page.locator(f"[name='{name}']").first.fill(text)

    def reads(self, *texts: str) -> None:
        """The page says so, after a while."""
        for text in texts:
            expect(self.page.locator("main")).to_contain_text(text)

    def downloads(self, name: str) -> bytes:
        """What comes of a link or button of that name."""
        self.page.wait_for_load_state()
        wanted = self.page.get_by_role("main").get_by_text(name, exact=True).first
        # Not clicked by playwright, which trips over a form that has a field called "matches".
        if not wanted.is_visible():  # in the menu of a table
            self.page.evaluate("document.querySelector('.table-menu summary').click()")
        expect(wanted).to_be_visible()
        with self.page.expect_download() as waiting:
            wanted.evaluate("one => one.click()")
        return Path(waiting.value.path()).read_bytes()

    def looks(self, what: str, docs: str = "") -> None:
        """Look for what somebody could not use, and keep a picture; ``docs`` is what the
        documentation calls the picture."""
        self.been[what] = self.page.url.removeprefix(self.address)
        picture(self.page, f"{self.name}-{what}")
        if docs and FOR_DOCS:
            self.page.screenshot(path=Path(FOR_DOCS) / f"{docs}.png")
        self.complaints += [f"{what}: {fault}" for fault in faults(self.page)]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Opened]:
    """Opens a browser of a size and scheme; at the end nobody must have complained."""
    contexts: list[BrowserContext] = []
    visitors: list[Visitor] = []

    def opened(size: str = "desktop", scheme: str = "light", language: str = "en") -> Visitor:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=language,
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        visitors.append(Visitor(context.new_page(), address, f"{size}-{scheme}-{language}"))
        return visitors[-1]

    yield opened
    for context in contexts:
        context.close()
    assert [complaint for one in visitors for complaint in one.complaints] == []
