"""Columns: equal to the exact way, and honest about the rows it cannot be sure of."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honours.engine.award import award, calculated_fields
from honours.engine.columns.award import award_columns, award_fields, form_of_batch
from honours.engine.columns.batch import Batch
from honours.engine.columns.evaluation import Evaluation, Shapes
from honours.engine.exact.working import Scope, Working
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import MissingInput
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.sessions]
about = "sessions"
[inputs.knee]
about = "where the line bends"
[inputs.strength]
about = "a player's strength"
per = "player"
[inputs.barred]
about = "barred"
per = "player"
type = "word"
words = ["yes", "no"]
first = "no"
[refuses.too_few]
message = "{entrants} are too few"
clause = "§1"
if = "entrants < least"
[refuses.too_weak]
message = "too weak"
clause = "§1"
if = "mean_strength < 1"
[refuses.is_barred]
message = "barred"
clause = "§1"
per = "player"
if = "barred == 'yes'"
[parameters]
exponent = { value = "3/5", clause = "§1" }
share = { value = "3/4", clause = "§1" }
cent = { value = "0.01", clause = "§1" }
whole = { value = 1, clause = "§1" }
quarter = { value = "1/4", clause = "§1" }
most = { value = 3, clause = "§1" }
least = { value = 2, clause = "§1" }
"""
RULES = '''

@rule("§1", per="entrant")
def pair_strength(sum_of_strength):
    """A pair's sum."""
    return sum_of_strength

@rule("§1", per="entrant")
def counted(pair_strength, rank_of_pair_strength, most):
    """Only the strongest count."""
    if rank_of_pair_strength > most:
        return 0
    return pair_strength

@rule("§1")
def mean_strength(sum_of_counted, most):
    """Their mean."""
    return sum_of_counted / most

@rule("§1", rounds=up("whole"))
def places(entrants, quarter):
    """A quarter, rounded up."""
    return entrants * quarter

@rule("§1")
def bent(mean_strength, knee):
    """A line with a knee."""
    return mean_strength if mean_strength <= knee else knee + mean_strength

@rule("§1", rounds=nearest("cent"))
def first(entrants, sessions, exponent, bent):
    """First place."""
    return power(entrants * sessions, exponent) * bent

@rule("§1", per="place", starts="first")
def place_award(previous, share):
    """A place."""
    return previous * share

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_place_award, tied):
    """Ties share."""
    return covered_place_award / tied
'''


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return write_book(tmp_path_factory.mktemp("books") / "columns_book", TOML, RULES)


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """A field of pairs with random strengths, ties and a knee often hit exactly."""
    ties = draw(st.lists(st.integers(1, 3), min_size=1, max_size=12))
    standings: list[Standing] = []
    for tied in ties:
        place = len(standings) + 1
        for _ in range(tied):
            strengths = draw(st.tuples(st.integers(0, 40), st.integers(0, 40)))
            players = tuple(
                Player(
                    "p",
                    facts={
                        "strength": Fraction(s, 4),
                        "barred": draw(st.sampled_from(["no", "no", "yes"])),
                    },
                )
                for s in strengths
            )
            standings.append(Standing(Entrant(str(len(standings)), players), place, tied))
    facts: dict[str, Any] = {
        "entrants": Fraction(len(standings)),
        "sessions": Fraction(draw(st.integers(1, 8)), 4),
        "knee": Fraction(draw(st.integers(1, 60)), 6),
    }
    return Field(facts, tuple(standings))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(fields(), min_size=1, max_size=5))
def test_both_ways_agree_on_random_fields(book: Rulebook, many: list[Field]) -> None:
    for field, in_columns in zip(many, award_fields(book, many), strict=True):
        exactly = award(book, field)
        assert in_columns == (None if exactly.refusal else [a.amount for a in exactly.schedule])


def test_a_value_on_the_boundary_is_derived_exactly(tmp_path: Path) -> None:
    """16 entrants and 37.509375 give exactly 20.005: a float says 20.00, the rule 20.01."""
    toml = """
[inputs.entrants]
about = "n"
[inputs.strength]
about = "s"
[parameters]
e = { value = "3/5", clause = "§1" }
t = { value = "1/15", clause = "§1" }
cent = { value = "0.01", clause = "§1" }
"""
    rules = '''
@rule("§1")
def places(entrants):
    """One."""
    return entrants / entrants

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(entrants, strength, e, t):
    """A."""
    return power(entrants + entrants, e) * strength * t
'''
    made = write_book(tmp_path / "boundary", toml, rules)
    given_ = {"entrants": "16", "strength": "37.509375"}
    batch = Batch.of(calculated_fields(made, given_), [])
    columns = award_columns(made, batch)
    assert columns.derived == 1
    assert columns.amounts[0] == Fraction("20.01") * SCALE


