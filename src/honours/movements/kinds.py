"""Every kind of movement by its name, made to fit a number of players."""

from __future__ import annotations

from collections.abc import Callable

from honours.errors import InputError, UnknownName
from honours.model.message import plural
from honours.movements import howell, individual, mitchell, teams
from honours.movements.choosing import with_half_table
from honours.movements.individual import IndividualMovement
from honours.movements.kind_names import KINDS
from honours.movements.movement import Movement

_APPENDED = 2
"""How many tables an appendix adds, unless said."""


def _three_quarters(tables: int) -> int:
    """About three quarters as many rounds as a full Howell has."""
    known = howell.rounds_known(tables)[:-1]
    if not known:
        raise InputError(
            "no three-quarter Howell of {tables} tables; there are some from 5", tables=tables
        )
    wished = 1.5 * tables
    return min(known, key=lambda rounds: abs(rounds - wished))


_OF_PAIRS: dict[str, Callable[[int, int], Movement]] = {
    "mitchell": mitchell.any_mitchell,
    "skip-mitchell": mitchell.skip_mitchell,
    "share-and-relay-mitchell": mitchell.relay_mitchell,
    "web-mitchell": lambda tables, rounds: mitchell.web_mitchell(tables, rounds or tables - 1 | 1),
    "hesitation-mitchell": lambda tables, _: howell.howell(tables, tables + 1),
    "appendix-mitchell": lambda tables, rounds: mitchell.appendix_mitchell(
        tables - (rounds or _APPENDED), rounds or _APPENDED
    ),
    "rover-mitchell": lambda tables, _: mitchell.rover_mitchell(tables),
    "bowman": lambda tables, _: mitchell.bowman(tables - 2),
    "blackpool": lambda tables, _: mitchell.blackpool(tables),
    "howell": howell.howell,
    "three-quarter-howell": lambda tables, rounds: howell.howell(
        tables, rounds or _three_quarters(tables)
    ),
}
_OF_PLAYERS: dict[str, Callable[[int], IndividualMovement]] = {
    "individual": individual.whist,
    "rainbow": lambda players: individual.rainbow(players // 4),
}
_OF_TEAMS: dict[str, Callable[[int], Movement]] = {
    "american-whist": teams.american_whist,
    "multiple-teams": teams.multiple_teams,
    "round-robin": teams.round_robin,
}


def movement_of(
    kind: str, many: int, rounds: int = 0, missing: str = ""
) -> Movement | IndividualMovement:
    """The movement of a kind for so many pairs, or players, or teams; an odd number of pairs is a
    half table, without a pair of the ``missing`` side if one is named."""
    if kind in _OF_PLAYERS:
        return _OF_PLAYERS[kind](many)
    if kind in _OF_TEAMS:
        return _OF_TEAMS[kind](many)
    if kind not in _OF_PAIRS:
        raise UnknownName("movement", kind, KINDS)
    if many < 4:
        raise InputError(
            plural(
                "{count} pair: a movement needs at least 4",
                "{count} pairs: a movement needs at least 4",
                count=many,
            )
        )
    if kind == "rover-mitchell":
        return _OF_PAIRS[kind](many // 2, rounds)
    movement = _OF_PAIRS[kind]((many + 1) // 2, rounds)
    return with_half_table(movement, missing) if many % 2 else movement
