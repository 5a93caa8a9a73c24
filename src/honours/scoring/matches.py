"""Matches: what each board was worth to either side, what the match is worth, and what matches add
up to.

A side is always seen from its own chair. After a ruling that is not the same for both, the margins
need not mirror each other, so each side's victory points come from its own margin. Serves multiple
teams, Swiss teams, leagues and board-a-match, teams of four (two tables a board) to eight. Swiss
pairs have no second table: what they got against the field on the round's boards is the margin
against the pair they met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import Literal

from honours.errors import InputError, MissingInput
from honours.model import (
    ArtificialScore,
    Event,
    EventEntrant,
    Match,
    Penalty,
    Result,
    Session,
    Value,
)
from honours.model.message import Message, joined
from honours.scoring.imps import AVERAGE_PLUS, HALF, artificial_imps, imps, penalties_in
from honours.scoring.scored import (
    Oddity,
    ScoredBoard,
    Side,
    SideScore,
    Weighted,
    artificial,
    comparable,
    entrants,
    is_played,
)
from honours.scoring.standings import Tally, combine
from honours.scoring.victory_points import WBF, Scale

AVERAGE_PLUS_IMPS = Fraction(3)


class MatchUnit(StrEnum):
    """In what a match counts its boards."""

    IMPS = "imps"
    BOARDS = "boards"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The rules for scoring matches; every field is the organiser's choice.

    ``scale`` turns a margin into victory points, and without one the margin itself counts.
    ``length`` is the number of boards the scale is asked for, whatever was scored of them; 0
    takes those that were scored.
    Where more than two tables play a board (teams of eight), every pair of tables is compared and
    the IMPs are added, or with ``divided`` their mean is taken. ``bye`` is what a round without
    an opponent is worth. ``rounds_apart`` tells the rounds of two entrants apart; without it all
    the boards they played are one match.
    """

    scale: Scale | None = WBF
    length: int = 0
    average_plus: Fraction = AVERAGE_PLUS_IMPS
    divided: bool = False
    bye: Fraction | None = None
    rounds_apart: bool = True

    def __str__(self) -> str:
        parts = [
            Message("by the {scale}", scale=self.scale.title)
            if self.scale
            else Message("without victory points"),
            Message("as {boards} boards", boards=self.length) if self.length else "",
            Message("average plus {imps}", imps=self.average_plus)
            if self.average_plus != AVERAGE_PLUS_IMPS
            else "",
            Message("mean of tables") if self.divided else "",
            Message("bye {points}", points=self.bye) if self.bye is not None else "",
            "" if self.rounds_apart else Message("rounds together"),
        ]
        return joined("; ", filter(None, parts))


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match and what either side got on it."""

    number: int
    home: Fraction
    away: Fraction
    how: Literal["", "fouled", "ruling"] = ""
    results: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSide:
    """One side of a match: by how much it is ahead, and what that is worth to it.

    ``lead`` says who won: the margin, or the difference in victory points where ``known`` is
    false because a file gives nothing else.
    """

    entrant: str
    lead: Fraction
    points: Fraction
    penalty: Fraction = Fraction(0)
    known: bool = True

    @property
    def margin(self) -> Fraction | None:
        """The IMPs, boards or percentage it is ahead by; ``None`` where nobody knows."""
        return self.lead if self.known else None

    @property
    def won(self) -> bool:
        return self.lead > 0

    @property
    def drawn(self) -> bool:
        return self.lead == 0


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match as scored; ``length`` boards count for its victory points, ``scored`` were played
    and counted."""

    session: int
    round: int
    home: MatchSide
    away: MatchSide
    length: int
    scored: int
    boards: tuple[MatchBoard, ...] = ()
    unit: MatchUnit = MatchUnit.IMPS

    @property
    def sides(self) -> tuple[MatchSide, MatchSide]:
        return self.home, self.away

    def side_of(self, entrant: str) -> MatchSide | None:
        """The side an entrant was on; ``None`` if it did not play this match."""
        return next((side for side in self.sides if side.entrant == entrant), None)


# --- a board of a match of teams -----------------------------------------------------------------


def team_board(
    results: Sequence[Result], home: str, away: str, unit: MatchUnit, rules: MatchRules
) -> MatchBoard | None:
    """The worth of a board to both teams; ``None`` if there was nothing to compare."""
    board = results[0].board
    values = [_team_points(results, team, unit, rules) for team in (home, away)]
    if values[0] is None or values[1] is None:
        return None
    ruled = any(result.adjusted is not None for result in results)
    fouled = len({result.version for result in results}) > 1
    return MatchBoard(
        board,
        values[0],
        values[1],
        "fouled" if fouled else "ruling" if ruled else "",
        tuple(results),
    )


