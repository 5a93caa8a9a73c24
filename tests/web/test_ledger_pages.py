"""From an event's awards to a released posting, a statement, a season and a submission."""

import gzip
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from honours.demo import FILES, file
from honours.web.settings import Settings
from tests.web.server import client_of, example_event, serving

WHO = {"new": "yes", "by": "A. Secretary", "day": "2020-03-03"}
AWARDS = "?rulebook=sbu-clubs-2016&as_usual=yes"
SATURDAYS = [name for name in FILES if name.startswith("season/saturdays/")]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """A server with a ledger of its own."""
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=120, follow_redirects=True) as client,
    ):
        assert "There is no ledger yet" in client.get("/ledger").text
        assert "Not verified yet" in client.post("/ledger").text
        yield client


def _held(client: httpx.Client) -> str:
    """The path of a draft of the example's awards."""
    page = client.post(f"{client.post('/events/example').url.path}/draft{AWARDS}", data=WHO).text
    match = re.search(r"/ledger/drafts/\d+", page)
    assert match
    return match[0]


def _waited(client: httpx.Client, path: str) -> str:
    for _ in range(6000):
        page = client.get(path).text
        if "<progress" not in page:
            return page
        time.sleep(0.1)
    raise AssertionError(f"{path} goes on and on")


def test_awards_are_held_reviewed_and_released(client: httpx.Client) -> None:
    draft = _held(client)
    review = client.get(draft).text
    assert "Magnus Young" in review
    assert "What would be posted" in review
    assert 'class="short"' in review
    assert "Review and release: tuesday" in client.get("/ledger").text
    assert "Posted as record 1" in client.post(f"{draft}/release", data=WHO).text
    assert ">released<" in client.get("/ledger/drafts").text
    path = f"{client.post('/events/example').url.path}/draft{AWARDS}"
    assert "is already in the ledger" in client.post(path, data=WHO).text
    ranks = client.get("/ledger/lists?list=ranks").text
    member = re.search(r'(/ledger/members/\d+)">Magnus Young', ranks)
    assert member
    statement = client.get(member[1]).text
    assert "<b>36</b>" in statement
    posting = re.search(r"/ledger/postings/\d+", statement)
    assert posting
    assert "Chapter" in client.get(posting[0]).text


def test_the_light_is_green_until_more_is_posted(client: httpx.Client) -> None:
    client.post("/ledger/verify")
    assert 'class="light green"' in _waited(client, "/ledger")
    client.post(f"{_held(client)}/release", data=WHO)
    assert "Sound when last verified" in client.get("/ledger").text
    client.post("/ledger/verify")
    assert "One record derived again" in _waited(client, "/ledger")


def test_what_was_posted_with_other_results_is_corrected(client: httpx.Client) -> None:
    client.post(f"{_held(client)}/release", data=WHO)
    event = client.post("/events/example").url.path
    penalty = {"kind": "penalty", "pair": "11", "amount": "100", "unit": "percent", **WHO}
    client.post(f"{event}/rulings", data=penalty)
    page = client.post(f"{event}/draft{AWARDS}", data=WHO).text
    assert "with other results" in page
    assert "place 1, 36 points in the ledger" in page
    done = client.post(f"{event}/draft{AWARDS}", data={**WHO, "correct": "1", "why": "a penalty"})
    assert "Posted as record 3" in done.text
    assert ">taken back<" in client.get("/ledger").text


def test_an_event_that_looks_like_another_is_asked_about(client: httpx.Client) -> None:
    client.post(f"{_held(client)}/release", data=WHO)
    event = client.post("/events/example").url.path
    page = client.post(f"{event}/draft{AWARDS}", data={**WHO, "day": "2020-03-10"}).text
    draft = re.search(r"/ledger/drafts/\d+", page)
    assert draft
    asked = client.post(f"{draft[0]}/release", data=WHO).text
    assert "This looks like tuesday of 3 Mar 2020" in asked
    assert (
        "Posted as record 2"
        in client.post(f"{draft[0]}/release", data={**WHO, "another": "1"}).text
    )


def test_a_list_of_members_comes_in_once(client: httpx.Client) -> None:
    assert "There are no members yet" in client.get("/ledger/members").text
    assert "Opening balances are record 1" in client.post("/ledger/members/example", data=WHO).text
    assert "Alma Reed" in client.get("/ledger/lists?list=ranks").text
    again = [("list", ("mine.csv", file("members.csv").read_bytes()))]
    brought = [("list", ("more.csv", b"number,name,local\n901,Nan Orr,250\n"))]
    form = {**WHO, "rulebook": "sbu-clubs-2016", "day": "2019-12-31", "why": "moved here"}
    seen = client.post("/ledger/members", files=brought, data={**form, "preview": "yes"}).text
    assert "What the list would do" in seen
    assert "1 added" in seen
    assert "250" in seen
    assert "Nan Orr" not in client.get("/ledger/members").text
    assert "are record 2" in client.post("/ledger/members", files=brought, data=form).text
    assert "2019-12-31" in client.get("/ledger").text
    assert "moved here" in client.get("/ledger").text
    answer = client.post("/ledger/members", files=again, data={**WHO, "rulebook": "sbu-clubs-2016"})
    assert answer.status_code == 200
    assert "Opening balances are record" not in answer.text
    assert client.get("/ledger/members/99999").status_code == 404
    wrong = client.post("/ledger/members", files=[("list", ("x.csv", b"a,b\n1,2\n"))], data=WHO)
    assert wrong.status_code == 422


