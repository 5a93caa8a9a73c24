"""Explanations of a side's points and an entrant's total, as steps to be rendered anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from honours.engine.numbers import show
from honours.errors import UnknownName
from honours.model import ArtificialScore, Citation, Result, Step
from honours.model.message import Message, every, joined, mark, word
from honours.scoring.imps import (
    Divisor,
    ImpGroup,
    ImpScores,
    compare,
    divided_by,
    groups_of,
    mean_score,
    total_imps,
)
from honours.scoring.matches import (
    MatchBoard,
    MatchRules,
    MatchScore,
    MatchScores,
    MatchSide,
    MatchUnit,
    off_total,
)
from honours.scoring.matchpoints import is_flat_minus, max_top, penalty_points, session_shares
from honours.scoring.profiles import Profile
from honours.scoring.scored import (
    NOUNS,
    ScoredBoard,
    ScoredEvent,
    ScoredLine,
    Side,
    SideScore,
    Weighted,
    artificial,
    comparable,
    entrants,
    table_score,
)
from honours.scoring.standings import Tally, decimals

_FORMULAS = {
    Divisor.NOTHING: Message("the IMPs against every other table, added up"),
    Divisor.COMPARISONS: Message("the IMPs against every other table ÷ (scores − 1)"),
    Divisor.SCORES: Message("the IMPs against every other table ÷ scores"),
}
SCALE = Citation("IMP scale")


def weighted_score(score: Weighted | ArtificialScore) -> str:
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


def tally_of(tallies: Sequence[Tally], id: str) -> Tally:
    """The tally of an entrant; an unknown one names those there are."""
    for tally in tallies:
        if tally.id == id:
            return tally
    raise UnknownName("entrant", id, [tally.id for tally in tallies])


def _penalty(amount: Fraction, about: str, shown: Callable[[Fraction], str] = decimals) -> Step:
    return Step(Message("penalty"), amount, shown(amount), "input", about=about)


def _opponents(result: Result, side: Side) -> str:
    return " & ".join(entrants(result, Side.EW if side is Side.NS else Side.NS))


def carried_over(name: str, carried: Fraction, shown: str) -> Step:
    """The points an entrant brought from an earlier stage."""
    about, called = Message("from an earlier stage"), Message("carried over")
    return Step(name, carried, shown, "input", about=about, called=called)


def explain_line(group: ImpGroup, index: int, side: Side) -> Step:
    """Explain one side's IMPs on one line."""
    own = group.column(side).scores[index]
    if isinstance(own, ArtificialScore):
        return _imp_artificial(group, index, side, own)
    if group.rules.butler:
        return _butler(group, index, side, own)
    return _cross(group, index, side, own, group.rules.divisor)


