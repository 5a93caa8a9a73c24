"""The questions a table is asked at once, about results that are hardly possible."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from honours.evening.board_lines import DISPUTED, BoardLine, BoardPlace
from honours.evening.evening import Evening
from honours.model import Event, Seat, Session
from honours.model.cards import SEATS, card_words
from honours.model.message import Message
from honours.scoring.checks import TURNED, suspicions
from honours.scoring.contracts import BOOK, can_be_scored
from honours.scoring.scored import table_score

REOPENED = Message("changed by the table after it was confirmed")
_FAR = 4
"""Results this many tricks away from the contract are queried. The figure is our own; it only
decides what is asked."""
_SUITS = "SHDC"


def questions(evening: Evening, line: BoardLine) -> tuple[Message, ...]:
    """Return what a table is asked about a line, until it says that it is sure: what looks wrong
    with it alone, and that it is so far from those of other tables that its direction may be
    wrong."""
    of_board = _by_board(evening).get(line.place.board, ())
    return _of_board(evening, of_board).questions.get(line.place, ())


def _alone(evening: Evening, line: BoardLine) -> Iterator[Message]:
    result = line.result
    if result.contract and result.tricks is not None:
        away = result.tricks - BOOK - result.contract.level
        if abs(away) >= _FAR:
            yield Message("{tricks:+d} tricks against the contract: is that right?", tricks=away)
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


def doubtful(evening: Evening) -> list[tuple[BoardLine, tuple[Message, ...]]]:
    """Every line that a director should look at, and why."""
    found = [
        (line, why)
        for lines in _by_board(evening).values()
        for line, why in _of_board(evening, lines).lines
        if not _ruled(evening, line)
    ]
    return sorted(found, key=lambda one: one[0].place)


class _BoardDoubts(NamedTuple):
    """The doubts about the lines of a board: what tables are asked, and each line that a director
    should look at. ``of`` is what it was worked out from."""

    of: tuple[object, ...]
    questions: Mapping[BoardPlace, tuple[Message, ...]]
    lines: tuple[tuple[BoardLine, tuple[Message, ...]], ...]


_KEPT_BOARDS, _KEPT_EVENINGS = 5_000, 20
_boards: OrderedDict[tuple[object, ...], _BoardDoubts] = OrderedDict()
"""By the lines themselves, so that only a board at which something was entered is looked at again;
what is kept holds them, and no other can be taken for one."""
_evenings: OrderedDict[int, tuple[Evening, Mapping[int, tuple[BoardLine, ...]]]] = OrderedDict()


def _by_board(evening: Evening) -> Mapping[int, tuple[BoardLine, ...]]:
    """The lines with a result by their boards, gathered once for each state of an evening."""
    known = _evenings.get(id(evening))
    if known is None:
        made: dict[int, list[BoardLine]] = {}
        for place, line in evening.lines.items():
            if line.is_there:
                made.setdefault(place.board, []).append(line)
        known = evening, {board: tuple(lines) for board, lines in made.items()}
        _keep(_evenings, id(evening), known, _KEPT_EVENINGS)
    return known[1]


def _of_board(evening: Evening, lines: tuple[BoardLine, ...]) -> _BoardDoubts:
    if not lines:
        return _BoardDoubts((), {}, ())
    plan, deal = evening.plan, evening.deals.get(lines[0].place.board)
    key = (plan.kind, plan.scoring, id(deal), *map(id, lines))
    known = _boards.get(key)
    if known is None:
        turned = _turned_places(evening, lines)
        asked = {
            line.place: (*_alone(evening, line), *((TURNED,) if line.place in turned else ()))
            for line in lines
            if not line.sure
        }
        why = ((line, (*others_say(line), *asked.get(line.place, ()))) for line in lines)
        known = _BoardDoubts((deal, lines), asked, tuple(one for one in why if one[1]))
        _keep(_boards, key, known, _KEPT_BOARDS)
    return known


def _keep(kept: OrderedDict[Any, Any], key: object, value: object, most: int) -> None:
    with _lock:
        kept[key] = value
        while len(kept) > most:
            kept.popitem(last=False)


_lock = Lock()


def _turned_places(evening: Evening, of_board: Sequence[BoardLine]) -> frozenset[BoardPlace]:
    """The places, among the lines of a board, where the direction may be wrong."""
    plan, results = evening.plan, tuple(one.result for one in of_board)
    bare = Event(plan.title, plan.kind, plan.scoring, (), (Session(1, results),))
    return frozenset(
        BoardPlace(result.round, result.table, result.board)
        for one in suspicions(bare)
        if one.what == TURNED
        for result in one.lines
    )


def _ruled(evening: Evening, line: BoardLine) -> bool:
    """Return whether the director has ruled on a line."""
    pairs = {"+".join(line.ns), "+".join(line.ew)}
    return any(
        words.get("kind") in ("adjust", "correct")
        and str(words.get("board", "")) == str(line.place.board)
        and str(words.get("pair", "")) in pairs
        for words in evening.rulings
    )


def others_say(line: BoardLine) -> Iterator[Message]:
    """Yield what others say of a line, or did to it."""
    if line.rival:
        yield Message("a device says {text}", text=replace(line, text=line.rival).shown)
    elif line.state == DISPUTED:
        yield Message("the other side does not agree")
    if line.reopened:
        yield REOPENED
