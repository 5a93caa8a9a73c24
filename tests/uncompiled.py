"""The compiled way with compilation switched off, as coverage and mutation testing need it.

With ``NUMBA_DISABLE_JIT=1`` nothing puts the float functions in place of the exact ones that a rule
names, nor divides by zero as machine code does: this does both, with the functions that Numba would
have taken.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, cast

import numpy as np

from honours.engine import compiled, numbers


def run_uncompiled() -> None:
    """Let the loops of the compiled way call rules as plain Python on floats."""
    vars(compiled)["_jitted"] = cache(_on_floats)


def _on_floats(rule: Callable[..., Any]) -> Callable[..., Any]:
    overloads = {
        numbers.power: compiled._power(0, 0),
        numbers.log10: compiled._log10(0),
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
