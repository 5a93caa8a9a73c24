"""How soon an answer comes: the help text, and a club night from the file of its table devices."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import best, table

NIGHT = Path(__file__).parents[2] / "shared" / "real" / "bws" / "12-tables-1-section.bws"
"""Twelve tables; not part of the project, so that it may be missing."""
BARE = "an interpreter that does nothing"
HELP, WHOLE, OURS = "`honours --help`", "a club night, warm", "of it reading, scoring, printing"
_TIMES = 7


def starting() -> dict[str, float]:
    """Milliseconds of each, as far as it can be measured."""
    times = {BARE: _process("-c", "pass"), HELP: _process("-m", "honours", "--help")}
    if NIGHT.exists():
        times[WHOLE] = _process("-m", "honours", "score", str(NIGHT))
        times[OURS] = 1000 * best(OURS, _night(), 4 * _TIMES)[0].seconds
    return times


def text(times: dict[str, float]) -> str:
    return table(("starting", "ms"), ((name, f"{ms:.0f}") for name, ms in times.items()))


def _process(*arguments: str) -> float:
    """The shortest time of a process of its own, code compiled and files in memory."""
    shortest = float("inf")
    for _ in range(_TIMES):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-I", *arguments], check=True, stdout=subprocess.DEVNULL)
        shortest = min(shortest, time.perf_counter() - begin)
    return 1000 * shortest


def _night() -> Callable[[], str]:
    from honours.pipeline import read_account
    from honours.reports.standings import scored_text
    from honours.scoring import score

    def night() -> str:
        account = read_account(str(NIGHT))
        return scored_text(score(account.event), account.rulings)

    return night
