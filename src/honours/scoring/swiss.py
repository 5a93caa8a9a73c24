"""Swiss events: each round's boards are a match, and matches are worth victory points.

Teams are scored at their two tables. Pairs have no second table: what they got against the field
on the round's boards, in IMPs or matchpoints, is the margin against the pair they met.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from honours.errors import InputError
from honours.model import Event, Result
from honours.scoring.match_totals import MatchScores, total_matches
from honours.scoring.matches import MatchBoard, MatchRules, MatchUnit, match_score
from honours.scoring.scored import ScoredBoard, SideScore
from honours.scoring.teams import TEAMS, Key, Teams, given_matches, natural_order, score_teams

AVERAGE = 50


def score_swiss(
    event: Event, boards: Iterable[ScoredBoard] = (), rules: MatchRules = TEAMS
) -> MatchScores:
    """A Swiss event; for pairs ``boards`` are its boards as scored against the field."""
    if event.kind == "teams":
        return score_teams(event, rules)
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
    margins: dict[Key, Fraction] = {}
    for board in boards:
        for line in board.lines:
            if line.ns is not None and line.ew is not None:
                pairs, played = _line(line.result, line.ns, line.ew)
                key = (board.session, line.result.round, pairs)
                margins[key] = margins.get(key, Fraction(0)) + played.home - played.away
    tallies: dict[str, dict[str, Fraction]] = {}
    for (_, _, pairs), margin in margins.items():
        for pair, ahead in zip(pairs, (margin, -margin), strict=True):
            facts = tallies.setdefault(
                pair, dict.fromkeys(("won", "drawn", "matches_played"), Fraction(0))
            )
            facts["won"] += ahead > 0
            facts["drawn"] += ahead == 0
            facts["matches_played"] += 1
    return tallies


def _pairs(event: Event, boards: Iterable[ScoredBoard], rules: MatchRules) -> MatchScores:
    meetings: dict[Key, list[MatchBoard]] = {}
    unit = MatchUnit.IMPS
    for board in boards:
        for line in board.lines:
            if line.ns is not None and line.ew is not None:
                pairs, board_played = _line(line.result, line.ns, line.ew)
                unit = MatchUnit.PERCENT if line.ns.top else unit
                meetings.setdefault((board.session, line.result.round, pairs), []).append(
                    board_played
                )
    matches = [
        match_score(session, round, pairs, played, unit, rules)
        for (session, round, pairs), played in sorted(meetings.items(), key=lambda m: m[0][:2])
    ]
    given, byes = given_matches(event, meetings, rules)
    return total_matches(event, matches + given, byes, unit, rules)


def _line(result: Result, ns: SideScore, ew: SideScore) -> tuple[Teams, MatchBoard]:
    """Who met, and what the board was worth to each."""
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
