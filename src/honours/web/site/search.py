"""Looking for something: events, boards, players, members, rulebooks and pages, in one box."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from honours.formats.entrants import sought
from honours.language import words
from honours.ledger import members
from honours.model.message import Message
from honours.model.rights import KEEP, READ
from honours.web.events.service import event_service
from honours.web.events.summaries import Summary, summaries, words_of_summary
from honours.web.http.access import guarded_router, may, may_at
from honours.web.ledger.service import LedgerService, sees_everybody
from honours.web.templating import PLACES, declared_words, language_of, render

router = guarded_router()
_MOST = 12
_BOARD = re.compile(r"(?:board|donne|#)?\s*(\d{1,3})", re.IGNORECASE)
_NEEDS = {"/club": KEEP}
"""The right that a page takes which not everybody may see."""


class Hit(NamedTuple):
    """Something that matches a search: what it is, where it is, and a few details."""

    title: str
    href: str
    about: str = ""


@router.get("/search")
@may(READ)
def search(request: Request, q: str = "") -> Response:
    wanted = q.strip()[:100]
    groups = [(title, hits) for title, hits in _groups(request, wanted) if hits] if wanted else []
    return render(request, "search.html", wanted=wanted, groups=groups)


def _groups(request: Request, wanted: str) -> Iterator[tuple[Message, list[Hit]]]:
    service, language = event_service(request), language_of(request)
    like = sought(wanted).split()
    yield from _in_events(request, wanted, like)
    yield Message("Members"), _members(request, wanted)
    books = [
        Hit(book.title, f"/rulebooks/{book.id}", book.id)
        for book in service.rulebooks()
        if _has(f"{book.id} {book.title} {book.body}", like)
    ]
    yield Message("Rulebooks"), books[:_MOST]
    places = [(place.path, place.title) for place in PLACES]
    pages = [
        Hit(words(title, language), path)
        for path, title in (*places, *declared_words("help"))
        if _has(words(title, language), like) and may_at(request, _NEEDS.get(path, READ))
    ]
    yield Message("Pages and help"), pages


def _in_events(
    request: Request, wanted: str, like: list[str]
) -> Iterator[tuple[Message, list[Hit]]]:
    """Events, the boards of a number in them, and who played."""
    service, language = event_service(request), language_of(request)
    events = {kept.id: kept for kept in service.store.all()}
    known = summaries(service, events.values())
    listed = [
        Hit(kept.title, f"/events/{kept.id}", known.get(kept.id, Summary()).date)
        for kept in events.values()
        if _has(
            f"{kept.title} {kept.name} {words_of_summary(known.get(kept.id, Summary()), language)}",
            like,
        )
    ]
    yield Message("Events"), listed[:_MOST]
    if number := _BOARD.fullmatch(wanted):
        boards = [
            Hit(kept.title, f"/events/{kept.id}/boards/{int(number[1])}", known[kept.id].date)
            for kept in events.values()
            if kept.id in known and known[kept.id].kind
        ]
        yield Message("Board {board}", board=int(number[1])), boards[:5]
    played = {name: number for one in known.values() for name, number in one.players}
    players = [
        Hit(name, f"/people?{urlencode({'name': name, 'number': number})}", number)
        for name, number in sorted(played.items())
        if _has(f"{name} {number}", like)
    ]
    yield Message("Players"), players[:_MOST]


def _has(text: str, like: list[str]) -> bool:
    own = sought(text).split()
    return all(any(part.startswith(word) for part in own) for word in like)


def _members(request: Request, wanted: str) -> list[Hit]:
    ledger: LedgerService = request.app.state.ledger
    if not ledger.there:
        return []
    with ledger.reading() as connection:
        listed = members.listed(connection, _MOST, None, wanted, not sees_everybody(request))
    return [Hit(one.name, f"/ledger/members/{one.id}", one.number) for one in listed]
