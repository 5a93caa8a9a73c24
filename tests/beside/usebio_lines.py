"""Just enough of USEBIO for the tests of IMPs, read apart from the package's own reader."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from fractions import Fraction

from honours.model import Entrant, Event, EventEntrant, Result, Session
from tests.support import shared


def root(name: str) -> ET.Element:
    return ET.parse(shared(f"real/usebio/{name}")).getroot()


def text(node: ET.Element, tag: str) -> str:
    return (node.findtext(tag) or "").strip()


def number(node: ET.Element, tag: str) -> Fraction:
    return Fraction(text(node, tag))


def results(top: ET.Element) -> Iterator[tuple[Result, ET.Element]]:
    """Every line of every board, with its element for the published figures."""
    for board in top.iter("BOARD"):
        for line in board.iter("TRAVELLER_LINE"):
            yield _result(board, line), line


def _result(board: ET.Element, line: ET.Element) -> Result:
    return Result(
        int(text(board, "BOARD_NUMBER")),
        (text(line, "NS_PAIR_NUMBER"),),
        (text(line, "EW_PAIR_NUMBER"),),
        int(text(line, "SCORE")),
    )


def event(kind: str, lines: Iterable[Result]) -> Event:
    """An event of these lines, with whoever played in them."""
    played = tuple(lines)
    ids = dict.fromkeys(id for line in played for id in (*line.ns, *line.ew))
    entrants = tuple(EventEntrant(Entrant(id)) for id in ids)
    session = Session(1, played)
    return Event("real", kind, "imps", entrants, (session,), winners=1)
