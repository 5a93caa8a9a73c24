"""The places of things in a rulebook's files, and the words, names and bodies of its rules."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from honours.engine import numbers, rules
from honours.engine.exact import formula
from honours.engine.rules import Rule
from honours.errors import HonoursError, UnknownName
from honours.model.message import Message, joined, mark

# --- where something stands in the files of a rulebook ------------------------------------------


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
    """Say what is wrong, with the line of the rule that could not be worked out."""
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


# --- every key, name and function an author of rules may use, with what it means ----------------

Words = Mapping[str, str]

ANY = "*"
"""A section whose keys are the author's own names."""

_WORDS = tomllib.loads((files(__package__) / "vocabulary.toml").read_text("utf-8"))
TOP: Words = _WORDS["top"]

SECTIONS: Mapping[str, Words] = _WORDS["sections"]

NAMES: Words = _WORDS["names"]

LEVELS: Words = _WORDS["levels"]

DECLARED: Words = _WORDS["rule"]
"""What the declaration of a rule may say."""

FUNCTIONS = (
    numbers.power,
    numbers.log10,
    numbers.ln,
    numbers.exp,
    numbers.row_for,
    numbers.how_many_counts,
    numbers.each_counted,
)
"""What a rule may call, from ``honours.engine.numbers``."""
BUILTINS: Words = _WORDS["builtins"]
EXPRESSIONS: Words = _WORDS["expressions"]
"""What a body may have beside its arguments and the functions above."""
ROUNDINGS = (rules.nearest, rules.up, rules.down, rules.rounding)

EXAMPLE: Words = _WORDS["example"]
GAME: Words = _WORDS["game"]
EXPECTED: Words = _WORDS["expected"]
GRID: Words = _WORDS["grid"]


# --- the nearest right word to one that is not known --------------------------------------------


def with_nearest(fault: str, name: str, known: Iterable[str]) -> str:
    """Say what is wrong with a name, and ask for the nearest right word if one is near."""
    close = UnknownName("name", name, sorted(known)).nearest
    if not close:
        return fault
    return Message("{fault}; did you mean {nearest!r}?", fault=fault, nearest=close)


_FOR_AUTHORS = ("honours.engine.rules", "honours.engine.numbers")
"""The modules whose names an author may use."""


_WITHOUT = re.compile(r"rule\(\) missing \d required positional arguments?: (.*)")


def _importable() -> dict[str, str]:
    """Return the names an author may import, each with its module."""
    return {
        name: module
        for module in reversed(_FOR_AUTHORS)
        for name, value in vars(sys.modules[module]).items()
        if getattr(value, "__module__", "") == module and name[0] != "_"
    }


def misspelt(error: BaseException, text: str) -> str:
    """A name that a file, or a module of ours, does not have, with the nearest that it has."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return UnknownName("module", error.name, _FOR_AUTHORS).message
    if isinstance(error, TypeError) and (needed := _WITHOUT.match(str(error))):
        missing = mark('@rule needs {what}, e.g. @rule("§1")')
        return Message(missing, what=needed[1])
    if isinstance(error, NameError) and error.name in _importable():
        module = _importable()[error.name]
        template = mark("{name} is not imported: from {module} import {name}")
        return Message(template, name=error.name, module=module)
    if isinstance(error, NameError) and error.name:
        written = sorted({*re.findall(r"\b[A-Za-z]\w*", text)} - {error.name})
        return with_nearest(str(error), error.name, [*written, *vars(rules)])
    match = re.match(r"cannot import name '(\w+)' from '(honours[\w.]*)'", str(error))
    if match is None or not isinstance(error, ImportError):
        return ""
    right = next((m for m in _FOR_AUTHORS if match[1] in vars(sys.modules[m])), "")
    if right:
        template = mark("{name} is in another module: from {module} import {name}")
        return Message(template, name=match[1], module=right)
    own = vars(sys.modules[match[2]]).items()
    known = [n for n, v in own if getattr(v, "__module__", "") == match[2] and n[0] != "_"]
    return str(UnknownName(Message("name of {module}", module=match[2]), match[1], known))


# --- the body of a rule -------------------------------------------------------------------------

_Node = TypeVar("_Node", bound=ast.AST)


def nodes_of(rule: Rule, kind: type[_Node]) -> Iterator[_Node]:
    """Everything of a kind in a rule's body; nothing of a body that cannot be read."""
    try:
        statements = formula.body(rule.function)
    except (HonoursError, OSError, TypeError, SyntaxError):
        return  # no plain function: where it is run says so
    nodes = (node for statement in statements for node in ast.walk(statement))
    yield from (node for node in nodes if isinstance(node, kind))


def node_line(rule: Rule, node: ast.AST) -> str:
    """The file and line of something in a rule's body."""
    code = getattr(rule.function, "__wrapped__", rule.function).__code__
    line = code.co_firstlineno + getattr(node, "lineno", 1) - 1
    return at_line(short_path(code.co_filename), line)


def callable_names() -> list[str]:
    """Return the names of what a rule may call."""
    return [*(f.__name__ for f in FUNCTIONS), *BUILTINS]


def unknown_name(rule: Rule, name: str) -> str:
    """Says that a body uses a name that is not one of its arguments, and which argument is
    nearest."""
    unknown = UnknownName("name", name, [*rule.arguments, *callable_names()])
    return Message("rule {rule} speaks of {unknown}", rule=rule.function.__name__, unknown=unknown)
