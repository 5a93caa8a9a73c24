"""An evening under load: `python -m benchmarks.evening [--tables 30]`.

Thirty tables enter and confirm at once while the director's page and the screens listen; how long
an entry takes is told as a multiple of a page asked for when nobody else asks, in the same run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from math import ceil
from pathlib import Path
from statistics import median

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


def main() -> int:
    """Measure, print, and say whether the limit is kept."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.evening")
    parser.add_argument("--tables", type=int, default=30)
    idle, times = measured(parser.parse_args().tables)
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
