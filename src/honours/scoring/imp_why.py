"""Why a pair has its IMPs: a board line by line, and how a total came about, as steps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from honours.engine.numbers import show
from honours.errors import UnknownName
from honours.model import ArtificialScore, Citation, Step
from honours.model.message import Message, every, joined, mark
from honours.scoring.imp_pairs import ImpGroup, ImpScores, groups_of, total_imps
from honours.scoring.imps import Datum, Divisor, compare, divided_by, mean_score
from honours.scoring.rounding import decimals
from honours.scoring.scored import ScoredBoard, ScoredLine, SideScore
from honours.scoring.sides import Side, Weighted, entrants
from honours.scoring.standings import Tally

_FORMULAS = {
    Divisor.NOTHING: Message("the IMPs against every other table, added up"),
    Divisor.COMPARISONS: Message("the IMPs against every other table ÷ (scores − 1)"),
    Divisor.SCORES: Message("the IMPs against every other table ÷ scores"),
}
SCALE = Citation("IMP scale")


def shown_score(score: Weighted | ArtificialScore) -> str:
    """``420``, ``60% of 420 and 40% of -50``, or ``60%`` for an artificial score."""
    if isinstance(score, ArtificialScore):
        return f"{show(score.share * 100)}%"
    if len(score) == 1:
        return str(score[0][1])
    return every(
        Message("{share}% of {score}", share=show(weight * 100), score=each)
        for weight, each in score
    )


def board_of(board: int, side: Side, who: Sequence[str]) -> Message:
    """A line of a board as seen by those of one side."""
    return Message("board {board}, {side} {who}", board=board, side=str(side), who=" & ".join(who))


def carried_over(name: str, carried: Fraction, shown: str) -> Step:
    """What an entrant brought from an earlier stage."""
    about, called = Message("from an earlier stage"), Message("carried over")
    return Step(name, carried, shown, "input", about=about, called=called)


def explain_line(group: ImpGroup, index: int, side: Side) -> Step:
    """How one side's IMPs on one line came about."""
    own = group.column(side).scores[index]
    if isinstance(own, ArtificialScore):
        return _artificial(group, index, side, own)
    if isinstance(group.rules.against, Datum):
        return _butler(group, index, side, own, group.rules.against)
    return _cross(group, index, side, own, group.rules.against)


def _line(
    group: ImpGroup,
    index: int,
    side: Side,
    formula: str,
    working: str,
    uses: tuple[Step, ...] = (),
    parts: tuple[tuple[str, str], ...] = (),
) -> Step:
    value = group.imps(index, side)
    unit = group.rules.line_unit
    result = group.results[index]
    return Step(
        board_of(result.board, side, entrants(result, side)),
        value,
        decimals(value),
        "aggregate" if parts else "rule",
        formula=formula,
        working=working,
        rounding=Message("to {unit}, half away from zero", unit=show(unit)) if unit else "",
        citation=SCALE,
        uses=uses,
        parts=parts,
    )


def _artificial(group: ImpGroup, index: int, side: Side, own: ArtificialScore) -> Step:
    lone = group.lone(index, side)
    why = Message("this version of the board has no other score") if lone else Message("ruling")
    working = Message("{why}: {score}", why=why, score=shown_score(own))
    if group.rules.against is Divisor.NOTHING:
        times = group.times(index, side)
        working = Message("{why}: {score} × {times}", why=why, score=shown_score(own), times=times)
    formula = Message(
        mark(
            "an artificial score: {worth} IMPs for 60%, in proportion to the distance from 50%, "
            "for each other table"
        )
        if group.rules.against is Divisor.NOTHING
        else mark(
            "an artificial score: {worth} IMPs for 60%, in proportion to the distance from 50%"
        ),
        worth=show(group.rules.average_plus),
    )
    return _line(group, index, side, formula, working)


def _cross(group: ImpGroup, index: int, side: Side, own: Weighted, divisor: Divisor) -> Step:
    others = group.others(index, side)
    each = [compare(own, other) for other in others]
    working = f"{show(sum(each, Fraction(0)))} ÷ {divided_by(len(each), divisor)}"
    parts = tuple(
        (
            Message("{score} against {other}", score=shown_score(own), other=shown_score(other)),
            show(imps),
        )
        for other, imps in zip(others, each, strict=True)
    )
    return _line(group, index, side, _FORMULAS[divisor], working, parts=parts)


def _butler(group: ImpGroup, index: int, side: Side, own: Weighted, how: Datum) -> Step:
    datum = explain_datum(group, side, how)
    working = joined(" − ", (shown_score(own), f"({datum.shown})"))
    formula = Message("IMPs for score − datum")
    return _line(group, index, side, formula, working, uses=(datum,))


