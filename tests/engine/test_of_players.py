"""What rules ask of all players of an entrant: means, sums, numbers and ranks."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import award
from honours.engine.exact.working import Scope, Working
from honours.errors import MissingInput
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.engine.test_award import RULES, told, with_rules

MEMBERS = (
    RULES
    + '''
@rule("§1")
def mean_worth(mean_of_worth):
    """Over places."""
    return mean_of_worth

@rule("§1", per="entrant")
def strength(mean_of_skill, count_of_skill, rank_of_average):
    """Mean, number and rank."""
    return mean_of_skill + count_of_skill + rank_of_average

@rule("§1", per="entrant")
def average(mean_of_skill):
    """Mean."""
    return mean_of_skill

@rule("§1")
def all_skill(sum_of_skill, count_of_average):
    """All of them."""
    return sum_of_skill + count_of_average
'''
)


def people() -> Field:
    skills = {"1": (4, 2), "2": (3,), "3": (9, 1, 5)}
    standings = []
    for place, (name, given) in enumerate(skills.items(), 1):
        players = tuple(Player(f"p{s}", facts={"skill": Fraction(s)}) for s in given)
        standings.append(Standing(Entrant(name, players), place))
    return Field({"entrants": Fraction(3)}, tuple(standings))


def test_means_sums_numbers_and_ranks(tmp_path: Path) -> None:
    """Skills 3, 3 and 5 on average; of the two equal ones who has fewer players goes first."""
    working = Working(with_rules(tmp_path, MEMBERS), people())
    assert working.number("all_skill") == 4 + 2 + 3 + 9 + 1 + 5 + 3
    assert [working.number("average", Scope("entrant", i)) for i in range(3)] == [3, 3, 5]
    assert [working.number("strength", Scope("entrant", i)) for i in range(3)] == [
        3 + 2 + 3,
        3 + 1 + 2,
        5 + 3 + 1,
    ]
    assert working.number("mean_worth") == 10


def test_the_parts_of_a_sum_are_named(tmp_path: Path) -> None:
    working = Working(with_rules(tmp_path, MEMBERS), people())
    [skills, number] = working.step("all_skill").uses
    assert skills.about == "sum of skill over 6 players"
    assert skills.parts[:2] == (("p4", "4"), ("p2", "2"))
    assert [used.name for used in skills.uses] == ["skill"]
    assert number.about == "number of average over 3 entrants"
    assert number.parts == (("p4 & p2", "3"), ("p3", "3"), ("p9 & p1 & p5", "5"))
    [worth] = working.step("mean_worth").uses
    assert worth.about == "mean of worth over 1 places"
    assert worth.parts == (("place 1", "10"),)


def test_what_one_player_lacks_is_told_with_whose_it_is(tmp_path: Path) -> None:
    known = Player("Ann", facts={"skill": Fraction(4)})
    unnamed = Player("", number="77")
    for player, who in ((Player("Bob"), "Bob"), (unnamed, "77")):
        field = Field({"entrants": Fraction(2)}, (Standing(Entrant("1", (known, player)), 1),))
        working = Working(with_rules(tmp_path, MEMBERS), field)
        with pytest.raises(MissingInput) as error:
            working.number("all_skill")
        title = field.standings[0].entrant.title
        assert str(error.value) == f"missing 'skill' (a player's skill, of {who} ({title}))"


def test_a_rule_per_player_may_ask_for_what_is_per_entrant_and_a_mean_for_a_mean(
    tmp_path: Path,
) -> None:
    more = """
@rule("§1", per="player")
def beyond(skill, average):
    \"\"\"Above the average of one's own.\"\"\"
    return skill - average

@rule("§1")
def mean_average(mean_of_average):
    \"\"\"Over entrants.\"\"\"
    return mean_of_average
"""
    book = with_rules(tmp_path, MEMBERS + more)
    working = Working(book, people())
    assert [working.number("beyond", Scope("player", 2, j)) for j in range(3)] == [4, -4, 0]
    assert working.number("mean_average") == Fraction(11, 3)
    alone = Working(book, Field({"entrants": Fraction(3), "skill": Fraction(7)}))
    assert alone.number("mean_average") == 7
    everybody = alone.step("mean_average").uses[0]
    assert everybody.about == "the same for every entrant"
    assert [used.name for used in everybody.uses] == ["average"]


def test_what_one_player_lacks_is_not_asked_for_as_a_mean_of_all() -> None:
    known, other = Player("Ann", facts={"rating": Fraction(4)}), Player("Bob")
    people = [known, known, known, known, other]
    rows = tuple(Standing(Entrant(str(i), (p,)), i) for i, p in enumerate(people, 1))
    with pytest.raises(MissingInput) as error:
        award(load("aga-category"), Field({"entrants": Fraction(5)}, rows))
    about = "a player's AGA rating at the date of the tournament"
    assert str(error.value) == f"missing 'rating' ({about}, of Bob (Bob))"


def test_a_word_cannot_be_summed(tmp_path: Path) -> None:
    rules = RULES.replace("return top[level] / place", "return level")
    sentence = told(with_rules(tmp_path, rules), entrants=4)
    assert re.search(r"rules\.py, line \d+: 'worth' is not a number but ", sentence), sentence
