"""What is in a file, in a few lines: for people who ask before they score or award."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from honours.errors import how_many
from honours.formats.aga import Member
from honours.formats.detect import Content, Format, experimental, read
from honours.formats.go import GoTournament
from honours.formats.table_standings import StandingsFile, StandingsTable
from honours.formats.wall_lists import WallList
from honours.model import Event, Result

Lines = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's kind and contents: for each thing in it, lines of a name and what it is."""

    path: str
    kind: str
    title: str
    parts: tuple[tuple[tuple[str, str], ...], ...]
    experimental: str = ""


def describe(path: str | Path) -> Contents:
    """Read a file whole and say what is in it."""
    return contents(path, *read(path))


def contents(path: str | Path, form: Format, content: Content) -> Contents:
    """What was read from a file, in a few lines."""
    parts = tuple(tuple(line for line in part if line[1]) for part in _parts(content))
    return Contents(str(path), form.name, form.title, parts, experimental(form, content))


def _parts(content: Content) -> list[Lines]:
    if isinstance(content, tuple):
        return [event_lines(event) for event in content]
    if isinstance(content, StandingsFile):
        return [_standings(content)]
    if isinstance(content, StandingsTable):
        return [_standings(event) for event in content.events]
    if isinstance(content, GoTournament):
        return [_tournament(content)]
    if isinstance(content, WallList):
        listed = [line for line in _tournament(content.tournament) if line[0] != "placed by"]
        return [[*listed, ("places", str(len(content.field.standings)))]]
    return [_members(content)]


def event_lines(event: Event) -> Lines:
    """A bridge event, as it was read."""
    results = [result for session in event.sessions for result in session.results]
    winners = {1: "one winner", 2: "two winners"}.get(event.winners, "")
    swiss = "Swiss " if event.swiss else ""
    return [
        ("event", event.title),
        ("date", str(event.date or "")),
        ("club", event.club),
        ("program", event.program),
        ("scoring", ", ".join(w for w in (f"{swiss}{event.kind}", event.scoring, winners) if w)),
        ("entrants", _entrants(event)),
        ("sessions", str(len(event.sessions)) if len(event.sessions) > 1 else ""),
        ("sections", ", ".join(sorted({r.section for r in results if r.section}))),
        ("boards", str(len({(r.section, r.board) for r in results}) or "")),
        ("results", _results(results)),
        ("matches", str(sum(len(s.matches) for s in event.sessions) or "")),
        ("deals", str(sum(len(s.boards) for s in event.sessions) or "")),
        ("publishes", ", ".join(sorted({name for r in results for name in r.published}))),
        ("not listed", str(event.facts.get("unlisted", ""))),
        ("remarks", _remarks(results)),
    ]


def _entrants(event: Event) -> str:
    players = [player for e in event.entrants for player in e.entrant.players]
    named = sum(1 for player in players if player.name)
    lines = Counter(e.line for e in event.entrants if e.line)
    told = [f"{len(event.entrants)}"]
    told += [", ".join(f"{count} {line}" for line, count in lines.items())] if lines else []
    told += [f"{how_many(len(players), 'player')}, {named} by name"] if players else ["no players"]
    return "; ".join(told)


def _results(results: list[Result]) -> str:
    adjusted = sum(r.adjusted is not None for r in results)
    passed = sum(r.passed_out for r in results)
    unplayed = sum(r.score is None and r.contract is None and r.adjusted is None for r in results)
    told = [f"{len(results)}"] if results else []
    told += [f"{adjusted} adjusted"] if adjusted else []
    told += [f"{passed} passed out"] if passed else []
    told += [f"{unplayed} without a result"] if unplayed else []
    return ", ".join(told)


def _remarks(results: list[Result]) -> str:
    found = [f"board {r.board}: {r.remark}" for r in results if r.remark]
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    return "; ".join(found[:5]) + more


def _standings(file: StandingsFile) -> Lines:
    lines: Lines = [("event", file.event)]
    for field in file.lists:
        name = " ".join(["list", *field.label.values()])
        tied = sum(standing.tied > 1 for standing in field.standings)
        lines.append(
            (name, how_many(len(field.standings), "entrant") + (f", {tied} tied" if tied else ""))
        )
    players = [p for s in file.standings for p in s.entrant.players]
    lines.append(("players", str(len(players) or "")))
    for fact in ("masterpoints", "rating"):
        lines.append((fact, _of(sum(fact in p.facts for p in players), len(players))))
    lines.append(("not understood", ", ".join(file.ignored)))
    return [*lines, *(("note", notice) for notice in file.notices)]


def _tournament(tournament: GoTournament) -> Lines:
    rated = sum("rating" in p.player.facts for p in tournament.players)
    lines: Lines = [
        ("event", tournament.title),
        ("date", str(tournament.date or "")),
        ("program", tournament.program),
        ("players", str(len(tournament.players))),
        ("ratings", _of(rated, len(tournament.players))),
        ("rounds", str(tournament.rounds)),
        ("games", str(len(tournament.games))),
        ("placed by", ", ".join(tournament.placement.criteria)),
    ]
    lines += [("note", notice) for notice in tournament.notices]
    return [*lines, *(("unfinished", what) for what in tournament.missing())]


def _members(members: dict[str, Member]) -> Lines:
    rated = sum(member.rating is not None for member in members.values())
    return [("members", str(len(members))), ("ratings", _of(rated, len(members)))]


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}" if part else ""
