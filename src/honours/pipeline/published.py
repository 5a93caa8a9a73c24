"""Events that a file describes by their places alone: returns to a federation, other people's
results.

What ``honours ledger returns make`` writes is of this kind: who took part, where they came and what
they were awarded, with no boards. An award that was taken back is an event with negative points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from honours.engine.ranking import WHOLE_EVENT
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.table_standings import are_places
from honours.model import Event, EventEntrant, Field, Standing, Value
from honours.model.message import Message
from honours.scoring.award_lists import COLUMNS

_SCORES = ("percentage", "total_score")
OF_ENTRANTS = (
    "boards_played",
    "fewest_boards",
    "won",
    "drawn",
    "matches_played",
    "byes",
    "in_top_stratum",
    "gor",
    "grade",
)
"""What a file of places may say of entrants, that a rule asks for."""
SESSIONS = "sessions_ranked"
"""The fact of a return that names what is ranked by itself: sessions, and the whole event."""
GROUP = "group"
"""The flight or bracket of an entrant in such a file: its places are those of that."""


def has_places_alone(event: Event) -> bool:
    """Return whether an event has no results, and everybody of it a place."""
    played = any(session.results or session.matches for session in event.sessions)
    return (
        not played and bool(event.entrants) and all("place" in e.published for e in event.entrants)
    )


def publishes(event: Event) -> bool:
    """Return whether a file publishes any scores to compare with."""
    lines = (result.published for session in event.sessions for result in session.results)
    return any(lines) or any(
        entrant.published.keys() & {"percentage", "total_score", "place"}
        for entrant in event.entrants
    )


def in_published_order(lists: Sequence[Field], event: Event) -> tuple[Field, ...]:
    """The lists with the places that the file publishes, where it has one for everybody."""
    places = _places(event)
    return tuple(
        replace(field, standings=_by(field.standings, places)) if _covers(places, field) else field
        for field in lists
    )


def published_otherwise(lists: Sequence[Field], event: Event) -> tuple[Standing, ...]:
    """Those whom the file has above somebody who is above them in ours. Who shares a place in one
    of the two is no contradiction: programs part ties in their own ways."""
    places, turned = _places(event), []
    for field in (field for field in lists if _covers(places, field)):
        worst = 0
        for _, group in groupby(_by(field.standings, places), key=lambda s: s.place):
            ours = {s.entrant.id: s for s in field.standings}
            tied = [ours[s.entrant.id] for s in group]
            turned += [s for s in tied if s.place < worst]
            worst = max(worst, *(s.place for s in tied))
    return tuple(turned)


def _places(event: Event) -> dict[str, int]:
    """The places that a file publishes; those of one session where another was carried over are
    not the event's."""
    if any(e.carried for e in event.entrants):
        return {}
    told = {e.entrant.id: e.published.get("place") for e in event.entrants}
    return {who: int(place) for who, place in told.items() if isinstance(place, Fraction)}


def _covers(places: Mapping[str, int], field: Field) -> bool:
    """Return whether these are the places of a list: those of one of its sections are not."""
    own = [places.get(s.entrant.id) for s in field.standings]
    return not field.session and None not in own and are_places(own)


def _by(standings: Sequence[Standing], places: Mapping[str, int]) -> tuple[Standing, ...]:
    tied = Counter(places[s.entrant.id] for s in standings)
    placed = (
        replace(s, place=places[s.entrant.id], tied=tied[places[s.entrant.id]]) for s in standings
    )
    return tuple(sorted(placed, key=lambda s: s.place))


def is_reversal(event: Event) -> bool:
    """Return whether the event takes an award back."""
    points = [p for e in event.entrants for p in _points(e)]
    return bool(points) and all(p <= 0 for p in points) and any(points)


def taken_back(event: Event) -> str:
    """The club's name for the award that is taken back: what follows its own number in ``9-2``."""
    return str(event.facts.get("event_identifier", "")).rpartition("-")[2]


def _points(entrant: EventEntrant) -> list[Fraction]:
    published = [entrant.published.get("masterpoints")]
    published += [player.facts.get("own_masterpoints") for player in entrant.entrant.players]
    return [value for value in published if isinstance(value, Fraction)]


def published_lists(event: Event) -> tuple[Field, ...]:
    """The rankings as they were published: one, or one a line; then those of each session, where a
    return tells them."""
    if is_reversal(event):
        raise InputError(
            "{title} reverses an award and cannot be awarded; reverse record {record} of "
            "{club} in the ledger that has it",
            title=event.title,
            record=taken_back(event) or "?",
            club=event.club or Message("the club that sent it"),
        )
    lists: dict[tuple[str, str, str], list[EventEntrant]] = {}
    for one in event.entrants:
        line = one.line if event.winners == 2 else ""
        for session in _sessions_told(event):
            if told := _of_session(one, session):
                key = session, str(one.published.get(GROUP, "")), line
                lists.setdefault(key, []).append(told)
    facts: dict[str, Value] = {"kind": event.kind}
    if event.swiss:
        facts["form"] = "swiss"
    columns = str(event.facts.get(COLUMNS, "")).split(", ")
    facts |= {name: event.facts[name] for name in columns if name in event.facts}
    ordered = sorted(lists, key=lambda one: (*one[:2], not one[2], one[2] != "NS"))
    return tuple(
        replace(
            _field(line, lists[session, group, line], facts | {"winners": "2" if line else "1"}),
            group=group,
            session=session,
        )
        for session, group, line in ordered
    )


def _sessions_told(event: Event) -> list[str]:
    """The sessions of which there are places, the whole event without a name."""
    names = str(event.facts.get(SESSIONS, WHOLE_EVENT)).split(", ")
    return [name.replace(WHOLE_EVENT, "") for name in names]


def _of_session(entrant: EventEntrant, session: str) -> EventEntrant | None:
    """The entrant with what it has of a session, if it played in it."""
    if not session:
        return entrant
    told = {
        name.removesuffix(f".{session}"): value
        for name, value in entrant.published.items()
        if name.endswith(f".{session}")
    }
    published = {**entrant.published, **told}
    return replace(entrant, published=published) if "place" in told else None


def require_games(event: Event, rulebook: Rulebook) -> None:
    """Refuse to award a file of places by a rulebook that counts games, if it tells none: nothing
    could be derived."""
    if rulebook.plays_games and not any(entrant.games for entrant in event.entrants):
        raise InputError(
            "{title} has places and no games, and {rulebook} awards games: award the file of "
            "results",
            title=event.title,
            rulebook=rulebook.id,
        )


def _field(line: str, members: list[EventEntrant], facts: dict[str, Value]) -> Field:
    places = {e.entrant.id: int(Fraction(e.published["place"])) for e in members}
    tied = Counter(places.values())
    ordered = sorted(members, key=lambda e: places[e.entrant.id])
    standings = tuple(
        Standing(
            e.entrant,
            places[e.entrant.id],
            tied[places[e.entrant.id]],
            _score(e),
            _facts(e),
            e.games,
        )
        for e in ordered
    )
    return Field(facts, standings, line)


def _facts(entrant: EventEntrant) -> dict[str, Value]:
    """Return the facts of an entrant beside its place and score."""
    words = {"section": entrant.section, "stratum": entrant.stratum}
    figures = {name: entrant.published[name] for name in OF_ENTRANTS if name in entrant.published}
    return {**figures, **{name: word for name, word in words.items() if word}}


def _score(entrant: EventEntrant) -> Fraction | None:
    published = (entrant.published.get(name) for name in _SCORES)
    return next((value for value in published if isinstance(value, Fraction)), None)
