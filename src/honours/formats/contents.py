"""What is in a file, in a few lines: for people who ask before they score or award."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from honours.formats.detect import experimental, read
from honours.formats.format import Content, Format
from honours.formats.go import GoTournament
from honours.formats.hands import HANDS_FROM
from honours.formats.members import MemberList
from honours.formats.partial_events import PARTIAL, WORDS
from honours.formats.table_standings import StandingsFile, StandingsTable
from honours.formats.wall_lists import WallList
from honours.model import Event, Result
from honours.model.message import Message, joined, plural
from honours.scoring.missing_details import as_shown
from honours.scoring.movement import one_winner_sections

Lines = list[tuple[Message, str]]
"""What something is called, and what it is: a message, or what the file says."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's kind and contents: for each thing in it, lines of a name and what it is."""

    path: str
    kind: str
    title: Message
    parts: tuple[tuple[tuple[Message, str], ...], ...]
    experimental: str = ""


def describe(path: str | Path) -> Contents:
    """Read a whole file and say what is in it."""
    return contents(path, *read(path))


def contents(path: str | Path, form: Format, content: Content) -> Contents:
    """What was read from a file, in a few lines."""
    parts = tuple(tuple(line for line in part if line[1]) for part in _parts(content))
    return Contents(
        str(path), form.name, Message(form.title), parts, experimental(form, content, path)
    )


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
        return [[*listed, (Message("places"), str(len(content.field.standings)))]]
    return [_members(content)]


def event_lines(event: Event) -> Lines:
    """A bridge event, as it was read and as its results show it."""
    event = as_shown(event)
    results = [result for session in event.sessions for result in session.results]
    return [
        (Message("event"), event.title),
        (Message("part"), _part(event)),
        (Message("date"), str(event.date or "")),
        (Message("club"), event.club),
        (Message("program"), event.program),
        (Message("scoring"), joined(", ", [*how_played(event), *_winners(event)])),
        (Message("entrants"), _entrants(event)),
        (Message("sessions"), str(len(event.sessions)) if len(event.sessions) > 1 else ""),
        (Message("sections"), ", ".join(sorted({r.section for r in results if r.section}))),
        (Message("boards"), _boards(event)),
        (Message("results"), _results(results)),
        (Message("matches"), str(sum(len(s.matches) for s in event.sessions) or "")),
        (Message("deals"), str(sum(len(s.boards) for s in event.sessions) or "")),
        (Message("hands from"), str(event.facts.get(HANDS_FROM, ""))),
        (Message("publishes"), ", ".join(sorted({name for r in results for name in r.published}))),
        (Message("not listed"), str(event.facts.get("unlisted", ""))),
        (Message("remarks"), _remarks(results)),
        (Message("not understood"), str(event.facts.get("not_understood", ""))),
        *((Message("looks cut off"), doubt) for doubt in event.doubts),
    ]


def _boards(event: Event) -> str:
    """How many there were: sections play the same ones, and each session its own."""
    return str(sum(len({r.board for r in s.results}) for s in event.sessions) or "")


def how_played(event: Event) -> list[Message]:
    """The kind of event and its scoring."""
    kinds = SWISS if event.swiss else KINDS
    kind, scoring = kinds.get(event.kind), SCORINGS.get(event.scoring)
    return [word for word in (kind, scoring) if word is not None]


KINDS = {
    "pairs": Message("pairs"),
    "teams": Message("teams"),
    "individual": Message("individual"),
}
SWISS = {"pairs": Message("Swiss pairs"), "teams": Message("Swiss teams")}
SCORINGS = {
    "matchpoints": Message("matchpoints"),
    "cross-imps": Message("cross-imps"),
    "butler": Message("butler"),
    "imps": Message("imps"),
    "board-a-match": Message("board-a-match"),
}


def _part(event: Event) -> str:
    """Which part of an event a file covers, where it is not the whole."""
    return WORDS.get(str(event.facts.get(PARTIAL, "")), "")


