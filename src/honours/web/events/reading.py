"""Reading a file that somebody sent, in a process of its own; messages use the name people know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from honours.errors import FileProblem, FileProblems, HonoursError, message_of
from honours.formats.detect import Contents, contents, read
from honours.formats.go import GoTournament
from honours.formats.members import EnrolmentList, read_enrolment
from honours.formats.table_standings import StandingsFile
from honours.model import Event, Session, Source
from honours.pipeline import Account, accounts, ranked


@dataclass(frozen=True, slots=True)
class FileContents:
    """The contents of a file: in a few lines, and every event of it before any ruling."""

    contents: Contents
    accounts: tuple[Account, ...]


def look_into(path: str, name: str, finished: bool = True) -> FileContents:
    """Read a file, whatever is in it; a ranking that cannot be made is told of at once, unless the
    file is one that is not finished yet."""
    with speaking_of(name):
        form, content = read(path)
        accounts_read = tuple(_named(one, name) for one in accounts(path, form, content))
        for one in accounts_read:
            if one.played is None and finished:
                ranked(one)
        described = contents(path, form, content)
    unnamed, stem = Path(path).stem, Path(name).stem or name
    parts = tuple(
        tuple((what, stem if words == unnamed else words) for what, words in part)
        for part in described.parts
    )
    return FileContents(replace(described, path=name, parts=parts), accounts_read)


def members_of(path: str, name: str, kind_names: Sequence[str]) -> EnrolmentList:
    """The members of a list, and what they hold of these kinds of points."""
    with speaking_of(name):
        return read_enrolment(path, kind_names)


@contextmanager
def speaking_of(name: str) -> Iterator[None]:
    """Make problems name the file as people know it."""
    try:
        yield
    except FileProblems as several:
        raise FileProblems(
            [_naming_the_file(problem, name) for problem in several.problems]
        ) from None
    except FileProblem as problem:
        raise _naming_the_file(problem, name) from None
    except HonoursError as error:
        raise FileProblem(name, message_of(error)) from None


def _naming_the_file(problem: FileProblem, name: str) -> FileProblem:
    return FileProblem(name, problem.found, problem.expected, problem.line)


def _named(account: Account, name: str) -> Account:
    """A reader calls an event without a title after its file, and every line names the file."""
    content = account.content
    if isinstance(content, Event):
        content = _event(content, Path(account.path).stem, name)
    elif isinstance(content, GoTournament):
        content = replace(content, source=_source(content.source, name))
    else:
        content = replace(content, path=name)
    return replace(account, content=content, name=name)


def _event(event: Event, unnamed: str, name: str) -> Event:
    title = (Path(name).stem or name) if event.title == unnamed else event.title
    sessions = tuple(_session(one, name) for one in event.sessions)
    return replace(event, title=title, sessions=sessions, source=_source(event.source, name))


def _session(session: Session, name: str) -> Session:
    results = tuple(replace(r, source=_source(r.source, name)) for r in session.results)
    matches = tuple(replace(m, source=_source(m.source, name)) for m in session.matches)
    return replace(session, results=results, matches=matches)


SAYABLE = ("title", "date", "club")
"""What a person may supply about an event."""


def with_details(account: Account, given: Mapping[str, str]) -> Account:
    """The account with what a person supplied in place of what the file says."""
    if not given:
        return account
    content = account.content
    title = given.get("title", "")
    day = date.fromisoformat(given["date"]) if given.get("date") else None
    if isinstance(content, StandingsFile):
        content = replace(content, event=title or content.event)
    elif isinstance(content, GoTournament):
        content = replace(content, title=title or content.title, date=day or content.date)
    else:
        club, day = given.get("club") or content.club, day or content.date
        content = replace(content, title=title or content.title, club=club, date=day)
    return replace(account, content=content)


def _source(source: Source | None, name: str) -> Source | None:
    return None if source is None else Source(name, source.line)
