"""Events that are not ranked by matchpoints, put into the form every scored event has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from honours.errors import InputError
from honours.model import Result
from honours.scoring.comparison import SectionGroups
from honours.scoring.imp_conventions import ImpConvention
from honours.scoring.imp_pairs import ImpScores, imp_boards, score_butler, score_cross_imps
from honours.scoring.match_totals import MatchScores
from honours.scoring.matches import MatchRules
from honours.scoring.scored import ScoredBoard, ScoredEvent, ScoredLine
from honours.scoring.standings import carry_over
from honours.scoring.swiss import score_swiss
from honours.scoring.teams import BOARD_A_MATCH, TEAMS, score_board_a_match, score_teams

PAIRS_IN_IMPS = {"cross-imps": score_cross_imps, "imps": score_cross_imps, "butler": score_butler}


def score_in_imps(
    scored: ScoredEvent,
    convention: ImpConvention,
    matches: MatchRules | None,
    compared: SectionGroups,
) -> ScoredEvent:
    """Teams, board-a-match, and pairs or individuals in IMPs, Swiss or not."""
    event = scored.event
    if event.kind == "teams":
        return _teams(scored, matches)
    if event.scoring not in PAIRS_IN_IMPS:
        raise InputError(
            "{title}: {kind} cannot be scored in {scoring!r}",
            title=event.title,
            kind=event.kind,
            scoring=event.scoring,
        )
    rules = convention.rules(event.scoring, compared)
    if event.swiss:
        boards = tuple(b for session in event.sessions for b in imp_boards(session, rules))
        against_field = replace(scored, imps=ImpScores(event, boards, (), rules))
        return with_swiss(against_field, boards, matches or TEAMS)
    scores = PAIRS_IN_IMPS[event.scoring](event, rules)
    return replace(
        scored,
        boards=scores.boards,
        tallies=carry_over(scores.tallies),
        session_tallies=scores.sessions,
        imps=scores,
    )


def with_swiss(
    scored: ScoredEvent, boards: Sequence[ScoredBoard], rules: MatchRules
) -> ScoredEvent:
    """Swiss pairs: boards scored against the field, and the matches they make."""
    return _with_matches(scored, boards, score_swiss(scored.event, boards, rules))


def _teams(scored: ScoredEvent, rules: MatchRules | None) -> ScoredEvent:
    event = scored.event
    boards = [
        ScoredBoard(number, session.number, "", tuple(ScoredLine(result) for result in results))
        for session in event.sessions
        for number, results in sorted(_travellers(session.results).items())
    ]
    if event.scoring == "board-a-match":
        return _with_matches(scored, boards, score_board_a_match(event, rules or BOARD_A_MATCH))
    if event.scoring != "imps":
        raise InputError(
            "{title}: teams cannot be scored in {scoring!r}",
            title=event.title,
            scoring=event.scoring,
        )
    return _with_matches(scored, boards, score_teams(event, rules or TEAMS))


def _travellers(results: Sequence[Result]) -> dict[int, list[Result]]:
    travellers: dict[int, list[Result]] = {}
    for result in results:
        travellers.setdefault(result.board, []).append(result)
    return travellers


def _with_matches(
    scored: ScoredEvent, boards: Sequence[ScoredBoard], scores: MatchScores
) -> ScoredEvent:
    return replace(
        scored,
        boards=tuple(boards),
        tallies=carry_over(scores.tallies),
        session_tallies=scores.sessions,
        matches=scores,
        oddities=scored.oddities + scores.oddities,
    )
