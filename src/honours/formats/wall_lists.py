"""Wall lists as texts: a line a player, who and which games; h9, .tou and MacMahon's are such.

Programs and people put scores before or after the games and leave clubs out, so the columns of
games are found from all lines together, counted from the right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from honours.formats.go import GoGame, GoPlayer, GoTournament, Placement, Winner
from honours.formats.problems import Problems
from honours.model import Entrant, Field, Player, Source, Standing, Value
from honours.model.message import Message

GAME = re.compile(r"(\d{1,6})([+=?-])(!?)/?(?:([wb?])(\d{0,2}))?(!?)", re.IGNORECASE)
NO_GAME = {"?": "0?", "-": "0=", "--": "0=", "FREE": "0+", "BYE": "0+"}
"""Words for a round without a game, as a game against nobody."""
_SCORE = re.compile(r"(-?\d{1,9})([.,]\d{1,9})?([½œ?=]?)")
_WINNERS = {"+": (Winner.WHITE, Winner.BLACK), "-": (Winner.BLACK, Winner.WHITE)}


_BOTH_WIN = ("OpenGotha", "Honours")
"""Programs that can say that both won a game; in a typed list it is a slip of the pen."""


@dataclass(frozen=True, slots=True)
class WallList:
    """A wall list: the tournament it tells of, its places, and the scores of each line."""

    tournament: GoTournament
    field: Field
    scores: tuple[tuple[Fraction, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class WallRow:
    """A player's line: what stands before the scores and games, and these as words. ``place`` is
    what the line begins with, ``None`` where it is blank."""

    line: int
    place: int | None
    player: Player
    rank: int | None
    country: str
    club: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """What the head of a list says; ``shared`` are places said to be shared, first to last."""

    title: str = ""
    date: date | None = None
    place: str = ""
    program: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    shared: tuple[tuple[int, int], ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _ListRow:
    """A row with its own number, which games refer to, its place, its scores and games."""

    row: WallRow
    number: int
    place: int
    scores: tuple[Fraction, ...]
    games: tuple[re.Match[str], ...]

    @property
    def line(self) -> int:
        return self.row.line


def read_wall_list(
    path: str, heading: Heading, rows: Sequence[WallRow], problems: Problems
) -> WallList:
    """The list of the rows; every game must be told the same by both of its players."""
    if not rows and not problems.found:
        problems.add("no players", expected="a wall list")
    problems.settle()
    lines = _lines(heading, rows, problems)
    problems.settle()
    games, byes = _games(
        path, lines, problems, both_win=any(name in heading.program for name in _BOTH_WIN)
    )
    problems.settle()
    tournament = _tournament(path, heading, lines, games, byes)
    return WallList(tournament, _field(lines), tuple(line.scores for line in lines))


def is_game(word: str) -> bool:
    """Whether a word tells a game without doubt: ``408?`` may be a score and a half."""
    match = GAME.fullmatch(word)
    return match is not None and (match[2] in "+-" or bool(match[4]))


# --- columns ----------------------------------------------------------------------------------


def _lines(heading: Heading, rows: Sequence[WallRow], problems: Problems) -> list[_ListRow]:
    columns = _columns_of_games(rows)
    numbers = _numbers(rows, problems)
    lines = []
    for row, number in zip(rows, numbers, strict=True):
        games = _games_of(row, columns, problems)
        outside = _outside(row.words, columns)
        scores = tuple(score for word in outside if (score := _score(word)) is not None)
        lines.append(_ListRow(row, number, 0, scores, games))
    _check_shared(lines, problems)
    return _placed(heading, lines)


def _check_shared(lines: Sequence[_ListRow], problems: Problems) -> None:
    """The same number twice is a shared place, and those who share one have equal scores."""
    seen: dict[int, _ListRow] = {}
    for line in lines:
        if line.row.place is not None:
            first = seen.setdefault(line.row.place, line)
            if first.scores != line.scores:
                again = Message(
                    "number {place} again, first on line {line}",
                    place=line.row.place,
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
    """What games call each line: its own number, or its position where places are shared."""
    places = [row.place for row in rows]
    if None not in places and len(set(places)) == len(places):
        return [place for place in places if place is not None]
    last: int | None = None
    for position, row in enumerate(rows, start=1):
        if row.place is not None and row.place not in (position, last):
            problems.add(
                "place {place} on line {position} of the list",
                row.line,
                place=row.place,
                position=position,
            )
        last = last if row.place is None else row.place
    return list(range(1, len(rows) + 1))


def _placed(heading: Heading, lines: Sequence[_ListRow]) -> list[_ListRow]:
    """Lines with their places: shared where the list says so, else where all scores are equal."""
    given = [line.row.place for line in lines]
    explicit = None in given or len(set(given)) < len(given)
    ordered = list(lines) if explicit else sorted(lines, key=lambda line: line.number)
    shared = {n: first for first, last in heading.shared for n in range(first, last + 1)}
    places: list[int] = []
    for position, line in enumerate(ordered, start=1):
        before = ordered[position - 2] if position > 1 else None
        if shared:
            places.append(shared.get(position, position))
        elif before is not None and _tied(line, before, explicit):
            places.append(places[-1])
        else:
            places.append(position)
    return [
        _ListRow(line.row, line.number, place, line.scores, line.games)
        for line, place in zip(ordered, places, strict=True)
    ]


def _tied(line: _ListRow, before: _ListRow, explicit: bool) -> bool:
    if explicit:
        return line.row.place is None or line.row.place == before.row.place
    return bool(line.scores) and line.scores == before.scores


# --- games ------------------------------------------------------------------------------------


def _games(
    path: str, lines: Sequence[_ListRow], problems: Problems, both_win: bool
) -> tuple[list[GoGame], frozenset[tuple[int, str]]]:
    """The games, each told by two lines that must agree, and the rounds won without a game."""
    known = {line.number: line for line in lines}
    games: list[GoGame] = []
    byes: set[tuple[int, str]] = set()
    for line in lines:
        for number, game in enumerate(line.games, start=1):
            other = int(game[1])
            if other == 0:
                byes.update({(number, str(line.number))} if game[2] == "+" else ())
            elif other not in known or number > len(known[other].games):
                problems.add(
                    "round {number} against {other}, who is not there",
                    line.line,
                    number=number,
                    other=other,
                )
            elif not agree(line.number, game, known[other].games[number - 1], both_win):
                problems.add(
                    "round {number}: {game!r} here, {games!r} in line {row}",
                    line.line,
                    number=number,
                    game=game[0],
                    games=known[other].games[number - 1][0],
                    row=known[other].line,
                )
            elif line.number < other:
                games.append(_game(path, line, number, game, known[other].games[number - 1]))
    return games, frozenset(byes)


def agree(number: int, game: re.Match[str], answer: re.Match[str], both_win: bool = False) -> bool:
    """Whether what the line of this number tells of a game is what its opponent's line tells."""
    if int(answer[1]) != number:
        return False
    colours = {(game[4] or "?").lower(), (answer[4] or "?").lower()}
    mirrored = {"+": "-", "-": "+", "=": "=", "?": "?"}[game[2]]
    # Both may have lost; that both won is told by programs, and a slip of the pen in a typed list.
    alike = game[2] == answer[2] and (game[2] == "-" or (game[2] == "+" and both_win))
    return (answer[2] == mirrored or alike) and (colours == {"w", "b"} or "?" in colours)


