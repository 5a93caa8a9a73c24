"""Why a side has its matchpoints and an entrant its total, as steps to be rendered anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from honours.engine.numbers import show
from honours.errors import UnknownName
from honours.model import Citation, Step
from honours.model.message import Message, joined, mark, word
from honours.scoring import imp_why, match_why
from honours.scoring.imp_why import board_of, carried_over, shown_score
from honours.scoring.matchpoints import is_flat_minus
from honours.scoring.profiles import Profile
from honours.scoring.rounding import decimals
from honours.scoring.scored import NOUNS, ScoredBoard, ScoredEvent, ScoredLine, SideScore
from honours.scoring.session import max_top, penalty_points, session_shares
from honours.scoring.sides import Side, Weighted, artificial, comparable, entrants
from honours.scoring.standings import Tally

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
        return imp_why.explain_board(scored.imps, number)
    if scored.matches and scored.event.kind == "teams":
        return match_why.explain_board(scored.matches, number)
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
        about=Message("score {score}", score=shown_score(own)) if own else "",
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
    """How many scores of its group it beats and equals, and what the group is factored to."""
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
            yield who, Message(_against(line, theirs, side), score=shown_score(theirs))


def _against(line: ScoredLine, theirs: Weighted, side: Side) -> str:
    """Whether another's score was beaten; of a weighted one only its parts could say."""
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
    """How an entrant's score came about, session by session and board by board."""
    if scored.matches:
        return match_why.explain_entrant(scored.matches, entrant)
    if scored.imps:
        return imp_why.explain_total(scored.imps, entrant)
    tally = next((t for t in scored.tallies if t.id == entrant), None)
    if tally is None:
        raise UnknownName("entrant", entrant, [t.id for t in scored.tallies])
    sessions = tuple(_sessions(scored, entrant))
    carried = tuple(_carried(tally))
    return Step(
        Message("percentage of {entrant}", entrant=tally.entrant.entrant.title),
        tally.score,
        decimals(tally.score),
        "rule",
        formula=Message("100 × points ÷ possible points"),
        working=f"100 × {show(tally.points)} ÷ {show(tally.possible)}",
        rounding=Message("to 0.01, a half up, for show; the exact one ranks"),
        uses=(*sessions, *carried),
    )


def _carried(tally: Tally) -> Iterator[Step]:
    carried = tally.entrant.carried
    if carried:
        yield carried_over("carried_over", carried, show(carried))


def _sessions(scored: ScoredEvent, entrant: str) -> Iterator[Step]:
    for session, tallies in zip(scored.event.sessions, scored.session_tallies, strict=True):
        for tally in tallies:
            if tally.id == entrant:
                yield _session(scored, session.number, tally)


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
            against = " & ".join(entrants(line.result, Side.EW if side is Side.NS else Side.NS))
            points = score.points_of(entrant)
            about = Message(
                mark("of {top}, {side} against {against} (met before: not counted)")
                if entrant in score.uncounted
                else mark("of {top}, {side} against {against}"),
                top=show(score.top),
                side=str(side),
                against=against,
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
                yield Step(Message("penalty"), taken, show(taken), "input", about)
