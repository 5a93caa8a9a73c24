"""A calculation that is told of each entrant and player gives what a file of them gives."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import calculate
from honours.engine.event_awards import award_event
from honours.errors import InputError
from honours.model import Entrant, Field, Origin, Player, Standing
from honours.reports.awards import calculation_text
from honours.rulebooks import load
from tests.engine.books import write_book
from tests.engine.test_sayable import CAPPED, CAPPED_RULES, write
from tests.support import cases

HELD = ((900, 300), (500, 40), (120, 80), (60, 5), (700, 650), (1, 2), (33, 44), (2500, 8))
TEXT = ", ".join(f"{a}+{b}" for a, b in HELD)
GIVEN = {"kind": "pairs", "sessions": "2", "class": "regional"}


def test_holdings_of_players_are_those_of_a_file() -> None:
    book = load("acbl-sof-2020")
    standings = tuple(
        Standing(
            Entrant(str(k), tuple(Player("", facts={"masterpoints": Fraction(h)}) for h in pair)),
            k,
            1,
        )
        for k, pair in enumerate(HELD, 1)
    )
    event = award_event(book, [Field({}, standings)], GIVEN)
    [awards] = calculate(book, {**GIVEN, "masterpoints": TEXT})
    assert [a.shown for a in awards.schedule] == [
        a.shown for a in event.lists[0].schedule if a.amount
    ]
    assert awards.quantities["strength_factor"] == event.lists[0].quantities["strength_factor"]
    known = {one.name: one for one in awards.known}
    assert known["masterpoints"].source == "what was given"
    assert (known["entrants"].origin, known["entrants"].value) == (Origin.DERIVED, Fraction(8))


def test_a_single_value_is_meant_of_everybody() -> None:
    book = load("acbl-sof-2020")
    alike = ",".join(["500+500"] * 6)
    [listed] = calculate(book, {**GIVEN, "masterpoints": alike})
    [plain] = calculate(book, {**GIVEN, "masterpoints": "500", "entrants": "6"})
    assert [a.amount for a in listed.schedule] == [a.amount for a in plain.schedule]


def test_ties_and_who_is_refused_are_told_by_place() -> None:
    given = {"kind": "pairs", "winners": "1"}
    boards = "24+24, 24+24, 24+2, 24+24, 24+24, 24+24, 24+24, 24+24, 24+24"
    [awards] = calculate(load("sbu-clubs-2016"), {**given, "boards_played": boards}, "2-3")
    assert [a.standing.place for a in awards.schedule][:3] == [1, 2, 2]
    assert "player 2 of place 2 gets nothing: played 2 boards" in str(awards.notices[0].text)


@cases
def test_what_does_not_agree_is_said(book: str, given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=problem.replace("+", r"\+")):
        calculate(load(book), {**(GIVEN if "acbl" in book else {}), **given})


def test_players_awarded_differently_are_shown_apart(tmp_path: Path) -> None:
    book = write(tmp_path, CAPPED.replace("red_share", "#"), CAPPED_RULES)
    awards = calculate(book, {"earned": "0+8, 9+12"})
    assert [list(map(int, a.shares)) for a in awards[0].schedule] == [[4, 2], [1, 0]]
    text = str(calculation_text(book, awards, None))
    assert "4.00 / 2.00" in text
    assert "Told: earned of 4 players" in text


def test_what_is_told_of_players_and_of_entrants_goes_together(tmp_path: Path) -> None:
    """Of the first nothing is said but what its players have."""
    toml = """
[inputs.skill]
about = "skill"
per = "player"
[inputs.seed]
about = "seed"
per = "player"
[inputs.bonus]
about = "bonus"
per = "entrant"
first = 0
[parameters]
all = { value = 2, clause = "§1" }
"""
    rules = '''
@rule("§1")
def places(all):
    """Both."""
    return all

@rule("§1", per="entrant")
def award(sum_of_skill, sum_of_seed, bonus):
    """All together."""
    return sum_of_skill + sum_of_seed + bonus
'''
    book = write_book(tmp_path / "told", toml, rules)
    [awards] = calculate(book, {"skill": "1+2, 30+40", "seed": "5+6, 7+8", "bonus": ", 100"})
    assert [a.amount for a in awards.schedule] == [1 + 2 + 5 + 6, 30 + 40 + 7 + 8 + 100]
