"""A deal as a diagram: four hands by suit, from PBN's deal string."""

from __future__ import annotations

from dataclasses import dataclass

from honours.model import Seat
from honours.model.cards import RANKS, SEATS, SUITS
from honours.model.message import Message, joined
from honours.scoring.contracts import dealer, vulnerable

_VULNERABLE = {
    "": Message("nobody"),
    "NS": Message("North-South"),
    "EW": Message("East-West"),
    "NSEW": Message("everybody"),
}
_ORDER = "".join(RANKS)


@dataclass(frozen=True, slots=True)
class Diagram:
    """Seat → a line a suit, its cards as messages; who deals and who is vulnerable."""

    hands: dict[str, tuple[tuple[str, str], ...]]
    caption: Message


def diagram(board: int, deal: str) -> Diagram | None:
    """The diagram of a deal, ``None`` where it is unknown or not a deal."""
    first, colon, cards = deal.strip().partition(":")
    hands = cards.split()
    if not colon or first not in tuple(Seat) or not 1 <= len(hands) <= 4:
        return None
    seats = tuple(Seat)
    start = seats.index(Seat(first))
    shown = {
        str(seats[(start + n) % 4]): _suits(hand) for n, hand in enumerate(hands) if hand != "-"
    }
    caption = Message(
        "Dealer {dealer}, {vulnerable} vulnerable",
        dealer=SEATS[dealer(board)],
        vulnerable=_VULNERABLE[vulnerable(board)],
    )
    return Diagram(shown, caption)


def _suits(hand: str) -> tuple[tuple[str, str], ...]:
    holdings = [*hand.split("."), "", "", ""][:4]
    return tuple((suit, _cards(cards)) for suit, cards in zip(SUITS, holdings, strict=True))


def _cards(cards: str) -> str:
    known = [card for card in cards.upper().replace("10", "T") if card in _ORDER]
    return joined(" ", [RANKS[card] for card in sorted(known, key=_ORDER.index)]) or "–"
