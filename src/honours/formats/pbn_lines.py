"""A line of a PBN table of results, as it becomes a Result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from honours.formats.contracts import (
    average,
    is_not_played,
    is_passed_out,
    parse_contract,
    parse_ruling,
    parse_score,
    parse_seat,
    parse_tricks,
)
from honours.formats.pbn import Row
from honours.formats.problems import Problems
from honours.formats.sheet import parse_number
from honours.model import AdjustedScore, ArtificialScore, AssignedScore, Result, Value
from honours.model.message import Message

_PUBLISHED = {
    "MP_NS": "ns_matchpoints",
    "MP_EW": "ew_matchpoints",
    "MP_North": "ns_matchpoints",
    "MP_East": "ew_matchpoints",
    "IMP_NS": "ns_imps",
    "IMP_EW": "ew_imps",
    "IMP_North": "ns_imps",
    "IMP_East": "ew_imps",
    "Percentage_NS": "ns_percentage",
    "Percentage_EW": "ew_percentage",
    "Percentage_North": "ns_percentage",
    "Percentage_East": "ew_percentage",
}
_AVERAGE = ArtificialScore(Fraction(1, 2))


def number(row: Row, column: str, line: int, problems: Problems) -> Fraction | None:
    text = row.get(column, "")
    return problems.attempt(line, parse_number, text) if text else None


def whole(row: Row, name: str) -> int:
    text = row.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def in_order(key: str) -> tuple[int, str]:
    """What numbers of entrants are sorted by: as numbers where they are."""
    return (int(key) if key.isdecimal() and len(key) < 10 else 0, key)


def figures(row: Row, line: int, problems: Problems) -> dict[str, Value]:
    """What a line publishes."""
    published: dict[str, Value] = {}
    for column, name in _PUBLISHED.items():
        figure = number(row, column, line, problems)
        if figure is not None:
            published[name] = figure
    return published


def outcome(row: Mapping[str, str], bare: Result) -> Result:
    """What happened; each side's average is its own, one that stands alone is for both."""
    contract, ns, ew = (row.get(name, "") for name in ("Contract", "Score_NS", "Score_EW"))
    if contract and is_passed_out(contract) and all(is_passed_out(s) for s in (ns, ew) if s):
        return replace(bare, score=0, passed_out=True)
    if any(is_not_played(text) for text in (contract, ns) if text):
        return bare
    sides = [average(text) if text else None for text in (ns, ew)]
    if ns and ew and any(sides):
        return replace(
            bare, adjusted=AdjustedScore(_given(sides[0], ns, 1), _given(sides[1], ew, -1))
        )
    for text in (contract, ns, ew):
        if text and (ruling := parse_ruling(text)) is not None:
            return replace(bare, adjusted=ruling)
    if contract.upper() == "A" and not ns and not ew:
        return replace(bare, adjusted=AdjustedScore(_AVERAGE, _AVERAGE))
    score = parse_score(ns) if ns else -parse_score(ew) if ew else None
    if not contract:
        return replace(bare, score=score)
    if is_passed_out(contract):
        return replace(bare, score=score or 0, passed_out=True)
    return _played(row, contract, replace(bare, score=score))


def _played(row: Mapping[str, str], contract: str, bare: Result) -> Result:
    call = parse_contract(contract)
    declarer = parse_seat(row.get("Declarer", "").lstrip("^"))
    tricks = parse_tricks(row["Result"], call.level) if row.get("Result") else None
    if tricks is None and bare.score is None:
        raise ValueError(
            Message("contract {contract!r} without result or score", contract=contract)
        )
    return replace(bare, contract=call.played_by(declarer), tricks=tricks)


def _given(
    artificial: ArtificialScore | None, text: str, sign: int
) -> ArtificialScore | AssignedScore:
    """A side's average, or its own score as seen by North-South."""
    if artificial is not None:
        return artificial
    return AssignedScore(((Fraction(1), sign * parse_score(text)),))
