"""The page that looks at an event as its receiver would, and gives the file."""

import re

import httpx

from honours.demo import file
from tests.support import cases
from tests.web.server import example_event, kept_anew

SAID = "to=ebu&s.date=2026-03-03&s.club_number=123456&s.charge=10"


def test_what_a_receiver_would_turn_back_is_told_and_mended_on_the_page(
    client: httpx.Client, event: str
) -> None:
    page = client.get(f"{event}/send?to=ebu").text
    assert "It would be turned back for this" in page
    assert "no club number" in page
    assert "/send/file" not in page
    mended = client.get(f"{event}/send?{SAID}").text
    assert "It would be turned back for this" not in mended
    assert "The receiver will ask about this" in mended
    assert f"{event}/send/file?to=ebu" in mended


def test_the_file_is_given_and_nothing_that_would_be_turned_back(
    client: httpx.Client, event: str
) -> None:
    given = client.get(f"{event}/send/file?{SAID}&rulebook=sbu-clubs-2016&as_usual=yes")
    assert given.status_code == 200
    assert given.headers["content-disposition"].endswith('-ebu.xml"')
    assert "<P2P_CHARGE_RATE>10</P2P_CHARGE_RATE>" in given.text
    assert "<MASTER_POINTS_AWARDED>" in given.text
    refused = client.get(f"{event}/send/file?to=ebu")
    assert refused.status_code == 422
    assert "no club number" in refused.text


def test_a_tournament_of_go_has_receivers_of_its_own(client: httpx.Client) -> None:
    name = "go-open.txt"
    go = kept_anew(client, name, file(name).read_bytes())
    page = client.get(f"{go}/send").text
    assert "European Go Database" in page
    assert "My EBU" not in page
    assert client.get(f"{go}/send?to=nobody").status_code == 200


DETAILS = {"date": "2026-03-03", "club_number": "123456", "charge": "10"}


def test_a_program_asks_who_takes_the_event_and_what_they_would_ask(
    client: httpx.Client, event: str
) -> None:
    kept = f"/api/v1{event}"
    takers = {one["name"]: one["keys"] for one in client.get(f"{kept}/receivers").json()}
    assert set(takers) == {"ebu", "sbu", "bridgewebs", "honours"}
    assert "charge" in takers["ebu"]
    refused = client.post(f"{kept}/send", json={"to": "ebu"}).json()
    assert not refused["ready"]
    stops = [one["what"] for one in refused["concerns"] if one["stops"]]
    assert {"no club number", "no charge code"} <= set(stops)
    ready = client.post(f"{kept}/send", json={"to": "ebu", "details": DETAILS}).json()
    assert ready["ready"]
    assert ready["file"].endswith("-ebu.xml")


def test_a_program_gets_the_file_of_the_page(client: httpx.Client, event: str) -> None:
    asked = {"to": "ebu", "details": DETAILS, "rulebook": "sbu-clubs-2016", "as_usual": True}
    given = client.post(f"/api/v1{event}/send/file", json=asked)
    assert given.headers["content-disposition"].endswith('-ebu.xml"')
    assert (
        given.content
        == client.get(f"{event}/send/file?{SAID}&rulebook=sbu-clubs-2016&as_usual=yes").content
    )
    refused = client.post(f"/api/v1{event}/send/file", json={"to": "ebu"})
    assert refused.status_code == 422
    assert "no club number" in refused.json()["detail"]


@cases
def test_a_wrong_request_to_send_says_what_is_wrong(
    client: httpx.Client, event: str, asked: dict[str, object], code: int, word: str
) -> None:
    answer = client.post(f"/api/v1{event}/send", json=asked)
    assert answer.status_code == code
    assert word in answer.json()["detail"]


def test_what_the_event_says_need_not_be_said_again(client: httpx.Client) -> None:
    event = client.post("/demo").headers["location"]
    page = client.get(f"{event}/send?to=ebu").text
    assert 'name="s.date" value="2020-03-03"' in page
    assert 'name="s.club" value="The demo club"' in page
    assert 'value="10">10: a normal club session</option>' in page
    assert "no charge code" in re.sub(r"<[^>]+>", "", page)


def test_the_receiver_of_the_federation_it_is_awarded_by_comes_first(client: httpx.Client) -> None:
    event = example_event(client)
    chosen = re.search(r'<option\s+value="(\w+)" selected', client.get(f"{event}/send").text)
    assert chosen
    assert chosen[1] == "sbu"
