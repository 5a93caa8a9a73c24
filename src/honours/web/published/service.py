"""Publishing an event: its address, and its pages as they are now, without those who opted out."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl

from starlette.requests import Request

from honours.language import words
from honours.ledger import members
from honours.model.message import Message, mark
from honours.model.table import Table
from honours.pipeline import Report
from honours.pipeline.anonymous import HiddenPlayers
from honours.web.events.choices import WORDS, ScoringChoices
from honours.web.events.documents import Audience, AwardingChoice, published_pages
from honours.web.events.service import EventService, OpenEvent
from honours.web.events.store import StoredEvent
from honours.web.http.problems import NotThere
from honours.web.ledger.service import LedgerService
from honours.web.published.clubs import Clubs
from honours.web.templating import language_of

SHEETS = ("/static/tokens.css", "/static/house.css", "club.css")
NOBODY = Message("Anonymous")
_QUERY, _GIVEN = "published", "g."


def publish(service: EventService, event_id: str, query: str) -> StoredEvent:
    """Give an event a public address, or say anew how it is scored and awarded there."""
    kept = service.store.get(event_id)
    address = kept.address or secrets.token_urlsafe(9)
    kept_words = {**kept.said, _QUERY: query[:2000]}
    return service.store.keep(replace(kept, address=address, said=kept_words))


def withdraw(service: EventService, event_id: str) -> None:
    """Take the public address away; it is never given again."""
    kept = service.store.get(event_id)
    kept_words = {key: text for key, text in kept.said.items() if key != _QUERY}
    service.store.keep(replace(kept, address="", said=kept_words))


def published(request: Request, address: str) -> StoredEvent:
    """The event at a public address."""
    every: EventService = request.app.state.events
    kept = every.store.at_address(address)
    if kept is None:
        raise NotThere(mark("nothing is published at this address"))
    return kept


def pages(request: Request, kept: StoredEvent) -> Mapping[str, bytes]:
    """Every page of a published event as it is now, corrections included."""
    service: EventService = request.app.state.events
    opened = service.open(kept.id)
    choices, awarding = as_published(service, opened)
    home = f"/c/{request.app.state.clubs.called(kept.club)}"
    shown = replace(shown_to(request, kept.club), home=home)
    if not shown.dress.name and opened.account.played is not None:
        shown = replace(shown, dress=replace(shown.dress, name=opened.account.played.club))
    work = partial(published_pages, opened.account, choices.values, awarding, shown, SHEETS)
    key = (*state("pages", opened, shown), choices)
    made: Mapping[str, bytes] = service.worked(key, kept.name, work)
    return made


def state(what: str, opened: OpenEvent, shown: Audience) -> tuple[object, ...]:
    """All that what is published of an event depends on."""
    kept, hidden = opened.kept, shown.hidden
    file = (kept.digest, kept.index, tuple(sorted(kept.said.items())), opened.rulings_text)
    return (what, *file, hidden.names, hidden.numbers, shown.dress, shown.language, shown.home)


def shown_to(request: Request, club: str, *, named: bool = False) -> Audience:
    """In whose dress and language something is made, and who is not in it."""
    clubs: Clubs = request.app.state.clubs
    language = language_of(request)
    hidden = HiddenPlayers() if named else hidden_people(request, language)
    return Audience(hidden, clubs.settings(club).dress, language)


def as_published(service: EventService, opened: OpenEvent) -> tuple[ScoringChoices, AwardingChoice]:
    """Return how the event was scored and awarded where it was published."""
    query = dict(parse_qsl(opened.kept.said.get(_QUERY, "").lstrip("?")))
    rulebook = query.pop("rulebook", "")
    given = {key.removeprefix(_GIVEN): v for key, v in query.items() if key.startswith(_GIVEN)}
    if day := opened.kept.said.get("date"):
        given.setdefault("date", day)
    scoring = {name: query[name] for name in WORDS if name in query}
    choices = service.as_usual(opened, ScoringChoices.of(scoring))
    folders, standing = service.settings.rulebooks, service.standing(opened)
    return choices, AwardingChoice(rulebook, given, folders, standing)


def hidden_people(request: Request, language: str) -> HiddenPlayers:
    """Everybody of the ledger who does not want to be published."""
    ledger: LedgerService = request.app.state.ledger
    return HiddenPlayers.of(_opted_out(ledger), words(NOBODY, language))


def _opted_out(ledger: LedgerService) -> Iterable[tuple[str, str]]:
    if not ledger.there:
        return ()
    with ledger.reading() as connection:
        every = members.get(connection, members.hidden(connection)).values()
    return [(one.name, one.number) for one in every if one.name != members.ERASED]


def without_hidden(request: Request, report: Report, tables: Iterable[Table]) -> list[Table]:
    """Tables of a report as they may be shown to anybody."""
    hidden = hidden_people(request, language_of(request))
    for field in report.lists:
        for standing in field.standings:
            for player in standing.entrant.players:
                hidden.player(player)
    return [hidden.table(one) for one in tables]


def front_doors(request: Request) -> list[tuple[str, str]]:
    """The clubs that have published something or say when they play: names and addresses."""
    clubs: Clubs = request.app.state.clubs
    events: EventService = request.app.state.events
    named = [one.club for one in events.store.all() if one.address]
    named += [one for one in clubs.every() if clubs.settings(one).calendar]
    doors = {f"/c/{clubs.called(one)}": clubs.settings(one).name or one for one in named}
    return sorted((name or Message("The club"), address) for address, name in doors.items())
