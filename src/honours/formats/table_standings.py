"""Standings from a plain table: who came where, with scores or places, players and holdings.

A table may be of a million rows: what many of them share is kept once. A column for each round
tells games as wall lists do: ``12+/w2`` names the opponent by number, or by place where there are
no numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

from honours.engine.numbers import show
from honours.engine.ranking import THE_LIST
from honours.errors import FileProblem, message_of
from honours.formats.entrants import EW, NS, EntrantKey, line_of, unique_ids
from honours.formats.format import Format, Seen, Told, columns
from honours.formats.go import parse_rank
from honours.formats.reading import Problems, parse_day
from honours.formats.sheet import Row, Sheet, each_part, fact_name, plain, vocabulary
from honours.formats.wall_lists import GAME, NO_GAME, mutual
from honours.formats.workbooks import read_table
from honours.model import Entrant, Facts, Field, Game, KnownFact, Origin, Player, Standing, Value
from honours.model.facts import Subject
from honours.model.message import Message, mark, plural
from honours.model.vocabulary import VOCABULARY, facts_of
from honours.scoring.rulings import UNSAID

AWARDED = ("award", "awarded under")
"""The columns in which a table tells what was awarded, and under what."""
COLUMNS = vocabulary("standings")


# --- games -------------------------------------------------------------------------------------


GamesTold = Mapping[str, tuple[tuple[Game, ...], Facts]]
"""The games of each entrant, and what they come to."""
_WORTH = {"+": Fraction(1), "=": Fraction(1, 2), "-": Fraction(0)}


def rounds_told(sheet: Sheet) -> tuple[int, ...]:
    """The numbers of the columns ``round 1`` …, where all that stands in them is games."""
    numbers = sorted(int(name[5:]) for name in sheet.columns.positions if name.startswith("round"))
    cells = [c for n in numbers for _, cell in sheet.column(f"round{n}") if (c := _cell(cell))]
    return tuple(numbers) if cells and all(map(GAME.fullmatch, cells)) else ()


def _cell(text: str) -> str:
    return NO_GAME.get(text.upper(), text)


def cells_of(sheet: Sheet, row: Sequence[str], rounds: Sequence[int]) -> tuple[str, ...]:
    """A row's cells for each round; a cell that is empty is a round without a game."""
    return tuple(_cell(sheet.text(row, f"round{n}")) or "0=" for n in rounds)


def worth(cell: str) -> Fraction:
    """The worth of a round: a game won, half of one, or a round won without one."""
    match = GAME.fullmatch(cell)
    return _WORTH.get(match[2], Fraction(0)) if match and int(match[1]) else Fraction(cell == "0+")


def games_told(
    told: Mapping[int, tuple[int, str, tuple[str, ...]]], problems: Problems
) -> GamesTold:
    """The games of each entrant and what they come to, from number → (line, id, cells); one by
    default counts and was not played."""
    lines = {
        number: (line, [GAME.fullmatch(cell) for cell in cells])
        for number, (line, _, cells) in told.items()
    }
    games: dict[int, list[Game]] = {number: [] for number in told}
    for number, at, game, answer in mutual(lines, problems):
        if game[2] == "?":
            line = told[number][0]
            problems.add("round {round}: {game!r} has no result", line, round=at, game=game[0])
        elif not any((game[3], game[6], answer[3], answer[6])):
            games[number].append(_game(told[int(game[1])][1], game))
    return {
        entrant: (
            tuple(games[number]),
            {
                "won": sum(map(worth, cells), Fraction(0)),
                "games_played": Fraction(len(games[number])),
            },
        )
        for number, (_, entrant, cells) in told.items()
    }


def _game(opponent: str, game: re.Match[str]) -> Game:
    stones = Fraction(int(game[5] or 0))
    received = -stones if (game[4] or "").lower() == "w" else stones
    return Game(opponent, {"result": _WORTH[game[2]], "stones": received})


# --- places ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Placing:
    """A row's statement of its place; ``marked_tied`` where it says that the place is shared."""

    line: int
    score: Fraction | None
    place: int | None
    marked_tied: bool


def places_of(members: Sequence[Placing], problems: Problems, notices: list[str]) -> list[int]:
    """A place for every member of a list, in the order of the members."""
    if any(m.place is not None for m in members):
        return _places_given(members, problems, notices)
    return _places_made([m.score for m in members if m.score is not None])


