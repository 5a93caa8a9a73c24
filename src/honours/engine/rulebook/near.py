"""The nearest right word to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

from honours.errors import UnknownName
from honours.model.message import Message


def with_nearest(fault: str, name: str, known: Iterable[str]) -> str:
    """What is wrong with a name, and the nearest right word as a question where one is near."""
    close = UnknownName("name", name, sorted(known)).nearest
    if not close:
        return fault
    return Message("{fault}; did you mean {nearest!r}?", fault=fault, nearest=close)
