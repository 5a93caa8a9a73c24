"""What the examples of acbl-sof-2020 cannot say: the golden file, and what holds of every field."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.engine.award import calculate
from honours.engine.event_awards import award_event
from honours.engine.numbers import exact, power
from honours.engine.rulebook.examples import Example
from honours.engine.rulebook.lint import column_differences
from honours.errors import InputError, MissingInput
from honours.model import Awards, Entrant, Field, Player, Standing
from honours.rulebooks import load

BOOK = load("acbl-sof-2020")
FEW = settings(max_examples=12)
STRENGTH = st.decimals("1", "50", places=3)


def one(ties: str = "", /, **given_: object) -> Awards:
    return calculate(BOOK, {"sessions": 2, "strength_factor": "22.419", **given_}, ties)[0]


def awards(ties: str = "", /, **given_: object) -> list[Fraction]:
    return [item.amount for item in one(ties, **given_).schedule]


def extra(awarded: Awards, name: str) -> Fraction:
    return exact(awarded.extras["totals"][name])


# --- the golden file ------------------------------------------------------------------------


# --- what the proposal says of every field ----------------------------------------------------


@FEW
@given(st.integers(2, 99), st.integers(300, 30_000), st.integers(0, 30_000))
def test_a_newcomer_raises_t_but_lowers_first_place_when_weak(n: int, old: int, new: int) -> None:
    """T always rises; A(1), against the text, falls under a threshold near 0.4 F."""
    strength, newcomer = (power(exact(mp), exact("0.4")) for mp in (old, max(new, 300)))
    after = trimmed((n * strength + newcomer) / (n + 1))
    first, total = (
        extra(one(entrants=n + 1, strength_factor=after), name)
        - extra(one(entrants=n, strength_factor=trimmed(strength)), name)
        for name in ("first_award", "approximate_total")
    )
    assert total > 0
    needed = n * (power(Fraction(n + 1, n), exact("0.4")) - 1) * strength
    assert first >= 0 if newcomer > needed else first <= 0


def trimmed(x: Fraction) -> str:
    return f"{x.numerator * 10**30 // x.denominator}/{10**30}"


@FEW
@given(st.integers(1, 80), STRENGTH)
def test_the_same_players_in_teams_and_pairs_share_first_and_t(n: int, strength: object) -> None:
    """N teams are 2N pairs; T is halved because each award goes to twice as many players."""
    teams = one(entrants=n, kind="teams", strength_factor=strength)
    pairs = one(entrants=2 * n, strength_factor=strength)
    assert teams.quantities["first_award"] == pairs.quantities["first_award"]
    assert BOOK.parameters["pairs_a_team"].value == 2
    assert abs(2 * extra(teams, "approximate_total") - extra(pairs, "approximate_total")) <= (
        Fraction(1, 100)
    )


def test_teams_and_pairs_share_first_however_long_they_play() -> None:
    for sessions in (1, 3, 4):
        teams = one(entrants=20, kind="teams", sessions=sessions)
        pairs = one(entrants=40, sessions=sessions)
        assert teams.quantities["first_award"] == pairs.quantities["first_award"]


def test_the_least_award_is_paid_and_nothing_below_it() -> None:
    *_, above, last = awards(entrants=30)
    for least, paid in ((last, last), (last + Fraction(1, 100), above)):
        [got] = calculate(
            BOOK.amend(least_award=least),
            {"sessions": 2, "strength_factor": "22.419", "entrants": 30},
        )
        assert got.schedule[-1].amount == paid


@FEW
@given(st.integers(4, 60), st.data())
def test_a_tie_shares_what_its_places_have(n: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, n - 1))
    last = data.draw(st.integers(first + 1, n))
    book = BOOK.amend(least_award=0, award_unit="0.0001")
    facts = {"entrants": n, "sessions": 2, "strength_factor": "22.419"}
    alone = [a.amount for a in calculate(book, facts)[0].schedule]
    tied = [a.amount for a in calculate(book, facts, f"{first}-{last}")[0].schedule]
    off = sum(tied, Fraction(0)) - sum(alone, Fraction(0))
    assert abs(off) <= Fraction(2 * n, 10_000)
    assert len(set(tied[first - 1 : last])) <= 1
    assert tied[: first - 1] == alone[: first - 1]


# --- lists of entrants --------------------------------------------------------------------------


def pair(number: int, place: int, holdings: tuple[int, int], stratum: str = "") -> Standing:
    players = tuple(
        Player(f"{number}{side}", facts={"masterpoints": Fraction(mp)})
        for side, mp in zip("NS", holdings, strict=True)
    )
    facts = {"stratum": stratum} if stratum else {}
    return Standing(Entrant(str(number), players), place, facts=facts)


def test_an_unbalanced_pair_counts_like_two_of_5795() -> None:
    both = [power(Fraction(mp), exact("0.4")) for mp in (19500, 500)]
    assert round(power(sum(both, Fraction(0)) / 2, exact("2.5"))) == 5795


def test_an_entrant_gets_the_best_of_its_strata() -> None:
    strata = ["A", "A", "A", "B", "A", "B", "B", "A", "B", "A", "A", "B"]
    standings = tuple(
        pair(i, i + 1, (900, 700) if s == "B" else (6000, 4000), s) for i, s in enumerate(strata)
    )
    got = award_event(BOOK, [Field(standings=standings)], {"sessions": 2, "class": "regional"})
    whole, lower = got.lists
    assert (whole.field.stratum, lower.field.stratum) == ("A", "B")
    assert (whole.quantities["places"], lower.quantities["places"]) == ("4", "2")
    fourth = {a.standing.entrant.id: a.amount for a in whole.schedule}["3"]
    best_b = {a.standing.entrant.id: a.amount for a in lower.schedule}["3"]
    assert 0 < fourth != best_b > 0
    assert got.amount("3") == max(fourth, best_b)
    assert got.amount("5") == {a.standing.entrant.id: a.amount for a in lower.schedule}["5"]


# --- both ways, bad input, large fields ---------------------------------------------------------


def some_fields(many: int) -> Iterator[Example]:
    rng = random.Random(2020)
    for i in range(many):
        facts = {
            "entrants": rng.choice([rng.randint(1, 60), rng.randint(61, 160)]),
            "kind": rng.choice(["pairs", "individual", "teams", "board-a-match"]),
            "sessions": rng.randint(1, 4),
            "boards_per_session": rng.randint(8, 36),
            "class": rng.choice(["sectional", "regional"]),
            "strength_factor": f"{rng.uniform(5, 38):.4f}",
        }
        yield Example(f"case {i}", {}, facts)


@pytest.mark.slow
def test_random_fields_come_out_the_same_both_ways() -> None:
    assert list(column_differences(BOOK, list(some_fields(60)))) == []


def test_without_any_strength_both_ways_to_give_it_are_named() -> None:
    with pytest.raises(MissingInput, match="strength_factor or masterpoints"):
        calculate(BOOK, {"entrants": 20, "sessions": 2})


def test_a_stratum_s_limit_cannot_be_given_for_all_strata_but_the_lowest_can() -> None:
    rows = tuple(
        Standing(
            Entrant(str(i), (Player("", facts={"masterpoints": Fraction(100 * i)}),)),
            i,
            facts={"stratum": "AB"[i % 2]},
        )
        for i in range(1, 13)
    )
    given = {"kind": "individual", "sessions": "1", "boards_per_session": "18", "class": "regional"}
    short = award_event(BOOK, [Field({}, rows)], given)
    full = award_event(BOOK, [Field({}, rows)], {**given, "lowest_limit": "300"})
    assert {a.quantities["session_equivalents"] for a in short.lists} == {"0.875"}
    assert {a.quantities["session_equivalents"] for a in full.lists} == {"1"}
    with pytest.raises(InputError, match="stratum_limit differs from list to list"):
        award_event(BOOK, [Field({}, rows)], {**given, "stratum_limit": "300"})
