"""International match points: the scale, and what a score is worth against others or a datum.

A side's score on a board is ``Weighted`` (:mod:`honours.scoring.scored`): one score of weight 1,
or the several that a ruling assigned. Every IMP figure that comes of it is exact; a weighted one
need not be whole. The two sides of a table are scored apart, each against the scores of the same
side, because a ruling may give them different ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from honours.errors import InputError, UnknownName
from honours.model import ArtificialScore, Event, Penalty, Result, Session
from honours.model.message import Message, every, word
from honours.scoring.movement import SectionGroups
from honours.scoring.scored import (
    How,
    ScoredBoard,
    ScoredLine,
    Side,
    SideScore,
    Weighted,
    artificial,
    comparable,
    is_played,
)
from honours.scoring.standings import Tally, combine, half_up
from honours.scoring.switches import bundled

UPPER_BOUNDS = (
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090),
    *(1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
)
"""The largest difference worth 0, 1, … 23 IMPs; a larger one is worth 24."""

HALF = Fraction(1, 2)


def imps(difference: int | Fraction) -> int:
    """The IMPs for a difference in score, negative for a negative one."""
    size = ceil(difference if difference >= 0 else -difference)
    worth = bisect_left(UPPER_BOUNDS, size)
    return worth if difference >= 0 else -worth


def compare(own: Weighted, other: Weighted) -> Fraction:
    """IMPs of ``own`` against ``other``: each pairing of their scores by its weight."""
    if len(own) == len(other) == 1:
        return Fraction(imps(own[0][1] - other[0][1]))
    return sum((v * w * imps(x - y) for v, x in own for w, y in other), Fraction(0))


def mean_score(scores: Weighted) -> Fraction:
    """The mean of a weighted score, which is how it enters a datum."""
    return sum((weight * score for weight, score in scores), Fraction(0))


def artificial_imps(ruling: ArtificialScore, average_plus: Fraction) -> Fraction:
    """IMPs of an artificial score: ``average_plus`` for 60%, nothing for 50%, in proportion.

    The Laws give 3 IMPs for average plus (Law 86). A pair's session percentage has no say in IMPs.
    """
    return (ruling.share - HALF) * 10 * average_plus


# --- cross-IMPs -----------------------------------------------------------------------------


class Divisor(StrEnum):
    """By what the IMPs against every other table are divided."""

    NOTHING = "sum"
    COMPARISONS = "n-1"
    SCORES = "n"


def cross_imps(own: Weighted, others: Iterable[Weighted], divisor: Divisor) -> Fraction:
    """IMPs of ``own`` against the score of every other table; nothing to compare with is 0."""
    total, comparisons = Fraction(0), 0
    for other in others:
        total += compare(own, other)
        comparisons += 1
    return total / divided_by(comparisons, divisor)


def divided_by(comparisons: int, divisor: Divisor) -> int:
    """The number that stands below the line: n − 1 comparisons, n scores, or 1 for the sum."""
    below = {
        Divisor.NOTHING: 1,
        Divisor.COMPARISONS: comparisons,
        Divisor.SCORES: comparisons + 1,
    }
    return max(1, below[divisor])


# --- Butler ---------------------------------------------------------------------------------


class DatumTie(StrEnum):
    """The rounding of a datum half-way between two multiples of its unit."""

    AWAY = "away from zero"
    TOWARDS = "towards zero"
    UP = "towards North-South"
    DOWN = "towards East-West"


@dataclass(frozen=True, slots=True)
class Datum:
    """The rule for the score that a Butler board is compared with.

    At each end ``trim`` scores are left out, or ``trim_share`` of them (rounded to the nearest
    whole number, a half up) if that is more; boards with fewer than ``trim_from`` scores are not
    trimmed. The mean of the rest is rounded to a multiple of ``unit``; 0 leaves it exact.
    """

    trim: int = 1
    trim_share: Fraction = Fraction(0)
    trim_from: int = 4
    unit: int = 10
    tie: DatumTie = DatumTie.AWAY

    def __post_init__(self) -> None:
        if self.trim < 0 or self.unit < 0 or not 0 <= self.trim_share < HALF:
            raise InputError(
                "a {value}: what is left out and rounded to cannot be negative, nor half "
                "or more of the scores be left out at each end",
                value=self,
            )

    def __str__(self) -> str:
        off = f"{100 * self.trim_share}%" if self.trim_share else str(self.trim)
        if self.unit:
            return Message("datum to {unit}, {off} off each end", unit=self.unit, off=off)
        return Message("datum exact, {off} off each end", off=off)

    def trimmed(self, count: int) -> int:
        """The number of ``count`` scores left out at each end; at least one always stays."""
        if count < self.trim_from:
            return 0
        wanted = max(self.trim, floor(self.trim_share * count + HALF))
        return min(wanted, (count - 1) // 2)

    def of(self, scores: Sequence[Fraction]) -> Fraction:
        """The datum of these scores, all North-South's."""
        out = self.trimmed(len(scores))
        kept = sorted(scores)[out : len(scores) - out]
        if not kept:
            raise InputError("a datum needs at least one score")
        return self.rounded(sum(kept, Fraction(0)) / len(kept))

    def rounded(self, mean: Fraction) -> Fraction:
        """``mean`` to the nearest multiple of the unit, a tie going the way chosen."""
        if not self.unit:
            return mean
        steps = mean / self.unit
        up = {
            DatumTie.UP: True,
            DatumTie.DOWN: False,
            DatumTie.AWAY: steps > 0,
            DatumTie.TOWARDS: steps < 0,
        }[self.tie]
        return Fraction((floor(steps + HALF) if up else ceil(steps - HALF)) * self.unit)


