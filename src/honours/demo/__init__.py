"""Made-up events, members, a season and a rulebook, bundled so that there is something to try."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

CLUB_NIGHT = "tuesday.csv"
RULEBOOK = "sbu-clubs-2016"
ANSWERS = f"rulebook={RULEBOOK}&as_usual=yes"
"""How its nights are awarded, as an address of the app has it."""


def file(name: str) -> Traversable:
    """One of the bundled files."""
    return resources.files(__name__).joinpath("examples", *name.split("/"))


def _names(folder: Traversable, before: str = "") -> Iterator[str]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _names(each, f"{before}{each.name}/")
        elif not each.name.endswith(".pyc"):
            yield before + each.name


# The club night first: it is what a visitor is shown.
FILES = tuple(sorted(_names(file("")), key=lambda name: name != CLUB_NIGHT))
