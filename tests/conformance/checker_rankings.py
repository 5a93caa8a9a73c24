"""Who came where: every place is one more than the number of entrants with a better score."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Entrant = dict[str, Any]
Tally = dict[str, Any]
"""What an entrant gathered: ``points``, ``possible`` (0 if unbounded), ``boards``."""


def score(tally: Tally) -> Fraction:
    """The percentage, or the points where there is no most they could be."""
    points, possible = Fraction(tally["points"]), Fraction(tally["possible"])
    return points * 100 / possible if possible > 0 else points


def rankings(
    entrants: list[Entrant], tallies: dict[str, Tally], settings: Entrant, session: str
) -> list[Any]:
    """Every list of the event, as ``{"list": {…labels}, "places": {id: [place, tied, score]}}``."""
    lists = []
    present = [entrant for entrant in entrants if entrant["id"] in tallies]
    for section in sorted({_section(x, settings) for x in present}):
        for line in sorted({_line(x, settings) for x in present}):
            members = [
                x
                for x in present
                if _section(x, settings) == section and _line(x, settings) == line
            ]
            labels = {"session": session, "section": section, "line": line}
            lists += _strata(members, tallies, settings, labels)
    return lists


def _section(entrant: Entrant, settings: Entrant) -> str:
    return str(entrant["section"]) if settings["rank_sections"] == "apart" else ""


def _line(entrant: Entrant, settings: Entrant) -> str:
    return str(entrant["line"]) if settings["winners"] == 2 else ""


def _strata(
    members: list[Entrant], tallies: dict[str, Tally], settings: Entrant, labels: Entrant
) -> list[Any]:
    """One list for all, or one a stratum: those of it and of every stratum below."""
    lists = []
    for stratum in settings.get("strata") or [""]:
        eligible = [x for x in members if x["stratum"] >= stratum]
        for handicapped in (False, True) if settings["handicap"] else (False,):
            ranked = _ranked(eligible, tallies, settings, handicapped)
            name = labels | {"stratum": stratum, "handicapped": handicapped}
            if eligible:
                lists.append({"list": name, "places": ranked})
    return lists


def _ranked(
    members: list[Entrant], tallies: dict[str, Tally], settings: Entrant, handicapped: bool
) -> dict[str, list[Any]]:
    """Place, how many share it, and the exact score; place 0 for too few boards."""
    scores = {
        x["id"]: score(tallies[x["id"]]) + (Fraction(x["handicap"]) if handicapped else 0)
        for x in members
    }
    counted = [one for one in scores if tallies[one]["boards"] >= settings.get("minimum_boards", 0)]
    places: dict[str, list[Any]] = {one: [0, 1, str(scores[one])] for one in scores}
    for one in counted:
        better = sum(1 for other in counted if scores[other] > scores[one])
        level = sum(1 for other in counted if scores[other] == scores[one])
        places[one] = [better + 1, level, str(scores[one])]
    return places