def butler(own: Weighted, datum: Fraction) -> Fraction:
    """IMPs of a score against the datum: each assigned score by its weight."""
    return sum((weight * imps(score - datum) for weight, score in own), Fraction(0))


# --- pairs and individuals ---------------------------------------------------------------------


AVERAGE_PLUS = ArtificialScore(Fraction(3, 5))
NO_TOP = Fraction(0)


@dataclass(frozen=True, slots=True)
class ImpRules:
    """The rules for scoring a pairs event in IMPs; every switch is a choice programs differ in, and
    ``imp_conventions.toml`` says what each means. An event is scored by ``butler`` or in
    cross-IMPs, and its sections are ``compared`` as it says."""

    name: str = "exact"
    title: str = ""
    divisor: Divisor = Divisor.COMPARISONS
    datum: Datum = Datum()
    average_plus: Fraction = Fraction(3)
    line_unit: Fraction = Fraction(0)
    prorated: bool = False
    total_unit: Fraction = Fraction(0)
    butler: bool = field(default=False, metadata={"of_event": True})
    compared: SectionGroups = field(default=SectionGroups(), metadata={"of_event": True})

    def __str__(self) -> str:
        return self.name

    @property
    def against(self) -> Divisor | Datum:
        """A divisor for cross-IMPs, a datum for Butler."""
        return self.datum if self.butler else self.divisor

    @property
    def comparison(self) -> str:
        """In words, what a score is compared with."""
        if self.butler:
            return str(self.datum)
        if self.divisor is Divisor.NOTHING:
            return Message("a sum")
        return Message("divided by {what}", what=word(str(self.divisor)))


CROSS_IMPS = ImpRules()


@dataclass(frozen=True, slots=True)
class ImpScores:
    """An event scored in IMPs: its boards, and what each entrant gathered in each session."""

    event: Event
    boards: tuple[ScoredBoard, ...]
    sessions: tuple[tuple[Tally, ...], ...]
    rules: ImpRules

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """All sessions together."""
        return combine(self.sessions)


def score_imps(event: Event, rules: ImpRules = CROSS_IMPS) -> ImpScores:
    """Every line against every other table that played the board, or against its datum."""
    boards = [imp_boards(session, rules) for session in event.sessions]
    tallies = tuple(
        tally_imps(event, own, penalties_in(("imps",), session, event), rules)
        for session, own in zip(event.sessions, boards, strict=True)
    )
    return ImpScores(event, tuple(b for own in boards for b in own), tallies, rules)


