"""The summary of an event for lists: kept beside it, worked out again when something changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from honours import __version__
from honours.engine.numbers import show
from honours.errors import HonoursError
from honours.formats.detect import how_played
from honours.language import words
from honours.ledger.sources import day_of
from honours.model import Standing
from honours.model.message import joined, word
from honours.pipeline import Report
from honours.scoring import ScoredEvent
from honours.scoring.standings import shown_place, shown_score
from honours.scoring.status import status
from honours.web.events.choices import ScoringChoices
from honours.web.events.service import EventService, OpenEvent
from honours.web.events.store import StoredEvent

_AT_ONCE = 25
"""How many events are scored for one look at a list; the others the next time."""
_LISTS = 8
"""Of an event with more ranking lists the first are enough to know who played."""


class EntrantSummary(NamedTuple):
    """An entrant: its id, its players (names and numbers), its place and score as shown."""

    entrant: str
    players: tuple[tuple[str, str], ...]
    place: str
    score: str


@dataclass(frozen=True, slots=True)
class Summary:
    """An event in a line. ``state`` is provisional, final, amended or nothing (a given ranking)."""

    date: str = ""
    kind: tuple[str, ...] = ()
    club: str = ""
    entrants: int = 0
    tables: str = ""
    winners: str = ""
    state: str = ""
    lines: tuple[EntrantSummary, ...] = ()
    """Who played, entrant by entrant, and how they did."""

    @property
    def players(self) -> list[tuple[str, str]]:
        """The names and numbers of those who played."""
        return [player for line in self.lines for player in line.players]

    @property
    def how(self) -> str:
        """The kind of event and how it was scored, in words."""
        return joined(", ", [word(one) for one in self.kind])


def summaries(service: EventService, several: Iterable[StoredEvent]) -> dict[str, Summary]:
    """The summaries of some events, as far as they are known or can be worked out now."""
    known: dict[str, Summary] = {}
    made = 0
    for kept in several:
        data = service.store.summary(kept.id)
        mark = _mark(service, kept)
        if data.pop("mark", "") != mark:
            if made == _AT_ONCE:
                continue
            made += 1
            data = _made(service, kept)
            service.store.keep_summary(kept.id, {**data, "mark": mark})
        known[kept.id] = _summary_of(data)
    return known


def _summary_of(data: dict[str, Any]) -> Summary:
    lines = tuple(
        EntrantSummary(entrant, tuple((name, number) for name, number in players), place, score)
        for entrant, players, place, score in data.get("lines", ())
    )
    return Summary(**{**data, "kind": tuple(data.get("kind", ())), "lines": lines})


def _mark(service: EventService, kept: StoredEvent) -> str:
    """Changes with whatever the summary is made from."""
    try:
        rulings = service.store.rulings_text(kept.id)
    except HonoursError:
        rulings = ""
    usual = service.club_settings(kept.club).profile
    parts = (__version__, kept.digest, kept.index, sorted(kept.said.items()), rulings, usual)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _made(service: EventService, kept: StoredEvent) -> dict[str, Any]:
    try:
        opened = service.open(kept.id)
        report = service.report(opened, ScoringChoices())
    except HonoursError:  # its own page says what is wrong
        return {}
    return _summary(opened, report)


def _summary(opened: OpenEvent, report: Report) -> dict[str, Any]:
    event = opened.account.played
    day = opened.kept.said.get("date", "") or day_of(opened.account)
    if event is None:
        first = [one.standings[0] for one in report.lists[:2] if one.standings]
        return {
            "date": day,
            "kind": [opened.account.form.game] if opened.account.form.game else [],
            "entrants": max((len(one.standings) for one in report.lists), default=0),
            "winners": _names(first),
            "lines": [
                _line(one, one.placing, "" if one.score is None else show(one.score))
                for given in report.lists[:_LISTS]
                for one in given.standings
            ],
        }
    scored = report.scored
    assert scored is not None
    first = [one.standings[0] for one in scored.rankings[:2] if one.standings]
    return {
        "date": day,
        "kind": [str(one) for one in how_played(event)],
        "club": event.club,
        "entrants": len(event.entrants),
        "tables": _tables(event.kind, len(event.entrants)),
        "winners": _names(first),
        "state": str(status(scored, opened.rulings).word.template),
        "lines": lines_of(scored),
    }


def lines_of(scored: ScoredEvent) -> list[EntrantSummary]:
    """Return who played, entrant by entrant, and how they did."""
    return [
        _line(one, shown_place(one), shown_score(one))
        for ranking in scored.rankings[:_LISTS]
        if not ranking.handicapped and not ranking.stratum
        for one in (*ranking.standings, *ranking.unranked)
    ]


def _line(standing: Standing, place: str, score: str) -> EntrantSummary:
    entrant = standing.entrant
    players = tuple((player.name, player.number) for player in entrant.players if player.name)
    return EntrantSummary(entrant.id, players, place, score)


def _names(first: list[Standing]) -> str:
    return "; ".join(dict.fromkeys(one.entrant.title for one in first))


def _tables(kind: str, entrants: int) -> str:
    if kind == "pairs":
        return f"{entrants // 2}½" if entrants % 2 else str(entrants // 2)
    return str(entrants // 4) if kind == "individual" else ""


def words_of_summary(summary: Summary, language: str) -> str:
    """All words of a summary, for searching."""
    return " ".join([summary.date, summary.club, summary.winners, words(summary.how, language)])
