"""Reading a rulebook from its folder: ``rulebook.toml``, ``rules.py``, ``examples.toml``, README.

A rule too long for one file goes on in ``rules_*.py``.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from honours.engine.derive import read_derivations
from honours.engine.numbers import exact
from honours.engine.ranks import read_ranks
from honours.engine.rulebook import (
    COMMON_INPUTS,
    STATUSES,
    BookStanding,
    Effective,
    Input,
    Lists,
    Parameter,
    ParameterValue,
    Reading,
    Rulebook,
    Variant,
)
from honours.engine.rules import Rule
from honours.errors import InputError, RulebookError, UnknownName
from honours.model import Choice, Citation

FILES = ("rulebook.toml", "rules.py", "examples.toml", "README.md")
TYPES = ("number", "count", "word", "date", "rank")
LEVELS = ("field", "entrant", "player")
KEYS = {
    "parameters": ("value", "clause", "quote", "about", "words"),
    "inputs": (
        "about",
        "type",
        "per",
        "words",
        "default",
        "least",
        "most",
        "example",
        "must_agree",
        "named",
    ),
    "choices": ("reading", "about", "parameter"),
    "variants": ("about", "set"),
    "standing": ("status", "evidence", "refused"),
}
"""What the tables of ``rulebook.toml`` may hold: a key that is misspelt is not passed over."""

T = TypeVar("T")


def load(folder: Traversable, module: ModuleType | None = None, rulebook_id: str = "") -> Rulebook:
    """Read the rulebook in ``folder``, whose name is its id unless another is given; ``module`` is
    its ``rules`` where already importable."""
    parts = _parts(folder)
    texts = {name: _text(folder, name) for name in (*FILES, *parts)}
    table = _toml(folder, "rulebook.toml", texts["rulebook.toml"])
    examples = _toml(folder, "examples.toml", texts["examples.toml"])
    modules = [module or _module(folder), *(_part(folder, module, part) for part in parts)]
    rules = tuple(r for m in modules for r in _rules(m))
    with _blaming(f"{folder.name}/rulebook.toml"):
        name = rulebook_id or folder.name.replace("_", "-")
        return _rulebook(name, table, examples, rules, texts)


@contextmanager
def _blaming(where: str) -> Iterator[None]:
    """Whatever is wrong in an author's table is told with its place."""
    try:
        yield
    except KeyError as missing:
        raise RulebookError(f"{where}: {missing} is missing") from missing
    except (RulebookError, InputError, TypeError, ValueError, AttributeError) as wrong:
        raise RulebookError(f"{where}: {wrong}") from wrong


def _each(section: str, table: Mapping[str, Any], read: Callable[[str, Any], T]) -> dict[str, T]:
    """Every item of a section of ``rulebook.toml``, read."""
    found: dict[str, T] = {}
    for name, declared in table.items():
        with _blaming(f"{section}.{name}"):
            if not isinstance(declared, Mapping):
                raise TypeError("expected a table")
            _check_keys(section, declared)
            found[name] = read(name, declared)
    return found


def _check_keys(section: str, declared: Mapping[str, Any]) -> None:
    for key in declared:
        if key not in KEYS[section]:
            raise UnknownName("key", key, KEYS[section])


def _text(folder: Traversable, name: str) -> str:
    file = folder / name
    if not file.is_file():
        raise RulebookError(f"{folder.name}: {name} is missing")
    with _blaming(f"{folder.name}/{name}"):
        return file.read_text(encoding="utf-8")


