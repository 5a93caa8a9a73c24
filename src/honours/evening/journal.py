"""The journal of an evening: one act per line, written to disk before it is answered.

A line is either whole or absent: if a server was killed while writing one, the partial line is
removed when the journal is next opened, and nobody was told that the act was done. Lines written by
others (another process of the same server) are read before anything is added.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from honours.errors import FileProblem
from honours.files import flush, lock
from honours.model.message import Message

Act = dict[str, Any]


class EveningJournal:
    """The acts of an evening; to be used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_to = 0
        self._lines = 0

    @contextmanager
    def writing(self) -> Iterator[JournalWriter]:
        """The journal, locked against other writers, and the acts added since it was last read."""
        with self.path.open("r+b", buffering=0) as file:
            lock(file)
            yield JournalWriter(self, file)

    def new_acts(self) -> list[Act]:
        """The acts added since the last call."""
        if self.path.stat().st_size == self._read_to:
            return []
        with self.writing() as writing:
            return writing.new_acts()

    def _acts_from(self, file: FileIO) -> list[Act]:
        file.seek(self._read_to)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):  # a partial line: its writer was killed
            file.truncate(self._read_to + len(whole))
            os.fsync(file.fileno())
        acts = [self._act(n, line) for n, line in enumerate(whole.splitlines(), self._lines + 1)]
        self._read_to += len(whole)
        self._lines += len(acts)
        return acts

    def _act(self, number: int, line: bytes) -> Act:
        try:
            act = json.loads(line)
        except ValueError:
            act = None
        if not isinstance(act, dict) or "kind" not in act:
            fault = Message("a line that is no act")
            raise FileProblem(self.path, fault, "the journal as it was written", number)
        return act

    def _append(self, file: FileIO, acts: Sequence[Mapping[str, Any]]) -> None:
        lines = b"".join(map(_line, acts))
        file.seek(self._read_to)
        try:
            _write(file, lines)
            os.fsync(file.fileno())
        except OSError:  # the disk is full: restore the previous state
            file.truncate(self._read_to)
            raise
        self._read_to += len(lines)
        self._lines += len(acts)


def _line(act: Mapping[str, Any]) -> bytes:
    return (json.dumps(act, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _write(file: FileIO, line: bytes) -> None:
    """Write everything, since a single call may write less."""
    left = memoryview(line)
    while left:
        left = left[file.write(left) :]


class JournalWriter:
    """A journal locked by its writer."""

    def __init__(self, journal: EveningJournal, file: FileIO) -> None:
        self._journal, self._file = journal, file

    def new_acts(self) -> list[Act]:
        """The acts others have added, in order."""
        return self._journal._acts_from(self._file)

    def append(self, acts: Sequence[Mapping[str, Any]]) -> None:
        """Add acts; they are on disk when this returns."""
        if acts:
            self._journal._append(self._file, acts)


def begin(path: Path, act: Mapping[str, Any]) -> None:
    """Create a journal with its first act."""
    path.write_bytes(_line(act))
    flush(path)
