"""Lists that somebody makes in Python or sends: ties are counted, and what no file could say is
refused by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import honours
from honours.errors import HonoursError
from honours.model import Entrant, Field, Player, Standing

G2011 = "acbl-sof-2011"
HELD = {"class": "regional", "sessions": 2}


def of_pairs(*places: Any, **more: Any) -> Field:
    facts = {**HELD, **more}
    held: Any = {"masterpoints": "500"}
    standings = tuple(
        Standing(Entrant(str(n), (Player(f"A{n}", facts=held), Player(f"B{n}", facts=held))), place)
        for n, place in enumerate(places, 1)
    )
    return Field(facts, standings)


def test_ties_are_counted_and_texts_are_read() -> None:
    tied, apart = (
        honours.award(of_pairs(*places, *range(3, 11)), G2011, as_usual=True).awards
        for places in ((1, 1), (1, 2))
    )
    assert tied is not None
    assert apart is not None
    first, second = (tied.lists[0].schedule[n].amount for n in (0, 1))
    better, worse = (apart.lists[0].schedule[n].amount for n in (0, 1))
    assert first == second
    assert abs(2 * first - better - worse) <= Fraction(2, 100)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (of_pairs(*range(10)), "1: place 0|place 0 is not"),
        (of_pairs("1", *range(2, 11)), "place '1'"),
        (of_pairs(1, 1, *range(2, 10)), "place 2 with 2 above it"),
        (of_pairs(*range(1, 11), sesions=2), "did you mean 'sessions'"),
        (of_pairs(*range(1, 11), entrants=50), "the list has 10"),
        (of_pairs(*range(1, 11), average_masterpoints=1.5), "a float is not exact"),
    ],
)
def test_what_no_file_could_say_is_refused_by_name(field: Field, words: str) -> None:
    with pytest.raises(HonoursError, match=words):
        honours.award(field, G2011)


def test_a_negative_holding_is_refused() -> None:
    held: Any = {"masterpoints": "-5"}
    lone = Standing(Entrant("1", (Player("Ann", facts=held), Player("Bob", facts=held))), 1)
    with pytest.raises(HonoursError, match="Ann: masterpoints=-5"):
        honours.award(Field({"class": "regional"}, (lone,)), G2011)
