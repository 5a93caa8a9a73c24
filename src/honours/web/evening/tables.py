"""A table's phone: its page, opened by a QR code without an account, and what it does with the
code. The page holds the whole evening of the table and never leads anywhere, so that a bad network
loses nothing."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from typing import Annotated, Any

from fastapi import Path
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from honours.errors import InputError
from honours.evening.board_lines import BoardPlace, from_a_phone, tidy_lead, tidy_outcome
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from, may_see_board
from honours.evening.store import KeptEvening
from honours.model.cards import COMPASS, NO_TRUMPS, RANKS
from honours.model.message import Message
from honours.model.rights import DIRECT, OPEN
from honours.web.evening.access import (
    check_code,
    code_in,
    kept_evening,
    opened_by,
    table_of_evening,
)
from honours.web.evening.api_models import EntryRequest, TableNamesRequest
from honours.web.evening.entering import IN_THE_MEANTIME, PendingAct, entered, refused
from honours.web.evening.service import as_seen, evening_service
from honours.web.evening.stream import streamed
from honours.web.evening.told import (
    BoardAnswer,
    EntryAnswer,
    TableAnswer,
    board_told,
    score_table,
    table_told,
)
from honours.web.http.access import may, own_name
from honours.web.http.operations import Operations
from honours.web.http.problems import NotThere
from honours.web.templating import language_of, render

operations = Operations("evenings")
_MOST_ACTS = 20_000
"""Of an evening, after which tables enter nothing more."""
TableNumber = Annotated[int, Path(ge=1, le=64)]
_PATH = "/evenings/{evening_id}/tables/{table}"


# --- its page -------------------------------------------------------------------------------------


@operations.pages.get("/table/worker.js")
@may(OPEN)
def table_worker(request: Request) -> Response:  # noqa: ARG001
    """Keeps the page of a table at hand where the browser lets it: it may be opened offline."""
    text = (resources.files("honours.web") / "static" / "table-worker.js").read_bytes()
    return Response(text, media_type="text/javascript")


@operations.pages.get("/table/{code}/stream")
@may(OPEN)
async def table_stream(request: Request, code: str) -> StreamingResponse:
    """Tells a phone that the server is there."""
    return streamed(evening_service(request).hub, opened_by(request, code)[0])


@operations.pages.get("/table/{code}")
@may(OPEN)
def table_page(request: Request, code: str) -> Response:
    """The page of the table that a code opens."""
    kept, table = opened_by(request, code)
    evening = kept.now()
    # Without what was entered: that is for who shows the code, which a link alone does not.
    told = table_told(replace(evening, lines={}), table, language_of(request))
    told.round = evening.round_at(table) if evening.rounds else 0
    return render(
        request,
        "table.html",
        evening=evening,
        table=table,
        state=told.model_dump(mode="json"),
        table_code=code,
        api=f"/api/v1/evenings/{kept.id}/tables/{table}",
        scores=score_table(),
        compass=COMPASS,
        ranks=RANKS,
        no_trumps=NO_TRUMPS,
    )


# --- what it does ---------------------------------------------------------------------------------


def _kept(request: Request, evening_id: str, table: int) -> KeptEvening:
    """The evening, for whoever may act for the table."""
    check_code(request, evening_id, table)
    kept = kept_evening(request)
    if table not in kept.now().tables:
        raise NotThere(Message("there is no table {table}", table=table))
    return kept


def _as_table_sees(request: Request, evening: Evening) -> Evening:
    """All of its own for who asks with a table's code; a person sees what they may."""
    return evening if code_in(request.headers) else as_seen(request, evening)


@operations(f"GET {_PATH}", DIRECT, table_of_evening)
def table_now(request: Request, evening_id: str, table: TableNumber) -> TableAnswer:
    """A table: who sits there in which round with which boards, and what it entered."""
    now = _kept(request, evening_id, table).now()
    return table_told(_as_table_sees(request, now), table, language_of(request))


@operations(
    f"POST {_PATH}/entries",
    DIRECT,
    table_of_evening,
    response_model=EntryAnswer,
    responses=IN_THE_MEANTIME,
)
def enter(request: Request, evening_id: str, table: TableNumber, entry: EntryRequest) -> Any:
    """Enter a result, or say whether the other side's is right; once for each key."""
    kept = _kept(request, evening_id, table)
    try:
        _check_person(request, kept.now(), entry.board)
        content = _act(entry, BoardPlace(entry.round, table, entry.board))
        kind = "call" if entry.kind == "uncall" else entry.kind
        return entered(request, kept, PendingAct(kind, entry.side, entry.key, content))
    except InputError as error:
        return refused(request, error)


def _check_person(request: Request, evening: Evening, board: int) -> None:
    """Refuse a board that whoever asks, without a table's code, has still to play; and a phone that
    has sent more than an evening can need."""
    if not code_in(request.headers) and board in hidden_from(evening, own_name(request)):
        raise InputError("you have still to play board {board}", board=board)
    if evening.number >= _MOST_ACTS:
        raise InputError("too much was sent for one evening; ask the director")


def _act(entry: EntryRequest, place: BoardPlace) -> dict[str, Any]:
    if entry.kind in ("call", "uncall"):
        return {"table": place.table, "on": entry.kind == "call"}
    content: dict[str, Any] = {**place._asdict(), "seen": entry.seen, "sure": entry.sure}
    if entry.kind == "result":
        text = tidy_outcome(entry.text)
        if not from_a_phone(text):
            raise InputError("{text}: the director enters that", text=text)
        content |= {"text": text, "lead": tidy_lead(entry.lead)}
    return content


@operations(f"POST {_PATH}/names", DIRECT, table_of_evening, status_code=201)
def sit_down(
    request: Request, evening_id: str, table: TableNumber, asked: TableNamesRequest
) -> TableAnswer:
    """Enter the names that those who sit there give; whoever is named already stays so."""
    kept = _kept(request, evening_id, table)
    evening = kept.now()
    here = {w for s in evening.at_table(evening.round_at(table), table) for w in s.entrants}
    named = {
        who: [{"name": name.strip()} for name in names if name.strip()]
        for who, names in asked.names.items()
        if who in here and who not in evening.names and any(name.strip() for name in names)
    }
    if named:
        evening_service(request).do(kept, "names", f"table {table}", content={"names": named})
    return table_told(kept.now(), table, language_of(request))


@operations(f"GET {_PATH}/boards/{{board}}", DIRECT, table_of_evening)
def board_so_far(
    request: Request,
    evening_id: str,
    table: TableNumber,
    board: Annotated[int, Path(ge=1, le=200)],
) -> BoardAnswer:
    """Return what was made of a board so far, for a table that has confirmed its own result."""
    evening = _as_table_sees(request, _kept(request, evening_id, table).now())
    if not may_see_board(evening, table, board):
        return BoardAnswer(board=board, hidden=True)
    return board_told(evening, board) if evening.plan.show == "board" else BoardAnswer(board=board)
