"""Pages that tell a part of an event: they can be shown, and a part is not scored as the whole."""

from __future__ import annotations

from honours.errors import FileProblem
from honours.model import Event

PARTIAL = "part"
"""The fact that says which part of an event a file has."""
ONE_PAIR = "one pair's results"
ONE_BOARD = "one board"
ONE_TABLE = "one table's results"
HANDS_ONLY = "a hand record"
FOR_HANDS = "results; put it beside a file of results, under the same name, to show its hands"


def require_whole(event: Event, path: str) -> None:
    """Refuse to score what was not all there to compare with; one board is whole in itself."""
    part = event.facts.get(PARTIAL, "")
    if part in (ONE_PAIR, ONE_TABLE):
        raise FileProblem(
            path,
            f"{part} of each board, which nothing can be compared with",
            "the results of everybody: the event's own file, or its page of all results",
        )
