"""All that is wrong in a file, gathered while it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from honours.errors import FileProblem, message_of, raise_problems
from honours.model.message import Message, plural

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

    def add(
        self, found: str, line: int | None = None, expected: str = "", **values: object
    ) -> None:
        if len(self.found) < MOST_PROBLEMS:
            problem = FileProblem(self.path, found, expected, line, **values)
            if len(problem.found) > _LONGEST_FOUND:
                shown = Message("{found} …", found=problem.found[:_LONGEST_FOUND])
                problem = FileProblem(self.path, shown, problem.expected, line)
            self.found.append(problem)
        else:
            self.more += 1

    def settle(self) -> None:
        """Raise everything gathered, if there is anything."""
        if self.more:
            more = plural("and {count} more problem", "and {count} more problems", count=self.more)
            self.found.append(FileProblem(self.path, more))
        raise_problems(self.found)

    def attempt(self, line: int, read: Callable[[str], _T], text: str) -> _T | None:
        """What ``read`` makes of a cell; ``None`` if it fails, with the failure noted."""
        try:
            return read(text)
        except ValueError as error:
            self.add(message_of(error), line)
            return None
