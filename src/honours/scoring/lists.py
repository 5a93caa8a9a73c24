"""The ranking lists of a scored event as a rulebook wants them: whole, unadjusted, with facts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from honours.model import Known, Origin
from honours.scoring.shown_facts import (
    RESULTS,
    facts_shown,
    fewest_boards,
    most_boards,
    sources,
)
from honours.scoring.standings import as_field

if TYPE_CHECKING:
    from honours.model import Field, Standing, Value
    from honours.scoring.scored import Scored

_OF_ENTRANTS = ("boards_played", "fewest_boards", "won", "drawn", "byes")


def award_lists(scored: Scored) -> tuple[Field, ...]:
    """One list a line, everybody in it, then those of each session where they are ranked;
    handicaps left aside, each entrant's stratum on it.

    Strata are split again by the rulebook that recognises them; awards never see a handicap.
    """
    strata = {e.entrant.id: e.stratum for e in scored.event.entrants}
    facts = facts_shown(scored)
    known = sources(scored, facts)
    known |= {name: Known(name, "", Origin.DERIVED, RESULTS) for name in _OF_ENTRANTS}
    lists = [ranking for ranking in scored.rankings if not ranking.handicapped]
    # The highest stratum is ranked first, and everybody is in it.
    fields = [as_field(r, facts) for r in lists if r.stratum == lists[0].stratum]
    fewest = fewest_boards(scored)
    return tuple(
        replace(
            field,
            stratum="",
            facts=_of_session(scored, field),
            standings=tuple(_standing(s, strata, fewest) for s in field.standings),
            sources=known,
        )
        for field in fields
    )


def _of_session(scored: Scored, field: Field) -> dict[str, Value]:
    """The facts of a list; a session's own list is as long as the session."""
    if not field.session:
        return dict(field.facts)
    numbers = [str(session.number) for session in scored.event.sessions]
    tallies = scored.session_tallies[numbers.index(field.session)]
    return {**field.facts, "boards": Fraction(most_boards(tallies))}


def _standing(standing: Standing, strata: dict[str, str], fewest: dict[str, int]) -> Standing:
    facts = dict(standing.facts)
    if strata.get(standing.entrant.id):
        facts["stratum"] = strata[standing.entrant.id]
    if standing.entrant.id in fewest:
        facts["fewest_boards"] = Fraction(fewest[standing.entrant.id])
    return replace(standing, facts=facts)