def are_places(places: Iterable[int | None]) -> bool:
    """True if these are the places of one list: each counts those above it."""
    ordered = sorted(place or 0 for place in places)
    return all(place in (n, before) for n, (before, place) in enumerate(pairwise([0, *ordered]), 1))


def _places_made(scores: Sequence[Fraction]) -> list[int]:
    """Places from scores, the highest first; equal scores share one."""
    counts = Counter(scores)
    first: dict[Fraction, int] = {}
    above = 0
    for score in sorted(counts, reverse=True):
        first[score] = above + 1
        above += counts[score]
    return [first[score] for score in scores]


def _places_given(members: Sequence[Placing], problems: Problems, notices: list[str]) -> list[int]:
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


def _check_place(place: int, tied: Sequence[Placing], above: int, problems: Problems) -> None:
    if place != above + 1:
        problems.add(
            plural(
                "place {place} with {count} entrant above it",
                "place {place} with {count} entrants above it",
                count=above,
                place=place,
            ),
            tied[0].line,
            "place {place}",
            place=above + 1,
        )
    if len(tied) == 1 and tied[0].marked_tied:
        problems.add("place {place}=, but nobody shares it", tied[0].line, place=place)


def _check_scores(ordered: Sequence[Placing], problems: Problems, notices: list[str]) -> None:
    """A better place has a better score; equal places have equal ones."""
    for better, worse in pairwise(ordered):
        if better.score is None or worse.score is None:
            continue
        lines = Message("lines {first} and {second}", first=better.line, second=worse.line)
        if better.place == worse.place and better.score != worse.score:
            problems.add(
                "place {place} for two scores ({lines})",
                worse.line,
                place=better.place,
                lines=lines,
            )
        elif better.score < worse.score:
            problems.add(
                "place {place} has a higher score than place {above} ({lines})",
                worse.line,
                place=worse.place,
                above=better.place,
                lines=lines,
            )
        elif better.score == worse.score and better.place != worse.place:
            notices.append(
                Message(
                    "equal scores, places {place} and {below} as the file gives them ({lines})",
                    place=better.place,
                    below=worse.place,
                    lines=lines,
                )
            )


# --- tables ------------------------------------------------------------------------------------


