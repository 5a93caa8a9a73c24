"""The whole score table against a derivation that shares nothing with ours but the Laws."""

from dataclasses import replace
from itertools import accumulate, product
from typing import Any

from honours.model import Contract, Denomination, Result, Seat
from honours.scoring.contracts import (
    can_be_scored,
    contract_score,
    dealer,
    ns_score,
    vulnerable,
    write_contract,
    write_tricks,
)
from honours.scoring.scored import is_played, table_score

# Below the line for one to seven odd tricks, as the scorecard prints it.
BELOW = {
    "C": (20, 40, 60, 80, 100, 120, 140),
    "D": (20, 40, 60, 80, 100, 120, 140),
    "H": (30, 60, 90, 120, 150, 180, 210),
    "S": (30, 60, 90, 120, 150, 180, 210),
    "N": (40, 70, 100, 130, 160, 190, 220),
}
DOWN = {
    (0, False): list(accumulate([50] * 13)),
    (0, True): list(accumulate([100] * 13)),
    (1, False): [100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500],
    (1, True): [200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800],
}


def printed(level: int, suit: str, doubled: int, tricks: int, vul: bool) -> int:
    """Law 77 read off its tables."""
    odd = tricks - 6
    if odd < level:
        times = 2 if doubled == 2 else 1
        return -times * DOWN[min(doubled, 1), vul][level - odd - 1]
    below = BELOW[suit][level - 1] * (1, 2, 4)[doubled]
    game = (500 if vul else 300) if below >= 100 else 50
    slam = {6: 750 if vul else 500, 7: 1500 if vul else 1000}.get(level, 0)
    if doubled:
        over = (odd - level) * {1: (100, 200), 2: (200, 400)}[doubled][vul]
    else:
        over = BELOW[suit][odd - 1] - BELOW[suit][level - 1]
    return below + game + slam + (0, 50, 100)[doubled] + over


def test_every_contract_and_result() -> None:
    table = list(product(range(1, 8), "CDHSN", range(3), range(14), (False, True)))
    assert len(table) == 2940
    for level, suit, doubled, tricks, vul in table:
        contract = Contract(level, Denomination(suit), Seat.SOUTH, doubled)
        ours = contract_score(contract, tricks, vul)
        assert ours == printed(level, suit, doubled, tricks, vul), (contract, tricks, vul)


def test_vulnerability_and_dealer_by_board() -> None:
    wheel = ["", "NS", "EW", "NSEW", "NS", "EW", "NSEW", "", "EW", "NSEW", "", "NS"]
    wheel += ["NSEW", "", "NS", "EW", ""]
    for board, sides in enumerate(wheel, start=1):
        assert vulnerable(board) == sides
        assert dealer(board) == "NESW"[(board - 1) % 4]


def test_declarer_decides_whose_score_it_is() -> None:
    four_spades = Contract(4, Denomination.SPADES, Seat.EAST)
    assert ns_score(four_spades, 10, board=3) == -620
    assert ns_score(four_spades, 9, board=3) == 100
    assert ns_score(four_spades, 10, board=2) == -420


def test_scores_no_contract_gives_are_known() -> None:
    assert can_be_scored(0, 1)
    assert can_be_scored(620, 2)
    assert not can_be_scored(620, 1)
    assert not can_be_scored(10, 1)
    assert can_be_scored(-7600, 2)
    assert not can_be_scored(-7600, 1)
    assert can_be_scored(70, 1)
    assert can_be_scored(1510, 1)
    assert can_be_scored(2980, 4)
    assert not can_be_scored(3380, 4)  # an overtrick in a redoubled grand slam
    assert can_be_scored(-620, 3)
    assert not can_be_scored(-620, 2)


def test_written_as_on_a_traveller() -> None:
    contract = Contract(3, Denomination.NO_TRUMPS, Seat.WEST, 1)
    assert write_contract(contract) == "3NTx W"
    assert write_contract(Contract(4, Denomination.SPADES, Seat.NORTH)) == "4S N"
    assert [write_tricks(contract, tricks) for tricks in (8, 9, 11)] == ["-1", "=", "+2"]


def test_what_was_scored_at_the_table() -> None:
    """A pass-out is a score of nothing; a contract without its tricks is no score at all."""
    game = Contract(4, Denomination.SPADES, Seat.NORTH)
    line = Result(1, ("a",), ("b",))
    assert table_score(replace(line, passed_out=True)) == 0
    assert table_score(replace(line, contract=game, tricks=10)) == 420
    assert table_score(replace(line, contract=game)) is None
    lines: list[dict[str, Any]] = [
        {},
        {"contract": game},
        {"tricks": 9},
        {"contract": game, "tricks": 9},
        {"passed_out": True},
        {"score": 0},
    ]
    played = [is_played(replace(line, **given)) for given in lines]
    assert played == [False, False, False, True, True, True]
