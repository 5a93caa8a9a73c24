"""A BridgeWebs file from a bridge event: the ranking in one or two blocks, then the travellers.

Experimental like its reader: written from the description of the format.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction

from honours.formats.formulas import neutralise
from honours.formats.table_write import result_cells
from honours.formats.usebio_write import UsebioDocument
from honours.model import Event, Field, Standing
from honours.model.message import Message
from honours.scoring.rounding import decimals

_CELLS = ("contract", "declarer", "tricks", "score")
_TITLES = ("NS", "EW", "Contract", "Declarer", "Tricks", "Score")
_PAIR = 2


def write_bridgewebs(event: Event, lists: Sequence[Field]) -> UsebioDocument:
    """The event with its ranking lists; of two, North-South comes first."""
    boards = {r.board for s in event.sessions for r in s.results}
    rows: list[Sequence[str]] = [
        ("#VERSION", "Honours"),
        ("#TITLE", neutralise(" ".join(event.title.split()))),
        ("#DATE", event.date.strftime("%d/%m/%Y") if event.date else ""),
        ("#PAIRS", str(len(event.entrants))),
        ("#BOARDS", str(len(boards))),
        ("#WINNERS", str(len(lists))),
    ]
    numbers = {e.entrant.id: e.number for e in event.entrants}
    for field in sorted(lists, key=lambda field: field.line != "NS"):
        rows += [("#SCORES",), ("Position", "Pair", "Name1", "Name2", "Percent")]
        rows += [_score(standing, numbers) for standing in field.standings]
    rows += [("#TRAVELLERS",), _TITLES, *_travellers(event)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([r for r in rows if len(r) != 2 or r[1]])
    return UsebioDocument(out.getvalue().encode("utf-8"), tuple(_lost(event)))


def _score(standing: Standing, numbers: dict[str, str]) -> tuple[str, ...]:
    names = [neutralise(player.name) for player in standing.entrant.players][:_PAIR]
    names += [""] * (_PAIR - len(names))
    score = standing.facts.get("printed_score", standing.score)
    percent = decimals(score) if isinstance(score, Fraction) else ""
    number = numbers.get(standing.entrant.id, standing.entrant.id)
    return (standing.placing, neutralise(number), *names, percent)


def _travellers(event: Event) -> Iterator[Sequence[str]]:
    numbers = {e.entrant.id: e.number for e in event.entrants}
    boards = sorted({r.board for s in event.sessions for r in s.results})
    for board in boards:
        yield ("#BOARD", str(board))
        for session in event.sessions:
            for line in session.results:
                if line.board == board:
                    cells = result_cells(line)
                    sides = (line.ns, line.ew)
                    who = [
                        neutralise(" & ".join(numbers.get(one, one) for one in side))
                        for side in sides
                    ]
                    yield (*who, *(cells.get(name, "") for name in _CELLS))


def _lost(event: Event) -> Iterator[str]:
    if len(event.sessions) > 1:
        yield Message("which session a board was played in")
    if len({e.section for e in event.entrants}) > 1:
        yield "sections"
    if any(e.stratum for e in event.entrants):
        yield "strata"
    lines = [r for s in event.sessions for r in s.results]
    if any(line.round or line.table for line in lines):
        yield Message("rounds and tables")
    if any(line.published for line in lines):
        yield Message("the points of each line")
    if any(p.number for e in event.entrants for p in e.entrant.players):
        yield Message("the players' numbers")
    if any(s.boards for s in event.sessions):
        yield "hands"
