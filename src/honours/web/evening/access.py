"""The permissions on an evening, and the codes by which tables are known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Annotated, Any

from fastapi import Depends
from starlette.datastructures import Headers
from starlette.requests import Request

from honours.evening.codes import SCREEN
from honours.evening.store import ActOutcome, Evenings, KeptEvening
from honours.model.message import Message, mark
from honours.web.evening.service import EveningService, evening_service
from honours.web.http.access import Requester, Thing, own_name
from honours.web.http.guard import Identify
from honours.web.http.problems import NotThere

SCHEME = "table"


class TableCode(Requester):
    """Whoever holds the code of a table of an evening, or of its big screen; there it may enter or
    look, and nowhere else."""

    def __init__(self, evening: str, table: int) -> None:
        self.evening, self.table = evening, table
        where = f"table {table}" if table else "screen"
        self.name = f"{where} of evening {evening}"

    @property
    def owns_as(self) -> Hashable:
        """The table itself: the name is for the log, and an account might be called so."""
        return self.evening, self.table


def code_in(headers: Headers) -> str:
    """The table code a request carries; empty if it has none."""
    scheme, _, code = headers.get("authorization", "").partition(" ")
    return code.strip() if scheme.lower() == SCHEME else ""


def by_table_code(evenings: Evenings) -> Identify:
    """Recognises tables by their codes."""

    def identify(headers: Headers) -> Requester | None:
        code = code_in(headers)
        opened = evenings.opened_by(code) if code else None
        return TableCode(opened[0].id, opened[1]) if opened else None

    return identify


def kept_evening(request: Request) -> KeptEvening:
    """The evening that an address names."""
    return evening_service(request).kept(str(request.path_params["evening_id"]))


def stored_evening(request: Request) -> Thing:
    """The evening an address names: its club's, and unknown to everybody else."""
    kept = kept_evening(request)
    return Thing(kept.now().plan.club, unknown=_unknown(kept.id))


def screen_of_evening(request: Request) -> Thing:
    """The big screen of an evening: open to its club, and to whoever holds the screen's code."""
    kept = kept_evening(request)
    owners: frozenset[Hashable] = frozenset({(kept.id, SCREEN)})
    return Thing(kept.now().plan.club, owners, _unknown(kept.id))


def table_of_evening(request: Request) -> Thing:
    """A table of an evening: open to whoever holds its code, and to scorers of the club."""
    kept = kept_evening(request)
    table = str(request.path_params["table"])
    owners: frozenset[Hashable] = frozenset({(kept.id, int(table))} if table.isdecimal() else ())
    return Thing(kept.now().plan.club, owners, _unknown(kept.id))


def _unknown(evening_id: str) -> NotThere:
    return NotThere(mark("there is no evening {name}"), name=evening_id[:40])


def opened_by(request: Request, code: str, *, screen: bool = False) -> tuple[KeptEvening, int]:
    """The evening and table that a code opens; the number of the big screen is 0."""
    opened = evening_service(request).evenings.opened_by(code)
    if opened is None or (opened[1] == SCREEN) is not screen:
        if screen:
            raise NotThere(mark("this code opens no screen; ask the director for a new one"))
        raise NotThere(mark("this code opens no table; ask the director for a new one"))
    return opened


def check_code(request: Request, evening_id: str, table: int) -> None:
    """Refuse a code of another table, also where there are no accounts to guard."""
    code = code_in(request.headers)
    if not code:
        return
    opened = evening_service(request).evenings.opened_by(code)
    if opened is None or (opened[0].id, opened[1]) != (evening_id, table):
        raise _unknown(evening_id)


# --- what a route is handed -----------------------------------------------------------------------


def _kept(request: Request, evening_id: str) -> KeptEvening:
    return evening_service(request).kept(evening_id)


Service = Annotated[EveningService, Depends(evening_service)]
Kept = Annotated[KeptEvening, Depends(_kept)]
"""The evening an address names."""


def recorded_by(request: Request, kept: KeptEvening, named: str = "") -> str:
    """The name an act is recorded under: of whoever signed in; on a server without accounts of
    whom the request names, else of the director of the evening."""
    director = kept.now().plan.director or str(Message("the director"))
    return own_name(request) or named.strip() or director


def _by(request: Request, kept: Kept) -> str:
    return recorded_by(request, kept)


By = Annotated[str, Depends(_by)]


def act(
    request: Request,
    kept: KeptEvening,
    kind: str,
    content: Mapping[str, Any] | None = None,
    key: str = "",
) -> ActOutcome:
    """Do something to an evening in the name of whoever asks."""
    return evening_service(request).do(kept, kind, recorded_by(request, kept), key, content)
