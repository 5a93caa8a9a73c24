"""The operations on an evening, for the director's forms and for programs: set it up, seat and
enter, rule, watch and end it."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import File, Query, UploadFile
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from honours.errors import InputError
from honours.evening.board_lines import BoardPlace, WhoseScore, scored_outcome, tidy_lead
from honours.evening.codes import SCREEN
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from
from honours.evening.live import (
    TableNow,
    correctable_until,
    missing,
    shows_standings,
    tables_now,
    to_look_at,
)
from honours.evening.plan import KINDS
from honours.evening.results import event_of
from honours.formats.honours_json import write_json
from honours.model.message import Message, mark
from honours.model.rights import DIRECT, READ
from honours.movements.choosing import offers_for
from honours.reports import views
from honours.reports.drawing import draw_data
from honours.reports.movements import offer_data
from honours.web.evening.access import (
    By,
    Kept,
    Service,
    act,
    check_code,
    code_in,
    recorded_by,
    screen_of_evening,
    stored_evening,
)
from honours.web.evening.api_models import (
    EveningRequest,
    LatePairRequest,
    LineRequest,
    LinesRequest,
    NamesRequest,
    RoundRequest,
    SeatsRequest,
)
from honours.web.evening.entering import IN_THE_MEANTIME, PendingAct, entered, refused
from honours.web.evening.seats_text import read_seats
from honours.web.evening.service import as_seen, check_codes, evening_service
from honours.web.evening.set_up import given_in, plan_of
from honours.web.evening.stream import streamed
from honours.web.evening.told import (
    CodesAnswer,
    EntryAnswer,
    EveningAnswer,
    EveningFileAnswer,
    GridAnswer,
    LatePair,
    LineAnswer,
    MissingBoards,
    OfferAnswer,
    SeveralAnswer,
    StandingsNow,
    evening_told,
    line_told,
)
from honours.web.events.api_models import RulingRequest
from honours.web.events.store import Upload
from honours.web.http.access import anywhere, club_for, own_key, own_name
from honours.web.http.api import Key, OneOf, Page, Paging, TableShown, leads_to
from honours.web.http.operations import Operations
from honours.web.published.service import without_hidden
from honours.web.templating import language_of

operations = Operations("evenings")
_ONE = "/evenings/{evening_id}"
_FILE = "movement_file"
_JSON: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "object"}}}}
}
SentFile = Annotated[UploadFile, File()]


@operations("GET /movements", READ)
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
    """Return the movements that so many pairs, teams or players may play, what each would pay, and
    whether it may be played."""
    book = request.app.state.events.rulebook(rulebook) if rulebook else None
    offers = offers_for(plays, pairs, boards, book, {**given_in(given)})
    return [OfferAnswer(**offer_data(offer)) for offer in offers]


@operations("GET /evenings", READ)
def evenings(request: Request, paging: Paging) -> Page[EveningAnswer]:
    """Every evening, the latest first."""
    kept_evenings = evening_service(request).all(request.scope.get("requester"))
    return paging.of([evening_told(kept.now()) for kept in kept_evenings], "id")


_LINKS = leads_to("evening_id", "/id", "evening", "set_names", "begin_round", "enter_line")


@operations(
    "POST /evenings",
    DIRECT,
    anywhere,
    Message("set up an evening"),
    status_code=201,
    responses={201: _LINKS},
)
def begin_evening(
    request: Request, asked: EveningRequest, idempotency_key: Key = ""
) -> EveningAnswer:
    """Set an evening up; the same key again is the same evening."""
    club, by = club_for(request, DIRECT, asked.club), own_name(request)
    key = own_key(request, idempotency_key) if idempotency_key else ""
    service = evening_service(request)
    if asked.rulebook:
        service.events.rulebook(asked.rulebook)
    sent = Upload(_FILE, asked.movement_file.encode())
    own = service.movements_in(sent) if asked.movement_file else ()
    kept = service.begin(plan_of(asked, club, by, own, _FILE), by, key)
    return evening_told(kept.now())


@operations(f"GET {_ONE}", READ, stored_evening)
def evening(kept: Kept) -> EveningAnswer:
    """An evening in short."""
    return evening_told(kept.now())


@operations(f"GET {_ONE}/standings", READ, screen_of_evening)
def live_standings(request: Request, service: Service, kept: Kept) -> StandingsNow:
    """Return how it stands and what it would pay; provisional while it can be corrected."""
    by_code = bool(code_in(request.headers))
    if by_code:
        check_code(request, kept.id, SCREEN)
    now = kept.now()
    until = correctable_until(now)
    told = StandingsNow(
        number=now.number,
        provisional=not now.settled,
        until=until.isoformat() if until else None,
        shown=shows_standings(now),
    )
    if not told.shown:
        return told
    stands = service.stands(kept, now)
    told.problem = str(stands.problem)
    if stands.report is not None:
        tables = [table.used() for table in views.standings(stands.report)]
        if by_code:  # which anybody in the room may have
            tables = without_hidden(request, stands.report, tables)
        told.lists = [TableShown(**draw_data(table)) for table in tables]
    return told


@operations(
    f"GET {_ONE}/stream",
    READ,
    screen_of_evening,
    response_class=StreamingResponse,
    responses=_STREAM,
)
async def stream(service: Service, kept: Kept) -> StreamingResponse:
    """Server-sent events: the number of the last act, whenever there is one more."""
    return streamed(service.hub, kept)


# --- codes, names and seats -----------------------------------------------------------------------


@operations(f"GET {_ONE}/codes", DIRECT, stored_evening)
def table_codes(request: Request, kept: Kept) -> CodesAnswer:
    """The codes of the tables: each opens `/table/CODE`, and `/screen/CODE` the big screen."""
    check_codes(request, kept.now())
    tables = {str(table): kept.code(table) for table in kept.now().tables}
    return CodesAnswer(screen=kept.code(SCREEN), tables=tables)


@operations(
    f"POST {_ONE}/codes",
    DIRECT,
    stored_evening,
    mark("made new codes for evening {evening_id}"),
    form=f"{_ONE}/codes",
    then=f"{_ONE}/settings",
    status_code=201,
)
def renew_codes(request: Request, kept: Kept) -> CodesAnswer:
    """Make new codes; those that were handed out open nothing any more."""
    check_codes(request, kept.now())
    act(request, kept, "codes")
    return table_codes(request, kept)


@operations(
    f"POST {_ONE}/names",
    DIRECT,
    stored_evening,
    mark("named players of evening {evening_id}"),
    status_code=201,
)
def set_names(request: Request, kept: Kept, asked: NamesRequest) -> EveningAnswer:
    """Say who has which number."""
    return evening_told(act(request, kept, "names", asked.model_dump()).evening)


@operations(
    f"POST {_ONE}/rounds",
    DIRECT,
    stored_evening,
    mark("began a round of evening {evening_id}"),
    form=f"{_ONE}/round",
    then=_ONE,
    status_code=201,
)
def begin_round(request: Request, kept: Kept, asked: RoundRequest) -> EveningAnswer:
    """Begin a round: the clock runs."""
    done = act(request, kept, "round", {"round": asked.round}, asked.key)
    return evening_told(done.evening)


@operations(
    f"POST {_ONE}/seats",
    DIRECT,
    stored_evening,
    mark("changed the movement of evening {evening_id}"),
    form=f"{_ONE}/movement",
    then=f"{_ONE}/movement",
    status_code=201,
)
def change_seats(request: Request, kept: Kept, asked: SeatsRequest) -> EveningAnswer:
    """Another movement from a round on; what was entered before stays."""
    if asked.rounds is None:
        rounds = read_seats(asked.text, kept.now().plan.sections)
    else:
        rounds = [[seats.model_dump() for seats in one] for one in asked.rounds]
    content = {"first": asked.first, "rounds": rounds, "why": asked.why}
    return evening_told(act(request, kept, "seats", content).evening)


@operations(
    f"POST {_ONE}/late-pair",
    DIRECT,
    stored_evening,
    mark("seated a late pair in evening {evening_id}"),
    form=f"{_ONE}/late-pair",
    then=f"{_ONE}/movement?late={{pair}}",
    status_code=201,
)
def late_pair(service: Service, kept: Kept, by: By, asked: LatePairRequest) -> LatePair:
    """A pair that came late: it fills the half table, or roves."""
    players = [one.model_dump() for one in asked.players]
    return LatePair(pair=service.add_late_pair(kept, by, asked.first, players))


@operations(
    f"POST {_ONE}/swiss-round",
    DIRECT,
    stored_evening,
    mark("paired a round of evening {evening_id}"),
    form=f"{_ONE}/swiss-round",
    then=f"{_ONE}/movement",
    status_code=201,
)
def swiss_round(service: Service, kept: Kept, by: By, triangle: bool = False) -> EveningAnswer:
    """The next round of a Swiss, paired by how it stands; three teams may play a triangle."""
    service.add_swiss_round(kept, by, triangle)
    return evening_told(kept.now())


# --- what comes as a file -------------------------------------------------------------------------


@operations(
    f"POST {_ONE}/hands",
    DIRECT,
    stored_evening,
    mark("brought in hands for evening {evening_id}"),
    form=f"{_ONE}/hands",
    then=f"{_ONE}/settings",
    status_code=201,
)
def bring_hands(request: Request, service: Service, kept: Kept, file: SentFile) -> dict[str, int]:
    """A hand record; nobody sees a hand before they have played it."""
    deals = service.deals_in(Upload.sent(file, "hands"))
    act(request, kept, "deals", {"deals": deals})
    return {"boards": len(deals)}


@operations(
    f"PUT {_ONE}/file",
    DIRECT,
    stored_evening,
    mark("brought in the file of evening {evening_id}"),
    form=f"{_ONE}/file",
    then=_ONE,
)
def take_file(service: Service, kept: Kept, by: By, file: SentFile) -> EveningFileAnswer:
    """The file of a watched evening, as it has grown; sent again unchanged, nothing is done."""
    done = service.take_file(kept, by, Upload.sent(file, "file"))
    return EveningFileAnswer(new=done is not None, number=kept.now().number)


# --- results --------------------------------------------------------------------------------------


@operations(f"GET {_ONE}/lines", DIRECT, stored_evening)
def lines(request: Request, kept: Kept) -> list[LineAnswer]:
    """Every result so far; who plays sees none of a board they have still to play."""
    seen, language = as_seen(request, kept.now()), language_of(request)
    there = sorted((line for line in seen.lines.values() if line.is_there), key=lambda x: x.place)
    return [line_told(seen, line, language) for line in there]


@operations(
    f"POST {_ONE}/lines",
    DIRECT,
    stored_evening,
    mark("entered a result of evening {evening_id}"),
    response_model=EntryAnswer,
    responses=IN_THE_MEANTIME,
)
def enter_line(request: Request, kept: Kept, by: By, asked: LineRequest) -> Any:
    """Enter or correct a result, as a scorer or director; an empty text takes it out."""
    try:
        content = _typed(kept.now(), own_name(request), asked)
        return entered(request, kept, PendingAct("correct", by, asked.key, content, asked.language))
    except WhoseScore as error:
        return refused(request, error, offers=error.offers)
    except InputError as error:
        return refused(request, error)


def _typed(now: Evening, person: str, asked: LineRequest) -> dict[str, Any]:
    """Return what a scorer typed, as an act."""
    if asked.board in hidden_from(now, person):
        raise InputError("you have still to play board {board}", board=asked.board)
    text = ""
    if asked.text.strip():
        text = scored_outcome(asked.text, asked.board, asked.language)
    seen = {} if asked.seen is None else {"seen": asked.seen}
    place = BoardPlace(asked.round, asked.table, asked.board)._asdict()
    return {**place, "text": text, "lead": tidy_lead(asked.lead), "sure": asked.sure, **seen}


@operations(
    f"POST {_ONE}/lines/several",
    DIRECT,
    stored_evening,
    mark("entered results of evening {evening_id}"),
)
def enter_lines(request: Request, kept: Kept, by: By, asked: LinesRequest) -> list[SeveralAnswer]:
    """Enter several, one after the other; what is refused is said, and the others are kept."""
    answers = []
    for line in asked.lines:
        answer = enter_line(request, kept, by, line)
        problem = "" if isinstance(answer, EntryAnswer) else json.loads(answer.body)["detail"]
        answers.append(SeveralAnswer(key=line.key, entered=not problem, problem=problem))
    return answers


@operations(f"GET {_ONE}/grid", DIRECT, stored_evening, response_model_exclude_unset=True)
def grid(request: Request, service: Service, kept: Kept) -> GridAnswer:
    """Every line of the grid with what it has scored so far, and the sheets they are on; nothing
    of a board you have still to play."""
    return service.grid(kept, own_name(request), language_of(request))


@operations(f"GET {_ONE}/missing", DIRECT, stored_evening)
def missing_results(request: Request, kept: Kept) -> MissingBoards:
    """Return what is missing of the rounds so far, and what is doubtful."""
    now, language = kept.now(), language_of(request)
    seen = as_seen(request, now)
    return MissingBoards(
        missing=[place._asdict() for place in missing(now)],
        doubtful=[line_told(seen, line, language) for line, _ in to_look_at(seen)],
    )


@operations(f"GET {_ONE}/tables", READ, stored_evening)
def tables(kept: Kept) -> list[TableNow]:
    """Return how far every table is, and which are slow."""
    return tables_now(kept.now())


@operations(
    f"GET {_ONE}/results.json", DIRECT, stored_evening, response_class=Response, responses=_JSON
)
def results_so_far(request: Request, kept: Kept) -> Response:
    """The results so far as a file; who plays gets none of a board they have still to play."""
    seen = as_seen(request, kept.now())
    return Response(write_json((event_of(seen),)), media_type="application/json")


# --- rulings and the end --------------------------------------------------------------------------


@operations(
    f"POST {_ONE}/rulings",
    DIRECT,
    stored_evening,
    mark("ruled on evening {evening_id}"),
    status_code=201,
)
def rule_evening(
    request: Request, service: Service, kept: Kept, ruling: RulingRequest
) -> list[str]:
    """Make a ruling while play goes on; answers with what it changes."""
    by = recorded_by(request, kept, ruling.by)
    return service.rule(kept, by, own_name(request), ruling.model_dump())


@operations(
    f"POST {_ONE}/rulings/undo",
    DIRECT,
    stored_evening,
    mark("undid the last ruling on evening {evening_id}"),
    form=f"{_ONE}/rulings/undo",
    then=f"{_ONE}/rulings",
)
def undo_evening_ruling(request: Request, kept: Kept) -> EveningAnswer:
    """Take the last ruling out again."""
    return evening_told(act(request, kept, "undo").evening)


@operations(
    f"POST {_ONE}/end",
    DIRECT,
    stored_evening,
    mark("ended evening {evening_id}"),
    form=f"{_ONE}/end",
    then=_ONE,
    status_code=201,
)
def end_evening(service: Service, kept: Kept, by: By) -> EveningAnswer:
    """Play has ended: the evening is an event, provisional until the correction period ends."""
    service.end(kept, by)
    return evening_told(kept.now())


@operations(
    f"POST {_ONE}/reopen",
    DIRECT,
    stored_evening,
    mark("reopened evening {evening_id}"),
    form=f"{_ONE}/reopen",
    then=_ONE,
)
def reopen_evening(service: Service, kept: Kept, by: By) -> EveningAnswer:
    """Play goes on after all."""
    service.reopen(kept, by)
    return evening_told(kept.now())
