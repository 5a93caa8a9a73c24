"""The FFG's .tou lists: a line a player with the licence and every game, and no scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from honours.formats.dates import day_if_one
from honours.formats.file_bytes import read_latin
from honours.formats.format import Format, lines
from honours.formats.go import parse_rank
from honours.formats.problems import Problems
from honours.formats.wall_lists import GAME, Heading, WallList, WallRow, is_game, read_wall_list
from honours.model import Player, Value

_SETTING = re.compile(r";\s*(\w{2,12})\s*=\s*(.*)")
_RANK = re.compile(r"\d{1,2}[DKP]", re.IGNORECASE)
_LICENCE = re.compile(r"\d{5,9}|-{3,9}|\d{2,6}[A-Z]{1,5}")
_NONE = "---"
_HEAD = 20


def read_tou(path: str | Path) -> WallList:
    """Read a .tou; every game must be told the same by both of its players."""
    problems = Problems(str(path))
    settings: dict[str, str] = {}
    rows: list[WallRow] = []
    for number, raw in enumerate(read_latin(path).splitlines(), start=1):
        if raw.lstrip().startswith(";"):
            setting = _SETTING.fullmatch(raw.strip())
            settings.update({setting[1].lower(): setting[2].strip()} if setting else {})
        elif any(letter.isalnum() for letter in raw):
            rows += _rows(raw, number, problems)
    heading = Heading(
        settings.get("name", "") or settings.get("comm", ""),
        day_if_one(settings.get("date", "")),
        settings.get("vill", ""),
        settings.get("prog", ""),
        settings,
    )
    return read_wall_list(str(path), heading, rows, problems)


def is_tou(lines: Sequence[str]) -> bool:
    """Whether most of the first lines that are no comments are players with a rank and games, and
    the head is one of a .tou or somebody has a licence."""
    told = any(_SETTING.fullmatch(line.strip()) for line in lines if line.lstrip().startswith(";"))
    raw = [line for line in lines if not line.lstrip().startswith(";")]
    rows = [_columns(line) or line.split() for line in raw]
    like = [words for words in rows[:_HEAD] if _parts(words) is not None]
    licensed = any(any(map(_LICENCE.fullmatch, words[1:])) for words in rows)
    games = any(is_game(word) for words in like for word in words)
    return 2 * len(like) > len(rows[:_HEAD]) and games and (told or licensed)


def _parts(words: Sequence[str]) -> tuple[int, int, int] | None:
    """Where a line's name begins, its rank stands and its club, which comes after the licence;
    the licence may be blank."""
    name = 1 if words and words[0].isdecimal() and len(words[0]) < 7 else 0
    for at in range(name + 1, len(words) - 1):
        if _RANK.fullmatch(words[at]):
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
    if not _RANK.fullmatch(rank) or not games_read or not all(games_read) or not name.strip():
        return None
    if raw[33:34].strip() or raw[41:42].strip() or " " in licence + club:
        return None
    numbered = [number] if number else []
    return [*numbered, *name.split(), rank, licence or _NONE, club or _NONE, *games.split()]


def _rows(raw: str, number: int, problems: Problems) -> list[WallRow]:
    words = _columns(raw) or raw.split()
    parts = _parts(words)
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
            Player(" ".join(words[name:rank]).replace("_", " "), licence, facts),
            parse_rank(words[rank]),
            country,
            "" if country else club,
            tuple(words[at + 1 :]),
        )
    ]


FORMATS = (Format("tou", "FFG tournament list (.tou)", lines(is_tou), read_tou),)
