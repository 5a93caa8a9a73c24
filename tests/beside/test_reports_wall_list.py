"""Compared with real files beside the repository: reports wall list."""

from __future__ import annotations

import re
from pathlib import Path

from honours.formats.go import GoTournament
from honours.pipeline import ranked, read_account
from honours.reports.standings import games
from tests.support import shared


def told(path: Path) -> dict[str, list[str]]:
    """Name → results of the rounds, opponents by name, from a report of ours."""
    report = ranked(read_account(path))
    content = report.account.content
    tournament = (
        content if isinstance(content, GoTournament) else getattr(content, "tournament", None)
    )
    assert tournament is not None
    (field,) = report.lists
    names = [s.entrant.players[0].name for s in field.standings]
    cells = games(tournament, field)
    by_name = {}
    for standing in field.standings:
        row = []
        for cell in cells[standing.entrant.id]:
            match = re.match(r"(\d+)([+=-])", cell.text)
            row.append(f"{names[int(match[1]) - 1]}{match[2]}" if match else "")
        by_name[standing.entrant.players[0].name] = row
    return by_name


def test_opengotha_and_its_wall_list_say_the_same() -> None:
    folder = shared("real/opengotha")
    assert told(folder / "juvisy.xml") == told(folder / "juvisy.h9")
