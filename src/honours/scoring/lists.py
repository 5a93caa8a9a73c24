"""The ranking lists of a scored event as a rulebook wants them: whole, unadjusted, with facts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from honours.scoring.standings import as_field

if TYPE_CHECKING:
    from honours.model import Field, Standing, Value
    from honours.scoring.scored import Scored


def award_lists(scored: Scored) -> tuple[Field, ...]:
    """One list a line, everybody in it; handicaps left aside, each entrant's stratum on it.

    Strata are split again by the rulebook that recognises them; awards never see a handicap.
    """
    strata = {e.entrant.id: e.stratum for e in scored.event.entrants}
    facts = _facts(scored)
    lists = [r for r in scored.rankings if not r.handicapped and not r.session]
    # The highest stratum is ranked first, and everybody is in it.
    fields = [as_field(r, facts) for r in lists if r.stratum == lists[0].stratum]
    return tuple(
        replace(f, stratum="", standings=tuple(_standing(s, strata) for s in f.standings))
        for f in fields
    )


def _facts(scored: Scored) -> dict[str, Value]:
    event = scored.event
    boards = max((t.boards for t in scored.tallies), default=0)
    facts: dict[str, Value] = {
        "kind": event.kind,
        "winners": str(scored.winners),
        "sessions": Fraction(len(event.sessions)),
        "boards": Fraction(boards),
    }
    if event.date:
        facts["date"] = event.date.isoformat()
    return facts


def _standing(standing: Standing, strata: dict[str, str]) -> Standing:
    facts = dict(standing.facts)
    if strata.get(standing.entrant.id):
        facts["stratum"] = strata[standing.entrant.id]
    return replace(standing, facts=facts)
