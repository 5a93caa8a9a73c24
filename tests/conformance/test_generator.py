"""The generated events have in them what the agreement claims to cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.conformance import checker, generator
from tests.conformance.checker_boards import artificial, distribution
from tests.conformance.test_agreement import EACH, KINDS, SEED

Event = dict[str, Any]


def seen(event: Event) -> Iterator[str]:
    """Everything of note in an event, by name."""
    settings = event["settings"]
    yield event["family"]
    yield from (key for key in ("handicap", "simplified", "strata") if settings.get(key))
    if event["scoring"] == "matchpoints":
        yield settings["profile"]
    if any(entrant["carried"] != "0" for entrant in event["entrants"]):
        yield "carried"
    for session in event["sessions"]:
        yield from (f"fined in {penalty['unit']}" for penalty in session["penalties"])
        yield from seen_on_boards(session["results"])
    for ranking in checker.check(event)["rankings"]:
        yield from ("tied" for _, tied, _ in ranking["places"].values() if tied > 1)
        yield from ("unranked" for place, _, _ in ranking["places"].values() if place == 0)


def seen_on_boards(lines: list[Event]) -> Iterator[str]:
    boards: dict[int, list[Event]] = {}
    for line in lines:
        boards.setdefault(line["board"], []).append(line)
        yield from seen_on_a_line(line)
    fullest = max(map(len, boards.values()), default=0)
    for same in boards.values():
        sizes = Counter(line["version"] for line in same if distribution(line, "ns"))
        yield f"{len(sizes)} versions"
        yield from (f"fouled group of {size}" for size in sizes.values() if len(sizes) > 1)
        if len(same) < fullest:
            yield "missing"


def seen_on_a_line(line: Event) -> Iterator[str]:
    for side in ("ns", "ew") if line["adjusted"] else ():
        ruling = artificial(line, side)
        yield "weighted" if ruling is None else f"{ruling['share']} {ruling['session_rule']}"
    if line["adjusted"] and line["adjusted"]["ns"] != line["adjusted"]["ew"]:
        yield "split"
    if line["passed_out"]:
        yield "passed out"
    if not line["adjusted"] and distribution(line, "ns") is None:
        yield "not played"


EXPECTED = [
    *KINDS,
    *generator.PROFILES,
    *("simplified", "handicap", "strata", "carried", "tied", "unranked", "missing", "split"),
    *("fined in matchpoints", "fined in percent", "fined in imps", "fined in vps"),
    *("1 versions", "2 versions", "3 versions", "passed out", "not played", "weighted"),
    *("fouled group of 1", "fouled group of 2", "fouled group of 3", "fouled group of 4"),
    *("3/5 True", "2/5 True", "3/5 False", "1/2 False"),
]


def test_everything_is_in_several_events() -> None:
    events = (generator.generate(SEED, number) for number in range(EACH * len(KINDS)))
    counted = Counter(name for event in events for name in set(seen(event)))
    assert [name for name in EXPECTED if counted[name] < 5] == []
