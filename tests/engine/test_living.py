"""Living points: the printed figures of bodies whose points decay, expire, reset or convert."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from honours.engine.ranks import Act, EarnedPoints, LivingPoints, rank_reached
from honours.engine.rulebook.load import stated
from honours.errors import HonoursError
from honours.rulebooks import load
from tests.support import cases

CLAUSE = {"clause": "…"}
Declared = dict[str, Any]
AUSTRALIA: Declared = {
    "name": "rep",
    "of": ["total"],
    "keeps": "0.8",
    "takes": {"selected": 5000},
    **CLAUSE,
}
UK: Declared = {
    "name": "waq",
    "of": ["total"],
    "weights": [1] * 5,
    "years": "rolling",
    "resets": ["attended"],
    **CLAUSE,
}
NETHERLANDS: Declared = {
    "name": "nbb",
    "of": ["mp"],
    "weights": [1, "0.75", "0.5", "0.25"],
    **CLAUSE,
}


def earned(*lines: tuple[str, object], kind: str = "mp") -> list[EarnedPoints]:
    return [EarnedPoints(date.fromisoformat(d), kind, Fraction(str(p)), "x") for d, p in lines]


def worth(table: Declared, lines: list[EarnedPoints], on: str, *acts: Act) -> Fraction:
    living = stated(LivingPoints, table, "living")
    steps = living.steps(lines, acts, date.fromisoformat(on))
    return steps[-1].value if steps else Fraction(0)


def test_new_zealands_rating_points_are_settled_once_a_year() -> None:
    [rating] = load("nz-bridge").living
    lines = [
        *earned(("2024-06-01", 80), kind="A"),
        *earned(("2025-02-01", 3), kind="A"),
        *earned(("2025-11-30", 17), kind="B"),
        *earned(("2025-12-01", 900), kind="C"),
    ]

    def on(day: str) -> Fraction:
        return rating.steps(lines, (), date.fromisoformat(day))[-1].value

    assert [on(d) for d in ("2025-06-30", "2025-12-30", "2025-12-31")] == [80, 80, 84]
    assert rating.steps(lines, (), date(2023, 6, 1)) == ()


def test_a_fifth_goes_at_each_years_end_and_a_selection_takes_points_off() -> None:
    lines = earned(("2024-05-01", 1000))
    assert worth(AUSTRALIA, lines, "2024-12-31") == 1000
    assert worth(AUSTRALIA, lines, "2025-01-01") == 800
    assert worth(AUSTRALIA, lines, "2027-03-01") == 512
    selected = Act(date(2025, 5, 1), "selected", "WAGC")
    assert worth(AUSTRALIA, lines, "2025-06-01", selected) == 0
    assert worth(AUSTRALIA, earned(("2024-05-01", 10_000)), "2025-06-01", selected) == 3000


def test_points_expire_by_their_age_and_go_on_attending() -> None:
    lines = earned(("2020-05-10", 9), ("2023-05-10", 6))
    assert worth(UK, lines, "2025-05-09") == 15
    assert worth(UK, lines, "2025-05-10") == 6
    attended = Act(date(2023, 5, 10), "attended", "WAGC")
    assert worth(UK, lines, "2024-01-01", attended) == 0
    assert worth(UK, lines, "2023-05-09", attended) == 9
    other = Act(date(2023, 5, 10), "something else", "")
    assert worth(UK, lines, "2024-01-01", other) == 15


def test_weights_go_by_the_calendar_unless_said() -> None:
    lines = earned(("2022-12-31", 100), ("2025-01-01", 100), ("2021-12-31", 100))
    assert worth(NETHERLANDS, lines, "2025-06-01") == 125


@pytest.mark.parametrize(
    "wrong", [{"years": "lunar"}, {"keeps": "0.8"}, {"settled": "31-12"}, {"settled": "02-30"}]
)
def test_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(HonoursError, match="|".join(wrong)):
        stated(LivingPoints, {**UK, **wrong}, "living")


@cases
def test_ranks_count_what_points_convert_to_and_have_stars(
    points: dict[str, int], title: str
) -> None:
    held = {kind: Fraction(amount) for kind, amount in points.items()}
    rank = rank_reached(load("nz-bridge").ranks, held)
    assert (rank.titled(held) if rank else "") == title