# --- one board --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """The scores that count for one side of every line of a group, and the datum where there is
    one.

    ``tables`` is how many of all the board's lines, in whatever version, have a score.
    """

    scores: tuple[Weighted | ArtificialScore, ...]
    tables: int
    datum: Fraction | None = None


@dataclass(frozen=True, slots=True)
class ImpGroup:
    """The lines of a board that are compared with one another: those of one version.

    A version that only one table has a score on, while others played another, cannot be compared:
    the score counts as average plus.
    """

    results: tuple[Result, ...]
    rules: ImpRules
    ns: ComparedSide
    ew: ComparedSide

    def column(self, side: Side) -> ComparedSide:
        return self.ns if side is Side.NS else self.ew

    def line(self, index: int) -> ScoredLine:
        """One line with the IMPs of both sides."""
        ns, ew = (
            SideScore(self.imps(index, side), NO_TOP, self._how(index, side)) for side in Side
        )
        return ScoredLine(self.results[index], ns, ew)

    def _how(self, index: int, side: Side) -> How:
        if isinstance(self.column(side).scores[index], ArtificialScore):
            return "lone score" if self.lone(index, side) else "artificial"
        return "butler" if self.rules.butler else "cross-imps"

    def lone(self, index: int, side: Side) -> bool:
        """True if a line's score has nothing to be compared with."""
        counted = self.column(side).scores[index]
        return isinstance(counted, ArtificialScore) and self._has_score(index, side)

    def _has_score(self, index: int, side: Side) -> bool:
        return comparable(self.results[index], side) is not None

    def others(self, index: int, side: Side) -> tuple[Weighted, ...]:
        """The scores a line is compared with; artificial ones are no scores to compare with."""
        scores = self.column(side).scores
        rest = scores[:index] + scores[index + 1 :]
        return tuple(score for score in rest if not isinstance(score, ArtificialScore))

    def imps(self, index: int, side: Side) -> Fraction:
        """One side's IMPs on one line, as that side sees them, rounded if the rules say so."""
        own = self.column(side).scores[index]
        if isinstance(own, ArtificialScore):
            value = self.times(index, side) * artificial_imps(own, self.rules.average_plus)
        else:
            value = self._against_the_field(index, side, own)
        unit = self.rules.line_unit
        return half_up(value, unit) if unit else value

    def _against_the_field(self, index: int, side: Side, own: Weighted) -> Fraction:
        datum = self.column(side).datum
        if datum is not None:
            return butler(own, datum)
        return cross_imps(own, self.others(index, side), self.rules.divisor)

    def times(self, index: int, side: Side) -> int:
        """The weight of an artificial score: as if won against each other table where IMPs are a
        sum, so that it weighs as much as a played board; otherwise once."""
        if self.rules.against is not Divisor.NOTHING:
            return 1
        return self.column(side).tables - self._has_score(index, side)


def groups_of(results: Iterable[Result], rules: ImpRules) -> tuple[ImpGroup, ...]:
    """The lines of one board by version, those not played left out."""
    versions: dict[str, list[Result]] = {}
    for result in results:
        if is_played(result):
            versions.setdefault(result.version, []).append(result)
    sides = [_columns(list(versions.values()), side, rules) for side in Side]
    return tuple(
        ImpGroup(tuple(own_results), rules, ns, ew)
        for own_results, ns, ew in zip(versions.values(), *sides, strict=True)
    )


def _columns(
    versions: Sequence[Sequence[Result]], side: Side, rules: ImpRules
) -> list[ComparedSide]:
    """One side of every version; each side for itself, because a ruling may be for one only."""
    scores = [[comparable(result, side) for result in own] for own in versions]
    counts = [sum(score is not None for score in own) for own in scores]
    fouled = sum(count > 0 for count in counts) > 1
    columns = []
    for results, own, count in zip(versions, scores, counts, strict=True):
        lone = fouled and count == 1
        counted = tuple(
            (None if lone else score) or artificial(result, side) or AVERAGE_PLUS
            for result, score in zip(results, own, strict=True)
        )
        columns.append(ComparedSide(counted, sum(counts), _datum(counted, side, rules)))
    return columns


