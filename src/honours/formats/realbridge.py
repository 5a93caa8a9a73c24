"""RealBridge results as pages: the ranking, one pair's boards, or one board at all tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.bbo import BoardsOfPage, deal_in, seen_by
from honours.formats.entrants import NS
from honours.formats.format import BRIDGE, Format, page
from honours.formats.html import PageCell, PageTable, cell_text, read_page
from honours.formats.lin import result_of
from honours.formats.reading import ONE_BOARD, ONE_PAIR
from honours.formats.sheet import figures, parse_number
from honours.formats.table_standings import RankedLine, StandingsFile, lists_published
from honours.model import Event, Player, Result, Source, Value
from honours.scoring.contracts import ns_score

_BOARD = re.compile(r"Board (\d{1,4})", re.IGNORECASE)
_SCORES = ("%", "PERCENT", "PERCENTAGE", "SCORE", "IMPS", "IMP", "XIMPS", "VPS", "TOTAL", "MPS")
_EXPECTED = "its ranking, a pair's boards, or a board's results"


def is_realbridge(text: str) -> bool:
    """True if a page says that it has results of RealBridge."""
    head = text[:4096]
    return "realbridge" in head.lower() and re.search("<table", text, re.IGNORECASE) is not None


def read_realbridge(path: str | Path) -> StandingsFile | tuple[Event, ...]:
    """Read a page; FileProblems lists all that is wrong in it."""
    page = read_page(str(path))
    for table in page.tables:
        names = [name.upper() for name in table.rows[0].texts()] if table.rows else []
        if {"PAIR", "RANK"} <= set(names):
            return _ranking(str(path), table, names)
        if {"NS", "EW", "CONTRACT"} <= set(names) or {"VS", "CONTRACT"} <= set(names):
            return (_RealBridgeBoards(str(path), table, names).event(),)
    raise FileProblem(path, "a page of RealBridge of another kind", _EXPECTED)


def _pair(text: str) -> tuple[str, str]:
    first, _, second = text.replace(" & ", " and ").partition(" and ")
    return first.strip(), second.strip()


def _ranking(path: str, table: PageTable, names: list[str]) -> StandingsFile:
    """The ranking of a page."""
    rows = []
    for row in table.rows[1:]:
        cells = dict(zip(names, row.texts(), strict=False))
        rank = re.match(r"=?(\d{1,6})", cells.get("RANK", ""))
        if rank and cells.get("PAIR"):
            players = tuple(Player(name) for name in _pair(cells["PAIR"]) if name)
            rows.append(RankedLine(players, int(rank[1]), _score(cells)))
    if not rows:
        raise FileProblem(path, "no ranking in it", _EXPECTED)
    return lists_published(path, Path(path).stem, rows)


def _score(cells: Mapping[str, str]) -> Fraction | None:
    """The score of a line of the ranking, where the page has a column of it."""
    words = (cells[name].rstrip("% ") for name in _SCORES if cells.get(name))
    for word in words:
        try:
            return parse_number(word)
        except ValueError:
            continue
    return None


class _RealBridgeBoards(BoardsOfPage):
    """A board's results, or a pair's."""

    program, expected = "RealBridge", _EXPECTED

    def __init__(self, path: str, table: PageTable, names: list[str]) -> None:
        super().__init__(path, table)
        self._names = names

    def event(self) -> Event:
        board = _BOARD.search(self._table.caption)
        part = ONE_BOARD if "NS" in self._names and board is not None else ONE_PAIR
        imps = any("IMP" in name for name in self._names)
        results = self._results(int(board[1]) if board else 0)
        return self._event(results, self._table.caption, part, imps)

    def _results(self, board: int) -> Iterator[Result]:
        """The results of the rows, with the deals that their movies have."""
        for row in self._table.rows[1:]:
            cells = dict(zip(self._names, row.cells, strict=False))
            if "CONTRACT" not in cells:
                continue
            number, deal = deal_in(row.cells)
            own = cell_text(cells, "#")
            number = board or (int(own[:4]) if own[:4].isdecimal() else number)
            if deal and number:
                self._deals.setdefault(number, deal)
            result = self._result(number, cells)
            if result is not None:
                yield result

    def _result(self, board: int, cells: Mapping[str, PageCell]) -> Result | None:
        """A row's result; a pair's own page does not say which way it sat, and is read as if it
        were North-South, unless it declared from the other side."""
        try:
            if "NS" in cells:
                sides = _pair(cells["NS"].text), _pair(cells["EW"].text)
                score = cell_text(cells, "NS SCORE")
            else:
                sides = _pair(self._table.caption), _pair(cells["VS"].text)
                score = cell_text(cells, "SCORE")
            bare = Result(
                board,
                ("",),
                ("",),
                score=seen_by(NS, score),
                lead=cell_text(cells, "LEAD"),
                source=Source(self._path),
            )
            result = result_of(cells["CONTRACT"].text, bare)
            flip = "NS" not in cells and _is_east_west(result)
        except ValueError as error:
            self._problems.add("board {board}: {error}", board=board, error=error)
            return None
        ns, ew = (sides[1], sides[0]) if flip else sides
        return replace(
            result,
            ns=(self._pairs.of(*ns),),
            ew=(self._pairs.of(*ew),),
            score=-result.score if flip and result.score is not None else result.score,
            published=self._published(cells, flip),
        )

    def _published(self, cells: Mapping[str, PageCell], flip: bool) -> dict[str, Value]:
        """The points of a row, those of the pair itself on its own side."""
        own = "ew" if flip else "ns"
        columns = {
            "NS IMP": "ns_imps",
            "EW IMP": "ew_imps",
            "IMP": f"{own}_imps",
            "NS MP": "ns_matchpoints",
            "EW MP": "ew_matchpoints",
        }
        texts = ((name, cell_text(cells, column)) for column, name in columns.items())
        return figures(self._problems, texts)


def _is_east_west(result: Result) -> bool:
    """True if the pair of a card sat East-West: its score is then what the contract gives to the
    other line. Where the card does not say how it ended, it was made if it can have been."""
    if result.contract is None or not result.score:
        return False
    made = result.contract.level + 6
    tricks = (*range(made, 14), *range(made)) if result.tricks is None else (result.tricks,)
    given = (ns_score(result.contract, n, result.board) for n in tricks)
    fitting = (score for score in given if abs(score) == abs(result.score or 0))
    return next(fitting, result.score) != result.score


FORMATS = (
    Format(
        "realbridge",
        "RealBridge results page",
        page(is_realbridge),
        read_realbridge,
        "only pages that a player's script made have been seen",
        BRIDGE,
    ),
)
