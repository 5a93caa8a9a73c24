"""Recognise a file by what is in it, never by its name; read it, and describe what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import honours.formats
from honours.errors import FileProblem, HonoursError
from honours.formats import bws, hands
from honours.formats.format import Content, Format, Seen, Told
from honours.formats.go import GoTournament
from honours.formats.hands import HANDS_FROM
from honours.formats.members import MemberList
from honours.formats.reading import PARTIAL, WORDS, hand_record_alone, open_checked
from honours.formats.rulings import is_of_results
from honours.formats.table_standings import StandingsFile, StandingsTable, is_list_of_players
from honours.formats.workbooks import is_workbook
from honours.model import Event, Result
from honours.model.message import Message, joined, plural, word
from honours.processes.limits import bounded
from honours.rings import added
from honours.scoring.movement import one_winner_sections
from honours.scoring.rulings import as_shown

_CONTAINER_HEAD = 0x15
"""So far goes what tells one kind of workbook or database from another."""


class UnknownFormat(FileProblem):
    """A file of no kind we know."""


class Unreadable(FileProblem):
    """A reader broke down over a file: it is the reader that is wrong, whatever is in the file."""


@cache
def formats() -> tuple[Format, ...]:
    """Every kind of file, the best told first: those of the modules beside this one, and those of
    installed packages, which come before ours where both fit."""
    names = [found.name for found in walk_packages(honours.formats.__path__, "honours.formats.")]
    ours = [form for name in names for form in getattr(import_module(name), "FORMATS", ())]
    return tuple(sorted((*added("formats"), *ours), key=lambda form: form.told[0]))


def format_called(name: str) -> Format:
    """The kind of file of this name."""
    return next(form for form in formats() if form.name == name)


def recognise(path: str | Path) -> Format:
    """The kind of a file, or a FileProblem that says what was found."""
    with _named_if_it_breaks(path):
        seen = Seen(path)
        for form in formats():
            if form.told[0] > Told.BY_BYTES:
                _refuse_other_than_text(seen)
            if form.told[1](seen):
                return form
        raise _unknown(seen)


@contextmanager
def _named_if_it_breaks(path: str | Path) -> Iterator[None]:
    """Turns any breakdown of a reader into a message with the file's name."""
    try:
        yield
    except (HonoursError, MemoryError):  # memory is no fault of the reader: see read
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"[:200]
        fault = Message("Honours failed to read it, which is our fault ({what})", what=what)
        raise Unreadable(path, fault) from error


def _refuse_other_than_text(seen: Seen) -> None:
    """Bytes that no format claimed, and are no text to look into."""
    if hands.is_dup(seen.head):
        raise hand_record_alone(seen.path, ".dup", len(hands.hands_of_dup(seen.path)))
    if seen.head.startswith(b"%PDF"):
        raise FileProblem(seen.path, "a PDF", _all())


def _unknown(seen: Seen) -> FileProblem:
    """The problem of a file of no known kind, which says what it looks like."""
    if seen.page:
        return FileProblem(seen.path, "a web page of an unknown kind", _all())
    if seen.text.lstrip().startswith("<"):
        name = seen.root or "nothing"
        return FileProblem(seen.path, "an XML file of {name}", _all(), name=name)
    if hands.is_dlm(seen.lines):
        return hand_record_alone(seen.path, ".dlm", len(hands.hands_of_dlm(seen.path)))
    if is_list_of_players(seen.lines):
        return FileProblem(
            seen.path,
            "a list of players for a go tournament, and no results",
            "the tournament's own file, or its wall list",
        )
    first = seen.lines[0].strip()[:60] if seen.lines else ""
    fault = Message("not a kind of file we know: it begins {first!r}", first=first)
    return UnknownFormat(seen.path, fault, _all(), 1)


def _all() -> Message:
    return Message("one of: {formats}", formats=tuple(word(form.title) for form in formats()))


def read(path: str | Path) -> tuple[Format, Content]:
    """The kind and the content of a file, with the hands of a record beside it; one that takes too
    much time or memory is refused."""
    with bounded(str(path)):
        form = recognise(path)
        with _named_if_it_breaks(path):
            content = form.read(path)
            if isinstance(content, Event):
                content = (content,)
            if isinstance(content, tuple) and len(content) == 1:
                content = (hands.with_hands(path, content[0]),)
            return form, content


