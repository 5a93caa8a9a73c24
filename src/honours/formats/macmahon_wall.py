"""MacMahon's wall list as text: a title, a header, and a line a player in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from honours.formats.file_bytes import read_latin
from honours.formats.format import MADE, Format, lines
from honours.formats.go import parse_rank
from honours.formats.problems import Problems
from honours.formats.wall_lists import Heading, WallList, WallRow, read_wall_list
from honours.model import Player

_HEADER = re.compile(r"\s*Place\s+Name\b.*\bLevel\b.*\b1\b.*")
_TITLE = re.compile(r"(.{1,200}?)\s+-\s+(?:After|Round)\b.*")
_LEVEL = re.compile(r"(\d{1,2}) ?(Dan|Kyu|Pro|[dkp])\b", re.IGNORECASE)
_LONGEST = 400
_GAP = re.compile(r" {2,}|\t")


def read_macmahon_wall(path: str | Path) -> WallList:
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
            rows += _rows(raw, number, problems)
    heading = Heading(title, program="MacMahon")
    return read_wall_list(str(path), heading, rows, problems)


def is_macmahon_wall(lines: Sequence[str]) -> bool:
    """Whether the header of a wall list stands among the first lines."""
    return any(_HEADER.match(line[:_LONGEST]) for line in lines[:5])


def _rows(raw: str, number: int, problems: Problems) -> list[WallRow]:
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
            Player(" ".join(name.replace(",", " ").split())),
            parse_rank(f"{level[1]}{level[2][0]}"),
            country.upper(),
            town,
            tuple(raw[level.end() :].split()),
        )
    ]


FORMATS = (
    Format(
        "macmahon-wall", "MacMahon wall list", lines(is_macmahon_wall), read_macmahon_wall, MADE
    ),
)
