"""The rulings file beside a results file: ``tuesday.csv.rulings.toml`` for ``tuesday.csv``.

A list of ``[[ruling]]`` tables in the order they were made, each with its kind, who made it, when,
why and the law; see docs/scoring.md. The results file itself is never written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from honours.errors import FileProblem, FileProblems, InputError, message_of
from honours.files import flush, toml_of, toml_text, write_whole
from honours.formats.hands import is_record_beside
from honours.formats.ruling_words import read_ruling
from honours.model import Source
from honours.scoring.ruling_kinds import Ruling

MARK = "[[ruling]]"


def rulings_path(results: str | Path) -> Path:
    """Where the rulings of a results file are."""
    return Path(f"{results}.rulings.toml")


def is_of_results(path: Path) -> bool:
    """Whether a file of a folder may be results: not hidden, and not the rulings, the decisions on
    names or the hand record beside one."""
    beside = path.name.endswith((".rulings.toml", ".names")) or is_record_beside(path)
    return not path.name.startswith(".") and not beside


def read_rulings(results: str | Path) -> tuple[Ruling, ...]:
    """The rulings made on a results file, none if it has no rulings file."""
    path = rulings_path(results)
    return parse_rulings(path.read_text(encoding="utf-8"), str(path)) if path.exists() else ()


def parse_rulings(text: str, path: str) -> tuple[Ruling, ...]:
    """Every ruling of a text; FileProblems lists all that is wrong in it."""
    try:
        content = toml_of(text)
    except tomllib.TOMLDecodeError as error:
        raise FileProblem(path, "not TOML: {error}", error=error) from error
    tables = content.pop("ruling", [])
    problems = [
        FileProblem(path, "{key!r}", "only {mark} tables", key=key, mark=MARK) for key in content
    ]
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == MARK]
    rulings = []
    for nth, table in enumerate(tables):
        line = lines[nth] if nth < len(lines) else 0
        try:
            rulings.append(read_ruling(table, Source(path, line)))
        except InputError as error:
            problems.append(FileProblem(path, message_of(error), line=line))
    if problems:
        raise FileProblems(problems)
    return tuple(rulings)


def add_ruling(results: str | Path, words: Mapping[str, Any]) -> Path:
    """Write one more ruling at the end of the file."""
    return add_rulings(results, [words])


def add_rulings(results: str | Path, several: Iterable[Mapping[str, Any]]) -> Path:
    """Write more rulings at the end of the file, all of them or none."""
    path = rulings_path(results)
    before = path.read_text(encoding="utf-8").rstrip() if path.exists() else ""
    text = "\n\n".join([before, *(write_ruling(words) for words in several)]).lstrip()
    parse_rulings(text, str(path))
    _replace(path, text)
    return path


def undo_ruling(results: str | Path, number: int = 0) -> str:
    """Take a ruling out again, the last unless its number is said, and return its text."""
    path = rulings_path(results)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    before, *tables = re.split(rf"(?m)^(?={re.escape(MARK)}\s*$)", text)
    if not tables:
        raise InputError("{path}: there is no ruling to undo", path=path)
    if not 0 <= number <= len(tables):
        raise InputError(
            "{path}: there is no ruling {number}; there are {count}",
            path=path,
            number=number,
            count=len(tables),
        )
    taken = tables.pop(number - 1)
    left = (before + "".join(tables)).rstrip()
    if left:
        _replace(path, left + "\n")
    else:
        path.unlink()
        flush(path.parent)
    return taken.strip()


def write_ruling(words: Mapping[str, Any]) -> str:
    """A ruling's words as a TOML table."""
    lines = [f"{key} = {toml_text(value)}" for key, value in words.items()]
    return "\n".join([MARK, *lines, ""])


def _replace(path: Path, text: str) -> None:
    """Whole or not at all: a reader never sees half a file."""
    write_whole(path, text.encode())
