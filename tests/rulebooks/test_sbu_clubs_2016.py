"""SBU master points for clubs: what its examples cannot say."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.engine.award import award, calculate
from honours.engine.event_awards import award_event
from honours.engine.ranks import rank_reached
from honours.errors import InputError, MissingInput
from honours.model import Awards, Entrant, Field, Standing
from honours.rulebooks import load
from tests.support import cases

BOOK = load("sbu-clubs-2016")
SCALES = {  # kind and winners: points a step, the most, and the fewest entrants of a list
    ("pairs", "1"): (6, 96, 6),
    ("pairs", "2"): (10, 100, 4),
    ("teams", "1"): (10, 100, 3),
    ("individual", "1"): (3, 48, 8),
}
KEYS = {"pairs": "pairs", "teams": "teams", "individual": "players"}

scales = st.sampled_from(sorted(SCALES))


def event(scale: tuple[str, str], size: int) -> dict[str, object]:
    """The inputs of a session whose ranking list (each one, of two) has ``size`` entrants."""
    kind, winners = scale
    return {"kind": kind, "winners": winners, KEYS[kind]: size * int(winners)}


def amounts(awards: Awards) -> list[int]:
    return [int(a.amount) for a in awards.schedule]


# --- what holds of any event --------------------------------------------------------------------


@given(scale=scales, more=st.integers(0, 100))
@settings(max_examples=40)
def test_the_top_is_the_tables_and_the_steps_are_equal(scale: tuple[str, str], more: int) -> None:
    step, most, fewest = SCALES[scale]
    size = fewest + more
    places = ceil(size / 3)
    for awards in calculate(BOOK, event(scale, size)):
        top = min(step * places, most)
        assert amounts(awards) == [
            ceil(Fraction(top * (places - i), places)) for i in range(places)
        ]


@st.composite
def tied_fields(draw: st.DrawFn) -> tuple[tuple[str, str], list[int]]:
    """A scale, and how many share each place from the top."""
    scale = draw(scales)
    sizes = draw(st.lists(st.integers(1, 6), min_size=4, max_size=20))
    return scale, [*sizes, *([1] * (SCALES[scale][2] - sum(sizes)))]


def ranked(sizes: list[int]) -> tuple[Standing, ...]:
    standings: list[Standing] = []
    for size in sizes:
        place = len(standings) + 1
        standings += [Standing(Entrant(str(place + i)), place, size) for i in range(size)]
    return tuple(standings)


def field_of(scale: tuple[str, str], standings: tuple[Standing, ...]) -> Field:
    facts: dict[str, Any] = {
        k: Fraction(v) if isinstance(v, int) else v for k, v in event(scale, len(standings)).items()
    }
    return Field({**facts, "line": "NS"}, standings, "NS")


@given(tied_fields())
@settings(max_examples=40)
def test_ties_share_what_they_cover(case: tuple[tuple[str, str], list[int]]) -> None:
    scale, sizes = case
    plain = amounts(calculate(BOOK, event(scale, sum(sizes)))[0])
    awards = award(BOOK, field_of(scale, ranked(sizes)))
    for item in awards.schedule:
        place, tied = item.standing.place, item.standing.tied
        covered = plain[place - 1 : place - 1 + tied]
        share = max(ceil(Fraction(sum(covered), tied)), plain[-1]) if covered else 0
        assert item.amount == share
    paid = [a for a in awards.schedule if a.amount]
    assert all(a.standing.place <= len(plain) for a in paid)
    assert len(paid) >= len(plain)


@given(st.integers(1, 60), st.integers(1, 4))
@settings(max_examples=20)
def test_a_swiss_pays_its_matches_below_the_bonus_too(more: int, won: int) -> None:
    teams = 12 + more
    standings = tuple(
        Standing(Entrant(str(i)), i, facts={"won": Fraction(won)}) for i in range(1, teams + 1)
    )
    facts = {"competition": "swiss", "kind": "teams", "boards_per_match": 5, "matches": 4}
    awards = award_event(BOOK, [Field(standings=standings)], facts).lists[0]
    assert amounts(awards)[-1] == 8 * won
    assert amounts(awards)[0] == 8 * won + min(4 * teams, 200)


# --- inputs ---------------------------------------------------------------------------------


@cases
def test_wrong_inputs(given_: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        calculate(BOOK, dict(item.split("=") for item in given_.split()))


def test_two_lines_of_real_standings_count_their_tables_together() -> None:
    lines = [
        Field(standings=ranked([1] * 4), line="NS"),
        Field(standings=ranked([1] * 3), line="EW"),
    ]
    awards = award_event(BOOK, lines, {"kind": "pairs", "winners": "2"})
    assert [a.refusal.reason if a.refusal else "" for a in awards.lists] == [
        "3 complete tables, at least 4 needed"
    ] * 2


# --- ranks ----------------------------------------------------------------------------------


@cases
def test_ranks(local: int, national: int, rank: str) -> None:
    reached = rank_reached(BOOK.ranks, {"local": Fraction(local), "national": Fraction(national)})
    assert (reached.name if reached else "") == rank


def test_the_ladder_is_cited() -> None:
    assert len(BOOK.ranks) == 21
    assert all(rank.citation.clause for rank in BOOK.ranks)


# --- at the limits ----------------------------------------------------------------------------


def one_list(**given: object) -> Awards:
    (awards,) = calculate(BOOK, given)
    return awards


@pytest.mark.parametrize(
    ("boards", "notices"),
    [
        (35, []),
        (36, ["exactly 36 boards: as in a shorter session, the top third is awarded"]),
        (
            37,
            ["more than 36 boards: the top half is awarded, and no top award is printed for that"],
        ),
    ],
)
def test_what_is_told_of_a_session_of_36_boards(boards: int, notices: list[str]) -> None:
    awards = one_list(kind="pairs", winners=1, pairs=12, boards=boards)
    assert [n.text for n in awards.notices] == notices


def test_a_field_as_large_as_the_table_is_not_beyond_it() -> None:
    assert one_list(kind="pairs", winners=1, pairs=48, boards=24).notices == ()
    [beyond] = one_list(kind="pairs", winners=1, pairs=49, boards=24).notices
    assert beyond.text.startswith("the field is larger than the table: its maximum, 96 here")


def final(boards: int, **more: object) -> Awards:
    return one_list(competition="final", kind="pairs", pairs=12, boards=boards, events=6, **more)


def test_a_final_of_36_boards_asks_for_its_total_original_entry() -> None:
    assert final(35).refusal is None
    with pytest.raises(MissingInput, match="missing 'toe'"):
        final(36)
    assert final(36, toe=12).refusal is None
    for toe in (1, 11):
        refusal = final(36, toe=toe).refusal
        assert refusal is not None
        assert refusal.reason == f"a total original entry of {toe} is fewer than the 12 who played"


def test_a_minor_championship_counts_its_events_and_its_final() -> None:
    assert final(24, championship="minor").quantities["boards_in_all"] == str(6 * 20 + 24)


@pytest.mark.parametrize(("won", "drawn", "refused"), [(3, 1, False), (3, 2, True), (4, 1, True)])
def test_a_match_is_won_or_drawn_once(won: int, drawn: int, refused: bool) -> None:
    swiss = {"competition": "swiss", "kind": "teams", "tables": 16, "boards_per_match": 5}
    awards = one_list(**swiss, matches=4, won=won, drawn=drawn)
    assert {award.refusal is not None for award in awards.schedule} == {refused}
