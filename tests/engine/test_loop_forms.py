"""What a loop can hold stays in one loop; what it cannot is worked out by columns, and rightly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from honours.engine.award import award
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import QuantityColumn
from honours.engine.compiled.columns import ColumnWorking
from honours.engine.compiled.kept_forms import kept_form
from honours.engine.compiled.memo import LARGEST_FACT, MOST_ROWS
from honours.engine.exact.working import Working
from honours.engine.rulebook import Rulebook
from tests.engine.fused_books import (
    FIELDS,
    PLACES,
    WEIGHED,
    agree,
    agree_in_units,
    field,
    in_units,
    made,
)
from tests.uncompiled import without_compiling

RANKED = (
    PLACES
    + '''
@rule("§1", per="entrant")
def strong(sum_of_strength: Number) -> Number:
    """An entrant's strength."""
    return sum_of_strength

@rule("§1", rounds=up("cent"))
def factor(mean_of_strength: Number, third: Number) -> Number:
    """Of the field."""
    return mean_of_strength * third

@rule("§1", per="entrant", rounds=down("cent"))
def award(rank_of_strong: Number, factor: Number, tied: Number) -> Number:
    """By strength alone."""
    return factor / rank_of_strong / tied
'''
)
WEAK = """
@refuses("weak", "§1", per="player")
def weak(strength: Number, whole: Number) -> bool:
    return strength < whole
"""
LEVEL = [
    field([(9, 3), (6, 6), (12,), (4, 4, 4), (20,), (1, 1)]),
    field([(1,), (2,), (2,), (3, 4)], {2: 2}),
]


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiling(monkeypatch)


def _in_one_loop(book: Rulebook) -> bool:
    agree(book)
    return kept_form(book, Batch.of(FIELDS, [])).loop is not None


def test_ranks_and_roundings_up_and_down_are_in_the_loop(tmp_path: Path) -> None:
    book = made(tmp_path, RANKED)
    assert _in_one_loop(book)
    agree(book, LEVEL)
    agree_in_units(book, LEVEL)


def test_a_sum_per_entrant_of_what_rules_make_of_players_is_in_the_loop(tmp_path: Path) -> None:
    rules = WEIGHED.replace("tied: Number)", "tied: Number, sum_of_weight: Number)")
    rules = rules.replace("covered_worth / tied", "covered_worth / tied + sum_of_weight")
    assert _in_one_loop(made(tmp_path, rules))


def test_what_a_holding_weighs_is_worked_out_once(tmp_path: Path) -> None:
    book, batch = made(tmp_path, WEIGHED), in_units(Batch.of(FIELDS, []))
    agree_in_units(book)
    loop = kept_form(book, batch).loop
    assert loop is not None
    assert loop.source.memo is not None
    assert loop.source.memo.names("number") == ("third",)
    assert loop.source.memo.names("shape") == ("sessions",)
    assert loop.source.memo.rules == {"r_weight"}
    assert loop.text.count("memo[") == 5  # two and the odd one read, one by one again, and kept


def test_what_is_too_large_to_be_remembered_is_worked_out_each_time(tmp_path: Path) -> None:
    """Facts about the largest that is remembered, in fields of 1 to 5 players, twice."""
    book, edge = made(tmp_path, WEIGHED), LARGEST_FACT
    near = [(edge,), (edge + 1, edge - 1), (4 * edge, 3, edge), (edge, 2**33)]
    fields = [field([own, (5, 4), (1,)][: 1 + k % 3]) for k, own in enumerate((*near, *near))]
    agree_in_units(book, fields)
    agree_in_units(book, fields[::-1])


def test_what_differs_from_field_to_field_is_remembered_for_some_and_right_for_all(
    tmp_path: Path,
) -> None:
    """Twice as many lengths of an event as have a row in the memory, each of them twice."""
    book = made(tmp_path, WEIGHED)
    fields = [
        field([(9, 3), (7, 7, 1), (5,)], sessions=sessions)
        for sessions in (*range(1, 2 * MOST_ROWS + 1), *range(2 * MOST_ROWS, 0, -1))
    ]
    agree_in_units(book, fields)
    agree_in_units(book, fields[::-1])
    loop = kept_form(book, in_units(Batch.of(fields, []))).loop
    assert loop is not None
    assert loop.source.memo is not None


def test_who_is_refused_by_player_is_left_out_after_the_loop(tmp_path: Path) -> None:
    assert _in_one_loop(made(tmp_path / "all", WEIGHED))
    assert _in_one_loop(made(tmp_path / "some", WEIGHED + WEAK))
    agree(made(tmp_path / "some", WEIGHED + WEAK), LEVEL)


@pytest.mark.parametrize("rules", [WEIGHED, RANKED, WEIGHED + WEAK], ids=["sums", "ranks", "weak"])
def test_words_nobody_reads_are_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    """Of many players only the first has the words how its quantity was got."""
    book = made(tmp_path, rules)
    short = [award(book, each) for each in (*FIELDS, *LEVEL)]
    monkeypatch.setattr(Working, "bare_step", Working.step)
    assert short == [award(book, each) for each in (*FIELDS, *LEVEL)]


def test_a_whole_unit_is_rounded_to(tmp_path: Path) -> None:
    rules = WEIGHED.replace(
        'rounds=nearest("cent"))\ndef factor', 'rounds=up("whole"))\ndef factor'
    )
    assert rules.count('up("whole")') == 1
    assert _in_one_loop(made(tmp_path, rules + WEAK))


def test_what_needs_nothing_is_tabulated_once(tmp_path: Path) -> None:
    rules = WEIGHED.replace("tied: Number)", "tied: Number, fixed: Number)").replace(
        "covered_worth / tied", "covered_worth / tied + fixed"
    )
    fixed = '\n@rule("§1", tabulated=True)\ndef fixed() -> Number:\n    return Fraction(7, 2)\n'
    agree(made(tmp_path, f"from fractions import Fraction\n{rules}{fixed}"))


def test_exact_values_of_whole_multiples() -> None:
    codes, values = QuantityColumn.in_units(np.array([3, 5, 3]), Fraction(1, 4)).coded(3)
    assert [values[code] for code in codes] == [Fraction(3, 4), Fraction(5, 4), Fraction(3, 4)]


@pytest.mark.parametrize("sign", [">=", "<="])
def test_near_a_limit_either_side_is_unsure(tmp_path: Path, sign: str) -> None:
    """The third root of 8 as a float may be a hair below 2, or above."""
    rules = (
        WEIGHED
        + f'''
