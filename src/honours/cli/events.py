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


def read_ruled(file: str, wanted: str = "") -> Ruled:
    """Read a results file, and apply what its rulings file says.

    ``wanted`` is the title or number of one of several events: rulings are made on a file of one.
    """
    from honours.formats.rulings import read_rulings
    from honours.scoring.rulings import apply

    if wanted:
        event = _one_of(file, wanted)
        return Ruled(event, (), event)
    event = read_event(file)
    rulings = read_rulings(file)
    return Ruled(apply(event, rulings), rulings, event)


def _one_of(file: str, wanted: str) -> Event:
    from honours.formats.detect import read_events
    from honours.reports.account import chosen_event

    events = read_events(file)
    return events[chosen_event(file, [event.title for event in events], wanted)]


def read_event(file: str) -> Event:
    """Any file of results: recognised by what is in it."""
    from honours.formats import detect

    return detect.read_event(file)
