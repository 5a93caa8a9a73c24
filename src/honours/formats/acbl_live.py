"""Pages of live.acbl.org: one pair's scorecard, or one board with all its results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.bbo import seen_by
from honours.formats.contracts import average as average_of
from honours.formats.contracts import is_not_played, is_passed_out, parse_contract, parse_seat
from honours.formats.dates import named_day
from honours.formats.deals import deal_of
from honours.formats.entrants import (
    EW,
    NS,
    EntrantKey,
    Seats,
    entrants_with_ids,
    unique_ids,
    with_ids,
)
from honours.formats.format import Format, page
from honours.formats.html import (
    CellPart,
    HtmlPage,
    PageCell,
    PageRow,
    PageTable,
    cell_text,
    read_page,
)
from honours.formats.partial_events import ONE_BOARD, ONE_PAIR, PARTIAL
from honours.formats.problems import Problems
from honours.formats.sheet import parse_number
from honours.model import (
    AdjustedScore,
    Board,
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Session,
    Source,
    Value,
)

_LISTED = re.compile(r"\((\w{1,3})-(NS|EW)\) ?(\d{1,4}) ?- ?(.{1,120})")
_PAIRS = re.compile(r"(\d{1,4}) ?- ?.{0,200}? vs\. ?(\d{1,4}) ?-")
_SECTION = re.compile(r"Section (\w{1,3})")
_BOARD = re.compile(r"Board # ?(\d{1,4})")
_SUITED = re.compile(r"[♠♥♦♣] ?[AKQJT0-9 -]*")
_OTHER = "a page of ACBL Live of another kind"
_EXPECTED = "a pair's scores or a board's detail; for a whole event ask for its game file"


def is_acbl_live(text: str) -> bool:
    """Whether a page is one of live.acbl.org."""
    return (
        "live.acbl.org" in text and re.search("<title>ACBL Live", text, re.IGNORECASE) is not None
    )


def read_acbl_live(path: str | Path) -> Event:
    """Read a page; FileProblems lists all that is wrong in it."""
    page = read_page(str(path))
    heads = [row.texts() for table in page.tables for row in table.rows[:1]]
    reading = _AcblLiveReader(str(path), page)
    if any("Vs" in head and "Board" in head for head in heads):
        return reading.scorecard()
    if any("Pairs" in head and "Contract" in head for head in heads):
        return reading.board()
    raise FileProblem(path, _OTHER, _EXPECTED)


_UnseatedResult = tuple[Seats, Result]
"""A result on its way, its pairs still by where they sit."""


@dataclass(slots=True)
class _AcblLiveReader:
    path: str
    page: HtmlPage
    people: dict[EntrantKey, EventEntrant] = field(default_factory=dict)
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = Problems(self.path)

    # --- one pair's card --------------------------------------------------------------------

    def scorecard(self) -> Event:
        own = self._listed()
        if own is None:
            raise FileProblem(self.path, _OTHER, _EXPECTED)
        self._own_figures(own)
        table = next(t for t in self.page.tables if t.rows and "Vs" in t.rows[0].texts())
        lines = list(self._card(table, own))
        return self._event(lines, (), ONE_PAIR)

    def _listed(self) -> EntrantKey | None:
        """Everybody in the list to choose from; the pair whose card it is."""
        own: EntrantKey | None = None
        for option in self.page.options:
            parts = _LISTED.fullmatch(option.text)
            if parts:
                seating = EntrantKey(parts[1], parts[3], parts[2])
                self._add(seating, parts[4].split(" & "), ())
                if "selected" in option.attributes:
                    own = seating
        return own

    def _add(self, seating: EntrantKey, names: Sequence[str], numbers: Sequence[str]) -> None:
        padded = [*numbers, "", ""]
        players = tuple(Player(name.strip(), padded[n].strip()) for n, name in enumerate(names[:2]))
        self.people[seating] = EventEntrant(
            Entrant("", players), seating.number, seating.line, seating.section
        )

    def _numbered(self, seating: EntrantKey, title: str) -> None:
        """Member numbers, which stand in a title: ``7341361 | 8527527``."""
        known = self.people.get(seating)
        numbers = [number.strip() for number in title.split("|")]
        if known is None or len(numbers) != len(known.entrant.players):
            return
        players = tuple(
            replace(player, number=number if number.isdecimal() else "")
            for player, number in zip(known.entrant.players, numbers, strict=True)
        )
        self.people[seating] = replace(known, entrant=Entrant("", players))

    def _own_figures(self, own: EntrantKey) -> None:
        heading = next((h for h in self.page.headings if h.attributes.get("title")), None)
        if heading is not None:
            self._numbered(own, heading.attributes["title"])
        table = next((t for t in self.page.tables if t.rows and "Flt" in t.rows[0].texts()), None)
        if table is None or len(table.rows) < 3:
            return
        names = _columns(table.rows[0], table.rows[1])
        figures = dict(zip(names, table.rows[2].texts(), strict=False))
        published = dict(self._published(figures))
        entrant = self.people[own]
        carried = self._number(figures.get("Carry Over", ""))
        self.people[own] = replace(
            entrant,
            stratum=figures.get("Flt", ""),
            carried=carried or Fraction(0),
            published=published,
        )

    def _published(self, cells: dict[str, str]) -> Iterator[tuple[str, Value]]:
        figures = {
            "%": "percentage",
            "Score": "total_score",
            "Adjust": "adjustment",
            "mps": "masterpoints",
        }
        for column, name in figures.items():
            if (number := self._number(cells.get(column, ""))) is not None:
                yield name, number
        if cells.get("Color"):
            yield "masterpoint_type", cells["Color"].lower()
        first = True
        for column, text in cells.items():
            kind, _, stratum = column.partition(" place ")
            if stratum and (rank := re.match(r"\d{1,4}", text)):
                yield f"{kind}_place.{stratum}", Fraction(rank[0])
                if first:
                    yield "place", Fraction(rank[0])
                first = False

    def _card(self, table: PageTable, own: EntrantKey) -> Iterator[_UnseatedResult]:
        names = table.rows[0].texts()
        for row in table.rows[1:]:
            cells = dict(zip(names, row.cells, strict=False))
            number = cell_text(cells, "Board")
            versus = re.match(r"(\d{1,4}) ?-", cell_text(cells, "Vs"))
            if not number.isdecimal() or versus is None:
                continue
            other = EntrantKey(own.section, versus[1], NS if own.line == EW else EW)
            if other not in self.people:
                self._add(other, [], ())
            self._numbered(other, cells["Vs"].attributes.get("title", ""))
            score = cell_text(cells, "Plus") or cell_text(cells, "Minus")
            sides = (own, other) if own.line == NS else (other, own)
            yield self._line(sides, int(number[:4]), cells, score, own.line)

    # --- one board --------------------------------------------------------------------------

    def board(self) -> Event:
        heading = " ".join(h.text for h in self.page.headings)
        section, number = _SECTION.search(heading), _BOARD.search(heading)
        if number is None:
            raise FileProblem(self.path, _OTHER, _EXPECTED)
        tables = [t for t in self.page.tables if t.rows and "Pairs" in t.rows[0].texts()]
        # The second table has the same results as East-West see them.
        table = next((t for t in tables if t.before.endswith("N-S")), tables[0])
        name = section[1] if section else ""
        lines = list(self._travellers(table, int(number[1]), name))
        deal = deal_of(_hands(self.page.words))
        boards = (Board(int(number[1]), deal),) if deal else ()
        return self._event(lines, boards, ONE_BOARD)

    def _travellers(self, table: PageTable, board: int, section: str) -> Iterator[_UnseatedResult]:
        names = table.rows[0].texts()
        for row in table.rows[1:]:
            cells = dict(zip(names, row.cells, strict=False))
            pairs = _PAIRS.match(cell_text(cells, "Pairs"))
            if pairs is None:
                continue
            people = [p for p in cells["Pairs"].parts if "data-acbl" in p.attributes]
            sides = (EntrantKey(section, pairs[1], NS), EntrantKey(section, pairs[2], EW))
            for seating, pair in zip(sides, (people[:2], people[2:4]), strict=True):
                numbers = [part.attributes["data-acbl"] for part in pair]
                self._add(seating, [part.text for part in pair], numbers)
            yield self._line(sides, board, cells, cell_text(cells, "Score"), NS)

    # --- both -------------------------------------------------------------------------------

    def _line(
        self,
        sides: tuple[EntrantKey, EntrantKey],
        board: int,
        cells: dict[str, PageCell],
        score: str,
        line: str,
    ) -> _UnseatedResult:
        """A result whose score and matchpoints are those of one line."""
        published: dict[str, Value] = {}
        matchpoints = self._number(cell_text(cells, "Matchpoints"))
        if matchpoints is not None:
            published[f"{line.lower()}_matchpoints"] = matchpoints
        bare = Result(
            board,
            ("",),
            ("",),
            section=sides[0].section,
            published=published,
            source=Source(self.path),
        )
        try:
            result = _outcome(
                bare, cell_text(cells, "Contract"), cell_text(cells, "By"), score, line
            )
        except ValueError as error:
            self.problems.add(
                "board {board}, {ns} v {ew}: {error}",
                board=board,
                ns=sides[0].number,
                ew=sides[1].number,
                error=error,
            )
            result = bare
        return ((sides[0],), (sides[1],)), result

    def _number(self, text: str) -> Fraction | None:
        digits = text.strip(" -") if text.strip() == "-" else text.strip()
        return self.problems.attempt(0, parse_number, digits) if digits else None

    def _event(
        self, lines: Sequence[_UnseatedResult], boards: tuple[Board, ...], partial: str
    ) -> Event:
        if not lines:
            self.problems.add("no results in it", expected=_EXPECTED)
        self.problems.settle()
        ids = unique_ids(self.people)
        results = tuple(with_ids(result, sides, ids) for sides, result in lines)
        title = next((h.text for h in self.page.headings if h.tag == "h2"), "")
        title = title.removeprefix("Board detail for ").removesuffix(" Scores")
        return Event(
            title=title or Path(self.path).stem,
            kind="pairs",
            scoring="matchpoints",
            entrants=entrants_with_ids(self.people, ids),
            sessions=(Session(1, results, boards=boards),),
            winners=2,
            date=_day(self.page),
            program="ACBL Live",
            facts={PARTIAL: partial},
            source=Source(self.path),
        )


def _columns(first: PageRow, second: PageRow) -> list[str]:
    """The names of a table's columns under a header of two rows."""
    below = iter(second.texts())
    names: list[str] = []
    for cell in first.cells:
        width = cell.attributes.get("colspan", "1")
        if width.isdecimal() and 1 < int(width[:2]) < 20:
            under = [next(below, "") for _ in range(int(width[:2]))]
            names += [f"{cell.text.lower()} place {name}".strip() for name in under]
        else:
            names.append(cell.text)
    return names


