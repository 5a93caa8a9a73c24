"""Results as the language of whoever types them spells them: French ``4P O =`` is ``4S W =``.

A result is kept in the English letters that files use. Beside its own letters a language takes the
English ones that mean nothing else in it: in French ``4S`` is spades and ``W`` is West too, while
``4C`` is *cœur*, hearts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a language writes what is kept in English: denominations, who declares, and words;
    ``read`` are words that it reads beside those and never writes."""

    bids: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    read: Mapping[str, str] = field(default_factory=dict)


_SPELLINGS = {
    "fr": Spelling(
        bids={"NT": "SA", "S": "P", "H": "C", "D": "K", "C": "T"},
        seats={"W": "O"},
        words={"PASS": "passe", "NP": "nj", "AVE": "moy"},
        read={
            "NON JOUÉE?": "NP",
            "NON JOUEE?": "NP",
            "MOYENNE": "AVE",
            "SURCONTR[EÉ]E?": "XX",
            "CONTR[EÉ]E?": "X",
            "PAR": "BY",
        },
    )
}
_APART = re.compile(r"([,;/]|%(?: OF)?)")
"""What stands between the results of a ruling: ``60% 4SN=, 40% 4SN-1``."""
_CONTRACT = re.compile(r"( *\d{1,2} *)(NT|[SHDC])(.*)")


def read_spelled(text: str, language: str) -> str:
    """What is written in a language, as it would be in English; nothing is checked here."""
    spelling = _SPELLINGS.get(language)
    if spelling is None:
        return text
    plain = " ".join(text.upper().split())
    words = {**spelling.read, **{own.upper(): kept for kept, own in spelling.words.items()}}
    for own, kept in words.items():
        plain = re.sub(rf"\b{own}\b", kept, plain)
    return "".join(_read_part(part, spelling) for part in _APART.split(plain))


def _read_part(text: str, spelling: Spelling) -> str:
    own_bids = {own: kept for kept, own in spelling.bids.items()}
    contract = re.fullmatch(rf"( *\d{{1,2}} *)({'|'.join(own_bids)}|NT|[SHDN♠♥♦♣])(.*)", text)
    if contract is None:
        return text
    level, bid, rest = contract.groups()
    for kept, own in spelling.seats.items():
        rest = rest.replace(own, kept)
    return level + own_bids.get(bid, bid) + rest


def spelled(text: str, language: str) -> str:
    """A result that is kept, or part of one, as a language writes it."""
    spelling = _SPELLINGS.get(language)
    if spelling is None:
        return text
    for kept, own in spelling.words.items():
        text = re.sub(rf"(?i)\b{kept}\b", own, text)
    return "".join(_spelled_part(part, spelling) for part in _APART.split(text))


def _spelled_part(text: str, spelling: Spelling) -> str:
    contract = _CONTRACT.fullmatch(text)
    if contract is None:
        return text
    level, bid, rest = contract.groups()
    for kept, own in spelling.seats.items():
        rest = rest.replace(kept, own)
    return level + spelling.bids[bid] + rest
