"""Names as people write them."""

from __future__ import annotations


def public(name: str) -> str:
    """A name as people write it: ``class`` for the argument ``class_``."""
    return name.rstrip("_")
