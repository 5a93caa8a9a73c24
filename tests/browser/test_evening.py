"""A whole evening by real browser pages, with everything that happens at a club, the server killed
twice in between: it ends as the file of the same results does."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from honours.web.settings import Settings
from scripts.evening import play
from scripts.paper import type_blind
from scripts.phones import Book, TablePhone, names
from scripts.served import Served, start
from tests.browser.conftest import PATIENCE, SIZES, Opened, Visitor
from tests.looking import faults, picture
from tests.web.server import serving

pytestmark = pytest.mark.slow
V1 = "/api/v1"
TITLE = "Tuesday pairs"
RULEBOOK = "sbu-clubs-2016"
PASTE = """(input, text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    input.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
}"""


def rulings_on(book: Book) -> tuple[dict[str, str], ...]:
    """What the director rules in round 4: a substitute, a board fouled at the first two tables that
    had it, and an adjusted score."""
    fouled = [one.ns for one in book.lines if one.board == 7][:2]
    adjusted = next(one.ns for one in book.lines if one.board == 4)
    return (
        {"kind": "substitute", "pair": "3", "absent": "Player 05", "player": "Eve Elm"},
        {"kind": "fouled", "board": "7", "pairs": ", ".join(fouled), "why": "misboarded"},
        {"kind": "adjust", "board": "4", "pair": adjusted, "ns": "ave+", "ew": "ave-"},
    )


class Club:
    """A server that may be killed, and comes back at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: Served = start(folder)

    @property
    def address(self) -> str:
        return self.server.address

    def is_killed(self) -> None:
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait(20)
        assert self.server.process.stdout is not None
        self.server.process.stdout.close()

    def comes_back(self) -> None:
        self.server = start(self.folder, "--port", self.address.rpartition(":")[2])


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path / "club")
    yield club
    club.is_killed()