@rule("§1", per="player")
def root_of_one(strength: Number, third: Number) -> Number:
    """The third root of a player's."""
    return power(strength, third)

@rule("§1")
def root(sum_of_root_of_one: Number) -> Number:
    """Of all together."""
    return sum_of_root_of_one

@refuses("too far", "§1")
def too_far(root: Number, whole: Number) -> bool:
    return root {sign} whole + whole
'''
    )
    book = made(tmp_path, rules)
    eight = [field([(32,), (0, 0)]), field([(1,), (1,)]), field([(160,), (4,)])]
    batch = Batch.of(eight, [])
    refusal = next(r for r in book.rules if r.name == "too_far")
    holds, unsure = ColumnWorking(book, batch).holds(refusal, "field")
    assert list(unsure) == [True, False, False]
    assert list(holds[1:]) == ([False, True] if sign == ">=" else [True, False])
    agree(book, [*eight, replace(eight[0], facts={"entrants": Fraction(2)})])


TWO_SUMS = WEIGHED.replace(
    "def factor(sum_of_weight: Number,",
    "def factor(sum_of_weight: Number, mean_of_weight: Number,",
).replace("return sum_of_weight /", "return mean_of_weight * 3 + sum_of_weight /")
OF_THE_FIELD = (
    WEIGHED.replace(
        "strength: Number, sessions: Number", "strength: Number, heads: Number"
    ).replace("power(strength + sessions, third)", "strength * heads + third")
    + '''
@rule("§1")
def heads(count_of_strength: Number) -> Number:
    """How many."""
    return count_of_strength
'''
)
ROUNDED = WEIGHED.replace(
    '@rule("§1", per="player")', '@rule("§1", per="player", rounds=down("whole"))'
).replace("power(strength + sessions, third)", "strength - sessions + power(third, third) * 0")


@pytest.mark.parametrize(
    "rules", [TWO_SUMS, OF_THE_FIELD, ROUNDED], ids=["two sums", "of the field", "rounded"]
)
def test_what_depends_on_more_than_a_fact_is_not_remembered(tmp_path: Path, rules: str) -> None:
    assert rules != WEIGHED
    book = made(tmp_path, rules)
    fields = [*FIELDS, *FIELDS[::-1], field([(9, 3), (7, 1), (5, 5), (9,)])]
    for _ in range(2):
        agree_in_units(book, fields)
    loop = kept_form(book, in_units(Batch.of(fields, []))).loop
    assert loop is None or loop.source.memo is None


def test_a_doubt_about_a_player_is_not_remembered_away(tmp_path: Path) -> None:
    """At a limit a float cannot say on which side it lies, and a later rule may hide that."""
    near = WEIGHED.replace(
        "strength: Number, sessions: Number, third: Number",
        "strength: Number, whole: Number, third: Number",
    )
    near = near.replace(
        "power(strength + sessions, third)", "up_to(power(strength, third), whole, third, whole)"
    )
    near = near.replace(
        'count_of_average: Number) -> Number:\n    """Of the field."""\n'
        "    return sum_of_weight / count_of_strength + count_of_average",
        "count_of_average: Number, whole: Number) -> Number:\n"
        '    """Of the field."""\n'
        "    if sum_of_weight > whole:\n        return sum_of_weight\n"
        "    return count_of_average",
    )
    assert near.count("up_to(") == near.count("return count_of_average") == 1
    book, fields = made(tmp_path, near), [field([(4, 9), (4,), (8, 8)]), field([(4, 4), (4, 8)])]
    for _ in range(2):
        agree_in_units(book, fields)
    loop = kept_form(book, in_units(Batch.of(fields, []))).loop
    assert loop is not None
    assert loop.source.memo is not None
