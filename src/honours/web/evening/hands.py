"""Hand records and movements that come in for an evening: read in a process of their own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from starlette.requests import Request

from honours.errors import FileProblem, InputError
from honours.formats.bws import read_movement_file
from honours.formats.hands import SUFFIXES, hands_of
from honours.model.message import Message
from honours.movements.movement import Movement
from honours.web.events.service import EventService
from honours.web.events.store import Upload


def read_hands(path: str, name: str) -> dict[str, str]:
    """The deals of a hand record by board."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        expected = Message("a hand record: {endings}", endings=SUFFIXES)
        raise FileProblem(name, "a file of another kind", expected)
    deals = {str(board.number): board.deal for board in hands_of(path, suffix) if board.deal}
    if not deals:
        raise FileProblem(name, "no hands", "a hand record")
    return deals


def movements_in(request: Request, upload: Upload) -> tuple[Movement, ...]:
    """The movements of a file that somebody sent."""
    events: EventService = request.app.state.events
    with upload.as_file() as path:
        work = partial(read_movement_file, path)
        movements: tuple[Movement, ...] = events.processes.answer(
            upload.name, work, events.settings.reading, ""
        ).value
    return movements


def deals_in(request: Request, upload: Upload) -> dict[str, str]:
    """The deals of a file that somebody sent."""
    events: EventService = request.app.state.events
    with upload.as_file() as path:
        work = partial(read_hands, path, upload.name)
        deals: dict[str, str] = events.processes.answer(
            upload.name, work, events.settings.reading, ""
        ).value
    if any(len(deal) > 100 for deal in deals.values()):
        raise InputError("{file}: hands that cannot be", file=upload.name)
    return deals
