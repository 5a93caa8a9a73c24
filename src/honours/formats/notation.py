"""Contracts, results, rulings and deals as people and programs write them, read into the model.

A result is kept in the English letters that files use. Beside its own letters another language
takes the English ones that mean nothing else in it: in French ``4S`` is spades and ``W`` is West
too, while ``4C`` is *cœur*, hearts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Denomination,
    Result,
    Seat,
)
from honours.model.message import Message

_SUITS = {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S"}
_DOUBLES = {"": 0, "X": 1, "*": 1, "DBL": 1, "XX": 2, "**": 2, "RDBL": 2}
_CONTRACT = re.compile(
    r"(?P<level>\d{1,2}) *(?P<denomination>NT|[NSHDC])"
    r" *(?P<doubled>XX|X|\*\*|\*|RDBL|DBL)?"
    r" *(?:BY )? *(?P<declarer>[NESW])? *(?P<late>XX|X|\*\*|\*)?"
    r" *(?P<result>=|[+-]\d{1,2})?"
)
_PASSED = {"PASS", "PASSED", "PASSED OUT", "PASS OUT", "ALL PASS", "AP", "P", "PO"}
_UNPLAYED = {"NOT PLAYED", "NP", "N/P", "UNPLAYED", "LATE PLAY", "NO PLAY"}
_SHARES = re.compile(r"A?(\d{1,3})%? ?[-/: ] ?(\d{1,3})%?")
_COMPACT = re.compile(r"A(\d\d)(\d\d)")
_BOTH_AVERAGES = re.compile(r"A([+=-])([+=-])")
_AVERAGES = {"": "1/2", "=": "1/2", "+": "3/5", "-": "2/5"}
_AVERAGE = re.compile(r"(?:AVERAGE|AVE|AVG|AV) *([+=-]|PLUS|MINUS)?|A([+=-])")


@dataclass(frozen=True, slots=True)
class ContractCell:
    """The content of a contract cell; ``declarer`` and ``result`` only when it names them."""

    level: int
    denomination: Denomination
    doubled: int
    declarer: Seat | None = None
    result: str = ""

    def played_by(self, declarer: Seat) -> Contract:
        return _contract(self.level, self.denomination, declarer, self.doubled)


@lru_cache(1024)
def _contract(level: int, denomination: Denomination, declarer: Seat, doubled: int) -> Contract:
    """One object for each contract there is: a long file has each of them many times."""
    return Contract(level, denomination, declarer, doubled)


@lru_cache(4096)
def tidy(text: str) -> str:
    """Upper case, one kind of space, minus and suit letter."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-")
    for symbol, letter in _SUITS.items():
        plain = plain.replace(symbol, letter)
    return " ".join(plain.replace("\ufe0e", "").replace("\ufe0f", "").upper().split())


def is_passed_out(text: str) -> bool:
    return tidy(text) in _PASSED


def is_not_played(text: str) -> bool:
    return tidy(text) in _UNPLAYED


@lru_cache(4096)
def parse_contract(text: str) -> ContractCell:
    """Read ``4S``, ``4 S x``, ``3NT``, ``4♠XX``, ``4SxN-1``; ValueError says what is wrong."""
    match = _CONTRACT.fullmatch(tidy(text))
    if not match:
        raise ValueError(
            Message(
                "contract {text!r} is not like {one}, {doubled} or {passed}",
                text=text,
                one="4S",
                doubled="3NTx",
                passed="PASS",
            )
        )
    level = int(match["level"])
    if not 1 <= level <= 7:
        raise ValueError(
            Message("contract {text!r} is at level {level}, not 1 to 7", text=text, level=level)
        )
    if match["doubled"] and match["late"]:
        raise ValueError(Message("contract {text!r} is doubled twice over", text=text))
    declarer = Seat(match["declarer"]) if match["declarer"] else None
    doubled = _DOUBLES[match["doubled"] or match["late"] or ""]
    denomination = Denomination(match["denomination"][0])
    return ContractCell(level, denomination, doubled, declarer, match["result"] or "")


def parse_seat(text: str) -> Seat:
    """Read a declarer: ``N``, ``north``."""
    word = tidy(text)
    for seat in Seat:
        if word in (seat.value, seat.name):
            return seat
    raise ValueError(Message("declarer {text!r} is not N, E, S or W", text=text))


def is_relative(text: str) -> bool:
    """True if a result is told against the contract: ``=``, ``+1``, ``-2``."""
    return re.fullmatch(r"=|[+-] ?\d+", tidy(text)) is not None


def parse_tricks(text: str, level: int) -> int:
    """Tricks taken, from ``10`` or against the contract from ``=``, ``+1``, ``-2``."""
    digits = tidy(text).replace(" ", "")
    if not re.fullmatch(r"=|[+-]?\d+", digits) or len(digits) > 3:
        raise ValueError(
            Message("result {text!r} is not a number of tricks, nor like =, +1, -2", text=text)
        )
    tricks = (
        int(digits) if digits.isdecimal() else level + 6 + (0 if digits == "=" else int(digits))
    )
    if not 0 <= tricks <= 13:
        raise ValueError(
            Message("result {text!r} makes {tricks} tricks, not 0 to 13", text=text, tricks=tricks)
        )
    return tricks


def parse_score(text: str) -> int:
    """North-South's score: a whole multiple of ten, which some programs write with a ``.0``."""
    digits = re.sub(r"\.0{1,3}$", "", text.replace("−", "-").replace(" ", ""))
    if not re.fullmatch(r"[+-]?\d{1,5}", digits):
        raise ValueError(
            Message("score {text!r} is not a score, nor like A6040, AVE+ or NP", text=text)
        )
    if int(digits) % 10:
        raise ValueError(Message("score {text!r} is not a multiple of ten", text=text))
    return int(digits)


