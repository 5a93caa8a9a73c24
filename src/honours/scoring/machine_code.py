"""Fixed loops over arrays as machine code.

Importing this module imports Numba, which takes half a second, so only scoring in bulk does.
Compiled code is kept on disk under a digest of everything that went into it, because Numba's own
cache does not notice a change in another file.
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

from honours.places import own_folder

_njit: Any = numba.njit  # whose types leave out ``_nrt``


@cache
def _jitted(function: Callable[..., Any]) -> Callable[..., Any]:
    return numba.njit(error_model="numpy")(function)


def compiled_module(
    module: ModuleType, uses: Sequence[ModuleType], doors: Sequence[str]
) -> Mapping[str, Callable[..., Any]]:
    """The functions of a module named in ``doors``, compiled with everything they call in it and in
    ``uses``.

    What these functions call is inlined into them. Nothing in these modules allocates an array, so
    that no references are counted (``_nrt``): that would happen in every iteration and in every
    thread, with threads waiting for each other. Where compiling is switched off, as coverage needs
    it, they are the functions as they are written.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return {name: getattr(module, name) for name in doors}
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
    compiler = _njit(error_model="numpy", nogil=True, cache=path is not None, _nrt=False)
    return {name: compiler(scope[name]) for name in doors}


def _kept_as(source: str, *others: str) -> Path | None:
    """The file of a source, named by a digest of it and of everything it calls; written if
    missing."""
    own = Path(__file__).read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {own}".encode())
    for text in (*others, source):
        digest.update(text.encode())
    folder = own_folder("cache") / "compiled"
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
