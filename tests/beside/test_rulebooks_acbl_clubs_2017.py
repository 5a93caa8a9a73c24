"""Compared with real files beside the repository: rulebooks acbl clubs 2017."""

from __future__ import annotations

from fractions import Fraction

import pytest

from honours.pipeline import awarded, ranked, read_accounts
from honours.rulebooks import load
from tests.support import shared

GAME_FILES = [
    "club-games.ACA",
    "final-session-2.ACA",
    "freed-blocks.aca",
    "howell-and-mitchell.ACA",
    "late-play.ACE",
    "not-played.ACM",
    "not-ranked-overall.ACA",
    "penalty.ACM",
    "smallest-howell.ACE",
    "split-score-and-pupils.ACA",
    "three-sections.ACM",
    "tie-for-first.aca",
    "ties-at-the-last-place.ACA",
    "two-sections-scored-across.ACA",
    "web-movement.ACA",
]


@pytest.mark.parametrize("name", GAME_FILES)
def test_a_game_file_is_paid_from_the_file_alone(name: str) -> None:
    """To the cent, and in the colours of the file where one award alone makes them."""
    for account in read_accounts(shared(f"real/acblscore/{name}")):
        awards = awarded(ranked(account), load("acbl-clubs-2017"), {}).awards
        assert awards is not None
        for entrant in account.event.entrants:
            paid = entrant.published.get("masterpoints", Fraction(0))
            assert awards.amount(entrant.entrant.id) == paid, entrant.entrant.id


def test_colours_are_those_of_the_file() -> None:
    [account] = read_accounts(shared("real/acblscore/tie-for-first.aca"))
    awards = awarded(ranked(account), load("acbl-clubs-2017"), {}).awards
    assert awards is not None
    for entrant in account.event.entrants:
        colours = entrant.published.get("masterpoint_type", "")
        [award] = awards.combined[entrant.entrant.id]
        assert "+".join(award.colours) == colours, entrant.entrant.id