def test_floats_are_off_by_no_more_than_they_say() -> None:
    made = load("aga-category")
    rng = np.random.default_rng(7)
    for mean, players in zip(rng.uniform(1.5, 10.7, 60), rng.integers(5, 400, 60), strict=True):
        facts = {"mean_rating": Fraction(f"{mean:.3f}"), "players": Fraction(int(players))}
        batch = Batch.of([Field(facts)], [])
        shapes = Shapes(made, batch, form_of_batch(made, batch).graph)
        column = Evaluation(shapes, 0, 1).column("slope", "field")
        exactly = Working(made, Field(facts)).number("slope", Scope("field"))
        assert abs(Fraction(float(np.ravel(column.v)[0])) - exactly) <= column.off < 1e-14


def test_an_uneven_list_is_derived_exactly(book: Rulebook) -> None:
    """Where only some players carry a fact, the exact way decides what is missing."""
    full = Player("a", facts={"strength": Fraction(9)})
    other = Player("b", facts={"strength": Fraction(9), "barred": "no"})
    standings = tuple(Standing(Entrant(str(i), (full, other)), i + 1) for i in range(3))
    facts = {"entrants": Fraction(3), "sessions": Fraction(1), "knee": Fraction(2)}
    field = Field(facts, standings)
    assert award_fields(book, [field]) == [[a.amount for a in award(book, field).schedule]]


def test_an_entrant_without_players_among_others_with_them_is_derived_exactly(
    book: Rulebook,
) -> None:
    player = Player("a", facts={"strength": Fraction(9), "barred": "no"})
    pair, nobody = Entrant("1", (player, player)), Entrant("2")
    facts = {"entrants": Fraction(2), "sessions": Fraction(1), "knee": Fraction(2)}
    field = Field(facts, (Standing(pair, 1), Standing(nobody, 2)))
    with pytest.raises(MissingInput, match="missing 'the list of entrants with their players'"):
        award_fields(book, [field])


def test_what_was_never_rounded_is_tabulated_the_exact_way(tmp_path: Path) -> None:
    rules = RULES.replace(
        "    return sum_of_strength\n", "    return power(sum_of_strength, quarter)\n"
    )
    rules = rules.replace("def pair_strength(sum", "def pair_strength(quarter, sum")
    made = write_book(tmp_path / "wrong", TOML, rules)
    player = Player("a", facts={"strength": Fraction(9)})
    standings = tuple(Standing(Entrant(str(i), (player,)), i + 1) for i in range(3))
    facts = {"entrants": Fraction(3), "sessions": Fraction(1), "knee": Fraction(2)}
    field = Field(facts, standings)
    assert award_fields(made, [field]) == [[a.amount for a in award(made, field).schedule]]


HALVING = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1")
def first(entrants, cent):
    """A cent for each."""
    return entrants * cent

@rule("§1", per="place", starts="first")
def worth(previous, half):
    """Half of the place above."""
    return previous * half

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_worth, tied):
    """Shared."""
    return covered_worth / tied
'''
HALVING_TOML = """
[inputs.entrants]
about = "entrants"
type = "count"
[parameters]
half = { value = "1/2", clause = "§1" }
cent = { value = "0.01", clause = "§1" }
"""


def test_what_does_not_fit_puts_nothing_else_in_doubt(tmp_path: Path) -> None:
    """Below the sixtieth place a half of a half is no fraction of 64 bits, and nearly nothing."""
    book = write_book(tmp_path / "halving", HALVING_TOML, HALVING)
    many = [calculated_fields(book, {"entrants": size})[0] for size in (5, 90, 7)]
    awards = award_columns(book, Batch.of(many, []))
    assert awards.derived == 0
    exactly = [int(a.amount * SCALE) for field in many for a in award(book, field).schedule]
    assert awards.amounts.tolist() == exactly