def _day(page: HtmlPage) -> date | None:
    return next((day for h in page.headings if (day := named_day(h.text))), None)


def _outcome(bare: Result, contract: str, declarer: str, score: str, line: str) -> Result:
    """The result of a row; ``score`` is as the line sees it."""
    if is_not_played(score) or is_not_played(contract):
        return bare
    given = average_of(score) if score else None
    if given is not None:
        # What the other side was given is not in the row: the same is the usual ruling.
        return replace(bare, adjusted=AdjustedScore(given, given))
    if is_passed_out(contract) or is_passed_out(score) or (not score and not contract):
        return replace(bare, score=0, passed_out=True)
    points = seen_by(line, score) or 0
    if not contract or not declarer:
        return replace(bare, score=points)
    try:
        called = parse_contract(contract).played_by(parse_seat(declarer))
    except ValueError:
        return replace(bare, score=points, remark=f"contract {contract}")
    return replace(bare, score=points, contract=called)


def _hands(words: Sequence[CellPart]) -> list[str]:
    """The four hands of a diagram, which come as North, West, East and South."""
    suits = [w.text for w in words if w.tag == "span" and _SUITED.fullmatch(w.text)]
    suits = [text.strip("♠♥♦♣ ") for text in suits if len(text) > 1]
    if len(suits) != 16:
        return []
    north, west, east, south = (".".join(suits[at : at + 4]) for at in range(0, 16, 4))
    return [north, east, south, west]


FORMATS = (Format("acbl-live", "ACBL Live page", page(is_acbl_live), read_acbl_live),)
