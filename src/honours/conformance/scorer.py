"""What is ours where the scorer is asked: the matchpoints of a board, and a ranking list.

``board = { groups = [7, 3], expected = 10 }`` is a board met in two versions, seven and three
different scores, best first; a group may also list its scores for North-South. It may name a
``profile`` (``ebu`` unless said) and change its switches by ``set``. Takings: ``points:1.3`` (as
rounded, the third of the first group), ``exact:1.3`` (before rounding), ``own:1.3`` (the group's
own matchpoints, as if nobody else had been due to play), ``ew:1.3`` (the other side's points),
``total`` and ``total:2`` (of the exact points), ``top`` and ``top:2`` (of a board that is not
fouled, and of a group by itself), ``share:2.1`` (the share of the top a score got),
``percent:2.1`` (the same of a hundred), ``fault:partly`` (what a side that is partly at fault is
given of a hundred).

``ranking = { scores = { A = "61.23" }, handicaps = { A = -5 } }`` is a list of entrants. Takings:
``place:A``, ``score:A``, ``in_order:AB`` (1 if the list is A, B), and ``handicapped_place:A``,
``handicapped_score:A``, ``handicapped_in_order:AB``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.errors import RulebookError
from honours.model import ArtificialScore, Entrant, EventEntrant, Result, Standing
from honours.scoring.matchpoints import artificial_score, matchpoint_board
from honours.scoring.profiles import DEFAULT, Profile, profile
from honours.scoring.rulings import AT_FAULT
from honours.scoring.scored import ScoredLine, SideScore
from honours.scoring.standings import RankingRules, Tally, rank_event


@dataclass(frozen=True, slots=True)
class ScoredGroups:
    """A board scored as the profile says, before rounding, and each group by itself."""

    rounded: Mapping[str, SideScore]
    unrounded: Mapping[str, SideScore]
    alone: Mapping[str, SideScore]
    other_side: Mapping[str, SideScore]
    ruled: Mapping[str, SideScore]
    """What a side gets where there is no score, by whether it is at fault: no, partly, yes."""
    top: Fraction


@dataclass(frozen=True, slots=True)
class RankedLists:
    """A ranking list without and, where there are handicaps, with them."""

    plain: Mapping[str, Standing]
    handicapped: Mapping[str, Standing]


Scored = ScoredGroups | RankedLists


def score_calculation(
    calculation: Mapping[str, Any], amendments: Mapping[str, Mapping[str, str]]
) -> Scored:
    """Score the board or rank the list of a calculation."""
    if "ranking" in calculation:
        return _ranked(calculation["ranking"])
    board = calculation["board"]
    name = board.get("profile", DEFAULT)
    changes = {**board.get("set", {}), **amendments.get(name, {})}
    return _scored_groups(board, _switched(profile(name), changes))


def scored_value(scored: Scored, take: str) -> Fraction:
    """One value of what was scored."""
    how, _, name = take.partition(":")
    if isinstance(scored, RankedLists):
        standings = scored.handicapped if how.startswith("handicapped_") else scored.plain
        how = how.removeprefix("handicapped_")
        if how == "in_order":
            return Fraction([standings[one].place for one in name] == [*range(1, len(name) + 1)])
        return _of_standing(standings[name], how)
    return _of_board(scored, how, name)


def _of_standing(standing: Standing, how: str) -> Fraction:
    if how == "place":
        return Fraction(standing.place)
    if how == "score" and standing.score is not None:
        return standing.score
    raise RulebookError("no such taking of a ranking: {how}", how=how)


def _of_board(scored: ScoredGroups, how: str, name: str) -> Fraction:
    match how:
        case "points":
            return scored.rounded[name].points
        case "exact":
            return scored.unrounded[name].points
        case "own":
            return scored.alone[name].points
        case "ew":
            return scored.other_side[name].points
        case "fault":
            return 100 * scored.ruled[name].points / scored.top
        case "share" | "percent":
            share = scored.unrounded[name].points / scored.top
            return 100 * share if how == "percent" else share
        case "top":
            return scored.alone[f"{name}.1"].top if name else scored.top
        case "total":
            mine = (s for key, s in scored.unrounded.items() if key.startswith(name))
            return sum((s.points for s in mine), Fraction(0))
        case _:
            raise RulebookError("no such taking of a board: {how}:{name}", how=how, name=name)


# --- a board --------------------------------------------------------------------------------


def _switched(base: Profile, changes: Mapping[str, Any]) -> Profile:
    switches: dict[str, Any] = {}
    for key, text in changes.items():
        if not hasattr(base, key):
            raise RulebookError("profile {name!r} has no switch {key!r}", name=base.name, key=key)
        switches[key] = _switch(getattr(base, key), str(text))
    return replace(base, **switches)


def _switch(now: object, text: str) -> Any:
    if isinstance(now, bool):
        return text.lower() in ("true", "yes", "1")
    if isinstance(now, int | Fraction):
        return type(now)(exact(text))
    return text


def _scored_groups(board: Mapping[str, Any], way: Profile) -> ScoredGroups:
    groups = [_scores(group) for group in board["groups"]]
    expected = board["expected"]
    exactly = replace(way, unit=Fraction(0))
    alone: dict[str, SideScore] = {}
    for number, scores in enumerate(groups, 1):
        own = matchpoint_board(_results([scores]), len(scores), exactly)
        alone |= _named([own], number)
    everyone = _results(groups)
    lines = matchpoint_board(everyone, expected, way)
    rounded = _named(_by_group(lines, groups))
    unrounded = _named(_by_group(matchpoint_board(everyone, expected, exactly), groups))
    other = _named(_by_group(lines, groups), side="ew")
    ruled = {
        fault: artificial_score(ArtificialScore(share), expected, exactly)
        for fault, share in AT_FAULT.items()
    }
    return ScoredGroups(rounded, unrounded, alone, other, ruled, way.top(expected))


def _scores(group: Any) -> Sequence[int]:
    return group if isinstance(group, list) else range(10 * group, 0, -10)


def _results(groups: Sequence[Sequence[int]]) -> list[Result]:
    return [
        Result(1, (f"N{version}.{i}",), (f"E{version}.{i}",), score, version=str(version))
        for version, scores in enumerate(groups)
        for i, score in enumerate(scores)
    ]


def _by_group(
    lines: Sequence[ScoredLine], groups: Sequence[Sequence[int]]
) -> list[Sequence[ScoredLine]]:
    groups_of_lines, start = [], 0
    for group in groups:
        groups_of_lines.append(lines[start : start + len(group)])
        start += len(group)
    return groups_of_lines


def _named(
    groups: Sequence[Sequence[ScoredLine]], first: int = 1, side: str = "ns"
) -> dict[str, SideScore]:
    return {
        f"{number}.{i}": getattr(line, side)
        for number, lines in enumerate(groups, first)
        for i, line in enumerate(lines, 1)
    }


# --- a ranking list -------------------------------------------------------------------------


def _ranked(table: Mapping[str, Any]) -> RankedLists:
    handicaps = table.get("handicaps", {})
    tallies = [
        Tally(EventEntrant(Entrant(name), handicap=exact(handicaps.get(name, 0))), exact(score))
        for name, score in table["scores"].items()
    ]
    lists = rank_event(tallies, RankingRules(handicap=bool(handicaps)))
    plain, *rest = ({s.entrant.id: s for s in ranking.standings} for ranking in lists)
    return RankedLists(plain, rest[0] if rest else {})