_OF_EVENTS = frozenset(
    fact.name
    for about in (Subject.EVENT, Subject.SESSION, Subject.MATCH)
    for fact in facts_of(about)
)
_PER_PLAYER = {"masterpoints": "masterpoints", "rating": "rating", "boards": "boards_played"}
_LISTED = ("masterpoints", "rating")
_AVERAGE, _BOARDS, _RULED = 50, 20, 80
"""The mean of percentages, the boards of an evening where nobody says how many, and what rulings
on four boards may add to all percentages of a list together."""
_COUNTS = (
    ("boards", "boards_played"),
    ("won", "won"),
    ("drawn", "drawn"),
    ("handicap", "handicap"),
)
_PLACE = re.compile(r"[=T]? ?(\d{1,9})(?: ?[/-] ?\d{1,9})?(?:ST|ND|RD|TH|\.|º)? ?(=?)")
_DIGITS = re.compile(r"\d+")
_FEW = 4
_COMPASS = re.compile(r"\d+([NE])", re.IGNORECASE)
_LINE_OF = {"N": NS, "E": EW}
_SEVERAL = re.compile(r"[/&+]| - | (?:and|et|und|en|y|e) ")
_NEGATIVE = mark("{column} {text!r} is negative")
_WORD = re.compile(r"[^\W\d]{3,}[^\d]*")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_GRADE = re.compile(r"\d+ ?[dkp](an|yu)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StandingsFile:
    """The standings of one event: one Field for each of its ranking lists (session and line).

    ``ignored`` are the headers nothing was made of, ``notices`` what the reader should know;
    ``event`` is what the table calls it, ``date`` the day it says, the last of several; ``doubts``
    are why the file may not be whole.
    """

    path: str
    lists: tuple[Field, ...]
    ignored: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    event: str = ""
    date: date | None = None
    club: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def standings(self) -> tuple[Standing, ...]:
        return tuple(standing for field in self.lists for standing in field.standings)


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The standings of several events in one file."""

    path: str
    events: tuple[StandingsFile, ...]


@dataclass(slots=True)
class _PlacedRow(Placing):
    """One row on its way to a Standing; its entrant has the number of the file for an id."""

    session: str
    group: str
    section: str
    direction: str
    entrant: Entrant
    facts: Facts
    rounds: tuple[str, ...] = ()

    def key(self, in_group: bool = False) -> EntrantKey:
        section = self.group + self.section if in_group else self.section or self.group
        return EntrantKey(section, self.entrant.id, self.direction)

    @property
    def named(self) -> object:
        """The key that tells its entrant from others: the number alone where there is nothing
        else."""
        apart = self.group or self.section or self.direction
        return self.key(in_group=True) if apart else self.entrant.id


def read_standings(path: str | Path) -> StandingsFile:
    """Read a CSV, TSV or XLSX of one event's standings; FileProblems lists all that is wrong."""
    return parse_standings(read_table(path), path)


def parse_standings(text: str, path: str | Path) -> StandingsFile:
    """The standings in a table; ``path`` is what error messages call the file."""
    content = _events(Sheet(str(path), text, COLUMNS))
    if len(content) > 1:
        raise FileProblem(path, "{count} events", "the standings of one", count=len(content))
    return content[0]


def read_standing_events(path: str | Path) -> StandingsFile | StandingsTable:
    """Read standings of one event, or of several, told apart by a column ``event``."""
    content = _events(Sheet(str(path), read_table(path), COLUMNS))
    return content[0] if len(content) == 1 else StandingsTable(str(path), content)


def _events(sheet: Sheet) -> tuple[StandingsFile, ...]:
    _check_columns(sheet)
    return each_part(sheet, "event", _read_sheet)


def _read_sheet(sheet: Sheet) -> StandingsFile:
    """The lists of one event, with places, facts and games."""
    rounds = rounds_told(sheet)
    rows = _StandingRows(sheet, rounds)
    lines = [rows.line(line, row) for line, row in sheet.rows()]
    if not lines:
        sheet.problems.add("a header and no rows")
    sheet.problems.settle()
    notices = _lines_by_number(sheet, lines)
    if not {"score", "percentage", "place"} & sheet.columns.positions.keys():
        notices.append(Message("placed by games won: the table has no score and no place"))
    _check_duplicates(lines, sheet.problems)
    _check_totals(lines, sheet.problems)
    _check_filled(lines, sheet)
    _name_apart(lines)
    first = next(row for _, row in sheet.rows())
    event, club = sheet.words(first, "event"), sheet.words(first, "club")
    days = _days(sheet)
    known = _of_all(sheet, lines)
    ordered, lists = _lists(sheet, lines), []
    lines.clear()
    in_lines = any(members[0].direction for _, members in ordered)
    for listed, members in ordered:
        places = places_of(members, sheet.problems, notices)
        games = _games(sheet, members, places) if rounds else {}
        # The list of a line has a winner of its own; one without a line is of everybody in it.
        facts = known | (
            {"winners": "1" if listed.line == listed.of_section else "2"} if in_lines else {}
        )
        if listed.of_section and (direction := members[0].direction):
            facts["line"] = direction
        if "place" not in sheet.columns and len({m.section for m in members}) > 1:
            facts[UNSAID] = "rank_sections"
        if day := days.get(listed.session):
            facts["date"] = day.isoformat()
        sources = {name: KnownFact(name, facts[name], Origin.DERIVED, THE_LIST) for name in facts}
        standings = _standings(members, places, games)
        lists.append(replace(listed, facts=facts, standings=standings, sources=sources))
    sheet.problems.settle()
    named = [n for n in sheet.columns.positions if n.startswith("round") and not rounds]
    strange = [name for name in sheet.columns.ignored if fact_name(name) not in known]
    ignored = (*strange, *map(sheet.header, named))
    last = max(days.values(), default=None)
    return StandingsFile(
        sheet.path,
        tuple(lists),
        ignored,
        tuple(notices),
        event,
        last,
        club,
        (
            *sheet.ends_short(),
            *_stops_short(sheet, lists),
            *_off_average(sheet, lists),
            *_numbers_missing(lists),
        ),
    )


def _stops_short(sheet: Sheet, lists: Sequence[Field]) -> Iterator[Message]:
    """A doubt where the last list is of one line, and two pairs or more shorter than the other."""
    if (
        not sheet.followed
        and len(lists) > 1
        and {ranking.line[-2:] for ranking in lists[-2:]} == {NS, EW}
    ):
        before, last = (len(ranking.standings) for ranking in lists[-2:])
        if last + 1 < before and lists[-1].line[:-2] == lists[-2].line[:-2]:
            yield Message(
                "{count} pairs are listed {line}, and {before} in the other line",
                count=last,
                line=lists[-1].line,
                before=before,
            )


def _numbers_missing(lists: Sequence[Field]) -> Iterator[Message]:
    """A doubt where the numbers of a list have two gaps or more: one is a pair that did not come,
    or how lines and sections are numbered."""
    for ranking in lists:
        found = [_DIGITS.findall(standing.entrant.id) for standing in ranking.standings]
        numbers = sorted({int(one[0]) for one in found if len(one) == 1})
        missing = [n for a, b in pairwise(numbers) for n in range(a + 1, min(b, a + 1000))]
        gaps = sum(b > a + 1 for a, b in pairwise(numbers))
        if gaps > 1 and len(numbers) == len(found) and len(missing) <= len(numbers):
            yield Message(
                "numbers {first} to {last} are listed without {missing}",
                first=numbers[0],
                last=numbers[-1],
                missing=tuple(map(str, missing[:_FEW])),
            )


def _off_average(sheet: Sheet, lists: Sequence[Field]) -> Iterator[Message]:
    """A doubt where the percentages of those who were compared are not 50 in the mean, as those of
    everybody are: some are missing."""
    compared: dict[tuple[str, str], list[Standing]] = {}
    for ranking in lists if "percentage" in sheet.columns else ():
        compared.setdefault((ranking.session, ranking.group), []).extend(ranking.standings)
    for standings in compared.values():
        scores = [
            (s.score, Fraction(s.facts.get("boards_played", _BOARDS))) for s in standings if s.score
        ]
        boards = sum(played for _, played in scores) or 1
        mean = sum((score * played for score, played in scores), Fraction(0)) / boards
        handicaps = any(one.facts.get("handicap") for one in standings)
        if scores and not handicaps and abs(mean - _AVERAGE) > Fraction(_RULED, boards):
            yield Message(
                "the scores of {count} entrants average {mean}%, and everybody's would average 50%",
                count=len(scores),
                mean=show(mean, 2),
            )


def _check_filled(lines: Sequence[_PlacedRow], sheet: Sheet) -> None:
    """A flight or stratum is everybody's or nobody's, and lines are under a heading of theirs."""
    values = {
        "group": [one.group for one in lines],
        "stratum": [str(one.facts.get("stratum", "")) for one in lines],
    }
    held = [n for n in sheet.columns.positions if n.rstrip("0123456789") == "masterpoints"]
    pointed = [
        (at, t) for at, row in sheet.rows() for n in held if "." in (t := sheet.text(row, n))
    ]
    if sheet.decimal == "." and pointed and all(_THOUSANDS.fullmatch(t) for _, t in pointed):
        at, text = pointed[0]
        sheet.problems.add("{text!r} may be {text} or thousands", at, text=text)
    lined = Counter((one.session, one.group, one.section, one.direction) for one in lines)
    for one in lines:  # as many as a line has may be a list of their own
        key = (one.session, one.group, one.section)
        beside = [lined[*key, line] for line in (NS, EW) if lined[*key, line]]
        if not one.direction and beside and lined[*key, ""] < min(beside):
            sheet.problems.add("no line, though other entrants have one", one.line)
    for name, own in values.items():
        for one, value in zip(lines, own, strict=True) if any(own) else ():
            if not value:
                sheet.problems.add(
                    "no {column}, though other entrants have one",
                    one.line,
                    column=sheet.header(name),
                )
    for header in sheet.columns.ignored:
        at = sheet.columns.headers.index(header)
        cells = {row[at].strip().upper() for _, row in sheet.rows() if at < len(row)}
        if cells == {NS, EW}:
            sheet.problems.add(
                "a column {header!r} of NS and EW", 1, "a column line", header=header
            )


def _check_totals(lines: Sequence[_PlacedRow], problems: Problems) -> None:
    """A word for a number and nobody's name, where all others have one: a line of totals."""
    bare = [one for one in lines if not one.entrant.players and _WORD.fullmatch(one.entrant.id)]
    if 0 < len(bare) < len(lines):
        for one in bare:
            problems.add(
                "{id!r} without players, where others have a number or names",
                one.line,
                "a line for an entrant, not a total or an average",
                id=one.entrant.id,
            )


def _games(sheet: Sheet, members: Sequence[_PlacedRow], places: Sequence[int]) -> GamesTold:
    """The games of a list, its entrants called by their numbers, or by their places."""
    numbers = [m.entrant.id for m in members]
    if "entrant" not in sheet.columns or not all(map(str.isdecimal, numbers)):
        numbers = [str(place) for place in places]
    told = {
        int(number[:9]): (m.line, m.entrant.id, m.rounds)
        for number, m in zip(numbers, members, strict=True)
    }
    if len(told) < len(members):
        sheet.problems.add("games by places that are shared", expected="a number for each entrant")
    return games_told(told, sheet.problems)


def _of_all(sheet: Sheet, lines: Sequence[_PlacedRow]) -> dict[str, Value]:
    """Facts of the whole event that headers state: what competes, and that scores are as they were
    made."""
    headers = [plain(sheet.header(m)) for m in ("entrant", "title") if m in sheet.columns]
    facts: dict[str, Value] = {}
    for kind in ("team", "pair"):
        if any(header.startswith(kind) for header in headers):
            facts["kind"] = f"{kind}s"
    if "kind" not in facts and _one_each(sheet, lines):
        facts["kind"] = "individual"
    if "unadjusted" in sheet.columns:
        facts["ranking_basis"] = "unadjusted"
    return facts | _alike(lines)


def _alike(lines: Sequence[_PlacedRow]) -> dict[str, Value]:
    """Facts of the event that columns state alike in every row."""
    return {
        name: value if VOCABULARY[name].type in ("number", "count") else str(value)
        for name, value in lines[0].facts.items()
        if name in _OF_EVENTS and all(line.facts.get(name) == value for line in lines)
    }


def _one_each(sheet: Sheet, lines: Sequence[_PlacedRow]) -> bool:
    """True if a column of one player each says that these compete, every name being one."""
    singular = "players" in sheet.columns and not plain(sheet.header("players")).endswith("s")
    people = [line.entrant.players for line in lines]
    return (singular or sheet.columns.numbers == (1,)) and all(
        len(players) == 1 and not _SEVERAL.search(players[0].name) for players in people
    )


def _days(sheet: Sheet) -> dict[str, date]:
    """The day of each session, where there is a column of days."""
    days: dict[str, date] = {}
    for line, row in sheet.rows() if "date" in sheet.columns else ():
        if not (text := sheet.text(row, "date")):
            continue
        try:
            day = parse_day(text)
        except ValueError as error:
            sheet.problems.add(message_of(error), line)
            continue
        first = days.setdefault(sheet.words(row, "session"), day)
        if day != first:
            sheet.problems.add(
                "{day} after {first} in one list",
                line,
                "one day, or a column session",
                day=day.isoformat(),
                first=first.isoformat(),
            )
    return days


def _check_columns(sheet: Sheet) -> None:
    """Note the columns that standings cannot do without."""
    if "unadjusted" not in sheet.columns and not rounds_told(sheet):
        sheet.require("score", "percentage", "place")
    ranks = "place" in sheet.columns or "unadjusted" in sheet.columns
    if not ranks and "score" in sheet.columns and "percentage" in sheet.columns:
        sheet.problems.add("both a score and a percentage, and no place", 1, "one that ranks")
    if not any(m in sheet.columns for m in ("entrant", "title", "players", "player1", "number")):
        sheet.require("entrant", "players")
    sheet.problems.settle()


class _StandingRows:
    """Makes lines of a sheet's rows; facts that many rows share are kept once."""

    def __init__(self, sheet: Sheet, rounds: Sequence[int] = ()) -> None:
        self._sheet, self._rounds = sheet, rounds
        ranking = ("unadjusted", "percentage", "score")
        self._scored = next((column for column in ranking if column in sheet.columns), "score")
        self._seats = [
            tuple(f"{word}{n}" for word in ("player", "number", *_PER_PLAYER))
            for n in sheet.columns.numbers
        ]
        self._counts = [(c, fact) for c, fact in _COUNTS if c in sheet.columns]
        self._facts: dict[object, Facts] = {}

    def line(self, line: int, row: Row) -> _PlacedRow:
        """A row with its entrant, score and place."""
        sheet = self._sheet
        players = tuple(self._players(line, row))
        title, group = sheet.words(row, "title"), sheet.words(row, "group")
        number = sheet.words(row, "entrant") or title or _named_by(players) or str(line)
        section, direction = sheet.words(row, "section"), sheet.words(row, "line")
        direction = line_of(direction) if direction else ""
        score = sheet.number(line, row, self._scored)
        # Places beside a score before handicaps may be those with them: the score ranks.
        place, marked = (None, False) if self._scored == "unadjusted" else _place(sheet, line, row)
        rounds = cells_of(sheet, row, self._rounds)
        if not {self._scored, "place"} & sheet.columns.positions.keys():
            score = sum(map(worth, rounds), Fraction(0))
        elif score is None and not sheet.text(row, self._scored) and not sheet.text(row, "place"):
            sheet.problems.add("neither a score nor a place", line)
        # A title that only repeats the players says nothing an entrant's title would not.
        repeated = title and title == " & ".join(p.name for p in players)
        return _PlacedRow(
            line,
            score,
            place,
            marked,
            sheet.words(row, "session"),
            group,
            section,
            direction,
            Entrant(number, players, "" if repeated else title),
            self._entrant_facts(line, row, section, direction),
            rounds,
        )

    def _entrant_facts(self, line: int, row: Row, section: str, direction: str) -> Facts:
        """The facts of an entrant."""
        sheet = self._sheet
        facts: dict[str, Value] = {}
        for column, fact in self._counts:
            number = sheet.number(line, row, column)
            if number is not None and number < 0 and column != "handicap":
                text = sheet.text(row, column)
                sheet.problems.add(_NEGATIVE, line, column=column, text=text)
            elif number is not None:
                facts[fact] = number
        words = (
            ("line", direction),
            ("section", section),
            ("stratum", sheet.words(row, "stratum")),
        )
        facts.update((name, word) for name, word in words if word)
        if sheet.columns.further:
            facts = {**dict(sheet.further(row)), **facts}
            written = facts.get("grade")
            grade = parse_rank(written) if isinstance(written, str) else None
            facts |= {} if grade is None else {"grade": Fraction(grade)}
        return self._once(facts)

    def _once(self, facts: dict[str, Value]) -> Facts:
        # Numbers of equal cells are the same object: quicker to compare than the numbers.
        key = tuple((name, v if isinstance(v, str) else id(v)) for name, v in facts.items())
        return self._facts.setdefault(key, facts)

    def _players(self, line: int, row: Row) -> Iterator[Player]:
        """From ``player1 player2 …`` or from ``players`` separated by &."""
        sheet = self._sheet
        if not sheet.columns.numbers:
            source = "players" if "players" in sheet.columns else "title"
            names = _parts(sheet.words(row, source))
            yield from self._listed(line, row, names, _parts(sheet.words(row, "number")))
            return
        for nth, (player, number, *figures) in zip(sheet.columns.numbers, self._seats, strict=True):
            name, number_text = sheet.words(row, player), sheet.words(row, number)
            facts: dict[str, Value] = {}
            for fact, column in zip(_PER_PLAYER.values(), figures, strict=True):
                value = sheet.number(line, row, column)
                if value is not None and value < 0 and fact != "rating":
                    text = sheet.text(row, column)
                    sheet.problems.add(_NEGATIVE, line, column=column, text=text)
                elif value is not None:
                    facts[fact] = value
            if sheet.columns.further:
                facts = {**dict(sheet.further(row, nth)), **facts}
            if name or number_text or facts:
                yield Player(name, number_text, self._once(facts))

    def _listed(
        self, line: int, row: Row, names: Sequence[str], numbers: Sequence[str]
    ) -> Iterator[Player]:
        """Players named together in one cell, each with number and figures."""
        sheet = self._sheet
        values = {fact: _listed_values(sheet, line, row, fact) for fact in _LISTED}
        lengths = {len(listed) for listed in (names, numbers, *values.values()) if listed}
        if len(lengths) > 1:
            counts = ", ".join(
                f"{len(listed)} {name}"
                for name, listed in (("names", names), ("numbers", numbers), *values.items())
                if listed
            )
            sheet.problems.add(
                "{counts} for one entrant", line, "as many of each, separated by &", counts=counts
            )
            return
        for i in range(max(lengths, default=0)):
            facts: dict[str, Value] = {f: listed[i] for f, listed in values.items() if listed}
            name, number = names[i] if names else "", numbers[i] if numbers else ""
            yield Player(name, number, self._once(facts))


def _named_by(players: Sequence[Player]) -> str:
    """An id for an entrant without a number: its players' numbers, or their names."""
    numbers = [player.number for player in players]
    return "+".join(numbers) if all(numbers) else " & ".join(p.name for p in players)


def _place(sheet: Sheet, line: int, row: Row) -> tuple[int | None, bool]:
    """The place of a row, and whether it is marked as shared."""
    text = sheet.text(row, "place")
    if not text:
        return None, False
    match = _PLACE.fullmatch(text.upper())
    if not match or int(match[1]) < 1:
        hint = " (a grade? call its column grade)" if _GRADE.fullmatch(text) else ""
        sheet.problems.add(
            "place {text!r} is not like 3, 3= or 3rd{hint}", line, text=text, hint=hint
        )
        return None, False
    return int(match[1]), not text.upper().strip().rstrip("STNDRH.º").isdecimal()


def _listed_values(sheet: Sheet, line: int, row: Row, fact: str) -> list[Fraction]:
    text = sheet.text(row, fact)
    # Spaces part figures too (1759 80): no figure has one inside.
    parts = _parts(text) if "&" in text else text.split(" ")
    return [v for part in parts if part and (v := sheet.parse(line, part, fact)) is not None]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split("&")] if text else []


