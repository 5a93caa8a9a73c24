"""LIN, the notation of Bridge Base Online: boards at one table, or a match in two rooms.

A text is words separated by ``|``, a name and a value in turn: ``pn`` the players from South,
``md`` the dealer and the hands, ``mb`` calls, ``pc`` cards, ``mc`` the tricks claimed, ``zz`` the
score, ``vg`` and ``rs`` the head and the results of a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.entrants import NamedPairs
from honours.formats.format import Format, lines
from honours.formats.notation import (
    by_letters,
    deal_of,
    read_outcome,
    with_the_fourth,
)
from honours.formats.reading import (
    MEGABYTE,
    ONE_TABLE,
    PARTIAL,
    Problems,
    hand_record_alone,
    read_text,
    stops_short,
)
from honours.formats.sheet import figures, parse_number
from honours.model import (
    Board,
    Contract,
    Denomination,
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Seat,
    Session,
    Source,
    Value,
)
from honours.model.message import Message

LARGEST = 64 * MEGABYTE
_SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of players and hands; a dealer of 1 is South."""
_KNOWN = {"pn", "md", "qx", "vg", "rs", "mb", "pc", "mc", "st", "rh", "ah", "sv", "an", "pg", "nt"}
_CALL = re.compile(r"([1-7])(N|NT|[SHDC])", re.IGNORECASE)
_RANKS = "23456789TJQKA"
_BOARD = re.compile(r"[a-z]?(\d{1,4})", re.IGNORECASE)


@dataclass(slots=True)
class Deal:
    """One board at one table, as a LIN tells it."""

    number: int = 0
    room: str = ""
    players: tuple[str, ...] = ()
    dealer: int = 0
    hands: tuple[str, ...] = ()
    calls: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    claimed: int | None = None
    score: str = ""

    @property
    def deal(self) -> str:
        """PBN's deal from North; empty unless it is one."""
        if len(self.hands) != 4:
            return ""
        south, west, north, east = with_the_fourth(self.hands)
        return deal_of([north, east, south, west])


def is_lin(lines: Sequence[str]) -> bool:
    """True if a text begins with a name of LIN and its value."""
    words = "".join(line.strip() for line in lines[:3])[:20_000].split("|")[:12]
    names = [word.strip().lower() for word in words[::2] if word.strip()]
    return len(words) > 2 and names[:1] != [] and all(name in _KNOWN for name in names[:3])


def read_lin(path: str | Path) -> Event:
    """Read the results of a LIN file; FileProblems lists all that is wrong in them."""
    text = read_text(path, LARGEST)
    head = dict(_pairs(text, {"vg", "rs"}))
    deals = list(parse_lin(text))
    if "vg" in head and head.get("rs", "").strip(", "):
        event = _Match(str(path), head, deals).event()
    else:
        event = _table(str(path), deals)
    doubts = list(stops_short(event))
    dealt, played = {deal.number for deal in deals}, {r.board for r in event.sessions[0].results}
    if dealt and played - dealt:
        doubts.append(Message("board {board} has a result and no deal", board=max(played - dealt)))
    if not text.rstrip().endswith("pg||") or not all(map(is_over, deals[-1:])):
        last = text.rstrip()[-40:]
        doubts.append(Message("it ends in the middle of a board: {last!r}", last=last))
    return replace(event, doubts=tuple(doubts))


def hands_of_lin(path: str | Path) -> tuple[Board, ...]:
    """The deals of a LIN file."""
    return _boards(list(parse_lin(read_text(path, LARGEST))))


# --- the text ---------------------------------------------------------------------------------


def _pairs(text: str, wanted: set[str] | None = None) -> Iterator[tuple[str, str]]:
    words = text.replace("\r", "").split("|")
    for name, value in zip(words[::2], words[1::2], strict=False):
        if wanted is None or name.strip().lower() in wanted:
            yield name.strip().lower(), value


def parse_lin(text: str) -> Iterator[Deal]:
    """The boards of a text; the players are named once and stay until others are named."""
    deal = Deal()
    players: tuple[str, ...] = ()
    for name, value in _pairs(text):
        if name == "qx" or (name == "md" and deal.hands):
            if deal.hands:
                yield deal
            deal = Deal(players=players)
        if name == "qx":
            deal.room, deal.number = value[:1].lower(), _board_number(value)
        elif name == "pn":
            deal.players = players = tuple(_named(word) for word in value.split(","))
        elif name == "ah":
            deal.number = _board_number(value.lower().removeprefix("board").strip())
        else:
            _take(deal, name, value.strip())
    if deal.hands:
        yield deal


