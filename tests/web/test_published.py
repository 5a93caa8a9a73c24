"""What a club publishes: an address for everybody, corrections at once, nobody who opted out."""

import email
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from email.policy import default
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest
from pypdf import PdfReader

from honours.reports.drawing import Dress
from honours.web.events.store import EventStore, Upload
from honours.web.settings import Settings
from tests.web.federation import signed, tokens_at
from tests.web.server import client_of, serving
from tests.web.test_evening import Phone, set_up

HIDDEN = "Magnus Young"
MEMBERS = f"number,name,opted_out\n102,{HIDDEN},yes\n103,Olive Haig,no\n".encode()
PAIR = (HIDDEN, "Iain Galt")
PENALTY = {"kind": "penalty", "pair": "11", "amount": "60", "unit": "percent", "by": "A. Director"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """A server of its own: what a club chooses holds for all its events."""
    with client_of(Settings(data=tmp_path)) as client:
        yield client


def _published(client: httpx.Client, event: str, query: str = "") -> str:
    assert client.post(f"{event}/publish{query}").status_code == 303
    match = re.search(r"/p/[\w-]+", client.get(f"{event}/published").text)
    assert match
    return match[0]


def test_results_are_public_and_follow_corrections(client: httpx.Client, event: str) -> None:
    address = _published(client, event)
    page = client.get(address, follow_redirects=True)
    assert "Magnus Young &amp; Iain Galt" in page.text
    assert "perhaps fouled" not in page.text
    assert "<style" not in page.text  # which the policy would not let in
    client.post(f"{event}/rulings", data=PENALTY)
    assert "61.82" not in client.get(f"{address}/index.html").text
    assert client.get(f"{event}/qr.svg").text.startswith("<svg")
    assert client.get(f"{address}/nothing.html").status_code == 404
    client.post(f"{event}/unpublish")
    assert client.get(f"{address}/index.html").status_code == 404
    assert _published(client, event) != address


def test_a_club_dresses_what_it_publishes(client: httpx.Client, event: str) -> None:
    form = {"name": "Harbour <Club>", "colour": "#7a1f2b"}
    assert client.post("/club", data=form).status_code == 200
    address = _published(client, event)
    assert "Harbour &lt;Club&gt;" in client.get(f"{address}/index.html").text
    assert "--bar: #7a1f2b" in client.get(f"{address}/club.css").text
    wrong = client.post("/club", data={"name": "X", "colour": "red;}"})
    assert wrong.status_code == 422
    assert Dress("", "red;}").sheet == ""
    assert "--bar-ink: #1e2420" in Dress("", "#ffe680").sheet


def test_who_opted_out_is_nowhere_in_what_is_published(client: httpx.Client, event: str) -> None:
    client.post("/ledger")
    members = {"list": ("members.csv", MEMBERS)}
    client.post("/ledger/members", files=members, data={"by": "A. Secretary"})
    notes = {"kind": "final", "by": "A. Director"}
    client.post(f"{event}/final", data=notes)
    address = _published(client, event, "?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1")
    looked = _everything(client, event, address)
    assert len(looked) > 60
    for what, text in looked.items():
        assert HIDDEN not in text, what
        assert "Young" not in text, what
        assert "102" not in re.findall(r"\b\d{3}\b", text) or "scorecard" in what, what
    assert "Anonymous &amp; Iain Galt" in looked["index.html"]
    assert "final" in looked["index.html"].lower()


def _everything(client: httpx.Client, event: str, address: str) -> dict[str, str]:
    """Every page, file and letter that others get."""
    first = client.get(f"{address}/index.html").text
    looked, waiting = {"index.html": first}, ["index.html"]
    while waiting:
        for name in re.findall(r'href="([\w-]+\.html)', looked[waiting.pop()]):
            if name not in looked:
                looked[name] = client.get(f"{address}/{name}").text
                waiting.append(name)
    for name in ("site.zip", "awards-site.zip"):
        content = client.get(
            f"{event}/download/{name}?rulebook=sbu-clubs-2016&as_usual=yes"
        ).content
        with zipfile.ZipFile(io.BytesIO(content)) as site:
            looked |= {f"{name}/{one}": site.read(one).decode() for one in site.namelist()}
    for name in ("results.pdf", "scorecards.pdf", "awards.pdf"):
        made = client.get(
            f"{event}/download/{name}?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1"
        )
        looked[name] = _text(made.content)
    letter = email.message_from_bytes(client.get(f"{event}/results.eml").content, policy=default)
    body = letter.get_body()
    assert body is not None
    looked["letter"] = f"{letter['subject']} {body.get_content()}"
    [sheet] = letter.iter_attachments()
    looked["letter.pdf"] = _text(sheet.get_content())
    looked["qr"] = client.get(f"{event}/qr.svg").text
    return looked


def _text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def _with_members(client: httpx.Client, content: bytes = MEMBERS) -> None:
    client.post("/ledger")
    client.post("/ledger/members", files={"list": ("m.csv", content)}, data={"by": "A. Secretary"})


@pytest.mark.parametrize("shown", ["always", "never"], ids=["standings", "seating"])
def test_who_opted_out_is_on_no_screen(client: httpx.Client, shown: str) -> None:
    _with_members(client)
    evening = set_up(client, standings=shown)
    named = {f"p.{pair}.{n}": name for pair in range(1, 9) for n, name in enumerate(PAIR)}
    assert client.post(f"/evenings/{evening}/names", data=named).is_redirect
    for phone in (Phone(client, evening, table) for table in (1, 2, 3, 4)):
        for number in (1, 2):
            sent = phone.sends("result", phone.boards(number)[0], round=number, text="4s n +1")
            assert sent.status_code < 300
    code = client.get(f"/api/v1/evenings/{evening}/codes").json()["screen"]
    for page in (f"/screen/{code}", f"/screen/{code}/live"):
        screen = client.get(page).text
        assert "Anonymous &amp; Iain Galt" in screen
        assert "Young" not in screen
    assert HIDDEN in client.get(f"/evenings/{evening}").text  # which the director sees


def test_who_only_reads_takes_no_names_away_of_those_who_opted_out(tmp_path: Path) -> None:
    settings = Settings(tmp_path, accounts=True)
    tokens = tokens_at(settings)
    with serving(settings) as address:
        with signed(address, tokens["all"]) as head:
            _with_members(head)
            event = head.post("/events/example").headers["location"]
            assert HIDDEN in head.get(f"{event}/download/standings.csv").text
            assert HIDDEN in head.get(f"{event}/download/results.xml").text
        with signed(address, tokens["eva"]) as viewer:
            for name in ("standings.csv", "event.json", "results.xml", "awards.csv", "awards.json"):
                answer = viewer.get(
                    f"{event}/download/{name}?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1"
                )
                assert answer.status_code == 200, name
                assert "Iain Galt" in answer.text, name
                assert "Young" not in answer.text, name
            assert viewer.get(f"{event}/download/original").status_code == 403


def test_strangers_read_what_is_published_and_nothing_else(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path)) as address, httpx.Client(base_url=address) as client:
        event = client.post("/events/example").headers["location"]
        public = _published(client, event)
    settings = Settings(data=tmp_path, accounts=True)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.get(f"{public}/index.html").status_code == 200
        assert client.get(event).status_code in (303, 401)
        assert client.post(f"{event}/unpublish").status_code in (303, 401, 403)
        assert client.get(f"{public}/index.html").status_code == 200


@pytest.mark.parametrize("language", ["en", "fr"])
def test_certificates_are_real_ones(client: httpx.Client, event: str, language: str) -> None:
    query = f"?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1&lang={language}"
    made = client.get(f"{event}/download/certificates.pdf{query}").content
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(made)).pages]
    assert len(pages) == 12  # two players of six pairs
    assert "Magnus Young" in pages[0]
    assert "36 points" in pages[0]
    assert ("Certificat\n" in pages[0]) == (language == "fr")


def test_what_is_published_is_found_without_looking_at_every_event(tmp_path: Path) -> None:
    store = EventStore(tmp_path)
    made = [store.add(Upload("a.csv", f"event {n}".encode()), ["A"])[0] for n in range(3)]
    published = store.keep(replace(made[1], address="here"))
    assert EventStore(tmp_path).at_address("here") == published  # as a server that starts anew
    assert store.at_address("here") == published
    for other in ("", "elsewhere"):
        assert store.at_address(other) is None
    store.keep(replace(made[2], address="there"))
    with patch.object(EventStore, "all", side_effect=AssertionError):
        assert store.at_address("there") is not None
        store.keep(replace(published, address=""))
        assert store.at_address("here") is None
        store.remove(made[2].id)
        assert store.at_address("there") is None
