"""Makes the documentation's pictures of pages, each of them once, from a server of its own:
python -m scripts.page_pictures [NAME …]. Those of the terminal are made by scripts.pictures.
"""

import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from scripts.served import served

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
V1 = "/api/v1"
DESK, PHONE = (1280, 900), (390, 844)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu")
PATIENCE = 240_000
PAIRS, BOARDS, SEED = 10, 24, 7
FIRST = ("Ann", "Bob", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jan")
LAST = ("Ash", "Birch")
CONTRACTS = (
    "4S N =",
    "4S N +1",
    "3NT W -1",
    "3NT W =",
    "2H E +1",
    "4H S -1",
    "5Cx E -2",
    "1NT N +2",
)
QUERY = "rulebook=sbu-clubs-2016&as_usual=yes"


def _went_well(answer: httpx.Response) -> None:
    if answer.is_error:
        raise RuntimeError(f"{answer.request.url}: {answer.status_code} {answer.read()[-400:]!r}")


class Club:
    """Something of everything to take a picture of, made over HTTP."""

    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=address, timeout=300)
        self.client.event_hooks["response"] = [_went_well]
        self.luck = random.Random(SEED)
        self.night = self._sent("/demo")
        self.evening, self.table = self._evening()

    def _sent(self, path: str, **form: str) -> str:
        answer = self.client.post(path, data=form)
        return str(answer.headers["location"])

    def _evening(self) -> tuple[str, str]:
        """An evening two rounds before its end, with the hands."""
        asked = {"title": "Thursday pairs", "pairs": PAIRS, "boards": BOARDS, "movement": "howell"}
        asked |= {"date": "2026-03-05", "club": "The demo club", "rulebook": "sbu-clubs-2016"}
        id_ = self.client.post(f"{V1}/evenings", json=asked)
        path = f"{V1}/evenings/{id_.json()['id']}"
        names = {
            str(number): [{"name": f"{FIRST[number - 1]} {last}"} for last in LAST]
            for number in range(1, PAIRS + 1)
        }
        self.client.post(f"{path}/names", json={"names": names})
        hands = {"file": ("hands.pbn", self._deals().encode())}
        self.client.post(f"/evenings/{id_.json()['id']}/hands", files=hands)
        rounds = self.client.get(path).json()["rounds"]
        for number in range(1, rounds + 1):
            self.client.post(f"{path}/rounds", json={"round": number})
            if number <= rounds - 2:
                self.plays(path)
        codes = self.client.get(f"{path}/codes").json()["tables"]
        return path, f"/table/{codes['2']}"

    def plays(self, path: str) -> None:
        """Enter what is missing of the rounds that were begun."""
        for one in self.client.get(f"{path}/missing").json()["missing"]:
            text = self.luck.choice(CONTRACTS)
            self.client.post(f"{path}/lines", json={**one, "text": text})

    def _deals(self) -> str:
        return "".join(
            f'[Board "{board}"]\n[Deal "N:{" ".join(self._hands())}"]\n\n'
            for board in range(1, 2 * BOARDS)
        )

    def _hands(self) -> list[str]:
        pack = [(suit, rank) for suit in "SHDC" for rank in "AKQJT98765432"]
        self.luck.shuffle(pack)
        hands = (pack[start : start + 13] for start in range(0, 52, 13))
        return [
            ".".join("".join(r for r in "AKQJT98765432" if (suit, r) in hand) for suit in "SHDC")
            for hand in hands
        ]


# --- what is done before a picture, once at a desk -----------------------------------------------


def _of_night(part: str) -> Callable[[Page, Club], str]:
    return lambda _page, club: club.night + part


def _rulings(_page: Page, club: Club) -> str:
    ruling = {"kind": "adjust", "board": "20", "pair": "7", "score": "60-40", "by": "A. Director"}
    club.client.post(f"{club.night}/rulings", data=ruling | {"why": "misboarded", "law": "12C2"})
    return f"{club.night}/rulings"


def _published(page: Page, club: Club) -> str:
    club.client.post(f"{club.night}/publish")
    page.goto(str(club.client.base_url.join(f"{club.night}/published")))
    return page.locator("a.button[href*='/p/']").get_attribute("href") or ""


def _season(page: Page, club: Club) -> str:
    season = club.client.post("/ledger/seasons/example").headers["location"]
    page.goto(str(club.client.base_url.join(season)))
    expect(page.locator("main")).to_contain_text("61.12")
    return season


def _lab(page: Page, club: Club) -> str:
    page.goto(str(club.client.base_url.join("/lab")))
    page.get_by_role("button", name="Make a small synthetic year").click()
    expect(page.locator("main")).to_contain_text("It is there")
    page.get_by_role("main").get_by_role("link", name="Compare two rulebooks over it").click()
    expect(page.locator(".chart canvas").first).to_be_visible()
    return page.url


def _evening(part: str) -> Callable[[Page, Club], str]:
    return lambda _page, club: f"{club.evening.removeprefix(V1)}{part}"


def _at(path: str) -> Callable[[Page, Club], str]:
    return lambda _page, _club: path


PICTURES: dict[str, Callable[[Page, Club], str]] = {
    "award-why": _of_night(f"/awards?{QUERY}&entrant=11"),
    "season": _season,
    "lab-answer": _lab,
    "rulings": _rulings,
    "published": _published,
    "evening-set-up": _at(
        "/evenings/new?pairs=17&boards=24&title=Thursday+pairs&rulebook=sbu-clubs-2016"
    ),
    "evening-now": _evening(""),
    "evening-grid": _evening("/grid?at=4"),
    "evening-table-phone": lambda _page, club: club.table,
}
"""Each picture by its name, and what leads to its page; in the order they are made."""


def main(wanted: list[str]) -> None:
    """Make the pictures that are named, or all."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        club = Club(server.address)
        for name, leads_to in PICTURES.items():
            if not wanted or name in wanted:
                _take(browser, club, name, leads_to)
        browser.close()


def _take(browser: Browser, club: Club, name: str, leads_to: Callable[[Page, Club], str]) -> None:
    width, height = PHONE if name.endswith("-phone") else DESK
    height += 300 if name == "lab-answer" else 0  # its chart stands below the sentence
    viewport: ViewportSize = {"width": width, "height": height}
    page = browser.new_page(viewport=viewport, color_scheme="light", locale="en")
    page.set_default_timeout(PATIENCE)
    address = leads_to(page, club)
    page.goto(str(club.client.base_url.join(address)))
    page.wait_for_load_state("load")
    page.wait_for_timeout(700)  # for what is drawn after the page has come
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()
    print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
