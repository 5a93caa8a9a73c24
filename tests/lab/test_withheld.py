"""Who is refused an award that a partner gets is not paid in the lab either."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from honours.engine.event_awards import award_event
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus
from honours.lab.left_out import reasons
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Shard
from honours.model import Entrant, Field, Player, Standing
from tests.engine.books import write_book

RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="LEVEL", rounds=nearest("unit"))
def award(place, entrants, unit):
    """More to who comes first."""
    return (entrants + 1 - place) * unit
'''
TOML = """
[lists]
strata = "each"
combine = "COMBINE"
[inputs.entrants]
about = "how many"
type = "count"
[inputs.masterpoints]
about = "what a player holds"
per = "player"
MORE
[refuses.too_strong]
message = "more than {limit} masterpoints"
clause = "§2"
per = "player"
if = "masterpoints > limit"
[refuses.too_few]
message = "{entrants} entered"
clause = "§2"
if = "entrants < least"
[parameters]
limit = { value = 500, clause = "§2" }
least = { value = 8, clause = "§2" }
unit = { value = "1/4", clause = "§1" }
"""
LEVELS = """
[inputs.stratum_level]
about = "which stratum below the top"
first = 0
"""


def _book(folder: Path, combine: str, more: str = "", level: str = "entrant") -> Rulebook:
    toml = TOML.replace("COMBINE", combine).replace("MORE", more)
    return write_book(folder / "withheld", toml, RULES.replace("LEVEL", level))


def _exactly(book: Rulebook, shard: Shard, row: int) -> list[int]:
    """What each player of an event is paid through the door a single event goes."""
    first, last = (int(n) for n in shard.entrant_offsets[row : row + 2])
    standings = []
    for k in range(first, last):
        rows = range(*(int(n) for n in shard.player_offsets[k : k + 2]))
        held = [Fraction(int(shard.holding[j]), 100) for j in rows]
        players = tuple(Player(str(j), facts={"masterpoints": n}) for j, n in enumerate(held))
        stratum = {"stratum": "ABC"[shard.stratum[k]]}
        entrant = Entrant(str(k), players)
        standings.append(Standing(entrant, int(shard.place[k]), int(shard.tied[k]), facts=stratum))
    awards = award_event(book, [Field({}, tuple(standings))], {})
    each = []
    for standing in standings:
        for p, player in enumerate(standing.entrant.players):
            own = [
                a.amount_of(p)
                for a in awards.combined.get(standing.entrant.id, ())
                if player.name not in {withheld.name for withheld, _ in a.withheld}
            ]
            each.append(int(sum(own) * SCALE))
    return each


@pytest.mark.parametrize("combine", ["best", "sum"])
@pytest.mark.parametrize("way", ["columns", "whole", "player"])
def test_what_is_withheld_is_not_paid(
    corpus: Corpus, tmp_path: Path, combine: str, way: str
) -> None:
    level = "player" if way == "player" else "entrant"
    book = _book(tmp_path, combine, LEVELS if way == "whole" else "", level)
    shard = corpus.read(0)
    rows = [row for row in range(len(shard.ids)) if shard.sizes[row] < 30][:6]
    shard = shard.only(rows)
    awards = award_shard(book, shard)
    assert awards.of_players is not None
    assert awards.derived == 0
    starts = shard.player_offsets[shard.entrant_offsets]
    partly = 0
    for row in range(len(rows)):
        own = awards.of_players[starts[row] : starts[row + 1]].tolist()
        assert own == _exactly(book, shard, row)
        partly += 0 in own and any(own)
    assert partly
    assert awards.to_players(shard).sum() == awards.of_players.sum()


def test_events_of_a_rulebook_by_player_that_are_awarded_as_a_whole_are_awarded(
    corpus: Corpus, tmp_path: Path
) -> None:
    book = _book(tmp_path, "best", LEVELS, "player")
    shard = corpus.read(0)
    shard = shard.only(np.flatnonzero(shard.sizes < 30)[:4])
    awards = award_shard(book, shard)
    assert not awards.refused[shard.sizes >= 8].any()
    assert set(reasons(book, shard, awards)[1]) <= {f"{book.id}: {n} entered" for n in range(8)}
