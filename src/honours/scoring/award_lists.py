"""The ranking lists of a scored event as a rulebook wants them: whole, unadjusted, with facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.model import Event, EventEntrant, Field, Game, KnownFact, Origin, Standing, Value
from honours.scoring.matches import MatchScore, MatchSide
from honours.scoring.scored import ScoredEvent
from honours.scoring.shown_facts import (
    RESULTS,
    facts_shown,
    fewest_boards,
    most_boards,
    sources,
)
from honours.scoring.standings import Ranking, Tally, as_field

_OF_ENTRANTS = ("boards_played", "fewest_boards", "won", "drawn", "matches_played", "byes")

_HALF = Fraction(1, 2)
_OF_LISTS = ("line", "all_lines")


def award_lists(scored: ScoredEvent) -> tuple[Field, ...]:
    """One list a line, everybody in it, then those of each session where they are ranked;
    handicaps left aside, each entrant's stratum on it.

    Strata are split again by the rulebook that recognises them; awards never see a handicap.
    """
    facts = facts_shown(scored)
    known = sources(scored, facts)
    derived = (*_OF_ENTRANTS, *_OF_LISTS)
    known |= {name: KnownFact(name, "", Origin.DERIVED, RESULTS) for name in derived}
    lists = [ranking for ranking in scored.rankings if not ranking.handicapped]
    # The highest stratum is ranked first, and everybody is in it.
    highest = [ranking for ranking in lists if ranking.stratum == lists[0].stratum]
    fewest = fewest_boards(scored)
    return tuple(
        replace(
            field,
            stratum="",
            standings=_awardable(scored, field, fewest, _matches(scored, ranking.session)),
            sources=known,
        )
        for ranking in highest
        for field in (as_field(ranking, facts | _of_list(scored, ranking, highest)),)
    )


def _of_list(
    scored: ScoredEvent, ranking: Ranking, rankings: Sequence[Ranking]
) -> dict[str, Value]:
    """What is known of one list: a session's own is as long as the session, and one of some
    sections knows how many lines these have, who is in them, and how long they played."""
    facts: dict[str, Value] = {}
    tallies: Sequence[Tally] = scored.tallies
    if ranking.session:
        numbers = [str(session.number) for session in scored.event.sessions]
        tallies = scored.session_tallies[numbers.index(ranking.session)]
        facts["boards"] = Fraction(most_boards(tallies))
    if ranking.section:
        lines = [
            other
            for other in rankings
            if (other.section, other.session) == (ranking.section, ranking.session)
        ]
        present = {s.entrant.id for line in lines for s in (*line.standings, *line.unranked)}
        facts |= {"winners": "2" if ranking.line else "1", "lines": Fraction(len(lines))}
        facts["boards"] = Fraction(most_boards(t for t in tallies if t.id in present))
        facts["all_lines"] = Fraction(len(present))
        facts |= {"line": ranking.line} if ranking.line else {}
    return facts


def _matches(scored: ScoredEvent, session: str) -> dict[str, tuple[Game, ...]]:
    """The matches of each entrant as it saw them, of one session where a list is a session's."""
    played: dict[str, tuple[Game, ...]] = {}
    for match in scored.matches.matches if scored.matches else ():
        if session in ("", str(match.session)):
            for side, other in (match.sides, match.sides[::-1]):
                game = Game(other.entrant, _of_match(match, side))
                played[side.entrant] = (*played.get(side.entrant, ()), game)
    return played


def _of_match(match: MatchScore, side: MatchSide) -> dict[str, Value]:
    """What a rule may ask of a match."""
    known = {
        "result": _HALF * (side.won * 2 + side.drawn),
        "match_score": side.points,
        "match_margin": side.margin,
        "match_boards": Fraction(match.scored or match.length) or None,
    }
    return {name: value for name, value in known.items() if value is not None}


def _awardable(
    scored: ScoredEvent,
    field: Field,
    fewest: dict[str, int],
    matches: Mapping[str, tuple[Game, ...]],
) -> tuple[Standing, ...]:
    """Everybody of a list, as awards see them."""
    entrants = {e.entrant.id: e for e in scored.event.entrants}
    sections = ranked_together(scored.event)
    return tuple(
        replace(
            _standing(s, entrants[s.entrant.id], sections, fewest),
            games=matches.get(s.entrant.id, ()),
        )
        for s in field.standings
    )


def _standing(
    standing: Standing, entrant: EventEntrant, sections: Mapping[str, str], fewest: dict[str, int]
) -> Standing:
    facts = dict(standing.facts)
    if entrant.stratum:
        facts["stratum"] = entrant.stratum
    if len(set(sections.values())) > 1:
        facts["section"] = sections[entrant.section]
    if "earlier_masterpoints" in entrant.published:
        facts["earlier_awards"] = entrant.published["earlier_masterpoints"]
    if entrant.entrant.id in fewest:
        facts["fewest_boards"] = Fraction(fewest[entrant.entrant.id])
    return replace(standing, facts=facts)


def ranked_together(event: Event) -> dict[str, str]:
    """Each section with what it is ranked in: itself, or those the file ranks it together with."""
    groups = {
        name: group
        for group in str(event.facts.get("ranked", "")).replace(" ", "").split(",")
        for name in group.split("+")
        if name
    }
    return {e.section: groups.get(e.section, e.section) for e in event.entrants}
