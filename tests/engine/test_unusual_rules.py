"""Rules that an author may write and no rulebook of ours has: both ways award the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import award, calculate
from honours.engine.columns.award import award_fields
from honours.engine.rulebook.lint import both_ways
from honours.errors import MissingInput
from honours.model import Entrant, Field, Player, Standing
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "how many"
type = "count"
[inputs.counted]
about = "how many count"
least = -2
[inputs.held]
about = "what a player holds"
per = "player"
first = 3
[parameters]
half = { value = "1/2", clause = "§1" }
third = { value = "1/3", clause = "§1" }
whole = { value = 1, clause = "§1" }
cent = { value = "0.01", clause = "§1" }
"""
PLACES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants


@rule("§1", rounds=up("whole"))
def upper_half(entrants, half):
    """Half of them."""
    return entrants * half
'''
BEST = (
    PLACES
    + '''
@rule("§2", best="BEST")
def strength(sum_of_best_held):
    """Of the best."""
    return sum_of_best_held


@rule("§2", per="entrant", best="BEST")
def own(sum_of_best_held, upper_half):
    """Of an entrant's best."""
    return sum_of_best_held + upper_half


@rule("§3", per="entrant", rounds=nearest("cent"))
def award(strength, own, place):
    """Award."""
    return strength / place + own
'''
)


def field(counted: str, *held: tuple[int, ...]) -> Field:
    standings = tuple(
        Standing(
            Entrant(str(n), tuple(Player("p", facts={"held": Fraction(h)}) for h in own)), n + 1
        )
        for n, own in enumerate(held)
    )
    facts = {"entrants": Fraction(len(held)), "counted": Fraction(counted)}
    return Field(facts, standings)


@pytest.mark.parametrize("best", ["counted", "upper_half"])
def test_as_many_count_as_each_event_says(tmp_path: Path, best: str) -> None:
    book = write_book(tmp_path / "best", TOML, BEST.replace("BEST", best))
    fields = [
        field("1", (5, 7), (9, 2), (4, 4)),
        field("2.5", (5, 7), (9, 2), (4, 4)),
        field("-2", (5, 7), (9, 9, 1)),
        field("100", (8,)),
    ]
    assert list(both_ways(book, [(str(n), one) for n, one in enumerate(fields)])) == []


def test_the_best_count_in_a_rule_that_goes_down_the_places(tmp_path: Path) -> None:
    rules = (
        PLACES
        + '''
@rule("§2", per="place", starts="upper_half", best="counted")
def worth(previous, sum_of_best_held, half):
    """Of a place."""
    return previous * half + sum_of_best_held


@rule("§3", per="entrant", rounds=nearest("cent"))
def award(covered_worth, tied):
    """Shared."""
    return covered_worth / tied
'''
    )
    book = write_book(tmp_path / "down", TOML, rules)
    fields = [field("1", (5, 7), (9, 2), (4, 4)), field("2", (5, 7), (9, 2), (4, 4))]
    assert list(both_ways(book, [(str(n), one) for n, one in enumerate(fields)])) == []


def test_what_a_tie_covers_reaches_a_rule_per_player(tmp_path: Path) -> None:
    rules = (
        PLACES
        + '''
@rule("§2", per="place")
def worth(place, entrants):
    """Of a place."""
    return entrants - place


@rule("§3", per="player", rounds=nearest("cent"))
def award(covered_worth, tied, held, upper_half):
    """Each player's own."""
    return covered_worth / tied + held * upper_half
'''
    )
    book = write_book(tmp_path / "covered", TOML, rules)
    listed = field("1", (5, 7), (9, 2, 1), (4,))
    assert list(both_ways(book, [("three", listed)])) == []


@pytest.mark.parametrize("many", ["counted", "power(entrants, third)", "sum_of_root"])
def test_fewer_places_than_none_pay_nobody_and_part_of_one_is_none(
    tmp_path: Path, many: str
) -> None:
    """The cube root of 64 is 4, whatever a float makes of it."""
    argument = "sum_of_root" if many == "sum_of_root" else "entrants"
    rules = PLACES.replace("return entrants\n", f"return {many}\n").replace(
        "def places(entrants",
        f"def places({argument}, counted, third",
    )
    rules += '''
@rule("§2", per="place")
def worth(place, entrants):
    """Of a place."""
    return entrants - place


@rule("§2", per="player")
def root(held, third):
    """Its cube root."""
    return power(held, third)