def _winners(event: Event) -> list[Message]:
    winners = {1: Message("one winner"), 2: Message("two winners")}
    parts = [winners[event.winners]] if event.winners in winners else []
    if one_winner := one_winner_sections(event):
        parts.append(
            plural(
                "one in section {names}",
                "one in each of the sections {names}",
                count=len(one_winner),
                names=", ".join(one_winner),
            )
        )
    return parts


def _entrants(event: Event) -> Message:
    players = [player for e in event.entrants for player in e.entrant.players]
    named = sum(1 for player in players if player.name)
    lines = Counter(e.line for e in event.entrants if e.line)
    parts = [str(len(event.entrants))]
    parts += [", ".join(f"{count} {line}" for line, count in lines.items())] if lines else []
    counted = plural(
        "{count:,} player, {named} by name",
        "{count:,} players, {named} by name",
        count=len(players),
        named=named,
    )
    return joined("; ", [*parts, counted if players else Message("no players")])


def _results(results: list[Result]) -> Message:
    adjusted = sum(r.adjusted is not None for r in results)
    passed = sum(r.passed_out for r in results)
    unplayed = sum(r.score is None and r.contract is None and r.adjusted is None for r in results)
    parts = [str(len(results))] if results else []
    if adjusted:
        parts.append(plural("{count} adjusted", "{count} adjusted", count=adjusted))
    if passed:
        parts.append(plural("{count} passed out", "{count} passed out", count=passed))
    parts += [Message("{count} without a result", count=unplayed)] if unplayed else []
    return joined(", ", parts)


def _remarks(results: list[Result]) -> Message:
    remarks = [
        Message("board {board}: {what}", board=r.board, what=r.remark) for r in results if r.remark
    ]
    first = joined("; ", remarks[:5])
    if len(remarks) <= 5:
        return first
    return Message("{remarks} and {count} more", remarks=first, count=len(remarks) - 5)


def _standings(file: StandingsFile) -> Lines:
    lines: Lines = [(Message("event"), file.event)]
    for field in file.lists:
        tied = sum(standing.tied > 1 for standing in field.standings)
        size = plural("{count:,} entrant", "{count:,} entrants", count=len(field.standings))
        some_tied = Message("{entrants}, {count} tied", entrants=size, count=tied)
        name = joined(" ", [Message("list"), *field.label.values()])
        lines.append((name, some_tied if tied else size))
    players = [p for s in file.standings for p in s.entrant.players]
    lines.append((Message("players"), str(len(players) or "")))
    lines.append((Message("games"), str(sum(len(s.games) for s in file.standings) // 2 or "")))
    for fact, word in (("masterpoints", Message("masterpoints")), ("rating", Message("rating"))):
        lines.append((word, _of(sum(fact in p.facts for p in players), len(players))))
    lines.append((Message("not understood"), ", ".join(file.ignored)))
    lines += ((Message("looks cut off"), doubt) for doubt in file.doubts)
    return [*lines, *((Message("note"), notice) for notice in file.notices)]


def _tournament(tournament: GoTournament) -> Lines:
    rated = sum("rating" in p.player.facts for p in tournament.players)
    lines: Lines = [
        (Message("event"), tournament.title),
        (Message("date"), str(tournament.date or "")),
        (Message("program"), tournament.program),
        (Message("players"), str(len(tournament.players))),
        (Message("ratings"), _of(rated, len(tournament.players))),
        (Message("rounds"), str(tournament.rounds)),
        (Message("games"), str(len(tournament.games))),
        (Message("placed by"), ", ".join(tournament.placement.criteria)),
    ]
    lines += [(Message("note"), notice) for notice in tournament.notices]
    lines += [(Message("looks cut off"), doubt) for doubt in tournament.doubts]
    return [*lines, *((Message("unfinished"), what) for what in tournament.missing())]


def _members(members: MemberList) -> Lines:
    rated = sum(bool(members.latest(number).facts) for number in members.members)
    return [
        (Message("members"), str(len(members.members))),
        (Message("ratings"), _of(rated, len(members.members))),
        (Message("without a number"), str(members.unnumbered or "")),
    ]


def _of(part: int, whole: int) -> str:
    return Message("{part} of {whole}", part=part, whole=whole) if part else ""
