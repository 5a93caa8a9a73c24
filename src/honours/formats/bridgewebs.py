"""BridgeWebs CSV: a text in parts that begin with ``#``, its tables read like plain ones.

Experimental: written from the description of the format, no real file has been seen.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.entrants import EW, NS
from honours.formats.format import UNSEEN, Format, WrittenFile, lines
from honours.formats.reading import Problems, parse_day, read_text
from honours.formats.sheet import neutralise, restore
from honours.formats.table_results import parse_results
from honours.formats.table_standings import parse_standings
from honours.formats.table_write import result_cells
from honours.model import Entrant, Event, EventEntrant, Field, Standing, Value
from honours.model.message import Message
from honours.scoring.standings import decimals

_PART = re.compile(r"#\s*([A-Za-z]+)\s*(?:[,;\t:]\s*(.*))?")
_MOST_BLOCKS, _LONGEST = 40, 1_000
_TABLES = ("SCORES", "TRAVELLERS", "BOARD", "BOARDFORMAT")


def is_bridgewebs(lines: Sequence[str]) -> bool:
    """True if a text has parts for the scores or the travellers."""
    parts = {match[1].upper() for line in lines if (match := _PART.match(line.strip()))}
    return bool(parts & {"SCORES", "TRAVELLERS"}) and bool(parts & {"VERSION", "TITLE", "DATE"})


def read_bridgewebs(path: str | Path) -> Event:
    """Read a BridgeWebs file; FileProblems lists all that is wrong in it."""
    lines = read_text(path).splitlines()
    head = _head(lines)
    if sum(_is(line, "SCORES") for line in lines) > _MOST_BLOCKS:
        raise FileProblem(
            path,
            "more lists of scores than an event has",
            "at most {most_blocks}",
            most_blocks=_MOST_BLOCKS,
        )
    blocks = list(_blocks(lines, "SCORES"))
    if not blocks and not any(_is(line, "TRAVELLERS") for line in lines):
        raise FileProblem(path, "neither #SCORES nor #TRAVELLERS", "a BridgeWebs file")
    entrants = _entrants(path, blocks)
    event = parse_results(_travellers(lines), path)
    problems = Problems(str(path))
    day = problems.attempt(1, parse_day, head["DATE"]) if head.get("DATE") else None
    problems.settle()
    return replace(
        event,
        title=head.get("TITLE", "") or event.title,
        date=day,
        entrants=_joined(event.entrants, entrants),
        program=head.get("VERSION", ""),
        winners={"1": 1, "2": 2}.get(head.get("WINNERS", ""), event.winners),
    )


def _is(line: str, part: str) -> bool:
    match = _PART.match(line.strip())
    return match is not None and match[1].upper() == part


def _head(lines: Sequence[str]) -> dict[str, str]:
    matches = (_PART.match(line.strip()) for line in lines)
    settings = {m[1].upper(): _setting((m[2] or "").strip()) for m in matches if m}
    return {name: value for name, value in settings.items() if name not in _TABLES}


def _setting(text: str) -> str:
    """The value of a part, as CSV writes it; one without quotation marks may have commas."""
    if text.startswith('"'):
        text = next(csv.reader([text[:_LONGEST]]), [""])[0]
    return restore(text)


def _blocks(lines: Sequence[str], part: str) -> Iterator[str]:
    """Each block of a part, on the lines it has in the file: all other lines are blank."""
    blank = [""] * len(lines)
    current: list[str] | None = None
    for number, line in enumerate(lines):
        if line.lstrip().startswith("#"):
            if current is not None:
                yield "\n".join(current)
            current = blank.copy() if _is(line, part) else None
        elif current is not None:
            current[number] = line
    if current is not None:
        yield "\n".join(current)


def _travellers(lines: Sequence[str]) -> str:
    """The travellers as one table of results, each line with the number of its board."""
    out, board, header = [], "", False
    inside = False
    for line in lines:
        match = _PART.match(line.strip())
        if match:
            name = match[1].upper()
            inside = name in ("TRAVELLERS", "BOARD")
            header = name == "TRAVELLERS"
            board = (match[2] or "").split(",")[0].strip() if name == "BOARD" else board
            out.append("")
        elif not inside or not line.strip():
            out.append("")
        else:
            out.append(f"board,{line}" if header else f"{board},{line}")
            header = False
    return "\n".join(out)


def _entrants(path: str | Path, blocks: Sequence[str]) -> list[tuple[str, Standing]]:
    """The entrants of the blocks of scores; of two, the first is North-South."""
    lines = (NS, EW) if len(blocks) == 2 else ("",) * len(blocks)
    return [
        (line, standing)
        for line, block in zip(lines, blocks, strict=True)
        for standing in parse_standings(block, path).standings
    ]


def _joined(
    played: Sequence[EventEntrant], scored: Sequence[tuple[str, Standing]]
) -> tuple[EventEntrant, ...]:
    """The entrants who played, with the names and the figures of the scores."""
    known: Mapping[tuple[str, str], tuple[str, Standing]] = {
        (line, s.entrant.id): (line, s) for line, s in scored
    }
    joined = []
    for e in played:
        scored_line = next(
            (
                known[k]
                for k in ((e.line, e.number), (NS, e.number), (EW, e.number), ("", e.number))
                if k in known
            ),
            None,
        )
        if scored_line is None:
            joined.append(e)
            continue
        line, standing = scored_line
        published: dict[str, Value] = {"place": Fraction(standing.place)}
        if standing.score is not None:
            published["percentage"] = standing.score
        entrant = Entrant(e.entrant.id, standing.entrant.players, standing.entrant.name)
        joined.append(replace(e, entrant=entrant, line=e.line or line, published=published))
    return tuple(joined)


# --- writing -----------------------------------------------------------------------------------


_CELLS = ("contract", "declarer", "tricks", "score")
_TITLES = ("NS", "EW", "Contract", "Declarer", "Tricks", "Score")
_PAIR = 2


def write_bridgewebs(event: Event, lists: Sequence[Field]) -> WrittenFile:
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
    rows += [("#TRAVELLERS",), _TITLES, *_write_travellers(event)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([r for r in rows if len(r) != 2 or r[1]])
    return WrittenFile(out.getvalue().encode("utf-8"), tuple(_lost(event)))


def _score(standing: Standing, numbers: dict[str, str]) -> tuple[str, ...]:
    names = [neutralise(player.name) for player in standing.entrant.players][:_PAIR]
    names += [""] * (_PAIR - len(names))
    score = standing.facts.get("printed_score", standing.score)
    percent = decimals(score) if isinstance(score, Fraction) else ""
    number = numbers.get(standing.entrant.id, standing.entrant.id)
    return (standing.placing, neutralise(number), *names, percent)


def _write_travellers(event: Event) -> Iterator[Sequence[str]]:
    """Every board with its lines."""
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
    """Everything the format has no place for."""
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


FORMATS = (
    Format("bridgewebs", "BridgeWebs results", lines(is_bridgewebs), read_bridgewebs, UNSEEN),
)
