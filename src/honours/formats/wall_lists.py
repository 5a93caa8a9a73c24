"""Wall lists as texts: a line a player, who and which games; h9, .tou and MacMahon's are such.

Programs and people put scores before or after the games and leave clubs out, so the columns of
games are found from all lines together, counted from the right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.formats.format import MADE, Format, lines
from honours.formats.go import GoGame, GoPlayer, GoTournament, Placement, Winner, parse_rank
from honours.formats.reading import ISO, Problems, day_if_one, day_like, read_latin
from honours.model import Entrant, Field, Player, Source, Standing, Value
from honours.model.message import Message

GAME = re.compile(r"(\d{1,6})([+=?-])(!?)/?(?:([wb?])(\d{0,2}))?(!?)", re.IGNORECASE)
NO_GAME = {"?": "0?", "-": "0=", "--": "0=", "FREE": "0+", "BYE": "0+"}
"""Words for a round without a game, as a game against nobody."""
_SCORE = re.compile(r"(-?\d{1,9})([.,]\d{1,9})?([½œ?=]?)")
_WINNERS = {"+": (Winner.WHITE, Winner.BLACK), "-": (Winner.BLACK, Winner.WHITE)}


_BOTH_WIN = ("OpenGotha", "Honours")
"""Programs that can say that both won a game; in a typed list it is a slip of the pen."""


@dataclass(slots=True)
class WallRow:
    """A player's line: who it is of, and scores and games as words. ``said`` is the place that the
    line begins with, ``None`` where it is blank; ``number`` is what games call it by."""

    line: int
    said: int | None
    player: GoPlayer
    words: tuple[str, ...]
    number: int = 0
    place: int = 0
    scores: tuple[Fraction, ...] = ()
    games: tuple[re.Match[str], ...] = ()


def headed(path: str | Path, title: str = "", **said: Any) -> GoTournament:
    """The head of a list: a tournament whose players and games are still to be read."""
    return GoTournament(title, (), (), 0, Placement(("NBW",)), source=Source(str(path)), **said)


def read_wall_list(
    heading: GoTournament,
    rows: list[WallRow],
    problems: Problems,
    shared: Sequence[tuple[int, int]] = (),
) -> GoTournament:
    """The tournament of the rows, with its list; every game must be told the same by both of its
    players. ``shared`` are places that the head says are shared, first to last."""
    if not rows and not problems.found:
        problems.add("no players", expected="a wall list")
    problems.settle()
    columns = _columns_of_games(rows)
    for row, number in zip(rows, _numbers(rows, problems), strict=True):
        outside = _outside(row.words, columns)
        row.number, row.games = number, _games_of(row, columns, problems)
        row.scores = tuple(score for word in outside if (score := _score(word)) is not None)
    _check_shared(rows, problems)
    _place(rows, shared)
    problems.settle()
    both_win = any(name in heading.program for name in _BOTH_WIN)
    games = _games(problems, rows, both_win)
    problems.settle()
    players = (
        replace(
            row.player,
            key=str(row.number),
            present=tuple(int(game[1]) != 0 or game[2] == "+" for game in row.games),
        )
        for row in rows
    )
    byes = (
        (number, str(row.number))
        for row in rows
        for number, game in enumerate(row.games, start=1)
        if not int(game[1]) and game[2] == "+"
    )
    return replace(
        heading,
        players=tuple(players),
        games=games,
        rounds=len(rows[0].games),
        byes=frozenset(byes),
        listed=_field(rows),
        scores=tuple(row.scores for row in rows),
    )


def is_game(word: str) -> bool:
    """True if a word tells a game without doubt: ``408?`` may be a score and a half."""
    match = GAME.fullmatch(word)
    return match is not None and (match[2] in "+-" or bool(match[4]))


# --- columns ----------------------------------------------------------------------------------


def _check_shared(lines: Sequence[WallRow], problems: Problems) -> None:
    """The same number twice is a shared place, and those who share one have equal scores."""
    seen: dict[int, WallRow] = {}
    for line in lines:
        if line.said is not None:
            first = seen.setdefault(line.said, line)
            if first.scores != line.scores:
                again = Message(
                    "number {place} again, first on line {line}",
                    place=line.said,
                    line=first.line,
                )
                problems.add(again, line.line)


def _columns_of_games(rows: Sequence[WallRow]) -> range:
    """The columns that hold games in most lines, counted from the right."""
    usual = Counter(len(row.words) for row in rows).most_common(1)[0][0]
    like = [row.words[::-1] for row in rows if len(row.words) == usual]
    games = [
        at
        for at in range(usual)
        if sum(is_game(words[at]) for words in like)
        > sum(_plain_number(words[at]) for words in like)
    ]
    return range(games[0], games[-1] + 1) if games else range(0)


def _games_of(row: WallRow, columns: range, problems: Problems) -> tuple[re.Match[str], ...]:
    """The games of a row, as many as the others have."""
    words = row.words[::-1]
    cells = [words[at] for at in reversed(columns) if at < len(words)]
    games = [GAME.fullmatch(NO_GAME.get(word.upper(), word)) for word in cells]
    good = [game for game in games if game is not None]
    if len(good) != len(columns):
        problems.add(
            "{count} rounds",
            row.line,
            "{others} as the others",
            count=len(good),
            others=len(columns),
        )
    return tuple(good)


def _outside(words: Sequence[str], columns: range) -> Sequence[str]:
    first, end = len(words) - columns.stop, len(words) - columns.start
    return [*words[: max(first, 0)], *words[max(end, 0) :]]


def _plain_number(word: str) -> bool:
    match = _SCORE.fullmatch(word)
    return match is not None and match[3] in ("", "½", "œ")


def _score(word: str) -> Fraction | None:
    """A score; the half of ``38½`` may be written ``=``, and ``?`` or ``œ`` in ISO-8859-15, which
    has no ½."""
    match = _SCORE.fullmatch(word)
    if not match:
        return None
    decimals = (match[2] or "").replace(",", ".")
    return Fraction(match[1] + decimals) + (Fraction(1, 2) if match[3] else 0)


# --- numbers and places -----------------------------------------------------------------------


def _numbers(rows: Sequence[WallRow], problems: Problems) -> list[int]:
    """The number games use for each line: its own number, or its position where places are
    shared."""
    places = [row.said for row in rows]
    if None not in places and len(set(places)) == len(places):
        return [place for place in places if place is not None]
    last: int | None = None
    for position, row in enumerate(rows, start=1):
        if row.said is not None and row.said not in (position, last):
            problems.add(
                "place {place} on line {position} of the list",
                row.line,
                place=row.said,
                position=position,
            )
        last = last if row.said is None else row.said
    return list(range(1, len(rows) + 1))


def _place(rows: list[WallRow], shared: Sequence[tuple[int, int]]) -> None:
    """Order the rows by their places: shared where the list says so, else where all scores are
    equal."""
    said = [row.said for row in rows]
    explicit = None in said or len(set(said)) < len(said)
    if not explicit:
        rows.sort(key=lambda row: row.number)
    tied = {n: first for first, last in shared for n in range(first, last + 1)}
    for position, row in enumerate(rows, start=1):
        before = rows[position - 2] if position > 1 else None
        if tied or before is None or not _tied(row, before, explicit):
            row.place = tied.get(position, position)
        else:
            row.place = before.place


def _tied(row: WallRow, before: WallRow, explicit: bool) -> bool:
    if explicit:
        return row.said is None or row.said == before.said
    return bool(row.scores) and row.scores == before.scores


# --- games ------------------------------------------------------------------------------------


def _games(problems: Problems, rows: Sequence[WallRow], both_win: bool) -> tuple[GoGame, ...]:
    """The games, each told by two lines that must agree."""
    told = {row.number: (row.line, row.games) for row in rows}
    return tuple(
        _game(Source(problems.path, told[number][0]), number, at, game, answer)
        for number, at, game, answer in mutual(told, problems, both_win)
        if number < int(game[1])
    )


def mutual(
    told: Mapping[int, tuple[int, Sequence[re.Match[str] | None]]],
    problems: Problems,
    both_win: bool = False,
) -> Iterator[tuple[int, int, re.Match[str], re.Match[str]]]:
    """Each game that the lines of both its players tell the same, as (number, round, game, answer),
    from number → (line of the file, a game for each round)."""
    for number, (line, games) in told.items():
        for at, game in enumerate(games, start=1):
            if game is None or not (other := int(game[1])):
                continue
            there = told[other][1] if other in told and other != number else ()
            answer = there[at - 1] if at <= len(there) else None
            if answer is None:
                problems.add(
                    "round {number} against {other}, who is not there",
                    line,
                    number=at,
                    other=other,
                )
            elif not agree(number, game, answer, both_win):
                problems.add(
                    "round {number}: {game!r} here, {games!r} in line {row}",
                    line,
                    number=at,
                    game=game[0],
                    games=answer[0],
                    row=told[other][0],
                )
            else:
                yield number, at, game, answer


def agree(number: int, game: re.Match[str], answer: re.Match[str], both_win: bool = False) -> bool:
    """True if what the line of this number tells of a game is what its opponent's line tells."""
    if int(answer[1]) != number:
        return False
    colours = {(game[4] or "?").lower(), (answer[4] or "?").lower()}
    mirrored = {"+": "-", "-": "+", "=": "=", "?": "?"}[game[2]]
    # Both may have lost; that both won is told by programs, and a slip of the pen in a typed list.
    alike = game[2] == answer[2] and (game[2] == "-" or (game[2] == "+" and both_win))
    return (answer[2] == mirrored or alike) and (colours == {"w", "b"} or "?" in colours)


