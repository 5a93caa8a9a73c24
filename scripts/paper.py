"""Travellers typed blind into the grid of results: `python -m scripts.paper [--results 10000]`.

Starts a server of its own and types in a real browser, key after key, over a slow network, without
ever looking at the page. At the end every result must be there as it was typed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

from honours.evening.board_lines import tidy_outcome
from scripts import system
from scripts.evening import FLAGS
from scripts.served import served

V1 = "/api/v1"
TYPED = (
    *("-50", "+50", "-1430", "+420", "-420", "+1430", "-100", "+110", "-620", "-1100"),
    *("4sn=", "3ntxw-2", "4hs+1", "1nte-1", "6cn-1", "pass", "2dw=", "5cxxe-3"),
)
TABLES, BOARDS = 15, 30


def type_blind(
    browser: Browser, address: str, results: int, key_ms: int = 80, latency_ms: int = 300
) -> list[str]:
    """Type so many results into one new evening after another; those that differ from what the
    server has in the end."""
    differ: list[str] = []
    chance = random.Random(results)
    while results > 0:
        typed = [chance.choice(TYPED) for _ in range(min(results, TABLES * BOARDS))]
        differ += _one_evening(browser, address, typed, key_ms, latency_ms)
        results -= len(typed)
    return differ


def _one_evening(
    browser: Browser, address: str, typed: list[str], key_ms: int, latency_ms: int
) -> list[str]:
    asked = {"title": "Paper", "pairs": 2 * TABLES, "movement": "mitchell", "boards": BOARDS}
    evening = httpx.post(f"{address}{V1}/evenings", json=asked, timeout=60).json()["id"]
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/evenings/{evening}/grid")
    page.wait_for_selector("#grid tbody input")
    slow = {"offline": False, "latency": latency_ms, "downloadThroughput": -1}
    session = context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})
    for text in typed:
        page.keyboard.type(f"{text}\n", delay=key_ms)
    page.wait_for_function(
        f"() => localStorage.getItem('grid {V1}/evenings/{evening}') === '[]'",
        timeout=60_000 + 2 * latency_ms * len(typed),
    )
    context.close()
    lines = httpx.get(f"{address}{V1}/evenings/{evening}/lines", timeout=60).json()
    there = [
        one["text"] for one in sorted(lines, key=lambda x: (x["board"], x["round"], x["table"]))
    ]
    there += [""] * (len(typed) - len(there))
    return [
        f"{evening} {at}: {text} is {now}"
        for at, (text, now) in enumerate(zip(typed, there, strict=True))
        if tidy_outcome(text) != now
    ]


def main() -> int:
    """Run it; the exit code says whether none differs."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m scripts.paper")
    parser.add_argument("--results", type=int, default=10_000)
    parser.add_argument("--key", type=int, default=80, help="milliseconds a key")
    parser.add_argument("--latency", type=int, default=300, help="milliseconds")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=system.browser(), args=list(FLAGS), headless=True
        )
        differ = type_blind(browser, server.address, chosen.results, chosen.key, chosen.latency)
        browser.close()
    print(f"{chosen.results} results typed, {len(differ)} differ", *differ[:10], sep="\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
