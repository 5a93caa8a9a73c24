"""Events that join a season's competition by themselves: those of a series, told by their title."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase

from honours.ledger.season.plan import Competition, Season
from honours.web.events.service import EventService
from honours.web.events.store import StoredEvent
from honours.web.events.summaries import summaries
from honours.web.ledger.season_text import with_event
from honours.web.ledger.seasons import StoredSeason


def series_of(title: str) -> str:
    """What the events of a series have in common: the title without dates and numbers."""
    return re.sub(r"[\d\W_]+", " ", title).strip().lower()


def is_of(title: str, pattern: str) -> bool:
    """Whether an event is of a series: its title is like a pattern with a star, or is the name
    but for dates and numbers."""
    if "*" in pattern:
        return fnmatchcase(title.casefold(), pattern.casefold())
    return series_of(title) == series_of(pattern)


def may_join(
    service: EventService, season: Season, competition: Competition
) -> list[tuple[str, StoredEvent]]:
    """Events that may count for a competition and do not yet, with their days: those of the club
    within the season."""
    files = {path.name for path in competition.events.files}
    clubs = {"", season.club}
    every = [
        kept
        for kept in service.store.all()
        if not files & {kept.id, kept.name} and (not season.club or kept.club in clubs)
    ]
    known = summaries(service, every)
    days = [(known[kept.id].date if kept.id in known else "", kept) for kept in every]
    since, until = season.since, season.until
    return [(day, kept) for day, kept in days if day and (not since or since <= day <= until)]


def ticked(
    service: EventService, kept: StoredSeason, competition: Competition
) -> list[StoredEvent]:
    """The events that were chosen one by one, the latest first; of those that came in files of one
    name, the season's own."""
    names = {path.name for path in competition.events.files}
    every = [one for one in service.store.all() if names & {one.id, one.name}]
    own = {one.name for one in every if one.id in kept.events}
    return [one for one in every if one.id in names or one.id in kept.events or one.name not in own]


def of_series(service: EventService, kept: StoredSeason, title: str) -> list[StoredEvent]:
    """The events that a competition's series brings along, those left out too."""
    pattern = dict(kept.series).get(title, "")
    if not pattern:
        return []
    season = kept.season
    offered = may_join(service, season, season.competition(title))
    ordered = sorted(offered, key=lambda one: (one[0], one[1].id))
    return [event for _, event in ordered if is_of(event.title, pattern)]


def with_series(service: EventService, kept: StoredSeason) -> StoredSeason:
    """The season as it counts: with the events that joined by themselves."""
    text = kept.text
    for number, competition in enumerate(kept.season.competitions):
        for event in of_series(service, kept, competition.title):
            if event.id not in kept.without:
                text = with_event(text, number, event.id)
    return replace(kept, text=text)
