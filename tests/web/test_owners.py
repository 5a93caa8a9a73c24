"""Everything kept has an owner: each route that names a thing is tried by those whose it is not."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.responses import Response

from honours.model.rights import OPEN, READ
from honours.web import routes
from honours.web.accounts.store import Accounts
from honours.web.http.access import (
    anywhere,
    asked_within,
    everywhere,
    guarded_router,
    may,
    permission_of,
    shared,
)
from honours.web.settings import Settings
from tests.lab.histories import history
from tests.web.federation import PASSWORD, signed, tokens_at
from tests.web.server import serving
from tests.web.test_access import BOOK
from tests.web.test_club_pages import SEASON
from tests.web.test_clubs import _upload
from tests.web.test_evening import set_up
from tests.web.test_lab_bringing import _until_done

V1 = "/api/v1"
NOBODYS = {"rulebook_id", "member_id", "posting", "posting_id", "register_id", "record_id"}
"""What an address may name that is no club's own."""
ASKED_WITHIN = {"/lab", "/accounts", "/ledger/submissions"}
"""Addresses of which the function itself asks whose it is that they are about."""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("owners")
    return Settings(folder, accounts=True, sign_ins=1000, per_minute=10_000)


@pytest.fixture(scope="module")
def tokens(settings: Settings) -> dict[str, str]:
    known = tokens_at(settings)
    accounts = Accounts(settings.accounts_at)
    accounts.set("adp", "administrator", PASSWORD, "Perth")
    known["adp"] = accounts.token("adp")
    accounts.close()
    return known


@pytest.fixture(scope="module")
def server(settings: Settings, tokens: dict[str, str]) -> Iterator[str]:
    assert tokens
    with serving(settings) as address:
        yield address


def _history() -> bytes:
    rows, out = [*history(8)], io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def things(server: str, tokens: dict[str, str]) -> dict[str, dict[str, Any]]:
    """One thing of Aberdeen's for every finder, by the names that addresses give it."""
    with signed(server, tokens["all"]) as office:
        office.post(f"{V1}/ledger")
    with signed(server, tokens["ann"]) as ann:
        [event] = _upload(ann).json()
        evening = set_up(ann)
        sent = {"files": ("history.csv", _history())}
        started = ann.post(f"{V1}/jobs/import", files=sent, data={"name": "theirs"})
        job = _until_done(ann, started.headers["location"])
        assert job["state"] == "done", job
    with signed(server, tokens["sec"]) as sec:
        drafts = f"{V1}/events/{event['id']}/drafts"
        draft = sec.post(drafts, json=BOOK).json()["record"]
        record = sec.post(f"{V1}/ledger/drafts/{draft}/release", json={}).json()["record"]
        period = {"since": "2017-01-01", "until": "2017-12-31"}
        submission = sec.post(f"{V1}/ledger/submissions", json=period).json()["submission"]
        plan = {"files": ("year.toml", SEASON.encode())}
        season = sec.post("/ledger/seasons", files=plan).headers["location"]
        taken = {"file": ("odd.csv", b"nothing,of,the,kind\n1,2,3,4\n")}
        sec.post("/ledger/intake", files=taken)
    of_evening = {"evening_id": evening, "table": 1}
    return {
        "stored_event": {"event_id": event["id"]},
        "stored_evening": of_evening,
        "table_of_evening": of_evening,
        "screen_of_evening": of_evening,
        "draft": {"draft_id": draft},
        "record": {"record_id": record},
        "submission": {"submission_id": submission},
        "season": {"season_id": season.rpartition("/")[2]},
        "receipt": {"receipt_id": 1},
        "known_member": {"member_id": 1},
        "own_job": {"job_id": job["id"]},
        "stored_corpus": {"name": "theirs"},
    }


def _named() -> Iterator[tuple[str, str, str]]:
    """Every method, address and finder of routes that name something of a club's."""
    for prefix, modules, kind in (("", routes._PAGES, "pages"), (V1, routes._API, "api")):
        for router in routes._routers(modules, kind):
            for route in router.routes:
                assert isinstance(route, APIRoute)
                permission = permission_of(route.endpoint)
                owned = permission.find not in (anywhere, everywhere, shared, asked_within)
                if owned and permission.action is not OPEN:
                    method = min((route.methods or set()) - {"HEAD"})
                    yield method, prefix + route.path, permission.find.__name__


