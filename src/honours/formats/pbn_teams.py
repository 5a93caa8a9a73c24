"""Teams in PBN: a table of matches with IMPs and victory points, and no boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from honours.formats.pbn import PbnGame, Row
from honours.formats.pbn_lines import in_order, number, whole
from honours.formats.problems import Problems
from honours.model import Entrant, Event, EventEntrant, Match, Player, Session, Source, Value

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
        title=Path(path).stem,
        kind="teams",
        scoring="imps",
        entrants=tuple(entrants),
        sessions=(Session(1, matches=tuple(played)),),
        facts=facts,
        source=Source(path),
    )


def _match(path: str, line: int, row: Row, problems: Problems) -> Match | None:
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
    published: dict[str, Value] = {}
    total = number(row, "TotalScoreVP", line, problems) if row else None
    if total is not None:
        published["total_score"] = total
    if place := re.match(r"=?(\d{1,6})", row.get("Rank", "")):
        published["place"] = Fraction(int(place[1]))
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
