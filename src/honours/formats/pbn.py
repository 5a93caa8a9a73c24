"""PBN 2.1: pairs, individuals, teams with their matches, or boards at one table.

A text is games of tags in brackets; a table (ScoreTable, TotalScoreTable) follows the tag that
names its columns. Games told by their tags alone are read from the description of the format: no
real file with results has been seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.entrants import (
    EW,
    NS,
    EntrantKey,
    NamedPairs,
    line_of,
    numbered_apart,
    seats_of,
    unique_ids,
    with_ids,
)
from honours.formats.format import Content, Format, lines
from honours.formats.notation import (
    read_outcome,
)
from honours.formats.reading import (
    ONE_TABLE,
    PARTIAL,
    Problems,
    day_like,
    hand_record_alone,
    read_text,
    rounds_short,
    stops_short,
    unended,
)
from honours.formats.sheet import figures, parse_number
from honours.model import (
    Board,
    Entrant,
    Event,
    EventEntrant,
    Match,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message

_TAG = re.compile(r'\[\s{0,9}(\w+)\s{1,9}"((?:[^"\\]|\\.)*)"\s{0,9}\]')
_COLUMN = re.compile(r"([+-]?)(\w+)(?:\\(\d+)([LR]?))?")
_CELL = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_META = re.compile(r'%\s{0,9}<META\s+name=(\w{1,40})\s+content="([^"]{0,400})"', re.IGNORECASE)
_TITLE = re.compile(r'(?m)^%HRTitleEvent\s{1,9}"([^"\n]{1,200})"')
_DATE = re.compile(r"(?m)^%HRTitleDate\s{1,9}(\S{1,20})")
_CREATOR = re.compile(r"%\s{0,9}Creator:\s{0,9}(.{1,100})", re.IGNORECASE)

_HEAD = 20_000

Row = Mapping[str, str]


@dataclass(slots=True)
class PbnGame:
    """One game: its tags, and its tables as rows of named cells with their lines."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[tuple[int, Row]]] = field(default_factory=dict)


def is_pbn(lines: Sequence[str]) -> bool:
    """True if a text begins with PBN's own comment or with one of its tags."""
    first = next((line for line in lines if not line.startswith(("%", ";"))), "")
    return bool(lines) and (lines[0].startswith("% PBN") or bool(_TAG.match(first)))


def program_of(text: str) -> str:
    """The program that wrote a file, from the comments at its beginning."""
    head = text[:_HEAD]
    meta = dict(_META.findall(head))
    creator = _CREATOR.search(head)
    named = f"{meta.get('Generator', '')} {meta.get('Version', '')}".strip()
    return named or (creator[1].strip() if creator else "")


def printed_title(text: str) -> tuple[str, str]:
    """The title and date that BridgeComposer prints above hands; some files have no other."""
    head = text[:_HEAD]
    title, day = _TITLE.search(head), _DATE.search(head)
    return title[1].strip() if title else "", day[1] if day else ""


# --- the text ---------------------------------------------------------------------------------


def games_of(text: str, problems: Problems) -> Iterator[PbnGame]:
    """The games of a file; a tag of ``#`` has the value it had in the game before, be it the
    columns of a table, and one of ``##value`` has it in all games to come that lack the tag."""
    game, table = PbnGame(1), ""
    before: Mapping[str, str] = {}
    inherited: dict[str, str] = {}
    columns: list[_Column] = []
    for line, raw in enumerate(_without_comments(text).split("\n"), start=1):
        stripped = raw.strip()
        if not stripped or raw.startswith("%"):
            continue
        match = _TAG.match(stripped)
        if match is None:
            if table:
                game.tables[table].append((line, _row(raw.rstrip(), columns)))
            continue
        name, value = match[1], match[2].replace('\\"', '"').replace("\\\\", "\\")
        if name in game.tags:
            yield _inheriting(game, inherited)
            before, game = game.tags, PbnGame(line)
        if value.startswith("##"):
            value = inherited[name] = value[2:]
        elif value == "#":
            value = before.get(name, "")
        table = name if name.endswith("Table") else ""
        if table:
            columns = _columns(value, line, problems)
            game.tables.setdefault(table, [])
        game.tags[name] = value
    if game.tags:
        yield _inheriting(game, inherited)


def _inheriting(game: PbnGame, inherited: Mapping[str, str]) -> PbnGame:
    for name, value in inherited.items():
        game.tags.setdefault(name, value)
    return game


