"""Cards, suits and seats, as the reader's language writes them."""

from __future__ import annotations

from honours.model.event import Contract, Seat
from honours.model.message import Message

SUITS = ("♠", "♥", "♦", "♣")
SEATS = {
    Seat.NORTH: Message("North"),
    Seat.EAST: Message("East"),
    Seat.SOUTH: Message("South"),
    Seat.WEST: Message("West"),
}
COMPASS = {
    Seat.NORTH: Message("N"),
    Seat.EAST: Message("E"),
    Seat.SOUTH: Message("S"),
    Seat.WEST: Message("W"),
}
NO_TRUMPS = Message("NT")
_SIGNS = dict(zip("SHDC", SUITS, strict=True))
RANKS = {
    "A": Message("A"),
    "K": Message("K"),
    "Q": Message("Q"),
    "J": Message("J"),
    "T": "10",
    **{rank: rank for rank in "98765432"},
}
"""The letters of ace, king, queen, jack and ten in the reader's language."""


def contract_words(contract: Contract) -> Message:
    """``4♠× W``: the sign of the suit, and the seat by its letter in the reader's language."""
    return Message(
        "{level}{bid}{doubled} {seat}",
        level=contract.level,
        bid=_SIGNS.get(contract.denomination, NO_TRUMPS),
        doubled="×" * contract.doubled,
        seat=COMPASS[contract.declarer],
    )


def card_words(card: str) -> Message:
    """``♠K``, by the letter the reader's language has for the rank; from ``SK``."""
    return Message("{suit}{rank}", suit=_SIGNS[card[0]], rank=RANKS[card[1]])
