"""The published ACBLscore events as events of ours, read straight from their tables."""

from __future__ import annotations

import csv
from fractions import Fraction
from typing import TYPE_CHECKING

from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Result,
    Session,
    Source,
)
from tests.support import shared

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, str]

AVERAGES = {"Ave+": Fraction(3, 5), "Ave": Fraction(1, 2), "Ave-": Fraction(2, 5)}
UNPLAYED = ("Not Played", "Late Play")


def rows(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def result_rows() -> dict[str, list[Row]]:
    return _by_event(rows(shared("real/acbl/results.csv")))


def pair_rows() -> dict[str, list[Row]]:
    return _by_event(rows(shared("real/acbl/pairs.csv")))


def _by_event(rows: list[Row]) -> dict[str, list[Row]]:
    events: dict[str, list[Row]] = {}
    for row in rows:
        events.setdefault(row["event"], []).append(row)
    return events


def event_of(name: str, results: list[Row], pairs: list[Row]) -> Event:
    """Sections that were compared with one another are one section here."""
    howell = {row["section"] for row in pairs if row["pair"].isdigit()}
    return Event(
        name,
        "pairs",
        "matchpoints",
        tuple(_entrant(row) for row in pairs),
        (Session(1, tuple(_result(row, nth, howell) for nth, row in enumerate(results, 2))),),
    )


def entrant_id(section: str, pair: str) -> str:
    return f"{section}-{pair}"


def _entrant(row: Row) -> EventEntrant:
    return EventEntrant(
        Entrant(entrant_id(row["section"], row["pair"])),
        number=row["pair"],
        section=row["comparison"],
        stratum=row["strat"],
    )


def _result(row: Row, line: int, howell: set[str]) -> Result:
    north, east = ("", "") if row["section"] in howell else ("N", "E")
    ns, ew = _side(row["ns_score"], 1), _side(row["ew_score"], -1)
    plain = isinstance(ns, int) and ns == ew
    return Result(
        int(row["board"]),
        (entrant_id(row["section"], row["ns"] + north),),
        (entrant_id(row["section"], row["ew"] + east),),
        score=ns if plain and isinstance(ns, int) else None,
        adjusted=None if plain or ns is None else AdjustedScore(_ruling(ns), _ruling(ew)),
        section=row["comparison"],
        round=int(row["round"]),
        table=int(row["table"]),
        source=Source("results.csv", line),
    )


def _side(text: str, sign: int) -> int | ArtificialScore | None:
    """North-South's score as the side has it, its average, or nothing."""
    if text in UNPLAYED:
        return None
    return ArtificialScore(AVERAGES[text]) if text in AVERAGES else sign * int(text)


def _ruling(side: int | ArtificialScore | None) -> ArtificialScore | AssignedScore:
    assert side is not None
    return side if isinstance(side, ArtificialScore) else AssignedScore(((Fraction(1), side),))