def _named(word: str) -> str:
    return word.strip().rstrip("#").strip()


def _board_number(word: str) -> int:
    match = _BOARD.fullmatch(word.strip())
    return int(match[1]) if match else 0


def _take(deal: Deal, name: str, value: str) -> None:
    """Put a word's value into the board it belongs to."""
    if name == "md" and value[:1] in ("1", "2", "3", "4"):
        deal.dealer = int(value[0]) - 1
        hands = [by_letters(hand) for hand in value[1:].split(",")[:4]]
        deal.hands = tuple([*hands, "", "", ""][:4])
    elif name == "mb":
        deal.calls.append(value.rstrip("!").upper())
    elif name == "pc" and len(value) == 2:
        deal.cards.append(value.upper())
    elif name == "mc" and value.isdecimal() and len(value) < 3:
        deal.claimed = int(value)
    elif name == "zz":
        deal.score = value


# --- what happened ----------------------------------------------------------------------------


def contract_of(deal: Deal) -> Contract | None:
    """The contract of an auction; ``None`` if it was passed out or the auction is missing."""
    last: tuple[int, str] | None = None
    doubled, side = 0, 0
    first: dict[tuple[int, str], int] = {}
    for n, call in enumerate(deal.calls):
        seat = (deal.dealer + n) % 4
        if match := _CALL.fullmatch(call):
            last, doubled, side = (int(match[1]), match[2][0].upper()), 0, seat % 2
            first.setdefault((side, last[1]), seat)
        elif call in ("D", "DBL", "X"):
            doubled = 1
        elif call in ("R", "RDBL", "XX"):
            doubled = 2
    if last is None:
        return None
    declarer = _SEATS[first[side, last[1]]]
    return Contract(last[0], Denomination(last[1]), declarer, doubled)


def tricks_of(deal: Deal, contract: Contract) -> int | None:
    """Declarer's tricks: as claimed, or counted from the cards; ``None`` if neither is there."""
    if deal.claimed is not None:
        return deal.claimed if deal.claimed <= 13 else None
    if len(deal.cards) < 52:
        return None
    trumps = contract.denomination.value
    declarer = _SEATS.index(contract.declarer)
    leader, won = (declarer + 1) % 4, 0
    for at in range(0, 52, 4):
        trick = deal.cards[at : at + 4]
        strengths = [_strength(card, trick[0][0], trumps) for card in trick]
        leader = (leader + strengths.index(max(strengths))) % 4
        won += leader % 2 == declarer % 2
    return won


def _strength(card: str, led: str, trumps: str) -> tuple[bool, bool, int]:
    return card[0] == trumps, card[0] == led, _RANKS.find(card[1])


def _passed(deal: Deal) -> bool:
    return len(deal.calls) >= 4 and all(call in ("P", "PASS") for call in deal.calls)


def is_over(deal: Deal) -> bool:
    """True if a board is told to its end: passed out, claimed, or with all its cards."""
    return _passed(deal) or deal.claimed is not None or len(deal.cards) == 52


def outcome(deal: Deal) -> tuple[Contract | None, int | None, bool]:
    """Contract, tricks, and whether it was passed out."""
    contract = contract_of(deal)
    if contract is None:
        return None, None, _passed(deal)
    return contract, tricks_of(deal, contract), False


def _boards(deals: Sequence[Deal]) -> tuple[Board, ...]:
    known = {d.number: d.deal for d in reversed(deals) if d.number and d.deal}
    return tuple(Board(number, known[number]) for number in sorted(known))


def _result(path: str, deal: Deal, pairs: NamedPairs) -> Result:
    """A board's result between the pairs of its four players."""
    south, west, north, east = deal.players
    contract, tricks, passed = outcome(deal)
    return Result(
        deal.number,
        (pairs.of(north, south),),
        (pairs.of(east, west),),
        score=0 if passed else None,
        contract=contract if tricks is not None else None,
        tricks=tricks,
        passed_out=passed,
        remark="" if tricks is not None or passed else "the play is not told to its end",
        published=_published(path, deal.score),
        source=Source(path),
    )


def _published(path: str, score: str) -> dict[str, Value]:
    """The percentage or IMPs that the file has for a board."""
    if not score:
        return {}
    kind = "percentage" if score.endswith("%") else "imps"
    problems = Problems(path)
    published = figures(problems, [(f"ns_{kind}", score)])
    problems.settle()
    return published


