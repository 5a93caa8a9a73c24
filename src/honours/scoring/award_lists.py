"""The ranking lists of a scored event as a rulebook wants them: whole, unadjusted, with what the
results show of the event: its form, its length, who was there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from honours.model import Event, EventEntrant, Field, Game, KnownFact, Origin, Standing, Value
from honours.model.facts import Subject
from honours.model.vocabulary import facts_of
from honours.scoring.matches import MatchScore, MatchSide
from honours.scoring.rulings import GIVEN, UNSAID, facts_named_in
from honours.scoring.scored import ScoredEvent, is_played
from honours.scoring.standings import Ranking, Tally, as_field

RESULTS, FILE, WHO_SCORES = "the results", "the file", "what was given"
_ASSUMED = {
    "kind": "numbers that meet are pairs, nothing else being said",
    "scoring": "the usual way, nothing else being said",
}
"""What is assumed where neither the file nor the results say, and why."""
_TOLD = ("kind", "scoring", "title", "club", "date")
"""What results cannot show: it comes from the file, or from whoever scores it."""
_OF_EVENTS = frozenset(
    fact.name
    for about in (Subject.EVENT, Subject.SESSION, Subject.MATCH)
    for fact in facts_of(about)
)
COLUMNS = "columns"
"""The fact that lists which columns of the file became facts of the event, for a rulebook to
use."""


def facts_shown(scored: ScoredEvent) -> dict[str, Value]:
    """Everything known about a scored event as a whole."""
    facts = {**_in_the_file(scored), "form": form(scored), "winners": str(scored.winners)}
    return facts | _who(scored) | _length(scored) | _matches(scored)


def sources(scored: ScoredEvent, facts: Mapping[str, Value]) -> dict[str, KnownFact]:
    """The source of each of these facts."""
    event = scored.event
    given, unsaid = facts_named_in(event, GIVEN), facts_named_in(event, UNSAID)
    in_file = {*_TOLD, *event.facts, *(["winners"] if event.winners == scored.winners else [])}

    def source(name: str, value: Value) -> KnownFact:
        if name in given:
            return KnownFact(name, value, Origin.TOLD, WHO_SCORES)
        if name in _ASSUMED and name in unsaid and event.kind != "teams":
            return KnownFact(name, value, Origin.ASSUMED, _ASSUMED[name])
        if name in in_file - unsaid:
            return KnownFact(name, value, Origin.TOLD, FILE)
        return KnownFact(name, value, Origin.DERIVED, RESULTS)

    return {name: source(name, value) for name, value in facts.items()}


def _in_the_file(scored: ScoredEvent) -> dict[str, Value]:
    event = scored.event
    columns = str(event.facts.get(COLUMNS, "")).split(", ")
    facts = {n: v for n, v in event.facts.items() if n in _OF_EVENTS or n in columns}
    facts |= {"kind": event.kind, "scoring": event.scoring}
    if event.date:
        facts["date"] = event.date.isoformat()
    if event.club:
        facts["club"] = event.club
    return facts


def _who(scored: ScoredEvent) -> dict[str, Value]:
    present = [tally.entrant for tally in scored.tallies]
    lines = {e.line for e in present if e.line} if scored.winners == 2 else set()
    sections = {e.section for e in present if e.section}
    facts = {
        "field_entrants": len(present),
        "players_present": sum(len(e.entrant.players) for e in present),
        "lines": max(1, len(lines)),
        "sections": max(1, len(sections)),
    }
    shown: dict[str, Value] = {n: Fraction(count) for n, count in facts.items() if count}
    return shown | ({"handicapped": "yes"} if any(e.handicap for e in present) else {})


def _length(scored: ScoredEvent) -> dict[str, Value]:
    event = scored.event
    # A file of one session may say that it is the second of two.
    in_file = event.facts.get("sessions")
    sessions = in_file if isinstance(in_file, Fraction) else Fraction(len(event.sessions))
    facts: dict[str, Value] = {"sessions": sessions}
    boards = most_boards(scored.tallies)
    facts |= {"boards": Fraction(boards)} if boards else {}
    lengths = [most_boards(tallies) for tallies in scored.session_tallies] or [boards]
    if all(lengths):
        facts["stage_boards"] = Fraction(min(lengths))
        facts["boards_of_sessions"] = "+".join(map(str, lengths))
        if len(set(lengths)) == 1:
            facts["boards_per_session"] = Fraction(lengths[0])
    everywhere = all(len(tallies) == len(scored.tallies) for tallies in scored.session_tallies)
    facts["everybody_in_every_session"] = "yes" if everywhere else "no"
    whole = len({tally.boards for tally in scored.tallies}) <= 1
    facts["complete"] = "yes" if whole and everywhere else "no"
    rounds = {(s.number, r.round) for s in event.sessions for r in s.results if r.round}
    rounds |= {(s.number, m.round) for s in event.sessions for m in s.matches if m.round}
    return facts | ({"rounds": Fraction(len(rounds))} if rounds else {})


def most_boards(tallies: Iterable[Tally]) -> int:
    """The most boards that anybody played: as many as everybody was meant to play. None where only
    the results of matches are known."""
    return max((tally.boards for tally in tallies), default=0)


def fewest_boards(scored: ScoredEvent) -> dict[str, int]:
    """Boards of each entrant in the session it played least of, where there are several."""
    if len(scored.session_tallies) < 2 or not most_boards(scored.tallies):
        return {}
    fewest: dict[str, int] = {tally.id: tally.boards for tally in scored.tallies}
    for tallies in scored.session_tallies:
        played = {tally.id: tally.boards for tally in tallies}
        fewest = {who: min(least, played.get(who, 0)) for who, least in fewest.items()}
    return fewest


def _matches(scored: ScoredEvent) -> dict[str, Value]:
    """Matches that each was to play, and boards of the shortest."""
    if scored.matches is not None:
        lengths = [m.scored or m.length for m in scored.matches.matches]
        met = [
            Fraction(t.facts.get("matches_played", 0)) + Fraction(t.facts.get("byes", 0))
            for t in scored.tallies
        ]
    elif scored.event.swiss:
        played = _boards_in_rounds(scored)
        lengths = list(played.values())
        met = [Fraction(count) for count in Counter(who for who, _, _ in played).values()]
    else:
        return {}
    facts: dict[str, Value] = {}
    if met:
        facts["matches"] = max(met)
    if lengths and all(lengths):
        facts["boards_per_match"] = Fraction(min(lengths))
    return facts


def _boards_in_rounds(scored: ScoredEvent) -> Counter[tuple[str, int, int]]:
    return Counter(
        (who, session.number, result.round)
        for session in scored.event.sessions
        for result in session.results
        if is_played(result)
        for who in (*result.ns, *result.ew)
    )


# --- the form of the competition ----------------------------------------------------------------


def form(scored: ScoredEvent) -> str:
    """The form of the event, as far as results show it."""
    if scored.event.swiss:
        return "swiss"
    if scored.matches is None:
        return "session" if len(scored.event.sessions) == 1 else "stages"
    matches = scored.matches.matches
    if _is_knock_out(matches):
        return "knock-out"
    return "round-robin" if _is_round_robin(matches) else "matches"


def _is_round_robin(matches: Sequence[MatchScore]) -> bool:
    """Everybody met everybody else equally often."""
    met = Counter(frozenset(side.entrant for side in match.sides) for match in matches)
    entrants = {who for pair in met for who in pair}
    return len(set(met.values())) == 1 and len(met) == len(entrants) * (len(entrants) - 1) // 2


def _is_knock_out(matches: Sequence[MatchScore]) -> bool:
    """Over several rounds, only those who won go on, and one match is the last."""
    rounds: dict[tuple[int, int], list[MatchScore]] = {}
    for match in matches:
        rounds.setdefault((match.session, match.round), []).append(match)
    ordered = [rounds[key] for key in sorted(rounds)]
    if len(ordered) < 2 or len(ordered[-1]) != 1 or len(ordered[0]) < 2:
        return False
    for before, after in pairwise(ordered):
        winners = {side.entrant for match in before for side in match.sides if side.won}
        if not {side.entrant for match in after for side in match.sides} <= winners:
            return False
    return True


# --- lists -------------------------------------------------------------------------------------


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
            standings=_awardable(scored, field, fewest, _games(scored, ranking.session)),
            sources=known,
        )
        for ranking in highest
        for field in (as_field(ranking, facts | _of_list(scored, ranking, highest)),)
    )


def _of_list(
    scored: ScoredEvent, ranking: Ranking, rankings: Sequence[Ranking]
) -> dict[str, Value]:
    """Facts of one list: a session's own is as long as the session, and one of some sections knows
    how many lines these have, who is in them, and how long they played."""
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


def _games(scored: ScoredEvent, session: str) -> dict[str, tuple[Game, ...]]:
    """The matches of each entrant as it saw them, of one session where a list is a session's."""
    played: dict[str, tuple[Game, ...]] = {}
    for match in scored.matches.matches if scored.matches else ():
        if session in ("", str(match.session)):
            for side, other in (match.sides, match.sides[::-1]):
                game = Game(other.entrant, _of_match(match, side))
                played[side.entrant] = (*played.get(side.entrant, ()), game)
    return played


def _of_match(match: MatchScore, side: MatchSide) -> dict[str, Value]:
    """Facts of a match that a rule may ask for."""
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
    untold = not most_boards(scored.tallies)
    return tuple(
        replace(
            _standing(s, entrants[s.entrant.id], sections, fewest, untold),
            games=matches.get(s.entrant.id, ()),
        )
        for s in field.standings
    )


def _standing(
    standing: Standing,
    entrant: EventEntrant,
    sections: Mapping[str, str],
    fewest: dict[str, int],
    untold: bool,
) -> Standing:
    """An entrant's standing with what a rule may ask for; ``untold`` where no boards are known."""
    facts = dict(standing.facts)
    if untold:
        del facts["boards_played"]
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
