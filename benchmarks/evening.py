"""An evening under load: `python -m benchmarks.evening [--tables 30] [--growth]`.

Thirty tables enter and confirm at once while the director's page and the screens listen; how long
an entry takes is told as a multiple of a page asked for when nobody else asks, in the same run.
With ``--growth``: what a viewer and a phone cost the server, in CPU, after 540 acts and after ten
times as many, and thirty entries at the same moment against one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.measure import table
from scripts.served import served

V1 = "/api/v1"
LISTENERS = 4
"""The director's page and screens: each asks for what is new when it is woken, as a page does."""
_PAUSE = 0.25
SECONDS_A_BOARD = 1.0
"""A board takes seven minutes at a table; here four hundred times less."""
MOST_PAGES = 10
"""So many idle pages may the 95th percentile of an entry take."""


def _idle(client: httpx.Client, path: str) -> float:
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        client.get(path).raise_for_status()
        times.append(time.perf_counter() - begin)
    return median(times)


def _table(address: str, evening: str, number: int, code: str, times: list[float]) -> None:
    """A phone that enters what its table plays, and has the other side confirm it."""
    headers = {"authorization": f"Table {code}"}
    path = f"{V1}/evenings/{evening}/tables/{number}"
    with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
        rounds = client.get(path).json()["rounds"][:3]
        time.sleep(number / 30 * SECONDS_A_BOARD)  # tables do not finish at the same moment
        for one in rounds:
            for seats in one["seats"]:
                for board in seats["boards"]:
                    place = {"round": one["round"], "board": board["board"]}
                    for kind, more in (("result", {"text": "4S N ="}), ("confirm", {"seen": 1})):
                        side = {"side": "EW"} if kind == "confirm" else {}
                        key = f"{kind}-{number}-{one['round']}-{board['board']}"
                        entry = {"key": key, "kind": kind, **place, **more, **side}
                        begin = time.perf_counter()
                        client.post(f"{path}/entries", json=entry).raise_for_status()
                        times.append(time.perf_counter() - begin)
                    time.sleep(SECONDS_A_BOARD)


def _listen(address: str, evening: str, until: threading.Event) -> None:
    path = f"{address}{V1}/evenings/{evening}/stream"
    asked = 0.0
    try:
        with httpx.stream("GET", path, timeout=60) as answer:
            for line in answer.iter_lines():
                if until.is_set():
                    return
                if line.startswith("data:") and time.monotonic() > asked + _PAUSE:
                    httpx.get(f"{address}/evenings/{evening}/live", timeout=60)
                    asked = time.monotonic()
    except httpx.HTTPError:
        return


def measured(tables: int) -> tuple[float, list[float]]:
    """Seconds of an idle page, and of every entry."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        asked = {"title": "Load", "pairs": 2 * tables, "movement": "mitchell", "boards": 3 * tables}
        with httpx.Client(base_url=server.address, timeout=60) as client:
            evening = client.post(f"{V1}/evenings", json=asked).raise_for_status().json()["id"]
            codes = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]
            idle = _idle(client, f"/table/{codes['1']}")
        times: list[float] = []
        until = threading.Event()
        listeners = [
            threading.Thread(target=_listen, args=(server.address, evening, until), daemon=True)
            for _ in range(LISTENERS)
        ]
        phones = [
            threading.Thread(
                target=_table, args=(server.address, evening, int(number), code, times)
            )
            for number, code in codes.items()
        ]
        for thread in (*listeners, *phones):
            thread.start()
        for thread in phones:
            thread.join()
        until.set()
    return idle, times


def _cpu(pid: int) -> float:
    """CPU seconds that a process and those it waited for have used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _entries(rounds: list[Any], kinds: Sequence[str] = ("result", "confirm")) -> Iterator[Any]:
    """What a table enters, board by board."""
    more: dict[str, dict[str, Any]] = {
        "result": {"text": "4S N ="},
        "confirm": {"seen": 1, "side": "EW"},
    }
    for one in rounds:
        for seats in one["seats"]:
            for board in seats["boards"]:
                for kind in kinds:
                    place = {"round": one["round"], "board": board["board"], "kind": kind}
                    yield {"key": f"{kind}-{one['round']}-{board['board']}", **place, **more[kind]}


