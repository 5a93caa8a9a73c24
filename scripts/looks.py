"""Compares how pages look with how they looked: small pictures of each at three widths, light and
dark, are kept in tests/looks. `./check pictures` names every page that changed; what is meant is
kept by python -m scripts.looks keep. The typeface is shipped and a picture is an eighth of the
page, so that machines agree."""

import io
import shutil
import sys
import tempfile
from pathlib import Path

import httpx
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, sync_playwright

from scripts.served import served

KEPT = Path(__file__).resolve().parent.parent / "tests" / "looks"
WIDTHS, SCHEMES = (390, 768, 1366), ("light", "dark")
SMALLER, TALLEST, MOST = 8, 1600, 2.0
"""By how much a picture is smaller than its page, how much of a page it shows, and how far the
mean of its pixels may be off, of 255."""
AWARDED = "rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1"
# What differs from run to run is not looked at.
HIDING = """css => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
}"""
HIDE = ".qr, .clock, time, input[type=date], #public-address { visibility: hidden !important; }"


def pages(address: str) -> dict[str, str]:
    """Where each page is, in a club made for it."""
    with httpx.Client(base_url=address, timeout=120) as client:
        night = client.post("/demo").headers["location"]
        client.post(f"{night}/publish?{AWARDED}")
        client.patch("/api/v1/club", json={"name": "Ayr", "ranks": "yes"})
    return {
        "home": "/",
        "events": "/events",
        "event": night,
        "awards": f"{night}/awards?{AWARDED}",
        "questions": f"{night}/awards",
        "card": f"{night}/pairs/11",
        "board": f"{night}/boards/5",
        "names": f"{night}/names",
        "front-door": "/c/ayr",
        "player": "/c/ayr/players?name=Magnus+Young",
        "ledger": "/ledger",
        "members": "/ledger/members",
        "received": "/ledger/intake",
        "calculator": "/calculators/sbu-clubs-2016",
        "lab": "/lab",
        "set-up": "/evenings/new?pairs=14&boards=24&title=Thursday",
        "design": "/design",
    }


def taken(page: Page, url: str) -> Image.Image:
    """A small picture of a page."""
    page.goto(url)
    page.wait_for_load_state("networkidle")
    page.evaluate(HIDING, HIDE)
    whole = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("L")
    shown = whole.crop((0, 0, whole.width, min(whole.height, TALLEST)))
    return shown.resize((shown.width // SMALLER, shown.height // SMALLER), Image.Resampling.BOX)


def differs(now: Image.Image, kept: Path) -> str:
    """How a picture differs from the one that is kept; empty where nobody would see it."""
    if not kept.exists():
        return "new"
    before = Image.open(kept)
    if abs(before.height - now.height) > 1 or before.width != now.width:
        return f"{before.size} is {now.size} now"
    alike = now.crop((0, 0, *before.size))
    [off] = ImageStat.Stat(ImageChops.difference(before, alike)).mean
    return f"{off:.1f} of 255 off" if off > MOST else ""


def main(keep: bool) -> int:
    """Compare or keep every picture; how many differ."""
    changed = 0
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=program, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        every = pages(server.address)
        for width in WIDTHS:
            for scheme in SCHEMES:
                page = browser.new_page(
                    viewport={"width": width, "height": 900},
                    color_scheme="dark" if scheme == "dark" else "light",
                    locale="en",
                )
                for name, path in every.items():
                    kept = KEPT / f"{name}-{width}-{scheme}.png"
                    picture = taken(page, server.address + path)
                    if said := differs(picture, kept):
                        changed += 1
                        print(f"{kept.stem}: {said}", flush=True)
                        if keep:
                            KEPT.mkdir(exist_ok=True)
                            picture.save(kept, optimize=True)
                page.close()
        browser.close()
    return 0 if keep else changed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:] == ["keep"]), 1))
