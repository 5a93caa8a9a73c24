"""PBN without tables: each game is one board at one table, told by its tags.

Experimental: written from the description of the format, no real file with results has been seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from honours.formats.named_pairs import NamedPairs
from honours.formats.partial_events import ONE_TABLE, PARTIAL
from honours.formats.pbn import PbnGame
from honours.formats.pbn_lines import outcome
from honours.formats.problems import Problems
from honours.model import Entrant, Event, EventEntrant, Result, Session, Source, Value

BY_TAGS = "told_by_tags"
_UNKNOWN = ("", "?", "-")


def from_tags(path: str, games: Sequence[PbnGame], problems: Problems) -> Event | None:
    """The event of games that say who played and what happened; ``None`` where none does."""
    played = [game for game in games if _was_played(game)]
    if not played:
        return None
    if all(game.tags.get("HomeTeam") and game.tags.get("VisitTeam") for game in played):
        return _match(path, played, problems)
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
        title=Path(path).stem,
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


def _match(path: str, games: Sequence[PbnGame], problems: Problems) -> Event:
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
        title=Path(path).stem,
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
