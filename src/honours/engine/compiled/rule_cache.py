"""Exact results of rules for arguments met before, kept from run to run.

A power or a logarithm to 70 digits takes a tenth of a millisecond, and a federation's year needs
the same few thousand each time. They are kept beside compiled loops, under a digest of every byte
of the rulebook's folder and of the code that computes them; amended numbers are simply further
arguments.
"""

from __future__ import annotations

import atexit
import hashlib
import marshal
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from honours.engine import numbers
from honours.engine.numbers import round_to
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule
from honours.errors import HonoursError

_LARGEST_TABLE = 100_000
_MOST_KEPT = 50_000
"""How many results of a rulebook are kept: a file of a few megabytes."""
_WORTH_KEEPING = 100
"""With fewer new results the file is not written again."""
Rounding = tuple[str, Fraction]


class WorkedOut:
    """The results of the rules in one folder, by rule, rounding and arguments."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.new = 0
        self._tables: dict[Any, dict[Any, Any]] = _read(path)

    def values(
        self,
        rule: Rule,
        rounding: Rounding | None,
        arguments: Sequence[Sequence[Any]],
        cases: Iterable[Sequence[int]],
    ) -> list[Any]:
        """The result of a rule in each case, None if it has none; a case is the index of each
        argument's value."""
        table = self._tables.setdefault(_named(rule, rounding), {})
        if len(table) >= _LARGEST_TABLE:
            table.clear()
        named = [[_plain(value) for value in values] for values in arguments]
        answers = []
        for case in cases:
            key = tuple(names[i] for names, i in zip(named, case, strict=True))
            if key not in table:
                chosen = (values[i] for values, i in zip(arguments, case, strict=True))
                table[key] = _plain(_worked_out(rule, rounding, tuple(chosen)))
                self.new += 1
            value = table[key]
            answers.append(Fraction(*value) if isinstance(value, tuple) else value)
        return answers

    def keep(self) -> None:
        """Write new results for the next run."""
        many = sum(map(len, self._tables.values()))
        if self.new < _WORTH_KEEPING or many > _MOST_KEPT:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.path.parent, delete=False) as file:
                marshal.dump(self._tables, file)
            os.replace(file.name, self.path)
        except (OSError, ValueError):  # no space, or a value of another kind: not kept
            return
        self.new = 0


def _read(path: Path) -> dict[Any, dict[Any, Any]]:
    try:
        tables = marshal.loads(path.read_bytes())
    except (OSError, EOFError, ValueError, TypeError):
        return {}
    return tables if isinstance(tables, dict) else {}


def _named(rule: Rule, rounding: Rounding | None) -> Any:
    code = rule.function.__code__
    rounding_code = (rounding[0], *_plain(rounding[1])) if rounding else None
    return Path(code.co_filename).name, code.co_firstlineno, rule.function.__name__, rounding_code


def _plain(value: Any) -> Any:
    """A value as whole numbers and words, because the hash of a fraction is slow to compute."""
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    if isinstance(value, Mapping):
        return "words", tuple((k, _plain(v)) for k, v in value.items())
    return ("rows", *map(_plain, value)) if isinstance(value, tuple) else value


def _worked_out(rule: Rule, rounding: Rounding | None, arguments: tuple[Any, ...]) -> Any:
    try:
        value = rule.function(*arguments)
    except (HonoursError, ArithmeticError):
        return None
    if isinstance(value, str):
        return value
    return round_to(Fraction(value), *rounding) if rounding else Fraction(value)


_kept: dict[str, WorkedOut] = {}


def worked_out(rulebook: Rulebook) -> WorkedOut:
    """The known results of a rulebook's rules, amended or not."""
    if rulebook.text_hash not in _kept:
        digest = hashlib.sha256(f"{_engine()}{rulebook.text_hash}".encode()).hexdigest()[:32]
        _kept[rulebook.text_hash] = WorkedOut(cache_folder() / f"v{digest}.values")
    return _kept[rulebook.text_hash]


@atexit.register
def _keep_all() -> None:
    for known in _kept.values():
        known.keep()


def cache_folder() -> Path:
    """The folder in which compiled code and results are kept from run to run."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "honours" / "compiled"


@cache
def _engine() -> str:
    files = (__file__, str(numbers.__file__))
    return sys.version + "".join(Path(f).read_text(encoding="utf-8") for f in files)
