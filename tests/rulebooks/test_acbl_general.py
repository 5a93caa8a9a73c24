"""ACBL's general formula: what its examples cannot say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from honours.engine.award import award, calculate
from honours.errors import InputError
from honours.model import Awards, Entrant, Facts, Field, Standing
from honours.rulebooks import load

BOOK = load("acbl-general")
PLAIN = {"tables": 20, "sessions": 2, "class": "regional"}


def awards(ties: str = "", **changed: object) -> Awards:
    (one,) = calculate(BOOK, {**PLAIN, **changed}, ties)
    return one


def amounts(one: Awards) -> list[Fraction]:
    return [a.amount for a in one.schedule]


def test_what_kind_of_event_it_is_comes_from_the_event() -> None:
    """Twenty teams are twenty tables, twenty pairs are ten."""
    standings = tuple(Standing(Entrant(str(n)), n) for n in range(1, 21))
    facts: Facts = {"sessions": Fraction(2), "class_": "regional", "entrants": Fraction(20)}
    for kind, tables in (("teams", 20), ("pairs", 10)):
        paid = award(BOOK, Field({**facts, "kind": kind}, standings))
        assert amounts(paid)[0] == amounts(awards(tables=tables))[0]


def test_the_factor_of_a_limit_never_falls_as_the_limit_rises() -> None:
    factors = [awards(limit=n, places=1).quantities["m_factor"] for n in range(1, 751, 25)]
    assert factors == sorted(factors, key=Fraction)
    assert awards(limit="unlimited").quantities["m_factor"] == "1"


def test_a_limit_without_a_printed_factor_shows_the_choice() -> None:
    def names(one: Awards) -> set[str]:
        return {c.name for c in one.choices}

    assert "limit-between" in names(awards(limit=300))
    assert "limit-below" in names(awards(limit=50))
    for printed in (100, 750, "none"):
        assert not names(awards(limit=printed)) & {"limit-between", "limit-below"}
    assert "limit-between" not in names(awards(limit=300, m_factor="0.65"))


def test_what_is_missing_is_named() -> None:
    for key in PLAIN:
        with pytest.raises(InputError, match=key):
            calculate(BOOK, {k: v for k, v in PLAIN.items() if k != key})


@pytest.mark.parametrize("edition", ["2003", "2011", "2020"])
def test_a_class_without_a_factor_is_refused(edition: str) -> None:
    book = BOOK.amend(edition=edition)
    factors = book.parameters[f"r_factors_{edition}"].value
    assert isinstance(factors, dict)
    for name in book.inputs["class_"].words:
        (one,) = calculate(book, {**PLAIN, "class": name})
        assert (one.refusal is None) == (name in factors)
        if one.refusal is not None:
            assert one.refusal.reason == (
                f"the list of {edition} has no factor for class {name}: set another edition"
            )


def test_a_limit_at_either_end_of_the_line_is_printed_and_needs_no_notice() -> None:
    def told(limit: object) -> list[str]:
        return [n.text for n in awards(limit=limit).notices if "limit" in n.text]

    lower, upper = (BOOK.parameters[n].value for n in ("lower_limit", "upper_limit"))
    assert isinstance(lower, Fraction)
    assert told(lower) == told(upper) == told("none") == []
    assert told(1)[0].endswith("is used")
    assert told(lower - 1)[0].endswith("is used")
    assert "straight line" in told(lower + 1)[0]
    assert awards(limit=lower).quantities["m_factor"] == awards(limit=1).quantities["m_factor"]
