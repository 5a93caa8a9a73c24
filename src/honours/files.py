"""Files written whole or not at all, and never over something else.

A file is written under another name beside its place, flushed to the disk, and only then moved
there: who reads it sees all of the old one or all of the new one, whenever the power goes. What is
there already is replaced only if it is of the kind that is written, and only if somebody said so.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from honours.errors import InputError
from honours.model.message import Message

_GLANCE = 4096
"""How many bytes of a file say of which kind it is."""
_NEVER_REACHED = 1 << 40


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file we write, and how one is known by its first bytes: by what it ``begins`` with,
    or as a text that begins as none of the others does."""

    name: str
    begins: tuple[bytes, ...] = ()

    def made(self, first: bytes) -> bool:
        """Return whether a file that begins so may be of this kind; an empty one may be of any."""
        start = first.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
        if not start:
            return not first.strip()
        if self.begins:
            return start.startswith(self.begins)
        return _is_text(first) and not any(kind.made(first) for kind in _MARKED)


PDF = FileKind("a PDF", (b"%pdf-",))
XML = FileKind("an XML file", (b"<?xml", b"<usebio", b"<!doctype usebio"))
HTML = FileKind("a page", (b"<!doctype html", b"<html"))
JSON = FileKind("a JSON file", (b"{", b"["))
PARQUET = FileKind("a Parquet file", (b"par1",))
BACKUP = FileKind("a backup", (b"\x1f\x8b",))
TEXT = FileKind("a text file")
_DATABASE = FileKind("a database", (b"sqlite format 3\x00",))
_MARKED = (PDF, XML, HTML, JSON, PARQUET, BACKUP, _DATABASE)
BY_ENDING = {
    ".pdf": PDF,
    ".xml": XML,
    ".html": HTML,
    ".json": JSON,
    ".parquet": PARQUET,
    ".csv": TEXT,
}


def kind_of(path: str | Path) -> FileKind:
    """The kind that a file's ending asks for; a text unless it is one of ours."""
    return BY_ENDING.get(Path(path).suffix.lower(), TEXT)


def _is_text(first: bytes) -> bool:
    try:
        # A letter may be cut in two where the glance ends.
        first[: _GLANCE - 4].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\x00" not in first


_OF_A_DATABASE = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database, for files of its own beside it."""


def check_target(path: str | Path, kind: FileKind, replace: bool = False) -> bool:
    """Return whether writing to a path replaces a file; refused unless it may."""
    target = Path(path)
    for ending in _OF_A_DATABASE:
        database = target.with_name(target.name.removesuffix(ending))
        if target.name.endswith(ending) and database.is_file():
            raise InputError(
                "{target} holds unfinished changes of {database}, which would be lost. Name "
                "another file",
                target=target,
                database=database,
            )
    if target.is_dir():
        raise InputError("{target} is a folder; expected the name of a file", target=target)
    if not target.parent.is_dir():
        raise InputError("{parent} is not a folder that can be written to", parent=target.parent)
    if not target.exists():
        return False
    _check_kind(target, kind)
    if not replace:
        raise InputError("{target} already exists; --force replaces it", target=target)
    return True


def _check_kind(target: Path, kind: FileKind) -> None:
    if not target.is_file():
        raise InputError(
            "{target} is not an ordinary file; expected the name of a new one", target=target
        )
    try:
        with target.open("rb") as there:
            first = there.read(_GLANCE)
    except OSError as error:
        raise InputError(
            "{target} exists and cannot be read ({strerror})",
            target=target,
            strerror=error.strerror,
        ) from error
    if kind.made(first):
        return
    other = next((one.name for one in _MARKED if one.made(first)), "")
    what = (
        Message("it is {other}, not {name}", other=other, name=kind.name)
        if other
        else Message("it is not {name}", name=kind.name)
    )
    raise InputError(
        "{target} already exists and {what}: even --force leaves it alone. Name another file",
        target=target,
        what=what,
    )


@contextmanager
def new_file(
    path: str | Path, kind: FileKind, replace: bool = False, private: bool = False
) -> Iterator[Path]:
    """Gives a path to write to; what is written there is moved to ``path`` when it is whole. A
    ``private`` one only its owner can read."""
    check_target(path, kind, replace)
    target = Path(path)
    try:
        with moved_to(target, private) as beside:
            yield beside
    except OSError as error:
        raise InputError(
            "{target} cannot be written ({strerror})",
            target=target,
            strerror=error.strerror or error,
        ) from error


def write_file(path: str | Path, data: bytes, kind: FileKind, replace: bool = False) -> None:
    """Write a file at once; one that is there is replaced only if it is of this kind and if
    ``replace`` says so."""
    with new_file(path, kind, replace) as beside:
        beside.write_bytes(data)


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file of a folder that is ours alone: whole, flushed, whatever was there before."""
    with moved_to(Path(path)) as beside:
        beside.write_bytes(data)


@contextmanager
def moved_to(target: Path, private: bool = False) -> Iterator[Path]:
    """A path beside a target to write to; flushed and moved there at the end, or taken away."""
    target = target.resolve()  # what a link leads to, not the link
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}-")
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(0o600 if private else _mode(target))
        flush(beside)
        beside.replace(target)
        flush(target.parent)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Gives a folder to fill that is moved to ``path`` when it is whole; one that is there already
    is left alone, unless nothing is in it."""
    target = Path(path).resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("{path} already exists: name a new folder", path=path)
    if not target.parent.is_dir():
        raise InputError("{parent} is not a folder that can be written to", parent=target.parent)
    beside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name[:40]}-"))
    try:
        yield beside
        beside.chmod(0o777 & ~_mask())
        flush(beside)
        beside.replace(target)
        flush(target.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, with their names on the disk."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        flush(one.parent)


def flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    windows = sys.platform == "win32"
    if windows and path.is_dir():
        return  # there a folder cannot be opened, and names are on the disk once they are given
    handle = os.open(path, os.O_RDWR if windows else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock(file: FileIO) -> None:
    """Wait until no other process has a file locked, and lock it until it is closed."""
    if sys.platform == "win32":
        import msvcrt

        before = file.tell()
        file.seek(_NEVER_REACHED)  # where it is locked, nobody else can read
        while True:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                break
            except OSError:  # it waits for ten seconds only
                continue
        file.seek(before)
    elif sys.platform != "emscripten":  # where nobody else is there
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    return 0o666 & ~_mask()


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# --- and one that people write ----------------------------------------------------------------


def toml_text(value: object) -> str:
    """A value as TOML writes it: true, a number, a list, a table in one line, else a string."""
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, Mapping):
        pairs = (f"{toml_text(str(k))} = {toml_text(v)}" for k, v in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(toml_text(one) for one in value) + "]"
    # A JSON string is a TOML one, but for the characters TOML wants written out.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_of(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """A text in TOML; whatever is wrong with it is a TOMLDecodeError, also what Python itself
    refuses: numbers of thousands of figures, brackets in brackets without end."""
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        nested = Message("brackets are nested too deeply")
        raise tomllib.TOMLDecodeError(str(nested)) from None
    except ValueError as error:
        raise tomllib.TOMLDecodeError(str(error)) from error
