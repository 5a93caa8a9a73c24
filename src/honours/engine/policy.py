"""The policy of ranking lists, stated once for whoever goes through an event: the exact way
(:mod:`honours.engine.event_awards`), and arrays of many events (:mod:`honours.lab.shards`).

What a rulebook may choose is declared by :class:`honours.engine.rulebook.parts.ListPolicy`. Strata
are labels or numbers that rise from the highest stratum to the lowest, one or an array of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from honours.engine.rulebook.parts import ListPolicy
from honours.errors import InputError, MissingInput
from honours.model.message import Message

_UNLIMITED = re.compile(
    r"\d\s*\+|[>≥]|\b(?:over|above|from|plus|open|unlimited|no limit)\b", re.IGNORECASE
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)?")
_LEVELS = 26
"""No event has more strata: a larger number in the name of one is a limit."""


def highest_first(
    names: Collection[str], held: Mapping[str, Fraction], told: Collection[str] = ()
) -> tuple[str, ...]:
    """The strata of an event from the highest: as told, else by their letters or numbers (A before
    B, 1 before 2), by the limits in their names, or by what their players hold on average."""
    if told:
        missing = sorted(set(names) - set(told))
        if missing:
            raise InputError(
                "strata {missing} are not in the order that was given: {told}",
                missing=tuple(missing),
                told=tuple(told),
            )
        return tuple(name for name in told if name in names)
    if all(re.fullmatch(r"[A-Za-z]", name) for name in names):
        return tuple(sorted(names))
    if all(name.isdecimal() and int(name) <= _LEVELS for name in names):
        return tuple(sorted(names, key=int))
    limits = {name: limit for name in names if (limit := _limit(name))}
    for by in (limits, held):
        if by.keys() >= set(names) and len({by[name] for name in names}) == len(names):
            return tuple(sorted(names, key=lambda name: -by[name]))
    raise MissingInput(
        "strata",
        Message(
            "which of the strata {names} is the highest? Their names do not say; give them from "
            "the highest",
            names=tuple(sorted(names)),
        ),
    )


def _limit(name: str) -> Fraction:
    """The upper limit in a stratum's name, 0 where there is none: of 0-2500 it is 2500."""
    figures = [Fraction(figure.replace(",", "")) for figure in _FIGURE.findall(name)]
    return (
        Fraction(10**9) + max(figures, default=0)
        if _UNLIMITED.search(name)
        else max(figures, default=Fraction(0))
    )


def is_lower(stratum: Any, highest: Any) -> Any:
    """Whether a stratum of an event has a list of its own beside that of the whole field, which is
    the list of the event's highest stratum: each line of an event has the strata of the event."""
    return stratum > highest


def is_eligible(own: Any, stratum: Any) -> Any:
    """Whether who is of one stratum is in the list of another: of the same and of higher ones."""
    return own >= stratum


def put_together(so_far: Any, more: Any, best: Any) -> Any:
    """What an entrant has of two lists: the better of the two, or both added up."""
    return max(so_far, more) if best else so_far + more


def check_lines(rulebook_id: str, policy: ListPolicy, several: bool) -> None:
    """Refuse an event of several lines where a rulebook awards one list."""
    if several and policy.lines == "refused":
        raise InputError("{id} awards one ranking list; this event has two lines", id=rulebook_id)


def check_strata(rulebook_id: str, policy: ListPolicy, there: bool) -> None:
    """Refuse an event with strata where a rulebook does not speak of them."""
    if there and policy.strata == "refused":
        raise InputError("{id} does not speak of strata; leave the column out", id=rulebook_id)
