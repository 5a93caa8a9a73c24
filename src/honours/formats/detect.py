"""What a file is, by what is in it and never by its name, and how it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import honours.formats
from honours.errors import FileProblem, HonoursError
from honours.formats import bws, hands
from honours.formats.file_bytes import open_checked
from honours.formats.format import Content, Format, Seen, Told
from honours.formats.partial_events import hand_record_alone
from honours.formats.table_standings import is_list_of_players
from honours.formats.workbooks import is_workbook
from honours.model import Event
from honours.model.message import Message, word
from honours.processes.limits import bounded
from honours.rings import added

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
    """Which kind of file it is, or a FileProblem that says what was found."""
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
        fault = Message("its reader broke down ({what}): a fault of Honours", what=what)
        raise Unreadable(path, fault) from error


def _refuse_other_than_text(seen: Seen) -> None:
    """Bytes that no format claimed, and are no text to look into."""
    if hands.is_dup(seen.head):
        raise hand_record_alone(seen.path, ".dup", len(hands.hands_of_dup(seen.path)))
    if seen.head.startswith(b"%PDF"):
        raise FileProblem(seen.path, "a PDF", _all())


def _unknown(seen: Seen) -> FileProblem:
    if seen.page:
        return FileProblem(seen.path, "a web page that we do not know", _all())
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
    """What a file is, and what is in it, with the hands of a record beside it; one that takes too
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
    """Why a reading is experimental: built from a description, never seen a real file. Or empty."""
    own = form.experimental if isinstance(form.experimental, str) else form.experimental(content)
    return own or (_of_container(path) if path else "")


def _of_container(path: str | Path) -> str:
    """Whether what a table or a database stands in is of a kind that we met no real file of."""
    with open_checked(path) as file:
        head = file.read(_CONTAINER_HEAD)
    if is_workbook(head):
        return Message("only workbooks that programs wrote for us have been seen")
    if bws.is_bws(head) and head[-1]:
        return Message("no real file of Jet 4 has been seen")
    return ""