def _check_duplicates(lines: Sequence[_PlacedRow], problems: Problems) -> None:
    """Note every entrant and player that is listed twice in a session."""
    entrants: dict[object, int] = {}
    people: dict[object, int] = {}
    for line in lines:
        first = entrants.setdefault((line.session, line.named), line.line)
        if first != line.line:
            problems.add(
                "entrant {id!r} again, first on line {first}",
                line.line,
                id=line.entrant.id,
                first=first,
            )
        numbers = [p.number for p in line.entrant.players if p.number]
        for number in numbers:
            first = people.setdefault((line.session, number), line.line)
            if first != line.line:
                problems.add(
                    "player {number} again, first on line {first}",
                    line.line,
                    number=number,
                    first=first,
                )
        for number in {n for n in numbers if numbers.count(n) > 1}:
            problems.add("player {number} twice in one entrant", line.line, number=number)


def _lines_by_number(sheet: Sheet, lines: Sequence[_PlacedRow]) -> list[str]:
    """Numbers like 7N and 7E say the line where nothing else does: no column, and no places."""
    if "line" in sheet.columns or "place" in sheet.columns:
        return []
    sections: dict[str, list[_PlacedRow]] = {}
    for line in lines:
        sections.setdefault(line.section, []).append(line)
    changed = False
    for members in sections.values():
        ends = [_COMPASS.fullmatch(line.entrant.id) for line in members]
        words = [end[1].upper() for end in ends if end]
        if len(words) < len(members) or len(set(words)) < 2:
            continue
        changed = True
        for line, word in zip(members, words, strict=True):
            line.direction = _LINE_OF[word]
            line.facts = {**line.facts, "line": _LINE_OF[word]}
    return ["numbers end in N and E: North-South and East-West are ranked apart"] if changed else []


