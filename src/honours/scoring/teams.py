"""Team events: matches put together from two or more tables, or taken as given, and added up.

Serves multiple teams, Swiss teams, leagues and board-a-match; teams of four (two tables a board)
to eight (four tables). A squad may be larger than who sits down: results name the team.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from honours.errors import InputError, MissingInput
from honours.model import Event, Match, Result
from honours.model.message import Message
from honours.scoring.match_totals import Bye, MatchScores, total_matches
from honours.scoring.matches import (
    MatchBoard,
    MatchRules,
    MatchScore,
    MatchSide,
    MatchUnit,
    match_score,
    team_board,
)
from honours.scoring.scored import Oddity
from honours.scoring.sides import is_played

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
