"""What must hold of every page in a browser, and a picture of it for whoever wants one."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
AXE = Path(__file__).parent / "browser" / "vendor" / "axe.min.js"
PICTURES = os.environ.get("HONOURS_SCREENSHOTS", "")
# Of many elements alike in one parent (the rows of a table, the boards of a night) axe looks at the
# first few and at the last; the others are taken out meanwhile: with all of them it takes a minute
# for what it says of those.
_AXE_RUN = """async () => {
    const away = [];
    for (const parent of document.querySelectorAll("main, main *")) {
        const alike = Object.groupBy(parent.children, e => e.tagName + "." + e.className);
        for (const group of Object.values(alike))
            if (group.length > 6) away.push(...group.slice(3, -1));
    }
    const marks = away.map(e => document.createComment(""));
    away.forEach((e, i) => e.replaceWith(marks[i]));
    try {
        return await axe.run(document, {resultTypes: ["violations"]});
    } finally {
        marks.forEach((mark, i) => mark.replaceWith(away[i]));
    }
}"""


_KINDS = """() => [...new Set([...document.body.querySelectorAll("*")].map(e => [
    e.tagName, e.getAttribute("class"), e.getAttribute("role"), e.getAttribute("type"),
    e.getAttributeNames().join(),
].join("|")))].sort().join()"""


def picture(page: Page, name: str) -> None:
    """Keep the whole page as a picture, where HONOURS_SCREENSHOTS names a folder for them."""
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def faults(page: Page) -> list[str]:
    """What somebody could not use, as axe finds it, and whether it is wider than the screen."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate(_AXE_RUN)["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in violations] + too_wide(page)


def too_wide(page: Page) -> list[str]:
    """By how much it is wider than the screen, if it is."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"{wide} pixels too wide"] if wide > 0 else []


def kinds_of_elements(page: Page) -> str:
    """What a page is made of, whatever its texts say."""
    page.wait_for_load_state()
    kinds: str = page.evaluate(_KINDS)
    return kinds