def _game(
    source: Source, own: int, number: int, game: re.Match[str], answer: re.Match[str]
) -> GoGame:
    """A game between two lines, with its winner."""
    white = (game[4] or "w").lower() != "b"
    ends = (str(own), str(int(game[1])))
    winner = {"=": Winner.JIGO, "?": Winner.UNKNOWN}.get(game[2]) or _WINNERS[game[2]][not white]
    if game[2] == answer[2] and game[2] in "+-":
        winner = Winner.BOTH if game[2] == "+" else Winner.NEITHER
    return GoGame(
        number,
        ends[not white],
        ends[white],
        winner,
        int(game[5] or 0),
        by_default=bool(game[3] or game[6] or answer[3] or answer[6]),
        source=source,
    )


# --- the list ---------------------------------------------------------------------------------


def _won(game: re.Match[str]) -> Fraction:
    """The worth of a game; a round without one is no game won."""
    worth = {"+": Fraction(1), "=": Fraction(1, 2)}.get(game[2], Fraction(0))
    return worth if int(game[1]) else Fraction(0)


def _field(rows: Sequence[WallRow]) -> Field:
    count = Counter(row.place for row in rows)
    return Field(
        standings=tuple(
            Standing(
                Entrant(row.player.player.number or str(row.number), (row.player.player,)),
                row.place,
                count[row.place],
                row.scores[0] if row.scores else None,
                {"won": sum(map(_won, row.games), Fraction(0))},
            )
            for row in rows
        )
    )


