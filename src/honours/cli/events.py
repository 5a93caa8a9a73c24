"""An event from a file, with the rulings made on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from honours.model import Event
    from honours.scoring.ruling_kinds import Ruling


class Ruled(NamedTuple):
    """An event as ruled, and the rulings; ``as_read`` is without them."""

    event: Event
    rulings: tuple[Ruling, ...]
    as_read: Event


def read_ruled(file: str) -> Ruled:
    """Read a results file, and apply what its rulings file says."""
    from honours.formats.rulings import read_rulings
    from honours.scoring.rulings import apply

    event = read_event(file)
    rulings = read_rulings(file)
    return Ruled(apply(event, rulings), rulings, event)


def read_event(file: str) -> Event:
    """Any file of results: recognised by what is in it."""
    from honours.formats import detect

    return detect.read_event(file)