def growth(tables: int) -> int:
    """Print what grows with an evening; 1 if more than it may."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        asked = {"title": "Load", "pairs": 2 * tables, "movement": "mitchell", "boards": 3 * tables}
        with httpx.Client(base_url=server.address, timeout=60) as client:
            evening = client.post(f"{V1}/evenings", json=asked).raise_for_status().json()["id"]
            codes = client.get(f"{V1}/evenings/{evening}/codes").json()["tables"]
            phones = [f"{V1}/evenings/{evening}/tables/{number}" for number in codes]
            keys = [{"authorization": f"Table {code}"} for code in codes.values()]
            rounds = [
                client.get(one, headers=key).json()["rounds"]
                for one, key in zip(phones, keys, strict=True)
            ]
            waiting = zip(*(_entries(own) for own in rounds), strict=True)
            costs: list[dict[str, float]] = []

            own = [httpx.Client(base_url=server.address, headers=key, timeout=60) for key in keys]

            def enter(one: int, entry: Any) -> float:
                begin = time.perf_counter()
                own[one].post(f"{phones[one]}/entries", json=entry).raise_for_status()
                return time.perf_counter() - begin

            done = 0
            for most in (540, 5_340):
                while done < most:
                    for one, entry in enumerate(next(waiting)):
                        path = f"{phones[one]}/entries"
                        client.post(path, json=entry, headers=keys[one]).raise_for_status()
                        done += 1
                pages = {
                    "a viewer": (f"/evenings/{evening}/live", {}),
                    "a phone": (phones[0], keys[0]),
                }
                for path, key in pages.values():
                    client.get(path, headers=key).raise_for_status()
                cost = {}
                for name, (path, key) in pages.items():
                    before = _cpu(server.process.pid)
                    for _ in range(20):
                        client.get(path, headers=key).raise_for_status()
                    cost[name] = 50 * (_cpu(server.process.pid) - before)
                costs.append(cost)
            alone = [enter(one, entry) for one, entry in enumerate(next(waiting))]
            with ThreadPoolExecutor(tables) as pool:
                at_once = list(pool.map(enter, range(tables), next(waiting)))
    rows = [(name, *(f"{cost[name]:.1f}" for cost in costs)) for name in costs[0]]
    print(table(("CPU ms", "540 acts", "5,340 acts"), rows))
    slow = sorted(at_once)[ceil(0.95 * tables) - 1]
    print(f"95th percentile of {tables} entries at once ÷ one: {slow / median(alone):.1f}")
    return int(any(costs[1][name] > 2 * costs[0][name] for name in costs[0]))


def main() -> int:
    """Measure, print, and say whether the limit is kept."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.evening")
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--growth", action="store_true")
    given = parser.parse_args()
    if given.growth:
        return growth(given.tables)
    idle, times = measured(given.tables)
    ordered = sorted(times)
    slow = ordered[ceil(0.95 * len(ordered)) - 1]
    rows = [
        ("an idle page", f"{1000 * idle:.1f}", "1"),
        ("an entry, median", f"{1000 * median(ordered):.1f}", f"{median(ordered) / idle:.1f}"),
        ("an entry, 95th percentile", f"{1000 * slow:.1f}", f"{slow / idle:.1f}"),
    ]
    print(f"{len(times)} entries\n\n" + table(("", "ms", "idle pages"), rows))
    print("kept" if slow < MOST_PAGES * idle else f"NOT KEPT: more than {MOST_PAGES} idle pages")
    return 0 if slow < MOST_PAGES * idle else 1


if __name__ == "__main__":
    sys.exit(main())
