"""What a PBN file tells: pairs, individuals, teams with their matches, or boards at one table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.dates import day_like
from honours.formats.entrants import (
    EntrantKey,
    line_of,
    numbered_apart,
    seats_of,
    unique_ids,
    with_ids,
)
from honours.formats.file_bytes import read_text
from honours.formats.format import Content, Format, lines
from honours.formats.partial_events import hand_record_alone
from honours.formats.pbn import PbnGame, Row, games_of, is_pbn, printed_title, program_of
from honours.formats.pbn_lines import figures, in_order, number, outcome, whole
from honours.formats.pbn_names import NamesInTables
from honours.formats.pbn_tables import BY_TAGS, from_tags
from honours.formats.pbn_teams import team_event
from honours.formats.problems import Problems
from honours.formats.wholeness import stops_short, unended
from honours.model import (
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
from honours.model.message import Message

_DAY = r"\A(?P<year>\d{4})[./-](?P<month>\d\d)[./-](?P<day>\d\d)\b"
_TOTALS = {
    "TotalPercentage": "percentage",
    "Percentage": "percentage",
    "TotalScoreMP": "total_score",
    "TotalMP": "total_score",
    "TotalIMP": "total_score",
    "TotalScoreIMP": "total_score",
    "TotalScore": "total_score",
    "TotalScoreVP": "total_score",
}
_KNOWN = re.compile(
    "Section|Table|Round|Rank|Contract|Declarer|Result|Lead|Multiplicity"
    "|(PairId|Names|Score|MP|IMP|Percentage|PlayerId)_(NS|EW|North|South|East|West)"
)
"""The columns of a table of results that are read, or that only repeat what others say."""
_SEATS = ("North", "South", "East", "West")


def read_pbn(path: str | Path) -> Event:
    """Read the results of a PBN file; FileProblems lists all that is wrong in them."""
    problems = Problems(str(path))
    text = read_text(path)
    games = list(games_of(text, problems))
    problems.settle()
    rows = [row for game in games for _, row in game.tables.get("ScoreTable", [])]
    if any("TeamId_Home" in row for row in rows):
        event = team_event(str(path), games, problems)
    elif rows:
        reading = _PairsReader(str(path), problems)
        for game in games:
            reading.take(game)
        problems.settle()
        event = reading.event(games)
    else:
        event = _without_tables(str(path), games, problems)
    title, day = printed_title(text)
    day = _first(games, "Date") or _first(games, "EventDate") or day
    return replace(
        event,
        title=_first(games, "Event") or title or event.title,
        date=day_like(_DAY, day),
        club=_first(games, "Site"),
        program=_first(games, "Generator") or program_of(text),
        doubts=(*unended(text), *_last_game_short(games), *stops_short(event)),
    )


def _last_game_short(games: Sequence[PbnGame]) -> Iterator[Message]:
    """A doubt where the last game lacks a tag or a table that every other has; one of totals is
    none."""
    if len(games) > 2 and "TotalScoreTable" not in games[-1].tags:
        empty = [{name for name, rows in game.tables.items() if not rows} for game in games]
        told = [set(g.tags) - without for g, without in zip(games, empty, strict=True)]
        lacking = set.intersection(*told[1:-1]) - told[-1]
        if lacking:
            yield Message(
                "it ends in the middle of board {board}: {tag} is missing, which all others have",
                board=games[-1].tags.get("Board", "?"),
                tag=min(lacking),
            )


def _first(games: Sequence[PbnGame], tag: str) -> str:
    """What the first game says that says something."""
    return next((text for game in games if (text := game.tags.get(tag, "").strip("? "))), "")


def hands_of_pbn(path: str | Path) -> tuple[Board, ...]:
    """The deals of a PBN file, whatever else is in it."""
    problems = Problems(str(path))
    boards = [board for game in games_of(read_text(path), problems) if (board := board_of(game))]
    return tuple(boards)


def board_of(game: PbnGame) -> Board | None:
    number, deal = game.tags.get("Board", ""), game.tags.get("Deal", "")
    good = number.isdecimal() and len(number) < 5 and re.fullmatch(r"[NESW]:.{10,80}", deal)
    return Board(int(number), deal) if good and int(number) else None


def _without_tables(path: str, games: Sequence[PbnGame], problems: Problems) -> Event:
    event = from_tags(path, games, problems)
    problems.settle()
    if event is None:
        dealt = sum(board_of(game) is not None for game in games)
        if dealt:
            raise hand_record_alone(path, "PBN", dealt)
        raise FileProblem(path, "no table of results in it", "a ScoreTable")
    return replace(event, sessions=(replace(event.sessions[0], boards=_boards(games)),))


def _boards(games: Sequence[PbnGame]) -> tuple[Board, ...]:
    boards = {board.number: board for game in games if (board := board_of(game))}
    return tuple(boards.values())


def scoring_of(games: Sequence[PbnGame], shown: str, problems: Problems) -> str:
    """How boards were scored, from the tag ``Scoring`` (``IMP;Butler-2;Mean``) and from what the
    columns show; a word that we do not know is not taken for matchpoints unless they do."""
    telling = next((game for game in games if game.tags.get("Scoring", "").strip("? ")), None)
    scoring = telling.tags["Scoring"].upper() if telling else ""
    if "BUTLER" in scoring:
        return "butler"
    if scoring.startswith(("BAM", "BOARD")):
        return "board-a-match"
    if shown == "cross-imps" or "IMP" in scoring:
        return "cross-imps"
    if telling and not shown and not scoring.startswith(_MATCHPOINTS):
        fault = Message(
            "Scoring {scoring!r}, and no figure that shows what it is",
            scoring=telling.tags["Scoring"][:40],
        )
        problems.add(fault, telling.line, "MP, IMP, Butler or BAM")
    return "matchpoints"


_MATCHPOINTS = ("MP", "MATCH")
_OF_MATCHPOINTS = {"matchpoints", "percentage"}
_PLAYED = ("Contract", "Score_NS", "Score_EW")


class _PairsReader:
    """Pairs or individuals, from the rows of their boards."""

    def __init__(self, path: str, problems: Problems) -> None:
        self._path, self._problems = path, problems
        self.results: list[Result] = []
        self._totals: list[tuple[int, Row]] = []
        self._names = NamesInTables()
        self._columns: dict[str, None] = {}
        self._imps = self._individual = False
        self._unpaired: tuple[int, int] = (0, 0)

    def take(self, game: PbnGame) -> None:
        self._totals += game.tables.get("TotalScoreTable", [])
        rows = game.tables.get("ScoreTable", [])
        board = game.tags.get("Board", "")
        if not board.isdecimal() or not 1 <= int(board[:6]) <= 9999:
            if rows:
                self._problems.add("board {board!r}", game.line, "a number from 1 on", board=board)
            return
        lines = [self._result(int(board), line, row) for line, row in rows]
        self.results += [line for line in lines if line is not None]

    def _result(self, board: int, line: int, row: Row) -> Result | None:
        sides = self._sides_of(row)
        there = (*sides[0], *sides[1])
        if not all(there):
            if any(there) and not any(row.get(name) for name in _PLAYED):
                return None  # A pair that sits out has a row in some tables.
            first, count = self._unpaired
            self._unpaired = (first or line, count + 1)
            return None
        self._imps = self._imps or "IMP_NS" in row
        self._columns.update(dict.fromkeys(row))
        self._names.take(row)
        bare = Result(
            board,
            *sides,
            lead=row.get("Lead", ""),
            section=row.get("Section", ""),
            round=whole(row, "Round"),
            table=whole(row, "Table"),
            published=figures(row, line, self._problems),
            source=Source(self._path, line),
        )
        return self._problems.attempt(line, lambda _: outcome(row, bare), "")

    def _sides_of(self, row: Row) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if "PairId_NS" in row or "PairId_EW" in row:
            return (row.get("PairId_NS", ""),), (row.get("PairId_EW", ""),)
        north, south, east, west = (row.get(f"PlayerId_{seat}", "") for seat in _SEATS)
        self._individual = self._individual or bool(north)
        return (north, south), (east, west)

    def event(self, games: Sequence[PbnGame]) -> Event:
        first, count = self._unpaired
        if count:
            several = Message(
                "{count} lines without both of their pairs, the first here", count=count
            )
            self._problems.add(
                Message("a line without both of its pairs") if count == 1 else several, first
            )
        if not self.results and not self._problems.found:
            self._problems.add("no results in its tables", expected="a ScoreTable with lines")
        self._problems.settle()
        published_results = self.results
        self.results = _from_the_average(published_results)
        entrants, results, apart = self._individuals() if self._individual else self._pairs()
        if self.results is not published_results:
            entrants = _totals_from_the_average(entrants, results)
        shown = {name.partition("_")[2] for r in results for name in r.published}
        counted = "cross-imps" if self._imps else "matchpoints" if shown & _OF_MATCHPOINTS else ""
        scoring = scoring_of(games, counted, self._problems)
        self._problems.settle()
        strange = [column for column in self._columns if not _KNOWN.fullmatch(column)]
        return Event(
            title=Path(self._path).stem,
            kind="individual" if self._individual else "pairs",
            scoring=scoring,
            entrants=entrants,
            sessions=(Session(1, results, boards=_boards(games)),),
            winners=2 if apart else 0,
            facts={"not_understood": ", ".join(strange)} if strange else {},
            source=Source(self._path),
        )

    def _individuals(self) -> tuple[tuple[EventEntrant, ...], tuple[Result, ...], bool]:
        people = {row.get("PlayerId", ""): (line, row) for line, row in self._totals}
        played = [key for r in self.results for key in (*r.ns, *r.ew)]
        everyone = sorted({*played, *(key for key in people if key)}, key=in_order)
        entrants = tuple(
            self._entrant(EntrantKey("", key, ""), key, people.get(key, (0, {})))
            for key in everyone
        )
        return entrants, tuple(self.results), False

    def _pairs(self) -> tuple[tuple[EventEntrant, ...], tuple[Result, ...], bool]:
        meetings = [(r.section, r.ns[0], r.ew[0], r.board) for r in self.results]
        apart = numbered_apart(meetings)
        people = {_seating(row, apart): (line, row) for line, row in self._totals}
        seated = [(r, seats_of(r, apart)) for r in self.results]
        everyone = {seat for _, sides in seated for side in sides for seat in side} | set(people)
        ids = unique_ids(everyone)
        results = tuple(with_ids(r, sides, ids) for r, sides in seated)
        entrants = tuple(
            self._entrant(seating, ids[seating], people.get(seating, (0, {})))
            for seating in sorted(everyone, key=lambda s: s.order)
        )
        return entrants, results, apart

    def _entrant(self, seating: EntrantKey, id: str, ranked: tuple[int, Row]) -> EventEntrant:
        line, row = ranked
        published: dict[str, Value] = {}
        for column, name in _TOTALS.items():
            figure = number(row, column, line, self._problems)
            if figure is not None:
                published.setdefault(name, figure)
        if place := re.match(r"=?(\d{1,6})", row.get("Rank", "")):
            published["place"] = Fraction(int(place[1]))
        boards = number(row, "NrBoards", line, self._problems)
        if boards is not None:
            published["boards_played"] = boards
        players = _players(row)
        return EventEntrant(
            Entrant(id, players) if players else self._names.entrant(seating, id),
            seating.number,
            seating.line,
            seating.section,
            published=published,
        )


def _players(row: Mapping[str, str]) -> tuple[Player, ...]:
    joined = row.get("Names") or row.get("Name") or ""
    names = [name for name in re.split(r"\s{0,9}(?:&|\s-\s|;)\s{0,9}", joined) if name.strip()]
    if "Name" in row and "Names" not in row:
        return (Player(joined.strip(), row.get("MemberID", "")),) if joined.strip() else ()
    numbers = [row.get(f"MemberID{n}", "") for n in range(1, len(names) + 1)]
    return tuple(Player(name.strip(), n) for name, n in zip(names, numbers, strict=True))


def _from_the_average(results: list[Result]) -> list[Result]:
    """Matchpoints that are told around nought, as they are counted from nought: the average of a
    board of n results is n - 1, two points for each pair beaten."""
    matchpoints = [
        v for r in results for name, v in r.published.items() if name.endswith("matchpoints")
    ]
    if not any(isinstance(value, Fraction) and value < 0 for value in matchpoints):
        return results
    times = Counter((result.section, result.board) for result in results)
    return [_raised(result, times[result.section, result.board] - 1) for result in results]


def _raised(result: Result, average: int) -> Result:
    published = {
        name: value + average
        if name.endswith("matchpoints") and isinstance(value, Fraction)
        else value
        for name, value in result.published.items()
    }
    return replace(result, published=published)


def _totals_from_the_average(
    entrants: Sequence[EventEntrant], results: Sequence[Result]
) -> tuple[EventEntrant, ...]:
    """Totals that are told around nought, likewise: with the average of every board played."""
    times = Counter((result.section, result.board) for result in results)
    averages: Counter[str] = Counter()
    for result in results:
        for who in (*result.ns, *result.ew):
            averages[who] += times[result.section, result.board] - 1
    raised = []
    for e in entrants:
        total = e.published.get("total_score")
        if isinstance(total, Fraction):
            own = {**e.published, "total_score": total + averages[e.entrant.id]}
            raised.append(replace(e, published=own))
        else:
            raised.append(e)
    return tuple(raised)


def _seating(row: Row, apart: bool) -> EntrantKey:
    line = line_of(row.get("Direction", "")) if apart else ""
    return EntrantKey(row.get("Section", ""), row.get("PairId", ""), line)


def _without_a_table(content: Content) -> str:
    if isinstance(content, tuple) and BY_TAGS in content[0].facts:
        return Message("no real PBN file of boards without tables has been seen")
    return ""


FORMATS = (Format("pbn", "PBN results", lines(is_pbn), read_pbn, _without_a_table),)
