"""The guide's examples 21 to 25 as files: the figures it prints, and events of ours beneath them.

Example 22 prints eight dates of a longer season; the other dates are made here so that everybody's
best twelve scores have the average it prints. Run as a script it writes ``examples/season``.
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.support import GOLDEN, ROOT

AVERAGES = [
    "61.12",
    "60.14",
    "57.67",
    "56.06",
    "56.00",
    "55.72",
    "55.70",
    "53.86",
    "52.39",
    "52.01",
    "51.70",
    "50.05",
    "49.85",
    "49.42",
    "47.43",
    "45.02",
    "43.41",
    "39.59",
]
PLAYED = (15, 16, 14, 20, 17, 19, 18, 14, 12, 17, 19, 13, 16, 15, 17, 12, 16, 12)
PRINTED_DAYS = tuple(
    f"2017-{d}" for d in ("01-14", "01-28", "02-11", "02-18", "03-04", "03-11", "03-18", "03-25")
)
PRINTED = """
51.56 - - 63.96 46.88 55.77 58.33 58.56
59.90 49.74 52.98 57.58 59.64 60.68 75.60 57.64
51.56 65.34 52.68 51.78 60.16 - 51.49 -
46.53 49.40 49.21 46.06 38.54 47.01 53.27 50.46
48.26 52.91 40.77 51.98 47.84 61.75 53.87 55.32
59.32 51.19 47.62 55.67 46.61 52.56 - 47.69
55.90 53.57 62.17 54.01 - 49.15 - 42.13
- - 46.30 55.18 56.77 - 52.38 -
48.20 58.47 55.82 - 42.71 - 41.96 -
43.81 40.21 46.03 50.03 58.07 50.43 51.19 -
51.28 58.63 49.70 45.42 58.07 45.51 51.49 33.80
- 52.91 - - 50.72 - - 56.02
- - 39.68 54.06 48.32 58.12 40.48 47.45
- - 61.90 40.47 58.07 44.02 43.45 -
- 47.09 37.50 52.32 45.19 43.16 42.56 44.91
- 50.30 43.45 - 44.53 44.02 46.13 -
53.18 37.20 51.49 48.22 42.31 33.33 - 30.09
- 33.33 - 33.27 - - 36.31 48.38
"""
BEST = 12
OTHER_DAYS = tuple((date(2016, 9, 10) + timedelta(weeks=w)).isoformat() for w in range(14))
PAIRS_NAMES = (
    "Adair",
    "Baird",
    "Calder",
    "Dunbar",
    "Erskine",
    "Farquhar",
    "Galbraith",
    "Hamilton",
    "Innes",
    "Jardine",
    "Keith",
    "Lamont",
    "Maxwell",
    "Napier",
    "Ogilvie",
    "Pringle",
    "Ramsay",
    "Sinclair",
    "Tulloch",
    "Urquhart",
)


def golden(example: object) -> dict[str, Any]:
    """What the guide prints for an example, from the shared figures."""
    data = json.loads((GOLDEN / "sbu_clubs_2016.json").read_text(encoding="utf-8"))
    case: dict[str, Any] = next(e for e in data["examples"] if e["example"] == example)
    return case


def people(pair: int) -> list[tuple[str, str]]:
    """Names and numbers of a pair's two players."""
    surname = PAIRS_NAMES[(pair - 1) % len(PAIRS_NAMES)]
    extra = f" {pair}" if pair > len(PAIRS_NAMES) else ""
    return [
        (f"Ann {surname}{extra}", str(1000 + 2 * pair)),
        (f"Bob {surname}{extra}", str(1001 + 2 * pair)),
    ]


def write_event(
    path: Path,
    scores: dict[int, object],
    more: dict[int, str] | None = None,
    columns: str = "",
    swap: bool = False,
) -> Path:
    """A standings file: pair → score, with further columns, players in either order."""
    lines = [f"pair,player1,number1,player2,number2,score{columns}"]
    seats = {pair: seat for seat, pair in enumerate(sorted(scores), 1)}
    for pair, score in scores.items():
        two = people(pair)[::-1] if swap else people(pair)
        players = ",".join(f"{name},{number}" for name, number in two)
        lines.append(f"{seats[pair]},{players},{score}{(more or {}).get(pair, '')}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# --- example 22 -------------------------------------------------------------------------------


def _best(scores: list[Decimal]) -> Decimal:
    return sum(sorted(scores, reverse=True)[:BEST], Decimal(0))


def made_up(printed: list[Decimal], count: int, average: Decimal) -> list[Decimal]:
    """Scores for the dates that are not printed, so that the best twelve have the average."""
    low, high, wanted = Decimal(0), Decimal(100), average * BEST
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _best(printed + [middle] * count) < wanted else (low, middle)
    cents = high.quantize(Decimal("0.01"))
    scores = [cents] * count
    for i in range(count):
        scores[i] += (wanted - _best(printed + scores)).quantize(Decimal("0.01"))
        if _best(printed + scores) == wanted:
            break
    return scores


def season_scores() -> dict[str, dict[int, Decimal]]:
    """Day → pair → score, printed and made up."""
    days: dict[str, dict[int, Decimal]] = {day: {} for day in (*OTHER_DAYS, *PRINTED_DAYS)}
    for pair, line in enumerate(PRINTED.strip().splitlines(), 1):
        known = {d: Decimal(t) for d, t in zip(PRINTED_DAYS, line.split(), strict=True) if t != "-"}
        count = PLAYED[pair - 1] - len(known)
        extra = made_up(list(known.values()), count, Decimal(AVERAGES[pair - 1]))
        chosen = [OTHER_DAYS[(pair + i) % len(OTHER_DAYS)] for i in range(count)]
        for day, score in [*known.items(), *zip(chosen, extra, strict=True)]:
            days[day][pair] = score
    for i, day in enumerate(OTHER_DAYS[:11]):  # two pairs who came eleven times: not listed
        days[day] |= {19: Decimal(64) - i, 20: Decimal(45) + i}
    return days


def write_example_22(folder: Path) -> Path:
    """The season of example 22: a folder of events and the competition's file."""
    for i, (day, scores) in enumerate(season_scores().items()):
        ordered = dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
        write_event(
            folder / "saturdays" / f"{day}-saturday-pairs.csv", dict(ordered), swap=i % 2 == 1
        )
    file = folder / "year.toml"
    file.write_text(YEAR, encoding="utf-8")
    return file


YEAR = """\
# The club's year. The guide's example 22 prints eight of these dates; the others are ours.
club = "Example Bridge Club"
rulebook = "sbu-clubs-2016"
year = 2016-09-01
options.as_usual = true   # no heat, nothing supervised, awarded once

[[competition]]
title = "Saturday Pairs, bonus"
kind = "pairs"
type = "aggregate"
events = { folder = "saturdays" }
best = 12     # the best twelve scores count
played = 12   # and twelve must have been played to qualify
"""


if __name__ == "__main__":
    write_example_22(ROOT / "examples" / "season")
