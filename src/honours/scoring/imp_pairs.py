"""Pairs and individuals scored in IMPs: against every other table, or against a datum.

The two sides of a table are scored apart, each against the scores of the same side, because a
ruling may give them different ones; without a ruling one side's IMPs are the other's, turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from honours.errors import InputError
from honours.model import Artificial
from honours.scoring.imps import (
    Datum,
    Divisor,
    artificial_imps,
    butler,
    cross_imps,
    mean_score,
)
from honours.scoring.rounding import half_up
from honours.scoring.scored import ScoredBoard, ScoredLine, SideScore
from honours.scoring.sides import Side, artificial, comparable, is_played
from honours.scoring.standings import Tally, combine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honours.model import Event, Penalty, Result, Session
    from honours.scoring.sides import Weighted

AVERAGE_PLUS = Artificial(Fraction(3, 5))
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
    sections_apart: bool = False


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
        tally_imps(event, found, penalties_in(("imps",), session, event), rules)
        for session, found in zip(event.sessions, boards, strict=True)
    )
    return ImpScores(event, tuple(b for found in boards for b in found), tallies, rules)


# --- one board --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """What counts for one side of every line of a group, and the datum where there is one."""

    scores: tuple[Weighted | Artificial, ...]
    datum: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The lines of a board that are compared with one another: those of one version.

    ``lone`` marks a version that only one table played while others played another: nobody can
    compare with it, so both sides get average plus unless a ruling gave them something else.
    """

    results: tuple[Result, ...]
    rules: ImpRules
    lone: bool
    ns: Column
    ew: Column

    def column(self, side: Side) -> Column:
        return self.ns if side is Side.NS else self.ew

    def line(self, index: int) -> ScoredLine:
        """One line with the IMPs of both sides."""
        ns, ew = (self._side_score(index, side) for side in Side)
        return ScoredLine(self.results[index], ns, ew)

    def _side_score(self, index: int, side: Side) -> SideScore:
        points = self.imps(index, side)
        scores = self.column(side).scores
        if isinstance(scores[index], Artificial):
            return SideScore(points, NO_TOP, "lone score" if self.lone else "artificial")
        how = "butler" if isinstance(self.rules.against, Datum) else "cross-imps"
        obtained = sum(not isinstance(score, Artificial) for score in scores)
        return SideScore(points, NO_TOP, how, obtained)

    def others(self, index: int, side: Side) -> tuple[Weighted, ...]:
        """The scores a line is compared with; artificial ones are no scores to compare with."""
        scores = self.column(side).scores
        rest = scores[:index] + scores[index + 1 :]
        return tuple(score for score in rest if not isinstance(score, Artificial))

    def imps(self, index: int, side: Side) -> Fraction:
        """One side's IMPs on one line, as that side sees them, rounded if the rules say so."""
        own = self.column(side).scores[index]
        if isinstance(own, Artificial):
            value = self._artificial(index, side, own)
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

    def _artificial(self, index: int, side: Side, own: Artificial) -> Fraction:
        """As if won against each table, so that in a sum it weighs as much as a played board."""
        times = len(self.others(index, side)) if self.rules.against is Divisor.NOTHING else 1
        return times * artificial_imps(own, self.rules.average_plus)


def groups_of(results: Iterable[Result], rules: ImpRules) -> tuple[Group, ...]:
    """The lines of one board by version, those not played left out."""
    versions: dict[str, list[Result]] = {}
    for result in results:
        if is_played(result):
            versions.setdefault(result.version, []).append(result)
    return tuple(
        _group(found, rules, lone=len(versions) > 1 and len(found) == 1)
        for found in versions.values()
    )


def _group(results: Sequence[Result], rules: ImpRules, lone: bool) -> Group:
    ns, ew = (_column(results, side, rules, lone) for side in Side)
    return Group(tuple(results), rules, lone, ns, ew)


def _column(results: Sequence[Result], side: Side, rules: ImpRules, lone: bool) -> Column:
    scores = tuple(
        (None if lone else comparable(result, side)) or artificial(result, side) or AVERAGE_PLUS
        for result in results
    )
    means = [mean_score(score) for score in scores if not isinstance(score, Artificial)]
    if not isinstance(rules.against, Datum) or not means:
        return Column(scores)
    # North-South's chair decides where a tie goes, so that both sides have the same datum.
    sign = 1 if side is Side.NS else -1
    return Column(scores, sign * rules.against.of([sign * mean for mean in means]))


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
        section = result.section if rules.sections_apart else ""
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
                    raise InputError(f"board {board.number}: no entrant {entrant!r} in the event")
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
            said = f"{penalty.amount} {penalty.unit} for {penalty.entrant}"
            raise InputError(f"a penalty of {said}: this event is scored in {' and '.join(units)}")
        if penalty.entrant not in known:
            raise InputError(f"a penalty for {penalty.entrant!r}, which is not in the event")
    return session.penalties