# --- EGF h9 ------------------------------------------------------------------------------------


_TAG = re.compile(r"\b([A-Z]{2})\[([^\]]*)\]")
_PROGRAM = re.compile(r";\s*Generated by (.{1,80})", re.IGNORECASE)
_SHARED = re.compile(r"shared places?((?:[ ,]*\d{1,4}-\d{1,4})+)", re.IGNORECASE)
_RANK = re.compile(r"(\d{1,2}(?:[dkp]|dan|kyu|pro)?)[*?]?|[?-]{1,3}", re.IGNORECASE)
_SPACED = re.compile(
    r"(?<=\s)(\d{1,2})\s(dan|kyu|pro|[dkp])(?=\s+[A-Za-z?-]{2,3}\s)", re.IGNORECASE
)
"""A rank in two words, which become one."""
_TOUCHING = re.compile(r"(?<=[^\W\d])(\d{1,2}[dkp])(?=\s+[A-Z]{2,3}\s)", re.IGNORECASE)
"""A rank that a long name reaches into."""
_COUNTRY = re.compile(r"(?!dan|kyu|pro)[A-Z]{2,3}|--|\?\?", re.IGNORECASE)
_PLACE = re.compile(r"(?:=|T)?(\d{1,6})[=.)]?")
_PIN = re.compile(r"\s(\d{8})\s*$")
_H9_SCORE = re.compile(r"\d+½?")
_HEAD = 20