def _without_comments(text: str) -> str:
    """Comments in braces, and from a semicolon at the start of a line; line ends are kept."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    kept, at = [], 0
    while (opened := lines.find("{", at)) >= 0 and (closed := lines.find("}", opened)) >= 0:
        kept += [lines[at:opened], "\n" * lines.count("\n", opened, closed)]
        at = closed + 1
    return re.sub(r"(?m)^;.*$", "", "".join([*kept, lines[at:]]))


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    width: int


def _columns(declared: str, line: int, problems: Problems) -> list[_Column]:
    """``PairId_NS\\3R;Contract\\4L``: names, and widths where they are declared."""
    columns = []
    for text in declared.replace("\\\\", "\\").split(";"):
        match = _COLUMN.fullmatch(text.strip())
        if match is None:
            problems.add(
                "column {text!r} of a table", line, "one like Table\\2R", text=text.strip()
            )
        else:
            columns.append(_Column(match[2], int((match[3] or "0")[:4])))
    return columns


def _row(raw: str, columns: Sequence[_Column]) -> Row:
    """Cells by words; by the declared widths when a value such as a name has spaces in it."""
    cells = [quoted or plain for quoted, plain in _CELL.findall(raw)]
    if len(cells) != len(columns) and all(column.width for column in columns):
        cells, at = [], 0
        for column in columns:
            cells.append(raw[at : at + column.width].strip().strip('"'))
            at += column.width + 1
    elif len(cells) > len(columns) > 0:
        cells = _with_names(raw, columns)
    named = zip((column.name for column in columns), cells, strict=False)
    return {name: "" if cell == "-" else cell for name, cell in named}


def _with_names(raw: str, columns: Sequence[_Column]) -> list[str]:
    """Cells by words as far as the first names (else the last column), which may have spaces: a
    declared width is the least a name takes, two spaces end it."""
    first = next((n for n, c in enumerate(columns) if c.name.startswith("Names_")), -1)
    words = list(_CELL.finditer(raw))
    begun = words[first if first >= 0 else len(columns) - 1].start()
    cells = [match[1] or match[2] for match in words if match.start() < begun]
    rest = raw[begun:]
    for column in columns[len(cells) : -1]:
        end = re.search(r"\s(?=\S)" if column.width else r"\s{2,}(?=\S)", rest[column.width :])
        at = column.width + end.start() if end else len(rest)
        cells.append(rest[:at].strip())
        rest = rest[at:].lstrip()
    return [*cells, " ".join(rest.split()).strip('"')]


# --- lines of a table --------------------------------------------------------------------------


_PUBLISHED = {
    "MP_NS": "ns_matchpoints",
    "MP_EW": "ew_matchpoints",
    "MP_North": "ns_matchpoints",
    "MP_East": "ew_matchpoints",
    "IMP_NS": "ns_imps",
    "IMP_EW": "ew_imps",
    "IMP_North": "ns_imps",
    "IMP_East": "ew_imps",
    "Percentage_NS": "ns_percentage",
    "Percentage_EW": "ew_percentage",
    "Percentage_North": "ns_percentage",
    "Percentage_East": "ew_percentage",
}
_TOTALS = {
    "TotalPercentage": "percentage",
    "Percentage": "percentage",
    "TotalScoreMP": "total_score",
    "TotalMP": "total_score",
    "TotalIMP": "total_score",
    "TotalScoreIMP": "total_score",
    "TotalScore": "total_score",
    "TotalScoreVP": "total_score",
    "NrBoards": "boards_played",
    "NrRounds": "rounds_played",
}
_OUTCOME = ("Contract", "Score_NS", "Score_EW", "Declarer", "Result")


def number(row: Row, column: str, line: int, problems: Problems) -> Fraction | None:
    text = row.get(column, "")
    return problems.attempt(line, parse_number, text) if text else None


def whole(row: Row, name: str) -> int:
    text = row.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def in_order(key: str) -> tuple[int, str]:
    """The sort key of an entrant's number: as numbers where they are."""
    return (int(key) if key.isdecimal() and len(key) < 10 else 0, key)


def _totals(row: Row, line: int, problems: Problems) -> dict[str, Value]:
    """The figures that a table of totals publishes of an entrant."""
    texts = ((name, row.get(column, "")) for column, name in _TOTALS.items())
    published = figures(problems, texts, line)
    if place := re.match(r"=?(\d{1,6})", row.get("Rank", "")):
        published["place"] = Fraction(int(place[1]))
    return published


