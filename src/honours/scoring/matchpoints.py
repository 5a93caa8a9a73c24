"""Matchpoints of one board: each version its own group, factored as the profile says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from honours.model import ArtificialScore, Result
from honours.scoring.fouled_boards import small_group_shares
from honours.scoring.kernel import by_formula, by_place, in_units, sign_sums
from honours.scoring.profiles import HALVES, Profile
from honours.scoring.scored import How, ScoredLine, SideScore
from honours.scoring.sides import Side, Weighted, artificial, comparable

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
    """How many scores the board counts as having: its own, and those the profile factors in."""
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
    """How many each score beats less how many beat it, parts of a weighted score by their weight.

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
    """What of a score beats another, less what the other beats of it."""
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
    """Whether it is an average minus that the profile leaves at 40%, against Law 12C2."""
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
