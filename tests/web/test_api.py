"""The API: what a program asks, and how it is told what is wrong."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from honours.demo import FILES, file
from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import serving

V1 = "/api/v1"
PAIRS = {"kind": "pairs", "winners": "1", "pairs": 18}
PENALTY = {"kind": "penalty", "pair": "3", "amount": "10", "unit": "percent", "by": "A. Director"}


@pytest.fixture
def kept(event: str) -> str:
    """The API's path of an event nobody else rules on."""
    return f"{V1}{event}"


def test_a_calculation(client: httpx.Client) -> None:
    asked = {"rulebook": "sbu-clubs-2016", "given": PAIRS, "ties": "3-4"}
    data = client.post(f"{V1}/calculations", json=asked).json()
    assert [item["award"] for item in data["schedule"]] == ["36", "30", "21", "21", "12", "6"]
    explained = client.post(f"{V1}/calculations", json={**asked, "explain": True}).json()
    assert explained["explanation"][0]["name"] == "award"


def test_an_amended_calculation_says_so(client: httpx.Client) -> None:
    asked = {"rulebook": "sbu-clubs-2016", "given": PAIRS, "set": {"place_rounding": "nearest"}}
    data = client.post(f"{V1}/calculations", json=asked).json()
    assert data["amended"] == {"place_rounding": "nearest"}


@pytest.mark.parametrize(
    ("asked", "code", "field"),
    [
        ({"rulebook": "sbu-clubs-2016", "given": {"pairs": 18}}, 422, "kind"),
        ({"rulebook": "sbu-clubs-2016", "given": {**PAIRS, "pears": 1}}, 422, "pears"),
        ({"rulebook": "sbu-clubs-2016", "given": {**PAIRS, "pairs": "many"}}, 422, "pairs"),
        ({"rulebook": "sbu-clubs-2016", "given": {"tables": 9.5}}, 422, "given.tables"),
        ({"rulebook": "sbu-clubs-2016"}, 422, "given"),
        ({"rulebook": "nobody", "given": {}}, 404, None),
    ],
)
def test_a_problem_names_the_field(
    client: httpx.Client, asked: dict[str, object], code: int, field: str | None
) -> None:
    answer = client.post(f"{V1}/calculations", json=asked)
    assert answer.status_code == code
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert {"type", "title", "status", "detail"} <= set(problem)
    assert field is None or field in [error["field"] for error in problem["errors"]]


def sent(places: Sequence[int], **more: Any) -> dict[str, Any]:
    """Standings of pairs at these places."""
    rows = [
        {"entrant": str(n), "place": place, "players": [{"name": f"A{n}"}, {"name": f"B{n}"}]}
        for n, place in enumerate(places, 1)
    ]
    return {"rulebook": "sbu-clubs-2016", "lists": [{"standings": rows, **more}]}


def test_standings_are_awarded_and_not_kept(client: httpx.Client) -> None:
    before = client.get(f"{V1}/events").json()["total"]
    asked = {**sent([1, 2, 2, *range(4, 11)]), "given": {"winners": 1}, "as_usual": True}
    data = client.post(f"{V1}/awards", json=asked).json()
    assert [one["award"] for one in data["awards"][:5]] == ["24", "15", "15", "6", "0"]
    assert data["awards"][0]["players"][1] == {"name": "B1", "number": ""}
    assert client.get(f"{V1}/events").json()["total"] == before


def test_what_decides_an_award_of_standings_is_asked(client: httpx.Client) -> None:
    answer = client.post(f"{V1}/awards", json=sent(range(1, 11)))
    assert answer.status_code == 409
    assert [one["of"] for one in answer.json()["questions"]] == ["usual"]


@cases
def test_a_wrong_list_is_refused_by_name(
    client: httpx.Client, more: dict[str, Any], field: str
) -> None:
    answer = client.post(f"{V1}/awards", json=sent(range(1, 11), **more))
    assert answer.status_code == 422
    assert any(one["field"].startswith(field) for one in answer.json()["errors"])


def test_an_unknown_address_is_a_problem_too(client: httpx.Client) -> None:
    answer = client.get(f"{V1}/nothing")
    assert (answer.status_code, answer.json()["status"]) == (404, 404)


def test_a_list_comes_in_pages(client: httpx.Client) -> None:
    first = client.get(f"{V1}/rulebooks?limit=2").json()
    assert (len(first["items"]), first["total"] >= 5) == (2, True)
    second = client.get(first["next"]).json()
    assert second["items"][0]["id"] not in [item["id"] for item in first["items"]]
    everything = client.get(f"{V1}/rulebooks?limit=500").json()
    assert (len(everything["items"]), everything["next"]) == (first["total"], None)


def _upload(client: httpx.Client, key: str, content: bytes) -> httpx.Response:
    headers = {"idempotency-key": key}
    return client.post(f"{V1}/events", files={"file": ("night.csv", content)}, headers=headers)


