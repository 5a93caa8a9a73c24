"""The rings an installation has: the core, and around it what more can be added.

A room of an outer ring asks for the packages it stands on when it is imported, a function of the
core when it is called. Where they are not installed, that is one sentence with the line to type.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from honours.errors import HonoursError
from honours.model.message import Message, mark

TAB = sys.platform == "emscripten" or "HONOURS_TAB" in os.environ
"""Whether this is inside a browser's tab, for one person whom nobody else reaches; the variable has
a test compare that with a server."""


class Ring(NamedTuple):
    """The purpose of a ring, how much it adds on the disk, and the packages it is known by."""

    what: Message
    megabytes: int
    modules: tuple[str, ...]


RINGS = {
    "documents": Ring(
        Message("PDF, old spreadsheets and names that are nearly alike"),
        95,
        ("typst", "python_calamine", "rapidfuzz"),
    ),
    "app": Ring(
        Message("the server, the ledger and the evening"),
        170,
        (
            *("sqlalchemy", "alembic", "psycopg", "cryptography", "argon2", "fastapi", "starlette"),
            *("pydantic", "multipart", "uvicorn", "anyio", "segno", "networkx"),
        ),
    ),
    "lab": Ring(
        Message("the lab, Parquet and Arrow"),
        605,
        ("numpy", "pyarrow", "numba", "scipy", "duckdb"),
    ),
    "distributed": Ring(Message("the lab on more than one machine"), 625, ("distributed", "dask")),
    "hands": Ring(Message("double-dummy tables and par"), 140, ("endplay",)),
}
"""By the name of the extra that installs it; in pyproject.toml is what each needs."""


_EXTRA = '"honours[%s]"'
"""In double quotes, which every shell understands."""


class NotInstalled(HonoursError):
    """Something of a ring that this installation does not have."""

    def __init__(self, ring: str) -> None:
        self.ring = ring
        super().__init__(
            mark("The browser edition cannot do this: {what}. Install Honours for it: {line}")
            if TAB
            else mark("Not installed: {what}. This adds it (about {megabytes} MB): {line}"),
            what=RINGS[ring].what,
            megabytes=RINGS[ring].megabytes,
            line=_line(ring),
        )


def _line(ring: str) -> str:
    """The line that adds a ring: in a clone its own command, else pip's."""
    called = os.environ.get("HONOURS_CALLED")
    return " ".join((called, "--set-up", ring) if called else ("pip install", _EXTRA % ring))


on_demand: Callable[[str], None] | None = None
"""What adds a package when it is asked for, where something does."""


def has(*modules: str) -> bool:
    """Say whether all of these packages are installed."""
    from importlib.util import find_spec  # slow to import, for a command that needs none

    return all(find_spec(module) for module in modules)


def ring_of(module: str) -> str:
    """The ring that a package belongs to."""
    return next(name for name, ring in RINGS.items() if module in ring.modules)


def require(*modules: str) -> None:
    """Go on only where these packages are installed, or can be added now."""
    for module in modules:
        if has(module):
            continue
        if on_demand is not None:
            on_demand(module)
            importlib.invalidate_caches()
        if not has(module):
            raise NotInstalled(ring_of(module))


@cache
def added(kind: str) -> tuple[Any, ...]:
    """Return what installed packages add: formats, receivers, or folders of rulebooks, each by an
    entry point of the group ``honours.<kind>``."""
    from importlib.metadata import entry_points  # takes longer than most commands do

    return tuple(point.load() for point in entry_points(group=f"honours.{kind}"))
