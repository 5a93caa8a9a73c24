"""Travellers, deals, personal scorecards and the matrix of entrants against boards, as tables.

What four hands are worth with all cards seen is told by endplay's solver (the extra ``hands``);
without it nothing is shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from honours.engine.numbers import show
from honours.model import Result, Seat
from honours.model.cards import RANKS, SEATS, SUITS
from honours.model.message import Message, joined
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table
from honours.reports.standings import ENTRANT
from honours.rings import has, require
from honours.scoring.contracts import dealer, vulnerable, write_contract, write_tricks
from honours.scoring.matches import MatchBoard, MatchScore, MatchScores, natural_order
from honours.scoring.scored import (
    NOUNS,
    ScoredBoard,
    ScoredEvent,
    ScoredLine,
    Side,
    SideScore,
    comparable,
    entrants,
    table_score,
)
from honours.scoring.standings import Tally, column, decimals
from honours.scoring.standings import shown_score as standing_score

_VULNERABLE = {
    "": Message("nobody"),
    "NS": Message("North-South"),
    "EW": Message("East-West"),
    "NSEW": Message("everybody"),
}
_ORDER = "".join(RANKS)


@dataclass(frozen=True, slots=True)
class Diagram:
    """Seat → a line a suit, its cards as messages; who deals and who is vulnerable."""

    hands: dict[str, tuple[tuple[str, str], ...]]
    caption: Message


def diagram(board: int, deal: str) -> Diagram | None:
    """The diagram of a deal, ``None`` where it is unknown or not a deal."""
    first, colon, cards = deal.strip().partition(":")
    hands = cards.split()
    if not colon or first not in tuple(Seat) or not 1 <= len(hands) <= 4:
        return None
    seats = tuple(Seat)
    start = seats.index(Seat(first))
    shown = {
        str(seats[(start + n) % 4]): _suits(hand) for n, hand in enumerate(hands) if hand != "-"
    }
    caption = Message(
        "Dealer {dealer}, {vulnerable} vulnerable",
        dealer=SEATS[dealer(board)],
        vulnerable=_VULNERABLE[vulnerable(board)],
    )
    return Diagram(shown, caption)


def _suits(hand: str) -> tuple[tuple[str, str], ...]:
    holdings = [*hand.split("."), "", "", ""][:4]
    return tuple((suit, _cards(cards)) for suit, cards in zip(SUITS, holdings, strict=True))


def _cards(cards: str) -> str:
    known = [card for card in cards.upper().replace("10", "T") if card in _ORDER]
    return joined(" ", [RANKS[card] for card in sorted(known, key=_ORDER.index)]) or "–"


# --- double dummy ------------------------------------------------------------------------------


STRAINS = ("NT", "S", "H", "D", "C")
DECLARERS = ("N", "S", "E", "W")
_DOUBLED = {"passed": "", "doubled": "x", "redoubled": "xx"}
_PAR_VULNERABLE = {"": "none", "NS": "ns", "EW": "ew", "NSEW": "both"}


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """``tricks`` has a row a declarer (N, S, E, W), a figure a strain (NT, S, H, D, C); ``par`` are
    contracts with their results (``4S N``, ``=``); ``score`` is what they bring North-South."""

    tricks: tuple[tuple[int, ...], ...]
    par: tuple[tuple[str, str], ...]
    score: int


def solvable() -> bool:
    """True if the solver is there."""
    return has("endplay")


def solve(board: int, deal: str) -> DoubleDummy:
    """Solve a deal of four whole hands: about half a second of computing."""
    require("endplay")
    from endplay.dds import calc_dd_table, par
    from endplay.types import Deal, Denom, Player, Vul

    table = calc_dd_table(Deal(deal))
    denoms = {"NT": Denom.nt, "S": Denom.spades, "H": Denom.hearts}
    denoms |= {"D": Denom.diamonds, "C": Denom.clubs}
    players = {"N": Player.north, "S": Player.south, "E": Player.east, "W": Player.west}
    tricks = tuple(
        tuple(int(table[denoms[strain], players[seat]]) for strain in STRAINS) for seat in DECLARERS
    )
    best = par(table, Vul[_PAR_VULNERABLE[vulnerable(board)]], players[str(dealer(board))])
    return DoubleDummy(tricks, tuple(_contract(one) for one in best), int(best.score))


def _contract(one: object) -> tuple[str, str]:
    """endplay's contract as ours: what was bid by whom, and the result."""
    level, denom = int(one.level), one.denom  # type: ignore[attr-defined]
    if not level:
        return "Pass", ""
    doubled = _DOUBLED[one.penalty.name]  # type: ignore[attr-defined]
    strain = "NT" if denom.name == "nt" else denom.name[0].upper()
    seat = one.declarer.name[0].upper()  # type: ignore[attr-defined]
    result = int(one.result)  # type: ignore[attr-defined]
    return f"{level}{strain}{doubled} {seat}", f"{result:+d}" if result else "="


