"""The figures that a rulebook's source prints, as calculations that a reader can open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from honours.conformance.data import Claim, load_source, source_ids
from honours.web.calculators.calculator import CalculatorState


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """One printed figure: where it stands, and the state of the calculator that gives it."""

    source: str
    where: str
    printed: str
    take: str
    line: str
    state: CalculatorState


@cache
def figures(rulebook_id: str) -> tuple[PrintedFigure, ...]:
    """Every figure the sources print that one calculation of this rulebook gives."""
    every = (
        _figure(claim, value)
        for source in source_ids()
        for claim in load_source(source).claims
        for value in list(claim.let.values())[:1]
        if len(claim.let) == 1 and isinstance(value, Mapping)
        if value["rulebook"] == rulebook_id and value.get("given") and not value.get("list")
    )
    return tuple(every)


def _figure(claim: Claim, value: Mapping[str, Any]) -> PrintedFigure:
    given = {str(key): str(text) for key, text in value["given"].items()}
    changes = {str(key): str(text) for key, text in value.get("set", {}).items()}
    take = str(value["take"])
    kind, _, place = take.partition(":")
    at = int(place) if kind == "at" and place.isdecimal() else 1
    state = CalculatorState(given, changes, "", str(value.get("ties", "")), at)
    printed = claim.printed if len(claim.printed) < 80 else claim.printed[:79] + "…"
    return PrintedFigure(
        claim.source, claim.where, printed, take, str(value.get("line", "")), state
    )


def figures_beside(rulebook_id: str, state: CalculatorState) -> dict[tuple[str, int], str]:
    """Return the figures that the source prints for this very calculation, by line and place."""
    same = (f for f in figures(rulebook_id) if f.state.at(1) == state.at(1) and not state.variant)
    return {(f.line, f.state.place): f.printed for f in same if f.take.startswith("at:")}