def outcome(row: Mapping[str, str], bare: Result) -> Result:
    """The outcome told by the columns of a row; a contract ``A`` is an average."""
    contract, ns, ew, declarer, tricks = (row.get(name, "") for name in _OUTCOME)
    average = contract.upper() == "A" and not ns and not ew
    return read_outcome(bare, "AVE" if average else contract, declarer.lstrip("^"), tricks, ns, ew)


# --- names of pairs ----------------------------------------------------------------------------


class NamesInTables:
    """The names beside the results, by the columns ``Names_NS`` and ``Names_EW``."""

    def __init__(self) -> None:
        self._names: dict[EntrantKey, str] = {}

    def take(self, row: Row) -> None:
        """Take the results and the totals of a game."""
        for line in (NS, EW):
            if names := row.get(f"Names_{line}", ""):
                seating = EntrantKey(row.get("Section", ""), row.get(f"PairId_{line}", ""), line)
                self._names.setdefault(seating, names)

    def entrant(self, seating: EntrantKey, id: str) -> Entrant:
        """The entrant with its two players. Programs join two surnames with a hyphen; of three
        nobody knows which two are one, and they stay one name of a pair without players."""
        lines = (seating.line,) if seating.line else (NS, EW)
        sat = (self._names.get(seating._replace(line=line), "") for line in lines)
        joined = next(filter(None, sat), "")
        parts = re.split(r"\s{0,9}(?:&|/|;|\s-\s)\s{0,9}", joined)
        names = parts if len(parts) > 1 else joined.split("-")
        if len(names) != 2 or not all(name.strip() for name in names):
            return Entrant(id, name=joined)
        return Entrant(id, tuple(Player(name.strip()) for name in names))


# --- games told by their tags ------------------------------------------------------------------


BY_TAGS = "told_by_tags"
_UNKNOWN = ("", "?", "-")


def from_tags(path: str, games: Sequence[PbnGame], problems: Problems) -> Event | None:
    """The event of games that say who played and what happened; ``None`` where none does."""
    played = [game for game in games if _was_played(game)]
    if not played:
        return None
    if all(game.tags.get("HomeTeam") and game.tags.get("VisitTeam") for game in played):
        return _two_rooms(path, played, problems)
    pairs = NamedPairs()
    results = []
    for game in played:
        names = [game.tags.get(seat, "") for seat in ("North", "South", "East", "West")]
        if not all(name.strip("? ") for name in names):
            problems.add("a game without the names of its players", game.line)
            continue
        ns, ew = pairs.of(*names[:2]), pairs.of(*names[2:])
        results += _result(path, game, ns, ew, problems)
    problems.settle()
    alone = max(Counter(result.board for result in results).values(), default=0) < 2
    facts: dict[str, Value] = {BY_TAGS: "yes", **({PARTIAL: ONE_TABLE} if alone else {})}
    scoring = " ".join(game.tags.get("Scoring", "") for game in played[:1]).upper()
    return Event(
        title="",
        kind="pairs",
        scoring="cross-imps" if "IMP" in scoring else "matchpoints",
        entrants=pairs.entrants(),
        sessions=(Session(1, tuple(results)),),
        facts=facts,
        source=Source(path),
    )


def _was_played(game: PbnGame) -> bool:
    contract = game.tags.get("Contract", "")
    return contract not in _UNKNOWN and game.tags.get("Board", "").isdecimal()


def _result(path: str, game: PbnGame, ns: str, ew: str, problems: Problems) -> list[Result]:
    tags = game.tags
    score = re.match(r"(NS|EW)? ?(-?\d{1,5})", tags.get("Score", ""))
    row = {
        "Contract": tags["Contract"],
        "Declarer": tags.get("Declarer", ""),
        "Result": re.sub(r"\D", "", tags.get("Result", ""))[:2],
    }
    if score and score[1]:
        row[f"Score_{score[1]}"] = score[2]
    number = int(tags["Board"][:4])
    closed = tags.get("Room", "").lower().startswith("c")
    bare = Result(number, (ns,), (ew,), table=2 if closed else 1, source=Source(path, game.line))
    made = problems.attempt(game.line, lambda _: outcome(row, bare), "")
    return [made] if made is not None else []


