"""The page that looks at an event as its receiver would, and gives the file."""

import httpx

from honours.demo import file

SAID = "to=ebu&s.date=2026-03-03&s.club_number=123456&s.charge=10"


def test_what_a_receiver_would_turn_back_is_told_and_mended_on_the_page(
    client: httpx.Client, event: str
) -> None:
    page = client.get(f"{event}/send").text
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
    given = client.get(f"{event}/send/file?{SAID}&rulebook=sbu-clubs-2016")
    assert given.status_code == 200
    assert given.headers["content-disposition"].endswith('-ebu.xml"')
    assert "<P2P_CHARGE_RATE>10</P2P_CHARGE_RATE>" in given.text
    assert "<MASTER_POINTS_AWARDED>" in given.text
    refused = client.get(f"{event}/send/file?to=ebu")
    assert refused.status_code == 422
    assert "no club number" in refused.text


def test_a_tournament_of_go_has_receivers_of_its_own(client: httpx.Client) -> None:
    name = "go-open.txt"
    kept = client.post("/events", files=[("files", (name, file(name).read_bytes()))])
    page = client.get(f"{kept.headers['location']}/send").text
    assert "European Go Database" in page
    assert "My EBU" not in page
    assert client.get(f"{kept.headers['location']}/send?to=nobody").status_code == 200
