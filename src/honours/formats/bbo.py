"""Pages of Bridge Base Online: a tournament's ranking, one board at all tables, one player's
boards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from urllib.parse import unquote

from honours.errors import FileProblem
from honours.formats.entrants import EW, NS, NamedPairs, line_of
from honours.formats.format import BRIDGE, Format, page
from honours.formats.html import HtmlPage, PageCell, PageTable, cell_text, read_page
from honours.formats.lin import Deal, parse_lin, result_of
from honours.formats.notation import parse_ruling, parse_score
from honours.formats.reading import ONE_BOARD, ONE_PAIR, PARTIAL, Problems, day_like
from honours.formats.sheet import figures, parse_number
from honours.formats.table_standings import RankedLine, StandingsFile, lists_published
from honours.model import Board, Event, Player, Result, Session, Source, Value

_POPUP = re.compile(r"hv_popuplin\('([^']{1,20000})'")
_LINK = re.compile(r"[?&]lin=([^&\"]{1,20000})")
_PART_OF = re.compile(r"Section (\w{1,6})(?: (N/?S|E/?W))?", re.IGNORECASE)
_DAY = r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"
_NEEDED = {"North", "South", "East", "West", "Result"}
_EXPECTED = "a tournament's ranking, a traveller, or a player's boards"


def is_bbo(text: str) -> bool:
    """True if a page is one of Bridge Base Online."""
    return "bridgebase.com" in text and ("bbo_" in text or "Bridge Base Online" in text)


def read_bbo(path: str | Path) -> StandingsFile | tuple[Event, ...]:
    """Read a page; FileProblems lists all that is wrong in it."""
    page = read_page(str(path))
    for table in page.tables:
        heads = [row.texts() for row in table.rows[:3]]
        if any(set(head) >= _NEEDED for head in heads):
            return (_BboBoards(str(path), table).event(),)
    if any("Username" in row.texts() for table in page.tables for row in table.rows[:1]):
        return _ranking(str(path), page)
    raise FileProblem(path, "a page of Bridge Base Online of another kind", _EXPECTED)


# --- the ranking ------------------------------------------------------------------------------


def _ranking(path: str, page: HtmlPage) -> StandingsFile:
    """The sections' lists; the list of the leaders where there are none."""
    problems = Problems(path)
    sections = [t for t in page.tables if t.rows and _PART_OF.search(t.before)]
    tables = sections or [
        t for t in page.tables if (bool(t.rows) and {"Rank", "Username"} <= set(t.rows[0].texts()))
    ]
    rows = [row for table in tables for row in _ranked(table, problems)]
    if not rows:
        problems.add("no ranking in it", expected=_EXPECTED)
    problems.settle()
    title = next((v for n, v in _settings(page) if n == "Title"), "") or Path(path).stem
    return lists_published(path, title, rows)


def _settings(page: HtmlPage) -> Iterator[tuple[str, str]]:
    for table in page.tables:
        for row in table.rows:
            if len(row.cells) == 2 and "bbo_tll" in row.cells[0].kind:
                yield row.cells[0].text, row.cells[1].text


def _ranked(table: PageTable, problems: Problems) -> Iterator[RankedLine]:
    """The lines of a ranking table that have a place and players."""
    names = table.rows[0].texts()
    part = _PART_OF.search(table.before)
    score = next((name for name in names if name.startswith("Score")), "")
    for row in table.rows[1:]:
        cells = dict(zip(names, row.texts(), strict=False))
        rank = re.match(r"\d{1,6}", cells.get("Rank", ""))
        players = tuple(Player(name) for name in cells.get("Username", "").split("+") if name)
        if rank is None or not players:
            continue
        facts: dict[str, Value] = {"stratum": cells["Stratum"]} if cells.get("Stratum") else {}
        points = problems.attempt(0, parse_number, cells.get("Points") or "0")
        if points:
            facts["published_masterpoints"] = points
        figure = cells.get(score, "").strip("% ")
        yield RankedLine(
            players,
            int(rank[0]),
            problems.attempt(0, parse_number, figure) if figure else None,
            part[1] if part else "",
            line_of(part[2]) if part and part[2] else "",
            facts,
        )


# --- boards -----------------------------------------------------------------------------------


class BoardsOfPage:
    """The boards of a page on the way to an Event: one board at all tables, or those of a pair."""

    program, expected = "", ""

    def __init__(self, path: str, table: PageTable) -> None:
        self._path, self._table = path, table
        self._problems = Problems(path)
        self._pairs = NamedPairs()
        self._deals: dict[int, str] = {}

    def _event(
        self,
        lines: Iterable[Result],
        title: str,
        part: str,
        imps: bool | None = None,
        day: date | None = None,
    ) -> Event:
        """The event of these lines; their figures show whether they are in IMPs, or it is said."""
        results = tuple(lines)
        if not results and not self._problems.found:
            self._problems.add("no results in it", expected=self.expected)
        self._problems.settle()
        if imps is None:
            imps = not any("percentage" in name for r in results for name in r.published)
        boards = tuple(Board(n, deal) for n, deal in sorted(self._deals.items()))
        return Event(
            title=title or Path(self._path).stem,
            kind="pairs",
            scoring="cross-imps" if imps else "matchpoints",
            entrants=self._pairs.entrants(),
            sessions=(Session(1, results, boards=boards),),
            winners=1,
            date=day,
            program=self.program,
            facts={PARTIAL: part},
            source=Source(self._path),
        )


