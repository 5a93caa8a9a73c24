"""A fresh server for each journey, and somebody who goes on it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from honours.web.settings import Settings
from tests.looking import faults, kinds_of_elements, picture, too_wide
from tests.seen import Seen
from tests.web.server import serving

SCHEMES, LANGUAGES = ("light", "dark"), ("en", "fr")
DESKTOP, PHONE = ("desktop", "light"), ("phone", "dark")
ENGLISH, FRENCH = (*DESKTOP, "en"), (*PHONE, "fr")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
PATIENCE = int(os.environ.get("HONOURS_PATIENCE", "240")) * 1000
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with serving(Settings(data=tmp_path / "data")) as address:
        yield address


def ways(first: tuple[str, ...], *others: tuple[str, ...]) -> list[Any]:
    """A journey is gone one way by `./check`, and the others by `./check long`."""
    return [first, *(pytest.param(*other, marks=pytest.mark.long) for other in others)]


Opened = Callable[..., "Visitor"]
_NAMED = re.compile(r"[0-9a-f]{12}|\d+|/p/[\w-]+|\?.*|#.*")


def _kind(url: str, address: str) -> str:
    return _NAMED.sub("*", url.removeprefix(address))


def _other(one: str, two: tuple[str, str]) -> str:
    return two[1] if one == two[0] else two[0]


def context_of(browser: Browser, size: str, scheme: str, language: str) -> BrowserContext:
    """A browser of a size, for whoever likes it light or dark and reads a language."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        locale=language,
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE)
    return context


class Visitor:
    """Somebody at a browser; whatever a console or a request says that it should not is kept."""

    def __init__(self, page: Page, address: str, name: str, seen: Seen) -> None:
        self.page, self.address, self.name, self._seen = page, address, name, seen
        self.complaints: list[str] = []
        self.been: dict[str, str] = {}
        """The address of whatever was looked at."""
        self.size = name.partition("-")[0]
        self._beside: Page | None = None
        self._listens_to(page)

    def _listens_to(self, page: Page) -> None:
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
        self.page.wait_for_load_state()

    def follows(self, name: str) -> None:
        """Follow a link of the page's content."""
        self.page.wait_for_load_state()
        self.page.get_by_role("main").get_by_role("link", name=name).first.click()
        self.page.wait_for_load_state()

    def asks(self, link: Locator) -> None:
        """Click what a script answers in its place, once it listens: else the link is followed."""
        self.page.wait_for_load_state()
        link.click()

    def unfolds(self, selector: str) -> None:
        """Open what is folded."""
        self.page.wait_for_load_state()
        self.page.locator(f"{selector} > summary").click()

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

    def looks(self, what: str, otherwise: bool = True) -> None:
        """Look for what somebody could not use, and keep a picture; ``otherwise``, also
        as others see it."""
        self.been[what] = self.page.url.removeprefix(self.address)
        picture(self.page, f"{self.name}-{what}")
        self.complaints += [f"{what}: {fault}" for fault in self._faults(self.page, self.name)]
        if otherwise:
            self._looks_otherwise(what)

    def _looks_otherwise(self, what: str) -> None:
        """Look at the same page in the other colours and language, beside it. A journey that is
        gone on a desktop by day and on a phone by night is seen so at either width in both colours
        and both languages, and in either colour in both languages."""
        size, scheme, language = self.name.split("-")
        way = (_other(scheme, SCHEMES), _other(language, LANGUAGES))
        name = "-".join((size, *way))
        if not self._seen.first(_kind(self.page.url, self.address), name):
            return
        page, so_far = self._page_beside(*way), len(self.complaints)
        answer = page.goto(self.page.url)
        if answer is None or answer.status != HTTPStatus.OK:  # the answer to a form that was sent
            del self.complaints[so_far:]
            return
        page.wait_for_load_state()
        assert page.locator("html").get_attribute("lang") == way[1], what
        self.complaints += [f"{what}, {name}: {fault}" for fault in self._faults(page, name)]

    def _faults(self, page: Page, name: str) -> list[str]:
        """What is wrong with a page; made of nothing new, it need only be as wide as the screen."""
        kind = _kind(page.url, self.address)
        new = self._seen.first(kind, name, kinds_of_elements(page))
        return faults(page) if new else too_wide(page)

    def _page_beside(self, scheme: str, language: str) -> Page:
        if self._beside is None:
            browser = self.page.context.browser
            assert browser is not None
            self._beside = context_of(browser, self.size, scheme, language).new_page()
            self._listens_to(self._beside)
        return self._beside

    def leaves(self) -> None:
        """Close what was opened."""
        for page in filter(None, (self.page, self._beside)):
            page.context.close()


@pytest.fixture
def visit(browser: Browser, address: str, seen: Seen) -> Iterator[Opened]:
    """Opens a browser of a size and scheme; at the end nobody must have complained."""
    visitors: list[Visitor] = []

    def opened(size: str = "desktop", scheme: str = "light", language: str = "en") -> Visitor:
        page = context_of(browser, size, scheme, language).new_page()
        visitors.append(Visitor(page, address, f"{size}-{scheme}-{language}", seen))
        return visitors[-1]

    yield opened
    for one in visitors:
        one.leaves()
    assert [complaint for one in visitors for complaint in one.complaints] == []
