"""One session in matchpoints: its boards, the session rule, and what each entrant gathered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.errors import InputError
from honours.model import EventEntrant, Penalty, Result, Session
from honours.scoring.comparison import SectionGroups
from honours.scoring.matchpoints import matchpoint_board, share_of_top
from honours.scoring.profiles import Profile
from honours.scoring.scored import ScoredBoard, ScoredLine, SideScore
from honours.scoring.sides import Side, entrants
from honours.scoring.standings import Tally

HALF = Fraction(1, 2)


def score_session(
    session: Session, profile: Profile, compared: SectionGroups, expected: int
) -> list[ScoredBoard]:
    """Every board; ``expected`` scores each, 0 for as many as the fullest of its field has."""
    fields: dict[str, dict[int, list[Result]]] = {}
    for result in session.results:
        section = compared.field_of(result.section)
        fields.setdefault(section, {}).setdefault(result.board, []).append(result)
    boards = []
    for section, travellers in sorted(fields.items()):
        most = expected or max(map(len, travellers.values()))
        for number, results in sorted(travellers.items()):
            lines = matchpoint_board(results, most, profile)
            boards.append(ScoredBoard(number, session.number, section, lines))
    if profile.repeated_board == "first":
        boards = _count_first_only(boards)
    return _follow_session(boards, profile)


def _count_first_only(boards: Sequence[ScoredBoard]) -> list[ScoredBoard]:
    """A board an entrant meets again is compared, but adds nothing to what it gathers."""
    counted = []
    for board in boards:
        met: set[str] = set()
        lines = []
        for line in board.lines:
            lines.append(_mark_repeated(line, met))
            met |= {who for who, _, _ in line.shares()}
        counted.append(replace(board, lines=tuple(lines)))
    return counted


def _mark_repeated(line: ScoredLine, met: set[str]) -> ScoredLine:
    def marked(side: Side, score: SideScore | None) -> SideScore | None:
        again = frozenset(met & set(entrants(line.result, side)))
        return replace(score, uncounted=again) if score and again else score

    return replace(line, ns=marked(Side.NS, line.ns), ew=marked(Side.EW, line.ew))


def _follow_session(boards: Sequence[ScoredBoard], profile: Profile) -> list[ScoredBoard]:
    """Law 12C2: average plus becomes the entrant's session percentage where that is better."""
    if not any(score.session_rule for b in boards for x in b.lines for _, _, score in x.shares()):
        return list(boards)
    shares = session_shares(boards)

    def followed(line: ScoredLine) -> ScoredLine:
        ns = _own_shares(line.ns, line.result.ns, shares, profile)
        return replace(line, ns=ns, ew=_own_shares(line.ew, line.result.ew, shares, profile))

    return [replace(board, lines=tuple(map(followed, board.lines))) for board in boards]


def _own_shares(
    side: SideScore | None, who: Sequence[str], shares: Mapping[str, Fraction], profile: Profile
) -> SideScore | None:
    if side is None or side.session_rule is None:
        return side
    given = side.session_rule.share
    better = max if given > HALF else min
    own = {one: better(given, shares.get(one, given)) for one in who}
    moved = {one: share for one, share in own.items() if share != given}
    return replace(
        side, own={one: share_of_top(x, side.expected, profile) for one, x in moved.items()}
    )


def session_shares(boards: Iterable[ScoredBoard]) -> dict[str, Fraction]:
    """What each entrant got of what it could on the boards that do not themselves follow it."""
    got: dict[str, Fraction] = {}
    possible: dict[str, Fraction] = {}
    for board in boards:
        for line in board.lines:
            for who, _, side in line.shares():
                if side.session_rule is None and who not in side.uncounted:
                    got[who] = got.get(who, Fraction(0)) + side.points
                    possible[who] = possible.get(who, Fraction(0)) + side.top
    return {who: got[who] / top for who, top in possible.items() if top}


def tally_session(
    known: Mapping[str, EventEntrant], boards: Sequence[ScoredBoard], penalties: Sequence[Penalty]
) -> tuple[Tally, ...]:
    """Points and the most they could have been, for every entrant that played or was fined."""
    counted: dict[str, list[tuple[Fraction, Fraction]]] = {}
    for board in boards:
        for line in board.lines:
            for who, _, side in line.shares():
                theirs = counted.setdefault(who, [])
                if who not in side.uncounted:
                    theirs.append((side.points_of(who), side.top))
    top = max_top(boards)
    taken: dict[str, Fraction] = {}
    for penalty in penalties:
        counted.setdefault(penalty.entrant, [])
        before = taken.get(penalty.entrant, Fraction(0))
        taken[penalty.entrant] = before + penalty_points(penalty, top)
    nothing = Fraction(0)
    return tuple(
        Tally(
            known[who],
            sum((points for points, _ in scores), nothing) - taken.get(who, nothing),
            sum((most for _, most in scores), nothing),
            len(scores),
        )
        for who, scores in counted.items()
    )


def max_top(boards: Iterable[ScoredBoard]) -> Fraction:
    """A board's normal top: that of the fullest one."""
    tops = (side.top for b in boards for line in b.lines for _, _, side in line.shares())
    return max(tops, default=Fraction(0))


def penalty_points(penalty: Penalty, top: Fraction) -> Fraction:
    """A penalty in matchpoints; a percentage is of a board's top."""
    if penalty.unit == "matchpoints":
        return penalty.amount
    if penalty.unit == "percent":
        return penalty.amount * top / 100
    raise InputError(
        "a penalty of {amount} {unit} for {entrant}: this event is scored in "
        "matchpoints; expected matchpoints or percent",
        amount=penalty.amount,
        unit=penalty.unit,
        entrant=penalty.entrant,
    )
