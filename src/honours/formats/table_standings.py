"""Standings from a plain table: who came where, with scores or places, players and holdings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

from honours.formats.entrants import Seating, line_of, unique_ids
from honours.formats.sheet import Problems, Row, Sheet, Vocabulary
from honours.formats.xlsx import read_table
from honours.model import Entrant, Field, Player, Standing, Value

COLUMNS = Vocabulary(
    spellings={
        "entrant": ("pair", "pairno", "pairnumber", "pairnr", "team", "teamno", "teamnumber",
                    "no", "nr", "#", "id", "entrantid"),
        "title": ("name", "teamname", "pairname"),
        "players": ("names", "members", "playernames", "player", "spieler", "joueurs"),
        "number": ("numbers", "membernumber", "memberno", "memberid", "playernumber",
                   "acblnumber", "ebunumber", "sbunumber", "agaid", "egfpin", "licence"),
        "masterpoints": ("holding", "holdings", "mps", "mp", "masterpoint", "mptotal"),
        "rating": ("ratings", "gor", "elo", "agarating", "egfrating"),
        "score": ("total", "totalscore", "points", "vps", "vp", "victorypoints", "imps",
                  "matchpoints", "result", "score%", "punkte", "mms"),
        "percentage": ("percent", "%", "pct", "perc", "prozent", "pourcentage"),
        "place": ("position", "pos", "rank", "pl", "placing", "platz", "rang", "plaats"),
        "line": ("direction", "dir", "nsew", "field"),
        "stratum": ("strat", "strata", "category"),
        "section": ("sect", "sec"),
        "session": ("sess", "sessionnumber"),
        "boards": ("boardsplayed", "bds", "boardcount"),
        "won": ("wins", "matcheswon", "win"),
        "drawn": ("draws", "matchesdrawn", "ties", "draw"),
        "handicap": ("hcp", "hcap", "handicapadjustment"),
    },
    numbered={
        "player": ("name", "playername", "member", "spieler", "joueur"),
        "number": ("membernumber", "memberno", "playernumber", "id", "playerid", "no",
                   "acblnumber", "ebunumber", "memberid"),
        "masterpoints": ("holding", "mps", "mp", "masterpoint", "playermasterpoints"),
        "rating": ("playerrating",),
    },
    numeric=frozenset(
        ("score", "percentage", "masterpoints", "rating", "handicap", "won", "drawn")
    ),
)  # fmt: skip
_PER_PLAYER = ("masterpoints", "rating")
_COUNTS = (("boards", "boards_played"), ("won", "won"), ("drawn", "drawn"))
_PLACE = re.compile(r"[=T]? ?(\d{1,9})(?: ?[/-] ?\d{1,9})?(?:ST|ND|RD|TH|\.|º)? ?(=?)")
_GRADE = re.compile(r"\d+ ?[dkp](an|yu)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StandingsFile:
    """A file of standings: one Field for each of its ranking lists (session and line).

    ``ignored`` are the headers nothing was made of, ``notices`` what the reader should know.
    """

    path: str
    lists: tuple[Field, ...]
    ignored: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def standings(self) -> tuple[Standing, ...]:
        return tuple(standing for field in self.lists for standing in field.standings)


@dataclass(slots=True)
class _Line:
    """One row on its way to a Standing."""

    line: int
    session: str
    seating: Seating
    title: str
    players: tuple[Player, ...]
    facts: dict[str, Value]
    score: Fraction | None
    place: int | None
    marked_tied: bool


def read_standings(path: str | Path) -> StandingsFile:
    """Read a CSV, TSV or XLSX of standings; FileProblems lists all that is wrong in it."""
    return parse_standings(read_table(path), path)


def parse_standings(text: str, path: str | Path) -> StandingsFile:
    """The standings a table tells of; ``path`` is what errors call it."""
    sheet = Sheet(str(path), text, COLUMNS)
    _check_columns(sheet)
    lines = [_read_line(sheet, line, row) for line, row in sheet.rows()]
    if not lines:
        sheet.problems.add("a header and no rows")
    sheet.problems.settle()
    _check_duplicates(lines, sheet.problems)
    notices: list[str] = []
    ids = unique_ids(line.seating for line in lines)
    lists = [
        Field(standings=_ranked(members, ids, sheet.problems, notices), line=line, session=session)
        for session, line, members in _lists(lines)
    ]
    sheet.problems.settle()
    return StandingsFile(str(path), tuple(lists), sheet.columns.ignored, tuple(notices))


def _check_columns(sheet: Sheet) -> None:
    sheet.require("score", "percentage", "place")
    if "score" in sheet.columns and "percentage" in sheet.columns and "place" not in sheet.columns:
        sheet.problems.add("both a score and a percentage, and no place", 1, "one that ranks")
    if not any(m in sheet.columns for m in ("entrant", "title", "players", "player1", "number")):
        sheet.require("entrant", "players")
    sheet.problems.settle()


def _read_line(sheet: Sheet, line: int, row: Row) -> _Line:
    players = _players(sheet, line, row)
    number = sheet.words(row, "entrant")
    title = sheet.words(row, "title")
    seating = Seating(
        section=sheet.words(row, "section"),
        number=number or title or _named_by(players) or str(line),
        line=line_of(sheet.words(row, "line")),
    )
    scored = "percentage" if "percentage" in sheet.columns else "score"
    score = sheet.number(line, row, scored)
    place, marked = _place(sheet, line, row)
    if not sheet.text(row, scored) and not sheet.text(row, "place"):
        sheet.problems.add("neither a score nor a place", line)
    session = sheet.words(row, "session")
    facts = _facts(sheet, line, row, seating)
    return _Line(line, session, seating, title, players, facts, score, place, marked)


def _named_by(players: Sequence[Player]) -> str:
    """An id for an entrant without a number: its players' numbers, or their names."""
    numbers = [player.number for player in players]
    return "+".join(numbers) if all(numbers) else " & ".join(p.name for p in players)