def _team_points(
    results: Sequence[Result], team: str, unit: MatchUnit, rules: MatchRules
) -> Fraction | None:
    """Every table where the team sat North-South with every one where it sat East-West."""
    here = [result for result in results if team in entrants(result, Side.NS)]
    there = [result for result in results if team in entrants(result, Side.EW)]
    values = [_compared(one, other, unit, rules) for one, other in product(here, there)]
    if not here or not there:
        values = [_alone(result, team, unit, rules) for result in results]
    counted = [value for value in values if value is not None]
    if not counted:
        return None
    total = sum(counted, Fraction(0))
    return total / len(counted) if rules.divided or unit is MatchUnit.BOARDS else total


def _compared(here: Result, there: Result, unit: MatchUnit, rules: MatchRules) -> Fraction | None:
    """A team's two tables: North-South at the one, East-West at the other."""
    ruled = [r for r in (artificial(here, Side.NS), artificial(there, Side.EW)) if r is not None]
    if ruled:
        # Both tables may have been ruled on; the board is still one board.
        worth = [_artificial_points(ruling, unit, rules) for ruling in ruled]
        return sum(worth, Fraction(0)) / len(worth)
    own, other = comparable(here, Side.NS), comparable(there, Side.EW)
    if own is None or other is None:
        return None
    if here.version != there.version:
        return _artificial_points(AVERAGE_PLUS, unit, rules)
    return _swing(own, other, unit)


def _alone(result: Result, team: str, unit: MatchUnit, rules: MatchRules) -> Fraction | None:
    """A table whose counterpart is missing counts only if it was given an artificial score."""
    side = Side.NS if team in entrants(result, Side.NS) else Side.EW
    ruling = artificial(result, side)
    return None if ruling is None else _artificial_points(ruling, unit, rules)


def _artificial_points(ruling: ArtificialScore, unit: MatchUnit, rules: MatchRules) -> Fraction:
    return ruling.share if unit is MatchUnit.BOARDS else artificial_imps(ruling, rules.average_plus)


def _swing(here: Weighted, there: Weighted, unit: MatchUnit) -> Fraction:
    """The IMPs, or the share of the board, for what a team scored at its two tables together."""
    worth = _board_won if unit is MatchUnit.BOARDS else imps
    return sum((v * w * worth(x + y) for v, x in here for w, y in there), Fraction(0))


def _board_won(together: int | Fraction) -> Fraction:
    return HALF if together == 0 else Fraction(together > 0)


# --- the match -----------------------------------------------------------------------------------


def match_score(
    session: int,
    round: int,
    teams: tuple[str, str],
    boards: Sequence[MatchBoard],
    unit: MatchUnit,
    rules: MatchRules,
) -> MatchScore:
    """Add up the boards and turn the margins into what the match is worth."""
    length = rules.length or len(boards)
    totals = [
        sum((board.home for board in boards), Fraction(0)),
        sum((board.away for board in boards), Fraction(0)),
    ]
    home, away = (
        _side(team, total, len(boards), length, unit, rules)
        for team, total in zip(teams, totals, strict=True)
    )
    return MatchScore(session, round, home, away, length, len(boards), tuple(boards), unit)


def _side(
    team: str, total: Fraction, scored: int, length: int, unit: MatchUnit, rules: MatchRules
) -> MatchSide:
    """Boards are won above half of them, IMPs above none; percentages are a mean."""
    margins = {
        MatchUnit.IMPS: total,
        MatchUnit.BOARDS: total - HALF * scored,
        MatchUnit.PERCENT: total / max(1, scored),
    }
    margin = margins[unit]
    if rules.scale is None:
        return MatchSide(team, margin, total)
    return MatchSide(team, margin, rules.scale.victory_points(margin, length))


def with_penalty(side: MatchSide, amount: Fraction, length: int, rules: MatchRules) -> MatchSide:
    """IMPs taken from one side: it gets what the smaller margin is worth, the opponents gain
    nothing, and who won is not changed by it."""
    penalty = side.penalty + amount
    margin = side.lead - penalty
    points = margin if rules.scale is None else rules.scale.victory_points(margin, length)
    return replace(side, points=points, penalty=penalty)


# --- what matches add up to --------------------------------------------------------------------


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
    """Take IMPs, where a scale turns them into victory points, off a match, and it must be plain
    off which."""
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
    """The points that come off a total; a board is worth 1, so a percentage is of that. IMPs that a
    scale turns into victory points come off their match instead."""
    if penalty.unit == "imps" and rules.scale is not None:
        return Fraction(0)
    return penalty.amount / 100 if penalty.unit == "percent" else penalty.amount


