"""The compiled way with compilation switched off, as coverage and mutation testing need it.

With ``NUMBA_DISABLE_JIT=1`` nothing puts the float functions in place of the exact ones that a rule
names, nor divides by zero as machine code does: this does both, with the functions that Numba would
have taken. Loops over columns run from the file they are written in, so that coverage sees them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np
import pytest

from honours.engine import numbers
from honours.engine.compiled import kept_forms
from honours.engine.compiled import machine_code as compiled


def run_uncompiled() -> None:
    """Let the loops of the compiled way call rules as plain Python on floats."""
    vars(compiled)["_jitted"] = cache(_on_floats)
    vars(compiled)["compiled_module"] = _as_written


def without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for one test, of rulebooks made for it that are too many to compile."""
    monkeypatch.setattr(compiled, "_jitted", cache(_on_floats))
    monkeypatch.setattr(compiled, "_compiler", lambda _: lambda function: function)
    at_once(monkeypatch)


def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a rulebook's loop be made for the first batch it meets."""
    monkeypatch.setattr(kept_forms.worth_compiling, "entrants", 0)


compiled_module, jitted = compiled.compiled_module, compiled._jitted
"""Those that compile, for their own tests."""


def _as_written(
    module: ModuleType, uses: Sequence[ModuleType], doors: Sequence[str]
) -> dict[str, Callable[..., Any]]:
    """The functions of a module as they are; ``uses`` they import by themselves."""
    assert all(used.__name__ in sys.modules for used in uses)
    return {name: getattr(module, name) for name in doors}


def _on_floats(rule: Callable[..., Any]) -> Callable[..., Any]:
    if not hasattr(rule, "__rule__") and not rule.__name__.startswith(("r_", "rule")):
        return rule  # on fractions, or no rule at all
    overloads = {
        numbers.power: compiled._power(0, 0),
        numbers.log10: compiled._log10(0),
        numbers.ln: compiled._ln(0),
        numbers.exp: compiled._exp(0),
        numbers.up_to: compiled._up_to(0, 0, 0, 0),
    }
    plain = cast(FunctionType, rule)
    scope = {
        name: overloads.get(value, value) if callable(value) else value
        for name, value in plain.__globals__.items()
    }
    made = FunctionType(plain.__code__, scope, plain.__name__)

    def called(*values: Any) -> Any:
        with np.errstate(all="ignore"):
            return made(*(np.float64(v) if isinstance(v, float) else v for v in values))

    return called
