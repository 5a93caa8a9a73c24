"""EGF h9 wall lists: a line a player, with the place, the criteria and every game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from honours.formats.dates import ISO, day_like
from honours.formats.go import GoGame, GoPlayer, GoTournament, Placement, Winner, parse_rank
from honours.formats.opening import decode, read_bytes
from honours.formats.sheet import Problems
from honours.model import Entrant, Field, Player, Source, Standing, Value

_TAG = re.compile(r"\b([A-Z]{2})\[(.*?)\]")
_GAME = re.compile(r"(\d+)([+=?-])(!?)(?:/([wb?])(\d?))?(!?)", re.IGNORECASE)
_RANK = re.compile(r"\d{1,2}[dkp]?", re.IGNORECASE)
_COUNTRY = re.compile(r"[A-Z]{2}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+|½)?")
_WINNERS = {"+": (Winner.WHITE, Winner.BLACK), "-": (Winner.BLACK, Winner.WHITE)}


@dataclass(frozen=True, slots=True)
class WallList:
    """A wall list: the tournament it tells of, and its places."""

    tournament: GoTournament
    field: Field


@dataclass(frozen=True, slots=True)
class _Line:
    line: int
    place: int
    name: str
    rank: int | None
    country: str
    club: str
    criteria: tuple[Fraction, ...]
    games: tuple[re.Match[str], ...]
    pin: str


def read_h9(path: str | Path) -> WallList:
    """Read an h9 wall list; every game must be told the same by both of its players."""
    text = decode(path, read_bytes(path))
    problems = Problems(str(path))
    tags: dict[str, str] = {}
    lines: list[_Line] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if raw.lstrip().startswith(";"):
            tags.update(_TAG.findall(raw))
        elif raw.strip() and (line := _player_line(raw, number, problems)) is not None:
            lines.append(line)
    if not lines and not problems.found:
        problems.add("no players", expected="an h9 wall list")
    _check_places(lines, problems)
    problems.settle()
    games, byes = _games(str(path), lines, problems)
    problems.settle()
    return WallList(_tournament(str(path), tags, lines, games, byes), _field(lines))


def is_h9(lines: Sequence[str]) -> bool:
    """Whether the first lines that are no comments tell a place and games."""
    told = [line.partition("|")[0].split() for line in lines if not line.lstrip().startswith(";")]
    return bool(told) and all(
        len(words) > 4 and words[0].isdecimal() and _GAME.fullmatch(words[-1]) for words in told[:3]
    )


def _player_line(raw: str, number: int, problems: Problems) -> _Line | None:
    told, _, pin = raw.partition("|")
    words = told.split()
    games: list[re.Match[str]] = []
    while words and (match := _GAME.fullmatch(words[-1])):
        games.insert(0, match)
        words.pop()
    at = next(
        (
            n
            for n in range(2, len(words) - 1)
            if _RANK.fullmatch(words[n]) and _COUNTRY.fullmatch(words[n + 1])
        ),
        None,
    )
    if at is None or not words[0].isdecimal():
        problems.add(
            f"{raw.strip()[:60]!r} is not a line of a wall list",
            number,
            "place, name, rank, country, club, scores and games",
        )
        return None
    return _Line(
        number,
        int(words[0]),
        " ".join(words[1:at]).replace("_", " "),
        parse_rank(words[at]),
        words[at + 1],
        " ".join(words[at + 2 : at + 3]),
        tuple(_score(word) for word in words[at + 3 :] if _NUMBER.fullmatch(word)),
        tuple(games),
        pin.strip(),
    )


def _score(word: str) -> Fraction:
    return Fraction(word[:-1]) + Fraction(1, 2) if word.endswith("½") else Fraction(word)


def _check_places(lines: Sequence[_Line], problems: Problems) -> None:
    """The first column numbers the lines, since games refer to it."""
    seen: dict[int, int] = {}
    for line in lines:
        first = seen.setdefault(line.place, line.line)
        if first != line.line:
            problems.add(f"number {line.place} again, first on line {first}", line.line)
    rounds = {len(line.games) for line in lines}
    if len(rounds) > 1:
        usual = max(rounds, key=lambda n: sum(len(line.games) == n for line in lines))
        for line in lines:
            if len(line.games) != usual:
                problems.add(f"{len(line.games)} rounds", line.line, f"{usual} as the others")


def _games(
    path: str, lines: Sequence[_Line], problems: Problems
) -> tuple[list[GoGame], frozenset[tuple[int, str]]]:
    """The games, each told by two lines that must agree, and the rounds won without a game."""
    known = {line.place: line for line in lines}
    games: list[GoGame] = []
    byes: set[tuple[int, str]] = set()
    for line in lines:
        for number, told in enumerate(line.games, start=1):
            other = int(told[1])
            if other == 0:
                byes.update({(number, str(line.place))} if told[2] == "+" else ())
            elif other not in known or number > len(known[other].games):
                problems.add(f"round {number} against {other}, who is not there", line.line)
            elif not _agree(line, told, known[other].games[number - 1]):
                problems.add(
                    f"round {number}: {told[0]!r} here, "
                    f"{known[other].games[number - 1][0]!r} in line {known[other].line}",
                    line.line,
                )
            elif line.place < other:
                games.append(_game(path, line, number, told))
    return games, frozenset(byes)


def _agree(line: _Line, told: re.Match[str], answer: re.Match[str]) -> bool:
    mirrored = {"+": "-", "-": "+", "=": "=", "?": "?"}[told[2]]
    colours = {(told[4] or "?").lower(), (answer[4] or "?").lower()}
    same = int(answer[1]) == line.place and answer[2] == mirrored
    # Both may have lost by default.
    lost = int(answer[1]) == line.place and told[2] == answer[2] == "-"
    return (same or lost) and (colours == {"w", "b"} or "?" in colours)


def _game(path: str, line: _Line, number: int, told: re.Match[str]) -> GoGame:
    white = (told[4] or "w").lower() != "b"
    ends = (str(line.place), told[1])
    winner = {"=": Winner.JIGO, "?": Winner.UNKNOWN}.get(told[2]) or _WINNERS[told[2]][not white]
    return GoGame(
        number,
        ends[not white],
        ends[white],
        winner,
        int(told[5] or 0),
        by_default=bool(told[3] or told[6]),
        source=Source(path, line.line),
    )


def _tournament(
    path: str,
    tags: dict[str, str],
    lines: Sequence[_Line],
    games: Sequence[GoGame],
    byes: frozenset[tuple[int, str]],
) -> GoTournament:
    players = tuple(
        GoPlayer(
            str(line.place),
            _person(line),
            line.rank,
            line.country,
            line.club,
            tuple(int(told[1]) != 0 or told[2] == "+" for told in line.games),
        )
        for line in lines
    )
    return GoTournament(
        tags.get("EV", ""),
        players,
        tuple(games),
        len(lines[0].games),
        Placement(("NBW",)),
        byes,
        day_like(rf"\A{ISO}", tags.get("DT", "")),
        tags.get("PC", ""),
        facts=tags,
        source=Source(path),
    )


def _person(line: _Line) -> Player:
    return Player(line.name, line.pin)


def _field(lines: Sequence[_Line]) -> Field:
    """Places as listed; lines with all their criteria equal share one."""
    ordered = sorted(lines, key=lambda line: line.place)
    first: dict[tuple[Fraction, ...], int] = {}
    count: dict[tuple[Fraction, ...], int] = {}
    for position, line in enumerate(ordered, start=1):
        own = line.criteria or (Fraction(-position),)
        first.setdefault(own, position)
        count[own] = count.get(own, 0) + 1
    standings = []
    for position, line in enumerate(ordered, start=1):
        own = line.criteria or (Fraction(-position),)
        facts: dict[str, Value] = {"won": Fraction(sum(told[2] == "+" for told in line.games))}
        score = line.criteria[0] if line.criteria else None
        entrant = Entrant(line.pin or str(line.place), (_person(line),))
        standings.append(Standing(entrant, first[own], count[own], score, facts))
    return Field(standings=tuple(standings))
