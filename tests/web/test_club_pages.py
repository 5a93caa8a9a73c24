"""The pages for people of several clubs: what is theirs they do, what is another club's is
refused with the club and the role that are missing."""

import re

import httpx
import pytest

from honours.demo import FILES, file
from honours.web.events.pages import TYPED_EXAMPLE
from tests.web.federation import signed

V1 = "/api/v1"
BOOK = {"rulebook": "sbu-clubs-2016", "as_usual": True, "given": {"winners": "1"}}
CHOICE = re.compile(r'<select id="f-club" name="club".*?</select>', re.S)
SEASON = """\
rulebook = "sbu-clubs-2016"
title = "Saturdays"
kind = "pairs"
type = "table"
events = { ledger = "Saturday*" }
best = 2
"""


def _choice(client: httpx.Client, path: str) -> list[str]:
    """The clubs a page lets somebody choose from."""
    choice = CHOICE.search(client.get(path).text)
    return re.findall(r'<option\s+value="([^"]+)"', choice[0]) if choice else []


def _drop(client: httpx.Client, **fields: str) -> httpx.Response:
    files = {"files": ("night.csv", file(FILES[0]).read_bytes())}
    return client.post("/events", files=files, data={**fields, "again": "yes"})


def _club(client: httpx.Client, dropped: httpx.Response) -> str:
    assert dropped.status_code == 303, dropped.text
    event = dropped.headers["location"].rpartition("/")[2]
    listed = client.get(f"{V1}/events?limit=500").json()["items"]
    return next(str(one["club"]) for one in listed if one["id"] == event)


# --- what is made belongs to a club --------------------------------------------------------------


@pytest.mark.parametrize("path", ["/events", "/events/typed"])
def test_who_scores_for_several_clubs_chooses_one(
    federation: str, tokens: dict[str, str], path: str
) -> None:
    offered = {"ann": [], "two": ["Aberdeen", "Perth"], "all": ["Aberdeen", "Perth"]}
    for name, clubs in offered.items():
        with signed(federation, tokens[name]) as client:
            assert _choice(client, path) == clubs


def test_what_is_uploaded_typed_or_tried_is_of_the_chosen_club(
    federation: str, tokens: dict[str, str]
) -> None:
    with signed(federation, tokens["two"]) as two:
        typed = {"text": TYPED_EXAMPLE}
        assert _club(two, _drop(two, club="Perth")) == "Perth"
        assert _club(two, two.post("/events/typed", data={**typed, "club": "Aberdeen"})) == (
            "Aberdeen"
        )
        assert _club(two, two.post("/events/example", data={"club": "Perth"})) == "Perth"
        for refused in (_drop(two), two.post("/events/typed", data=typed)):
            assert refused.status_code == 422
            assert "one of Aberdeen, Perth" in refused.text
        elsewhere = _drop(two, club="Dundee")
        assert elsewhere.status_code == 403
        assert " at Dundee." in elsewhere.text
    with signed(federation, tokens["ann"]) as ann:
        assert _club(ann, _drop(ann)) == "Aberdeen"
    with signed(federation, tokens["all"]) as everywhere:
        assert _club(everywhere, _drop(everywhere)) == ""


# --- seasons -------------------------------------------------------------------------------------


def _season(client: httpx.Client, text: str = SEASON, **fields: str) -> httpx.Response:
    files = {"files": ("year.toml", text.encode())}
    return client.post("/ledger/seasons", files=files, data=fields)


def test_a_clubs_secretary_keeps_its_seasons(federation: str, tokens: dict[str, str]) -> None:
    with signed(federation, tokens["sec"]) as sec:
        made = _season(sec)
        assert made.status_code == 303, made.text
        path = made.headers["location"]
        page = sec.get(path)
        assert page.status_code == 200
        assert "club = &#34;Aberdeen&#34;" in page.text
        changed = sec.post(f"{path}/text", data={"text": SEASON.replace("best = 2", "best = 3")})
        assert changed.status_code == 303
        assert "best = 3" in sec.get(path).text
        assert "club = &#34;Aberdeen&#34;" in sec.get(path).text
        taken = sec.post(f"{path}/text", data={"text": f'club = "Perth"\n{SEASON}'})
        assert taken.status_code == 403
        assert " at Perth." in taken.text
        assert path in sec.get("/ledger/seasons").text
    with signed(federation, tokens["per"]) as per:
        assert path not in per.get("/ledger/seasons").text
        refused = per.get(path)
        assert refused.status_code == 403
        assert " at Aberdeen." in refused.text
    with signed(federation, tokens["ann"]) as ann:
        assert ann.get("/ledger/seasons").status_code == 403
        assert _season(ann).status_code == 403
    with signed(federation, tokens["sec"]) as sec:
        assert sec.post(f"{path}/delete").status_code == 303
        assert sec.get(path).status_code == 404


