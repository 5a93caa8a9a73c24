"""What is kept from batch to batch: shapes by their facts, and words only where rules take them."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.engine.award import award
from honours.engine.columns.award import award_fields
from honours.engine.columns.batch import distinct
from honours.engine.graph import form_of
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "entrants"
[inputs.strength]
about = "a player's strength"
per = "player"
[parameters]
whole = { value = 1, clause = "§1" }
cent = { value = "0.01", clause = "§1" }
"""
RULES = '''
@rule("§1")
def share(entrants, whole):
    """One over the entrants above one."""
    return whole / (entrants - whole)

@rule("§1")
def places(entrants):
    """Everybody."""
    return entrants

@rule("§1", per="place")
def place_award(place, share):
    """Less for each place."""
    return share / place

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_place_award, tied, sum_of_strength):
    """Ties share."""
    return covered_place_award / tied * sum_of_strength
'''

whole_numbers = st.integers(-(2**62), 2**62)


@given(st.lists(st.tuples(st.integers(0, 3), whole_numbers, st.integers(0, 2))))
def test_distinct_rows_are_numbered(rows: list[tuple[int, int, int]]) -> None:
    columns = [np.array([row[k] for row in rows], np.int64) for k in range(3)]
    first, of = distinct(columns, len(rows))
    assert [rows[first[k]] for k in of] == rows
    assert len(first) == len(set(rows))
    assert all(rows.index(rows[i]) == i for i in first)


def _field(entrants: int, strength: int = 7) -> Field:
    player = Player("p", facts={"strength": Fraction(strength, 3)})
    standings = tuple(Standing(Entrant(str(i), (player,)), i + 1) for i in range(entrants))
    return Field({"entrants": Fraction(entrants)}, standings)


def _agree(book: Rulebook, fields: list[Field]) -> list[list[Fraction] | None]:
    exactly = [award(book, field) for field in fields]
    expected = [None if a.refusal else [x.amount for x in a.schedule] for a in exactly]
    assert award_fields(book, fields) == expected
    return expected


def test_what_failed_is_not_kept(tmp_path: Path) -> None:
    """A shape that cannot be worked out spoils neither those known nor those to come."""
    book = write_book(tmp_path / "kept", TOML, RULES)
    for known in ([], [_field(4), _field(2)]):
        if known:
            _agree(book, known)
        with pytest.raises(InputError, match="a division by zero"):
            award_fields(book, [_field(3), _field(1)])
    _agree(book, [_field(3), _field(5), _field(4, strength=2)])


LIMITS = """
three = { value = 3, clause = "§1" }
limit = { value = "7/3", clause = "§1" }
tenth = { value = "0.1", clause = "§1" }
"""
REFUSALS = """
[refuses.too_few]
message = "too few"
clause = "§1"
if = "entrants <= whole + whole"

[refuses.too_small]
message = "too small"
clause = "§1"
if = "third < limit"
"""
WEAK = """
[refuses.too_weak]
message = "too weak"
clause = "§1"
if = "mean_of_strength < limit"
"""
THIRD = '''
@rule("§1")
def third(entrants, three):
    """Not rounded."""
    return entrants / three

@rule("§1", rounds=up("tenth"))
def bonus(entrants, tenth):
    """In steps of a tenth."""
    return entrants * tenth
'''


def test_refusals_are_asked_one_after_the_other_and_exactly_at_their_limits(tmp_path: Path) -> None:
    """Too few; a third of seven and a mean of 7/3 are just enough."""
    book = write_book(tmp_path / "shape", TOML + LIMITS + REFUSALS, RULES + THIRD)
    paid = _agree(book, [_field(2), _field(6), _field(7), _field(8), _field(2), _field(6)])
    assert [bool(p) for p in paid] == [False, False, True, True, False, False]
    book = write_book(tmp_path / "field", TOML + LIMITS + REFUSALS + WEAK, RULES + THIRD)
    fields = [_field(2), _field(6), _field(7), _field(8, 6), _field(9, 9), _field(2, 6)]
    assert [bool(p) for p in _agree(book, fields)] == [False, False, True, False, True, False]


def test_what_all_of_a_shape_share_is_exact_on_a_boundary(tmp_path: Path) -> None:
    """3 × 0.1 is above 0.3 in floats, and would be rounded up to 0.4."""
    rules = RULES.replace("sum_of_strength)", "sum_of_strength, bonus)")
    rules = rules.replace("* sum_of_strength", "* sum_of_strength + bonus")
    book = write_book(tmp_path / "bonus", TOML + LIMITS, rules + THIRD)
    _agree(book, [_field(n) for n in (7, 3, 4, 6, 3, 12)])


def test_batches_of_other_words_are_not_taken_for_one_another() -> None:
    book = load("acbl-sof-2020")
    players = (Player("p", facts={"masterpoints": Fraction(900)}),) * 4
    standings = tuple(Standing(Entrant(str(i), players), i) for i in range(1, 7))
    facts = {"entrants": Fraction(6), "sessions": Fraction(2)}
    paid = [
        _agree(book, [Field({"kind": kind, "class_": class_, **facts}, standings)])
        for kind in ("pairs", "swiss")
        for class_ in ("regional", "sectional")
    ]
    assert all(one != other for one, other in itertools.combinations(paid, 2))


def test_cases_of_the_same_rules_have_the_same_graph() -> None:
    """Pairs and individuals are awarded alike; the class is a number, the stratum only chooses."""
    book = load("acbl-sof-2020")
    known = (("entrants", "sessions"), ("masterpoints",))

    def graph(kind: str, class_: str) -> tuple[object, tuple[str, ...]]:
        form = form_of(book, *known, {"kind": kind, "class_": class_, "stratum_kind": "none"})
        return form.key, form.words

    assert graph("pairs", "regional") == graph("individual", "sectional")
    assert graph("pairs", "regional")[0] != graph("swiss", "regional")[0]
    assert graph("pairs", "regional")[1] == ("class_",)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("how", ["sum_of", "mean_of", "count_of"])
def test_what_all_players_of_a_field_come_to(tmp_path: Path, how: str, last: bool) -> None:
    """Whether the award asks for it before or after what its place covers."""
    of_all = f'\n@rule("§1")\ndef of_all({how}_strength):\n    return {how}_strength\n'
    rules = RULES.replace(", sum_of_strength)", ")").replace("* sum_of_strength", "* of_all")
    head = re.search(r"def award\((.*)\):", rules)
    assert head
    named = f"{head[1]}, of_all" if last else f"of_all, {head[1]}"
    rules = rules.replace(head[1], named) + of_all
    _agree(write_book(tmp_path / how, TOML, rules), [_field(3), _field(4, 2), _field(3, 5)])
