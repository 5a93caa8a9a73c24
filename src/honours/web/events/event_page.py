"""An event as somebody looks at it, and where the cells of its tables lead on its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import Depends
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.formats.go import GoTournament
from honours.model.message import Message
from honours.model.rights import SCORE
from honours.model.table import Cell, Column, Kind, Link, Table, headed
from honours.pipeline import Report
from honours.pipeline.field_strength import field_strength
from honours.pipeline.rating_changes import RatingChange, rating_changes
from honours.reports import standings, travellers
from honours.scoring import ScoredEvent
from honours.scoring.status import status
from honours.web.events.access import Events, Opened
from honours.web.events.choices import ScoringChoices, choices_in, query_of
from honours.web.events.posting import PostingState, own_day, posting_states
from honours.web.events.service import EventService, OpenEvent, scored_of
from honours.web.http.access import may_at
from honours.web.templating import render

GIVEN = "g."
"""How the fields of an address begin that a rulebook is given."""


@dataclass(frozen=True, slots=True)
class AwardQuery:
    """The rulebook asked for, the one to compare it with, and what the file does not say."""

    rulebook: str
    against: str = ""
    entrant: str = ""
    given: dict[str, str] = field(default_factory=dict)

    def given_to(self, book: Rulebook) -> dict[str, str]:
        """Return what one rulebook is given; of two, each gets what it asks for."""
        if not self.against:
            return self.given
        return {key: value for key, value in self.given.items() if book.takes(key)}

    def query(self, scoring: str) -> str:
        """The address's query, with how the event is scored."""
        pairs = [("rulebook", self.rulebook), ("against", self.against), ("entrant", self.entrant)]
        pairs += [(f"{GIVEN}{key}", value) for key, value in self.given.items()]
        text = urlencode([(key, value) for key, value in pairs if value])
        return f"?{text}" + (f"&{scoring[1:]}" if scoring else "")


def said_of(request: Request, opened: OpenEvent) -> QueryParams:
    """The fields of an address; where they name no rulebook, after what was answered last."""
    query = request.query_params
    if query.get("rulebook"):
        return query
    return QueryParams([*parse_qsl(opened.kept.answers), *query.multi_items()])


def fields_in(said: QueryParams, beginning: str) -> dict[str, str]:
    """The fields of an address that begin so, by the rest of their names."""
    pairs = ((key, value.strip()) for key, value in said.multi_items())
    return {
        key.removeprefix(beginning): value
        for key, value in pairs
        if key.startswith(beginning) and value
    }


