"""The worked boards of docs/conventions.md are what the scorer gives."""

from __future__ import annotations

from fractions import Fraction

import pytest

from honours.model import AdjustedScore, Result
from honours.scoring.matchpoints import matchpoint_board
from honours.scoring.profiles import profile, profile_names
from tests.scoring.events import AVERAGE, line, ruled
from tests.support import ROOT

Table = dict[str, list[str]]


def table(first: str) -> tuple[list[str], Table]:
    """The table whose first heading is this: its other headings, and its rows by name."""
    lines = (ROOT / "docs/conventions.md").read_text(encoding="utf-8").splitlines()
    start = next(n for n, text in enumerate(lines) if text.startswith(f"| {first} |"))
    rows = []
    for text in lines[start:]:
        if not text.startswith("|"):
            break
        rows.append([cell.strip() for cell in text.strip("|").split("|")])
    return rows[0][1:], {row[0]: row[1:] for row in rows[2:]}


def results(headings: list[str]) -> list[Result]:
    lines = []
    for nth, heading in enumerate(headings):
        version, _, score = heading.rpartition(": ")
        names = f"N{nth}", f"E{nth}"
        if heading == "average":
            lines.append(ruled(9, *names, AdjustedScore(AVERAGE, AVERAGE)))
        else:
            lines.append(line(9, *names, int(score.replace("−", "-")), version))
    return lines


@pytest.mark.parametrize(("name", "expected"), [("missing", 5), ("adjusted", 5), ("fouled", 9)])
def test_worked_boards(name: str, expected: int) -> None:
    headings, rows = table(name)
    for program, cells in rows.items():
        scored = matchpoint_board(results(headings), expected, profile(program))
        assert [x.ns.points for x in scored if x.ns] == [Fraction(cell) for cell in cells], program
    assert name == "fouled" or list(rows) == list(profile_names())