def _table(path: str, deals: Sequence[Deal]) -> Event:
    """The boards one player met, each with one result."""
    played = [deal for deal in deals if deal.calls and deal.number and len(deal.players) == 4]
    if not played:
        raise hand_record_alone(path, "LIN", len(deals))
    pairs = NamedPairs()
    results = [_result(path, deal, pairs) for deal in played]
    percent = any("ns_percentage" in result.published for result in results)
    return Event(
        title=Path(path).stem,
        kind="pairs",
        scoring="matchpoints" if percent else "cross-imps",
        entrants=pairs.entrants(),
        sessions=(Session(1, tuple(results), boards=_boards(deals)),),
        winners=1,
        program="Bridge Base Online",
        facts={PARTIAL: ONE_TABLE},
        source=Source(path),
    )


# --- a match in two rooms ---------------------------------------------------------------------


class _Match:
    """A vugraph file: ``vg`` title, segment, scoring, first and last board, the teams with what
    they carry; ``rs`` every board's results in the open and the closed room."""

    def __init__(self, path: str, head: dict[str, str], deals: Sequence[Deal]) -> None:
        self._path, self._deals = path, deals
        self._problems = Problems(path)
        self._head = [word.strip() for word in head["vg"].replace("\n", " ").split(",")]
        self._results = [word.strip() for word in head["rs"].replace("\n", "").split(",")]
        if len(self._head) < 8:
            raise FileProblem(path, "a match headed {vg!r}", "two teams in vg", vg=head["vg"][:60])

    def event(self) -> Event:
        title, segment, scoring, first, _, home, own, away, *rest = [*self._head, ""]
        known = {"I": "imps", "B": "board-a-match"}
        if scoring.upper() not in known:
            raise FileProblem(
                self._path, "a vugraph scored by {scoring!r}", "I or B: a match", scoring=scoring
            )
        if not first.isdecimal() or len(first) > 4:
            raise FileProblem(self._path, "first board {first!r}", "a number", first=first)
        names = self._players()
        results = tuple(self._lines(int(first)))
        self._problems.settle()
        if not results:
            raise FileProblem(self._path, "no results in it", "results in rs")
        carried = [
            (self._problems.attempt(0, parse_number, text) or Fraction(0) if text else Fraction(0))
            for text in (own, rest[0] if rest else "")
        ]
        self._problems.settle()
        return Event(
            title=f"{title}, {segment}".strip(", ") or Path(self._path).stem,
            kind="teams",
            scoring=known[scoring.upper()],
            entrants=tuple(
                EventEntrant(
                    Entrant(id_, tuple(map(Player, names[n])), name or f"Team {id_}"),
                    id_,
                    # In IMPs, which a match of so many boards alone does not turn into points.
                    published={"carried_imps": carried[n]},
                )
                for n, (id_, name) in enumerate((("1", home), ("2", away)))
            ),
            sessions=(Session(1, results, boards=_boards(self._deals)),),
            program="Bridge Base Online",
            source=Source(self._path),
        )

    def _players(self) -> tuple[list[str], list[str]]:
        """The home team sits North-South in the open room, East-West in the closed one."""
        listed = next((d.players for d in self._deals if len(d.players) == 8), ())
        if not listed:
            return [], []
        south, west, north, east, south2, west2, north2, east2 = listed
        return [north, south, east2, west2], [east, west, north2, south2]

    def _lines(self, first: int) -> Iterator[Result]:
        """The results of both rooms, the open one first."""
        for n, text in enumerate(self._results):
            if not text:
                continue
            board, closed = first + n // 2, n % 2
            sides = ("2", "1") if closed else ("1", "2")
            bare = Result(
                board,
                (sides[0],),
                (sides[1],),
                table=closed + 1,
                round=1,
                source=Source(self._path),
            )
            made = self._problems.attempt(0, partial(result_of, bare=bare), text)
            if made is not None:
                yield made


def result_of(text: str, bare: Result) -> Result:
    """A result as BBO writes it: ``4SWx-4``, ``3NN+3``, ``PASS``, ``A+``, ``A=-``. Where the score
    stands beside it, the contract need not say how it ended, and may be left out (``---``)."""
    return read_outcome(bare, text if text.strip("-– ") else "")


FORMATS = (Format("lin", "LIN file of Bridge Base Online", lines(is_lin), read_lin),)