# --- matches -----------------------------------------------------------------------------------


_CARD = (
    headed("round", Kind.NUMBER),
    headed("against", Kind.CODE),
    headed("board", Kind.NUMBER),
    headed("scores", Kind.CODE),
    headed("points", Kind.NUMBER),
    headed("match", Kind.NUMBER),
)


def board_points(scores: MatchScores) -> dict[int, tuple[Fraction, Fraction]]:
    """The worth of a result's board to North-South's team and to East-West's, by the identity of
    the result: the same board is another one in another match."""
    return {
        id(result): (board.home, board.away)
        if result.ns == (match.home.entrant,)
        else (board.away, board.home)
        for match in scores.matches
        for board in match.boards
        for result in board.results
    }


def match_card(scores: MatchScores, tally: Tally, title: str) -> Table:
    """A team's matches, board by board, and what each was worth."""
    played = list(_boards_of(scores, tally.id))
    figures = column(points for _, _, _, points in played)
    rows: list[tuple[str, ...]] = []
    for (match, against, board, _), shown in zip(played, figures, strict=True):
        last = board is match.boards[-1]
        side = match.side_of(tally.id)
        worth = decimals(side.points) if last and side else ""
        scores_ = Message("{scores}", scores=tuple(_score(result) for result in board.results))
        rows.append((str(match.round), against, str(board.number), scores_, shown, worth))
    rows += _given(scores, tally.id)
    total = Message("Total {points}", points=Decimal(decimals(tally.points)))
    return table("scorecard", _CARD, rows, caption=title, foot=total)


def _boards_of(
    scores: MatchScores, team: str
) -> Iterator[tuple[MatchScore, str, MatchBoard, Fraction]]:
    for match in scores.matches:
        if match.side_of(team) is not None:
            home = match.home.entrant == team
            against = (match.away if home else match.home).entrant
            for board in match.boards:
                yield match, against, board, board.home if home else board.away


def _given(scores: MatchScores, team: str) -> list[tuple[str, ...]]:
    """Matches of which the boards are not known, and byes."""
    rows: list[tuple[str, ...]] = []
    for match in scores.matches:
        side = match.side_of(team)
        if side is not None and not match.boards:
            against = (match.away if side is match.home else match.home).entrant
            rows.append((str(match.round), against, "", "", "", decimals(side.points)))
    byes = [bye for bye in scores.byes if bye.entrant == team]
    return rows + [
        (str(bye.round), Message("bye"), "", "", "", decimals(bye.points)) for bye in byes
    ]


def _score(result: Result) -> str:
    score = table_score(result)
    return Message("ruling") if result.adjusted is not None or score is None else str(score)


def match_cells(scores: MatchScores, session: int) -> dict[tuple[str, int], str]:
    """Every team's points by board; a number it met in several rounds has them all."""
    shares_of: dict[int, list[tuple[str, Fraction]]] = {}
    for match in scores.matches:
        for board in match.boards if match.session == session else ():
            both = ((match.home.entrant, board.home), (match.away.entrant, board.away))
            shares_of.setdefault(board.number, []).extend(both)
    cells: dict[tuple[str, int], str] = {}
    for number, shares in shares_of.items():
        for (team, _), shown in zip(shares, column(x for _, x in shares), strict=True):
            before = cells.get((team, number))
            cells[team, number] = f"{before}/{shown}" if before else shown
    return cells


