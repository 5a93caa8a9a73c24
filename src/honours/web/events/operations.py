"""The operations on events for programs and forms: upload, score, explain, award, rule on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import File, Form, Header, Query, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.engine.exact.explanation import to_data
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.reports import travellers
from honours.reports.awards import event_data
from honours.reports.drawing import draw_data
from honours.reports.standings import rulings_data, scored_data
from honours.scoring.why import explain
from honours.web.calculators.api_models import AwardsAnswer
from honours.web.calculators.calculator import amend, run_amended
from honours.web.events.access import Events, How, Opened, stored_event
from honours.web.events.api_models import (
    AwardsRequest,
    EventSummary,
    FinalRequest,
    MembersAnswer,
    MembersRequest,
    RulingRequest,
    RulingsAnswer,
)
from honours.web.events.choices import query_of
from honours.web.events.member_lists import KeptList
from honours.web.events.posting import posting_states
from honours.web.events.service import event_service
from honours.web.events.store import StoredEvent, Upload
from honours.web.http.access import anywhere, remember_name
from honours.web.http.api import Page, Paging, StepAnswer, TableShown
from honours.web.http.operations import Operations
from honours.web.http.problems import InTheWay

operations = Operations("events")


_ONE = "/events/{event_id}"


def summary(kept: StoredEvent) -> EventSummary:
    return EventSummary(**{**asdict(kept), "file": kept.name})


@operations("GET /events", READ)
def events(request: Request, paging: Paging) -> Page[EventSummary]:
    """Every event, the latest first."""
    return paging.of([summary(kept) for kept in event_service(request).store.all()], "id")


@operations("POST /events", SCORE, anywhere, Message("brought in results"), status_code=201)
def add_event(
    request: Request,
    file: Annotated[UploadFile, File(description="A file of any format Honours reads.")],
    club: Annotated[str, Form(max_length=100, description="Whose event it is.")] = "",
    idempotency_key: Annotated[str, Header(max_length=200)] = "",
) -> list[EventSummary]:
    """Upload a file of results or standings; the same key and file again is the same event."""
    kept = event_service(request).add(Upload.sent(file, "upload", idempotency_key, club))
    return [summary(one) for one in kept]


@operations(f"GET {_ONE}", READ, stored_event)
def event(service: Events, opened: Opened, choices: How) -> dict[str, Any]:
    """The event scored: standings, every board, what is odd, the rulings made."""
    answer: dict[str, Any] = {
        "id": opened.kept.id,
        "found": [dict(part) for part in opened.contents.parts],
    }
    report = service.report(opened, choices)
    if report.scored is None:
        return answer | {"lists": len(report.lists)}
    return answer | scored_data(report.scored, opened.rulings)


@operations(
    f"DELETE {_ONE}", SCORE, stored_event, mark("removed event {event_id}"), status_code=204
)
def remove_event(request: Request, service: Events, opened: Opened, leaving: bool = False) -> None:
    """Take an event away, its rulings with it; one that is held or posted only if it is said that
    what the ledger has of it is left there."""
    state = posting_states(request, [opened.kept]).get(opened.kept.id)
    if state is not None and not leaving:
        raise InTheWay(
            mark("the event is in the ledger ({state}) and stays there: say leaving=true"),
            state=state.word,
        )
    service.store.remove(opened.kept.id)


@operations(f"GET {_ONE}/sheets/{{kind}}", READ, stored_event)
def sheets(
    service: Events,
    opened: Opened,
    kind: Literal["travellers", "scorecards", "matrix"],
    choices: How,
) -> list[TableShown]:
    """Travellers, scorecards or the matrix, as rows under their header."""
    scored = service.scored(opened, choices)
    return [TableShown(**draw_data(table)) for table in getattr(travellers, kind)(scored)]


@operations(f"GET {_ONE}/explanation", READ, stored_event, response_model_exclude_unset=True)
def explanation(
    service: Events,
    opened: Opened,
    choices: How,
    what: Annotated[str, Query(max_length=100, examples=["board 7"])],
) -> list[StepAnswer]:
    """Return how a board's scores or an entrant's total came about."""
    return [StepAnswer(**to_data(step)) for step in explain(service.scored(opened, choices), what)]


@operations(f"POST {_ONE}/awards", READ, stored_event)
def awards(service: Events, opened: Opened, asked: AwardsRequest, choices: How) -> AwardsAnswer:
    """Return what a rulebook awards for the event."""
    book = amend(service.rulebook(asked.rulebook), asked.variant, asked.set)
    given = {key: str(value) for key, value in asked.given.items()}
    confirmed = choices.confirming(asked.as_usual)
    report = run_amended(book, lambda: service.awarded(opened, confirmed, book, given))
    event_awards = report.awards
    assert event_awards is not None
    return AwardsAnswer(**event_data(book, event_awards, asked.explain or None))


# --- its member list ----------------------------------------------------------------------------


@operations(f"PUT {_ONE}/members", SCORE, stored_event, mark("gave event {event_id} a member list"))
def give_members(service: Events, event_id: str, asked: MembersRequest) -> MembersAnswer:
    """Match the players with a member list, whose holdings and ratings its awards then use."""
    kept = KeptList(asked.name or "members.csv", asked.list, dict(asked.confirm))
    remarks = service.keep_members(event_id, kept)
    return MembersAnswer(name=kept.name, confirm=dict(kept.confirm), remarks=list(remarks))


@operations(
    f"DELETE {_ONE}/members",
    SCORE,
    stored_event,
    mark("took the member list of event {event_id} away"),
    status_code=204,
)
def take_members_away(service: Events, event_id: str) -> None:
    """Award the event from its own file again."""
    service.keep_members(event_id, None)


# --- rulings -------------------------------------------------------------------------------------


def _rulings(service: Events, event_id: str, changes: list[str]) -> RulingsAnswer:
    made = service.open(event_id).rulings
    return RulingsAnswer(count=len(made), rulings=rulings_data(made), changes=changes)


@operations(f"GET {_ONE}/rulings", READ, stored_event)
def rulings(service: Events, event_id: str) -> RulingsAnswer:
    """The rulings made on an event."""
    return _rulings(service, event_id, [])


@operations(
    f"POST {_ONE}/rulings", SCORE, stored_event, mark("ruled on event {event_id}"), status_code=201
)
def rule(service: Events, event_id: str, ruling: RulingRequest, choices: How) -> RulingsAnswer:
    """Make a ruling that can be applied; `changes` says what it changed for whom."""
    changes = service.rule(event_id, ruling.model_dump(), choices)
    return _rulings(service, event_id, changes)


@operations(f"POST {_ONE}/rulings/preview", SCORE, stored_event)
def preview(service: Events, event_id: str, ruling: RulingRequest, choices: How) -> list[str]:
    """Return what a ruling would change, without making it."""
    return service.preview(event_id, ruling.model_dump(), choices)


def check_rulings_seen(known: str, count: int) -> None:
    """A form sent twice, or on an old page, does nothing the second time."""
    if known and known != str(count):
        raise InTheWay(
            Message("the rulings have changed since this page was opened; look again first")
        )


def to_rulings(request: Request, answer: RulingsAnswer) -> Response:
    """The page of the rulings; whoever made the last is offered as the next to rule."""
    event_id = request.path_params["event_id"]
    response = RedirectResponse(f"/events/{event_id}/rulings{query_of(request.query_params)}", 303)
    if answer.rulings:
        remember_name(response, answer.rulings[-1]["by"])
    return response


Seen = Annotated[str, Query(max_length=9, description="How many rulings there were, as you saw.")]


@operations(
    f"POST {_ONE}/rulings/undo",
    SCORE,
    stored_event,
    mark("undid a ruling on event {event_id}"),
    form=f"{_ONE}/undo",
    then=to_rulings,
)
def undo(
    service: Events, opened: Opened, number: Annotated[int, Query(ge=0)] = 0, count: Seen = ""
) -> RulingsAnswer:
    """Take a ruling out again, the last unless its number is said."""
    check_rulings_seen(count, len(opened.rulings))
    service.undo(opened.kept.id, number)
    return _rulings(service, opened.kept.id, [])


@operations(
    f"POST {_ONE}/final",
    SCORE,
    stored_event,
    mark("made event {event_id} final"),
    form=f"{_ONE}/final",
    then=to_rulings,
)
def final(
    service: Events, opened: Opened, asked: FinalRequest, choices: How, count: Seen = ""
) -> RulingsAnswer:
    """Make the standings final as they are; what changes later is marked as amended."""
    check_rulings_seen(count, len(opened.rulings))
    service.make_final(opened.kept.id, asked.model_dump(), choices)
    return _rulings(service, opened.kept.id, [])
