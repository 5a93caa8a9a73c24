"""Compared with real files beside the repository: formats table standings."""

import csv
from collections import Counter
from pathlib import Path

from honours.formats.table_standings import (
    StandingsTable,
    read_standing_events,
)
from honours.model import Standing
from tests.support import shared


def test_the_real_table_of_47_events() -> None:
    """Its places are ours, but where it breaks ties, ranks sections apart or, in two small
    lists, orders by something it does not give."""
    path = shared("real/acbl/pairs.csv")
    table = read_standing_events(path)
    assert isinstance(table, StandingsTable)
    standings = [s for event in table.events for s in event.standings]
    players = [p for s in standings for p in s.entrant.players]
    assert (len(table.events), len(standings), len(players)) == (47, 1000, 2000)
    assert sum(len(event.lists) for event in table.events) == 99
    assert all("masterpoints" in p.facts for p in players)
    assert Counter(str(s.facts["stratum"]) for s in standings) == {"1": 434, "2": 311, "3": 255}
    ranks = published_ranks(path)
    differ = Counter(
        event.event
        for event in table.events
        for s in event.standings
        if not s.place <= ranks[event.event, str(s.facts["section"]), number(s)] < s.place + s.tied
    )
    assert set(differ) == {"E010", "E028", "E029", "E037"}
    assert sum(differ.values()) == 67


def published_ranks(path: Path) -> dict[tuple[str, str, str], int]:
    with path.open(encoding="utf-8") as file:
        return {
            (row["event"], row["section"], row["pair"]): int(row["ranks"].split()[0])
            for row in csv.DictReader(file)
        }


def number(standing: Standing) -> str:
    return standing.entrant.id.removeprefix(str(standing.facts["section"]))
