"""All that is wrong in a file, gathered while it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from honours.errors import FileProblem, FileProblems

MOST_PROBLEMS = 100
"""As many are listed; the rest are counted, so that a wholly wrong file has a readable answer."""

_LONGEST_FOUND = 400
_T = TypeVar("_T")


class Problems:
    """Gathers what is wrong in one file, to be raised together."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[FileProblem] = []
        self.more = 0

    def add(self, found: str, line: int | None = None, expected: str = "") -> None:
        if len(self.found) < MOST_PROBLEMS:
            shown = found if len(found) <= _LONGEST_FOUND else f"{found[:_LONGEST_FOUND]} …"
            self.found.append(FileProblem(self.path, shown, expected, line))
        else:
            self.more += 1

    def settle(self) -> None:
        """Raise what was gathered, if anything was."""
        if self.more:
            self.found.append(FileProblem(self.path, f"and {self.more} more problems"))
        if len(self.found) == 1:
            raise self.found[0]
        if self.found:
            raise FileProblems(self.found)

    def attempt(self, line: int, read: Callable[[str], _T], text: str) -> _T | None:
        """What ``read`` makes of a cell, or ``None`` with its complaint gathered."""
        try:
            return read(text)
        except ValueError as error:
            self.add(str(error), line)
            return None
