"""The boards that somebody who plays may not see yet: those they have still to play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from honours.evening.acts import has_moved_on
from honours.evening.board_lines import BoardPlace
from honours.evening.evening import Evening
from honours.scoring.scored import is_played


def to_be_played(evening: Evening, who: str) -> frozenset[int]:
    """The boards that an entrant has still to play; none when play has ended."""
    if evening.ended or not who:
        return frozenset()
    return frozenset(
        place.board
        for place, seats in evening.places()
        if who in seats.entrants and ((line := evening.line(place)) is None or not line.is_settled)
    )


def hidden_from(evening: Evening, person: str) -> frozenset[int]:
    """The boards that a director or scorer may not see, because they play themselves."""
    return to_be_played(evening, evening.plan.playing.get(person, ""))


def may_have_codes(evening: Evening, person: str) -> bool:
    """Return whether somebody may see the tables' codes. A code shows what its table sees, so a
    person who plays gets the codes only before the first result."""
    begun = any(line.is_there for line in evening.lines.values())
    return not (begun and hidden_from(evening, person))


def seen_by(evening: Evening, person: str) -> Evening:
    """The evening without what a person may not see: results and hands of the boards they have
    still to play, and rulings on those boards."""
    hidden = hidden_from(evening, person)
    if not hidden:
        return evening
    return replace(
        evening,
        lines={place: line for place, line in evening.lines.items() if place.board not in hidden},
        deals={number: deal for number, deal in evening.deals.items() if number not in hidden},
        rulings=tuple(words for words in evening.rulings if board_ruled_on(words) not in hidden),
    )


def board_ruled_on(words: Mapping[str, object]) -> int:
    """The board that a ruling is about, however it was written; 0 if none."""
    text = str(words.get("board", "")).strip()
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def may_see_board(evening: Evening, table: int, board: int) -> bool:
    """Return whether a table may see what others made of a board, and its hands: when it has played
    it and confirmed its own result, in the round that it is at, and nobody else sits there yet."""
    for number in range(len(evening.rounds), 0, -1):
        line = evening.line(BoardPlace(number, table, board))
        if line is not None:
            played = line.is_settled and is_played(line.result)
            return played and _is_at(evening, number, table)
    return False


def _is_at(evening: Evening, number: int, table: int) -> bool:
    """Return whether a round is the one a table is at: what came before is entered, what comes
    after is not, and the director has not begun another."""
    before = (
        BoardPlace(earlier, table, board)
        for earlier in range(1, number)
        for seats in evening.at_table(earlier, table)
        if seats.is_played
        for board in seats.boards
    )
    begun = not evening.started or number <= evening.current
    return begun and not has_moved_on(evening, number, table) and all(map(evening.line, before))
