"""Having an uploaded file read by a process of its own, which can be stopped at any time.

What comes back from :mod:`honours.web.worker` is taken apart by an unpickler that knows our own
frozen classes and nothing else, so that even a parser that was taken over could not send code.
"""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honours.errors import FileProblem, FileProblems
from honours.model import Event, Field

if TYPE_CHECKING:
    from honours.web.settings import Limits

_OURS = ("honours.model", "honours.web.reading")
_PLAIN = {("fractions", "Fraction"), ("datetime", "date")}


@dataclass(frozen=True, slots=True)
class Found:
    """What was in a file: bridge events to score, or ranking lists."""

    kind: str
    title: str
    parts: tuple[tuple[tuple[str, str], ...], ...]
    experimental: str = ""
    events: tuple[Event, ...] = ()
    lists: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What is wrong with a file: (line or 0, found, expected)."""

    problems: tuple[tuple[int, str, str], ...]


def read_file(path: Path, name: str, limits: Limits) -> Found:
    """Read a file within its limits; an error speaks of it by the name people know."""
    command = [sys.executable, "-m", "honours.web.worker", str(path), name]
    command += [str(limits.seconds), str(limits.megabytes)]
    try:
        run = subprocess.run(command, capture_output=True, timeout=limits.seconds, check=False)
    except subprocess.TimeoutExpired as error:
        told = f"could not be read and scored within {limits.seconds:g} seconds"
        raise FileProblem(name, told) from error
    if run.returncode:
        raise FileProblem(name, "reading it took too much memory or time, or failed")
    found = careful_load(run.stdout)
    if isinstance(found, Unreadable):
        problems = [FileProblem(name, what, wanted, line) for line, what, wanted in found.problems]
        raise problems[0] if len(problems) == 1 else FileProblems(problems)
    if not isinstance(found, Found):
        raise FileProblem(name, "could not be read")
    return found


def careful_load(data: bytes) -> object:
    """What the process sent, if it is made of our own classes and plain values."""
    found: object = _Careful(io.BytesIO(data)).load()
    return found


class _Careful(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        # A dotted name would lead to what our modules themselves import.
        found = super().find_class(module, name) if module in _OURS and "." not in name else None
        if isinstance(found, type) and found.__module__ == module:
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is not expected here")
