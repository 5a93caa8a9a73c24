"""What matches add up to: points, matches won and drawn, byes and penalties, by entrant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from honours.errors import InputError
from honours.model import Event, EventEntrant, Penalty, Session, Value
from honours.scoring.imp_pairs import penalties_in
from honours.scoring.matches import MatchRules, MatchScore, MatchSide, MatchUnit, with_penalty
from honours.scoring.scored import Oddity
from honours.scoring.standings import Tally, combine

NOT_KNOWN = "not known"
"""The margin of who has a match of which only the victory points are given."""


@dataclass(frozen=True, slots=True)
class Bye:
    """A round that an entrant sat out, and what it gets for it."""

    session: int
    round: int
    entrant: str
    points: Fraction


@dataclass(frozen=True, slots=True)
class MatchScores:
    """An event of matches: each as scored, and what each entrant gathered in each session."""

    event: Event
    matches: tuple[MatchScore, ...]
    byes: tuple[Bye, ...]
    sessions: tuple[tuple[Tally, ...], ...]
    rules: MatchRules
    oddities: tuple[Oddity, ...] = ()

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """All sessions together."""
        return combine(self.sessions)


def total_matches(
    event: Event,
    matches: Sequence[MatchScore],
    byes: Sequence[Bye],
    unit: MatchUnit,
    rules: MatchRules,
    oddities: tuple[Oddity, ...] = (),
) -> MatchScores:
    """Apply penalties, award byes, and add up every session."""
    finished: list[MatchScore] = []
    rested: list[Bye] = []
    tallies = []
    for session in event.sessions:
        penalties = penalties_in(_units(unit, rules), session, event)
        own = [match for match in matches if match.session == session.number]
        fined = _fine_in_matches(own, penalties, rules)
        absent = [bye for bye in byes if bye.session == session.number]
        absent += sat_out(session, own, absent, rules)
        tallies.append(_tally(event, fined, absent, penalties, unit, rules))
        finished += fined
        rested += absent
    return MatchScores(event, tuple(finished), tuple(rested), tuple(tallies), rules, oddities)


# --- byes and penalties ---------------------------------------------------------------------------


def sat_out(
    session: Session, matches: Iterable[MatchScore], given: Iterable[Bye], rules: MatchRules
) -> list[Bye]:
    """Rounds that someone who plays in this session did not; worth nothing unless chosen."""
    if rules.bye is None:
        return []
    met = {(side.entrant, match.round) for match in matches for side in match.sides}
    rounds = sorted({round for _, round in met})
    who = dict.fromkeys(entrant for entrant, _ in sorted(met))
    met |= {(bye.entrant, bye.round) for bye in given}
    return [
        Bye(session.number, round, entrant, rules.bye)
        for round in rounds
        for entrant in who
        if (entrant, round) not in met
    ]


def _units(unit: MatchUnit, rules: MatchRules) -> tuple[str, ...]:
    if unit is MatchUnit.IMPS:
        return ("imps",) if rules.scale is None else ("vps", "imps")
    return ("matchpoints", "percent") if rules.scale is None else ("vps",)


def _fine_in_matches(
    matches: Iterable[MatchScore], penalties: Iterable[Penalty], rules: MatchRules
) -> list[MatchScore]:
    """Where a scale turns IMPs into victory points, IMPs are taken off a match, and it must be
    plain off which."""
    fined = list(matches)
    for penalty in penalties:
        if penalty.unit != "imps" or rules.scale is None:
            continue
        played = [i for i, match in enumerate(fined) if match.side_of(penalty.entrant)]
        if len(played) != 1:
            raise InputError(
                "a penalty of {amount} imps for {entrant}, which played {count} matches in "
                "the session; expected one, or a penalty in vps",
                amount=penalty.amount,
                entrant=penalty.entrant,
                count=len(played),
            )
        fined[played[0]] = _fined(fined[played[0]], penalty, rules)
    return fined


def _fined(match: MatchScore, penalty: Penalty, rules: MatchRules) -> MatchScore:
    def changed(side: MatchSide) -> MatchSide:
        if side.entrant != penalty.entrant:
            return side
        return with_penalty(side, penalty.amount, match.length, rules)

    return replace(match, home=changed(match.home), away=changed(match.away))


def off_total(penalty: Penalty, rules: MatchRules) -> Fraction:
    """What comes off a total; a board is worth 1, so a percentage is of that. IMPs that a scale
    turns into victory points come off their match instead."""
    if penalty.unit == "imps" and rules.scale is not None:
        return Fraction(0)
    return penalty.amount / 100 if penalty.unit == "percent" else penalty.amount


# --- totals ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Count:
    """What one entrant has gathered so far."""

    points: Fraction = Fraction(0)
    margin: Fraction | None = Fraction(0)
    boards: int = 0
    facts: dict[str, int] = field(
        default_factory=lambda: {"won": 0, "drawn": 0, "matches_played": 0, "byes": 0}
    )

    def add(self, match: MatchScore, side: MatchSide) -> None:
        self.points += side.points
        if self.margin is not None:
            self.margin = None if side.margin is None else self.margin + side.margin
        self.boards += match.scored
        self.facts["won"] += side.won
        self.facts["drawn"] += side.drawn
        self.facts["matches_played"] += 1

    def tally(self, entrant: EventEntrant, possible: bool) -> Tally:
        facts: dict[str, Value] = {name: Fraction(count) for name, count in self.facts.items()}
        facts["margin"] = NOT_KNOWN if self.margin is None else self.margin
        most = Fraction(self.boards) if possible else Fraction(0)
        return Tally(entrant, self.points, most, self.boards, (self.margin or Fraction(0),), facts)


def _tally(
    event: Event,
    matches: Iterable[MatchScore],
    byes: Iterable[Bye],
    penalties: Iterable[Penalty],
    unit: MatchUnit,
    rules: MatchRules,
) -> tuple[Tally, ...]:
    known = {e.entrant.id: e for e in event.entrants}
    counts: dict[str, _Count] = {}
    for match in matches:
        for side in match.sides:
            _count(counts, side.entrant, known).add(match, side)
    for bye in byes:
        count = _count(counts, bye.entrant, known)
        count.points += bye.points
        count.facts["byes"] += 1
    for penalty in penalties:
        _count(counts, penalty.entrant, known).points -= off_total(penalty, rules)
    possible = unit is MatchUnit.BOARDS and rules.scale is None
    return tuple(count.tally(known[id], possible) for id, count in counts.items())


def _count(counts: dict[str, _Count], id: str, known: Mapping[str, EventEntrant]) -> _Count:
    if id not in known:
        raise InputError("a match of {id!r}, which is not an entrant of the event", id=id)
    return counts.setdefault(id, _Count())