class _BboBoards(BoardsOfPage):
    """A traveller, or the boards of one player."""

    program, expected = "Bridge Base Online", _EXPECTED

    def __init__(self, path: str, table: PageTable) -> None:
        super().__init__(path, table)
        at = next(n for n, row in enumerate(table.rows) if "North" in row.texts())
        self._names, self._rows = table.rows[at].texts(), table.rows[at + 1 :]
        self._head = " ".join(cell.text for row in table.rows[:at] for cell in row.cells)

    def event(self) -> Event:
        traveller = self._head.startswith("Traveller")
        summaries = (r.cells[0].text for r in self._rows if "tourneySummary" in r.kind and r.cells)
        part = ONE_BOARD if traveller else ONE_PAIR
        return self._event(self._results(traveller), next(summaries, ""), part, day=self._day())

    def _day(self) -> date | None:
        texts = [self._head, *(cell.text for row in self._rows[:3] for cell in row.cells)]
        return next((day for text in texts if (day := day_like(_DAY, text))), None)

    def _results(self, traveller: bool) -> Iterator[Result]:
        """The results of the rows, with the deals that their movies have."""
        player = next(
            (p.text for row in self._table.rows[:1] for c in row.cells for p in c.parts), ""
        )
        for row in self._rows:
            cells = dict(zip(self._names, row.cells, strict=False))
            if "tourneySummary" in row.kind or not cells.keys() >= _NEEDED:
                continue
            seats = {seat: cells[seat].text for seat in ("North", "South", "East", "West")}
            deal = _movie(row.cells)
            board = self._board(cells, deal, traveller)
            if deal is not None and deal.deal:
                self._deals.setdefault(board, deal.deal)
            line = self._line(traveller, player, seats)
            result = self._result(board, cells, seats, line)
            if result is not None:
                yield result

    def _board(self, cells: Mapping[str, PageCell], deal: Deal | None, traveller: bool) -> int:
        if deal is not None and deal.number:
            return deal.number
        number = cells[self._names[0]].text
        return int(number) if number.isdecimal() and len(number) < 5 and not traveller else 1

    def _line(self, traveller: bool, player: str, seats: Mapping[str, str]) -> str:
        """Whose points and score a row gives: the header's line, or the player's own."""
        if traveller:
            return EW if "EW Points" in self._names else NS
        return EW if player in (seats["East"], seats["West"]) else NS

    def _result(
        self, board: int, cells: Mapping[str, PageCell], seats: Mapping[str, str], line: str
    ) -> Result | None:
        """The result of a row, its score and points as one line sees them."""
        text = cell_text(cells, "Score")
        kind = "percentage" if text.endswith("%") else "imps"
        published = figures(self._problems, [(f"{line.lower()}_{kind}", text)])
        points = next((cell.text for name, cell in cells.items() if name.endswith("Points")), "")
        try:
            bare = Result(
                board,
                (self._pairs.of(seats["North"], seats["South"]),),
                (self._pairs.of(seats["East"], seats["West"]),),
                score=seen_by(line, points),
                published=published,
                source=Source(self._path),
            )
            return result_of(cells["Result"].text, bare)
        except ValueError as error:
            self._problems.add(
                "board {board}, {north} v {east}: {error}",
                board=board,
                north=seats["North"],
                east=seats["East"],
                error=error,
            )
            return None


def seen_by(line: str, points: str) -> int | None:
    """North-South's score, from what a page gives as one line sees it; averages and dashes are
    no score."""
    if not points.strip("-– ") or parse_ruling(points) is not None:
        return None
    return parse_score(points) if line == NS else -parse_score(points)


def _movie(cells: Sequence[PageCell]) -> Deal | None:
    """The board's LIN, which stands in the link to its movie."""
    for part in (part for cell in cells for part in cell.parts):
        match = _POPUP.search(part.attributes.get("onclick", "")) or _LINK.search(
            part.attributes.get("href", "")
        )
        if match:
            return next(parse_lin(unquote(match[1])), None)
    return None


def deal_in(cells: Sequence[PageCell]) -> tuple[int, str]:
    """The number and the deal of the board whose movie a row links to."""
    deal = _movie(cells)
    return (deal.number, deal.deal) if deal is not None else (0, "")


FORMATS = (Format("bbo", "Bridge Base Online page", page(is_bbo), read_bbo, game=BRIDGE),)
