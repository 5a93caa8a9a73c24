"""Matchpoints: each version of a board its own group, factored as the profile says; the session
rule, and what each entrant gathered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from honours.errors import InputError
from honours.model import ArtificialScore, EventEntrant, Penalty, Result, Session
from honours.scoring.kernel import by_formula, by_place, in_units, sign_sums
from honours.scoring.movement import SectionGroups
from honours.scoring.profiles import HALVES, Profile
from honours.scoring.scored import (
    How,
    ScoredBoard,
    ScoredLine,
    Side,
    SideScore,
    Weighted,
    artificial,
    comparable,
    entrants,
)
from honours.scoring.standings import Tally


def small_group_shares(
    sizes: Sequence[int], size: int, expected: int, profile: Profile
) -> tuple[Fraction, ...]:
    """The shares a group of ``size`` gets by place, or nothing where the formula serves it.

    ``sizes`` are those of all groups of the board; one group is a board that is not fouled.
    """
    fouled = len(sizes) > 1
    short = size < expected and profile.small_when_short
    if not fouled and not short:
        return ()
    if size in profile.larger_exempt and is_the_larger(sizes, size):
        return ()
    return profile.small_groups.get(size, ())


def is_the_larger(sizes: Sequence[int], size: int) -> bool:
    """True if a group is larger than every other; of two equally large groups neither is."""
    return size == max(sizes) and list(sizes).count(size) == 1


# --- one board ---------------------------------------------------------------------------------


HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class MatchpointGroup:
    """The lines that met a board in the same version, as one side sees them."""

    members: tuple[int, ...]
    scores: tuple[Weighted, ...]
    expected: int
    sizes: tuple[int, ...]

    @property
    def obtained(self) -> int:
        return len(self.members)


def matchpoint_board(
    results: Sequence[Result], expected: int, profile: Profile
) -> tuple[ScoredLine, ...]:
    """Both sides of every line; ``expected`` scores are what the other boards had."""
    sides = [_matchpoint_side(results, side, expected, profile) for side in Side]
    return tuple(ScoredLine(result, ns, ew) for result, ns, ew in zip(results, *sides, strict=True))


def _matchpoint_side(
    results: Sequence[Result], side: Side, expected: int, profile: Profile
) -> list[SideScore | None]:
    given: list[SideScore | None] = [None] * len(results)
    scores = [comparable(result, side) for result in results]
    rulings = [artificial(result, side) for result in results]
    factored_to = _expected(scores, rulings, expected, profile)
    for group in _groups(results, scores, factored_to):
        for index, score in zip(group.members, _score_group(group, profile), strict=True):
            given[index] = score
    for index, ruling in enumerate(rulings):
        if ruling is not None:
            given[index] = artificial_score(ruling, factored_to, profile)
    return given


def _expected(
    scores: Sequence[Weighted | None],
    rulings: Sequence[ArtificialScore | None],
    expected: int,
    profile: Profile,
) -> int:
    """The number of scores the board counts as having: its own, and those the profile factors
    in."""
    real = sum(score is not None for score in scores)
    ruled = sum(ruling is not None for ruling in rulings)
    missing = max(0, expected - real - ruled)
    return real + ruled * profile.factor_adjusted + missing * profile.factor_missing


def _groups(
    results: Sequence[Result], scores: Sequence[Weighted | None], expected: int
) -> list[MatchpointGroup]:
    versions: dict[str, list[tuple[int, Weighted]]] = {}
    for index, (result, score) in enumerate(zip(results, scores, strict=True)):
        if score is not None:
            versions.setdefault(result.version, []).append((index, score))
    sizes = tuple(len(members) for members in versions.values())
    return [
        MatchpointGroup(
            tuple(i for i, _ in numbered), tuple(s for _, s in numbered), expected, sizes
        )
        for numbered in versions.values()
    ]


def _score_group(group: MatchpointGroup, profile: Profile) -> list[SideScore]:
    sums = weighted_sign_sums(group.scores)
    shares = small_group_shares(group.sizes, group.obtained, group.expected, profile)
    if shares and group.obtained == 1:
        lone = ArtificialScore(shares[0], profile.session_rule)
        return [artificial_score(lone, group.expected, profile, "lone score")]
    if shares:
        return [_by_place(total, shares, group, profile) for total in sums]
    return [_by_formula(total, group, profile) for total in sums]


def weighted_sign_sums(scores: Sequence[Weighted]) -> list[Fraction]:
    """The number each score beats less the number that beat it, parts of a weighted score by their
    weight.

    Whole scores, nearly always all of them, go to the kernel together; a weighted one is compared
    with every other by itself, part by part.
    """
    whole = [index for index, score in enumerate(scores) if len(score) == 1]
    parted = [index for index, score in enumerate(scores) if len(score) > 1]
    among_whole = [0] * len(whole)
    sign_sums([scores[index][0][1] for index in whole], 0, len(whole), among_whole)
    sums = [Fraction(0)] * len(scores)
    for index, total in zip(whole, among_whole, strict=True):
        sums[index] = Fraction(total)
    for nth, index in enumerate(parted):
        for other in (*whole, *parted[nth + 1 :]):
            lead = _lead(scores[index], scores[other])
            sums[index] += lead
            sums[other] -= lead
    return sums


def _lead(one: Weighted, other: Weighted) -> Fraction:
    """The part of a score that beats another, less what the other beats of it."""
    return sum((v * w * _beats(x, y) for v, x in one for w, y in other), Fraction(0))


def _beats(one: int, other: int) -> int:
    sums = [0, 0]
    sign_sums((one, other), 0, 2, sums)
    return sums[0]


def _by_formula(sign_sum: Fraction, group: MatchpointGroup, profile: Profile) -> SideScore:
    expected, obtained = group.expected, group.obtained
    # Only a weighted score makes a fraction; whole numbers are several times as fast.
    exact = sign_sum.numerator if sign_sum.denominator == 1 else sign_sum
    above, below = by_formula(
        exact, expected, obtained, profile.per_score_beaten, profile.simplified
    )
    top = profile.top(expected)
    how: How = "simplified" if profile.simplified and obtained == expected - 1 else "matchpoints"
    points = rounded_points(above, below, top, profile)
    return SideScore(points, top, how, obtained, expected, sign_sum)


def _by_place(
    sign_sum: Fraction, shares: Sequence[Fraction], group: MatchpointGroup, profile: Profile
) -> SideScore:
    top = profile.top(group.expected)
    best, worst = 100 * shares[0], 100 * shares[-1]
    above, below = by_place(sign_sum, group.obtained, int(top), best, worst)
    points = rounded_points(above, below, top, profile)
    return SideScore(points, top, "small group", group.obtained, group.expected, sign_sum)


def artificial_score(
    ruling: ArtificialScore, expected: int, profile: Profile, how: How = "artificial"
) -> SideScore:
    """A share of the board; the session rule waits until the session is known."""
    points = share_of_top(ruling.share, expected, profile)
    stays = ruling.share == HALF or is_flat_minus(ruling, profile)
    waits = ruling if ruling.session_rule and not stays else None
    return SideScore(points, profile.top(expected), how, expected=expected, session_rule=waits)


def is_flat_minus(ruling: ArtificialScore, profile: Profile) -> bool:
    """True if it is an average minus that the profile leaves at 40%, against Law 12C2."""
    return profile.flat_average_minus and ruling.session_rule and ruling.share < HALF


def share_of_top(share: Fraction, expected: int, profile: Profile) -> Fraction:
    top = profile.top(expected)
    return rounded_points(share * top, 1, top, profile)


def rounded_points(above: int | Fraction, below: int, top: Fraction, profile: Profile) -> Fraction:
    """As the profile rounds; with no unit not at all."""
    if not profile.unit:
        return Fraction(above) / below
    units = profile.unit.denominator
    return Fraction(in_units(above, below, top.numerator, units, HALVES[profile.half]), units)


# --- one session -------------------------------------------------------------------------------


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
    """The share each entrant got on the boards that do not themselves follow it."""
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
