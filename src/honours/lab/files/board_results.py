"""The results of an event as a corpus holds them: plain scores, which its scoring can redo.

Rulings, penalties, fouled boards and other methods of scoring are left to the exact scorer, which
made the standings. For an event with any of these, a corpus holds no boards rather than some.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from honours.model.message import Message, mark, word

if TYPE_CHECKING:
    from honours.model import Event, Result
    from honours.scoring import ScoredEvent

Row = dict[str, int]

_MOST_BOARDS = 256
_LARGEST = 2**15


def plain_results(scored: ScoredEvent, index: Mapping[str, int]) -> tuple[list[Row], str]:
    """Every result by the number of its board throughout the event; or none, and the reason."""
    event = scored.event
    why = _not_plain(event, index)
    if why:
        return [], why
    played = sorted(
        (session.number, r.board, index[r.ns[0]], index[r.ew[0]], r.score)
        for session in event.sessions
        for r in session.results
        if r.score is not None
    )
    boards = {key: k for k, key in enumerate(dict.fromkeys(row[:2] for row in played))}
    if len(boards) > _MOST_BOARDS:
        return [], Message(
            "{boards} boards; a corpus numbers {most} in an event",
            boards=len(boards),
            most=_MOST_BOARDS,
        )
    return [
        {"board": boards[session, board], "ns": ns, "ew": ew, "score": score}
        for session, board, ns, ew, score in played
    ], ""


def _not_plain(event: Event, index: Mapping[str, int]) -> str:
    """Why an event cannot be scored from plain scores alone; empty if it can."""
    results = [r for session in event.sessions for r in session.results]
    if not results:
        return Message("it has no boards")
    if event.scoring != "matchpoints" or event.swiss:
        template = (
            mark("it is scored by {scoring} in matches")
            if event.swiss
            else mark("it is scored by {scoring}")
        )
        return Message(template, scoring=word(event.scoring))
    if ", " in str(event.facts.get("compared", "")):
        return Message("it compares some of its sections apart")
    if any(session.penalties for session in event.sessions):
        return Message("it has penalties")
    if any(e.carried for e in event.entrants):
        return Message("it has a carry-over")
    if any(r.adjusted for r in results):
        return Message("it has adjusted scores")
    if any(r.version for r in results):
        return Message("it has a fouled board")
    if not all(_is_plain(r, index) for r in results if r.score is not None):
        return Message("it has sides of two entrants, or of none")
    if len({size for session in event.sessions for size in _fullest(session.results)}) > 1:
        return Message("its sessions differ in size, or its fullest board was not played by all")
    return ""


def _is_plain(result: Result, index: Mapping[str, int]) -> bool:
    one_each = len(result.ns) == len(result.ew) == 1
    known = one_each and result.ns[0] in index and result.ew[0] in index
    return known and result.score is not None and abs(result.score) < _LARGEST


def _fullest(results: tuple[Result, ...]) -> tuple[int, int]:
    """The most results on one board, counting all lines and counting only those played; scores
    are factored to these."""
    lines = Counter(r.board for r in results)
    played = Counter(r.board for r in results if r.score is not None)
    return max(lines.values(), default=0), max(played.values(), default=0)
