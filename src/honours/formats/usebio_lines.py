"""Boards of a USEBIO file: traveller lines into Results, hands into deals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from sys import intern
from urllib.parse import unquote

from honours.errors import message_of
from honours.formats.contracts import (
    is_not_played,
    is_passed_out,
    parse_contract,
    parse_ruling,
    parse_score,
    parse_seat,
    parse_tricks,
)
from honours.formats.lin import parse_lin
from honours.formats.problems import Problems
from honours.formats.sheet import parse_number
from honours.formats.usebio_remarks import line_kept
from honours.formats.xml import Element
from honours.model import Board, Facts, Result, Source, Value
from honours.model.message import Message

PUBLISHED = {
    "NS_MATCH_POINTS": "ns_matchpoints",
    "EW_MATCH_POINTS": "ew_matchpoints",
    "NS_CROSS_IMP_POINTS": "ns_cross_imps",
    "EW_CROSS_IMP_POINTS": "ew_cross_imps",
    "NS_BUTLER_POINTS": "ns_butler",
    "EW_BUTLER_POINTS": "ew_butler",
    "NS_VPS": "ns_vps",
    "EW_VPS": "ew_vps",
}
"""The figures a line publishes, and what we call them."""

_SEATS = (("NORTH", "N"), ("SOUTH", "S"), ("EAST", "E"), ("WEST", "W"))
_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")


def board_number(board: Element, problems: Problems) -> int:
    text = board.word("BOARD_NUMBER")
    if not text.isdecimal() or len(text) > 4 or not 1 <= int(text) <= 9999:
        problems.add("board number {text!r}", board.line, text=text)
        return 0
    return int(text)


def read_line(line: Element, board: int, path: str, problems: Problems) -> Result | None:
    """One traveller line, its pairs still by the numbers of the file."""
    ns, ew = _sides(line)
    there, played = (*ns, *ew), line.word("SCORE") or line.word("CONTRACT")
    if any(there) and not all(there) and not played:
        return None  # A pair that sits out has a line in some files.
    if not all(there):
        problems.add("a line without both of its pairs", line.line)
        return None
    line_as_kept = line_kept(line, problems)
    bare = Result(
        board,
        ns,
        ew,
        version=line_as_kept.version,
        round=line_as_kept.round,
        table=line_as_kept.table,
        lead=intern(line.word("LEAD")),
        remark=line.word("NOTES"),
        published={**_published(line, problems), **line_as_kept.published}
        if line_as_kept.published
        else _published(line, problems),
        source=Source(path, line.line),
    )
    try:
        result = _outcome(line, bare)
        return replace(result, adjusted=line_as_kept.adjusted) if line_as_kept.adjusted else result
    except ValueError as error:
        problems.add(message_of(error), line.line)
        return None


def _sides(line: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs = line.word("NS_PAIR_NUMBER"), line.word("EW_PAIR_NUMBER")
    if any(pairs):
        return (pairs[0],), (pairs[1],)
    n, s, e, w = (_player(line, *names) for names in _SEATS)
    return (n, s), (e, w)


def _player(line: Element, seat: str, letter: str) -> str:
    """A single player's number in a line of an individual, in the spellings we can think of."""
    tags = (f"{seat}_PLAYER_NUMBER", f"{letter}_PLAYER_NUMBER", f"{seat}_NUMBER", seat)
    return next((word for tag in tags if (word := line.word(tag))), "")


@lru_cache(1 << 14)
def _shared(items: tuple[tuple[str, Value], ...]) -> Facts:
    """One object for the same figures: a long file has them many times over."""
    return dict(items)


def _published(line: Element, problems: Problems) -> Facts:
    facts: dict[str, Value] = {}
    for child in line.children:
        name = PUBLISHED.get(child.tag)
        if name and not _is_blank(child.text):
            number = problems.attempt(child.line, _number, child.text)
            if number is not None:
                facts[name] = number
    return _shared(tuple(facts.items()))


def _outcome(line: Element, bare: Result) -> Result:
    score, contract = line.word("SCORE"), line.word("CONTRACT")
    for text in (score, contract):
        if text and is_not_played(text):
            return bare
        if text and (ruling := parse_ruling(text)) is not None:
            return replace(bare, adjusted=ruling)
    passed = is_passed_out(score) if score else False
    points = None if passed or _is_blank(score) else parse_score(score)
    if passed or is_passed_out(contract):
        return replace(bare, score=points or 0, passed_out=True)
    if _is_blank(contract):
        return replace(bare, score=points)
    return _played(line, replace(bare, score=points), contract)


def _played(line: Element, bare: Result, contract: str) -> Result:
    """A contract and its tricks; one that is mistyped beside a score is kept as a remark."""
    try:
        call = parse_contract(contract)
        declarer = call.declarer or parse_seat(line.word("PLAYED_BY"))
        result = line.word("TRICKS") or call.result
        tricks = parse_tricks(result, call.level) if result else None
    except ValueError as error:
        if bare.score is None:
            raise
        return replace(bare, remark=f"{bare.remark} {error}".strip())
    if tricks is None and bare.score is None:
        raise ValueError(
            Message("contract {contract!r} without tricks or score", contract=contract)
        )
    return replace(bare, contract=call.played_by(declarer), tricks=tricks)


def read_hands(board: Element, number: int) -> Board | None:
    """A board's four hands as a PBN deal from North, told by themselves or in the movie of a line;
    nothing when any is missing."""
    hands = {
        hand.word("DIRECTION")[:1].upper(): ".".join(_cards(hand.word(suit)) for suit in _SUITS)
        for hand in board.all("HAND")
    }
    if set(hands) == set("NESW"):
        return Board(number, "N:" + " ".join(hands[seat] for seat in "NESW"))
    records = (line.word("LIN_DATA") for line in board.all("TRAVELLER_LINE"))
    first = next((text for text in records if text), "")
    dealt = next(parse_lin(unquote(first)), None) if first else None
    return Board(number, dealt.deal) if dealt is not None and dealt.deal else None


def _cards(text: str) -> str:
    return "".join(text.upper().replace("10", "T").split()).strip("-")


def number_of(element: Element, tag: str, problems: Problems) -> Fraction | None:
    """A child's number, ``None`` when empty or absent."""
    child = element.first(tag)
    if child is None or _is_blank(child.text):
        return None
    return problems.attempt(child.line, lambda text: _number(text, tag), child.text)


def _is_blank(text: str) -> bool:
    """Whether a program says that there is no figure."""
    return text.strip("-– ").lower() in ("", "n/a", "na", "none")


def _number(text: str, name: str = "") -> Fraction:
    """A figure; USEBIO parts no thousands, so that a comma is a decimal one."""
    return parse_number(text, "," if "," in text and "." not in text else ".", name)
