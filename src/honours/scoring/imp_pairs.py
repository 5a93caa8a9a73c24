"""Pairs and individuals scored in IMPs: against every other table, or against a datum.

The two sides of a table are scored apart, each against the scores of the same side, because a
ruling may give them different ones; without a ruling one side's IMPs are the other's, turned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from honours.errors import InputError
from honours.model import ArtificialScore, Event, Penalty, Result, Session
from honours.model.message import Message, every, word
from honours.scoring.comparison import SectionGroups
from honours.scoring.imps import (
    Datum,
    Divisor,
    artificial_imps,
    butler,
    cross_imps,
    mean_score,
)
from honours.scoring.rounding import half_up
from honours.scoring.scored import How, ScoredBoard, ScoredLine, SideScore
from honours.scoring.sides import Side, Weighted, artificial, comparable, is_played
from honours.scoring.standings import Tally, combine

AVERAGE_PLUS = ArtificialScore(Fraction(3, 5))
NO_TOP = Fraction(0)


@dataclass(frozen=True, slots=True)
class ImpRules:
    """How a pairs event is scored in IMPs; every field is a choice programs differ in.

    ``against`` is a divisor for cross-IMPs or a datum for Butler; ``average_plus`` what a 60%
    artificial score is worth. Lines are rounded to ``line_unit`` before they are added (0: not
    at all). ``prorated`` raises the total of who played fewer boards to the most that anyone
    played, after rounding it to ``total_unit``.
    """

    against: Divisor | Datum = Divisor.COMPARISONS
    average_plus: Fraction = Fraction(3)
    line_unit: Fraction = Fraction(0)
    prorated: bool = False
    total_unit: Fraction = Fraction(0)
    compared: SectionGroups = SectionGroups()  # noqa: RUF009 - frozen, so one may serve all

    def __str__(self) -> str:
        if isinstance(self.against, Datum):
            return str(self.against)
        if self.against is Divisor.NOTHING:
            return Message("a sum")
        return Message("divided by {what}", what=word(str(self.against)))


CROSS_IMPS = ImpRules()
BUTLER = ImpRules(Datum())


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


def score_cross_imps(event: Event, rules: ImpRules = CROSS_IMPS) -> ImpScores:
    """Every line against every other table that played the board."""
    return _score(event, rules)


def score_butler(event: Event, rules: ImpRules = BUTLER) -> ImpScores:
    """Every line against its board's datum."""
    return _score(event, rules)


def _score(event: Event, rules: ImpRules) -> ImpScores:
    boards = [imp_boards(session, rules) for session in event.sessions]
    tallies = tuple(
        tally_imps(event, own, penalties_in(("imps",), session, event), rules)
        for session, own in zip(event.sessions, boards, strict=True)
    )
    return ImpScores(event, tuple(b for own in boards for b in own), tallies, rules)


# --- one board --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """What counts for one side of every line of a group, and the datum where there is one.

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
        ns, ew = (self._side_score(index, side) for side in Side)
        return ScoredLine(self.results[index], ns, ew)

    def _side_score(self, index: int, side: Side) -> SideScore:
        return SideScore(self.imps(index, side), NO_TOP, self._how(index, side))

    def _how(self, index: int, side: Side) -> How:
        if isinstance(self.column(side).scores[index], ArtificialScore):
            return "lone score" if self.lone(index, side) else "artificial"
        return "butler" if isinstance(self.rules.against, Datum) else "cross-imps"

    def lone(self, index: int, side: Side) -> bool:
        """Whether a line's score has nothing to be compared with."""
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
        against = self.rules.against
        divisor = against if isinstance(against, Divisor) else Divisor.COMPARISONS
        return cross_imps(own, self.others(index, side), divisor)

    def times(self, index: int, side: Side) -> int:
        """How often an artificial score counts: as if won against each other table where IMPs
        are a sum, so that it weighs as much as a played board; otherwise once."""
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
    if not isinstance(rules.against, Datum) or not means:
        return None
    # North-South's chair decides where a tie goes, so that both sides have the same datum.
    sign = 1 if side is Side.NS else -1
    return sign * rules.against.of([sign * mean for mean in means])


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
    """What everyone that played or was fined gathered on these boards of a session."""
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