@rule("§3", per="entrant", rounds=nearest("cent"))
def award(covered_worth, tied, upper_half):
    """Shared."""
    return covered_worth / tied * upper_half
'''
    book = write_book(tmp_path / "fewer", TOML, rules)
    some = [field(counted, *[(n,)] * n) for counted, n in (("-2", 3), ("2.5", 4), ("1", 64))]
    some.append(field("1", (64,), (0,), (0,), (0,), (0,), (0,)))
    assert list(both_ways(book, [(str(n), one) for n, one in enumerate(some)])) == []


def test_a_rank_of_players_asks_for_the_list_of_players(tmp_path: Path) -> None:
    rules = (
        PLACES
        + '''
@rule("§3", per="player", rounds=nearest("cent"))
def award(rank_of_held, upper_half, counted):
    """By rank."""
    return upper_half / rank_of_held + counted
'''
    )
    book = write_book(tmp_path / "ranked", TOML, rules)
    without = field("1", (5,), ())
    with pytest.raises(MissingInput, match="the list of entrants with their players"):
        award(book, without)
    with pytest.raises(MissingInput, match="the list of entrants with their players"):
        award_fields(book, [without])


@pytest.mark.parametrize("ranked", ["seed", "same"])
def test_entrants_may_be_ranked_by_what_they_are_told_to_have(tmp_path: Path, ranked: str) -> None:
    rules = (
        PLACES
        + f'''
@rule("§2", per="entrant")
def same(upper_half, half):
    """The same for all."""
    return power(upper_half, half)


@rule("§3", per="entrant", rounds=nearest("cent"))
def award(rank_of_{ranked}, mean_of_held, same, tied):
    """By the rank."""
    return mean_of_held / rank_of_{ranked} + power(mean_of_held, same) + tied
'''
    )
    seeded = TOML + '[inputs.seed]\nabout = "s"\nper = "entrant"\nleast = -9\n'
    seeded += '[refuses.weak]\nmessage = "weak"\nclause = "§4"\nif = "sum_of_seed > sum_of_held"\n'
    book = write_book(tmp_path / "ranked", seeded, rules)
    listed = field("1", (5, 7), (9, 2), (4, 4), (1,))
    seeds = zip(listed.standings, (2, -1, 2, 3), strict=True)
    standings = tuple(replace(s, facts={"seed": Fraction(n)}) for s, n in seeds)
    assert list(both_ways(book, [("four", replace(listed, standings=standings))])) == []


def test_a_calculation_says_why_all_players_of_a_place_get_nothing(tmp_path: Path) -> None:
    rules = (
        PLACES
        + '''
@rule("§3", per="entrant", rounds=nearest("cent"))
def award(place, upper_half, counted):
    """By place."""
    return upper_half * counted / place
'''
    )
    rich = """
[refuses.rich]
message = "holds {held}"
clause = "§4"
per = "player"
if = "held > upper_half"
"""
    given = {"entrants": 2, "counted": 1, "held": "1+5,9+9"}
    [awards] = calculate(write_book(tmp_path / "rich", TOML + rich, rules), given)
    assert [str(notice.text) for notice in awards.notices] == [
        "player 2 of place 1 gets nothing: holds 5",
        "place 2 gets nothing: holds 9",
    ]


def test_a_place_that_gets_nothing_between_others_is_in_a_calculation(tmp_path: Path) -> None:
    rules = (
        PLACES
        + '''
@rule("§3", per="entrant", rounds=nearest("cent"))
def award(place, upper_half, counted):
    """Won above the middle, lost below."""
    return (upper_half - place) * counted
'''
    )
    given = {"entrants": 5, "counted": 1}
    [awards] = calculate(write_book(tmp_path / "middle", TOML, rules), given)
    assert [one.shown for one in awards.schedule] == ["2.00", "1.00", "0.00", "-1.00", "-2.00"]
    upper = rules.replace("(upper_half - place)", "max(upper_half - place, 0)")
    [awards] = calculate(write_book(tmp_path / "upper", TOML, upper), given)
    assert [one.shown for one in awards.schedule] == ["2.00", "1.00"]
    figure = TOML + '[figures.rating]\nabout = "a rating"\nquantity = "award"\n'
    [awards] = calculate(write_book(tmp_path / "rated", figure, upper), given)
    assert [one.figures[0].shown for one in awards.schedule][3:] == ["0.00", "0.00"]