def _name_apart(lines: Sequence[_PlacedRow]) -> None:
    """Ids that no two entrants share, where their numbers alone do not do."""
    apart = len({line.named for line in lines})
    if apart == len({line.entrant.id for line in lines}):
        return
    in_group = len({line.key() for line in lines}) < apart
    ids = unique_ids(line.key(in_group) for line in lines)
    for line in lines:
        line.entrant = replace(line.entrant, id=ids[line.key(in_group)])


def _lists(sheet: Sheet, lines: Sequence[_PlacedRow]) -> list[tuple[Field, list[_PlacedRow]]]:
    """The ranking lists in the order of the file: per session, flight or bracket, section where
    places begin again in each, and line unless places go on over both."""
    several = len({line.group for line in lines}) > 1
    word = sheet.header("group") if several else ""
    parts: dict[tuple[str, str], list[_PlacedRow]] = {}
    for line in lines:
        named = f"{word} {line.group}" if len(line.group) < 3 else line.group
        group = named if several and line.group else ""
        parts.setdefault((line.session, group), []).append(line)
    lists: list[tuple[Field, list[_PlacedRow]]] = []
    for (session, group), members in parts.items():
        one, apart = _placed_by(members)
        order: dict[tuple[str, str], list[_PlacedRow]] = {}
        for line in members:
            key = (line.section if apart else "", "" if one else line.direction)
            order.setdefault(key, []).append(line)
        for (section, direction), own in order.items():
            name = " ".join(part for part in (section, direction) if part)
            listed = Field(line=name, session=session, of_section=section, group=group)
            lists.append((listed, own))
    return lists


