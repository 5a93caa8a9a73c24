"""The process that reads one uploaded file, and tries to score it, under limits of the operating
system.

``python -m honours.web.worker FILE NAME SECONDS MEGABYTES`` writes what it found, pickled.
"""

from __future__ import annotations

import pickle
import resource
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from honours.errors import FileProblem, FileProblems, HonoursError
from honours.formats.contents import describe
from honours.formats.detect import read, read_rankings
from honours.model import Event, Session, Source
from honours.scoring import score
from honours.web.reading import Found, Unreadable


def main(path: str, name: str, seconds: str, megabytes: str) -> None:
    """Read one file under limits of the operating system and write what was found."""
    size = int(megabytes) << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (int(float(seconds)) + 1, int(float(seconds)) + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it reads; standard output is a pipe
    sys.stdout.buffer.write(pickle.dumps(_read(path, name)))


def _read(path: str, name: str) -> Found | Unreadable:
    try:
        return look_into(path, name)
    except FileProblems as several:
        return Unreadable(tuple(_told(problem) for problem in several.problems))
    except FileProblem as problem:
        return Unreadable((_told(problem),))
    except HonoursError as error:
        return Unreadable(((0, str(error), ""),))


def look_into(path: str, name: str) -> Found:
    """What is in a file, whatever it is; it speaks of itself by ``name``."""
    contents = describe(path)
    _, content = read(path)
    unnamed, stem = Path(path).stem, Path(name).stem or name
    parts = tuple(
        tuple((what, stem if told == unnamed else told) for what, told in part)
        for part in contents.parts
    )
    told = (contents.kind, contents.title, parts, contents.experimental)
    if isinstance(content, tuple):
        for event in content:
            _try_scoring(event)
        return Found(*told, events=tuple(_renamed(e, unnamed, name) for e in content))
    return Found(*told, lists=tuple(read_rankings(path).lists))


def _try_scoring(event: Event) -> None:
    """An event that is scored here within the limits holds the server up no longer than that;
    one that this way cannot be scored is told of where it is."""
    with suppress(HonoursError):
        score(event)


def _renamed(event: Event, unnamed: str, name: str) -> Event:
    """A reader calls an event without a title after its file, and every line names the file."""

    def source(old: Source | None) -> Source | None:
        return None if old is None else Source(name, old.line)

    def session(old: Session) -> Session:
        results = tuple(replace(r, source=source(r.source)) for r in old.results)
        matches = tuple(replace(m, source=source(m.source)) for m in old.matches)
        return replace(old, results=results, matches=matches)

    title = (Path(name).stem or name) if event.title == unnamed else event.title
    sessions = tuple(session(one) for one in event.sessions)
    return replace(event, title=title, sessions=sessions, source=source(event.source))


def _told(problem: FileProblem) -> tuple[int, str, str]:
    return problem.line or 0, problem.found, problem.expected


if __name__ == "__main__":
    main(*sys.argv[1:])
