"""Results from a plain table: one row a line of a traveller, contract and tricks or the score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from honours.formats.entrants import (
    EntrantKey,
    Seats,
    numbered_apart,
    seats_of,
    unique_ids,
    with_ids,
)
from honours.formats.format import Format, columns
from honours.formats.notation import (
    is_not_played,
    is_relative,
    read_outcome,
)
from honours.formats.reading import parse_day, stops_short
from honours.formats.sheet import Row, Sheet, Vocabulary, each_part, restore
from honours.formats.workbooks import read_table
from honours.model import (
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message
from honours.scoring.checks import between_lines
from honours.scoring.contracts import TRICKS
from honours.scoring.profiles import profile
from honours.scoring.rulings import UNSAID


def outcome_of(sheet: Sheet, row: Row, bare: Result, relative: bool) -> Result:
    """The outcome, from the contract and its result, from the score, or from a ruling; where
    results are ``relative`` to contracts, an unsigned 1 is not one trick."""
    contract, declarer, tricks, ns, ew = (
        sheet.text(row, name) for name in ("contract", "declarer", "tricks", "score", "ewscore")
    )
    if not (contract or ns or is_not_played(tricks)):
        raise ValueError(Message("no contract, no score: write NP for a board not played"))
    if relative and re.fullmatch(r"\d{1,2}", tricks) and int(tricks) <= TRICKS:
        if int(tricks):
            raise ValueError(
                Message(
                    "result {result!r} among results like = and +1: write +{result}", result=tricks
                )
            )
        tricks = "="
    return read_outcome(bare, contract, declarer, tricks, ns, ew)


# --- tables ------------------------------------------------------------------------------------


COLUMNS = Vocabulary(
    spellings={
        "board": ("bd", "brd", "boardno", "boardnumber", "boardnr"),
        "ns": ("nspair", "pairns", "nsno", "nsnumber", "nspairnumber", "northsouth", "nsid"),
        "ew": ("ewpair", "pairew", "ewno", "ewnumber", "ewpairnumber", "eastwest", "ewid"),
        "north": ("n",),
        "south": ("s",),
        "east": ("e",),
        "west": ("w",),
        "contract": ("cont", "contr", "finalcontract"),
        "declarer": ("decl", "by", "dec", "playedby", "declarerseat"),
        "tricks": ("result", "res", "made", "trickstaken", "outcome"),
        "score": ("nsscore", "scorens", "points"),
        "ewscore": ("scoreew",),
        "nsmatchpoints": ("nsmp", "mpns", "nsmps", "matchpointsns"),
        "ewmatchpoints": ("ewmp", "mpew", "ewmps", "matchpointsew"),
        "nsplayers": ("nsnames", "nsname"),
        "ewplayers": ("ewnames", "ewname"),
        "section": ("sect", "sec"),
        "round": ("rnd", "rd"),
        "table": ("tbl", "tab"),
        "lead": ("leadcard", "openinglead"),
        "version": ("form", "variant", "fouled"),
        "session": ("sess", "sessionnumber"),
        "date": ("playedon", "day"),
        "remark": ("remarks", "note", "notes", "comment"),
        "event": ("eventid", "eventname", "title"),
        "club": ("clubname",),
    },
    numeric=frozenset(("nsmatchpoints", "ewmatchpoints")),
)
_SEATS = ("north", "south", "east", "west")
_HIGHEST_BOARD = 9999


@dataclass(frozen=True, slots=True)
class _ResultRow:
    """One row: its result with numbers still as the file gives them, and whose they are."""

    line: int
    session: int
    result: Result
    players: tuple[tuple[str, str], tuple[str, str]]


def read_results(path: str | Path) -> Event:
    """Read a CSV, TSV or XLSX of the results of one event; FileProblems lists all that is wrong."""
    return parse_results(read_table(path), path)


def parse_results(text: str, path: str | Path) -> Event:
    """The event in a table; ``path`` is what error messages call the file."""
    return _read_sheet(Sheet(str(path), text, COLUMNS))


def read_result_events(path: str | Path) -> tuple[Event, ...]:
    """Read a table of the results of several events, told apart by its column ``event``."""
    return tuple(each_part(Sheet(str(path), read_table(path), COLUMNS), "event", _read_sheet))


def _read_sheet(sheet: Sheet) -> Event:
    """The event of a sheet, with everything that is wrong in it told at once."""
    individual = all(seat in sheet.columns for seat in _SEATS)
    _check_columns(sheet, individual)
    sheet.problems.settle()
    relative = _scores_for_declarer(sheet)
    lines = [
        line for n, row in sheet.rows() if (line := _read_line(sheet, n, row, individual, relative))
    ]
    if not lines and not sheet.problems.found:
        sheet.problems.add("a header and no rows")
    title, played, club = (_one_of(sheet, name) for name in ("event", "date", "club"))
    day = sheet.problems.attempt(1, parse_day, played) if played else None
    if sheet.problems.found:
        _look_further(sheet, lines, individual)
    sheet.problems.settle()
    event = _event(sheet, lines, individual)
    doubts = (*sheet.ends_short(), *stops_short(event))
    title = title or Path(sheet.path).stem
    return replace(event, title=title, club=club, date=day, doubts=doubts)


def _check_columns(sheet: Sheet, individual: bool) -> None:
    sheet.require("board")
    if not individual:
        sheet.require("ns")
        sheet.require("ew")
    sheet.require("score", "contract")


def _scores_for_declarer(sheet: Sheet) -> bool:
    """True if the tricks column holds results against the contract (``=``, ``+1``): an unsigned 1
    in it is then not one trick."""
    return any(is_relative(text) for _, text in sheet.column("tricks"))


def _one_of(sheet: Sheet, meaning: str) -> str:
    """The one value a column may have in a whole file."""
    if meaning not in sheet.columns:
        return ""
    values: dict[str, int] = {}
    for line, text in sheet.column(meaning):
        values.setdefault(restore(text), line)
    values.pop("", None)
    if len(values) > 1:
        (first, line), (second, other) = list(values.items())[:2]
        sheet.problems.add(
            "{meaning} {first!r} (line {row}) and {second!r}",
            other,
            "one {meaning} in a file",
            meaning=meaning,
            first=first,
            row=line,
            second=second,
        )
    return next(iter(values), "")


def _read_line(
    sheet: Sheet, line: int, row: Row, individual: bool, relative: bool
) -> _ResultRow | None:
    """A row's line, or nothing where it cannot be read."""
    before = len(sheet.problems.found) + sheet.problems.more
    board = sheet.whole(line, row, "board", least=1)
    if board is None and not sheet.text(row, "board"):
        sheet.problems.add("no board number", line)
    elif board is not None and board > _HIGHEST_BOARD:
        sheet.problems.add(
            "board {board} is above {highest_board}",
            line,
            board=board,
            highest_board=_HIGHEST_BOARD,
        )
    ns, ew = _sides(sheet, line, row, individual)
    session = sheet.whole(line, row, "session", least=1) or 1
    bare = Result(
        board or 0,
        ns,
        ew,
        version=sheet.words(row, "version"),
        lead=sheet.words(row, "lead"),
        section=sheet.words(row, "section"),
        round=sheet.whole(line, row, "round") or 0,
        table=sheet.whole(line, row, "table") or 0,
        remark=sheet.words(row, "remark"),
        published=_published(sheet, line, row),
        source=Source(sheet.path, line),
    )
    result = sheet.problems.attempt(line, lambda _: outcome_of(sheet, row, bare, relative), "")
    if result is None or len(sheet.problems.found) + sheet.problems.more > before:
        return None
    names = (sheet.words(row, "nsplayers"), sheet.words(row, "ewplayers"))
    players = ((" ".join(ns), names[0]), (" ".join(ew), names[1]))
    return _ResultRow(line, session, result, players)


