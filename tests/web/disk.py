"""Files on a disk that fails, simulated: what is there for certain, and what may not be.

The functions of the system that write, flush, move and remove files are watched; every change of a
folder's names and of a file's content is noted with whether it was flushed. A move is whole or not
there at all, and is flushed with either of its folders.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

_ROOT = 0


@dataclass(frozen=True)
class _Move:
    """A change of names: something (a file or a folder, by its number) leaves one and gets another;
    it is new without the first, gone without the second."""

    node: int
    source: tuple[int, str] | None = None
    target: tuple[int, str] | None = None

    @property
    def folders(self) -> set[int]:
        return {place[0] for place in (self.source, self.target) if place}


@dataclass
class Files:
    """The files below a folder: what is on the disk for certain, and what may not be."""

    folder: Path
    chance: random.Random
    stop_at: int = -1
    fault: str = "power"
    calls: int = 0
    broken: bool = False
    paths: dict[str, int] = field(default_factory=dict)
    names: dict[int, dict[str, int]] = field(default_factory=lambda: {_ROOT: {}})
    moves: list[_Move] = field(default_factory=list)
    content: dict[int, bytes] = field(default_factory=dict)
    written: dict[int, bytes] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.paths[str(self.folder)] = _ROOT

    def call(self) -> None:
        """One more call; at the chosen one and ever after it fails."""
        self.calls += 1
        self.broken = self.broken or self.calls == self.stop_at
        if self.broken:
            raise OSError(errno.ENOSPC if self.fault == "full" else errno.EIO, "simulated")

    def _place(self, path: str) -> tuple[int, str]:
        parent, name = os.path.split(path)
        return self.paths[parent], name

    def made(self, path: str, folder: bool = False) -> None:
        node = next(self._numbers)
        if folder:
            self.names[node] = {}
        else:
            self.content[node] = b""
        self.moves.append(_Move(node, None, self._place(path)))
        self.paths[path] = node

    def moved(self, source: str, target: str) -> None:
        node = self.paths[source]
        self.moves.append(_Move(node, self._place(source), self._place(target)))
        below = {p: n for p, n in self.paths.items() if p == source or p.startswith(source + "/")}
        for path, each in below.items():
            del self.paths[path]
            self.paths[target + path[len(source) :]] = each

    def removed(self, path: str) -> None:
        self.moves.append(_Move(self.paths.pop(path), self._place(path), None))

    def flushed(self, path: str) -> None:
        node = self.paths[path]
        if node in self.written:
            self.content[node] = self.written.pop(node)
        for move in [one for one in self.moves if node in one.folders]:
            self._apply(move)
            self.moves.remove(move)

    def _apply(self, move: _Move) -> None:
        if move.source and self.names[move.source[0]].get(move.source[1]) == move.node:
            del self.names[move.source[0]][move.source[1]]
        if move.target:
            self.names[move.target[0]][move.target[1]] = move.node

    def left(self, folder: Path) -> None:
        """Write what is found after the power came back."""
        pending = [move for move in self.moves if self.chance.random() < 0.6]
        if self.chance.random() < 0.5:
            self.chance.shuffle(pending)
        for move in pending:
            self._apply(move)
        for node, data in self.written.items():
            kept = self.chance.choice((b"", data[: self.chance.randrange(len(data) + 1)], data))
            self.content[node] = kept if self.chance.random() < 0.8 else self.content[node]
        self._write(_ROOT, folder)

    def _write(self, node: int, folder: Path) -> None:
        for name, each in self.names[node].items():
            if each in self.names:
                (folder / name).mkdir()
                self._write(each, folder / name)
            else:
                (folder / name).write_bytes(self.content[each])


class _Watching:
    """The functions that stand in the place of the system's."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._temporary, self._write = tempfile.mkstemp, Path.write_bytes
        self._rename, self._make = os.replace, os.mkdir
        self._removing = {"unlink": os.unlink, "rmdir": os.rmdir}

    def temporary(self, *args: Any, **options: Any) -> tuple[int, str]:
        self.files.call()
        handle, name = self._temporary(*args, **options)
        self.files.made(name)
        return handle, name

    def write(self, path: Path, data: bytes) -> int:
        self.files.call()
        self.files.written[self.files.paths[str(path)]] = data
        return self._write(path, data)

    def flush(self, handle: int) -> None:
        self.files.call()
        self.files.flushed(os.readlink(f"/proc/self/fd/{handle}"))

    def move(self, source: Any, target: Any) -> None:
        self.files.call()
        self._rename(source, target)
        self.files.moved(str(source), str(target))

    def make(self, path: Any, mode: int = 0o777) -> None:
        self._make(path, mode)  # which says what is missing above it
        if str(path).startswith(f"{self.files.folder}/"):
            self.files.call()
            self.files.made(str(path), folder=True)

    def remove(self, name: str) -> Callable[[Any], None]:
        def removing(path: Any) -> None:
            if os.path.lexists(str(path)):
                self.files.call()
            self._removing[name](path)
            self.files.removed(str(path))

        return removing

    def clear(self, path: Path, ignore_errors: bool = False) -> None:
        assert ignore_errors
        with suppress(OSError):
            for each in sorted(Path(path).rglob("*"), reverse=True):
                if each.is_dir():
                    each.rmdir()
                else:
                    each.unlink()
            Path(path).rmdir()


@contextmanager
def watched(files: Files) -> Iterator[None]:
    """Let what is done to files below the folder be noted, and fail when it is to."""
    watching = _Watching(files)

    def write(path: Path, data: bytes) -> int:
        return watching.write(path, data)

    with (
        patch.object(tempfile, "mkstemp", watching.temporary),
        patch.object(Path, "write_bytes", write),
        patch.multiple(
            os,
            fsync=watching.flush,
            rename=watching.move,
            replace=watching.move,
            mkdir=watching.make,
            unlink=watching.remove("unlink"),
            rmdir=watching.remove("rmdir"),
        ),
        patch.object(shutil, "rmtree", watching.clear),
    ):
        yield