@lru_cache(4096)
def parse_ruling(text: str) -> AdjustedScore | None:
    """Read ``A6040``, ``60-40``, ``60%-40%``, ``AVE+``, ``AVE+/AVE-``, ``A+-``; ``None`` if it is
    none.

    One average stands for both sides. A percentage is meant as given; an average plus or minus
    is Law 12C2's and so carries the session rule.
    """
    words = tidy(text)
    if match := _COMPACT.fullmatch(words) or _SHARES.fullmatch(words):
        shares = [Fraction(int(share), 100) for share in match.groups()]
        if sum(shares) > 2 or max(shares) > 1:
            raise ValueError(Message("adjusted score {text!r} is over 100%", text=text))
        return AdjustedScore(ArtificialScore(shares[0]), ArtificialScore(shares[1]))
    if match := _BOTH_AVERAGES.fullmatch(words):
        return AdjustedScore(_average(match[1]), _average(match[2]))
    if (single := average(words)) is not None:
        return AdjustedScore(single, single)
    sides = [average(side) for side in re.split(r" ?[/,;] ?|(?<=[+=-]) ", words, maxsplit=1)]
    if len(sides) == 2 and sides[0] and sides[1]:
        return AdjustedScore(sides[0], sides[1])
    return None


@lru_cache(4096)
def average(text: str) -> ArtificialScore | None:
    """One side's ``AVE+``, ``AVE``, ``A-``; ``None`` if the text is not an average."""
    match = _AVERAGE.fullmatch(tidy(text))
    if not match:
        return None
    return _average({"PLUS": "+", "MINUS": "-"}.get(match[1] or "", match[1] or match[2] or ""))


def _average(sign: str) -> ArtificialScore:
    return ArtificialScore(Fraction(_AVERAGES[sign]), session_rule=sign in ("+", "-"))


def read_outcome(
    bare: Result,
    contract: str = "",
    declarer: str = "",
    tricks: str = "",
    ns: str = "",
    ew: str = "",
    lenient: bool = False,
) -> Result:
    """A line with what happened at it: a contract with its declarer and result, the score of either
    side as it sees it, or what stands in place of one. Scores that do not mirror each other are a
    ruling; an average that stands alone is for both sides. ValueError says what is wrong; where
    that is ``lenient``, a contract that cannot be read beside a score is kept as a remark."""
    try:
        return replace(bare, **_outcome(contract, declarer, tricks, ns, ew, bare.score))
    except ValueError as error:
        scored = replace(bare, **_outcome("", "", "", ns, ew, bare.score)) if lenient else bare
        if not lenient or scored.score is None:
            raise
        return replace(scored, remark=f"{bare.remark} {error}".strip())


@lru_cache(1 << 14)
def _outcome(
    contract: str, declarer: str, tricks: str, ns: str, ew: str, known: int | None
) -> dict[str, Any]:
    """The fields of a result that tell what happened; a long file has each outcome many times."""
    texts = [text for text in (ns, ew, contract, tricks) if text]
    if any(map(is_not_played, texts)):
        return {}
    passed = any(map(is_passed_out, texts))
    if ns and ew and not passed:
        sides = [average(ns) or parse_score(ns), average(ew) or -parse_score(ew)]
        if sides[0] != sides[1] or not isinstance(sides[0], int):
            return {"adjusted": AdjustedScore(*map(_given, sides))}
    for text in texts:
        if not is_relative(text) and (ruling := parse_ruling(text)) is not None:
            return {"adjusted": ruling, "score": None}
    if ns and not is_passed_out(ns):
        known = parse_score(ns)
    elif ew and not is_passed_out(ew):
        known = -parse_score(ew)
    if passed:
        return {"score": known or 0, "passed_out": True}
    if not contract:
        return {"score": known}
    return _played(contract, declarer, tricks, known)


def _played(contract: str, declarer: str, tricks: str, known: int | None) -> dict[str, Any]:
    """The fields of a contract that was played."""
    call = parse_contract(contract)
    seat, result = parse_seat(declarer) if declarer else call.declarer, tricks or call.result
    if seat is None or not (result or known is not None):
        raise ValueError(
            Message(
                "{text!r} needs a declarer and a result, like {made} or {down} or {tricks}",
                text=contract,
                made="4S N =",
                down="4S N -1",
                tricks="4S N 9",
            )
        )
    if call.declarer not in (None, seat):
        raise ValueError(
            Message(
                "declarer {declarer} in the contract, {beside} beside it",
                declarer=call.declarer,
                beside=seat,
            )
        )
    taken = parse_tricks(result, call.level) if result else None
    return {"score": known, "contract": call.played_by(seat), "tricks": taken}


def _given(side: ArtificialScore | int) -> ArtificialScore | AssignedScore:
    return AssignedScore(((Fraction(1), side),)) if isinstance(side, int) else side


# --- deals -------------------------------------------------------------------------------------


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


# --- other languages ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spelling:
    """A language's spelling of what is kept in English: denominations, who declares, and words;
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
_WRITTEN_CONTRACT = re.compile(r"( *\d{1,2} *)(NT|[SHDC])(.*)")


def read_spelled(text: str, language: str) -> str:
    """A text written in a language, as English would have it; nothing is checked here."""
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
    contract = _WRITTEN_CONTRACT.fullmatch(text)
    if contract is None:
        return text
    level, bid, rest = contract.groups()
    for kept, own in spelling.seats.items():
        rest = rest.replace(kept, own)
    return level + spelling.bids[bid] + rest
