"""The compiled way against the checker: events with nothing in them but scores, in columns."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours.scoring.columns import ScoredColumns, score_columns
from honours.scoring.profiles import profile
from tests.conformance import checker, generator
from tests.conformance.agreement import unlike
from tests.conformance.checker_scores import score_of

Event = dict[str, Any]
KINDS = ("arrow-switched", "howell", "mitchell", "sections", "multi-session")
PROFILES = ("ebu", "acbl", "compscore", "unfactored", "ebuscore")


def plain(event: Event, name: str) -> Event:
    """The first session without rulings, versions and fines, in one list under a profile."""
    lines = [
        line | {"adjusted": None, "version": ""}
        for line in event["sessions"][0]["results"]
        if score_of(line) is not None
    ]
    settings = generator.SETTINGS | {"winners": 1, "profile": name}
    settings["simplified"] = event["settings"].get("simplified", False)
    lines.sort(key=lambda line: int(line["board"]))
    sitting = {"number": 1, "results": lines, "matches": [], "penalties": []}
    entrants = [entrant | {"carried": "0", "stratum": ""} for entrant in event["entrants"]]
    return event | {"sessions": [sitting], "settings": settings, "entrants": entrants}


def events(seed: int, count: int, name: str, simplified: bool = False) -> list[Event]:
    """So many plain events of the kinds a corpus holds."""
    made: list[Event] = []
    number = 0
    while len(made) < count:
        event = generator.generate(seed, number)
        number += 1
        if event["family"] in KINDS and event["settings"].get("simplified") == simplified:
            made.append(plain(event, name))
    return [event for event in made if event["sessions"][0]["results"]]


def differences(played: list[Event], name: str, simplified: bool = False) -> list[str]:
    """Where the compiled scorer differs from the checker on events it scores all at once."""
    rows = [
        (nth, line["board"], int(line["ns"][0]), int(line["ew"][0]), score_of(line))
        for nth, one in enumerate(played)
        for line in one["sessions"][0]["results"]
    ]
    event, board, ns, ew, score = (list(column) for column in zip(*rows, strict=True))
    rules = replace(profile(name), simplified=simplified)
    theirs = _answers(score_columns(event, board, ns, ew, score, rules), rows, rules.unit)
    ours = {nth: _wanted(checker.check(one)) for nth, one in enumerate(played)}
    return list(unlike(ours, theirs))


def _wanted(answer: Event) -> Event:
    """The checker's answer, cut to what columns hold."""
    places = answer["rankings"][0]["places"]
    totals = {
        one: {**tally, "place": places[one][0], "tied": places[one][1]}
        for one, tally in answer["tallies"].items()
    }
    for one, total in totals.items():
        total["percentage"] = (
            _hundredths(Fraction(places[one][2])) if total["possible"] != "0" else 0
        )
    return {"lines": [line["ns"] for line in answer["lines"][0]], "totals": totals}


def _hundredths(percentage: Fraction) -> int:
    return int((percentage * 200 + 1) // 2)


def _answers(scored: ScoredColumns, rows: list[Any], unit: Fraction) -> dict[int, Event]:
    answers: dict[int, Event] = {row[0]: {"lines": [], "totals": {}} for row in rows}
    for row, ns in zip(rows, scored.ns_matchpoints, strict=True):
        answers[row[0]]["lines"].append({str(row[2]): str(int(ns) * unit)})
    for nth, event in enumerate(scored.event):
        answers[int(event)]["totals"][str(scored.entrant[nth])] = {
            "points": str(int(scored.points[nth]) * unit),
            "possible": str(int(scored.possible[nth]) * unit),
            "boards": str(scored.boards[nth]),
            "percentage": int(scored.percentage[nth]),
            "place": int(scored.place[nth]),
            "tied": int(scored.tied[nth]),
        }
    return answers