def _two_rooms(path: str, games: Sequence[PbnGame], problems: Problems) -> Event:
    """A match in two rooms: the home team sits North-South in the open one."""
    home, visit = (games[0].tags[name] for name in ("HomeTeam", "VisitTeam"))
    if any((g.tags["HomeTeam"], g.tags["VisitTeam"]) != (home, visit) for g in games):
        problems.add("several matches in one file", expected="one match of two teams")
    results = []
    for game in games:
        closed = game.tags.get("Room", "").lower().startswith("c")
        sides = ("2", "1") if closed else ("1", "2")
        results += _result(path, game, *sides, problems)
    problems.settle()
    bam = "BAM" in games[0].tags.get("Scoring", "").upper()
    return Event(
        title="",
        kind="teams",
        scoring="board-a-match" if bam else "imps",
        entrants=(
            EventEntrant(Entrant("1", (), home), "1"),
            EventEntrant(Entrant("2", (), visit), "2"),
        ),
        sessions=(Session(1, tuple(results)),),
        facts={BY_TAGS: "yes"},
        source=Source(path),
    )


# --- teams -------------------------------------------------------------------------------------


_PART = re.compile(r"(\d{1,4}),(-?\d{1,5}),(-?\d{1,5})")
_TOTAL_FROM = 200
"""Parts of a match are numbered from 1; the program's own sum of them has a number from 200."""


def team_event(path: str, games: Sequence[PbnGame], problems: Problems) -> Event:
    """The matches that have a result; those still to be played are counted."""
    totals = [row for game in games for row in game.tables.get("TotalScoreTable", [])]
    listed = [row for game in games for row in game.tables.get("ScoreTable", [])]
    matches = [_match(path, line, row, problems) for line, row in listed]
    played = [match for match in matches if match is not None]
    if not played:
        problems.add("no match has a result")
    problems.settle()
    known = {row.get("TeamId", ""): (line, row) for line, row in totals}
    everyone = {**known, **{key: (0, {}) for m in played for key in (m.home, m.away)}}
    facts: dict[str, Value] = {}
    if len(played) < len(listed):
        facts["matches_to_play"] = Fraction(len(listed) - len(played))
    problems.settle()
    entrants = [
        _team(key, *known.get(key, (0, {})), problems) for key in sorted(everyone, key=in_order)
    ]
    problems.settle()
    return Event(
        title="",
        kind="teams",
        scoring="imps",
        entrants=tuple(entrants),
        sessions=(Session(1, matches=tuple(played)),),
        facts=facts,
        source=Source(path),
    )


def _match(path: str, line: int, row: Row, problems: Problems) -> Match | None:
    """A match of a row; none where it is still to be played."""
    home, away = row.get("TeamId_Home", ""), row.get("TeamId_Away", "")
    vps = [number(row, f"VP_{side}", line, problems) for side in ("Home", "Away")]
    imps = _imps(row.get("MatchDetails", ""))
    if not home or not away:
        problems.add("a match without both of its teams", line)
        return None
    if vps[0] is None and imps is None:
        return None
    return Match(
        whole(row, "Round"),
        home,
        away,
        imps[0] if imps else None,
        imps[1] if imps else None,
        vps[0],
        vps[1],
        whole(row, "NrBoards"),
        Source(path, line),
    )


def _imps(details: str) -> tuple[Fraction, Fraction] | None:
    """``1,15,54|2,30,0|200,45,54``: part, home's and away's IMPs, and the sum of the parts."""
    parts = [tuple(map(int, numbers)) for numbers in _PART.findall(details)]
    total = [part for part in parts if part[0] >= _TOTAL_FROM] or parts
    if not total:
        return None
    return Fraction(sum(part[1] for part in total)), Fraction(sum(part[2] for part in total))


def _team(key: str, line: int, row: Row, problems: Problems) -> EventEntrant:
    published = _totals(row, line, problems)
    return EventEntrant(
        Entrant(key, _roster(row), row.get("TeamName", "")), key, published=published
    )


def _roster(row: Row) -> tuple[Player, ...]:
    """The players with their numbers (``55165,Last,First|…``), or their names alone."""
    players = []
    for member in row.get("RosterDetails", "").split("|"):
        parts = [part.strip() for part in member.split(",")]
        if len(parts) >= 3:
            players.append(Player(f"{parts[2]} {parts[1]}".strip(), parts[0]))
    if players:
        return tuple(players)
    names = row.get("Roster", "").split(" - ")
    return tuple(Player(name.strip()) for name in names if name.strip())


# --- events ------------------------------------------------------------------------------------


_DAY = r"\A(?P<year>\d{4})[./-](?P<month>\d\d)[./-](?P<day>\d\d)\b"
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
        title=_first(games, "Event") or title or Path(path).stem,
        date=day_like(_DAY, day),
        club=_first(games, "Site"),
        program=_first(games, "Generator") or program_of(text),
        doubts=(
            *unended(text),
            *_last_game_short(games),
            *_fewer_than_said(text, event),
            *rounds_short(whole(row, "Round") for row in rows if "TeamId_Home" in row),
            *stops_short(event),
        ),
    )