# --- pairs -------------------------------------------------------------------------------------


_CONTRACT = (
    headed("contract", Kind.CARDS),
    headed("result", Kind.CODE),
)
_SCORE = headed("score", Kind.NUMBER)
_TRAVELLER = (
    Column("ns", Message("NS"), Kind.CODE),
    Column("ew", Message("EW"), Kind.CODE),
    *_CONTRACT,
    headed("lead", Kind.CARDS),
    _SCORE,
    Column("ns points", Message("NS points"), Kind.NUMBER),
    Column("ew points", Message("EW points"), Kind.NUMBER),
    headed("remark"),
)
_SCORECARD = (
    headed("board", Kind.NUMBER),
    headed("side", Kind.CODE),
    headed("against", Kind.CODE),
    *_CONTRACT,
    _SCORE,
    headed("points", Kind.NUMBER),
    Column("%", "%", Kind.SHARE),
)
_SIDES = {Side.NS: Message("NS"), Side.EW: Message("EW")}
_HOW = {
    "simplified": Message("simplified"),
    "small group": Message("small group"),
    "artificial": Message("artificial"),
    "lone score": Message("lone score"),
}
"""By what rule a side has its points, where that is not the usual one."""


# --- travellers ---------------------------------------------------------------------------------


_KEPT = 16
_kept: OrderedDict[int, tuple[ScoredEvent, tuple[Table, ...]]] = OrderedDict()
"""The tables of events that were shown last, by the events themselves, which are kept with them."""


def travellers(scored: ScoredEvent) -> tuple[Table, ...]:
    """A table for every board, the best North-South score first."""
    known = _kept.get(id(scored))
    if known is None:
        known = _kept[id(scored)] = scored, _travellers(scored)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return known[1]


def _travellers(scored: ScoredEvent) -> tuple[Table, ...]:
    won = board_points(scored.matches) if scored.matches and not scored.imps else {}
    sessions = len(scored.event.sessions) > 1
    return tuple(
        _traveller(board, board_key(scored, board), sessions, won) for board in scored.boards
    )


def _traveller(
    board: ScoredBoard, key: str, sessions: bool, won: Mapping[int, tuple[Fraction, Fraction]]
) -> Table:
    """``won`` is what boards were worth to teams, which are not compared with the field."""
    ordered = sorted(board.lines, key=_score_order)
    title = [Message("board {board}", board=board.number)]
    title += [Message("section {section}", section=board.section)] if board.section else []
    title += [Message("session {session}", session=board.session)] if sessions else []
    points = _shown_points(
        [points_of_side for line in ordered for points_of_side in _both(line, won)]
    )
    cells = zip(ordered, points[::2], points[1::2], strict=True)
    rows = [_traveller_row(line, _line_of(key, board, line), ns, ew) for line, ns, ew in cells]
    return table(f"board-{board.number}", _TRAVELLER, rows, caption=joined(", ", title))


def _score_order(line: ScoredLine) -> tuple[str, bool, int]:
    score = table_score(line.result)
    ruled = line.result.adjusted is not None or score is None
    return line.result.version, ruled, -(score or 0)


def _both(
    line: ScoredLine, won: Mapping[int, tuple[Fraction, Fraction]]
) -> tuple[list[Fraction], list[Fraction]]:
    """The score of each side of a line: two figures where partners of an individual differ."""
    if id(line.result) in won:
        ns, ew = won[id(line.result)]
        return [ns], [ew]
    return _got(line.ns, line.result.ns), _got(line.ew, line.result.ew)


def _got(side: SideScore | None, who: Sequence[str]) -> list[Fraction]:
    return [] if side is None else [side.points_of(one) for one in who]


def _line_of(key: str, board: ScoredBoard, line: ScoredLine) -> str:
    """The key of a line of a board: its number, as a team has two lines of a board."""
    number = next(n for n, one in enumerate(board.lines, start=1) if one is line)
    return f"line-{key}-{number}"


