"""The 1,838 ranks that 47 ACBLscore events publish: in each pair's stratum and every higher one.

A pair's ranks are given from the highest stratum down, in its own section and line. Ties are
numbered one after the other, so a published rank must be one of the places a tie covers.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.model import Event, EventEntrant, Standing
from honours.scoring import ScoringOptions, score
from tests.beside.acbl import Row, entrant_id, event_of, pair_rows, result_rows

RESULTS, PAIRS = result_rows(), pair_rows()
ACROSS = {"E004", "E005", "E007", "E008"}
"""Events whose sections were ranked together, as they were compared."""
TWICE = "E002"
"""It lists every rank twice, and has neither a second stratum nor a second section."""
CONTRADICTED = {
    ("E010", "B-1N"),
    ("E010", "B-2N"),
    ("E010", "B-4N"),
    ("E028", "YY-2E"),
    ("E028", "YY-3E"),
}
"""Ranks that the pair's own printed percentage contradicts, all below the last that was paid."""


def seated(name: str) -> Event:
    """Each pair in the section it is ranked in, and in the line its number says."""
    event = event_of(name, RESULTS[name], PAIRS[name])

    def one(entrant: EventEntrant, row: Row) -> EventEntrant:
        section = row["comparison"] if name in ACROSS else row["section"]
        line = "" if row["pair"].isdigit() else {"N": "NS", "E": "EW"}[row["pair"][-1]]
        return replace(entrant, section=section, line=line)

    entrants = map(one, event.entrants, PAIRS[name])
    return replace(event, entrants=tuple(entrants))


def standings(name: str) -> dict[tuple[str, str], Standing]:
    """By entrant and stratum. A Howell has one winner and a Mitchell two, also in one event."""
    event = seated(name)
    howell = {e.entrant.id for e in event.entrants if not e.line}
    placed = {}
    for winners in (1, 2):
        options = ScoringOptions(sections_apart=True, rank_sections_apart=True, winners=winners)
        lowest = max(int(row["strat"]) for row in PAIRS[name])
        strata = tuple(str(nth) for nth in range(1, lowest + 1))
        for ranking in score(event, "acbl", replace(options, strata=strata)).rankings:
            for standing in ranking.standings:
                if (standing.entrant.id in howell) == (winners == 1):
                    placed[standing.entrant.id, ranking.stratum] = standing
    return placed


def published(row: Row, name: str) -> list[tuple[str, int]]:
    """The strata a pair is ranked in, from the highest, and its rank in each."""
    ranks = [int(rank) for rank in row["ranks"].split()]
    if name == TWICE:
        assert ranks[0] == ranks[1]
        ranks = ranks[:1]
    return [(str(nth), rank) for nth, rank in enumerate(ranks, 1)]


def test_every_pair_is_ranked_in_its_stratum_and_every_higher_one() -> None:
    for name, rows in PAIRS.items():
        for row in rows:
            assert len(published(row, name)) == int(row["strat"]), row
    assert sum(len(row["ranks"].split()) for rows in PAIRS.values() for row in rows) == 1838


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_every_rank(name: str) -> None:
    ours = standings(name)
    missed = set()
    for row in PAIRS[name]:
        who = entrant_id(row["section"], row["pair"])
        for stratum, rank in published(row, name):
            standing = ours[who, stratum]
            if not standing.place <= rank < standing.place + standing.tied:
                missed.add((name, who))
    assert missed == {one for one in CONTRADICTED if one[0] == name}


def test_the_ranks_that_contradict_their_own_event() -> None:
    """A better percentage in the same section and line with a worse rank, and no award lost."""
    for name, who in CONTRADICTED:
        rows = {entrant_id(row["section"], row["pair"]): row for row in PAIRS[name]}
        mine = rows[who]
        assert mine["awards"] == ""
        line = [r for r in rows.values() if r["section"] == mine["section"]]
        line = [r for r in line if r["pair"][-1] == mine["pair"][-1]]
        turned = [
            other
            for other in line
            if (Fraction(other["percentage"]) > Fraction(mine["percentage"]))
            != (int(other["ranks"].split()[0]) < int(mine["ranks"].split()[0]))
            and other is not mine
        ]
        assert turned, who