def test_an_option_that_there_is_not_is_refused(client: httpx.Client) -> None:
    event = _upload(client, "options", b"pair,score\n1,60\n2,40\n").json()[0]["id"]
    answer = client.get(f"{V1}/events/{event}?winers=2")
    assert answer.status_code == 422
    assert "'winers'; did you mean 'winners'?" in answer.json()["detail"]
    assert client.get(f"{V1}/events/{event}").is_success


def test_the_same_key_is_the_same_event(client: httpx.Client) -> None:
    content = file(FILES[0]).read_bytes()
    first, again = (_upload(client, "tuesday", content) for _ in range(2))
    assert first.status_code == 201
    assert first.json() == again.json()
    other = _upload(client, "tuesday", content + b"\n")
    assert other.status_code == 409


def test_an_event_is_scored_ruled_and_awarded(client: httpx.Client, kept: str) -> None:
    assert client.get(kept).json()["rankings"][0]["standings"][0]["entrant"] == "11"
    assert client.post(f"{kept}/rulings/preview", json=PENALTY).json()
    made = client.post(f"{kept}/rulings", json=PENALTY)
    assert (made.status_code, made.json()["count"]) == (201, 1)
    assert any("50.71" in change for change in made.json()["changes"])
    assert client.post(f"{kept}/rulings/undo").json()["count"] == 0
    assert client.post(f"{kept}/rulings/undo").status_code == 422
    final = client.post(f"{kept}/final", json={"by": "A. Scorer"}).json()
    assert final["rulings"][0]["kind"] == "final"
    awards = client.post(
        f"{kept}/awards", json={"rulebook": "sbu-clubs-2016", "as_usual": True, "explain": "11"}
    )
    assert awards.json()["awards"][0]["award"] == "36"
    assert awards.json()["explanation"]


@pytest.mark.parametrize("kind", ["travellers", "scorecards", "matrix"])
def test_an_events_sheets(client: httpx.Client, kept: str, kind: str) -> None:
    assert client.get(f"{kept}/sheets/{kind}").json()[0]["rows"]


def test_a_board_is_explained(client: httpx.Client, kept: str) -> None:
    assert client.get(f"{kept}/explanation?what=board 7").json()
    assert client.get(f"{kept}/explanation?what=board 99").status_code == 422


def test_an_event_is_removed(client: httpx.Client, kept: str) -> None:
    assert client.delete(kept).status_code == 204
    assert client.get(kept).status_code == 404


def test_a_job_is_watched_and_cancelled(client: httpx.Client) -> None:
    started = client.post(f"{V1}/jobs", json={"what": "conformance"})
    assert started.status_code == 202
    address = started.headers["location"]
    assert client.get(address).json()["state"] == "running"
    assert client.post(f"{address}/cancel").status_code == 202
    assert _ended(client, address) == "cancelled"
    assert client.get(f"{V1}/jobs").json()["total"] >= 1
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404


@cases
def test_a_word_that_no_question_knows_is_refused(
    client: httpx.Client, what: str, word: str, nearest: str
) -> None:
    given = {"a": "acbl-sof-2011", "b": "acbl-sof-2020"} if what != "generate" else {}
    answer = client.post("/api/v1/jobs", json={"what": what, "said": given | {word: "1"}})
    assert answer.status_code == 422
    assert f"{word!r}; did you mean {nearest!r}?" in answer.json()["detail"]


def test_a_job_ends_with_its_result(client: httpx.Client) -> None:
    asked = {"what": "audit", "said": {"a": "vbl-2017"}}
    address = client.post(f"{V1}/jobs", json=asked).headers["location"]
    assert _ended(client, address) == "done"
    assert client.get(address).json()["result"][0]
    asked["said"] = {"a": "nothing"}
    assert client.post(f"{V1}/jobs", json=asked).status_code == 404
    refused = client.post(f"{V1}/jobs", json={"what": "generate", "said": {"name": "../x"}})
    assert refused.json()["errors"][0]["field"] == "name"
    assert client.get(f"{V1}/corpora").json() == []


def _ended(client: httpx.Client, address: str) -> str:
    for _ in range(3600):
        state: str = client.get(address).json()["state"]
        if state != "running":
            return state
        time.sleep(0.05)
    return state


def test_what_was_kept_is_there_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    content = file(FILES[0]).read_bytes()
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        [kept] = _upload(client, "once", content).json()
        client.post(f"{V1}/events/{kept['id']}/rulings", json=PENALTY)
    (tmp_path / "events" / ".new-half").mkdir()  # a server was killed in the middle of an upload
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.get(f"{V1}/events").json()["total"] == 1
        assert client.get(f"{V1}/events/{kept['id']}/rulings").json()["count"] == 1
        assert _upload(client, "once", content).json() == [kept]
