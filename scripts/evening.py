"""An evening of many tables, an hour of it in minutes: `python -m scripts.evening [--tables 30]`.

Starts a server of its own, opens a real browser page for every table, the director and the big
screen, and has every table play its rounds while phones lose their network and the server is
killed.
At the end every result must be there once, as the table entered it.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from statistics import median

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from scripts import system
from scripts.phones import Book, TablePhone
from scripts.served import Served, start

V1 = "/api/v1"
BOARDS_A_ROUND = 3
DROPPED = 0.3
"""The share of rounds in which a phone has no network."""
_PATIENCE = 240_000
_DURATIONS = """() => performance.getEntriesByType("resource")
    .filter((one) => one.name.endsWith("/entries") && one.responseStatus === 200)
    .map((one) => one.duration)"""
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run")


@dataclass
class Outcome:
    """What came of it: ``entries`` are the milliseconds of each, ``page`` those of an idle page."""

    played: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    dropped: int = 0
    kills: int = 0
    entries: list[float] = field(default_factory=list)
    page: float = 0.0

    @property
    def held(self) -> bool:
        return self.played > 0 and not self.lost and not self.doubled

    def text(self) -> str:
        times = sorted(self.entries)
        slow = times[ceil(0.95 * len(times)) - 1] if times else 0.0
        return (
            f"{self.played} results at the tables, {len(self.lost)} lost, {len(self.doubled)} "
            f"doubled; {self.dropped} rounds without a network, {self.kills} kills\n"
            f"an idle page {self.page:.0f} ms; an entry {median(times) if times else 0:.0f} ms, "
            f"95th percentile {slow:.0f} ms: {slow / self.page if self.page else 0:.1f} pages"
        )


class Room:
    """A server, and the phones that are at its tables."""

    def __init__(self, folder: Path, browser: Browser, tables: int) -> None:
        self.folder, self.browser, self.server = folder, browser, start(folder)
        self.chance = random.Random(tables)
        asked = {
            "title": "An evening of many tables",
            "pairs": 2 * tables,
            "movement": "mitchell",
            "boards": BOARDS_A_ROUND * tables,
        }
        answer = httpx.post(f"{self.address}{V1}/evenings", json=asked, timeout=60)
        self.evening: str = answer.raise_for_status().json()["id"]
        self.codes = httpx.get(f"{self.address}{V1}/evenings/{self.evening}/codes").json()
        self.contexts: list[BrowserContext] = []
        self.phones = [
            TablePhone(self._page(), f"{self.address}/table/{code}", int(table))
            for table, code in self.codes["tables"].items()
        ]
        for path in (f"/evenings/{self.evening}", f"/screen/{self.codes['screen']}"):
            self._page().goto(f"{self.address}{path}")

    @property
    def address(self) -> str:
        return self.server.address

    def _page(self) -> Page:
        context = self.browser.new_context(viewport={"width": 390, "height": 844}, locale="en")
        context.set_default_timeout(_PATIENCE)
        self.contexts.append(context)
        return context.new_page()

    def is_killed(self) -> None:
        """At once, and back at the same address."""
        port = self.address.rpartition(":")[2]
        self.server.process.send_signal(signal.SIGKILL)
        ended(self.server)
        self.server = start(self.folder, "--port", port)

    def plays(self, number: int, book: Book, outcome: Outcome, kill: bool) -> None:
        """A round at every table; some have no network for it, and the server may go."""
        offline = []
        for n, phone in enumerate(self.phones):
            phone.goes_to(number)
            if self.chance.random() < DROPPED:
                phone.page.context.set_offline(True)
                offline.append(phone)
            phone.plays(number, book)
            if kill and n == len(self.phones) // 2:
                self.is_killed()
                outcome.kills += 1
        outcome.dropped += len(offline)
        for phone in offline:
            phone.page.context.set_offline(False)
        for phone in self.phones:
            phone.waits_until_sent()

    def closes(self) -> None:
        for context in self.contexts:
            context.close()
        self.server.process.terminate()
        ended(self.server)


def ended(server: Served) -> None:
    server.process.wait(20)
    assert server.process.stdout is not None
    server.process.stdout.close()


def play(folder: Path, browser: Browser, tables: int, rounds: int) -> Outcome:
    """The whole of it; what was lost or doubled, if anything."""
    room, book, outcome = Room(folder, browser, tables), Book(), Outcome()
    try:
        outcome.page = idle_page(f"{room.address}/table/{room.codes['tables']['1']}")
        for number in range(1, rounds + 1):
            room.plays(number, book, outcome, kill=number == 2)
        for phone in room.phones:
            outcome.entries += phone.page.evaluate(_DURATIONS)
        compare(room, book, outcome)
    finally:
        room.closes()
    return outcome


def idle_page(address: str) -> float:
    """Milliseconds of a page when nobody else asks."""
    with httpx.Client(timeout=60) as client:
        times = [client.get(address).elapsed.total_seconds() for _ in range(12)]
    return 1000 * median(times)


def compare(room: Room, book: Book, outcome: Outcome) -> None:
    """What the server has against what the tables wrote down."""
    lines = httpx.get(f"{room.address}{V1}/evenings/{room.evening}/lines", timeout=60).json()
    there = {(one["board"], one["ns"][0], one["ew"][0]): one["text"] for one in lines}
    for one in book.lines:
        outcome.played += 1
        if there.get((one.board, one.ns, one.ew)) != one.text:
            outcome.lost.append(f"board {one.board}, {one.ns} against {one.ew}: {one.text}")
    journal = room.folder / "evenings" / room.evening / "journal.jsonl"
    acts = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    entered = [(a["round"], a["table"], a["board"]) for a in acts if a["kind"] == "result"]
    outcome.doubled = [str(one) for one in sorted(set(entered)) if entered.count(one) > 1]


def main() -> int:
    """Run it; the exit code says whether all held."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m scripts.evening")
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3, help="three are an hour")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system.browser(), args=list(FLAGS), headless=True
        )
        outcome = play(Path(folder), browser, chosen.tables, chosen.rounds)
        browser.close()
    print(outcome.text())
    for one in (*outcome.lost, *outcome.doubled)[:10]:
        print(one)
    print("held" if outcome.held else "DID NOT HOLD")
    return 0 if outcome.held else 1


if __name__ == "__main__":
    sys.exit(main())
