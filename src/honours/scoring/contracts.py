"""The score of a contract: Law 77, the table of duplicate scoring."""

from __future__ import annotations

from functools import cache

from honours.model import Contract, Denomination, Seat

BOOK = 6
TRICKS = 13
FIRST_NO_TRUMP_EXTRA = 10
TRICK_VALUE = {
    Denomination.CLUBS: 20,
    Denomination.DIAMONDS: 20,
    Denomination.HEARTS: 30,
    Denomination.SPADES: 30,
    Denomination.NO_TRUMPS: 30,
}
GAME = 100
PART_SCORE_BONUS = 50
# Each pair is (not vulnerable, vulnerable).
GAME_BONUS = (300, 500)
SLAM_BONUS = {6: (500, 750), 7: (1000, 1500)}
INSULT = (0, 50, 100)
DOUBLED_OVERTRICK = (100, 200)
UNDERTRICK = (50, 100)
# The first doubled undertricks one by one; every further one costs the last figure.
DOUBLED_UNDERTRICKS = ((100, 200, 200, 300), (200, 300))

# Board 1 is none, 2 North-South, 3 East-West, 4 all; each later four starts one further on.
_VULNERABLE = ("", "NS", "EW", "NSEW")
_DECLARING = {Seat.NORTH: "NS", Seat.SOUTH: "NS", Seat.EAST: "EW", Seat.WEST: "EW"}


def vulnerable(board: int) -> str:
    """The sides that are vulnerable on a board: ``""``, ``"NS"``, ``"EW"`` or ``"NSEW"``."""
    turn = board - 1
    return _VULNERABLE[(turn + turn // 4) % 4]


def dealer(board: int) -> Seat:
    return tuple(Seat)[(board - 1) % 4]


def contract_score(contract: Contract, tricks: int, is_vulnerable: bool) -> int:
    """Declarer's score for taking ``tricks`` tricks."""
    over = tricks - BOOK - contract.level
    if over < 0:
        return -_penalty(-over, contract.doubled, is_vulnerable)
    return _making(contract, is_vulnerable) + over * _overtrick(contract, is_vulnerable)


def ns_score(contract: Contract, tricks: int, board: int) -> int:
    """North-South's score on a board of this number."""
    side = _DECLARING[contract.declarer]
    score = contract_score(contract, tricks, side in vulnerable(board))
    return score if side == "NS" else -score


def _making(contract: Contract, is_vulnerable: bool) -> int:
    bid = contract.level * TRICK_VALUE[contract.denomination]
    if contract.denomination is Denomination.NO_TRUMPS:
        bid += FIRST_NO_TRUMP_EXTRA
    bid <<= contract.doubled  # each double twice as much
    bonus = GAME_BONUS[is_vulnerable] if bid >= GAME else PART_SCORE_BONUS
    slam = SLAM_BONUS.get(contract.level, (0, 0))[is_vulnerable]
    return bid + bonus + slam + INSULT[contract.doubled]


def _overtrick(contract: Contract, is_vulnerable: bool) -> int:
    if contract.doubled:
        return DOUBLED_OVERTRICK[is_vulnerable] * contract.doubled
    return TRICK_VALUE[contract.denomination]


def _penalty(down: int, doubled: int, is_vulnerable: bool) -> int:
    if not doubled:
        return down * UNDERTRICK[is_vulnerable]
    steps = DOUBLED_UNDERTRICKS[is_vulnerable]
    first = sum(steps[:down])
    return (first + max(0, down - len(steps)) * steps[-1]) * doubled


@cache
def possible_scores(is_vulnerable: bool) -> frozenset[int]:
    """Every score a declaring side can get at this vulnerability."""
    return frozenset(
        contract_score(Contract(level, denomination, Seat.NORTH, doubled), tricks, is_vulnerable)
        for level in range(1, TRICKS - BOOK + 1)
        for denomination in Denomination
        for doubled in range(3)
        for tricks in range(TRICKS + 1)
    )


def can_be_scored(score: int, board: int) -> bool:
    """True if some contract gives North-South this score on a board of this number."""
    sides = vulnerable(board)
    declaring = possible_scores("NS" in sides)
    defending = possible_scores("EW" in sides)
    return score == 0 or score in declaring or -score in defending


def write_bid(contract: Contract) -> str:
    """``3NTx``, without its declarer."""
    suit = "NT" if contract.denomination is Denomination.NO_TRUMPS else contract.denomination
    return f"{contract.level}{suit}{'x' * contract.doubled}"


def write_contract(contract: Contract) -> str:
    """``3NTx N``."""
    return f"{write_bid(contract)} {contract.declarer}"


def write_tricks(contract: Contract, tricks: int) -> str:
    """``=``, ``+1`` or ``-2``."""
    over = tricks - BOOK - contract.level
    return f"{over:+d}" if over else "="
