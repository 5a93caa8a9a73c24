"""Hand records that come in for an evening: read in a process of their own."""

from __future__ import annotations

from pathlib import Path

from honours.errors import FileProblem
from honours.formats.hands import SUFFIXES, hands_of
from honours.model.message import Message


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
