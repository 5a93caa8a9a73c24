"""A made-up club night, bundled so that there is something to try at once."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

FILES = ("tuesday.csv",)


def file(name: str) -> Traversable:
    """One of the bundled files."""
    return resources.files(__name__) / name