@dataclass(frozen=True)
class EventPage:
    """An event as an address asks for it: who asks, the event, and how it is scored."""

    request: Request
    service: EventService
    opened: OpenEvent
    choices: ScoringChoices

    @property
    def id(self) -> str:
        return self.opened.kept.id

    @property
    def here(self) -> str:
        """The address of the pages of the event."""
        return f"/events/{self.id}"

    @cached_property
    def query(self) -> str:
        """The part of the address that says how to score, to go on with."""
        return query_of(self.request.query_params)

    @property
    def is_ranking(self) -> bool:
        """True where the file gives a ranking, and no results."""
        return self.opened.account.played is None

    @property
    def may_score(self) -> bool:
        return may_at(self.request, SCORE, self.opened.kept.club or None)

    @cached_property
    def report(self) -> Report:
        return self.service.report(self.opened, self.choices)

    @property
    def scored(self) -> ScoredEvent:
        return scored_of(self.report)

    @cached_property
    def held(self) -> PostingState | None:
        """The state of its awards, if they were held or posted."""
        return posting_states(self.request, [self.opened.kept]).get(self.id)

    @cached_property
    def asked(self) -> AwardQuery:
        """The rulebook that the address or the event's answers name, or the one proposed."""
        said = self.said
        chosen = said.get("rulebook") or self.service.proposed(self.opened, self.choices)
        given = fields_in(said, GIVEN)
        return AwardQuery(chosen, said.get("against", ""), said.get("entrant", ""), given)

    @cached_property
    def said(self) -> QueryParams:
        return said_of(self.request, self.opened)

    @property
    def link(self) -> str:
        """The address's query for what is asked, complete."""
        return self.asked.query(query_of(self.said))

    @cached_property
    def is_open(self) -> bool:
        """True where nobody said, and nothing in the file shows, by whose rules it is awarded."""
        if self.said.get("rulebook"):
            return False
        likely = self.service.likely(self.opened)
        return len(likely) > 1 and not likely[0].shown_by

    def shown(self, template: str, code: int = 200, **more: Any) -> Response:
        """A page of the event, with what stands above every one of them."""
        opened, scored = self.opened, None if self.is_ranking else self.scored
        content = opened.account.content
        above = {
            "opened": opened,
            "query": self.query,
            "rankings": self.is_ranking,
            "day": own_day(opened),
            "may_score": self.may_score,
            "strength": field_strength(opened.account),
            "held": self.held,
            "missing": isinstance(content, GoTournament) and any(content.missing()),
            "scored": scored,
            "status": status(scored, opened.rulings) if scored else None,
        }
        return render(self.request, template, code, **(above | more))

    def back(self, follow: str = "") -> Response:
        """Back to a page of the event, after something was done."""
        return RedirectResponse(f"{self.here}{follow}", 303)

    # --- its tables, whose cells lead to its pages ------------------------------------------------

    def address(self, link: Link) -> str:
        """Return the address of a pair's page, a board's, or the reasons of a score."""
        if link.kind == "reasons":
            more = f"&{self.query[1:]}" if self.query else ""
            return f"{self.here}/why?what={quote(link.name)}{more}"
        if link.kind == "scorecard":
            return f"{self.here}/pairs/{quote(link.name, safe='')}{self.query}"
        if link.kind == "board":
            at = f"#{quote(link.at)}" if link.at else ""
            return f"{self.here}/boards/{quote(link.name, safe='')}{self.query}{at}"
        return ""

    def rankings(self) -> list[Table]:
        """Every ranking list; what entrants are called by is left out where it is nothing but their
        names, as in the rankings that a file gives."""
        if not self.is_ranking:
            made = [standings.ranking_table(self.scored, one) for one in self.scored.rankings]
            return [one.linked(self.address).used() for one in made]
        address = self.address if self.opened.account.is_go else lambda _: ""
        given = [
            (one.without("entrant") if _are_names(one) else one).linked(address)
            for one in standings.rankings(self.report)
        ]
        if not self.rating_changes:
            return given
        column = Column("rating_change", Message("rating change"), Kind.NUMBER)
        return [
            one.beside(column, [self.rating_change(s.entrant.id) for s in field.standings])
            for one, field in zip(given, self.report.lists, strict=True)
        ]

    @cached_property
    def rating_changes(self) -> Mapping[str, RatingChange]:
        """The changes that a go tournament makes to its players' ratings, where known."""
        return rating_changes(self.report)

    def rating_change(self, entrant: str) -> str:
        """The change of one player's rating, with its sign."""
        known = self.rating_changes.get(entrant)
        return f"{'+' if known.change > 0 else ''}{show(known.change, 1)}" if known else ""

    def travellers(self) -> list[Table]:
        """A table a board with names at hand; for who rules, each line leads to the form that
        corrects it."""
        names = travellers.names_of(self.scored)
        made = []
        for board, bare in zip(self.scored.boards, travellers.travellers(self.scored), strict=True):
            shown = travellers.with_names(bare, names).linked(self.address).used()
            if self.may_score:
                form = f"{self.here}/rulings/new?kind=correct&board={board.number}"
                where = f"&section={quote(board.section)}" if board.section else ""
                rule = [
                    Cell(
                        Message("correct"),
                        link=Link("", f"{form}&pair={quote(row[0].text)}{where}"),
                        marks=frozenset({"no-print"}),
                    )
                    for row in bare.rows
                ]
                shown = shown.beside(headed("rule", Kind.WORD), rule)
            made.append(shown)
        return made

    def line_now(self, board: str, pair: str) -> Table | None:
        """Return a board's table, only the rows of a pair where it has any; nothing where there is
        no such board."""
        for one, traveller in zip(
            self.scored.boards, travellers.travellers(self.scored), strict=True
        ):
            if str(one.number) == board:
                shown = traveller.linked(lambda _: "").used()
                own = tuple(row for row in shown.rows if pair in [cell.text for cell in row[:2]])
                return replace(shown, rows=own or shown.rows)
        return None


def _are_names(table: Table) -> bool:
    keys = [column.key for column in table.columns]
    if not {"entrant", "players"} <= set(keys):
        return False
    ids, names = (
        ["".join(filter(str.isalnum, row[keys.index(key)].text.casefold())) for row in table.rows]
        for key in ("entrant", "players")
    )
    return ids == names


def event_page(request: Request, service: Events, opened: Opened) -> EventPage:
    """The event that an address names, as it is asked for."""
    return EventPage(request, service, opened, choices_in(said_of(request, opened)))


Page = Annotated[EventPage, Depends(event_page)]