def _facts(sheet: Sheet, line: int, row: Row, seating: Seating) -> dict[str, Value]:
    facts: dict[str, Value] = {}
    for column, fact in _COUNTS:
        number = sheet.number(line, row, column) if column in sheet.columns else None
        if number is not None and number < 0:
            sheet.problems.add(f"{column} {sheet.text(row, column)!r} is negative", line)
        elif number is not None:
            facts[fact] = number
    handicap = sheet.number(line, row, "handicap")
    if handicap is not None:
        facts["handicap"] = handicap
    words = {
        "line": seating.line, "section": seating.section, "stratum": sheet.words(row, "stratum")
    }  # fmt: skip
    facts.update({name: word for name, word in words.items() if word})
    return facts


def _place(sheet: Sheet, line: int, row: Row) -> tuple[int | None, bool]:
    text = sheet.text(row, "place")
    if not text:
        return None, False
    match = _PLACE.fullmatch(text.upper())
    if not match or int(match[1]) < 1:
        hint = " (a grade? call its column grade)" if _GRADE.fullmatch(text) else ""
        sheet.problems.add(f"place {text!r} is not like 3, 3= or 3rd{hint}", line)
        return None, False
    return int(match[1]), not text.upper().strip().rstrip("STNDRH.º").isdecimal()


def _players(sheet: Sheet, line: int, row: Row) -> tuple[Player, ...]:
    """From ``player1 player2 …`` or from ``players`` separated by &."""
    if sheet.columns.numbers:
        people = [_numbered_player(sheet, line, row, n) for n in sheet.columns.numbers]
        return tuple(p for p in people if p is not None)
    source = "players" if "players" in sheet.columns else "title"
    names = _parts(sheet.words(row, source))
    numbers = _parts(sheet.words(row, "number"))
    return tuple(_listed_players(sheet, line, row, names, numbers))


def _numbered_player(sheet: Sheet, line: int, row: Row, n: int) -> Player | None:
    name, number = sheet.words(row, f"player{n}"), sheet.words(row, f"number{n}")
    facts = {}
    for fact in _PER_PLAYER:
        value = sheet.number(line, row, f"{fact}{n}")
        if value is not None:
            facts[fact] = value
    return Player(name, number, facts) if name or number or facts else None


def _listed_players(
    sheet: Sheet, line: int, row: Row, names: Sequence[str], numbers: Sequence[str]
) -> Iterator[Player]:
    values = {fact: _listed_values(sheet, line, row, fact) for fact in _PER_PLAYER}
    lengths = {len(listed) for listed in (names, numbers, *values.values()) if listed}
    if len(lengths) > 1:
        told = ", ".join(
            f"{len(listed)} {name}"
            for name, listed in (("names", names), ("numbers", numbers), *values.items())
            if listed
        )
        sheet.problems.add(f"{told} for one entrant", line, "as many of each, separated by &")
        return
    for i in range(max(lengths, default=0)):
        facts = {fact: listed[i] for fact, listed in values.items() if listed}
        yield Player(names[i] if names else "", numbers[i] if numbers else "", facts)