class Director:
    """Somebody who runs the evening from the director's pages."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.here = page, address, ""

    def sets_up(self, players: dict[str, tuple[str, str]], boards: int, movement: str) -> None:
        page = self.page
        page.goto(f"{self.address}/evenings/new")
        for name, text in (("title", TITLE), ("date", "2017-01-17"), ("boards", str(boards))):
            page.fill(f"[name={name}]", text)
        page.select_option("[name=rulebook]", RULEBOOK)
        page.fill("[name=director]", "Dora")
        page.fill("[name=pairs]", str(len(players)))
        page.get_by_role("row", name=movement).get_by_role("radio").check()
        looked_at(page, "evening-set-up")
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/names")
        self.here = page.url.removesuffix("/names")
        text = "\n".join(f"{who}\t{one}\t{other}" for who, (one, other) in players.items())
        page.wait_for_load_state()
        page.locator("[name='p.1.0']").evaluate(PASTE, text)
        expect(page.locator("#pasted")).to_contain_text(str(2 * len(players)))
        looked_at(page, "evening-names")
        page.get_by_role("button", name="Keep the names").click()

    @property
    def id(self) -> str:
        return self.here.rpartition("/")[2]

    def starts(self, number: int) -> None:
        self.page.goto(self.here)
        self.page.get_by_role("button", name=f"Start round {number}").click()
        expect(self.page.locator("main")).to_contain_text(f"Round {number} of")

    def seats_a_late_pair(self, two: tuple[str, str]) -> None:
        self.page.goto(f"{self.here}/movement")
        self.page.get_by_text("A pair came late").click()
        self.page.fill("#f-late", "2")
        self.page.fill("#f-p0", two[0])
        self.page.fill("#f-p1", two[1])
        self.page.get_by_role("button", name="Seat them").click()
        expect(self.page.locator("[data-table=movement]")).to_be_visible()

    def rules(self, words: dict[str, str]) -> None:
        self.page.goto(f"{self.here}/rulings/new?kind={words['kind']}")
        for name, text in words.items():
            if name == "kind":
                continue
            control = self.page.locator(f"main form [name={name}]")
            if not control.is_visible():
                self.page.get_by_text("More options").click()
            control.fill(text)
        expect(self.page.locator("#preview .notice")).to_be_visible()
        made = self.page.locator(".tabs")
        before = made.inner_text().count("Rulings (") and int(made.inner_text().split("(")[1][0])
        self.page.get_by_role("button", name="Record it").click()
        expect(made).to_contain_text(f"Rulings ({before + 1})")

    def ends(self) -> None:
        self.page.goto(self.here)
        self.page.once("dialog", lambda dialog: dialog.accept())
        self.page.get_by_role("button", name="Play has ended").click()
        expect(self.page.locator("main")).to_contain_text("provisional until")


def looked_at(page: Page, what: str) -> None:
    """Nothing that somebody could not use."""
    picture(page, what)
    assert faults(page) == [], what


def _opened(browser: Browser, size: str) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
    context.set_default_timeout(PATIENCE)
    return context.new_page()


@pytest.mark.parametrize(
    ("tables", "boards", "movement"),
    [
        (5, 20, "Mitchell, 3 boards of the last round switched 5 × 4"),
        pytest.param(9, 27, "Mitchell, round 9 switched", marks=pytest.mark.long),
    ],
)
def test_a_whole_evening(
    browser: Browser, club: Club, tmp_path: Path, tables: int, boards: int, movement: str
) -> None:
    """As many rounds as tables, one of which waits for a pair that comes late."""
    book = Book(names=names(2 * tables - 1))
    director = Director(_opened(browser, "desktop"), club.address)
    director.sets_up(book.names, boards, movement)
    codes = httpx.get(f"{club.address}{V1}/evenings/{director.id}/codes").json()
    phones = [
        TablePhone(_opened(browser, "phone"), f"{club.address}/table/{code}", int(table))
        for table, code in codes["tables"].items()
    ]
    assert len(phones) == tables
    screen = _opened(browser, "desktop")
    screen.goto(f"{club.address}/screen/{codes['screen']}")
    expect(screen.locator("main")).to_contain_text("Standings are shown from half-way")
    _first_round(director, phones, book)
    made: tuple[dict[str, str], ...] = ()
    for number in range(2, tables + 1):
        director.starts(number)
        _round(club, phones, number, book)
        if number == 4:
            made = rulings_on(book)
            for words in made:
                director.rules(words)
    expect(screen.locator("main")).not_to_contain_text("Standings are shown")
    expect(screen.locator("main table").first).to_be_visible()
    looked_at(screen, "evening-screen")
    _look_around(director)
    director.ends()
    _as_the_file(club, director.id, book, made, tmp_path)


def _first_round(director: Director, phones: list[TablePhone], book: Book) -> None:
    """All tables, one of them a half; then a pair comes late."""
    director.starts(1)
    _first_board_by_taps(phones[0], book)
    for phone in phones:
        phone.plays(1, book)
    for phone in phones:
        phone.waits_until_sent()
    late = book.names[str(2 * len(phones))] = ("Late Lee", "Tardy Tess")
    director.seats_a_late_pair(late)
    for phone in phones:  # the movement has changed, and the phones hear of it
        phone.page.reload()


def _round(club: Club, phones: list[TablePhone], number: int, book: Book) -> None:
    """A round at every table; in two of them the server is killed."""
    if number == 3:
        club.is_killed()
    for phone in phones:
        phone.goes_to(number)
        phone.plays(number, book)
    if number == 3:
        assert sum(phone.unsent() for phone in phones) > 0
        looked_at(phones[1].page, "evening-phone-offline")
        club.comes_back()
    if number == 5:  # while they are sending
        club.is_killed()
        club.comes_back()
    for phone in phones:
        phone.waits_until_sent()


def _first_board_by_taps(phone: TablePhone, book: Book) -> None:
    """One board with real fingers: four taps, the score, and the other side."""
    page, seats = phone.page, phone.seats(1)[0]
    boards: Any = seats["boards"]
    board = boards[0]["board"]
    looked_at(page, "evening-phone-round")
    page.locator(f"[data-board='{board}']").click()
    looked_at(page, "evening-phone")
    page.locator("[data-contract='4S']").click()
    page.locator("[data-seat=N]").click()
    page.locator("[data-over='+1']").click()
    expect(page.locator("main .score")).to_contain_text("NS +")
    page.get_by_role("button", name="No, it is not").click()
    expect(page.locator("main")).to_contain_text("not agreed")
    page.get_by_role("button", name="Change it").click()
    page.get_by_role("button", name="Back").click()
    assert not book.lines


def _look_around(director: Director) -> None:
    """Every page of the evening can be used."""
    for path in ("", "/grid", "/grid?by=slip", "/movement", "/rulings", "/settings"):
        director.page.goto(director.here + path)
        director.page.wait_for_load_state()
        name = f"evening{path.replace('/', '-').split('?')[0] or '-now'}"
        looked_at(director.page, name)


# --- the same results as a file -------------------------------------------------------------------


def _as_the_file(
    club: Club, evening: str, book: Book, made: tuple[dict[str, str], ...], folder: Path
) -> None:
    with serving(Settings(data=folder / "other")) as other:
        files = {"file": ("tuesday.txt", book.typed_in(TITLE).encode())}
        [kept] = httpx.post(f"{other}{V1}/events", files=files).json()
        for words in made:
            body: dict[str, Any] = {**words, "by": "Dora"}
            if "pairs" in words:
                body["pairs"] = words["pairs"].split(", ")
            path = f"{other}{V1}/events/{kept['id']}/rulings"
            answer = httpx.post(path, json=body, timeout=60)
            assert answer.status_code == 201, answer.text
        mine, theirs = _account(club.address, evening), _account(other, kept["id"])
    assert len(mine["standings"]) == len(book.names)
    for part, scores in mine.items():
        differ = [one for one in zip(scores, theirs[part], strict=True) if one[0] != one[1]]
        assert differ == [], part


def _account(address: str, event: str) -> dict[str, Any]:
    """Standings, awards and ledger of an event."""
    with httpx.Client(base_url=address, timeout=120) as client:
        scored = client.get(f"{V1}/events/{event}").json()
        sheets = client.get(f"{V1}/events/{event}/sheets/travellers").json()
        asked: dict[str, Any] = {"rulebook": RULEBOOK, "given": {}, "as_usual": True}
        whose = {"profile": "ebu"}  # whose rules: asked, as boards were adjusted
        awarded = client.post(f"{V1}/events/{event}/awards", params=whose, json=asked)
        assert awarded.status_code == 200, awarded.text
        asked |= {"by": "Dora", "date": "2017-01-17", "title": TITLE, "another": True}
        posted = client.post(f"{V1}/events/{event}/postings", params=whose, json=asked)
        assert posted.status_code == 201, posted.text
        members = client.get(f"{V1}/ledger/members", params={"limit": 500}).json()["items"]
    standings = [
        (one["entrant"], one["place"], one["score"])
        for ranking in scored["rankings"]
        for one in ranking["standings"]
    ]
    lines = [(sheet["title"], *row.values()) for sheet in sheets for row in sheet["rows"]]
    return {
        "lines": sorted(map(str, lines)),
        "standings": standings,
        "awards": awarded.json()["awards"],
        "ledger": sorted((str(one["name"]), str(one.get("points"))) for one in members),
    }


def test_a_page_whose_server_is_gone_says_so_until_it_is_back(browser: Browser, club: Club) -> None:
    asked = {"title": TITLE, "pairs": 8, "boards": 6, "movement": "mitchell"}
    with httpx.Client(base_url=club.address, timeout=60) as client:
        evening = client.post(f"{V1}/evenings", json=asked).json()["id"]
        client.post(f"{V1}/evenings/{evening}/rounds", json={"round": 1})
        codes = client.get(f"{V1}/evenings/{evening}/codes").json()
    paths = (f"/evenings/{evening}", f"/screen/{codes['screen']}", f"/table/{codes['tables']['1']}")
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    pages = [context.new_page() for _ in paths]
    for page, path in zip(pages, paths, strict=True):
        page.goto(club.address + path)
        expect(page.locator("#gone")).to_be_hidden()
    club.is_killed()
    for page in pages:
        expect(page.locator("#gone")).to_be_visible()
    for page in pages[:2]:
        expect(page.locator(".clock")).to_have_text("–:––")
    club.comes_back()
    for page in pages:
        expect(page.locator("#gone")).to_be_hidden()
    for page in pages[:2]:
        expect(page.locator(".clock")).not_to_have_text("–:––")
    context.close()


def test_what_is_typed_blind_is_what_is_kept(browser: Browser, address: str) -> None:
    """A hundred of what `python -m scripts.paper` types, by somebody faster than anybody is."""
    assert type_blind(browser, address, results=100, key_ms=20) == []


def test_what_was_typed_last_is_seen_asked_about_and_taken_back(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    grid = _empty_grid(visitor)
    page.keyboard.type("420\n4sn=\n")
    log, asked = page.locator(".typed .log li"), page.locator(".typed .refused li")
    expect(log.first).to_contain_text("+420")
    expect(asked).to_contain_text("420")
    asked.get_by_role("button", name="-420").click()
    expect(asked).to_have_count(0)
    page.locator(".typed .log li", has_text="4sn=").get_by_role("button").click()
    expect(page.locator(".typed .log li").first).to_contain_text("✓")
    page.goto(grid)
    held = page.locator("table.grid input").evaluate_all("(all) => all.map((one) => one.value)")
    assert held[:2] == ["-420", ""]
    visitor.looks("grid")
    visitor.complaints = [one for one in visitor.complaints if "422" not in one]


def test_who_leaves_the_grid_at_once_loses_nothing(visit: Opened) -> None:
    visitor = visit()
    page = visitor.page
    grid = _empty_grid(visitor)
    page.evaluate(
        """() => {
          for (const one of document.querySelectorAll("table.grid input")) {
            one.value = "pass";
            one.dispatchEvent(new Event("change", {bubbles: true}));
          }
          location.href = "/evenings";
        }"""
    )
    page.wait_for_url("**/evenings")
    page.goto(grid)
    expect(page.locator("table.grid [data-of=score]").last).to_have_text("0")
    values = page.locator("table.grid input").evaluate_all("(all) => all.map((one) => one.value)")
    assert set(values) == {"pass"}
    assert len(values) > 1


def _empty_grid(visitor: Visitor) -> str:
    """The address of a new evening's grid, opened."""
    visitor.goes_to("/evenings/new")
    visitor.fills(title="From paper", pairs="8")
    visitor.page.get_by_role("radio").first.check()
    visitor.presses("Begin")
    visitor.page.wait_for_url("**/names")
    grid = visitor.page.url.removesuffix("/names") + "/grid"
    visitor.page.goto(grid)
    visitor.page.wait_for_selector("table.grid input")
    return grid


def test_no_result_is_lost_or_doubled(browser: Browser, tmp_path: Path) -> None:
    """A short one of `python -m scripts.evening`: networks are lost, and the server is killed."""
    outcome = play(tmp_path, browser, tables=5, rounds=2)
    assert (outcome.lost, outcome.doubled) == ([], [])
    assert (outcome.played, outcome.kills) == (30, 1)
    assert outcome.dropped > 0