def test_a_season_is_of_the_club_it_is_made_for(federation: str, tokens: dict[str, str]) -> None:
    form = {"title": "Ladder", "rulebook": "sbu-clubs-2016", "kind": "pairs", "ledger": "x*"}
    with signed(federation, tokens["duo"]) as duo:
        assert _choice(duo, "/ledger/seasons") == ["Aberdeen", "Perth"]
        assert _choice(duo, "/ledger/seasons/new") == ["Aberdeen", "Perth"]
        assert _season(duo).status_code == 422
        theirs = _season(duo, club="Perth").headers["location"]
        made = duo.post("/ledger/seasons/new", data={**form, "club": "Perth"}).headers["location"]
        assert _season(duo, f'club = "Dundee"\n{SEASON}').status_code == 403
        assert _season(duo, f"club = 5\n{SEASON}").status_code == 422
    with signed(federation, tokens["per"]) as per:
        assert [per.get(path).status_code for path in (theirs, made)] == [200, 200]
        assert 'id="f-club"' not in per.get("/ledger/seasons/new").text
    with signed(federation, tokens["sec"]) as sec:
        assert [sec.get(path).status_code for path in (theirs, made)] == [403, 403]


def test_the_example_season_is_the_askers_clubs(federation: str, tokens: dict[str, str]) -> None:
    with signed(federation, tokens["per"]) as per:
        path = per.post("/ledger/seasons/example").headers["location"]
        assert per.get(path).status_code == 200
        with signed(federation, tokens["sec"]) as sec:
            assert sec.get(path).status_code == 403, "also while its events are being read"


# --- awards and what goes to the federation ------------------------------------------------------


def _posted(federation: str, token: str, day: str) -> None:
    with signed(federation, token) as client:
        event = _drop(client).headers["location"].rpartition("/")[2]
        body = {**BOOK, "date": day, "another": True}
        posted = client.post(f"{V1}/events/{event}/postings", json=body)
        assert posted.status_code == 201, posted.text


def test_a_clubs_secretary_sends_what_is_the_clubs(federation: str, tokens: dict[str, str]) -> None:
    _posted(federation, tokens["sec"], "2018-01-06")
    _posted(federation, tokens["per"], "2018-01-13")
    period = {"since": "2018-01-01", "until": "2018-01-31", "by": "x"}
    with signed(federation, tokens["sec"]) as sec:
        page = sec.get("/ledger/submissions").text
        assert "2018-01-06" in page
        assert "2018-01-13" not in page
        assert 'id="f-club"' not in page
        wrong = sec.post("/ledger/submissions", data={**period, "club": "Perth"})
        assert wrong.status_code == 403
        assert " at Perth." in wrong.text
        assert sec.post("/ledger/submissions", data=period).status_code == 303
        [document] = re.findall(
            r"/ledger/submissions/\d+\.xml", sec.get("/ledger/submissions").text
        )[:1]
        assert sec.get(document).status_code == 200
        sent = {"submission_id": re.findall(r"\d+", document)[0], "status": "sent"}
        with signed(federation, tokens["per"]) as per:
            assert document not in per.get("/ledger/submissions").text
            assert per.post("/ledger/submissions/mark", data=sent).status_code == 403
        assert sec.post("/ledger/submissions/mark", data=sent).status_code == 303
    with signed(federation, tokens["duo"]) as duo:
        assert _choice(duo, "/ledger/submissions") == ["Aberdeen", "Perth"]


def test_awards_are_held_for_the_events_own_club(federation: str, tokens: dict[str, str]) -> None:
    form = {"by": "x", "day": "2018-02-03", "club": "Perth"}
    with signed(federation, tokens["sec"]) as sec:
        event = _drop(sec).headers["location"]
        query = "?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1"
        held = sec.post(f"{event}/draft{query}", data=form)
        assert held.status_code == 200, held.text
        number = re.findall(r"/ledger/drafts/(\d+)", held.text)[0]
        assert sec.get(f"{V1}/ledger/drafts/{number}").json()["club"] == "Aberdeen"
    with signed(federation, tokens["per"]) as per:
        assert "/release" not in per.get(f"/ledger/drafts/{number}").text
