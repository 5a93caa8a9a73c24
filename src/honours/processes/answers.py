"""What may come back from a process: our own frozen classes and plain values, and nothing that
could be made to run, so that even a parser that was taken over could not send code."""

from __future__ import annotations

import io
import pickle
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

from honours.errors import HonoursError
from honours.model.message import Message

_OURS = "honours."
_NOT_EVEN_LOOKED_AT = ("honours.__main__", "honours.cli", "honours.processes.nursery")
_PLAIN = {
    ("decimal", "Decimal"),
    ("fractions", "Fraction"),
    ("datetime", "date"),
    ("honours.formats.detect", "format_called"),
    ("numpy", "dtype"),
    ("numpy._core.multiarray", "scalar"),
}


def careful_load(data: bytes) -> object:
    """What a process sent, if it is made of our own classes and plain values."""
    loaded: object = _Careful(io.BytesIO(data)).load()
    return loaded


class _Careful(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        # A dotted name would lead to what our modules themselves import.
        ours = module.startswith(_OURS) and not module.startswith(_NOT_EVEN_LOOKED_AT)
        kind = super().find_class(module, name) if ours and "." not in name else None
        if isinstance(kind, type) and kind.__module__ == module and _is_plain(kind):
            return kind
        raise pickle.UnpicklingError(f"{module}.{name} is not expected here")


def _is_plain(kind: type) -> bool:
    """Whether instances of a class are nothing but the data they hold."""
    return is_dataclass(kind) or issubclass(kind, Enum | HonoursError | Message)
