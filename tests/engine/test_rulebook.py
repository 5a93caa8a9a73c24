"""A rulebook as a value: amendments, variants, inputs, dates."""

from __future__ import annotations

import pytest

from honours.engine.award import calculate
from honours.errors import InputError, MissingInput, UnknownName
from honours.rulebooks import ids, load

AGA = {"mean_rating": "7.93", "players": "20"}


def test_an_amendment_is_a_new_rulebook_that_carries_its_difference() -> None:
    book = load("aga-category")
    amended = book.amend(offset="5")
    assert amended.amended == {"offset": "5"}
    assert book.amended == {}
    assert amended.hash != book.hash
    assert calculate(amended, AGA)[0].quantities["exact_category"] == "14.5"
    assert calculate(book, AGA)[0].quantities["exact_category"] == "15.5"


def test_amendments_add_up() -> None:
    twice = load("aga-category").amend(offset="5").amend(rating_weight="3")
    assert twice.amended == {"offset": "5", "rating_weight": "3"}


def test_a_variant_is_a_named_amendment() -> None:
    printed = load("aga-category").variant("printed")
    assert calculate(printed, AGA)[0].quantities["exact_category"] == "13.4"
    with pytest.raises(UnknownName, match="printd"):
        load("aga-category").variant("printd")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offst": "5"}, "unknown parameter of aga-category 'offst'; did you mean 'offset'"),
        ({"offset": "five"}, "offset=five: not a number"),
        ({"category_formula": "other"}, "Known: worked, printed"),
    ],
)
def test_a_wrong_amendment_is_named(change: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load("aga-category").amend(change)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": "20"}, "missing 'mean_rating or rating'"),
        ({"mean_rating": "7"}, "missing"),
        ({"mean_rating": "nan", "players": "20"}, "mean_rating=nan: not a number"),
        ({"mean_rating": "inf", "players": "20"}, "not a number"),
        ({"mean_rating": "", "players": "20"}, "not a number"),
        ({"mean_rating": "7", "players": "-5"}, "players=-5: must be at least 0"),
        ({"mean_rating": "7", "players": "7.5"}, "must be a whole number"),
        ({"mean_rating": "7", "players": "1000000000"}, "must be at most 20000"),
        ({"mean_rating": "7", "players": "20", "section": "opn"}, "did you mean 'open'"),
        ({"mean_rating": "7", "players": "20", "date": "yesterday"}, "not a date"),
        ({"mean_rating": "7", "plyers": "20"}, "did you mean 'players'"),
    ],
)
def test_wrong_input_is_named(given: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        calculate(load("aga-category"), given)


@pytest.mark.parametrize("ties", ["3", "4-3", "3-5,4-6", "a-b", "0-1"])
def test_wrong_ties_are_named(ties: str) -> None:
    with pytest.raises(InputError, match="expected places from–to"):
        calculate(load("aga-category"), AGA, ties)


def test_an_unknown_rulebook_lists_those_there_are() -> None:
    with pytest.raises(UnknownName, match="did you mean 'aga-category'"):
        load("aga-categry")
    assert "aga-category" in ids()


def test_missing_input_says_what_it_is_about() -> None:
    with pytest.raises(MissingInput, match="their mean AGA rating"):
        calculate(load("aga-category"), {"players": "20"})
