"""Who may do what is declared at every route, checked by one guard, and written down."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import Response
from starlette.routing import Match, Mount
from starlette.types import Scope

from honours.model.rights import ACTIONS, KEEP, OPEN, READ, Action
from honours.web import routes
from honours.web.accounts.audit import BEGUN
from honours.web.accounts.store import Accounts
from honours.web.app import unguarded
from honours.web.http.access import (
    GuardedRoute,
    Requester,
    Thing,
    guarded_router,
    may,
    permission_of,
)
from honours.web.http.guard import Guard
from honours.web.http.problems import OutOfReach
from honours.web.http.protection import SAFE
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, signed
from tests.web.server import serving

V1 = "/api/v1"
CHANGE_NOTHING = {"calculate", "preview", "awards", "season_standings", "sign_in"} | {
    "check_sending",
    "file_to_send",
    "set_new_password",
    "forgotten",
    "award_standings",
}
"""Asked with a body, and yet nothing is changed; who signs in is noted where the name is known."""
JOURNALLED = {"enter", "sit_down"}
"""What tables do with their codes: the evening's own journal says who did what and when."""
BY_CODE = ("/table/", "/screen/", "/p/", "/new-password/")
"""Pages whose address is a code that opens one table or screen, and nothing to whoever has none."""


def test_every_route_declares_who_may_use_it() -> None:
    all_routes = list(routes.every_route())
    assert len(all_routes) > 100
    for route in all_routes:
        permission = permission_of(route.endpoint)
        if permission.action is OPEN:
            assert route.path in ("/", "/sign-in", "/forgotten") or route.path.startswith(
                (*BY_CODE, "/c/")
            )
        else:
            assert permission.action.name in ACTIONS
        if not (route.methods or set()) <= SAFE and route.name not in CHANGE_NOTHING | JOURNALLED:
            assert permission.did, f"{route.name}: the audit log would say nothing"


def test_a_route_that_declares_nothing_cannot_be_made() -> None:
    router = guarded_router()

    def forgotten() -> Response:
        return Response()

    with pytest.raises(TypeError, match="forgotten declares no permission"):
        router.get("/forgotten")(forgotten)


def test_the_application_has_no_other_routes(tmp_path: Path) -> None:
    app = unguarded(Settings(data=tmp_path))
    others = [route for route in app.routes if type(route).__name__ != "_IncludedRouter"]
    assert [(type(route), getattr(route, "path", "")) for route in others] == [(Mount, "/static")]


def test_every_route_is_found_where_it_is_and_few_others_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at, matches = [], GuardedRoute.matches

    def noting(self: GuardedRoute, scope: Scope) -> tuple[Match, Scope]:
        looked_at.append(self)
        return matches(self, scope)

    monkeypatch.setattr(GuardedRoute, "matches", noting)
    transport = httpx.ASGITransport(app=unguarded(Settings(data=tmp_path)))
    every, of_programs = list(routes.every_route()), routes.api_routes()
    paths = [f"{V1}{route.path}" for route in of_programs]
    paths += [route.path for route in every if route not in of_programs]

    async def asked() -> None:
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for path in paths:
                answer = await client.request("TRACE", re.sub(r"\{.*?\}", "1", path))
                assert answer.status_code == 405, path
            looked_at.clear()
            await client.request("TRACE", f"{V1}/jobs/none")

    asyncio.run(asked())
    assert 0 < len(looked_at) < len(every) / 10


class _Link(Requester):
    """A public link: it reads one club's things and does nothing else."""

    name = "a public link"

    def allows(self, action: Action, thing: Thing) -> bool:
        return action is READ and thing.club == "Perth"


def _two_clubs() -> FastAPI:
    """An app with a page of one club, one of another, and something to keep."""
    router, app = guarded_router(), FastAPI(openapi_url=None)

    def theirs(club: str) -> Callable[[object], Thing]:
        return lambda _request: Thing(club)

    @router.get("/read/perth")
    @may(READ, theirs("Perth"))
    def perth() -> dict[str, str]:
        return {}

    @router.get("/read/aberdeen")
    @may(READ, theirs("Aberdeen"))
    def aberdeen() -> dict[str, str]:
        return {}

    @router.post("/keep/perth")
    @may(KEEP, theirs("Perth"), "kept")
    def keep() -> dict[str, str]:
        return {}

    app.include_router(router)
    from honours.web.http.problems import install

    install(app)
    return app


def test_there_can_be_other_kinds_of_requesters(tmp_path: Path) -> None:
    accounts = Accounts(str(tmp_path / "accounts.db"))
    link = _Link()
    guard = Guard(
        _two_clubs(),
        accounts,
        Settings(data=tmp_path),
        lambda headers: link if headers.get("x-link") == "right" else None,
    )
    transport = httpx.ASGITransport(guard, raise_app_exceptions=False)

    async def asked(method: str, path: str, link: str) -> int:
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            answer = await client.request(method, path, headers={"x-link": link})
            return answer.status_code

    def ask(method: str, path: str, link: str = "right") -> int:
        # In a thread of its own: a browser test may have left a loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(asked(method, path, link))).result()

    assert ask("GET", "/read/perth") == 200
    assert ask("GET", "/read/perth", "wrong") == 303
    assert ask("GET", "/read/aberdeen") == 403
    assert ask("POST", "/keep/perth") == 403
    lines = [(line.who, line.what, line.code) for line in accounts.audit.lines()]
    assert ("a public link", "was refused: kept", 403) in lines
    accounts.close()