def _toml(folder: Traversable, name: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{folder.name}/{name}: {error}") from error


def _parts(folder: Traversable) -> list[str]:
    names = (file.name for file in folder.iterdir())
    return sorted(n for n in names if n.startswith("rules_") and n.endswith(".py"))


def _part(folder: Traversable, module: ModuleType | None, part: str) -> ModuleType:
    if module is None:
        return _module(folder, part)
    return importlib.import_module(f"{module.__package__}.{part.removesuffix('.py')}")


def _module(folder: Traversable, file: str = "rules.py") -> ModuleType:
    """The rules of a folder outside the package, imported under a name of their own."""
    path = Path(str(folder)) / file
    name = f"honours_rulebook_{folder.name}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RulebookError(f"{folder.name}: {file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever its author wrote there
        told = f"{type(error).__name__}: {error}"
        raise RulebookError(f"{folder.name}/{file} cannot be imported: {told}") from error
    return module


def _rules(module: ModuleType) -> tuple[Rule, ...]:
    """The declared rules in the order of the file."""
    functions = [f for f in vars(module).values() if isinstance(getattr(f, "__rule__", None), Rule)]
    functions.sort(key=lambda f: inspect.unwrap(f).__code__.co_firstlineno)
    return tuple(f.__rule__ for f in functions)


def _rulebook(
    rulebook_id: str,
    table: dict[str, Any],
    examples: dict[str, Any],
    rules: tuple[Rule, ...],
    texts: Mapping[str, str],
) -> Rulebook:
    effective = table.get("effective", {})
    inputs = _inputs(table["inputs"])
    return Rulebook(
        id=rulebook_id,
        title=table["title"],
        body=table["body"],
        edition=table["edition"],
        revision=table["revision"],
        unit=table["unit"],
        decimals=_decimals(table["decimals"]),
        effective=Effective(*(str(effective.get(k, "")) for k in ("since", "until", "newer"))),
        lists=_lists(table.get("lists", {})),
        sources={name: source["title"] for name, source in table["sources"].items()},
        parameters=_each("parameters", table.get("parameters", {}), _parameter),
        inputs=inputs,
        rules=rules,
        readings=tuple(_each("choices", table.get("choices", {}), _reading).values()),
        variants=_each("variants", table.get("variants", {}), _variant),
        readme=texts["README.md"],
        text_hash=_digest(texts.values()),
        examples=examples,
        extras={n: tuple(names) for n, names in table.get("extras", {}).items()},
        ranks=read_ranks(table.get("ranks", ())),
        standing=_standing(table),
        derivations=read_derivations(table.get("derive", {}), inputs),
    )


def _standing(table: Mapping[str, Any]) -> BookStanding:
    """What the rulebook says of itself; without a word, whether it still holds by its dates."""
    declared = table.get("standing")
    if declared is None:
        ended = "until" in table.get("effective", {})
        return BookStanding("superseded" if ended else "in force")
    with _blaming("standing"):
        _check_keys("standing", declared)
        _one_of("status", declared["status"], STATUSES)
        return BookStanding(**declared)


def _decimals(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"decimals = {value!r}: expected a whole number")
    return value


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _lists(table: dict[str, Any]) -> Lists:
    known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    return Lists(**known)


def _parameter(name: str, table: dict[str, Any]) -> Parameter:
    words = tuple(table.get("words", ()))
    value = table["value"]
    return Parameter(
        name=name,
        value=str(value) if words else _parameter_value(value),
        citation=Citation(table["clause"], table.get("quote", "")),
        about=table.get("about", ""),
        words=words,
    )


def _parameter_value(value: Any) -> ParameterValue:
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(tuple(exact(item) for item in row) for row in value)
    return exact(value)


def _inputs(table: dict[str, Any]) -> dict[str, Input]:
    own = _each("inputs", table, _input)
    return own | {i.name: i for i in COMMON_INPUTS if i.name not in own}


def _input(name: str, table: dict[str, Any]) -> Input:
    return Input(
        name=name,
        about=table["about"],
        type=_one_of("type", table.get("type", "number"), TYPES),
        per=_one_of("per", table.get("per", "field"), LEVELS),
        words=tuple(table.get("words", ())),
        default=None if "default" not in table else str(table["default"]),
        least=_bound(table, "least"),
        most=_bound(table, "most"),
        example=str(table.get("example", "")),
        must_agree=table.get("must_agree", False),
        named={word: exact(number) for word, number in table.get("named", {}).items()},
    )


def _one_of(what: str, word: Any, words: Sequence[Any]) -> Any:
    if word not in words:
        raise UnknownName(what, str(word), words)
    return word


def _bound(table: dict[str, Any], key: str) -> Fraction | None:
    return exact(table[key]) if key in table else None


def _reading(name: str, table: dict[str, Any]) -> Reading:
    about = tuple(table["about"])
    return Reading(Choice(name, table["reading"], table.get("parameter", "")), about)


def _variant(name: str, table: dict[str, Any]) -> Variant:
    return Variant(name, table["about"], {k: str(v) for k, v in table["set"].items()})