def _traveller_row(
    line: ScoredLine, anchor: str, ns_points: str, ew_points: str
) -> tuple[Cell | str, ...]:
    """A line of a traveller; whoever played it leads to their card, which leads to it."""
    result = line.result
    return (
        replace(_entrant(result.ns), anchor=anchor),
        _entrant(result.ew),
        *_contract_and_result(result),
        result.lead,
        shown_score(result, Side.NS),
        ns_points,
        ew_points,
        _remark(line),
    )


def _entrant(ids: Sequence[str]) -> Cell:
    """The entrants in a seat; one entrant leads to its card, partners of an individual to none."""
    link = Link("scorecard", ids[0]) if len(ids) == 1 else None
    return Cell("+".join(ids), link=link)


def with_names(table: Table, names: Mapping[str, str]) -> Table:
    """The table with the names of the pairs beside their numbers."""
    who = [i for i, one in enumerate(table.columns) if one.key in ("ns", "ew", "against", "pair")]
    rows = (
        tuple(
            replace(cell, note=names.get(cell.text, "")) if i in who else cell
            for i, cell in enumerate(row)
        )
        for row in table.rows
    )
    columns = (replace(c, right=False) if i in who else c for i, c in enumerate(table.columns))
    return replace(table, columns=tuple(columns), rows=tuple(rows))


def names_of(scored: ScoredEvent) -> dict[str, str]:
    """The names of entrants, where that is more than their number."""
    every = (tally.entrant.entrant for tally in scored.tallies)
    return {one.id: one.title for one in every if one.title != one.id}


def in_order(scored: ScoredEvent) -> tuple[str, ...]:
    """The entrants in the order of their numbers, as people look for them."""
    return tuple(sorted((tally.id for tally in scored.tallies), key=natural_order))


def board_key(scored: ScoredEvent, board: ScoredBoard) -> str:
    """A board's name in addresses: its number, with section and session where those of several are
    scored apart."""
    alike = sum(one.number == board.number for one in scored.boards)
    if alike == 1:
        return str(board.number)
    return "-".join(str(part) for part in (board.session, board.section, board.number) if part)


def _contract_and_result(result: Result) -> tuple[str, str]:
    if result.passed_out:
        return Message("Pass"), ""
    if result.contract is None:
        return "", ""
    made = "" if result.tricks is None else write_tricks(result.contract, result.tricks)
    return write_contract(result.contract), made


def shown_score(result: Result, side: Side) -> str:
    """The side's own score, ``ruling`` where it is not one number, ``-`` where there is none."""
    own = comparable(result, side)
    if own is not None and len(own) == 1:
        return str(own[0][1])
    return "-" if result.adjusted is None else Message("ruling")


def _shown_points(sides: Sequence[Sequence[Fraction]]) -> list[str]:
    """The scores of every side, with as many decimals for all."""
    figures = iter(column(value for side in sides for value in side))
    return ["/".join(dict.fromkeys(next(figures) for _ in side)) or "-" for side in sides]


def _remark(line: ScoredLine) -> str:
    version = line.result.version
    parts: list[str] = [Message("version {version}", version=version)] if version else []
    hows = dict.fromkeys(side.how for _, _, side in line.shares())
    parts += [_HOW[how] for how in hows if how in _HOW]
    return joined(", ", [*parts, *([line.result.remark] if line.result.remark else [])])


# --- scorecards -----------------------------------------------------------------------------------


def scorecards(scored: ScoredEvent) -> tuple[Table, ...]:
    """A table for every entrant: its boards in order, and its total."""
    return tuple(scorecard(scored, one) for one in in_order(scored))