# --- what belongs to whom -----------------------------------------------------------------------

BOOK = {
    "rulebook": "sbu-clubs-2016",
    "as_usual": True,
    "given": {"winners": "1"},
    "date": "2017-01-14",
}


def test_drafts_and_submissions_are_their_clubs(federation: str, tokens: dict[str, str]) -> None:
    from tests.web.test_clubs import _upload

    with signed(federation, tokens["all"]) as everywhere:
        everywhere.post(f"{V1}/ledger")
    with signed(federation, tokens["ann"]) as ann:
        [ours] = _upload(ann).json()
    with signed(federation, tokens["sec"]) as sec:
        held = sec.post(f"{V1}/events/{ours['id']}/drafts", json=BOOK).json()["record"]
        path = f"{V1}/ledger/drafts/{held}"
        assert [one["draft"] for one in sec.get(f"{V1}/ledger/drafts").json()["items"]] == [held]
        assert sec.post(f"{path}/release", json={}).status_code == 201
        period = {"since": "2017-01-01", "until": "2017-12-31"}
        made = sec.post(f"{V1}/ledger/submissions", json=period).json()["submission"]
        listed = sec.get(f"{V1}/ledger/submissions").json()["items"]
        assert [one["submission"] for one in listed] == [made]
    for name in ("eva", "ann"):  # who keeps no ledger
        with signed(federation, tokens[name]) as viewer:
            for what in ("drafts", "submissions"):
                assert viewer.get(f"{V1}/ledger/{what}").status_code == 403, (name, what)
            denied = viewer.post(f"{V1}/ledger/records/1/reversal", json={"why": "x", "by": "y"})
            assert denied.status_code == 403
    with signed(federation, tokens["per"]) as perth:  # and another club's secretary
        for what in ("drafts", "submissions"):
            assert perth.get(f"{V1}/ledger/{what}").json()["items"] == []
            assert "2017-01-14" not in perth.get(f"/ledger/{what}").text
        assert perth.get(path).status_code == 403
    with signed(federation, tokens["all"]) as everywhere:
        log = everywhere.get(f"{V1}/audit?limit=500").json()["items"]
        done = {(one["who"], one["what"]) for one in log}
    assert ("sec", f"released draft {held}") in done
    assert ("eva", f"was refused: asked for {V1}/ledger/drafts") in done
    assert ("ann", "was refused: took record 1 back") in done
    assert ("per", f"was refused: asked for {V1}/ledger/drafts/{held}") in done


def test_a_job_is_whose_it_is(federation: str, tokens: dict[str, str]) -> None:
    asked = {"what": "audit", "said": {"a": "sbu-clubs-2016"}}
    with signed(federation, tokens["ann"]) as ann, signed(federation, tokens["pat"]) as pat:
        job = f"{V1}/jobs/{ann.post(f'{V1}/jobs', json=asked).json()['id']}"
        assert pat.get(job).status_code == 403
        assert pat.get(f"{V1}/jobs").json()["items"] == []
        # Who asks the same gets the same job, and one of two cannot call it off for the other.
        assert f"{V1}/jobs/{pat.post(f'{V1}/jobs', json=asked).json()['id']}" == job
        assert pat.post(f"{job}/cancel").json()["state"] != "cancelled"
        assert pat.get(job).status_code == 403
        assert ann.delete(job).status_code == 204


def test_with_the_accounts_locked_nothing_is_half_done(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, accounts=True)
    accounts = Accounts(settings.accounts_at)
    accounts.set("sec", "secretary", PASSWORD)
    token = accounts.token("sec")
    with serving(settings) as address, signed(address, token) as sec:
        assert sec.post(f"{V1}/ledger").status_code == 201
        other = sqlite3.connect(settings.accounts_at, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # somebody else writes, and does not end
        refused = sec.post(f"{V1}/ledger/members", json={"name": "Alma Reed"})
        assert refused.status_code == 503
        assert "nothing was done" in refused.json()["detail"]
        other.execute("ROLLBACK")
        assert sec.get(f"{V1}/ledger/members").json()["total"] == 0
        assert sec.post(f"{V1}/ledger/members", json={"name": "Alma Reed"}).status_code == 201
        other.execute("BEGIN EXCLUSIVE")  # who only reads waits for nobody
        assert sec.get("/events").status_code == 200
        other.execute("ROLLBACK")
        other.close()
    lines = [(line.what, line.code) for line in accounts.audit.lines()]
    accounts.close()
    assert lines == [("added a member", 201), ("began the ledger", 201)]


def test_what_was_begun_and_never_ended_stays_in_the_log(tmp_path: Path) -> None:
    from honours.model.message import Message

    accounts = Accounts(str(tmp_path / "accounts.db"))
    line = accounts.audit.begin("sec", "127.0.0.1", Message("released draft {draft}", draft=3))
    assert accounts.audit.lines()[0].code == BEGUN
    assert accounts.audit.lines()[0].what == "began: released draft 3"
    accounts.audit.complete(line, 201, Message("released draft {draft}", draft=3))
    assert accounts.audit.lines()[0].what == "released draft 3"
    accounts.close()


def test_a_full_disk_is_called_one() -> None:
    assert "disk" in OutOfReach(Exception("database or disk is full")).message
    assert "accounts" in OutOfReach(Exception("database is locked")).message
