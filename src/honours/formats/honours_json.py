"""Honours' own JSON: everything that was read from a file, exactly, to be read again.

``{"honours": "results", "version": 1, "events": […]}``; the other kinds are ``standings``
and ``go``. What was awarded stands beside it under ``awards`` and is not read back: awards
are worked out again, never copied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from honours.engine.unsaid import checked_list
from honours.errors import FileProblem, InputError, message_of
from honours.formats.format import Format, Told, text
from honours.formats.go import GoTournament
from honours.formats.json_data import NotPlain, from_plain, to_plain
from honours.formats.reading import MEGABYTE, read_text
from honours.formats.table_standings import StandingsFile
from honours.model import Event, Field, Source
from honours.model.message import Message
from honours.scoring.rulings import SCORINGS

VERSION = 1
LARGEST = 64 * MEGABYTE
"""JSON is held whole while it is read, so that less of it is taken than of other files."""
_WORDS = {
    "kind": ("pairs", "individual", "teams"),
    "scoring": SCORINGS,
}
_SAID = {
    "event": str,
    "date": date,
    "club": str,
    "ignored": tuple[str, ...],
    "doubts": tuple[str, ...],
}
"""What a table of standings says beside its lists."""
Kept = tuple[Event, ...] | StandingsFile | GoTournament
_MARK = re.compile(r'\s*\{\s*"honours"\s*:')


def is_honours_json(text: str) -> bool:
    """True if a text begins as one of ours does."""
    return _MARK.match(text) is not None


def write_json(content: Kept, awards: Mapping[str, Any] | None = None) -> bytes:
    """A file's content as one JSON document, with what was awarded beside it."""
    kind, body = _body(content)
    data: dict[str, Any] = {"honours": kind, "version": VERSION, **body}
    if awards is not None:
        data["awards"] = awards
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _body(content: Kept) -> tuple[str, dict[str, Any]]:
    """The kind of a content, and the content as plain data."""
    if isinstance(content, tuple):
        return "results", {"events": [to_plain(event) for event in content]}
    if isinstance(content, StandingsFile):
        said = {name: to_plain(getattr(content, name)) for name in _SAID if getattr(content, name)}
        return "standings", {**said, "lists": [to_plain(field) for field in content.lists]}
    return "go", {"tournament": to_plain(content)}


def read_honours_json(path: str | Path) -> Kept:
    """Read what :func:`write_json` wrote; a FileProblem says what is wrong and where in it."""
    data = _loaded(path)
    try:
        content = _content(str(path), data)
    except NotPlain as error:
        raise FileProblem(path, message_of(error)) from error
    for fault in _faults(content):
        raise FileProblem(path, fault)
    return content


def _loaded(path: str | Path) -> dict[str, Any]:
    """The document of a file, if it is one of ours in this version."""
    try:
        data = json.loads(read_text(path, LARGEST))
    except json.JSONDecodeError as error:
        raise FileProblem(path, "not JSON: {msg}", line=error.lineno, msg=error.msg) from error
    except (RecursionError, ValueError) as error:
        raise FileProblem(path, "not JSON: nested too deep, or a number too long") from error
    if not isinstance(data, dict) or "honours" not in data:
        raise FileProblem(path, "a JSON document without its kind", '{"honours": …}')
    if data.get("version") != VERSION:
        raise FileProblem(
            path,
            "version {version!r}",
            "version {ours}",
            version=data.get("version"),
            ours=VERSION,
        )
    return data


def _content(path: str, data: Mapping[str, Any]) -> Kept:
    """The content of a document of its kind."""
    source = Source(path)
    kind = data["honours"]
    if kind == "results":
        events = from_plain(tuple[Event, ...], data.get("events"), "events")
        return tuple(replace(event, source=source) for event in events)
    if kind == "standings":
        said = {n: from_plain(kind, data[n], n) for n, kind in _SAID.items() if n in data}
        return StandingsFile(path, read_lists(data.get("lists")), **said)
    if kind != "go":
        raise FileProblem(path, "a document of {kind!r}", "results, standings or go", kind=kind)
    read: GoTournament = from_plain(GoTournament, data.get("tournament"), "tournament")
    return replace(
        read, source=source, listed=read.listed and _checked(read.listed, by_score=False)
    )


def read_lists(data: Any) -> tuple[Field, ...]:
    """The ranking lists of a document, with ties counted from their places."""
    return tuple(map(_checked, from_plain(tuple[Field, ...], data, "lists")))


def _checked(listed: Field, by_score: bool = True) -> Field:
    try:
        return checked_list(listed, by_score=by_score)
    except InputError as error:
        raise NotPlain(message_of(error)) from error


# --- what the types do not say ------------------------------------------------------------------


def _faults(content: Kept) -> Iterator[str]:
    """Faults that would break the scoring: ids that nobody has, words that mean nothing."""
    if isinstance(content, tuple):
        for event in content:
            yield from _event_faults(event)
    elif isinstance(content, GoTournament):
        yield from _go_faults(content)


def _event_faults(event: Event) -> Iterator[str]:
    """Faults of an event: unknown words, and entrants that are not there."""
    for name, words in _WORDS.items():
        if getattr(event, name) not in words:
            yield Message(
                "{name} {word!r}, expected one of {words}",
                name=name,
                word=getattr(event, name),
                words=tuple(words),
            )
    ids = [e.entrant.id for e in event.entrants]
    if len(set(ids)) < len(ids):
        yield Message("two entrants of one id")
    side = 2 if event.kind == "individual" else 1
    for session in event.sessions:
        for line in session.results:
            unknown = {*line.ns, *line.ew} - set(ids)
            if unknown or len(line.ns) != side or len(line.ew) != side or line.board < 1:
                yield Message(
                    "board {board}: {unknown} that cannot be",
                    board=line.board,
                    unknown=", ".join(unknown) or Message("a line"),
                )
        met = {team for match in session.matches for team in (match.home, match.away or match.home)}
        named = met | {penalty.entrant for penalty in session.penalties}  # a bye is against nobody
        yield from (Message("no entrant {one!r}", one=one) for one in sorted(named - set(ids)))


def _go_faults(tournament: GoTournament) -> Iterator[str]:
    """Faults of a tournament: players twice, and games of nobody."""
    keys = {player.key for player in tournament.players}
    if len(keys) < len(tournament.players):
        yield Message("two players of one key")
    if not 0 <= tournament.rounds <= 1000:
        yield Message("{rounds} rounds", rounds=tournament.rounds)
    lines, players = len(tournament.places), len(tournament.players)
    if tournament.listed and lines != players:
        yield Message("{lines} places for {players} players", lines=lines, players=players)
    for game in tournament.games:
        if not {game.white, game.black} <= keys or game.white == game.black:
            yield Message(
                "round {round}: {white} against {black}",
                round=game.round,
                white=game.white,
                black=game.black,
            )


LISTS = Format(
    "honours", "Honours' own JSON", text(is_honours_json, Told.BY_MARK), read_honours_json
)
FORMATS = (LISTS,)