def read_h9(path: str | Path) -> GoTournament:
    """Read an h9 wall list; every game must be told the same by both of its players."""
    problems = Problems(str(path))
    tags: dict[str, str] = {}
    program = ""
    rows: list[WallRow] = []
    for number, raw in enumerate(read_latin(path).splitlines(), start=1):
        if raw.lstrip().startswith(";"):
            tags.update(_TAG.findall(raw))
            written = _PROGRAM.match(raw.lstrip())
            program = written[1].strip() if written else program
        elif _says_something(raw, bool(rows)):
            rows += _rows(raw, number, problems)
    heading = headed(
        path,
        tags.get("EV", ""),
        date=_day(tags.get("DT", "")),
        place=tags.get("PC", ""),
        program=program,
        facts=tags,
    )
    return read_wall_list(heading, rows, problems, _shared(tags.get("CM", "")))


def _says_something(raw: str, begun: bool) -> bool:
    """True if a line is to be read: rules and ends of old files are not, nor what stands above the
    first player and tells no game."""
    if not any(letter.isalnum() for letter in raw):
        return False
    words = _words(raw)
    return begun or _parts(words) is not None or any(map(is_game, words))


def _day(text: str) -> date | None:
    """The first day: ISO, or as people type it."""
    return day_like(rf"\A\s*{ISO}", text) or day_if_one(text.partition(",")[0])


def is_h9(lines: Sequence[str]) -> bool:
    """True if the first lines that are no comments are players with a country and games."""
    content = [line for line in lines if not line.lstrip().startswith(";")][:_HEAD]
    like = [line for line in content if _parts(_words(line)) is not None]
    games = [line for line in like if any(map(is_game, line.partition("|")[0].split()))]
    return bool(content) and 2 * len(like) > len(content) and bool(games)


def _shared(comment: str) -> tuple[tuple[int, int], ...]:
    """Places that a comment says are shared: ``Shared Places 9-16,17-30``."""
    match = _SHARED.search(comment)
    spans = re.findall(r"(\d+)-(\d+)", match[1]) if match else []
    return tuple((int(first), int(last)) for first, last in spans)


def _words(raw: str) -> list[str]:
    """The words of a line without its PIN, a rank being one."""
    return _TOUCHING.sub(r" \1", _SPACED.sub(r"\1\2", raw.partition("|")[0])).split()


def _parts(words: Sequence[str]) -> tuple[int, int] | None:
    """The positions of a line's name and of its rank, which stands before a country."""
    name = 1 if words and _PLACE.fullmatch(words[0]) else 0
    for at in range(name + 1, len(words) - 1):
        if _RANK.fullmatch(words[at]) and _COUNTRY.fullmatch(words[at + 1]):
            return name, at
    return None


