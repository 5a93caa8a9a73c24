"""The policy of ranking lists, stated once for whoever goes through an event: the exact way
(:mod:`honours.engine.event_awards`), and arrays and loops over many events
(:mod:`honours.lab.row_arrays`, :mod:`honours.lab.row_loops`).

What a rulebook may choose is declared by :class:`honours.engine.rulebook.parts.ListPolicy`. Strata
are labels or numbers that rise from the highest stratum to the lowest, one or an array of them;
the loops are compiled with these functions in them.
"""

from __future__ import annotations

from typing import Any

from honours.engine.rulebook.parts import ListPolicy
from honours.errors import InputError


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
