"""Answers that took long to find, on disk: a server that is started again still has them."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from honours.files import make_folder, write_whole
from honours.processes.pool import careful_load

_MOST = 200


class KeptAnswers:
    """The latest answers of a server, each under a name; made of what a process may send back."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "answers"

    def put(self, name: str, answer: object) -> None:
        """Keep an answer; the oldest make room."""
        make_folder(self._folder)
        write_whole(self._path(name), pickle.dumps(answer))
        for path in self._paths()[_MOST:]:
            path.unlink(missing_ok=True)

    def get(self, name: str) -> object | None:
        """The answer of this name, if it is kept and can be read."""
        return self._read(self._path(name))

    def remove(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def latest(self) -> Iterator[object]:
        """All of them, the latest first."""
        yield from filter(None, map(self._read, self._paths()))

    def _read(self, path: Path) -> object | None:
        # Whatever is wrong with it, another Honours wrote it say, it can be found again.
        with suppress(Exception):
            return careful_load(path.read_bytes())
        return None

    def _paths(self) -> list[Path]:
        written = {path: path.stat().st_mtime_ns for path in self._folder.glob("*.answer")}
        return sorted(written, key=written.__getitem__, reverse=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.answer"
