"""An event from a file, with the rulings made on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from honours.model import Event
    from honours.scoring.rulings import Ruling


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
    """A table of results, or travellers typed in."""
    from honours.formats.opening import read_text
    from honours.formats.table import read_results
    from honours.formats.typed_in import is_typed_in, read_typed_in

    return read_typed_in(file) if is_typed_in(read_text(file)) else read_results(file)