def _listed_values(sheet: Sheet, line: int, row: Row, fact: str) -> list[Fraction]:
    text = sheet.text(row, fact)
    if not text:
        return []
    if "&" not in text:
        value = sheet.number(line, row, fact)
        return [] if value is None else [value]
    return [v for part in _parts(text) if (v := sheet.parse(line, part, fact)) is not None]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split("&")] if text else []


def _check_duplicates(lines: Sequence[_Line], problems: Problems) -> None:
    """The same entrant twice, or one player in two entrants of the same session."""
    entrants: dict[object, int] = {}
    people: dict[object, int] = {}
    for line in lines:
        first = entrants.setdefault((line.session, line.seating), line.line)
        if first != line.line:
            problems.add(f"entrant {line.seating.number!r} again, first on line {first}", line.line)
        for number in [p.number for p in line.players if p.number]:
            first = people.setdefault((line.session, number), line.line)
            if first != line.line:
                problems.add(f"player {number} again, first on line {first}", line.line)
        numbers = [p.number for p in line.players if p.number]
        for number in {n for n in numbers if numbers.count(n) > 1}:
            problems.add(f"player {number} twice in one entrant", line.line)


def _lists(lines: Sequence[_Line]) -> list[tuple[str, str, list[_Line]]]:
    """The ranking lists: per session and line, in the order of the file."""
    order: dict[tuple[str, str], list[_Line]] = {}
    for line in lines:
        order.setdefault((line.session, line.seating.line), []).append(line)
    return [(session, name, members) for (session, name), members in order.items()]


def _ranked(
    members: Sequence[_Line], ids: Mapping[Seating, str], problems: Problems, notices: list[str]
) -> tuple[Standing, ...]:
    """One list, best first, with the places it gives or those its scores make."""
    if any(m.place is not None for m in members):
        places = _places_given(members, problems, notices)
    else:
        places = _places_made([m.score for m in members if m.score is not None])
    tied: dict[int, int] = {}
    for place in places:
        tied[place] = tied.get(place, 0) + 1
    standings = [
        Standing(_entrant(m, ids), place, tied[place], m.score, m.facts)
        for m, place in zip(members, places, strict=True)
    ]
    return tuple(sorted(standings, key=lambda standing: standing.place))


def _entrant(line: _Line, ids: Mapping[Seating, str]) -> Entrant:
    # A title that only repeats the players says nothing an entrant's title would not.
    title = line.title if line.title != " & ".join(p.name for p in line.players) else ""
    return Entrant(ids[line.seating], line.players, title)


def _places_made(scores: Sequence[Fraction]) -> list[int]:
    """Places from scores, the highest first; equal scores share one."""
    counts = Counter(scores)
    first: dict[Fraction, int] = {}
    above = 0
    for score in sorted(counts, reverse=True):
        first[score] = above + 1
        above += counts[score]
    return [first[score] for score in scores]


def _places_given(members: Sequence[_Line], problems: Problems, notices: list[str]) -> list[int]:
    """The places the file gives, once they agree with each other and with the scores."""
    for m in members:
        if m.place is None:
            problems.add("no place, though other entrants have one", m.line)
    ordered = sorted((m for m in members if m.place is not None), key=lambda m: m.place or 0)
    above = 0
    for place, group in groupby(ordered, key=lambda m: m.place or 0):
        tied = list(group)
        _check_place(place, tied, above, problems)
        above += len(tied)
    _check_scores(ordered, problems, notices)
    return [m.place or 0 for m in members]


def _check_place(place: int, tied: Sequence[_Line], above: int, problems: Problems) -> None:
    if place != above + 1:
        problems.add(f"place {place} with {above} entrants above it", tied[0].line,
                     f"place {above + 1}")  # fmt: skip
    if len(tied) == 1 and tied[0].marked_tied:
        problems.add(f"place {place}= and nobody else there", tied[0].line)


def _check_scores(ordered: Sequence[_Line], problems: Problems, notices: list[str]) -> None:
    """A better place has a better score; equal places have equal ones."""
    for better, worse in pairwise(ordered):
        if better.score is None or worse.score is None:
            continue
        lines = f"lines {better.line} and {worse.line}"
        if better.place == worse.place and better.score != worse.score:
            problems.add(f"place {better.place} for two scores ({lines})", worse.line)
        elif better.score < worse.score:
            problems.add(f"place {worse.place} has a higher score than place {better.place} "
                         f"({lines})", worse.line)  # fmt: skip
        elif better.score == worse.score and better.place != worse.place:
            notices.append(f"equal scores, places {better.place} and {worse.place} as the file "
                           f"gives them ({lines})")  # fmt: skip