def explain_datum(group: ImpGroup, side: Side, how: Datum) -> Step:
    """The datum with the scores it was made of, and those it leaves out."""
    column = group.column(side)
    counted = sorted(mean_score(s) for s in column.scores if not isinstance(s, ArtificialScore))
    out = how.trimmed(len(counted))
    last = len(counted) - out
    parts = tuple(
        (Message("counted") if out <= place < last else Message("left out"), show(score))
        for place, score in enumerate(counted)
    )
    value = column.datum or Fraction(0)
    return Step(
        Message("datum of board {board}, {side}", board=group.results[0].board, side=str(side)),
        value,
        show(value),
        "aggregate",
        formula=Message(
            "the mean of the scores without the {out} highest and {out} lowest", out=out
        ),
        rounding=Message("to {unit}, a tie {tie}", unit=how.unit, tie=how.tie) if how.unit else "",
        parts=parts,
    )


# --- a board, an entrant ------------------------------------------------------------------------


def explain_board(scores: ImpScores, number: int) -> tuple[Step, ...]:
    """Both sides of every line of a board, version by version."""
    boards = [board for board in scores.boards if board.number == number]
    if not boards:
        raise UnknownName("board", str(number), [str(board.number) for board in scores.boards])
    return tuple(
        explain_line(group, index, side)
        for board in boards
        for group in groups_of([line.result for line in board.lines], scores.rules)
        for index in range(len(group.results))
        for side in Side
    )


def explain_total(scores: ImpScores, id: str) -> Step:
    """An entrant's total: its boards, what was raised for boards not played, and penalties."""
    tally = next((t for t in scores.tallies if t.id == id), None)
    if tally is None:
        raise UnknownName("entrant", id, [t.id for t in scores.tallies])
    boards = _boards(scores, id)
    penalties = tuple(
        _penalty(penalty.amount, penalty.why)
        for session in scores.event.sessions
        for penalty in session.penalties
        if penalty.entrant == id
    )
    return summed_up(tally, (boards, *penalties), Message("its boards, less penalties"))


def summed_up(tally: Tally, parts: tuple[Step, ...], formula: str) -> Step:
    """A total as the sum of its parts, with what was carried over from an earlier stage."""
    carried = tally.entrant.carried
    if carried:
        parts += (carried_over("carried over", carried, decimals(carried)),)
    total = tally.points + carried
    most = tally.possible
    return Step(
        Message("total of {entrant}", entrant=tally.entrant.entrant.title),
        total,
        decimals(total),
        "rule",
        about=Message("{share}% of {most}", share=decimals(100 * total / most), most=show(most))
        if most
        else "",
        formula=formula,
        working=" + ".join(f"({x.shown})" if x.shown[0] == "-" else x.shown for x in parts),
        uses=parts,
    )


def _boards(scores: ImpScores, id: str) -> Step:
    sessions = tuple(
        _session(scores, session.number, tallies, id)
        for session, tallies in zip(scores.event.sessions, scores.sessions, strict=True)
        if any(tally.id == id for tally in tallies)
    )
    if len(sessions) == 1:
        return sessions[0]
    total = sum((Fraction(step.value) for step in sessions), Fraction(0))
    working = " + ".join(step.shown for step in sessions)
    return Step(Message("sessions"), total, decimals(total), "rule", working=working, uses=sessions)


def _session(scores: ImpScores, number: int, tallies: tuple[Tally, ...], id: str) -> Step:
    lines = tuple(
        _board(board, line, side, score)
        for board in scores.boards
        if board.session == number
        for line in board.lines
        for entrant, side, score in line.shares()
        if entrant == id
    )
    most = max(tally.boards for tally in tallies)
    points = [Fraction(line.value) for line in lines]
    total = total_imps(points, most, scores.rules)
    raised = scores.rules.prorated and len(lines) not in (0, most)
    unit = scores.rules.total_unit
    played = decimals(sum(points, Fraction(0)))
    return Step(
        Message("boards of session {session}", session=number),
        total,
        decimals(total),
        "aggregate",
        formula=Message("their sum × most boards ÷ boards") if raised else Message("their sum"),
        working=f"{played} × {most} ÷ {len(lines)}"
        if raised
        else Message("{sum} on {boards}", sum=played, boards=len(lines)),
        rounding=Message("their sum to {unit}, a half up", unit=show(unit))
        if raised and unit
        else "",
        uses=lines,
    )


def _board(board: ScoredBoard, line: ScoredLine, side: Side, score: SideScore) -> Step:
    against = " & ".join(entrants(line.result, Side.EW if side is Side.NS else Side.NS))
    about = Message("{side} against {against}", side=str(side), against=against)
    named = Message("board {board}", board=board.number)
    return Step(named, score.points, decimals(score.points), "rule", about)


def _penalty(amount: Fraction, why: str) -> Step:
    return Step(Message("penalty"), -amount, decimals(-amount), "input", about=why)
