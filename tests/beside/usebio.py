"""The real USEBIO files of matchpointed pairs, with only what the scorer needs read from them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from xml.etree import ElementTree

from honours.model import (
    AdjustedScore,
    ArtificialScore,
    Entrant,
    Event,
    EventEntrant,
    Facts,
    Result,
    Session,
    Source,
)
from tests.support import shared


@dataclass(frozen=True)
class Published:
    """What the file says of a pair."""

    entrant: str
    percentage: str
    total: str
    place: int


def text(element: ElementTree.Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()


def read(name: str) -> tuple[Event, list[Published]]:
    """The event, each line with its published matchpoints, and the published standings."""
    root = ElementTree.parse(shared(f"real/usebio/{name}")).getroot()
    two = text(root, ".//WINNER_TYPE") == "2"
    pairs = list(root.iter("PAIR"))
    boards = list(root.iter("BOARD"))
    lines = [(board, line) for board in boards for line in board.findall("TRAVELLER_LINE")]
    published = [
        Published(
            _id(text(pair, "PAIR_NUMBER"), text(pair, "DIRECTION") if two else ""),
            text(pair, "PERCENTAGE"),
            text(pair, "TOTAL_SCORE"),
            int(text(pair, "PLACE").rstrip("=")),
        )
        for pair in pairs
    ]
    event = Event(
        name,
        "pairs",
        "matchpoints",
        tuple(EventEntrant(Entrant(pair.entrant)) for pair in published),
        (Session(1, tuple(_result(b, x, nth, two) for nth, (b, x) in enumerate(lines, 1))),),
        winners=2 if two else 1,
    )
    return event, published


def _id(number: str, direction: str) -> str:
    return direction + number.removesuffix(direction) if direction else number


def _result(board: ElementTree.Element, line: ElementTree.Element, nth: int, two: bool) -> Result:
    score = text(line, "SCORE")
    averages = re.fullmatch(r"A(\d\d)(\d\d)", score)
    sides = [ArtificialScore(Fraction(int(x), 100)) for x in averages.groups()] if averages else []
    published: Facts = {
        "ns_matchpoints": Fraction(text(line, "NS_MATCH_POINTS")),
        "ew_matchpoints": Fraction(text(line, "EW_MATCH_POINTS")),
    }
    return Result(
        int(text(board, "BOARD_NUMBER")),
        (_id(text(line, "NS_PAIR_NUMBER"), "NS" if two else ""),),
        (_id(text(line, "EW_PAIR_NUMBER"), "EW" if two else ""),),
        score=None if averages else int(score),
        adjusted=AdjustedScore(*sides) if averages else None,
        published=published,
        source=Source(name_of(board), nth),
    )


def name_of(board: ElementTree.Element) -> str:
    return f"board {text(board, 'BOARD_NUMBER')}"
