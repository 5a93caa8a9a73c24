"""A deal as a diagram: four hands by suit, from PBN's deal string."""

from __future__ import annotations

from dataclasses import dataclass

from honours.model import Seat
from honours.scoring.contracts import dealer, vulnerable

SUITS = ("♠", "♥", "♦", "♣")
_VULNERABLE = {"": "nobody", "NS": "North-South", "EW": "East-West", "NSEW": "everybody"}
_ORDER = "AKQJT98765432"


@dataclass(frozen=True, slots=True)
class Diagram:
    """Seat → a line a suit, ``10`` written out; who deals and who is vulnerable."""

    hands: dict[str, tuple[tuple[str, str], ...]]
    dealer: str
    vulnerable: str


def diagram(board: int, deal: str) -> Diagram | None:
    """The diagram of a deal, ``None`` where it is unknown or not a deal."""
    first, colon, told = deal.strip().partition(":")
    hands = told.split()
    if not colon or first not in tuple(Seat) or not 1 <= len(hands) <= 4:
        return None
    seats = tuple(Seat)
    start = seats.index(Seat(first))
    shown = {
        str(seats[(start + n) % 4]): _suits(hand) for n, hand in enumerate(hands) if hand != "-"
    }
    return Diagram(shown, dealer(board).name.title(), _VULNERABLE[vulnerable(board)])


def _suits(hand: str) -> tuple[tuple[str, str], ...]:
    holdings = [*hand.split("."), "", "", ""][:4]
    return tuple((suit, _cards(cards)) for suit, cards in zip(SUITS, holdings, strict=True))


def _cards(cards: str) -> str:
    known = [card for card in cards.upper().replace("10", "T") if card in _ORDER]
    ordered = sorted(known, key=_ORDER.index)
    return " ".join("10" if card == "T" else card for card in ordered) or "–"