def test_a_submission_is_made_sent_and_rejected(client: httpx.Client) -> None:
    assert "/ledger/submissions/missing" in client.get("/ledger/submissions").text
    client.post("/events/example")
    asked = client.get("/ledger/submissions/missing").text
    assert "no date" in asked
    assert "One event was looked at" in asked
    assert "no club number" in client.get("/ledger/submissions/missing?to=ebu").text
    assert "Nothing waits to be sent" in client.get("/ledger/submissions").text
    client.post(f"{_held(client)}/release", data=WHO)
    assert 'value="2020-03-03"' in client.get("/ledger/submissions").text
    period = {"since": "2020-03-01", "until": "2020-03-31", **WHO}
    assert ">pending<" in client.post("/ledger/submissions", data=period).text
    document = client.get("/ledger/submissions/1.xml")
    assert "<USEBIO" in document.text
    assert "Magnus Young" in document.text
    noted = {"submission_id": "1", "status": "rejected"}
    assert client.post("/ledger/submissions/mark", data=noted).status_code == 422
    page = client.post("/ledger/submissions/mark", data={**noted, "remark": "no number"}).text
    assert "no number" in page
    assert "Not sent yet" in page
    assert client.post("/ledger/submissions", data={**period, "since": "soon"}).status_code == 422


# --- the club's year -----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_example_season_is_ranked_awarded_and_held(client: httpx.Client) -> None:
    assert "There is no season yet" in client.get("/ledger/seasons").text
    season = client.post("/ledger/seasons/example").url.path
    page = _waited(client, season)
    assert "61.12" in page
    assert "25/03" in page
    assert "150" in page
    assert "2 more have not played enough" in page
    assert page.count("<tr>") < client.get(f"{season}?everybody=1").text.count("<tr>")
    query = "competition=Saturday+Pairs%2C+bonus&stage=0&entrant=1"
    assert "Why 150 for Ann Adair" in client.get(f"{season}?{query}").text
    asked = client.post(f"{season}/draft?{query}", data={"by": "A. Secretary"}).text
    assert f'action="{season}/draft?' in asked
    assert "Who is new?" in asked
    assert "Ann Adair" in asked
    assert "Ann Adair" not in client.get("/ledger/members").text
    held = client.post(f"{season}/draft?{query}", data=WHO).text
    assert "The awards are held" in held
    wrong = client.post(f"{season}/text", data={"text": "rulebook = 3\nnonsense"})
    assert wrong.status_code == 422
    client.post(f"{season}/delete")
    assert "There is no season yet" in client.get("/ledger/seasons").text


def test_a_competition_is_described_by_a_form(client: httpx.Client) -> None:
    files = [
        ("files", (name.rpartition("/")[2], file(name).read_bytes())) for name in SATURDAYS[:2]
    ]
    client.post("/events", files=files, data={"again": "yes"})
    form = {
        "title": "Two Saturdays",
        "kind": "pairs",
        "type": "table",
        "score": "sum",
        "rulebook": "sbu-clubs-2016",
        "year": "2016-09-01",
        "best": "2",
        **{f"event.{name.rpartition('/')[2]}": "on" for name in SATURDAYS[:2]},
    }
    page = _waited(client, client.post("/ledger/seasons/new", data=form).url.path)
    assert "Two Saturdays" in page
    assert ">Total<" in page
    assert "10/09" in page
    assert client.post("/ledger/seasons/new", data={**form, "best": "some"}).status_code == 422
    groups = client.get("/ledger/seasons/new").text.split("<optgroup")
    assert ["ebu-clubs" in group for group in groups] == [False, False, True]  # awards no season
    assert 'value="sbu-clubs-2016"' in groups[1]