def _placed_by(members: Sequence[_PlacedRow]) -> tuple[bool, bool]:
    """True if the places of a file go on over lines and sections, and whether they begin again in
    each section."""
    placed = [line for line in members if line.place is not None]
    if len(placed) < len(members):
        return False, False
    apart = all(
        are_places(line.place for line in placed if (line.section, line.direction) == own)
        for own in {(line.section, line.direction) for line in placed}
    )
    sections = {line.section for line in placed}
    over_all = not apart and are_places(line.place for line in placed)
    return over_all, apart and len(sections) > 1


def _standings(
    members: list[_PlacedRow], places: Sequence[int], games: GamesTold
) -> tuple[Standing, ...]:
    """One list, best first; its lines go as its standings come, so that both are not there."""
    tied = Counter(places)
    standings = []
    for place in reversed(places):
        m = members.pop()
        played, facts = games.get(m.entrant.id, ((), {}))
        facts = {**facts, **m.facts} if facts else m.facts
        standings.append(Standing(m.entrant, place, tied[place], m.score, facts, played))
    standings.reverse()
    return tuple(sorted(standings, key=lambda standing: standing.place))


def is_list_of_players(lines: Sequence[str]) -> bool:
    """True if a table is what OpenGotha exports of its players: names and ranks, and no more."""
    header = {plain(cell) for cell in re.split(r"[;,\t]", lines[0][:400])} if lines else set()
    return {"name", "firstname", "rank"} <= header and not header & {"score", "points", "place"}


