"""From a file to standings, rulings and awards, as the pages do it."""

import re
from html import unescape
from pathlib import Path

import httpx
import pytest

from honours.demo import CLUB_NIGHT, file
from honours.formats.rulings import ASKED as FORMS
from honours.web.events.pages import TYPED_EXAMPLE
from honours.web.settings import Settings
from tests.web.server import client_of, example_event, kept_anew

PENALTY = {"kind": "penalty", "pair": "3", "amount": "10", "unit": "percent", "by": "A. Director"}


def test_a_file_is_read_and_ranked(client: httpx.Client, event: str) -> None:
    page = client.get(event).text
    assert "Magnus Young &amp; Iain Galt" in page
    assert "61.82" in page
    assert "perhaps fouled" in page


def test_several_files_come_in_at_once(client: httpx.Client) -> None:
    content = TYPED_EXAMPLE.encode()
    files = [("files", (f"night-{i}.txt", content)) for i in range(2)]
    answer = client.post("/events", files=files, data={"again": "yes"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/events")
    assert "night-1.txt" in client.get("/events").text


def test_a_file_that_cannot_be_read_is_told_line_by_line(client: httpx.Client) -> None:
    bad = TYPED_EXAMPLE.replace("4S N =", "9S N =").replace("+420", "four twenty")
    page = client.post("/events", files=[("files", ("../../bad.txt", bad.encode()))])
    assert page.status_code == 422
    assert page.text.count("line 5") == 1
    assert page.text.count("line 8") == 1


def test_travellers_typed_in_are_scored(client: httpx.Client) -> None:
    answer = client.post("/events/typed", data={"text": TYPED_EXAMPLE})
    assert "Ann Ash &amp; Bob Birch" in client.get(answer.headers["location"]).text
    wrong = client.post("/events/typed", data={"text": "board 1\n1 2 nonsense"})
    assert wrong.status_code == 422
    assert "nonsense" in wrong.text


def test_standings_from_a_file_can_be_awarded(client: httpx.Client) -> None:
    table = "pair,place,masterpoints1,masterpoints2\nA,1,900,1200\nB,2,50,70\n"
    page = client.get(kept_anew(client, "club.csv", table.encode())).text
    assert "What are they awarded?" in page


def _week(nights: int) -> bytes:
    rows = "".join(f"Night {n},A,1\nNight {n},B,2\n" for n in range(nights))
    return f"event,pair,place\n{rows}".encode()


def test_every_event_of_a_table_of_standings_is_kept(client: httpx.Client) -> None:
    files = {"files": ("week.csv", _week(2))}
    client.post("/events", files=files, data={"again": "yes"})
    listed = client.get("/api/v1/events").json()["items"]
    [other, one] = [each for each in listed if each["file"] == "week.csv"]
    assert (one["title"], other["title"]) == ("Night 0", "Night 1")
    assert "Night 1" in client.get(f"/events/{other['id']}").text


def test_a_file_of_too_many_events_is_not_kept(client: httpx.Client) -> None:
    answer = client.post("/events", files=[("files", ("year.csv", _week(51)))])
    assert answer.status_code == 422
    assert "year.csv: 51 events; at most 50 at once" in answer.text
    listed = client.get("/api/v1/events").json()["items"]
    assert "year.csv" not in [each["file"] for each in listed]


def test_a_ruling_shows_what_it_changes_and_is_undone(client: httpx.Client, event: str) -> None:
    preview = client.post(f"{event}/rulings/preview", data=PENALTY)
    assert "place 7 with 50.71 → place 8" in preview.text.replace("3 (Ewan Fyfe &amp; Iona", "")
    assert "There are no rulings yet" in client.get(f"{event}/rulings").text
    client.post(f"{event}/rulings", data={**PENALTY, "count": "0"})
    page = client.get(f"{event}/rulings").text
    assert "A. Director" in page
    assert "50.71" in page
    client.post(f"{event}/undo", data={"count": "1"})
    assert "There are no rulings yet" in client.get(f"{event}/rulings").text


def test_a_form_sent_twice_rules_once(client: httpx.Client, event: str) -> None:
    first = client.post(f"{event}/rulings", data={**PENALTY, "count": "0"})
    second = client.post(f"{event}/rulings", data={**PENALTY, "count": "0"})
    assert (first.status_code, second.status_code) == (303, 409)
    assert client.get(f"{event}/rulings").text.count("<small>A. Director") == 1


def test_final_standings_that_change_are_marked_amended(client: httpx.Client, event: str) -> None:
    assert ">provisional<" in client.get(event).text
    client.post(f"{event}/final", data={"by": "A. Scorer", "count": "0"})
    assert ">final<" in client.get(event).text
    client.post(f"{event}/rulings", data={**PENALTY, "count": "1"})
    page = client.get(event).text
    assert ">amended<" in page
    assert "Changed since it was made final" in page


@pytest.mark.parametrize("kind", FORMS)
def test_every_kind_of_ruling_has_its_form(client: httpx.Client, event: str, kind: str) -> None:
    page = client.get(f"{event}/rulings/new?kind={kind}&board=3")
    assert page.status_code == 200
    assert 'name="by"' in page.text


def test_an_award_says_why(client: httpx.Client, event: str) -> None:
    page = client.get(f"{event}/awards?rulebook=sbu-clubs-2016&as_usual=yes&entrant=11").text
    assert "Why 36 for Magnus Young" in page
    assert "Chapter 1" in page


def test_a_missing_input_is_asked_for(client: httpx.Client, event: str) -> None:
    page = client.get(f"{event}/awards?rulebook=acbl-general&as_usual=yes").text
    assert _answers(page)[:2] == [
        "rulebook=acbl-general&g.class=sectional&as_usual=yes",
        "rulebook=acbl-general&g.class=regional&as_usual=yes",
    ]
    assert 'name="g.class"' in page.split("More options")[0]
    awarded = client.get(
        f"{event}/awards?rulebook=acbl-general&as_usual=yes&g.class=regional&g.limit=none&entrant=11"
    ).text
    assert re.search(r"Why [\d.]+ for Magnus", awarded)


def _answers(page: str) -> list[str]:
    """What is said with each answer that a page offers."""
    return [
        unescape(said) for said in re.findall(r'name="said" value="([^"]+)" class="quiet"', page)
    ]


def test_a_file_of_no_federation_is_asked_by_whose_rules_and_answered_once(
    client: httpx.Client,
) -> None:
    event = kept_anew(client, "own.csv", file(CLUB_NIGHT).read_bytes())
    offered = _answers(client.get(f"{event}/awards").text)
    assert {"rulebook=sbu-clubs-2016", "rulebook=ebu-clubs"} < {*offered}
    assert client.get(f"{event}/after").headers["location"] == f"{event}/awards"
    page = client.post(f"{event}/answers", data={"said": "rulebook=sbu-clubs-2016"})
    asked = client.get(page.headers["location"]).text
    [usual] = re.findall(r'name="said" value="([^"]+as_usual=yes)"><b>', asked)
    client.post(f"{event}/answers", data={"said": unescape(usual)})
    why = client.get(f"{event}/awards?entrant=11").text
    assert "Why 36 for Magnus Young" in why
    assert client.get(f"{event}/after").status_code == 200


def test_a_club_says_once_by_whose_rules_its_events_are_awarded(client: httpx.Client) -> None:
    event = kept_anew(client, "told.csv", file(CLUB_NIGHT).read_bytes())
    told = {"answers": 'rulebook = "ebu-clubs"'}
    assert client.patch("/api/v1/club", json=told).status_code == 200
    try:
        assert "rulebook=ebu-clubs&g.scale=B" in _answers(client.get(f"{event}/awards").text)
    finally:
        client.patch("/api/v1/club", json={"answers": ""})


def test_two_rulebooks_stand_side_by_side(client: httpx.Client, event: str) -> None:
    query = "rulebook=acbl-general&g.class=regional&g.limit=none&against=sbu-clubs-2016&entrant=11"
    page = client.get(f"{event}/awards?{query}&as_usual=yes").text
    assert ">sbu-clubs-2016</th>" in page
    assert '<input type="hidden" name="as_usual" value="yes">' in page, "asked once is enough"
    assert "sbu-clubs-2016: 36" in page


DOWNLOADS = {
    "standings.csv": "place",
    "event.json": '"rankings"',
    "results.xml": "<USEBIO",
    "original": "board,round,table",
    "awards.csv": "Magnus Young",
    "awards.json": '"schedule"',
    "results.pdf": "%PDF",
    "scorecards.pdf": "%PDF",
    "awards.pdf": "%PDF",
    "awards.xml": "<MASTER_POINTS",
    "site.zip": "index.html",
    "awards-site.zip": "index.html",
}


@pytest.mark.parametrize("name", DOWNLOADS)
def test_an_event_downloads(client: httpx.Client, event: str, name: str) -> None:
    answer = client.get(f"{event}/download/{name}?as_usual=yes")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    assert DOWNLOADS[name].encode() in answer.content


def test_an_event_goes_with_its_rulings(client: httpx.Client, event: str) -> None:
    client.post(f"{event}/delete")
    assert client.get(event).status_code == 404


def test_the_example_is_the_bundled_one(client: httpx.Client, event: str) -> None:
    from honours.demo import FILES, file

    original = client.get(f"{event}/download/original")
    assert original.content == file(FILES[0]).read_bytes()
    assert original.headers["content-disposition"].endswith('filename="tuesday-original.csv"')
    assert Path(FILES[0]).stem in client.get(event).text


def test_title_date_and_club_are_said_where_they_are_shown(
    client: httpx.Client, event: str
) -> None:
    form = {"title": "Spring pairs", "date": "2026-03-03", "club": "Harbour"}
    assert client.post(f"{event}/said", data=form).status_code == 303
    page = client.get("/events").text
    for shown in ("Spring pairs", "3 Mar 2026", "Harbour", "Magnus Young &amp; Iain Galt", ">9<"):
        assert shown in page
    assert client.post(f"{event}/said", data={"date": "tomorrow"}).status_code == 422
    client.post(f"{event}/said", data={"title": ""})
    assert ">tuesday</textarea>" in client.get(event).text


def test_the_same_file_again_is_noticed(client: httpx.Client, event: str) -> None:
    files = [("files", ("again.csv", file(CLUB_NIGHT).read_bytes()))]
    page = client.post("/events", files=files)
    assert "again.csv is already here" in page.text
    assert event in page.text
    assert client.post("/events", files=files, data={"again": "yes"}).status_code == 303


def test_a_new_version_keeps_rulings_and_shows_what_is_different(
    client: httpx.Client, event: str
) -> None:
    client.post(f"{event}/rulings", data={**PENALTY, "count": "0"})
    before = file(CLUB_NIGHT).read_bytes()
    lines = before.splitlines(keepends=True)
    files = {"file": ("corrected.csv", b"".join(lines[:-1]))}  # one result less
    assert client.post(f"{event}/replace", files=files).status_code == 303
    page = client.get(f"{event}/rulings").text
    assert "corrected.csv replaced the file" in page
    assert "→" in page
    assert "Undo ruling 1" in page
    assert client.post(f"{event}/replace", files=files).status_code == 422
    assert client.get(f"{event}/download/original").content == files["file"][1]
    assert client.post(f"{event}/version-before").status_code == 303
    assert client.get(f"{event}/download/original").content == before
    assert client.post(f"{event}/version-before").status_code == 422
    refused = {"file": ("short.csv", b"board,ns,ew,score\n1,1,2,420\n")}
    assert client.post(f"{event}/replace", files=refused).status_code == 422  # no pair to fine
    assert client.get(f"{event}/download/original").content == before


def test_a_new_version_brings_its_title_and_day(client: httpx.Client) -> None:
    first = b"event,date,place,name\nTuesday,2024-03-05,1,A. Able\nTuesday,2024-03-05,2,B. Baker\n"
    second = first.replace(b"Tuesday", b"Spring pairs").replace(b"03-05", b"03-12")
    event = client.post("/events", files={"files": ("one.csv", first)}).headers["location"]
    client.post(f"{event}/replace", files={"file": ("two.csv", second)})
    page = client.get(f"{event}/rulings").text
    assert "title: Tuesday → Spring pairs" in page
    assert "Spring pairs" in client.get("/events").text
    client.post(f"{event}/version-before")
    assert "Spring pairs" not in client.get("/events").text
    client.post(f"{event}/said", data={"title": "Our own"})
    client.post(f"{event}/replace", files={"file": ("two.csv", second)})
    assert "Our own" in client.get("/events").text  # what a person says stays


def test_any_ruling_is_undone_and_the_log_says_what_was_ruled(
    client: httpx.Client, event: str
) -> None:
    foul = {"kind": "fouled", "board": "20", "pairs": "7, 4", "by": "A. Director"}
    client.post(f"{event}/rulings", data=foul)
    client.post(f"{event}/rulings", data=PENALTY)
    page = client.get(f"{event}/rulings").text
    assert "Board 20: fouled for 7 (Ailsa Dewar &amp; Mairi Begg)" in page
    client.post(f"{event}/undo", data={"number": "1", "count": "2"})
    page = client.get(f"{event}/rulings").text
    assert "fouled for" not in page
    assert "penalty of" in page
    assert client.post(f"{event}/undo", data={"number": "7"}).status_code == 422


def test_names_are_kept_proposed_and_nobody_becomes_a_member(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:  # where no other test has members
        _names_are_proposed(client, example_event(client))


def _names_are_proposed(client: httpx.Client, event: str) -> None:
    client.post("/ledger")
    members = {"list": ("members.csv", b"number,name\n102,Ian Galt\n103,Olive Haig\n")}
    client.post("/ledger/members", files=members, data={"by": "A. Secretary"})
    page = client.get(f"{event}/names").text
    assert 'value="102">Ian Galt 102</option>' in page  # Iain Galt of the file
    form = {"p.10.0": "Olive Haig", "p.10.1": "Zoe Quill", "n.10.1": ""}
    assert client.post(f"{event}/names", data=form).status_code == 303
    page = client.get(f"{event}/names").text
    assert 'name="n.10.0" value="103"' in page
    client.post(f"{event}/names/decide", data={"d.Iain Galt": "102"})
    page = client.get(f"{event}/names").text
    assert 'name="n.11.1" value="102"' in page
    client.post(f"{event}/names/decide", data={"d.Olive Hague": ""})
    offered = client.get(f"{event}/names/people", params={"q": "ian g"}).json()
    assert offered[0] == {"name": "Ian Galt", "number": "102"}
    who = {"by": "A. Secretary", "day": "2020-03-03"}
    held = client.post(f"{event}/draft?rulebook=sbu-clubs-2016&as_usual=yes", data=who)
    assert "Nothing has been held yet" in held.text
    assert "Zoe Quill" not in client.get("/ledger/members").text
    held = client.post(
        f"{event}/draft?rulebook=sbu-clubs-2016&as_usual=yes", data={**who, "new": "yes"}
    )
    assert "The awards are held" in held.text
    assert "held for the ledger" in client.get("/events").text


def test_a_board_has_its_page_with_hands_contracts_and_double_dummy(client: httpx.Client) -> None:
    results = "".join(f'{ns} {ns + 1} "3NT" N 9 400\n' for ns in range(1, 7, 2))
    pbn = (
        '[Event "Night"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
        '[Deal "N:AK52.Q8.AJ73.K92 QJ8.AJ94.K5.T853 T94.KT73.Q862.AJ 763.652.T94.Q764"]\n'
        '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS"]\n'
        f"{results}"
    )
    event = kept_anew(client, "night.pbn", pbn.encode())
    board = client.get(f"{event}/boards", follow_redirects=True)
    assert "Q J 8" in board.text
    assert "3NT <abbr" in board.text
    assert f"{event}/pairs/1" in board.text
    assert client.get(f"{event}/boards/9").status_code == 404
    worth = client.get(f"{event}/boards/1/double-dummy").text
    assert "Par" in worth
    assert "+430" in worth


def test_a_pair_and_a_player_have_pages(client: httpx.Client, event: str) -> None:
    pair = client.get(f"{event}/pairs/11").text
    assert "place 1 of 18" in pair
    assert f"{event}/boards/13" in pair
    player = client.get("/people?name=Magnus+Young").text
    assert "Iain Galt" in player
    assert "61.82" in player
    assert client.get("/people?name=Nobody").status_code == 404
    assert client.get(f"{event}/pairs/99").status_code == 404


def test_cards_and_the_matrix_are_in_order_of_the_pairs(client: httpx.Client, event: str) -> None:
    numbers = [str(number) for number in range(1, 19)]
    assert re.findall(r"/pairs/(\d+)", client.get(f"{event}/matrix").text) == numbers
    cards = re.findall(r"<caption>(\d+): ", client.get(f"{event}/scorecards").text)
    assert cards == numbers


def test_a_server_scores_by_the_conventions_of_its_club(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"1,{n},{n + 10},1NT,N,{made}" for n, made in enumerate(("+3", "+2", "+1", "="), 1)]
    rows += [f"2,{n},{n + 10},1NT,N,=" for n in range(1, 6)]
    short = "\n".join(["board,ns,ew,contract,declarer,tricks", *rows]) + "\n"
    kept = client.post("/api/v1/events", files={"file": ("short.csv", short.encode())}).json()
    address = f"/api/v1/events/{kept[0]['id']}"
    monkeypatch.setenv("HONOURS_PROFILE", "ebu-simplified")
    own = client.get(address).json()
    usual = client.get(address, params={"profile": "ebu"}).json()
    assert (usual["profile"], own["profile"]) == ("ebu", "ebu-simplified")
    assert usual["rankings"] != own["rankings"]
    monkeypatch.delenv("HONOURS_PROFILE")
    habits = {"name": "Ayr", "profile": "ebu-simplified", "year_begins": "09-01"}
    assert 'value="09-01"' in client.post("/club", data=habits).text
    by_the_club = client.get(address).json()
    assert (by_the_club["profile"], by_the_club["rankings"]) == (own["profile"], own["rankings"])
    data = client.get(address, params={"profile": "ebu"}).json()
    assert data["rankings"] == usual["rankings"]
    wrong = client.post("/club", data={**habits, "profile": "mine"})
    assert (wrong.status_code, "mine" in wrong.text) == (422, True)
    assert client.post("/club", data={"name": "Ayr", "profile": ""}).status_code == 200


def test_a_card_that_nothing_can_be_compared_with_is_not_kept(client: httpx.Client) -> None:
    board = '[Event "Night"]\n[Board "1"]\n[North "A"]\n[East "B"]\n[South "C"]\n[West "D"]\n'
    board += '[Dealer "N"]\n[Vulnerable "None"]\n[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n'
    sent = client.post("/events", files={"files": ("alone.pbn", board.encode())})
    assert sent.status_code == 422
    assert "alone.pbn" not in client.get("/events").text
