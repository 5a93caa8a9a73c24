"""What a table does with its code: it looks at its boards, enters results, and confirms them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path
from starlette.requests import Request

from honours.errors import InputError
from honours.evening.board_lines import BoardPlace, from_a_phone, tidy_lead, tidy_outcome
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from
from honours.model.message import Message
from honours.model.rights import DIRECT
from honours.web.evening import evening_json
from honours.web.evening.access import check_code, code_in, kept_evening, table_of_evening
from honours.web.evening.api_models import (
    BoardAnswer,
    BoardLineSeen,
    EntryAnswer,
    EntryRequest,
    TableAnswer,
    TableNamesRequest,
)
from honours.web.evening.entering import IN_THE_MEANTIME, PendingAct, entered, refused
from honours.web.evening.service import as_seen, evening_service
from honours.web.http.access import guarded_router, may
from honours.web.http.problems import NotThere
from honours.web.http.requester import own_name
from honours.web.texts import language_of

router = guarded_router(tags=["evenings"])
_MOST_ACTS = 20_000
"""Of an evening, after which tables enter nothing more."""
TableNumber = Annotated[int, Path(ge=1, le=64)]
_PATH = "/evenings/{evening_id}/tables/{table}"


@router.get(_PATH)
@may(DIRECT, table_of_evening)
def table_now(request: Request, evening_id: str, table: TableNumber) -> TableAnswer:
    """A table: who sits there in which round with which boards, and what it entered."""
    check_code(request, evening_id, table)
    evening = as_table_sees(request, kept_evening(request).now())
    _check_table(evening.tables, table)
    return TableAnswer(**evening_json.table_data(evening, table, language_of(request)))


def as_table_sees(request: Request, evening: Evening) -> Evening:
    """All of its own for who asks with a table's code; a person sees what they may."""
    return evening if code_in(request.headers) else as_seen(request, evening)


def _check_table(tables: tuple[int, ...], table: int) -> None:
    if table not in tables:
        raise NotThere(Message("there is no table {table}", table=table))


@router.post(_PATH + "/entries", response_model=EntryAnswer, responses=IN_THE_MEANTIME)
@may(DIRECT, table_of_evening)
def enter(request: Request, evening_id: str, table: TableNumber, entry: EntryRequest) -> Any:
    """Enter a result, or say whether the other side's is right; once for each key."""
    check_code(request, evening_id, table)
    kept = kept_evening(request)
    _check_table(kept.now().tables, table)
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


@router.post(_PATH + "/names", status_code=201)
@may(DIRECT, table_of_evening)
def sit_down(
    request: Request, evening_id: str, table: TableNumber, asked: TableNamesRequest
) -> TableAnswer:
    """Who sits there says who they are; who is named already stays so."""
    check_code(request, evening_id, table)
    kept = kept_evening(request)
    evening = kept.now()
    _check_table(evening.tables, table)
    here = {w for s in evening.at_table(evening.round_at(table), table) for w in s.entrants}
    named = {
        who: [{"name": name.strip()} for name in names if name.strip()]
        for who, names in asked.names.items()
        if who in here and who not in evening.names
    }
    named = {who: players for who, players in named.items() if players}
    if named:
        evening_service(request).do(kept, "names", f"table {table}", content={"names": named})
    return TableAnswer(**evening_json.table_data(kept.now(), table, language_of(request)))


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


@router.get(_PATH + "/boards/{board}")
@may(DIRECT, table_of_evening)
def board_so_far(
    request: Request,
    evening_id: str,
    table: TableNumber,
    board: Annotated[int, Path(ge=1, le=200)],
) -> BoardAnswer:
    """What was made of a board so far: for a table that has confirmed its own result."""
    check_code(request, evening_id, table)
    evening = as_table_sees(request, kept_evening(request).now())
    if not evening_json.may_see_board(evening, table, board):
        return BoardAnswer(board=board, hidden=True, lines=[], deal="")
    deal = evening.deals.get(board)
    made = evening_json.board_data(evening, board) if evening.plan.show == "board" else []
    lines = [BoardLineSeen(**one) for one in made]
    dealt = deal.deal if deal and evening.plan.show == "board" else ""
    return BoardAnswer(board=board, hidden=False, lines=lines, deal=dealt)
