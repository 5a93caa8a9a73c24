"""Names as people write them."""

from __future__ import annotations

from functools import cache

from honours.model.facts import label_of
from honours.model.message import Message


def public(name: str) -> str:
    """A name as people write it: ``class`` for the argument ``class_``."""
    return name.rstrip("_")


@cache
def titled(name: str) -> Message:
    """A quantity's name as people read it, in their language where the catalogue has it."""
    return Message(label_of(name))
