"""Why a team has its victory points: a match board by board, and a total match by match."""

from __future__ import annotations

from honours.engine.numbers import show
from honours.errors import UnknownName
from honours.model import Citation, Result, Step
from honours.model.message import Message
from honours.scoring.imp_why import summed_up
from honours.scoring.match_totals import MatchScores, off_total
from honours.scoring.matches import MatchBoard, MatchRules, MatchScore, MatchSide, MatchUnit
from honours.scoring.rounding import decimals
from honours.scoring.sides import table_score

_MARGINS = {
    MatchUnit.IMPS: Message("the IMPs of its boards, added up"),
    MatchUnit.BOARDS: Message("boards won and half of those tied, above half of all"),
    MatchUnit.PERCENT: Message("the mean percentage of its boards, above 50"),
}
_HOW = {"fouled": Message("fouled"), "ruling": Message("ruling")}


def _side(match: MatchScore, side: MatchSide, rules: MatchRules) -> Step:
    """What the match is worth to a side, and how its margin came about."""
    other = match.away if side is match.home else match.home
    margin = _margin(match, side)
    scaled: tuple[Step, ...] = ()
    if rules.scale is not None and match.boards:
        scaled = (rules.scale.why(side.lead - side.penalty, match.length),)
    return Step(
        Message(
            "round {round}, {team} v {other}",
            round=match.round,
            team=side.entrant,
            other=other.entrant,
        ),
        side.points,
        decimals(side.points),
        "rule",
        formula=Message("the margin on the scale")
        if rules.scale
        else Message("what its boards add up to"),
        working=f"{show(side.lead)}{f' − {show(side.penalty)}' if side.penalty else ''}",
        uses=(margin, *scaled),
    )


def _margin(match: MatchScore, side: MatchSide) -> Step:
    home = side is match.home
    return Step(
        Message("margin") if side.known else Message("difference in victory points"),
        side.lead,
        show(side.lead),
        "aggregate" if match.boards else "input",
        formula=_MARGINS[match.unit] if match.boards else Message("as the file gives it"),
        citation=Citation("IMP scale") if match.unit is MatchUnit.IMPS and match.boards else None,
        uses=tuple(_board(board, home) for board in match.boards),
    )


def _board(board: MatchBoard, home: bool) -> Step:
    scores = [table_score(result) for result in board.results]
    at_tables = tuple(Message("ruling") if score is None else str(score) for score in scores)
    worth = board.home if home else board.away
    about = Message("scores {scores}", scores=at_tables)
    if board.how:
        about = Message("{scores} ({how})", scores=about, how=_HOW[board.how])
    named = Message("board {board}", board=board.number)
    return Step(named, worth, show(worth), "rule", about)


def explain_board(scores: MatchScores, number: int) -> tuple[Step, ...]:
    """A board in every match of teams that played it: who sat where, and what it was worth."""
    return tuple(
        _board_in_match(match, board)
        for match in scores.matches
        for board in match.boards
        if board.number == number
    )


def _board_in_match(match: MatchScore, board: MatchBoard) -> Step:
    home, away = match.home.entrant, match.away.entrant
    return Step(
        Message(
            "board {board}, round {round}, {team} v {other}",
            board=board.number,
            round=match.round,
            team=home,
            other=away,
        ),
        board.home,
        show(board.home),
        "rule",
        about=_HOW[board.how] if board.how else "",
        formula=Message("the board for what a team scored at its tables together")
        if match.unit is MatchUnit.BOARDS
        else Message("IMPs for what a team scored at its tables together"),
        working=f"{home} {show(board.home)}, {away} {show(board.away)}",
        citation=None if match.unit is MatchUnit.BOARDS else Citation("IMP scale"),
        parts=tuple(_table(result) for result in board.results),
    )


def _table(result: Result) -> tuple[str, str]:
    score = table_score(result)
    seats = Message("{ns} North-South, {ew} East-West", ns=result.ns[0], ew=result.ew[0])
    return seats, Message("ruling") if result.adjusted else str(score)


def explain_entrant(scores: MatchScores, id: str) -> Step:
    """An entrant's total: its matches, byes and penalties."""
    tally = next((t for t in scores.tallies if t.id == id), None)
    if tally is None:
        raise UnknownName("entrant", id, [t.id for t in scores.tallies])
    parts = (*_matches(scores, id), *_byes(scores, id), *_penalties(scores, id))
    return summed_up(tally, parts, Message("its matches and byes, less penalties"))


def _matches(scores: MatchScores, id: str) -> tuple[Step, ...]:
    sides = ((match, match.side_of(id)) for match in scores.matches)
    return tuple(_side(match, side, scores.rules) for match, side in sides if side is not None)


def _byes(scores: MatchScores, id: str) -> tuple[Step, ...]:
    return tuple(
        Step(
            Message("round {round}, bye", round=bye.round),
            bye.points,
            decimals(bye.points),
            "parameter",
        )
        for bye in scores.byes
        if bye.entrant == id
    )


def _penalties(scores: MatchScores, id: str) -> tuple[Step, ...]:
    """Those taken off the total; IMPs taken off a match are shown there."""
    mine = [p for session in scores.event.sessions for p in session.penalties if p.entrant == id]
    amounts = [(penalty.why, -off_total(penalty, scores.rules)) for penalty in mine]
    return tuple(
        Step(Message("penalty"), amount, decimals(amount), "input", about=why)
        for why, amount in amounts
        if amount
    )