def _sides(
    sheet: Sheet, line: int, row: Row, individual: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numbers of both sides, each of which must be there."""
    columns = (("north", "south"), ("east", "west")) if individual else (("ns",), ("ew",))
    sides = []
    for names in columns:
        numbers = tuple(sheet.words(row, name) for name in names)
        for name, number in zip(names, numbers, strict=True):
            if not number:
                sheet.problems.add("no {name} number: who played?", line, name=name)
        sides.append(numbers)
    return sides[0], sides[1]


def _published(sheet: Sheet, line: int, row: Row) -> dict[str, Value]:
    numbers = {
        "ns_matchpoints": sheet.number(line, row, "nsmatchpoints"),
        "ew_matchpoints": sheet.number(line, row, "ewmatchpoints"),
    }
    return {name: number for name, number in numbers.items() if number is not None}


def _look_further(sheet: Sheet, lines: Sequence[_ResultRow], individual: bool) -> None:
    """Add to the problems of lines that cannot be read what is wrong between the others, so that
    everything is told at once."""
    _, _, _, sessions = _identified(lines, individual)
    readable = Event("", "pairs", "matchpoints", (), sessions, source=Source(sheet.path))
    lost = {problem.line for problem in sheet.problems.found}
    boards = (sheet.text(row, "board") for line, row in sheet.rows() if line in lost)
    unreadable = {int(board) for board in boards if re.fullmatch(r"\d{1,4}", board)}
    sheet.problems.found += between_lines(readable, profile("ebu"), unreadable)
    sheet.problems.found.sort(key=lambda problem: problem.line or 0)


def _event(sheet: Sheet, lines: Sequence[_ResultRow], individual: bool) -> Event:
    apart, seated, ids, sessions = _identified(lines, individual)
    return Event(
        title="",
        kind="individual" if individual else "pairs",
        scoring="matchpoints",
        entrants=_entrants(sheet, lines, seated, ids),
        sessions=sessions,
        winners=2 if apart else 0,
        facts={
            **_same_for_all(sheet),
            UNSAID: "scoring" if individual else "kind, scoring, winners",
        },
        source=Source(sheet.path),
    )


def _same_for_all(sheet: Sheet) -> dict[str, Value]:
    """Values of columns we do not know that are the same in every row: a rulebook may ask for
    them."""
    columns = sheet.columns
    if not columns.ignored:
        return {}
    rows = [dict(sheet.further(row)) for _, row in sheet.rows()]
    alike = {n: v for n, v in rows[0].items() if all(row.get(n) == v for row in rows)}
    ours = {"columns": ", ".join(alike)} if alike else {}
    return {**alike, **ours, "not_understood": ", ".join(columns.ignored)}


def _identified(
    lines: Sequence[_ResultRow], individual: bool
) -> tuple[bool, list[Seats], dict[EntrantKey, str], tuple[Session, ...]]:
    """The sessions with everyone's id in place of the numbers of the file, and how they came."""
    meetings = [
        (
            f"{line.session} {line.result.section}",
            line.result.ns[0],
            line.result.ew[0],
            line.result.board,
        )
        for line in lines
    ]
    apart = not individual and numbered_apart(meetings)
    seated = [seats_of(line.result, apart) for line in lines]
    ids = unique_ids(seating for sides in seated for side in sides for seating in side)
    sessions: dict[int, list[Result]] = {}
    for line, sides in zip(lines, seated, strict=True):
        sessions.setdefault(line.session, []).append(with_ids(line.result, sides, ids))
    return apart, seated, ids, tuple(Session(n, tuple(sessions[n])) for n in sorted(sessions))


def _entrants(
    sheet: Sheet,
    lines: Sequence[_ResultRow],
    seated: Sequence[Seats],
    ids: Mapping[EntrantKey, str],
) -> tuple[EventEntrant, ...]:
    """Everyone who played, in the order of their numbers, with the names the rows give them."""
    names: dict[EntrantKey, str] = {}
    for line, sides in zip(lines, seated, strict=True):
        for side, (_, given) in zip(sides, line.players, strict=True):
            for seating, name in zip(side, _names_of(side, given), strict=True):
                # a name may stand on any of the pair's rows, not only on its first
                known = names.get(seating) or name
                names[seating] = known
                if name and name != known:
                    sheet.problems.add(
                        "{number} is {known!r} and {name!r}",
                        line.line,
                        number=seating.number,
                        known=known,
                        name=name,
                    )
    sheet.problems.settle()
    return tuple(
        EventEntrant(Entrant(ids[s], _people(names.get(s, ""))), s.number, s.line, s.section)
        for s in sorted(ids, key=lambda s: s.order)
    )


def _names_of(side: Sequence[EntrantKey], given: str) -> tuple[str, ...]:
    """The names of a side's entrants: of a pair its own, of two who play for themselves one each,
    or what stands in their seats where that is a name."""
    if len(side) == 1:
        return (given,)
    parts = tuple(name.strip() for name in given.split("&")) if given else ()
    if len(parts) == len(side):
        return parts
    return tuple("" if seating.number[:1].isdigit() else seating.number for seating in side)


def _people(names: str) -> tuple[Player, ...]:
    return tuple(Player(name.strip()) for name in names.split("&")) if names else ()


_TELLING = {"board", "ns", "ew", "contract", "declarer", "tricks", "north", "south"}


FORMATS = (Format("results", "table of results", columns(COLUMNS, _TELLING), read_result_events),)
