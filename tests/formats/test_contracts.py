"""Contracts, results and rulings in every spelling we know."""

from fractions import Fraction

import pytest

from honours.formats.notation import (
    is_not_played,
    is_passed_out,
    parse_contract,
    parse_ruling,
    parse_seat,
    parse_tricks,
)
from honours.model import AdjustedScore, ArtificialScore, Denomination, Seat
from tests.support import cases

PLUS, MINUS = ArtificialScore(Fraction(3, 5), True), ArtificialScore(Fraction(2, 5), True)


@cases
def test_contract_spellings(text: str, level: int, denomination: str, doubled: int) -> None:
    call = parse_contract(text)
    assert (call.level, call.denomination, call.doubled) == (level, denomination, doubled)


@cases
def test_contract_with_declarer(text: str, denomination: str, declarer: Seat, result: str) -> None:
    call = parse_contract(text)
    assert call.denomination is Denomination(denomination)
    assert (call.declarer, call.result) == (declarer, result)


@pytest.mark.parametrize("text", ["8S", "0NT", "4", "S4", "4Sxxx", "4Z", "", "99999999999C"])
def test_contract_refused_quotes_it(text: str) -> None:
    with pytest.raises(ValueError, match="contract"):
        parse_contract(text)


@cases
def test_tricks_of_four_spades(text: str, tricks: int) -> None:
    assert parse_tricks(text, 4) == tricks


@pytest.mark.parametrize("text", ["14", "+4", "-11", "x", "", "1.5", "9" * 400])
def test_tricks_refused(text: str) -> None:
    with pytest.raises(ValueError, match="result"):
        parse_tricks(text, 4)


@cases
def test_percentage_rulings(text: str, ns: int, ew: int) -> None:
    sides = [ArtificialScore(Fraction(side, 100)) for side in (ns, ew)]
    assert parse_ruling(text) == AdjustedScore(sides[0], sides[1])


def test_average_rulings_carry_the_session_rule() -> None:
    assert parse_ruling("AVE+") == AdjustedScore(PLUS, PLUS)
    assert parse_ruling("Ave+ / Ave-") == AdjustedScore(PLUS, MINUS)
    assert parse_ruling("A-") == AdjustedScore(MINUS, MINUS)
    half = ArtificialScore(Fraction(1, 2))
    assert parse_ruling("average") == AdjustedScore(half, half)


@pytest.mark.parametrize("text", ["100", "-50", "4S", "=", "+1", "", "420", "PASS", "6040"])
def test_scores_are_no_rulings(text: str) -> None:
    assert parse_ruling(text) is None


def test_impossible_ruling_is_refused() -> None:
    with pytest.raises(ValueError, match="over 100%"):
        parse_ruling("120-40")


def test_words() -> None:
    assert is_passed_out("Passed out")
    assert not is_passed_out("1S")
    assert is_not_played("Not played")
    assert parse_seat("north") is Seat.NORTH
    with pytest.raises(ValueError, match="declarer 'X'"):
        parse_seat("X")