def _fewer_than_said(text: str, event: Event) -> Iterator[Message]:
    """A doubt where the comments at the head count more entrants or boards than there are."""
    said = dict(_META.findall(text[:_HEAD]))
    boards = {result.board for result in event.sessions[0].results}
    counts = [(said.get("BoardCount", ""), len(boards))] if boards else []
    counts += [(said.get(name, ""), len(event.entrants)) for name in ("TeamCount", "PairCount")]
    for count, there in counts:
        if count.isdecimal() and int(count[:9]) > there:
            yield Message("it says that there are {said}, but has {has}", said=count, has=there)


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
    """A tag's value in the first game that has one."""
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
    """The event of games that are told by their tags."""
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
    """The scoring, from the tag ``Scoring`` (``IMP;Butler-2;Mean``) and from what the columns show;
    a word that we do not know is not taken for matchpoints unless they do."""
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
        """Take the results and the totals of a game."""
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
        """The result of a row; none of a pair that sits out."""
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
            published=figures(
                self._problems, ((name, row.get(c, "")) for c, name in _PUBLISHED.items()), line
            ),
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
        """The event of all games that were taken."""
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
        entrants, results, apart = self._individuals() if self._individual else self._pairs()
        entrants, results = _from_nought(entrants, results)
        shown = {name.partition("_")[2] for r in results for name in r.published}
        counted = "cross-imps" if self._imps else "matchpoints" if shown & _OF_MATCHPOINTS else ""
        scoring = scoring_of(games, counted, self._problems)
        self._problems.settle()
        strange = [column for column in self._columns if not _KNOWN.fullmatch(column)]
        return Event(
            title="",
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
        """Pairs by number, line and section, and the results by their ids."""
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
        players = _players(row)
        return EventEntrant(
            Entrant(id, players) if players else self._names.entrant(seating, id),
            seating.number,
            seating.line,
            seating.section,
            published=_totals(row, line, self._problems),
        )


def _players(row: Mapping[str, str]) -> tuple[Player, ...]:
    """The players of a row of totals, with their numbers."""
    joined = row.get("Names") or row.get("Name") or ""
    names = [name for name in re.split(r"\s{0,9}(?:&|\s-\s|;)\s{0,9}", joined) if name.strip()]
    if "Name" in row and "Names" not in row:
        return (Player(joined.strip(), row.get("MemberID", "")),) if joined.strip() else ()
    numbers = [row.get(f"MemberID{n}", "") for n in range(1, len(names) + 1)]
    return tuple(Player(name.strip(), n) for name, n in zip(names, numbers, strict=True))


def _from_nought(
    entrants: tuple[EventEntrant, ...], results: tuple[Result, ...]
) -> tuple[tuple[EventEntrant, ...], tuple[Result, ...]]:
    """Matchpoints and totals that are told around nought, as they are counted from nought: the
    average of a board of n results is n - 1, two points for each pair beaten."""
    points = (v for r in results for n, v in r.published.items() if n.endswith("matchpoints"))
    if not any(isinstance(value, Fraction) and value < 0 for value in points):
        return entrants, results
    times = Counter((result.section, result.board) for result in results)
    averages: Counter[str] = Counter()
    raised = []
    for result in results:
        average = times[result.section, result.board] - 1
        averages.update(dict.fromkeys((*result.ns, *result.ew), average))
        published = {
            name: Fraction(value) + average if name.endswith("matchpoints") else value
            for name, value in result.published.items()
        }
        raised.append(replace(result, published=published))
    counted = []
    for e in entrants:
        own = {"total_score": Fraction(e.published.get("total_score", 0)) + averages[e.entrant.id]}
        known = "total_score" in e.published
        counted.append(replace(e, published={**e.published, **own}) if known else e)
    return tuple(counted), tuple(raised)


def _seating(row: Row, apart: bool) -> EntrantKey:
    line = line_of(row.get("Direction", "")) if apart else ""
    return EntrantKey(row.get("Section", ""), row.get("PairId", ""), line)


def _without_a_table(content: Content) -> str:
    if isinstance(content, tuple) and BY_TAGS in content[0].facts:
        return Message("no real PBN file of boards without tables has been seen")
    return ""


FORMATS = (Format("pbn", "PBN results", lines(is_pbn), read_pbn, _without_a_table),)