def experimental(form: Format, content: Content, path: str | Path = "") -> str:
    """The reason a reading is experimental: built from a description, never seen a real file. Or
    empty."""
    own = form.experimental if isinstance(form.experimental, str) else form.experimental(content)
    return own or (_of_container(path) if path else "")


def _of_container(path: str | Path) -> str:
    """True if what a table or a database stands in is of a kind that we met no real file of."""
    with open_checked(path) as file:
        head = file.read(_CONTAINER_HEAD)
    if is_workbook(head):
        return Message("only workbooks that programs wrote for us have been seen")
    if bws.is_bws(head) and head[-1]:
        return Message("no real file of Jet 4 has been seen")
    return ""


# --- contents ----------------------------------------------------------------------------------


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
    """A summary of what was read from a file."""
    parts = tuple(tuple(line for line in part if line[1]) for part in _parts(content))
    return Contents(
        str(path), form.name, Message(form.title), parts, experimental(form, content, path)
    )


def _parts(content: Content) -> list[Lines]:
    """The lines of every event or list in the content."""
    if isinstance(content, tuple):
        return [event_lines(event) for event in content]
    if isinstance(content, StandingsFile):
        return [_standings(content)]
    if isinstance(content, StandingsTable):
        return [_standings(event) for event in content.events]
    if isinstance(content, GoTournament):
        return [_tournament(content)]
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
    """The number of boards: sections play the same ones, and each session its own."""
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
    """The part of an event that a file covers, where it is not the whole."""
    return WORDS.get(str(event.facts.get(PARTIAL, "")), "")


def _winners(event: Event) -> list[Message]:
    """The number of winners, in all and by section."""
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
    """The number of entrants by line, and of players by name."""
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
    """The number of results, and of those that are no plain score."""
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
    """The first remarks of a file, and how many more there are."""
    remarks = [
        Message("board {board}: {what}", board=r.board, what=r.remark) for r in results if r.remark
    ]
    first = joined("; ", remarks[:5])
    if len(remarks) <= 5:
        return first
    return Message("{remarks} and {count} more", remarks=first, count=len(remarks) - 5)


def _standings(file: StandingsFile) -> Lines:
    """The lists of a file of standings, and what is known of their players."""
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
    for fact, named in (("masterpoints", Message("masterpoints")), ("rating", Message("rating"))):
        lines.append((named, _of(sum(fact in p.facts for p in players), len(players))))
    lines.append((Message("not understood"), ", ".join(file.ignored)))
    lines += ((Message("looks cut off"), doubt) for doubt in file.doubts)
    return [*lines, *((Message("note"), notice) for notice in file.notices)]


def _tournament(tournament: GoTournament) -> Lines:
    """A go tournament, with what it lacks to be finished."""
    rated = sum("rating" in p.player.facts for p in tournament.players)
    lines: Lines = [
        (Message("event"), tournament.title),
        (Message("date"), str(tournament.date or "")),
        (Message("program"), tournament.program),
        (Message("players"), str(len(tournament.players))),
        (Message("ratings"), _of(rated, len(tournament.players))),
        (Message("rounds"), str(tournament.rounds)),
        (Message("games"), str(len(tournament.games))),
    ]
    if tournament.listed:
        lines.append((Message("places"), str(len(tournament.places))))
    else:
        lines.append((Message("placed by"), ", ".join(tournament.placement.criteria)))
    lines += [(Message("note"), notice) for notice in tournament.notices]
    lines += [(Message("looks cut off"), doubt) for doubt in tournament.doubts]
    return [*lines, *((Message("unfinished"), what) for what in tournament.missing())]


def _members(members: MemberList) -> Lines:
    """A list of members."""
    rated = sum(bool(members.latest(number).facts) for number in members.members)
    return [
        (Message("members"), str(len(members.members))),
        (Message("ratings"), _of(rated, len(members.members))),
        (Message("without a number"), str(members.unnumbered or "")),
    ]


def _of(part: int, whole: int) -> str:
    return Message("{part} of {whole}", part=part, whole=whole) if part else ""


# --- folders -----------------------------------------------------------------------------------


def files_of(paths: Iterable[str]) -> list[Path]:
    """The files meant: a folder stands for all below it, hidden ones and rulings left out."""
    return [file for path in paths for file in _files(Path(path))]


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*")):
        below = file.relative_to(path)
        hidden = any(part.startswith(".") for part in below.parts)
        if file.is_file() and not hidden and is_of_results(file):
            yield file