# --- totals ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Count:
    """The running totals of one entrant."""

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


# --- team events -------------------------------------------------------------------------------


Teams = tuple[str, str]
Key = tuple[int, int, Teams]
"""Session, round and the two that met; the rounds of one match all have the key of its first."""

TEAMS = MatchRules()
BOARD_A_MATCH = MatchRules(scale=None)


def score_teams(event: Event, rules: MatchRules = TEAMS) -> MatchScores:
    """Matches in IMPs, turned into victory points by the scale if there is one."""
    return _score(event, MatchUnit.IMPS, rules)


def score_board_a_match(event: Event, rules: MatchRules = BOARD_A_MATCH) -> MatchScores:
    """Every board is a match of its own: won 1, tied ½, lost 0."""
    return _score(event, MatchUnit.BOARDS, rules)


def _score(event: Event, unit: MatchUnit, rules: MatchRules) -> MatchScores:
    matches: list[MatchScore] = []
    oddities: list[Oddity] = []
    played = gather_matches(event, rules)
    for (session, round, teams), results in played.items():
        boards, unpaired = _boards(results, teams, unit, rules)
        oddities += unpaired
        if boards:
            matches.append(match_score(session, round, teams, boards, unit, rules))
    given, byes = given_matches(event, played, rules)
    return total_matches(event, matches + given, byes, unit, rules, tuple(oddities))


# --- matches from results ---------------------------------------------------------------------


def gather_matches(event: Event, rules: MatchRules) -> dict[Key, list[tuple[int, Result]]]:
    """The results of every match with their session, in the order they were played."""
    matches: dict[Key, list[tuple[int, Result]]] = {}
    first: dict[Teams, Key] = {}
    for session in event.sessions:
        for result in session.results:
            if not is_played(result):
                continue
            teams = _teams(result)
            key = (session.number, result.round, teams)
            if not rules.rounds_apart:
                key = first.setdefault(teams, key)
            matches.setdefault(key, []).append((session.number, result))
    return matches


def _teams(result: Result) -> Teams:
    if len(result.ns) != 1 or len(result.ew) != 1:
        raise InputError(
            "board {board}: expected one entrant a side in a match", board=result.board
        )
    one, other = sorted((result.ns[0], result.ew[0]), key=natural_order)
    return one, other


def natural_order(id: str) -> tuple[int, str]:
    """Team 2 before team 10; names after numbers."""
    return (int(id), "") if id.isdecimal() and len(id) < 10 else (10**9, id)


def _boards(
    results: Iterable[tuple[int, Result]], teams: Teams, unit: MatchUnit, rules: MatchRules
) -> tuple[list[MatchBoard], list[Oddity]]:
    """The boards of a match, and those that only one table played."""
    tables: dict[tuple[int, int], list[Result]] = {}
    for session, result in results:
        tables.setdefault((session, result.board), []).append(result)
    boards, unpaired = [], []
    for (_, number), lines in sorted(tables.items(), key=lambda item: item[0]):
        board = team_board(lines, *teams, unit, rules)
        if board is None:
            alone = Message(
                "board {board} of {home} v {away}: nothing to compare with, not scored",
                board=number,
                home=teams[0],
                away=teams[1],
            )
            unpaired.append(Oddity(alone, lines[0].source))
        else:
            boards.append(board)
    return boards, unpaired


# --- matches as given -------------------------------------------------------------------------


def given_matches(
    event: Event, played: Iterable[Key], rules: MatchRules
) -> tuple[list[MatchScore], list[Bye]]:
    """Matches a file gives without boards; one that has boards is scored from them."""
    with_boards = {(session, round, frozenset(who)) for session, round, who in played}
    matches, byes = [], []
    for number, match in _all_given(event):
        if not match.away:
            byes.append(_given_bye(number, match, rules))
        elif (number, match.round, frozenset((match.home, match.away))) not in with_boards:
            matches.append(given_match(number, match, rules))
    return matches, byes


def _all_given(event: Event) -> Iterator[tuple[int, Match]]:
    for session in event.sessions:
        for match in session.matches:
            yield session.number, match


def _given_bye(session: int, match: Match, rules: MatchRules) -> Bye:
    points = rules.bye if match.home_vps is None else match.home_vps
    if points is None:
        raise MissingInput(
            "bye",
            Message("round {round}", round=match.round),
            Message("what {home} gets without a match", home=match.home),
        )
    return Bye(session, match.round, match.home, points)