@pytest.mark.parametrize(
    "path", ["/ledger/members/1", "/ledger/postings/1", "/ledger/submissions", "/ledger/drafts/1"]
)
def test_without_a_ledger_its_pages_lead_to_where_one_begins(tmp_path: Path, path: str) -> None:
    with serving(Settings(data=tmp_path)) as address:
        answer = httpx.get(address + path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/ledger")
        assert httpx.get(f"{address}/api/v1/ledger/members").status_code == 404


def test_who_does_it_must_be_said(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        path = f"{example_event(client)}/draft?rulebook=sbu-clubs-2016&as_usual=yes"
        assert client.post(path, data={"by": " "}).status_code == 422


def test_a_week_joins_a_season_by_one_click(client: httpx.Client) -> None:
    uploads = [(n.rpartition("/")[2], file(n).read_bytes()) for n in SATURDAYS[2:6]]
    files = [("files", one) for one in uploads[:3]]
    client.post("/events", files=files, data={"again": "yes"})
    form = {"title": "Three Saturdays", "kind": "pairs", "type": "table", "score": "sum"}
    form |= {"rulebook": "sbu-clubs-2016", "year": "2016-09-01", "best": "1", "played": "1"}
    form |= {f"event.{name}": "on" for name, _ in uploads[:2]}
    path = client.post("/ledger/seasons/new", data=form).url.path
    page = _waited(client, path)
    assert "The total of the best 1 scores counts" in page
    assert '<figure class="curves">' in page
    assert "counted" in page
    assert "dropped" in page
    offered = re.findall(r'name="event"\s+value="([0-9a-f]{12})">.*? ([^<]+)</button>', page)
    [week] = [one for one, title in offered if uploads[2][0].removesuffix(".csv") in title][:1]
    client.post(f"{path}/events", data={"competition": "0", "event": week})
    page = _waited(client, path)
    assert page.count('data-key="event_') == 3
    assert f'value="{week}">' not in page.split("Which events count")[0]
    series = {"competition": "Three Saturdays", "series": f"{uploads[3][0][:4]}*"}
    client.post(f"{path}/series", data=series)
    client.post("/events", files=[("files", uploads[3])], data={"again": "yes"})
    page = _waited(client, path)
    assert page.count('data-key="event_') == 4
    [joined] = re.findall(r'(?s)/joined".*?name="event"\s+value="([0-9a-f]{12})"><a', page)
    client.post(f"{path}/joined", data={"event": joined})
    page = _waited(client, path)
    assert page.count('data-key="event_') == 3
    assert "left out" in page
    less = {"competition": "0", "event": week}
    client.post(f"{path}/events/less", data=less)
    page = _waited(client, path)
    assert page.count('data-key="event_') == 2
    assert client.post(f"{path}/events/less", data=less).status_code == 422  # it is out already


def test_a_season_is_begun_with_its_series(client: httpx.Client) -> None:
    """Events of the series count from the first look on, and later ones when they come."""
    uploads = [(n.rpartition("/")[2], file(n).read_bytes()) for n in SATURDAYS[6:8]]
    form = {"title": "A series", "kind": "pairs", "type": "table", "score": "sum"}
    form |= {"rulebook": "sbu-clubs-2016", "year": "2016-09-01", "best": "1", "played": "1"}
    path = client.post("/ledger/seasons/new", data={**form, "series": "Club night *"}).url.path
    assert "No event of the series has come yet." in _waited(client, path)
    for number, one in enumerate(uploads, 1):
        made = client.post("/events", files=[("files", one)], data={"again": "yes"})
        client.post(f"{made.url.path}/said", data={"title": f"Club night {number}"})
        assert _waited(client, path).count('data-key="event_') == number


def test_a_secretary_adds_edits_and_merges(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        client.post("/ledger")
        why = {"by": "A. Secretary", "why": "joined in March"}
        added = client.post("/ledger/people/new", data={"name": "Ian Galt", "number": "102"} | why)
        member = added.headers["location"]
        new = f"{client.base_url}/ledger/people/new"
        taken = {"name": "Una Eadie", "number": "102"} | why
        refused = client.post(new, data=taken, headers={"referer": new})
        assert refused.status_code == 422
        assert "Una Eadie" in refused.text
        edit = member.replace("/members/", "/people/") + "/edit"
        assert 'value="Ian Galt"' in client.get(edit).text
        client.post(edit, data={"name": "Ian B. Galt", "number": "102", "opted_out": "yes"} | why)
        assert "Ian B. Galt" in client.get(member).text
        other = client.post("/ledger/people/new", data={"name": "Iain Galt"} | why).headers[
            "location"
        ]
        merge = other.replace("/members/", "/people/") + "/merge"
        assert "would count as Ian B. Galt" in client.get(f"{merge}?into=102").text
        assert client.get(f"{merge}?into=nobody").status_code == 422
        form = {"into": member.rpartition("/")[2], "by": "A. Secretary", "why": "one person"}
        assert client.post(merge, data=form).headers["location"] == member


def test_a_secretary_takes_a_record_back_and_keeps_a_copy(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        client.post("/ledger")
        why = {"by": "A. Secretary", "why": "joined in March"}
        client.post("/ledger/people/new", data={"name": "Ian Galt", "number": "102"} | why)
        event = example_event(client)
        held = client.post(f"{event}/draft?rulebook=sbu-clubs-2016&as_usual=yes", data=WHO)
        draft = re.search(r"/ledger/drafts/\d+", held.text)
        assert draft
        released = client.post(f"{draft[0]}/release", data=WHO).text
        number = re.findall(r"[Rr]ecord (\d+)", released)[0]
        back = f"/ledger/records/{number}/reverse"
        preview = client.get(back).text
        assert "its opposite is posted" in preview
        assert re.search(r"-\d|−\d", preview)
        assert client.post(back, data={"by": "A. Secretary", "why": " "}).status_code == 422
        assert client.post(back, data={"by": "A. Secretary", "why": "wrong night"}).is_redirect
        copy = client.get("/ledger/backup").content
        assert b'"honours": "backup"' in gzip.decompress(copy)[:60]
        assert b"A. Secretary: joined in March" in gzip.decompress(copy)
