"""Where something stands in the files of a rulebook, for an author who has to mend it."""

from __future__ import annotations

import inspect
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from honours.engine.rules import Rule
from honours.errors import HonoursError
from honours.model.message import Message, joined


def where(rule: Rule, error: BaseException | None = None) -> str:
    """The file and line of a rule, or the line of its body at which ``error`` was raised."""
    return function_line(rule.function, error)


def function_line(function: Callable[..., Any], error: BaseException | None = None) -> str:
    """The same of any function: ``village_cup/rules.py, line 12``."""
    code = getattr(function, "__wrapped__", function).__code__
    line = code.co_firstlineno
    for frame in traceback.extract_tb(error.__traceback__) if error else ():
        if frame.filename == code.co_filename:
            line = frame.lineno or line
    return at_line(short_path(code.co_filename), line)


def at_line(file: str, line: int | None) -> str:
    """A file and, where it is known, the line in it."""
    return Message("{file}, line {line}", file=file, line=line) if line else file


def short_path(path: str | Path) -> str:
    """A file by its folder and name: the folder is the rulebook."""
    return "/".join(Path(path).parts[-2:])


def error_line(path: str | Path, error: BaseException) -> int | None:
    """The line of a file at which an error was raised while it ran, or was read."""
    if isinstance(error, SyntaxError):
        return error.lineno
    here = Path(path).resolve()
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == here]
    return lines[-1] if lines else None


def with_line(rules: Iterable[Rule], error: Exception) -> str:
    """What is wrong, with the line of the rule that could not be worked out."""
    sentence = error.message if isinstance(error, HonoursError) else str(error)
    cause = error.__cause__
    files = {inspect.unwrap(rule.function).__code__.co_filename for rule in rules}
    frames = traceback.extract_tb(cause.__traceback__) if cause else ()
    lines = [at_line(short_path(f.filename), f.lineno) for f in frames if f.filename in files]
    return joined(": ", (lines[-1], sentence)) if lines and lines[-1] not in sentence else sentence


EXAMPLE_LINES = "lines of the examples"
"""Beside the tables of ``examples.toml``: the line of each of them by its name."""


def lines_by_name(text: str) -> dict[str, int]:
    """The line of each table of a TOML file by its name, and by its number: ``[[example]] 2``."""
    lines = list(enumerate(text.splitlines(), 1))
    counts: Counter[str] = Counter()
    numbered: dict[str, int] = {}
    for number, line in lines:
        if header := re.match(r"\s*(\[\[\w+\]\])", line):
            counts[header[1]] += 1
            numbered[f"{header[1]} {counts[header[1]]}"] = number
    named = (
        (number, re.match(r"\s*name\s*=\s*[\"'](.*)[\"']\s*$", line)) for number, line in lines
    )
    return numbered | {match[1]: number for number, match in named if match}


def in_toml(folder: str, text: str, *names: str) -> str:
    """The file and line at which nested names stand: ``village_cup/rulebook.toml, line 12``."""
    line = toml_line(text, *names) if names else None
    return at_line(f"{folder.replace('-', '_')}/rulebook.toml", line)


def toml_line(text: str, *names: str) -> int | None:
    """The line of a TOML file that begins the innermost of nested names: a table's header, a key
    in it, or a key within an inline table on that line."""
    lines = text.splitlines()
    at, known = 0, False
    for depth in range(len(names)):
        line = _line_of(lines, at, names[: depth + 1])
        if line is not None:
            at, known = line, True
    return at + 1 if known else None


def _line_of(lines: list[str], start: int, names: tuple[str, ...]) -> int | None:
    dotted = r"\s*\.\s*".join(rf"[\"']?{re.escape(name)}[\"']?" for name in names)
    last = rf"[\"']?{re.escape(names[-1])}[\"']?"
    header = re.compile(rf"\s*\[+\s*{dotted}\s*[\].]")
    key = re.compile(rf"\s*{last}\s*[=.]|.*[{{,]\s*{last}\s*[=.]")
    headed = [number for number, line in enumerate(lines) if header.match(line)]
    if headed:
        return headed[0]
    for number, line in enumerate(lines[start:], start):
        if len(names) > 1 and number > start and line.lstrip().startswith("["):
            return None
        if key.match(line) and (len(names) > 1 or not line.lstrip().startswith("[")):
            return number
    return None
