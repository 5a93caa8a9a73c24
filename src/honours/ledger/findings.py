"""What ``verify`` finds to differ from what was written."""

from __future__ import annotations

from dataclasses import dataclass

from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that differs from what was written: where, and what is wrong."""

    where: Message
    said: str
    asserted: bool = False
    """Whether this is a false assertion by somebody, while nothing was changed."""