def _rows(raw: str, number: int, problems: Problems) -> list[WallRow]:
    """The row of a line; a problem where it is none."""
    bare = _PIN.search(raw)
    pin = bare[1] if bare else raw.partition("|")[2]
    words = _words(raw[: bare.start()] if bare else raw)
    parts = _parts(words)
    if parts is None:
        problems.add(
            "{raw!r} is not a line of a wall list",
            number,
            "place, name, rank, country, club, scores and games",
            raw=raw.strip()[:60],
        )
        return []
    name, rank = parts
    called = " ".join(words[name:rank]).replace("_", " ")
    club = rank + 2 if _H9_SCORE.fullmatch("".join(words[rank + 2 : rank + 3])) else rank + 3
    return [
        WallRow(
            number,
            int(place[1]) if name and (place := _PLACE.fullmatch(words[0])) else None,
            GoPlayer(
                "",
                Player(called, pin.strip()),
                parse_rank(words[rank].rstrip("*?")),
                words[rank + 1].upper(),
                " ".join(words[rank + 2 : club]),
            ),
            tuple(words[club:]),
        )
    ]


# --- FFG .tou ----------------------------------------------------------------------------------


_SETTING = re.compile(r";\s*(\w{2,12})\s*=\s*(.*)")
_TOU_RANK = re.compile(r"\d{1,2}[DKP]", re.IGNORECASE)
_LICENCE = re.compile(r"\d{5,9}|-{3,9}|\d{2,6}[A-Z]{1,5}")
_NONE = "---"
_TOU_HEAD = 20


def read_tou(path: str | Path) -> GoTournament:
    """Read a .tou; every game must be told the same by both of its players."""
    problems = Problems(str(path))
    settings: dict[str, str] = {}
    rows: list[WallRow] = []
    for number, raw in enumerate(read_latin(path).splitlines(), start=1):
        if raw.lstrip().startswith(";"):
            setting = _SETTING.fullmatch(raw.strip())
            settings.update({setting[1].lower(): setting[2].strip()} if setting else {})
        elif any(letter.isalnum() for letter in raw):
            rows += _tou_rows(raw, number, problems)
    heading = headed(
        path,
        settings.get("name", "") or settings.get("comm", ""),
        date=day_if_one(settings.get("date", "")),
        place=settings.get("vill", ""),
        program=settings.get("prog", ""),
        facts=settings,
    )
    return read_wall_list(heading, rows, problems)


def is_tou(lines: Sequence[str]) -> bool:
    """True if most of the first lines that are no comments are players with a rank and games, and
    the head is one of a .tou or somebody has a licence."""
    told = any(_SETTING.fullmatch(line.strip()) for line in lines if line.lstrip().startswith(";"))
    raw = [line for line in lines if not line.lstrip().startswith(";")]
    rows = [_columns(line) or line.split() for line in raw]
    like = [words for words in rows[:_TOU_HEAD] if _tou_parts(words) is not None]
    licensed = any(any(map(_LICENCE.fullmatch, words[1:])) for words in rows)
    games = any(is_game(word) for words in like for word in words)
    return 2 * len(like) > len(rows[:_TOU_HEAD]) and games and (told or licensed)


def _tou_parts(words: Sequence[str]) -> tuple[int, int, int] | None:
    """The positions of a line's name, rank and club, which comes after the licence; the licence may
    be blank."""
    name = 1 if words and words[0].isdecimal() and len(words[0]) < 7 else 0
    for at in range(name + 1, len(words) - 1):
        if _TOU_RANK.fullmatch(words[at]):
            if _LICENCE.fullmatch(words[at + 1]):
                return name, at, at + 2
            if at + 2 < len(words) and GAME.fullmatch(words[at + 2]):
                return name, at, at + 1
    return None


def _columns(raw: str) -> list[str] | None:
    """The words of a line by its columns, where it keeps to them: a long name may touch the grade,
    and a licence or a club may be missing."""
    number, name, rank = raw[:4].strip(), raw[5:30], raw[30:33].strip()
    licence, club, games = raw[34:41].strip(), raw[42:46].strip(), raw[46:]
    games_read = [GAME.fullmatch(word) for word in games.split()]
    if not _TOU_RANK.fullmatch(rank) or not games_read or not all(games_read) or not name.strip():
        return None
    if raw[33:34].strip() or raw[41:42].strip() or " " in licence + club:
        return None
    numbered = [number] if number else []
    return [*numbered, *name.split(), rank, licence or _NONE, club or _NONE, *games.split()]