def _filled(path: str, thing: dict[str, Any]) -> str:
    return re.sub(r"\{(\w+)[^}]*\}", lambda part: str(thing.get(part[1], "1")), path)


def test_nobody_reaches_what_is_another_clubs(
    server: str, tokens: dict[str, str], things: dict[str, dict[str, Any]]
) -> None:
    addresses = [(method, _filled(path, things[find])) for method, path, find in _named()]
    assert len(addresses) > 100
    for name in ("pat", "per", "adp"):
        with signed(server, tokens[name]) as stranger:
            reached = [
                (name, method, path, code)
                for method, path in addresses
                if (code := stranger.request(method, path).status_code) not in (403, 404)
            ]
            assert not reached
    with signed(server, tokens["sec"]) as sec:  # to whom all of it is there, and untouched
        for path in (
            f"{V1}/events/{things['stored_event']['event_id']}",
            f"{V1}/evenings/{things['stored_evening']['evening_id']}",
            f"{V1}/ledger/drafts/{things['draft']['draft_id']}",
            f"{V1}/ledger/records/{things['record']['record_id']}",
            f"{V1}/ledger/submissions/{things['submission']['submission_id']}",
            f"/ledger/seasons/{things['season']['season_id']}",
            f"{V1}/ledger/receipts/1",
            "/lab/corpora/theirs",
        ):
            assert sec.get(path).status_code == 200, path


def test_a_history_is_its_clubs(
    server: str, tokens: dict[str, str], things: dict[str, dict[str, Any]]
) -> None:
    name = things["stored_corpus"]["name"]
    said = {"corpus": name, "a": "acbl-sof-2011", "b": "acbl-sof-2020"}
    with signed(server, tokens["ann"]) as ann:
        assert ann.get(f"{V1}/corpora").json() == [name]
        job = ann.post(f"{V1}/jobs", json={"what": "compare", "said": said})
        assert _until_done(ann, job.headers["location"])["state"] == "done"
        [event] = re.findall(
            r"/lab/compare/events/(\d+)", ann.get("/lab/compare", params=said).text
        )[:1]
    with signed(server, tokens["pat"]) as pat:
        assert pat.get(f"{V1}/corpora").json() == []
        assert f"corpora/{name}" not in pat.get("/lab").text
        assert "Asked since" not in pat.get("/lab").text
        assert pat.post(f"{V1}/jobs", json={"what": "compare", "said": said}).status_code == 404
        assert pat.post("/lab/compare", data=said).status_code == 404
        assert "events/" not in pat.get("/lab/compare", params=said).text
        assert pat.get("/lab/compare/download/answer.json", params=said).status_code == 303
        assert pat.get(f"/lab/compare/events/{event}", params=said).status_code == 404
        # A name that is taken is taken for everybody.
        again = pat.post(f"{V1}/jobs", json={"what": "generate", "said": {"name": name}})
        assert again.status_code == 422
    with signed(server, tokens["eva"]) as viewer:  # of every club
        assert viewer.get(f"/lab/corpora/{name}").status_code == 200
        assert viewer.post(f"/lab/corpora/{name}/delete").status_code == 403
    with signed(server, tokens["two"]) as two:  # must say for which of two clubs
        asked = {"what": "generate", "said": {"name": "more", "scale": "0.001"}}
        assert two.post(f"{V1}/jobs", json=asked).status_code == 422
        job = two.post(f"{V1}/jobs", json={**asked, "club": "Perth"})
        with signed(server, tokens["ann"]) as ann:
            assert ann.get("/lab/corpora/more").status_code == 404
        two.delete(job.headers["location"])
    with signed(server, tokens["ann"]) as ann:  # and with it goes what was said about it
        assert ann.post(f"/lab/corpora/{name}/delete").status_code == 303
        assert ann.get("/lab/compare/download/answer.json", params=said).status_code == 303


def test_what_no_club_owns_is_declared() -> None:
    for route in routes.every_route():
        find = permission_of(route.endpoint).find
        if find is shared:
            assert set(route.param_convertors) <= NOBODYS, route.path
        if find is asked_within:
            assert route.path.startswith(tuple(ASKED_WITHIN)), route.path


def test_a_route_that_names_a_thing_and_asks_nobody_cannot_be_made() -> None:
    router = guarded_router()

    @may(READ)
    def forgotten(name: str) -> Response:
        return Response(name)

    with pytest.raises(TypeError, match=r"/forgotten/\{name\} names something"):
        router.get("/forgotten/{name}")(forgotten)