def _told(seen: Seen) -> bool:
    return not is_list_of_players(seen.lines) and columns(COLUMNS)[1](seen)


# --- rankings on pages -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankedLine:
    """One line of a ranking, and the section and line whose list it is in."""

    players: tuple[Player, ...]
    place: int
    score: Fraction | None = None
    section: str = ""
    line: str = ""
    facts: Mapping[str, Value] = field(default_factory=dict)


def lists_published(path: str, event: str, rows: Sequence[RankedLine]) -> StandingsFile:
    """The lists of an event; who has the same place in a list is tied."""
    lists: dict[tuple[str, str], list[RankedLine]] = {}
    for row in rows:
        lists.setdefault((row.section, row.line), []).append(row)
    number = iter(range(1, len(rows) + 1))
    fields, notices = [], []
    for (section, line), members in lists.items():
        tied = Counter(row.place for row in members)
        fields.append(
            Field(
                standings=tuple(
                    Standing(
                        Entrant(str(next(number)), row.players),
                        row.place,
                        tied[row.place],
                        row.score,
                        _facts(row),
                    )
                    for row in sorted(members, key=lambda row: row.place)
                ),
                line=line,
            )
        )
        if max(tied) > len(members):
            notices.append(
                Message(
                    "{section} {line}: {some} of {all} or more places; the others are not in it",
                    section=Message("section {name}", name=section) if section else Message("list"),
                    line=line,
                    some=len(members),
                    all=max(tied),
                )
            )
    return StandingsFile(path, tuple(fields), (), tuple(notices), event)


def _facts(row: RankedLine) -> dict[str, Value]:
    facts = {"section": row.section, "line": row.line}
    return {**{name: word for name, word in facts.items() if word}, **row.facts}


FORMATS = (Format("standings", "table of standings", (Told.AT_LAST, _told), read_standing_events),)
