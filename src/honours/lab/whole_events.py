"""Events that are awarded one by one, as `honours award` does, because columns cannot express them.

Examples are lines ranked together by score, sections paid separately, strata with their own limits,
and games between entrants. Such an event is turned back into the lists a file would give, and
awarded exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.rulebook import Rulebook
from honours.engine.written_names import public
from honours.errors import InputError
from honours.lab.bands import stratum_name
from honours.lab.column_reading import NOT_SAID
from honours.lab.compared_sides import given_for_all
from honours.lab.games import games_of
from honours.lab.input_columns import (
    event_boards,
    is_missing,
)
from honours.lab.shard_lists import lined_events
from honours.lab.shards import Shard
from honours.lab.tables import LIMITS, LINES, UNITS
from honours.model import Entrant, Field, Game, Player, Standing, Value

Bools = NDArray[np.bool_]
_NUMBERED = ("stratum_level", "stratum_entrants")
_BY_LIMIT = ("stratum_limit", "lowest_limit")
_NOT_FACTS = ("event", "id", "tournament", "flight")
_NO_FACTS_ALONE = LIMITS[3:]
"""Limits that belong to a stratum, not to the event."""
_OF_STANDINGS = (
    *("games_played", "boards_played", "won", "drawn", "ifpa_rating", "ifpa_rank", "is_rated"),
)


def whole_events(rulebook: Rulebook, shard: Shard) -> Bools:
    """Which events a rulebook can only award as a whole."""
    policy, asks = rulebook.lists, {public(name) for name in rulebook.inputs}
    if policy.section_facts or rulebook.plays_games:
        return np.ones(len(shard.ids), np.bool_)
    whole = lined_events(shard) if policy.ranks_together else np.zeros(len(shard.ids), np.bool_)
    if policy.strata == "each" and asks & {*_NUMBERED}:
        whole |= _any_of(shard, shard.stratum > 0)
    if asks & {*_BY_LIMIT} and "limit_b" in shard.events:
        whole |= ~is_missing(shard.events["limit_b"])
    if "boards_of_sessions" in asks:
        whole |= of_several_lengths(shard)
    present = shard.of_entrants.get(policy.present)
    return whole if present is None else whole | _any_of(shard, present == 0)


def _any_of(shard: Shard, entrants: Bools) -> Bools:
    """Which events contain one of these entrants."""
    having = np.zeros(len(shard.ids), np.bool_)
    having[shard.event_of_entrant[entrants]] = True
    return having


def of_several_lengths(shard: Shard) -> Bools:
    """Which events give the boards of their shortest session, but no number common to all
    sessions."""
    shortest, each = (shard.events.get(name) for name in ("stage_boards", "boards_per_session"))
    if shortest is None:
        return np.zeros(len(shard.ids), np.bool_)
    unsaid = np.ones(len(shard.ids), np.bool_) if each is None else is_missing(each)
    several: Bools = ~is_missing(shortest) & unsaid
    return several


def award_whole(rulebook: Rulebook, shard: Shard, row: int, in_words: bool = True) -> EventAwards:
    """An event awarded as a file of it would be; raises if the corpus lacks something."""
    first, last = (int(n) for n in shard.entrant_offsets[row : row + 2])
    entrants = range(first, last)
    _check_known(rulebook, shard, row, entrants)
    facts = _facts(shard, row)
    stratified = int(shard.stratum[first:last].max(initial=0)) > 0
    games = games_of(shard.games, int(shard.ids[row]))
    by_line: dict[int, list[Standing]] = {}
    for k in entrants:
        line = 0 if shard.line is None else int(shard.line[k])
        by_line.setdefault(line, []).append(_standing(shard, k, games, stratified))
    facts |= {"winners": str(len(by_line)), "lines": Fraction(len(by_line))}
    lists = [Field(facts, tuple(s), LINES.get(n, "")) for n, s in sorted(by_line.items())]
    given = {key: text for key, text in given_for_all(rulebook).items() if key not in facts}
    return award_event(rulebook, lists, given, in_words)


def _check_known(rulebook: Rulebook, shard: Shard, row: int, entrants: range) -> None:
    """Refuse an event if the corpus lacks what the rulebook ranks by."""
    policy, own = rulebook.lists, list(entrants)
    if rulebook.plays_games and not np.isin(shard.ids[row], shard.games["event"]):
        raise InputError(
            "{rulebook} counts the games of each player, and the corpus does not tell them "
            "(table games)",
            rulebook=rulebook.id,
        )
    if policy.section_facts and _unsaid(shard, "sat_in", own):
        raise InputError(
            "{rulebook} pays every section by itself, and the corpus does not say who sat in "
            "which (column sat_in)",
            rulebook=rulebook.id,
        )
    lined = shard.line is not None and bool((shard.line[own] > 0).any())
    if policy.ranks_together and lined and _unsaid(shard, "overall_place", own):
        raise InputError(
            "{rulebook} ranks both lines together by score, and the corpus does not say who "
            "came where among all (column overall_place)",
            rulebook=rulebook.id,
        )
    asks = {public(name) for name in rulebook.inputs}
    if "boards_of_sessions" in asks and of_several_lengths(shard)[row] and not _deals(shard, row):
        raise InputError(
            "{rulebook} counts the deals of each session, which differ and the corpus does not "
            "say (column boards_of_sessions)",
            rulebook=rulebook.id,
        )


def _deals(shard: Shard, row: int) -> str:
    column = shard.events.get("boards_of_sessions")
    return "" if column is None else str(column[row])


def _unsaid(shard: Shard, name: str, rows: list[int]) -> bool:
    column = shard.of_entrants.get(name)
    return column is None or bool((column[rows] == NOT_SAID).any())


def _facts(shard: Shard, row: int) -> dict[str, Value]:
    """The facts of an event in the corpus, under the names of the vocabulary."""
    facts: dict[str, Value] = {}
    for name, column in shard.events.items():
        if name not in _NOT_FACTS and not is_missing(column[row : row + 1])[0]:
            value = column[row]
            facts[name] = str(value) if isinstance(value, str) else Fraction(int(value))
    boards = event_boards(shard)
    if boards is not None and int(boards[row]) != NOT_SAID:
        facts["boards"] = Fraction(int(boards[row]))
    if "date" in facts:
        facts["date"] = _day(facts["date"])
    limits = {n: facts[name] for n, name in enumerate(LIMITS) if name in facts}
    facts = {name: value for name, value in facts.items() if name not in _NO_FACTS_ALONE}
    lower = [limit for n, limit in limits.items() if n and isinstance(limit, Fraction)]
    if lower:
        facts |= {f"stratum_limit.{stratum_name(n)}": limit for n, limit in limits.items()}
        facts["lowest_limit"] = min(lower)
    facts["field_entrants"] = Fraction(int(shard.sizes[row]))
    return facts


def _day(days: Value) -> str:
    from datetime import date, timedelta

    return (date(1970, 1, 1) + timedelta(int(Fraction(days)))).isoformat()


def _standing(
    shard: Shard,
    k: int,
    games: Mapping[int, tuple[Game, ...]],
    stratified: bool,
) -> Standing:
    """An entrant as the lists have it; its score is its overall place, negated."""
    values = {name: int(column[k]) for name, column in shard.of_entrants.items()}
    known = {name: value for name, value in values.items() if value != NOT_SAID}
    facts: dict[str, Value] = {
        name: known[name] * UNITS.get(name, Fraction(1)) for name in _OF_STANDINGS if name in known
    }
    if stratified:
        facts["stratum"] = stratum_name(int(shard.stratum[k]))
    if "sat_in" in known:
        facts["section"] = f"{known['sat_in']:03d}"
    place = int(shard.place[k])
    score = known.get("overall_place", known.get("score_place", place))
    entrant = Entrant(str(int(shard.entrant[k])), _players(shard, k))
    own = games.get(int(shard.entrant[k]), ())
    return Standing(entrant, place, int(shard.tied[k]), -Fraction(score), facts, own)


def _players(shard: Shard, k: int) -> tuple[Player, ...]:
    rows = range(int(shard.player_offsets[k]), int(shard.player_offsets[k + 1]))
    columns: Mapping[str, NDArray[Any]] = {**shard.of_players, "holding": shard.holding}
    players = []
    for row in rows:
        facts: dict[str, Value] = {}
        for name, column in columns.items():
            value = column[row]
            if name == "paid" or value in ("", NOT_SAID):
                continue
            known = "masterpoints" if name == "holding" else name
            unit = UNITS.get(name, Fraction(1))
            facts[known] = value if isinstance(value, str) else int(value) * unit
        number = str(int(shard.player[row]))
        players.append(Player(f"member {number}", number, facts))
    return tuple(players)
