"""Evenings for programs: set up, seated, entered, ruled on, watched and ended."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import File, Query, UploadFile
from starlette.requests import Request
from starlette.responses import StreamingResponse

from honours.evening.codes import SCREEN
from honours.evening.evening import Evening
from honours.evening.live import correctable_until, shows_standings
from honours.evening.plan import KINDS
from honours.model.message import Message
from honours.model.rights import DIRECT, READ
from honours.movements.choosing import offers_for
from honours.reports import views
from honours.reports.drawing import draw_data
from honours.reports.movements import offer_data
from honours.web.evening import evening_json
from honours.web.evening.access import (
    By,
    Kept,
    Service,
    act,
    check_code,
    code_in,
    may_begin_rounds,
    may_bring_a_file,
    may_bring_hands,
    may_change_the_movement,
    may_end,
    may_name_players,
    may_pair_a_round,
    may_renew_codes,
    may_reopen,
    may_rule,
    may_seat_a_late_pair,
    may_undo_rulings,
    recorded_by,
    screen_of_evening,
    stored_evening,
)
from honours.web.evening.api_models import (
    CodesAnswer,
    EveningAnswer,
    EveningFileAnswer,
    EveningRequest,
    LatePair,
    LatePairRequest,
    NamesRequest,
    NewEveningAnswer,
    OfferAnswer,
    RoundRequest,
    SeatsRequest,
    StandingsNow,
)
from honours.web.evening.hands import deals_in, movements_in
from honours.web.evening.service import check_codes, evening_service
from honours.web.evening.set_up import given_in, plan_of
from honours.web.evening.stream import streamed
from honours.web.events.api_models import RulingRequest
from honours.web.events.store import Upload
from honours.web.http.access import anywhere, guarded_router, may
from honours.web.http.api import Key, Limit, Offset, OneOf, Page, leads_to, page
from honours.web.http.requester import club_for, own_key, own_name
from honours.web.published.service import without_hidden

router = guarded_router(tags=["evenings"])
_ONE = "/evenings/{evening_id}"
_FILE = "movement_file"


def _answer(evening: Evening) -> EveningAnswer:
    return EveningAnswer(**evening_json.evening_data(evening))


@router.get("/movements")
@may(READ)
def movements(
    request: Request,
    pairs: Annotated[int, Query(ge=4, le=128)],
    boards: Annotated[int, Query(ge=2, le=200)] = 24,
    rulebook: Annotated[str, Query(max_length=100)] = "",
    given: Annotated[
        str, Query(max_length=400, description="Like class=A section_kind=open.")
    ] = "",
    plays: Annotated[str, OneOf(*KINDS)] = "pairs",
) -> list[OfferAnswer]:
    """Which movement? What so many pairs, teams or players may play, what each would pay, and
    whether it may."""
    events = request.app.state.events
    book = events.rulebook(rulebook) if rulebook else None
    offers = offers_for(plays, pairs, boards, book, {**given_in(given)})
    return [OfferAnswer(**offer_data(offer)) for offer in offers]


@router.get("/evenings")
@may(READ)
def evenings(request: Request, limit: Limit = 100, offset: Offset = 0) -> Page[EveningAnswer]:
    """Every evening, the latest first."""
    kept_evenings = evening_service(request).all(request.scope.get("requester"))
    answers = [_answer(kept.now()) for kept in kept_evenings]
    return page(answers, request.url.path, limit, offset)


_LINKS = leads_to("evening_id", "/id", "evening", "set_names", "begin_round", "enter_line")


@router.post("/evenings", status_code=201, responses={201: _LINKS})
@may(DIRECT, anywhere, Message("set up an evening"))
def begin_evening(
    request: Request, asked: EveningRequest, idempotency_key: Key = ""
) -> NewEveningAnswer:
    """Set an evening up; the same key again is the same evening."""
    club, by = club_for(request, DIRECT, asked.club), own_name(request)
    key = own_key(request, idempotency_key) if idempotency_key else ""
    if asked.rulebook:
        request.app.state.events.rulebook(asked.rulebook)
    sent = Upload(_FILE, asked.movement_file.encode())
    own = movements_in(request, sent) if asked.movement_file else ()
    kept = evening_service(request).begin(plan_of(asked, club, by, own, _FILE), by, key)
    evening = kept.now()
    return NewEveningAnswer(
        id=kept.id,
        title=evening.plan.title,
        rounds=len(evening.rounds),
        tables=list(evening.tables),
    )


@router.get(_ONE)
@may(READ, stored_evening)
def evening(kept: Kept) -> EveningAnswer:
    """An evening in short."""
    return _answer(kept.now())


@router.get(_ONE + "/standings")
@may(READ, screen_of_evening)
def live_standings(request: Request, service: Service, kept: Kept) -> StandingsNow:
    """How it stands, with what it would be awarded; provisional while it can be corrected."""
    _check_screen(request, kept.id)
    now = kept.now()
    until = correctable_until(now)
    standings: dict[str, Any] = {
        "number": now.number,
        "provisional": not now.settled,
        "until": until.isoformat() if until else None,
        "shown": shows_standings(now),
        "lists": [],
        "problem": "",
    }
    if not standings["shown"]:
        return StandingsNow(**standings)
    stands = service.stands(kept, now)
    if stands.report is not None:
        tables = [table.used() for table in views.standings(stands.report)]
        if code_in(request.headers):  # which anybody in the room may have
            tables = without_hidden(request, stands.report, tables)
        standings["lists"] = [draw_data(table) for table in tables]
    return StandingsNow(**{**standings, "problem": str(stands.problem)})


def _check_screen(request: Request, evening_id: str) -> None:
    if code_in(request.headers):
        check_code(request, evening_id, SCREEN)


@router.get(_ONE + "/codes")
@may(DIRECT, stored_evening)
def table_codes(request: Request, kept: Kept) -> CodesAnswer:
    """The codes of the tables: each opens `/table/CODE`, and `/screen/CODE` the big screen."""
    check_codes(request, kept.now())
    tables = {str(table): kept.code(table) for table in kept.now().tables}
    return CodesAnswer(screen=kept.code(SCREEN), tables=tables)


@router.post(_ONE + "/codes", status_code=201)
@may_renew_codes
def renew_codes(request: Request, kept: Kept) -> CodesAnswer:
    """Make new codes; those that were handed out open nothing any more."""
    check_codes(request, kept.now())
    act(request, kept, "codes")
    return table_codes(request, kept)


@router.post(_ONE + "/names", status_code=201)
@may_name_players
def set_names(request: Request, kept: Kept, asked: NamesRequest) -> EveningAnswer:
    """Say who has which number."""
    named = {who: [one.model_dump() for one in several] for who, several in asked.names.items()}
    return _answer(act(request, kept, "names", {"names": named, "teams": asked.teams}).evening)


@router.post(_ONE + "/rounds", status_code=201)
@may_begin_rounds
def begin_round(request: Request, kept: Kept, asked: RoundRequest) -> EveningAnswer:
    """Begin a round: the clock runs."""
    return _answer(act(request, kept, "round", {"round": asked.round}).evening)


@router.post(_ONE + "/seats", status_code=201)
@may_change_the_movement
def change_seats(request: Request, kept: Kept, asked: SeatsRequest) -> EveningAnswer:
    """Another movement from a round on; what was entered before stays."""
    rounds = [[seats.model_dump() for seats in one] for one in asked.rounds]
    content = {"first": asked.first, "rounds": rounds, "why": asked.why}
    return _answer(act(request, kept, "seats", content).evening)


@router.post(_ONE + "/late-pair", status_code=201)
@may_seat_a_late_pair
def late_pair(service: Service, kept: Kept, by: By, asked: LatePairRequest) -> LatePair:
    """A pair that came late: it fills the half table, or roves."""
    players = [one.model_dump() for one in asked.players]
    return LatePair(pair=service.add_late_pair(kept, by, asked.first, players))


@router.post(_ONE + "/swiss-round", status_code=201)
@may_pair_a_round
def swiss_round(service: Service, kept: Kept, by: By, triangle: bool = False) -> EveningAnswer:
    """The next round of a Swiss, paired by how it stands; three teams may play a triangle."""
    service.add_swiss_round(kept, by, triangle)
    return _answer(kept.now())


@router.post(_ONE + "/hands", status_code=201)
@may_bring_hands
def bring_hands(
    request: Request, kept: Kept, file: Annotated[UploadFile, File()]
) -> dict[str, int]:
    """A hand record; nobody sees a hand before they have played it."""
    deals = deals_in(request, Upload.sent(file, "hands"))
    act(request, kept, "deals", {"deals": deals})
    return {"boards": len(deals)}


@router.put(_ONE + "/file")
@may_bring_a_file
def take_file(
    service: Service, kept: Kept, by: By, file: Annotated[UploadFile, File()]
) -> EveningFileAnswer:
    """The file of a watched evening, as it has grown; sent again unchanged, nothing is done."""
    done = service.take_file(kept, by, Upload.sent(file, "file"))
    return EveningFileAnswer(new=done is not None, number=kept.now().number)


# --- rulings, the stream and the end --------------------------------------------------------------


@router.post(_ONE + "/rulings", status_code=201)
@may_rule
def rule_evening(
    request: Request, service: Service, kept: Kept, ruling: RulingRequest
) -> list[str]:
    """Make a ruling while play goes on; answers with what it changes."""
    by = recorded_by(request, kept, ruling.by)
    words = {**ruling.model_dump(), "by": by}
    service.check_may_rule(kept, own_name(request), words)
    return service.rule(kept, by, words)


@router.post(_ONE + "/rulings/undo")
@may_undo_rulings
def undo_evening_ruling(request: Request, kept: Kept) -> EveningAnswer:
    """Take the last ruling out again."""
    return _answer(act(request, kept, "undo").evening)


@router.get(
    _ONE + "/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "object"}}}}},
)
@may(READ, screen_of_evening)
async def stream(service: Service, kept: Kept) -> StreamingResponse:
    """Server-sent events: the number of the last act, whenever there is one more."""
    return streamed(service.hub, kept)


@router.post(_ONE + "/end", status_code=201)
@may_end
def end_evening(service: Service, kept: Kept, by: By) -> EveningAnswer:
    """Play has ended: the evening is an event, provisional until the correction period ends."""
    service.end(kept, by)
    return _answer(kept.now())


@router.post(_ONE + "/reopen")
@may_reopen
def reopen_evening(service: Service, kept: Kept, by: By) -> EveningAnswer:
    """Play goes on after all."""
    service.reopen(kept, by)
    return _answer(kept.now())
