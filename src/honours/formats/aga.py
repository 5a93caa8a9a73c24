"""AGA tournament reports, in their many spellings.

A report has players and games and no places: it is ranked by wins, then by the sum of opponents'
wins. What follows ``END`` may be private, and is never read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path

from honours.formats.format import Format, lines
from honours.formats.go import (
    GoGame,
    GoPlayer,
    GoTournament,
    Placement,
    Winner,
    check_games,
    parse_rank,
)
from honours.formats.reading import ISO, Problems, day_like, read_text
from honours.model import Player, Source, Value
from honours.model.message import Message

CRITERIA = ("NBW", "SOSW")
"""How a report, which has no places, is ranked."""

_COMMENT_TAG = re.compile(r"# ?(Name|Location|Start|Stop|Program): ?(.*)", re.IGNORECASE)
_HEADER = re.compile(r"TOURNEY (.*)", re.IGNORECASE)
_SETTING = re.compile(r"\b(start|finish|location|rules)=(\S+)", re.IGNORECASE)
_ROUND = re.compile(r"(?:# ?)?(?:GAMES|ROUND) (\d{1,3})\b.*|GAMES:?", re.IGNORECASE)
"""A round, with its number or without."""
_END = re.compile(r"(?:# ?)?END", re.IGNORECASE)
_MONTH_FIRST = r"\A(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})\Z"
_PLAYER = re.compile(r"(\d{1,12}) ([^\d\s].*)")
_GAME = re.compile(r"(\d{1,12}) (\d{1,12}) (.*)")
_RATING = re.compile(r"rating=(-?\d{1,4}(?:\.\d{1,9})?)", re.IGNORECASE)
_LEVEL = re.compile(r"(-?\d{1,4}(?:\.\d{1,9})?) ?(d(?:an)?|k(?:yu)?|p(?:ro)?)?", re.IGNORECASE)
_LONGEST_LINE = 1000
_WINNER = {
    "W": (Winner.WHITE, False),
    "WF": (Winner.WHITE, True),
    "B": (Winner.BLACK, False),
    "BF": (Winner.BLACK, True),
    "?": (Winner.UNKNOWN, False),
}


def read_aga_report(path: str | Path) -> GoTournament:
    """Read a report; unfinished ones too, for they can be shown."""
    return _AgaReader(str(path)).tournament(read_text(path))


def squeezed(line: str) -> str:
    """A line with one space between its words, and no longer than any line of a report is."""
    return " ".join(line.split())[:_LONGEST_LINE]


def is_report(lines: Sequence[str]) -> bool:
    """True if a text has players with numbers, rounds, and games in them; or begins as the AGA
    asks, which shows even where more players than are looked at come before the games."""
    squeezed_lines = [squeezed(line) for line in lines]
    words = {line.upper().partition(" ")[0] for line in squeezed_lines}
    if {"TOURNEY", "PLAYERS"} <= words:
        return True
    rounds = any(_ROUND.fullmatch(line) for line in squeezed_lines)
    return rounds and any(_GAME.fullmatch(line) for line in squeezed_lines)


class _AgaReader:
    """One report on its way to a GoTournament."""

    def __init__(self, path: str) -> None:
        self._path, self._problems = path, Problems(path)
        self._tags: dict[str, str] = {}
        self._players: dict[str, GoPlayer] = {}
        self._lines: dict[str, int] = {}
        self._games: list[GoGame] = []
        self._round, self._numbered = 0, True
        self._played: dict[str, set[int]] = {}
        """The rounds in which each player has a game."""

    def tournament(self, text: str) -> GoTournament:
        """Read the lines of a report up to its END."""
        ended = False
        for number, raw in enumerate(text.splitlines(), start=1):
            line = squeezed(raw)
            if _END.fullmatch(line):
                ended = True
                break
            if line:
                self._take(line, number)
        if not self._players or not self._games:
            self._problems.add(
                Message("no players") if not self._players else Message("no games"),
                expected="an AGA report",
            )
        check_games(self._games, self._players, self._problems)
        self._problems.settle()
        return GoTournament(
            title=self._tags.get("name", ""),
            players=tuple(self._players.values()),
            games=tuple(self._games),
            rounds=max(g.round for g in self._games),
            placement=Placement(CRITERIA, bye_wins=Fraction(0)),
            date=aga_day(self._tags.get("start", "")),
            place=self._tags.get("location", ""),
            program=self._tags.get("program", ""),
            facts=self._tags,
            source=Source(self._path),
            doubts=() if ended else (Message("it has no END, with which a report ends"),),
        )

    def _take(self, line: str, number: int) -> None:
        """Take a line: a tag, the head of a round, a player or a game."""
        if match := _ROUND.fullmatch(line):
            self._numbered = match[1] is not None
            self._round = int(match[1]) if match[1] else self._round + 1
        elif match := _COMMENT_TAG.fullmatch(line):
            name = {"stop": "finish"}.get(match[1].lower(), match[1].lower())
            self._tags[name] = match[2].strip()
        elif match := _HEADER.fullmatch(line):
            self._tags["name"] = _SETTING.sub("", match[1]).split(",")[0].strip()
            self._settings(line)
        elif match := _GAME.fullmatch(line):
            self._game(match, number)
        elif match := _PLAYER.fullmatch(line):
            self._player(match[1], match[2], number)
        else:
            self._settings(line)

    def _settings(self, line: str) -> None:
        self._tags.update({key.lower(): value for key, value in _SETTING.findall(line)})

    def _player(self, number: str, entry: str, line: int) -> None:
        first = self._lines.setdefault(number, line)
        if first != line:
            self._problems.add(
                "player {number} again, first on line {first}", line, number=number, first=first
            )
            return
        facts: dict[str, Value] = {}
        if rating := _RATING.search(entry):
            entry = entry[: rating.start()].strip()
            self._rate(facts, Fraction(rating[1]), number, line)
        name, rank = _name_and_level(entry)
        level = _LEVEL.fullmatch(rank)
        if level and ("." in level[1] or "-" in level[1]) and "rating" not in facts:
            kyu = (level[2] or "").lower().startswith("k")
            self._rate(facts, -Fraction(level[1]) if kyu else Fraction(level[1]), number, line)
        if rank:
            facts["rank"] = rank.upper()
        self._players[number] = GoPlayer(number, Player(name, number, facts), parse_rank(rank))

    def _rate(self, facts: dict[str, Value], rating: Fraction, number: str, line: int) -> None:
        if abs(rating) < 1:
            self._problems.add(
                "rating {float} of player {number}: none lies between -1 and 1",
                line,
                float=float(rating),
                number=number,
            )
        facts["rating"] = rating

    def _game(self, match: re.Match[str], line: int) -> None:
        """Take a game, White first, in its round."""
        words = match[3].upper().split()
        results = [word for word in words if word in _WINNER]
        numbers = [word for word in words if re.fullmatch(r"-?\d{1,4}(\.\d{1,9})?", word)]
        if len(results) != 1 or len(results) + len(numbers) != len(words):
            self._problems.add(
                "{match!r} is not a game",
                line,
                "white, black, W or B, handicap, komi",
                match=match[0],
            )
            return
        winner, forfeit = _WINNER[results[0]]
        handicap = Fraction(numbers[0]) if numbers else Fraction(0)
        komi = Fraction(numbers[1]) if len(numbers) > 1 else None
        if handicap.denominator != 1 or not 0 <= handicap <= 9:
            self._problems.add("handicap {numbers}", line, "0 to 9", numbers=numbers[0])
        if not self._round:
            self._problems.add("a game before any round", line)
        number = self._round if self._numbered else self._free_round(match[1], match[2])
        for key in (match[1], match[2]):
            self._played.setdefault(key, set()).add(number)
        self._games.append(
            GoGame(
                number,
                match[1],
                match[2],
                winner,
                int(handicap),
                komi,
                forfeit,
                source=Source(self._path, line),
            )
        )

    def _free_round(self, white: str, black: str) -> int:
        """The round of a game where rounds have no numbers: the first from here on in which neither
        has a game."""
        taken = self._played.get(white, set()) | self._played.get(black, set())
        number = self._round
        while number in taken:
            number += 1
        return number


def _name_and_level(entry: str) -> tuple[str, str]:
    """``Last, First 5d`` in two; the level may be ``8 kyu``, ``5.1k``, ``-2.5`` or missing."""
    match = re.fullmatch(rf"(.*?) ({_LEVEL.pattern})(?: \S+=.*)?", entry, re.IGNORECASE)
    name, level = (match[1], match[2]) if match else (entry, "")
    return " ".join(name.split()), level.replace(" ", "")


def aga_day(text: str) -> date | None:
    """Month first, as Americans write it, or ISO."""
    return day_like(_MONTH_FIRST, text) or day_like(rf"\A{ISO}\Z", text)


FORMATS = (Format("aga-report", "AGA tournament report", lines(is_report), read_aga_report),)
