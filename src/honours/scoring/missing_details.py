"""What a file does not say about its event: shown by its results, or supplied by whoever scores
it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from honours.model import Event
from honours.scoring.ruling_kinds import Played
from honours.scoring.rulings import as_teams, change

UNSAID, GIVEN = "unsaid", "given"
"""Facts of an event that list other facts: those its file leaves open, and those somebody
supplied."""


def facts_named_in(event: Event, key: str) -> frozenset[str]:
    """The facts that one of these two lists names."""
    return frozenset(str(event.facts.get(key, "")).split(", ")) - {""}


def as_declared(event: Event, played: Played, winners: str = "") -> Event:
    """The event as somebody says it was played, with a record of what they said; whatever nobody
    says is taken as the results show it."""
    facts = {
        "kind": played.kind,
        "scoring": played.scoring,
        "form": played.swiss,
        "winners": winners,
    }
    changed = _with_names(change(event, played), GIVEN, (name for name in facts if facts[name]))
    return as_shown(changed)


def as_shown(event: Event) -> Event:
    """The event; turned into one of teams where its file does not say what competes and the results
    are those of both tables of matches."""
    unsaid = "kind" in facts_named_in(event, UNSAID) - facts_named_in(event, GIVEN)
    return as_teams(event) if unsaid and event.kind == "pairs" and _both_tables(event) else event


def with_supplied(event: Event) -> Event:
    """The event for a file that will itself state what somebody supplied."""
    left = facts_named_in(event, UNSAID) - facts_named_in(event, GIVEN)
    facts = {name: value for name, value in event.facts.items() if name not in (UNSAID, GIVEN)}
    return replace(event, facts=facts | ({UNSAID: ", ".join(sorted(left))} if left else {}))


def _with_names(event: Event, key: str, names: Iterable[str]) -> Event:
    known = sorted({*names, *facts_named_in(event, key)})
    return replace(event, facts={**event.facts, key: ", ".join(known)}) if known else event


def _both_tables(event: Event) -> bool:
    """Whether nearly every board of a round was played the other way round as well. Pairs do not
    do that: whoever met somebody on a board does not meet them on it again."""
    numbers = {e.entrant.id: e.number or e.entrant.id for e in event.entrants}
    met = {
        (session.number, r.section, r.round, r.board, numbers[r.ns[0]], numbers[r.ew[0]])
        for session in event.sessions
        for r in session.results
        if len(r.ns) == len(r.ew) == 1
    }
    turned = sum((*where, ew, ns) in met for *where, ns, ew in met)
    return 4 * turned > 3 * len(met) > 0
