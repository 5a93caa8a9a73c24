"""People at an evening: a director at a browser, and tables with a phone each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from playwright.sync_api import Page, expect

# Everything that is tapped is a button of the page, found as a finger finds it; a whole round in
# one call, because a call a tap would take most of the time.
_TAPS = """async (entries) => {
    const tap = async (css, text) => {
        for (let tries = 0; tries < 600; tries += 1) {
            const all = [...document.querySelectorAll(css)];
            const found = text ? all.find((one) => one.textContent.includes(text)) : all[0];
            if (found) { found.click(); return; }
            await new Promise((then) => setTimeout(then, 50));
        }
        throw new Error(`nothing to tap: ${css} ${text || ""}`);
    };
    for (const [board, contract, seat, over] of entries) {
        await tap(`[data-board="${board}"]`);
        if (!document.querySelector("[data-contract]")) await tap("main button", "Change it");
        if (contract === "pass") await tap("main button", "Passed out");
        else {
            await tap(`[data-contract="${contract}"]`);
            await tap(`[data-seat="${seat}"]`);
            await tap(`[data-over="${over}"]`);
        }
        await tap("main button", "Yes, that is right");
        await tap("main .foot button", "Round");
    }
}"""
_UNSENT = """() => Object.keys(localStorage).filter((key) => key.startsWith("table "))
    .flatMap((key) => JSON.parse(localStorage[key])).length"""


@dataclass
class Played:
    """A line of a traveller as the players would write it down."""

    board: int
    ns: str
    ew: str
    text: str


@dataclass
class Book:
    """What was played, kept by those who played it and not by the program."""

    lines: list[Played] = field(default_factory=list)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)

    def typed_in(self, title: str) -> str:
        """The same results as a file."""
        rows = [f"title {title}", "date 2017-01-17"]
        rows += [f"pair {who} {a} & {b}" for who, (a, b) in self.names.items()]
        for board in sorted({one.board for one in self.lines}):
            rows.append(f"board {board}")
            mine = [one for one in self.lines if one.board == board]
            rows += [f"{one.ns} {one.ew} {one.text}" for one in mine]
        return "\n".join(rows) + "\n"


_CONTRACTS = ("1NT", "2H", "3NT", "4S", "4H", "2S", "3D", "5C", "1S", "6NT", "3C", "2D")
_OVERS = ("=", "+1", "-1", "+1", "=", "-2", "=", "+2", "-1", "=")


def made_up(board: int, table: int, number: int) -> tuple[str, str, str]:
    """What happens on a board at a table: contract, declarer and result, always the same."""
    seed = board * 31 + table * 17 + number * 7
    contract = _CONTRACTS[(board + (seed % 3 == 0)) % len(_CONTRACTS)]
    over = _OVERS[seed % len(_OVERS)]
    if contract == "6NT" and over == "+2":
        over = "+1"
    return contract, "NESW"[(board + (seed % 5 == 0) * 2) % 4], over


class TablePhone:
    """A phone at a table."""

    def __init__(self, page: Page, address: str, table: int) -> None:
        self.page, self.table = page, table
        page.goto(address)
        expect(page.locator("main h2").first).to_be_visible()

    def seats(self, number: int) -> list[dict[str, object]]:
        """Who sits there with which boards, as the page was told."""
        state = self.page.evaluate("() => JSON.parse(document.getElementById('state').textContent)")
        seats: list[dict[str, object]] = state["rounds"][number - 1]["seats"]
        return seats

    def goes_to(self, number: int) -> None:
        """To a round, as the page proposes when the one before is complete."""
        heading = self.page.locator("main h2").first
        if f"Round {number} /" not in heading.inner_text():
            self.page.get_by_role("button", name="On to the next round").click()
        expect(heading).to_contain_text(f"Round {number} /")

    def plays(self, number: int, book: Book) -> None:
        """Plays and confirms every board of the round."""
        entries = []
        for seats in self.seats(number):
            for one in seats["boards"]:  # type: ignore[attr-defined]
                contract, seat, over = made_up(one["board"], self.table, number)
                entries.append([one["board"], contract, seat, over])
                ns, ew = seats["ns"][0], seats["ew"][0]  # type: ignore[index]
                text = f"{contract} {seat} {over}"
                book.lines.append(Played(one["board"], ns, ew, text))
        self.page.evaluate(_TAPS, entries)

    def unsent(self) -> int:
        count: int = self.page.evaluate(_UNSENT)
        return count

    def waits_until_sent(self) -> None:
        expect(self.page.locator("#sending")).to_have_text("")
        assert self.unsent() == 0


def names(many: int) -> dict[str, tuple[str, str]]:
    """Somebody for every number."""
    ids = count(1)
    return {
        str(n): (f"Player {next(ids):02}", f"Player {next(ids):02}") for n in range(1, many + 1)
    }