def _tou_rows(raw: str, number: int, problems: Problems) -> list[WallRow]:
    """The row of a line; a problem where it is none."""
    words = _columns(raw) or raw.split()
    parts = _tou_parts(words)
    if parts is None:
        problems.add(
            "{raw!r} is not a line of a .tou",
            number,
            "number, name, rank, licence, club and games",
            raw=raw.strip()[:60],
        )
        return []
    name, rank, at = parts
    licence = "".join(words[rank + 1 : at]).strip("-")
    club = "".join(words[at : at + 1]).strip("-")
    # A foreigner has no licence, and a country where others have their club.
    country = club.upper() if not licence and re.fullmatch(r"[A-Za-z]{2}", club) else ""
    facts: dict[str, Value] = {"ffg_licence": licence} if licence else {}
    return [
        WallRow(
            number,
            int(words[0]) if name else None,
            GoPlayer(
                "",
                Player(" ".join(words[name:rank]).replace("_", " "), licence, facts),
                parse_rank(words[rank]),
                country,
                "" if country else club,
            ),
            tuple(words[at + 1 :]),
        )
    ]


# --- MacMahon's text ---------------------------------------------------------------------------


_HEADER = re.compile(r"\s*Place\s+Name\b.*\bLevel\b.*\b1\b.*")
_TITLE = re.compile(r"(.{1,200}?)\s+-\s+(?:After|Round)\b.*")
_LEVEL = re.compile(r"(\d{1,2}) ?(Dan|Kyu|Pro|[dkp])\b", re.IGNORECASE)
_LONGEST = 400
_GAP = re.compile(r" {2,}|\t")


def read_macmahon_wall(path: str | Path) -> GoTournament:
    """Read a wall list; every game must be told the same by both of its players."""
    problems = Problems(str(path))
    title = ""
    rows: list[WallRow] = []
    begun = False
    for number, raw in enumerate(read_latin(path).splitlines(), start=1):
        if _HEADER.match(raw[:_LONGEST]):
            begun = True
        elif not begun:
            heading_line = _TITLE.fullmatch(raw.strip())
            title = title or (heading_line[1] if heading_line else raw.strip())
        elif raw.strip():
            rows += _wall_rows(raw, number, problems)
    return read_wall_list(headed(path, title, program="MacMahon"), rows, problems)


def is_macmahon_wall(lines: Sequence[str]) -> bool:
    """True if the header of a wall list stands among the first lines."""
    return any(_HEADER.match(line[:_LONGEST]) for line in lines[:5])


def _wall_rows(raw: str, number: int, problems: Problems) -> list[WallRow]:
    """The row of a line; a problem where it is none."""
    raw = raw[:_LONGEST]
    level = _LEVEL.search(raw)
    before = _GAP.split(raw[: level.start()].strip()) if level else []
    parts = [part.strip() for part in before if part.strip()]
    if level is None or not parts:
        problems.add(
            "{raw!r} is not a line of MacMahon's wall list",
            number,
            "place, name, club, level, scores and games",
            raw=raw.strip()[:60],
        )
        return []
    place = re.match(r"\d{1,5}\b", parts[0])
    if place:
        parts[0] = parts[0][place.end() :].strip()
    name, *club = [part for part in parts if part] or [""]
    country, _, town = "".join(club[:1]).partition("-")
    return [
        WallRow(
            number,
            int(place[0]) if place else None,
            GoPlayer(
                "",
                Player(" ".join(name.replace(",", " ").split())),
                parse_rank(f"{level[1]}{level[2][0]}"),
                country.upper(),
                town,
            ),
            tuple(raw[level.end() :].split()),
        )
    ]


FORMATS = (
    Format("h9", "EGF wall list (h9)", lines(is_h9), read_h9),
    Format("tou", "FFG tournament list (.tou)", lines(is_tou), read_tou),
    Format(
        "macmahon-wall", "MacMahon wall list", lines(is_macmahon_wall), read_macmahon_wall, MADE
    ),
)
