"""What a table is asked about at once: results that can be entered but are hardly possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from honours.evening.board_lines import DISPUTED, BoardLine, BoardPlace
from honours.evening.evening import Evening
from honours.model import Event, Seat, Session
from honours.model.cards import SEATS, card_words
from honours.model.message import Message
from honours.scoring.contracts import BOOK, can_be_scored
from honours.scoring.sides import table_score
from honours.scoring.suspect_boards import TURNED, suspicions

REOPENED = Message("changed by the table after it was confirmed")
_FAR = 4
"""Results this many tricks away from the contract are queried. The figure is our own; it only
decides what is asked."""
_SUITS = "SHDC"


def doubts(evening: Evening, line: BoardLine) -> tuple[Message, ...]:
    """What looks wrong with a line on its own."""
    return tuple(_alone(evening, line)) if line.is_there else ()


def _alone(evening: Evening, line: BoardLine) -> Iterator[Message]:
    result = line.result
    if result.contract and result.tricks is not None:
        away = result.tricks - BOOK - result.contract.level
        if abs(away) >= _FAR:
            yield Message("{tricks:+d} tricks against the contract: is that so?", tricks=away)
    score = table_score(result)
    if score is not None and not can_be_scored(score, result.board):
        yield Message("no contract scores {score} on this board", score=score)
    deal = evening.deals.get(result.board)
    if line.lead and result.contract and deal and deal.deal:
        leader = _left_of(result.contract.declarer)
        hand = _hand(deal.deal, leader)
        if hand and line.lead[1] not in hand[_SUITS.index(line.lead[0])]:
            yield Message(
                "{leader} does not hold {card} on board {board}",
                leader=SEATS[leader],
                card=card_words(line.lead),
                board=result.board,
            )


def _hand(deal: str, seat: Seat) -> list[str]:
    """The four suits of a hand in PBN's deal; nothing if it is not known."""
    first, _, hands = deal.partition(":")
    seats, dealt = tuple(Seat), hands.split()
    if first not in seats or len(dealt) != len(seats):
        return []
    suits = dealt[(seats.index(seat) - seats.index(Seat(first))) % 4].split(".")
    return suits if len(suits) == len(_SUITS) else []


def _left_of(seat: Seat) -> Seat:
    seats = tuple(Seat)
    return seats[(seats.index(seat) + 1) % 4]


def looks_turned(evening: Evening, line: BoardLine) -> tuple[Message, ...]:
    """A doubt if the result is so far from those of other tables that its direction may be
    wrong."""
    of_board = [one for p, one in evening.lines.items() if p.board == line.place.board]
    return (TURNED,) if line.place in _turned_places(evening, of_board) else ()


def _turned_places(evening: Evening, of_board: Sequence[BoardLine]) -> frozenset[BoardPlace]:
    """The places, among the lines of a board, where the direction may be wrong."""
    results = tuple(one.result for one in of_board if one.is_there)
    plan = evening.plan
    bare = Event(plan.title, plan.kind, plan.scoring, (), (Session(1, results),))
    return frozenset(
        BoardPlace(result.round, result.table, result.board)
        for one in suspicions(bare)
        if one.what == TURNED
        for result in one.lines
    )


def doubtful(evening: Evening) -> list[tuple[BoardLine, tuple[Message, ...]]]:
    """Every line that a director should look at, and why."""
    of_boards: dict[int, list[BoardLine]] = {}
    for line in evening.lines.values():
        if line.is_there:
            of_boards.setdefault(line.place.board, []).append(line)
    doubts = []
    for lines in of_boards.values():
        places = _turned_places(evening, lines)
        for line in lines:
            why = _why(evening, line, line.place in places)
            if why and not _ruled(evening, line):
                doubts.append((line, why))
    return sorted(doubts, key=lambda one: one[0].place)


def _ruled(evening: Evening, line: BoardLine) -> bool:
    """Whether the director has ruled on a line."""
    pairs = {"+".join(line.ns), "+".join(line.ew)}
    return any(
        words.get("kind") in ("adjust", "correct")
        and str(words.get("board", "")) == str(line.place.board)
        and str(words.get("pair", "")) in pairs
        for words in evening.rulings
    )


def _why(evening: Evening, line: BoardLine, is_turned: bool) -> tuple[Message, ...]:
    disputed: tuple[Message, ...] = ()
    if line.rival:
        disputed = (Message("a device says {text}", text=replace(line, text=line.rival).shown),)
    elif line.state == DISPUTED:
        disputed = (Message("the other side does not agree"),)
    reopened = (REOPENED,) if line.reopened else ()
    if line.sure:
        return (*disputed, *reopened)
    return (*disputed, *reopened, *doubts(evening, line), *((TURNED,) if is_turned else ()))
