"""Words in which a parameter of a declared function describes itself, beside its type."""

from __future__ import annotations

from typing import NamedTuple


class About(NamedTuple):
    """``Annotated[str, About("The reason, which is kept.", "TEXT")]``: what is asked, and what a
    command shows in its place."""

    text: str
    metavar: str = ""