def scorecard(scored: ScoredEvent, entrant: str) -> Table:
    """An entrant's boards in order, and its total."""
    tally = next(t for t in scored.tallies if t.id == entrant)
    named = _whose(entrant, tally.entrant.entrant.title, scored.event.kind)
    if scored.matches:
        return match_card(scored.matches, tally, named)
    lines = list(scored.lines_of(entrant))
    points = column(score.points_of(entrant) for _, _, _, score in lines)
    rows = tuple(
        (
            Cell(one[0].number, link=_board_of(board_key(scored, one[0]), one[0], one[1])),
            *_scorecard_row(entrant, shown, *one),
        )
        for shown, one in zip(points, lines, strict=True)
    )
    total = Message("Total {points}", points=Decimal(column([tally.points])[0]))
    if tally.possible:
        total = Message(
            "{total} of {possible}: {percent}%",
            total=total,
            possible=Decimal(show(tally.possible)),
            percent=Decimal(decimals(tally.score)),
        )
    return table("scorecard", _SCORECARD, rows, caption=named, foot=total)


def _board_of(key: str, board: ScoredBoard, line: ScoredLine) -> Link:
    return Link("board", key, _line_of(key, board, line))


def _whose(entrant: str, title: str, kind: str) -> str:
    if title != entrant:
        return f"{entrant}: {title}"
    return Message("{noun} {name}", noun=ENTRANT.get(kind, Message("entrant")), name=entrant)


def _scorecard_row(
    entrant: str, shown: str, _board: ScoredBoard, line: ScoredLine, side: Side, score: SideScore
) -> tuple[Cell | str, ...]:
    against = entrants(line.result, Side.EW if side is Side.NS else Side.NS)
    points = score.points_of(entrant)
    return (
        _SIDES[side],
        _entrant(against),
        *_contract_and_result(line.result),
        shown_score(line.result, side),
        shown,
        decimals(100 * points / score.top) if score.top else "",
    )


class EntrantPlace(NamedTuple):
    """An entrant's place in a list, of how many, and with what score as shown."""

    list: str
    place: str
    of: int
    score: str


def places_of(scored: ScoredEvent, entrant: str) -> list[EntrantPlace]:
    """An entrant's place in every list it is in."""
    possible = any(tally.possible for tally in scored.tallies if tally.id == entrant)
    return [
        EntrantPlace(
            ranking.title,
            standing.placing,
            len(ranking.standings),
            standing_score(standing) + ("%" if possible else ""),
        )
        for ranking in scored.rankings
        for standing in (*ranking.standings, *ranking.unranked)
        if standing.entrant.id == entrant
    ]


# --- the matrix ---------------------------------------------------------------------------------


def matrix(scored: ScoredEvent) -> tuple[Table, ...]:
    """Entrants down, boards across, points inside; a table for each session."""
    return tuple(_matrix(scored, session.number) for session in scored.event.sessions)


def _matrix(scored: ScoredEvent, session: int) -> Table:
    numbers = sorted({b.number for b in scored.boards if b.session == session})
    if scored.matches and scored.event.kind == "teams":
        cells = match_cells(scored.matches, session)
    else:
        cells = _cells(scored, session)
    score = {tally.id: decimals(tally.score) for tally in scored.tallies}
    rows: list[tuple[Cell | str, ...]] = [
        (_entrant((one,)), *(cells.get((one, n), "") for n in numbers), score[one])
        for one in in_order(scored)
    ]
    several = len(scored.event.sessions) > 1
    columns = (
        Column(
            NOUNS.get(scored.event.kind, "entrant"),
            ENTRANT.get(scored.event.kind, Message("entrant")),
            Kind.CODE,
        ),
        *(Column(str(number), str(number), Kind.NUMBER) for number in numbers),
        _SCORE,
    )
    title = Message("session {session}", session=session) if several else ""
    return table("matrix", columns, rows, caption=title)


def _cells(scored: ScoredEvent, session: int) -> dict[tuple[str, int], str]:
    """Every entrant's points by board, with as many decimals down a board's column."""
    cells: dict[tuple[str, int], str] = {}
    for board in scored.boards:
        if board.session == session:
            shares = [(who, score) for line in board.lines for who, _, score in line.shares()]
            figures = column(score.points_of(who) for who, score in shares)
            keys = ((who, board.number) for who, _ in shares)
            cells |= dict(zip(keys, figures, strict=True))
    return cells
