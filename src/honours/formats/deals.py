"""Deals as programs write hands, turned into PBN's deal from North and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence

RANKS = "AKQJT98765432"
_PACK = {f"{suit}{rank}" for suit in "SHDC" for rank in RANKS}


def cards(text: str) -> str:
    """A suit's cards from the highest: ``A K 10 4`` as ``AKT4``; a void is empty."""
    ranks = text.upper().replace("10", "T")
    return "".join(rank for rank in RANKS if rank in ranks)


def deal_of(hands: Sequence[str]) -> str:
    """A PBN deal from North of four hands (N, E, S, W), each its suits from spades separated by
    dots; empty unless they are the 52 cards."""
    suits = [[cards(suit) for suit in hand.split(".")] for hand in hands]
    held = [
        f"{suit}{rank}"
        for hand in suits
        for suit, ranks in zip("SHDC", hand, strict=False)
        for rank in ranks
    ]
    if len(suits) != 4 or len(held) != 52 or set(held) != _PACK:
        return ""
    return "N:" + " ".join(".".join(hand) for hand in suits)


def by_letters(text: str) -> str:
    """A hand like ``S48JH25TQD235C679`` or ``ca8d1042skq7h5`` as ``J84.QT52.532.976``."""
    suits = dict.fromkeys("SHDC", "")
    for suit, held in re.findall(r"([SHDC])([^SHDC]*)", text.upper()):
        suits[suit] += held
    return ".".join(cards(suits[suit]) for suit in "SHDC")


def with_the_fourth(hands: Sequence[str]) -> list[str]:
    """Four hands, one of which may be empty: it has the cards that the others have not."""
    held = {
        f"{suit}{rank}"
        for hand in hands
        for suit, ranks in zip("SHDC", hand.split("."), strict=False)
        for rank in ranks
    }
    left = ".".join(
        "".join(rank for rank in RANKS if f"{suit}{rank}" not in held) for suit in "SHDC"
    )
    return [hand if hand.strip(".") else left for hand in hands]
