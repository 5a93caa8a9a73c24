"""The rules of a folder: ``rules.py`` and what goes on in ``rules_*.py``, imported."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import linecache
import sys
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType

from honours.engine.rulebook.nearest import misspelt
from honours.engine.rulebook.source_lines import at_line, error_line
from honours.engine.rules import Rule
from honours.errors import HonoursError, RulebookError


def rules_in(
    folder: Traversable, module: ModuleType | None, texts: Mapping[str, str]
) -> tuple[Rule, ...]:
    """All rules of a folder with these texts; ``module`` is its ``rules`` where already
    importable."""
    first = module or _module(folder, "rules.py", texts)
    parts = sorted(name for name in texts if name.startswith("rules_"))
    modules = [first, *(_part(folder, module, part, texts) for part in parts)]
    return tuple(rule for each in modules for rule in _rules(folder, each))


def parts_of(folder: Traversable) -> list[str]:
    names = (file.name for file in folder.iterdir())
    return sorted(n for n in names if n.startswith("rules_") and n.endswith(".py"))


def _part(
    folder: Traversable, module: ModuleType | None, part: str, texts: Mapping[str, str]
) -> ModuleType:
    if module is None:
        return _module(folder, part, texts)
    return importlib.import_module(f"{module.__package__}.{part.removesuffix('.py')}")


def _module(folder: Traversable, file: str, texts: Mapping[str, str]) -> ModuleType:
    """The rules of a folder outside the package, under a name of their own. The text itself is
    run: an import might take compiled code that lies beside it."""
    path = Path(str(folder)) / file
    name = f"honours_rulebook_{folder.name}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise RulebookError("{name}: {file} cannot be imported", name=folder.name, file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    text = texts[file]
    linecache.cache[str(path)] = len(text), None, text.splitlines(keepends=True), str(path)
    try:
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))
    except HonoursError as error:
        raise RulebookError(
            "{at}: {error}", at=_at(folder, file, path, error), error=error
        ) from error
    except (Exception, SystemExit) as error:  # whatever its author wrote there
        why = misspelt(error, text) or f"{type(error).__name__}: {error}"
        raise RulebookError(
            "{at}: cannot be imported: {why}", at=_at(folder, file, path, error), why=why
        ) from error
    return module


def _at(folder: Traversable, file: str, path: Path, error: BaseException) -> str:
    return at_line(f"{folder.name}/{file}", error_line(path, error))


def _rules(folder: Traversable, module: ModuleType) -> tuple[Rule, ...]:
    """The declared rules in the order of the file."""
    declared = [f for f in vars(module).values() if isinstance(getattr(f, "__rule__", None), Rule)]
    file = f"{folder.name}/{Path(str(module.__file__)).name}"
    for each in declared:
        if not inspect.isfunction(inspect.unwrap(each)) or inspect.iscoroutinefunction(each):
            raise RulebookError(
                "{at}: {name} is no plain function, and only a plain function can be a rule",
                at=at_line(file, _line(each)),
                name=each.__name__,
            )
    declared.sort(key=lambda function: inspect.unwrap(function).__code__.co_firstlineno)
    return tuple(function.__rule__ for function in declared)


def _line(thing: object) -> int | None:
    try:
        return inspect.getsourcelines(thing)[1]  # type: ignore[arg-type]
    except (OSError, TypeError):
        return None