def _game(
    path: str, line: _ListRow, number: int, game: re.Match[str], answer: re.Match[str]
) -> GoGame:
    white = (game[4] or "w").lower() != "b"
    ends = (str(line.number), str(int(game[1])))
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
        source=Source(path, line.line),
    )


# --- the list ---------------------------------------------------------------------------------


def _tournament(
    path: str,
    heading: Heading,
    lines: Sequence[_ListRow],
    games: Sequence[GoGame],
    byes: frozenset[tuple[int, str]],
) -> GoTournament:
    players = tuple(
        GoPlayer(
            str(line.number),
            line.row.player,
            line.row.rank,
            line.row.country,
            line.row.club,
            tuple(int(game[1]) != 0 or game[2] == "+" for game in line.games),
        )
        for line in lines
    )
    return GoTournament(
        heading.title,
        players,
        tuple(games),
        len(lines[0].games),
        Placement(("NBW",)),
        byes,
        heading.date,
        heading.place,
        heading.program,
        heading.facts,
        heading.notices,
        Source(path),
    )


def _won(game: re.Match[str]) -> Fraction:
    """What a game is worth; a round without one is no game won."""
    worth = {"+": Fraction(1), "=": Fraction(1, 2)}.get(game[2], Fraction(0))
    return worth if int(game[1]) else Fraction(0)


def _field(lines: Sequence[_ListRow]) -> Field:
    count = Counter(line.place for line in lines)
    standings = []
    for line in lines:
        facts: dict[str, Value] = {"won": sum(map(_won, line.games), Fraction(0))}
        score = line.scores[0] if line.scores else None
        player = line.row.player
        entrant = Entrant(player.number or str(line.number), (player,))
        standings.append(Standing(entrant, line.place, count[line.place], score, facts))
    return Field(standings=tuple(standings))
