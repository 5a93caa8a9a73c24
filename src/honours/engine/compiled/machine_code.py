"""Rule functions compiled to machine code: the same functions, on floats, row by row.

Importing this module imports Numba, which takes half a second, so only the compiled way does.
Compiled code is kept on disk under a digest of everything that went into it (the loop, the rule
functions, this file and the numbers), because Numba's own cache does not notice a change in another
file.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from honours.engine import numbers
from honours.engine.compiled import emitting, rationals, rounding
from honours.engine.compiled.emitting import on_floats
from honours.engine.compiled.rounding import BOUND, float_units
from honours.engine.compiled.rule_cache import cache_folder

_njit: Any = numba.njit  # whose types leave out ``_nrt``


@overload(numbers.power)
def _power(base: Any, exponent: Any) -> Callable[..., Any]:  # noqa: ARG001
    def power(base: Any, exponent: Any) -> Any:
        return float(base) ** float(exponent)

    return power


@overload(numbers.log10)
def _log10(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    def log10(x: Any) -> Any:
        return np.log10(float(x))

    return log10


@overload(numbers.ln)
def _ln(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    def ln(x: Any) -> Any:
        return np.log(float(x))

    return ln


@overload(numbers.exp)
def _exp(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    def exp(x: Any) -> Any:
        return np.exp(float(x))

    return exp


@overload(numbers.up_to)
def _up_to(x: Any, limit: Any, then: Any, otherwise: Any) -> Callable[..., Any]:  # noqa: ARG001
    def up_to(x: Any, limit: Any, then: Any, otherwise: Any) -> Any:
        if abs(x - limit) <= BOUND * max(1.0, abs(limit)):
            return np.nan  # too close to call: a NaN is always in doubt
        return float(then) if x <= limit else float(otherwise)

    return up_to


@cache
def _jitted(function: Callable[..., Any]) -> Callable[..., Any]:
    return numba.njit(error_model="numpy")(function)


def machine_code(
    source: str,
    name: str,
    rules: Mapping[str, Callable[..., Any]],
    exact: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """The compiled function ``name`` of a generated ``source`` that calls ``rules`` on floats and
    ``exact`` ones, given as texts, on fractions.

    A rule becomes part of the text, so that the text alone is the cache key and a user's own
    rulebook is cached like ours. A rule that uses something else from its file remains a function
    there, and is compiled each time.
    """
    texts = {key: on_floats(rule, key) for key, rule in rules.items()}
    texts |= exact or {}
    parts = [text for text in texts.values() if text is not None]
    whole = "\n".join([*parts, source])
    path = _kept_as(whole) if None not in texts.values() else None
    # Numba finds the environment of cached code by the name of a module.
    scope: dict[str, Any] = {"__name__": __name__, "np": np, **_IN_SCOPE}
    scope |= {key: _jitted(rules[key]) for key, text in texts.items() if text is None}
    exec(compile(whole, str(path or "<generated>"), "exec"), scope)
    scope |= {key: _jitted(scope[key]) for key, text in texts.items() if text is not None}
    made: Callable[..., Any] = _compiler(path)(scope[name])
    return made


_IN_SCOPE: dict[str, Any] = {
    f.__name__: f for f in (numbers.power, numbers.log10, numbers.ln, numbers.exp, numbers.up_to)
} | {**rationals.OPERATIONS, "float_units": numba.njit(error_model="numpy")(float_units)}


def compiled_module(
    module: ModuleType, uses: Sequence[ModuleType], doors: Sequence[str]
) -> Mapping[str, Callable[..., Any]]:
    """The functions of a module named in ``doors``, compiled with everything they call in it and in
    ``uses``.

    What these functions call is inlined into them. Nothing in these modules allocates an array, so
    that no references are counted (``_nrt``): that would happen in every iteration and in every
    thread, with threads waiting for each other.
    """
    text = inspect.getsource(module)
    path = _kept_as(text, *map(inspect.getsource, uses), *doors)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, str(path or module.__file__), "exec"), scope)
    functions = {k: f for k, f in scope.items() if isinstance(f, FunctionType)}
    for name, function in functions.items():
        if function.__module__ != __name__:
            scope[name] = _jitted(function)
        elif name not in doors:
            scope[name] = _njit(error_model="numpy", inline="always", _nrt=False)(function)
    return {name: _compiler(path, _nrt=False)(scope[name]) for name in doors}


def _compiler(path: Path | None, **options: bool) -> Callable[..., Any]:
    kept = path is not None
    made: Callable[..., Any] = _njit(error_model="numpy", nogil=True, cache=kept, **options)
    return made


def _kept_as(source: str, *others: str) -> Path | None:
    """The file of a source, named by a digest of it and of everything it calls; written if
    missing."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {_own_text()}".encode())
    for text in (*others, source):
        digest.update(text.encode())
    folder = cache_folder()
    path = folder / f"h{digest.hexdigest()[:32]}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
                file.write(source)
            os.replace(file.name, path)
    except OSError:
        return None
    return path


@cache
def _own_text() -> str:
    modules = (numbers, rationals, emitting, rounding)
    files = (__file__, *(str(m.__file__) for m in modules))
    return "".join(Path(f).read_text(encoding="utf-8") for f in files)
