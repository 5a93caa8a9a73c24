"""Pages that hold only part of an event: they can be shown, and a part is not scored as the
whole."""

from __future__ import annotations

from pathlib import Path

from honours.errors import FileProblem
from honours.model import Event
from honours.model.message import Message, plural

PARTIAL = "part"
"""The fact that says which part of an event a file has."""
ONE_PAIR = "one pair's results"
ONE_BOARD = "one board"
ONE_TABLE = "one table's results"
_FOR_HANDS = Message(
    "results; put it beside a file of results, under the same name, to show its hands"
)
WORDS = {
    ONE_PAIR: Message("one pair's results"),
    ONE_BOARD: Message("one board"),
    ONE_TABLE: Message("one table's results"),
}


def require_whole(event: Event, path: str) -> None:
    """Refuse to score a part without the results it would be compared with; one board is whole in
    itself."""
    part = str(event.facts.get(PARTIAL, ""))
    if part in (ONE_PAIR, ONE_TABLE):
        raise FileProblem(
            path,
            "{part} of each board, which nothing can be compared with",
            "the results of everybody: the event's own file, or its page of all results",
            part=WORDS[part],
        )


def require_every_board(event: Event, path: str) -> None:
    """Refuse to award one board of an event as if it were the event."""
    if event.facts.get(PARTIAL) == ONE_BOARD:
        raise FileProblem(
            path,
            "one board of an event, which can be scored; awards are for the whole of it",
            "the results of every board: the event's own file, or its page of all results",
        )


def hand_record_alone(path: str | Path, kind: str, boards: int) -> FileProblem:
    """The problem to report where a hand record is asked for results."""
    fault = plural(
        "a hand record ({kind}): {count:,} board, and no results",
        "a hand record ({kind}): {count:,} boards, and no results",
        count=boards,
        kind=kind,
    )
    return FileProblem(path, fault, _FOR_HANDS)
