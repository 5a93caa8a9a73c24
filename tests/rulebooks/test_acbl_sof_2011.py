"""ACBL's strength of field system of 2011: what its examples cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.engine.award import award, calculate
from honours.engine.columns.award import award_fields
from honours.engine.exact.working import Working
from honours.errors import InputError
from honours.model import Awards, Entrant, Field, Player, Standing, Value
from honours.rulebooks import load

BOOK = load("acbl-sof-2011")
PLAIN = {"tables": 20, "average_masterpoints": 1500}
F = Fraction

Holdings = Sequence[Sequence[int]]

pairs = st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 30_000)), min_size=1)
few_pairs = st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 30_000)), min_size=2)


def awards(ties: str = "", **changed: object) -> Awards:
    (one,) = calculate(BOOK, {**PLAIN, **changed}, ties)
    return one


def amounts(one: Awards) -> list[Fraction]:
    return [a.amount for a in one.schedule]


def field(holdings: Holdings, in_top: Sequence[int] = (), **facts: Value) -> Field:
    """A list in the order of its places; ``in_top`` says who is in the top stratum only."""
    standings = tuple(
        Standing(
            Entrant(str(i), tuple(Player("", facts={"masterpoints": Fraction(m)}) for m in each)),
            place=i,
            facts={"in_top_stratum": Fraction(in_top[i - 1])} if in_top else {},
        )
        for i, each in enumerate(holdings, 1)
    )
    return Field({"entrants": Fraction(len(standings)), **facts}, standings)


def average(holdings: Holdings, in_top: Sequence[int] = (), **facts: Value) -> Fraction:
    name = "a_only_average_masterpoints" if in_top else "average_masterpoints"
    return Working(BOOK, field(holdings, in_top, **facts)).number(name)


def directly(holdings: Holdings, highest: int, a_player: int) -> Fraction:
    """The average by its definition: capped sums, the highest ones, per player."""
    capped = sorted(((min(sum(h), a_player * len(h)), len(h)) for h in holdings), reverse=True)
    counted = capped[:highest]
    return Fraction(sum(total for total, _ in counted), sum(size for _, size in counted))


@given(pairs)
@settings(max_examples=25)
def test_caps_are_on_the_sum_of_a_pair(holdings: list[tuple[int, int]]) -> None:
    assert average(holdings) == directly(holdings, 120, 10_000)


@given(st.integers(0, 10**6), st.integers(115, 130))
@settings(max_examples=8)
def test_only_the_highest_120_pairs_count(seed: int, size: int) -> None:
    holdings = [((seed * (i + 3)) % 21_013, (seed + 7 * i * i) % 9_973) for i in range(size)]
    assert average(holdings) == directly(holdings, 120, 10_000)


@given(st.lists(st.sampled_from([4, 5, 6]), min_size=55, max_size=66), st.integers(1, 10**6))
@settings(max_examples=8)
def test_only_the_highest_60_teams_count(sizes: list[int], seed: int) -> None:
    # sums that differ, so that the sixtieth team is one and no other
    holdings = [[i + 1] + [(seed * (i + 1)) % 16 * 1000] * (n - 1) for i, n in enumerate(sizes)]
    if len({min(sum(h), 10_000 * len(h)) for h in holdings}) == len(holdings):
        assert average(holdings, kind="swiss") == directly(holdings, 60, 10_000)


@given(few_pairs, st.data())
@settings(max_examples=20)
def test_the_top_stratum_alone_is_a_field_of_its_own(
    holdings: list[tuple[int, int]], data: st.DataObject
) -> None:
    size = len(holdings)
    in_top = data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    in_top[0] = 1
    alone = [h for h, top in zip(holdings, in_top, strict=True) if top]
    assert average(holdings, in_top, stratum_kind="top") == directly(alone, 120, 10_000)
    whole = Working(BOOK, field(holdings, in_top, stratum_kind="top"))
    own = Working(BOOK, field(alone))
    better = max(whole.number("formula_award"), Fraction(11, 10) * own.number("formula_award"))
    assert whole.number("first_overall") == better


@pytest.mark.parametrize("mean", [600, 3000])
def test_a_top_stratum_has_the_basic_value_of_a_field_by_itself(mean: int) -> None:
    top, others = [(mean, mean)] * 12, [(0, 0)] * 8
    whole = Working(BOOK, field(top + others, [1] * 12 + [0] * 8, stratum_kind="top"))
    assert whole.number("a_only_basic_value") == Working(BOOK, field(top)).number("basic_value")


def test_only_the_highest_120_pairs_of_a_top_stratum_count() -> None:
    holdings = [(20 * i, 10 * i) for i in range(1, 126)]
    assert average(holdings, [1] * 125, stratum_kind="top") == directly(holdings, 120, 10_000)


def test_one_player_of_whom_alone_we_know_is_an_average() -> None:
    assert average([(400,), (9000, 9000)], [1, 0], stratum_kind="top") == 400


def test_a_top_stratum_pays_for_its_sessions_and_its_class() -> None:
    """Two strong pairs among weak ones are worth more by themselves, times 1.1."""
    strong, weak = [(9000, 9000)] * 2, [(0, 0)] * 30
    facts: dict[str, Value] = {"sessions": F(1), "class_": "sectional"}
    whole = Working(BOOK, field(strong + weak, [1, 1] + [0] * 30, stratum_kind="top", **facts))
    alone = Working(BOOK, field(strong, (), **facts))
    assert alone.number("scale") != 1
    assert whole.number("first_overall") == F(11, 10) * alone.number("formula_award")


@pytest.mark.parametrize("uplift", ["fraction", "masterpoints"])
def test_a_bracket_is_raised_only_above_its_limit(uplift: str) -> None:
    book = BOOK.amend(bracket_uplift=uplift)

    def overall(structure: str, mean: int) -> Fraction:
        facts = {"kind": "swiss", "tables": 9, "average_masterpoints": mean, "places": 1}
        (one,) = calculate(book, {**facts, "structure": structure})
        return amounts(one)[0]

    assert overall("bracket", 1250) == overall("open", 1250)
    assert overall("bracket", 300) == overall("open", 300)
    assert overall("bracket", 2250) > overall("open", 2250)


def test_a_pair_without_points_counts_in_a_large_top_stratum() -> None:
    # the two hundred others, without points too, must not push it out of the highest 120
    holdings = [(0, 0)] * 200 + [(400, 0), (0, 0)]
    assert average(holdings, [0] * 200 + [1, 1], stratum_kind="top") == 100


def test_the_fall_past_the_join_is_told_until_it_is_made_up() -> None:
    def falls(mean: object) -> bool:
        notices = awards(tables=60, average_masterpoints=mean, places=1).notices
        return any("would be paid more" in n.text for n in notices)

    assert [m for m in (1249, 1250, 1251, 1300, 1378, 1379, 2000) if falls(m)] == [1251, 1300, 1378]

    def value(mean: int, name: str = "basic_value") -> Fraction:
        field = Field({"tables": F(60), "average_masterpoints": F(mean)})
        return Working(BOOK, field).number(name)

    made_up = 1300 + (value(1300, "value_at_join") - value(1300)) / (value(1301) - value(1300))
    assert 1378 < made_up < 1379
    assert not falls(made_up)


def test_a_comparison_never_makes_its_own_strength() -> None:
    section = field([(1000, 500), (300, 200)], comparison="session")
    with pytest.raises(InputError, match="average_masterpoints"):
        award(BOOK, section)


def test_variants_carry_their_difference() -> None:
    book = BOOK.variant("minimum-after-scaling")
    weak = {"tables": 1, "average_masterpoints": 0, "sessions": 1, "class": "sectional"}
    (got,) = calculate(book, weak)
    assert (got.schedule[0].shown, dict(got.amended)) == (
        "2.50",
        {"minimum_basic": "0", "minimum_scaled": "2.50"},
    )


def test_teams_of_unequal_size_at_the_cut_count_the_same_however_they_are_listed() -> None:
    fours, sixes = [[F(1000)] * 4] * 60, [[F(4000) / 6] * 6] * 5
    facts: dict[str, Value] = {
        "kind": "swiss",
        "entrants": F(65),
        "sessions": F(2),
        "class_": "regional",
    }
    awards = []
    for holdings in (fours + sixes, sixes + fours):
        standings = tuple(
            Standing(Entrant(str(i), tuple(Player("", facts={"masterpoints": h}) for h in team)), i)
            for i, team in enumerate(holdings, 1)
        )
        field = Field(facts, standings)
        awards.append([a.amount for a in award(BOOK, field).schedule])
        assert award_fields(BOOK, [field]) == [awards[-1]]
    assert awards[0] == awards[1]