def _datum(
    scores: Sequence[Weighted | ArtificialScore], side: Side, rules: ImpRules
) -> Fraction | None:
    means = [mean_score(score) for score in scores if not isinstance(score, ArtificialScore)]
    if not rules.butler or not means:
        return None
    # North-South's chair decides where a tie goes, so that both sides have the same datum.
    sign = 1 if side is Side.NS else -1
    return sign * rules.datum.of([sign * mean for mean in means])


def imp_board(results: Sequence[Result], rules: ImpRules) -> tuple[ScoredLine, ...]:
    """Both sides of every line of one board, in the order of the traveller."""
    scored = {
        id(result): group.line(index)
        for group in groups_of(results, rules)
        for index, result in enumerate(group.results)
    }
    return tuple(scored.get(id(result), ScoredLine(result)) for result in results)


def imp_boards(session: Session, rules: ImpRules) -> tuple[ScoredBoard, ...]:
    """Every board of a session, by number; by section too if these are scored apart."""
    gathered: dict[tuple[int, str], list[Result]] = {}
    for result in session.results:
        section = rules.compared.field_of(result.section)
        gathered.setdefault((result.board, section), []).append(result)
    return tuple(
        ScoredBoard(number, session.number, section, imp_board(results, rules))
        for (number, section), results in sorted(gathered.items(), key=lambda item: item[0])
    )


# --- totals -----------------------------------------------------------------------------------


def tally_imps(
    event: Event, boards: Iterable[ScoredBoard], penalties: Iterable[Penalty], rules: ImpRules
) -> tuple[Tally, ...]:
    """The tallies of everyone that played or was fined on these boards of a session."""
    known = {e.entrant.id: e for e in event.entrants}
    gathered: dict[str, list[Fraction]] = {}
    for board in boards:
        for line in board.lines:
            for entrant, _, score in line.shares():
                if entrant not in known:
                    raise InputError(
                        "board {number}: no entrant {entrant!r} in the event",
                        number=board.number,
                        entrant=entrant,
                    )
                gathered.setdefault(entrant, []).append(score.points)
    most = max((len(points) for points in gathered.values()), default=0)
    taken: dict[str, Fraction] = {}
    for penalty in penalties:
        gathered.setdefault(penalty.entrant, [])
        taken[penalty.entrant] = taken.get(penalty.entrant, Fraction(0)) + penalty.amount
    return tuple(
        Tally(known[id], total_imps(points, most, rules) - taken.get(id, 0), boards=len(points))
        for id, points in gathered.items()
    )


def total_imps(points: Sequence[Fraction], most: int, rules: ImpRules) -> Fraction:
    """The sum of an entrant's lines, raised to ``most`` boards where totals are prorated."""
    total = sum(points, Fraction(0))
    if not rules.prorated or len(points) in (0, most):
        return total
    rounded = half_up(total, rules.total_unit) if rules.total_unit else total
    return rounded * most / len(points)


def penalties_in(units: Sequence[str], session: Session, event: Event) -> tuple[Penalty, ...]:
    """The session's penalties, all of which must be in a unit the event is scored in."""
    known = {e.entrant.id for e in event.entrants}
    for penalty in session.penalties:
        if penalty.unit not in units:
            raise InputError(
                "a penalty of {amount} {unit} for {entrant}: this event is scored in {units}",
                amount=penalty.amount,
                unit=penalty.unit,
                entrant=penalty.entrant,
                units=every(units),
            )
        if penalty.entrant not in known:
            raise InputError(
                "a penalty for {entrant!r}, which is not in the event", entrant=penalty.entrant
            )
    return session.penalties


# --- conventions of programs -------------------------------------------------------------------


DEFAULT = "exact"


def imp_convention(name: str = DEFAULT) -> ImpRules:
    """The rules of a program by its name; an unknown one names those there are."""
    known = conventions()
    if name not in known:
        raise UnknownName("IMP convention", name, known)
    return known[name]


def conventions() -> dict[str, ImpRules]:
    """The rules of every program we know, by its name."""
    return bundled(ImpRules, "imp_conventions.toml")