def given_match(session: int, match: Match, rules: MatchRules) -> MatchScore:
    """A match from its IMPs or its victory points; the points given count before our own."""
    length = rules.length or match.boards
    imps, points = (match.home_imps, match.away_imps), (match.home_vps, match.away_vps)
    margins = _margins(*imps) or _margins(*points)
    if margins is None:
        raise InputError(
            "round {round}, {home} v {away}: no result ({source})"
            if match.source
            else "round {round}, {home} v {away}: no result",
            round=match.round,
            home=match.home,
            away=match.away,
            source=match.source,
        )
    known = _margins(*imps) is not None
    worth = _points(points, margins, length, rules, known)
    home, away = (
        MatchSide(team, margin, value, known=known)
        for team, margin, value in zip((match.home, match.away), margins, worth, strict=True)
    )
    return MatchScore(session, match.round, home, away, length, match.boards)


def _margins(home: Fraction | None, away: Fraction | None) -> tuple[Fraction, Fraction] | None:
    return None if home is None or away is None else (home - away, away - home)


def _points(
    given: tuple[Fraction | None, Fraction | None],
    margins: tuple[Fraction, Fraction],
    length: int,
    rules: MatchRules,
    known: bool,
) -> tuple[Fraction, Fraction]:
    """``known`` says that the margins are IMPs, so that a match without a scale can use them."""
    home, away = given
    if home is not None and away is not None and (rules.scale is not None or not known):
        return home, away
    if rules.scale is None:
        return margins
    if not length:
        raise MissingInput("boards", Message("the length of a match"), rules.scale.title)
    scale = rules.scale
    return scale.victory_points(margins[0], length), scale.victory_points(margins[1], length)


# --- Swiss events ------------------------------------------------------------------------------


AVERAGE = 50


def score_swiss(
    event: Event, boards: Iterable[ScoredBoard] = (), rules: MatchRules = TEAMS
) -> MatchScores:
    """Swiss pairs, whose ``boards`` are as scored against the field."""
    if event.kind != "pairs":
        raise InputError(
            "{title}: a Swiss is for pairs or teams, not {kind}", title=event.title, kind=event.kind
        )
    if rules.scale is None:
        raise InputError("{title}: Swiss pairs need a scale of victory points", title=event.title)
    return _pairs(event, boards, rules)


def matches_won(boards: Iterable[ScoredBoard]) -> dict[str, dict[str, Fraction]]:
    """Of each pair the matches that it won, drew and played, a round against one pair being a
    match and who has more on its boards its winner."""
    tallies: dict[str, dict[str, Fraction]] = {}
    for (_, _, pairs), played in _meetings(boards).items():
        margin = sum((board.home - board.away for board in played), Fraction(0))
        for pair, ahead in zip(pairs, (margin, -margin), strict=True):
            facts = tallies.setdefault(
                pair, dict.fromkeys(("won", "drawn", "matches_played"), Fraction(0))
            )
            facts["won"] += ahead > 0
            facts["drawn"] += ahead == 0
            facts["matches_played"] += 1
    return tallies


def _pairs(event: Event, boards: Iterable[ScoredBoard], rules: MatchRules) -> MatchScores:
    every = tuple(boards)
    meetings = _meetings(every)
    of_top = any(score.top for b in every for line in b.lines for _, _, score in line.shares())
    unit = MatchUnit.PERCENT if of_top else MatchUnit.IMPS
    matches = [
        match_score(session, round, pairs, played, unit, rules)
        for (session, round, pairs), played in sorted(meetings.items(), key=lambda m: m[0][:2])
    ]
    given, byes = given_matches(event, meetings, rules)
    return total_matches(event, matches + given, byes, unit, rules)


def _meetings(boards: Iterable[ScoredBoard]) -> dict[Key, list[MatchBoard]]:
    """The boards of every two pairs that met in a round."""
    meetings: dict[Key, list[MatchBoard]] = {}
    for board in boards:
        for line in board.lines:
            if line.ns is not None and line.ew is not None:
                pairs, played = _line(line.result, line.ns, line.ew)
                meetings.setdefault((board.session, line.result.round, pairs), []).append(played)
    return meetings


def _line(result: Result, ns: SideScore, ew: SideScore) -> tuple[Teams, MatchBoard]:
    """The pairs that met, and the worth of the board to each."""
    values = {result.ns[0]: _value(ns, result.ns[0]), result.ew[0]: _value(ew, result.ew[0])}
    home, away = sorted(values, key=natural_order)
    board = MatchBoard(
        result.board,
        values[home],
        values[away],
        "" if result.adjusted is None else "ruling",
        (result,),
    )
    return (home, away), board


def _value(score: SideScore, pair: str) -> Fraction:
    """IMPs as they are; matchpoints as the percentage above average."""
    points = score.points_of(pair)
    return 100 * points / score.top - AVERAGE if score.top else points
