"""Events that a file describes by their places alone: returns to a federation, other people's
results.

What ``honours ledger submit`` writes is of this kind: who took part, where they came and what they
were awarded, with no boards. An award that was taken back is an event whose points are negative.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.model import Event, EventEntrant, Field, Standing, Value
from honours.model.message import Message
from honours.scoring.shown_facts import COLUMNS

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


def has_places_alone(event: Event) -> bool:
    """Whether an event has no results, and everybody of it a place."""
    played = any(session.results or session.matches for session in event.sessions)
    return (
        not played and bool(event.entrants) and all("place" in e.published for e in event.entrants)
    )


def is_reversal(event: Event) -> bool:
    """Whether the event takes an award back."""
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
    """The rankings as they were published: one, or one a line."""
    if is_reversal(event):
        raise InputError(
            "{title} takes an award back: it is not awarded again; reverse record {record} of "
            "{club} in the ledger that has it",
            title=event.title,
            record=taken_back(event) or "?",
            club=event.club or Message("the club that sent it"),
        )
    lines = dict.fromkeys(e.line if event.winners == 2 else "" for e in event.entrants)
    facts: dict[str, Value] = {"kind": event.kind}
    if event.swiss:
        facts["form"] = "swiss"
    columns = str(event.facts.get(COLUMNS, "")).split(", ")
    facts |= {name: event.facts[name] for name in columns if name in event.facts}
    return tuple(
        _field(
            line,
            [e for e in event.entrants if event.winners != 2 or e.line == line],
            facts | {"winners": "2" if line else "1"},
        )
        for line in sorted(lines, key=lambda line: (not line, line != "NS"))
    )


def require_games(event: Event, rulebook: Rulebook) -> None:
    """Refuse to award a file of places by a rulebook that counts games, if it tells none: nothing
    could be derived."""
    if rulebook.plays_games and not any(entrant.games for entrant in event.entrants):
        raise InputError(
            "{title}: it has places and no games, and {rulebook} awards by games: award the "
            "file of results",
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
    """What is known of an entrant beside its place and score."""
    words = {"section": entrant.section, "stratum": entrant.stratum}
    figures = {name: entrant.published[name] for name in OF_ENTRANTS if name in entrant.published}
    return {**figures, **{name: word for name, word in words.items() if word}}


def _score(entrant: EventEntrant) -> Fraction | None:
    published = (entrant.published.get(name) for name in _SCORES)
    return next((value for value in published if isinstance(value, Fraction)), None)
