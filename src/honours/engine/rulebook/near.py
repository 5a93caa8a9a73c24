"""The nearest right word to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

from honours.errors import UnknownName


def nearest(name: str, known: Iterable[str]) -> str:
    """The nearest right word, as a question; nothing where none is near."""
    close = UnknownName("name", name, sorted(known)).nearest
    return f"; did you mean {close!r}?" if close else ""