def _imp_line(
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


def _imp_artificial(group: ImpGroup, index: int, side: Side, own: ArtificialScore) -> Step:
    lone = group.lone(index, side)
    why = Message("this version of the board has no other score") if lone else Message("ruling")
    working = Message("{why}: {score}", why=why, score=weighted_score(own))
    if group.rules.against is Divisor.NOTHING:
        times = group.times(index, side)
        working = Message(
            "{why}: {score} × {times}", why=why, score=weighted_score(own), times=times
        )
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
    return _imp_line(group, index, side, formula, working)


def _cross(group: ImpGroup, index: int, side: Side, own: Weighted, divisor: Divisor) -> Step:
    others = group.others(index, side)
    each = [compare(own, other) for other in others]
    working = f"{show(sum(each, Fraction(0)))} ÷ {divided_by(len(each), divisor)}"
    parts = tuple(
        (
            Message(
                "{score} against {other}", score=weighted_score(own), other=weighted_score(other)
            ),
            show(imps),
        )
        for other, imps in zip(others, each, strict=True)
    )
    return _imp_line(group, index, side, _FORMULAS[divisor], working, parts=parts)


def _butler(group: ImpGroup, index: int, side: Side, own: Weighted) -> Step:
    datum = explain_datum(group, side)
    working = joined(" − ", (weighted_score(own), f"({datum.shown})"))
    formula = Message("IMPs for score − datum")
    return _imp_line(group, index, side, formula, working, uses=(datum,))


def explain_datum(group: ImpGroup, side: Side) -> Step:
    """The datum with the scores it was made of, and those it leaves out."""
    column, how = group.column(side), group.rules.datum
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


def explain_imp_board(scores: ImpScores, number: int) -> tuple[Step, ...]:
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
    tally = tally_of(scores.tallies, id)
    penalties = (
        _penalty(-penalty.amount, penalty.why)
        for session in scores.event.sessions
        for penalty in session.penalties
        if penalty.entrant == id
    )
    parts = (_imp_boards(scores, id), *penalties)
    return summed_up(tally, parts, Message("its boards, less penalties"))


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


def _imp_boards(scores: ImpScores, id: str) -> Step:
    sessions = tuple(
        _imp_session(scores, session.number, tallies, id)
        for session, tallies in zip(scores.event.sessions, scores.sessions, strict=True)
        if any(tally.id == id for tally in tallies)
    )
    if len(sessions) == 1:
        return sessions[0]
    total = sum((Fraction(step.value) for step in sessions), Fraction(0))
    working = " + ".join(step.shown for step in sessions)
    return Step(Message("sessions"), total, decimals(total), "rule", working=working, uses=sessions)


def _imp_session(scores: ImpScores, number: int, tallies: tuple[Tally, ...], id: str) -> Step:
    lines = tuple(
        _imp_board(board, line, side, score)
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


def _imp_board(board: ScoredBoard, line: ScoredLine, side: Side, score: SideScore) -> Step:
    against = _opponents(line.result, side)
    about = Message("{side} against {against}", side=str(side), against=against)
    named = Message("board {board}", board=board.number)
    return Step(named, score.points, decimals(score.points), "rule", about)


# --- matches -----------------------------------------------------------------------------------


_MARGINS = {
    MatchUnit.IMPS: Message("the IMPs of its boards, added up"),
    MatchUnit.BOARDS: Message("boards won and half of those tied, above half of all"),
    MatchUnit.PERCENT: Message("the mean percentage of its boards, above 50"),
}
_HOW = {"fouled": Message("fouled"), "ruling": Message("ruling")}


def _match_side(match: MatchScore, side: MatchSide, rules: MatchRules) -> Step:
    """Explain the worth of a match to a side, and its margin."""
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
        uses=tuple(_match_board(board, home) for board in match.boards),
    )


def _match_board(board: MatchBoard, home: bool) -> Step:
    scores = [table_score(result) for result in board.results]
    at_tables = tuple(Message("ruling") if score is None else str(score) for score in scores)
    worth = board.home if home else board.away
    about = Message("scores {scores}", scores=at_tables)
    if board.how:
        about = Message("{scores} ({how})", scores=about, how=_HOW[board.how])
    named = Message("board {board}", board=board.number)
    return Step(named, worth, show(worth), "rule", about)


def explain_match_board(scores: MatchScores, number: int) -> tuple[Step, ...]:
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


def explain_matches(scores: MatchScores, id: str) -> Step:
    """An entrant's total: its matches, byes and penalties."""
    tally = tally_of(scores.tallies, id)
    matches = (
        _match_side(match, side, scores.rules)
        for match in scores.matches
        if (side := match.side_of(id)) is not None
    )
    byes = (
        Step(
            Message("round {round}, bye", round=bye.round),
            bye.points,
            decimals(bye.points),
            "parameter",
        )
        for bye in scores.byes
        if bye.entrant == id
    )
    # IMPs taken off a match are shown there.
    penalties = (
        _penalty(-off, penalty.why)
        for session in scores.event.sessions
        for penalty in session.penalties
        if penalty.entrant == id and (off := off_total(penalty, scores.rules))
    )
    parts = (*matches, *byes, *penalties)
    return summed_up(tally, parts, Message("its matches and byes, less penalties"))


# --- matchpoints -------------------------------------------------------------------------------


LAW_12C2 = Citation("Laws of Duplicate Bridge, Law 12C2")
SIMPLIFIED = Citation(
    "EBU, Scoring of fouled boards, one result missing",
    "reduce the top by one, increase the bottom by one",
)
FLAT_MINUS = Citation(
    "ACBLscore, one published line; Law 12C2 gives a pair below 40% its own session"
)
LAW_87 = Citation("Laws of Duplicate Bridge, Law 87B")


def explain(scored: ScoredEvent, what: str) -> tuple[Step, ...]:
    """A board by its number, or an entrant by its id or number; a board where it could be both.

    ``board 7`` and ``pair 7`` say which is meant.
    """
    word, _, name = what.strip().rpartition(" ")
    boards = {str(board.number) for board in scored.boards}
    if name in boards and word.lower() not in (*NOUNS.values(), "entrant"):
        return explain_board(scored, int(name))
    for entrant in scored.event.entrants:
        if name in (entrant.entrant.id, entrant.number):
            return (explain_entrant(scored, entrant.entrant.id),)
    noun = NOUNS[scored.event.kind]
    known = [f"board {number}" for number in sorted(boards, key=int)]
    known += [f"{noun} {e.entrant.id}" for e in scored.event.entrants]
    raise UnknownName("board or entrant", what, known)


# --- a board ------------------------------------------------------------------------------------


def explain_board(scored: ScoredEvent, number: int) -> tuple[Step, ...]:
    """Both sides of every line of a board, as many boards as sessions and sections had one."""
    if scored.imps:
        return explain_imp_board(scored.imps, number)
    if scored.matches and scored.event.kind == "teams":
        return explain_match_board(scored.matches, number)
    return tuple(_board(scored, b) for b in scored.boards if b.number == number)


def _board(scored: ScoredEvent, board: ScoredBoard) -> Step:
    profile = scored.profile
    shares = session_shares(b for b in scored.boards if b.session == board.session)
    sides = tuple(
        _side(board, line, side, profile, shares)
        for line in board.lines
        for side in Side
        if line.side(side) is not None
    )
    top = max_top([board])
    named = Message("board {board}", board=board.number)
    if board.section:
        named = Message("{board}, section {section}", board=named, section=board.section)
    return Step(
        named,
        top,
        show(top),
        "aggregate",
        about=Message("its top"),
        formula=Message("points per score beaten × (scores − 1)"),
        citation=profile.citation,
        uses=sides,
    )


def _side(
    board: ScoredBoard,
    line: ScoredLine,
    side: Side,
    profile: Profile,
    shares: Mapping[str, Fraction],
) -> Step:
    score = line.side(side)
    assert score is not None
    formula, working = FORMULAS[score.how](score, profile)
    own = comparable(line.result, side)
    who = entrants(line.result, side)
    points = score.points_of(who[0]) if len(who) == 1 else score.points
    return Step(
        board_of(board.number, side, who),
        points,
        show(points),
        "rule",
        about=Message("score {score}", score=weighted_score(own)) if own else "",
        formula=formula,
        working=working,
        rounding=_rounding(profile),
        citation=_cited(line, side, score, profile),
        uses=(*_comparison(board, line, side, score), *_session_rule(score, shares)),
    )


def _cited(line: ScoredLine, side: Side, score: SideScore, profile: Profile) -> Citation:
    """The clause that decided: the formula's own only where the formula was used."""
    ruling = artificial(line.result, side)
    if ruling and is_flat_minus(ruling, profile):
        return FLAT_MINUS
    if score.how in ("artificial", "lone score"):
        return LAW_12C2
    return SIMPLIFIED if score.how == "simplified" else profile.citation


def _rounding(profile: Profile) -> str:
    if not profile.unit:
        return ""
    half = {"up": Message("a half up"), "even": Message("a half to the even one")}.get(profile.half)
    return Message(
        "to {unit}, {half}", unit=show(profile.unit), half=half or Message("a half towards average")
    )


def _plain(score: SideScore, profile: Profile) -> tuple[str, str]:
    """Unfactored on the 2/1/0 scale it is M, else the formula of its scale."""
    group = _group_points(score, profile)
    e, a = score.expected, score.obtained
    if e == a:
        each = profile.per_score_beaten
        return Message(
            "{each} for each score beaten, {half} for each equalled",
            each=each,
            half=show(Fraction(each, 2)),
        ), ""
    if profile.per_score_beaten == 1:
        return "(m + ½) × E ÷ A − ½", f"({show(group)} + ½) × {e} ÷ {a} − ½"
    return "(M × E + (E − A)) ÷ A", f"({show(group)} × {e} + ({e} − {a})) ÷ {a}"


def _group_points(score: SideScore, profile: Profile) -> Fraction:
    """Matchpoints within the group alone: M."""
    return profile.per_score_beaten * (score.obtained - 1 + score.sign_sum) / Fraction(2)


def _simplified(score: SideScore, profile: Profile) -> tuple[str, str]:
    group = show(_group_points(score, profile))
    one = show(Fraction(profile.per_score_beaten, 2))
    return Message("M and one for the missing score"), f"{group} + {one}"


def _small(score: SideScore, profile: Profile) -> tuple[str, str]:
    shares = " / ".join(f"{show(100 * x)}%" for x in profile.small_groups[score.obtained])
    return Message(
        "a share of the top by place in a group of {size}: {shares}",
        size=score.obtained,
        shares=shares,
    ), ""


def _artificial(score: SideScore, profile: Profile) -> tuple[str, str]:  # noqa: ARG001
    share = 100 * score.points / score.top if score.top else Fraction(50)
    return Message("a share of the top"), f"{show(share)}% × {show(score.top)}"


def _lone(score: SideScore, profile: Profile) -> tuple[str, str]:
    _, working = _artificial(score, profile)
    return Message(
        "nothing to compare with, so unplayable: average plus to a side not at fault"
    ), working


FORMULAS = {
    "matchpoints": _plain,
    "simplified": _simplified,
    "small group": _small,
    "artificial": _artificial,
    "lone score": _lone,
}


def _comparison(
    board: ScoredBoard, line: ScoredLine, side: Side, score: SideScore
) -> Iterator[Step]:
    """The number of scores of its group it beats and equals, and the number it is factored to."""
    own = comparable(line.result, side)
    if own is None or score.how == "lone score":
        return
    versions = {x.result.version for x in board.lines if comparable(x.result, side)}
    if len(versions) > 1:
        name = line.result.version or Message("as dealt")
        about = Message("the board is fouled")
        yield Step(Message("version"), name, name, "input", about=about, citation=LAW_87)
    beaten = (score.obtained - 1 + score.sign_sum) / 2
    yield Step(
        "scores_beaten",
        beaten,
        show(beaten),
        "rule",
        about=Message("one equalled counts half"),
        parts=tuple(_others(board, line, side)),
        called=Message("scores beaten"),
    )
    for named, sign, many in (
        (Message("obtained"), "A", score.obtained),
        (Message("expected"), "E", score.expected),
    ):
        yield Step(named, Fraction(many), str(many), "input", about=sign)


def _others(board: ScoredBoard, line: ScoredLine, side: Side) -> Iterator[tuple[str, str]]:
    for other in board.lines:
        theirs = comparable(other.result, side)
        if other is not line and theirs and other.result.version == line.result.version:
            who = " & ".join(entrants(other.result, side))
            yield who, Message(_against(line, theirs, side), score=weighted_score(theirs))


def _against(line: ScoredLine, theirs: Weighted, side: Side) -> str:
    """True if another's score was beaten; of a weighted one only its parts could say."""
    own = comparable(line.result, side)
    if own is None or len(own) > 1 or len(theirs) > 1:
        return mark("score {score}")
    (_, mine), (_, other) = own[0], theirs[0]
    if mine > other:
        return mark("score {score}, beaten")
    return mark("score {score}, equalled") if mine == other else mark("score {score}, not beaten")


def _session_rule(score: SideScore, shares: Mapping[str, Fraction]) -> Iterator[Step]:
    for who, points in score.own.items():
        share = decimals(100 * shares[who])
        better, worse = Message("better for it"), Message("worse, as the law wants")
        about = Message(
            "{who} had {share}% on its other boards, which is {verdict}, and counts",
            who=who,
            share=share,
            verdict=better if points > score.points else worse,
        )
        yield Step(
            "session_percentage",
            points,
            show(points),
            "rule",
            about,
            citation=LAW_12C2,
            called=Message("session percentage"),
        )


# --- an entrant ---------------------------------------------------------------------------------


def explain_entrant(scored: ScoredEvent, entrant: str) -> Step:
    """Explain an entrant's score, session by session and board by board."""
    if scored.matches:
        return explain_matches(scored.matches, entrant)
    if scored.imps:
        return explain_total(scored.imps, entrant)
    tally = tally_of(scored.tallies, entrant)
    sessions = (
        _session(scored, session.number, own)
        for session, tallies in zip(scored.event.sessions, scored.session_tallies, strict=True)
        for own in tallies
        if own.id == entrant
    )
    carried = tally.entrant.carried
    brought = (carried_over("carried_over", carried, show(carried)),) if carried else ()
    return Step(
        Message("percentage of {entrant}", entrant=tally.entrant.entrant.title),
        tally.score,
        decimals(tally.score),
        "rule",
        formula=Message("100 × points ÷ possible points"),
        working=f"100 × {show(tally.points)} ÷ {show(tally.possible)}",
        rounding=Message("to 0.01, a half up, for show; the exact one ranks"),
        uses=(*sessions, *brought),
    )


def _session(scored: ScoredEvent, number: int, tally: Tally) -> Step:
    return Step(
        Message("points of session {session}", session=number),
        tally.points,
        show(tally.points),
        "aggregate",
        about=Message(
            "of {possible} on {boards} boards", possible=show(tally.possible), boards=tally.boards
        ),
        formula=Message("the sum of its boards, less penalties"),
        uses=(*_board_points(scored, number, tally.id), *_penalties(scored, number, tally.id)),
    )


def _board_points(scored: ScoredEvent, session: int, entrant: str) -> Iterator[Step]:
    for board, line, side, score in scored.lines_of(entrant):
        if board.session == session:
            points = score.points_of(entrant)
            about = Message(
                mark("of {top}, {side} against {against} (met before: not counted)")
                if entrant in score.uncounted
                else mark("of {top}, {side} against {against}"),
                top=show(score.top),
                side=str(side),
                against=_opponents(line.result, side),
            )
            named = Message("board {board}", board=board.number)
            yield Step(named, points, show(points), "rule", about)


def _penalties(scored: ScoredEvent, session: int, entrant: str) -> Iterator[Step]:
    top = max_top(board for board in scored.boards if board.session == session)
    for one in scored.event.sessions:
        for penalty in one.penalties if one.number == session else ():
            if penalty.entrant == entrant:
                taken = -penalty_points(penalty, top)
                amount = Message(
                    "{amount} {unit}", amount=show(penalty.amount), unit=word(penalty.unit)
                )
                about = joined(" ", filter(None, (amount, penalty.why)))
                yield _penalty(taken, about, show)
