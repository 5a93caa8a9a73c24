"""What docs/evidence/security.md says is defended, tried."""

import re
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from honours.errors import FileProblem
from honours.pipeline import ranked, read_account
from honours.processes import Limits, Processes
from honours.web.events.reading import look_into, members_of
from honours.web.http.protection import POLICY
from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import kept_anew, serving


def test_every_answer_carries_the_policy(client: httpx.Client, event: str) -> None:
    for path in ("/", event, "/nothing", "/static/honours.css", "/api/v1/rulebooks", "/api/v1/x"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
    assert "unsafe" not in POLICY


def test_no_page_has_a_script_or_style_of_its_own() -> None:
    folder = Path(__file__).parents[2] / "src" / "honours" / "web"
    for path in folder.rglob("templates/*.html"):
        text = path.read_text(encoding="utf-8")
        assert " style=" not in text, path.name
        assert " onclick=" not in text, path.name
        for part in text.split("<script")[1:]:
            assert "src=" in part.split(">")[0] or "application/json" in part.split(">")[0]


def test_another_name_for_this_host_is_refused(client: httpx.Client) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"host": "localhost:8737"}).status_code == 200


@cases
def test_another_site_posts_nothing(
    client: httpx.Client, headers: dict[str, str], code: int
) -> None:
    assert client.post("/events/example", headers=headers).status_code == code


def test_a_file_name_is_shown_and_never_a_path(client: httpx.Client, tmp_path: Path) -> None:
    name = f"../../../../{tmp_path}/<script>alert(1)</script>.txt"
    text = b"board 1\n1 2 4S N =\n"
    page = client.get(kept_anew(client, name, text)).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["/events/..%2f..%2fetc", "/events/%00", "/static/../app.py"])
def test_no_address_leads_out_of_the_folders(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_body_is_bounded(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path, body_limit=10_000)) as address:
        large = {"files": ("a.txt", b"x" * 20_000)}
        assert httpx.post(f"{address}/events", files=large).status_code == 413
        chunks = (b"x" * 1000 for _ in range(20))
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = httpx.post(f"{address}/events/typed", content=chunks, headers=headers)
        assert answer.status_code == 413


def test_a_slow_body_is_cut_off_and_holds_up_nobody(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path, body_seconds=1.5)) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=300) as slow:
            slow.sendall(
                b"POST /events/typed HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n"
                b"content-type: application/x-www-form-urlencoded\r\n\r\n"
            )
            slow.sendall(b"t")
            assert httpx.get(address).status_code == 200
            answer = slow.recv(100)
            assert b" 408 " in answer.split(b"\r\n")[0]


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with closing(Processes()) as pool:
        yield pool


def test_reading_is_bounded_in_time_and_memory(tmp_path: Path, processes: Processes) -> None:
    """In time of computing, which does not depend on how busy the machine is."""
    rows = "".join(f"{n % 30 + 1},{n},{n + 1},4S,N,=\n" for n in range(200_000))
    path = tmp_path / "long.csv"
    path.write_text("board,ns,ew,contract,declarer,tricks\n" + rows, encoding="utf-8")
    work = partial(look_into, str(path), "long.csv")
    message = r"long\.csv: could not be read and scored within 0\.1 seconds of computing"
    with pytest.raises(FileProblem, match=message):
        processes.do("long.csv", work, Limits(seconds=0.1))
    with pytest.raises(FileProblem, match="took too much memory"):
        processes.do("long.csv", work, Limits(megabytes=60))


def test_a_list_of_members_is_bounded_in_time(tmp_path: Path, processes: Processes) -> None:
    path = tmp_path / "long.csv"
    rows = "".join(f"{n},Member {n}\n" for n in range(200_000))
    path.write_text(f"number,name\n{rows}", encoding="utf-8")
    work = partial(members_of, str(path), "long.csv", ())
    with pytest.raises(FileProblem, match=r"long\.csv: could not be read .* within 0\.1"):
        processes.do("long.csv", work, Limits(seconds=0.1))


def test_what_takes_too_long_to_score_is_stopped(tmp_path: Path, processes: Processes) -> None:
    """A kept event is scored again whenever a ruling is made, and never by the server itself."""
    pairs = range(1, 1500)
    rows = "".join(f"{board},{n},{n + 2000},{10 * n}\n" for board in range(1, 9) for n in pairs)
    path = tmp_path / "large.csv"
    path.write_text(f"board,ns,ew,score\n{rows}", encoding="utf-8")
    account = read_account(path)
    with pytest.raises(FileProblem, match="could not be read and scored within"):
        processes.do("large.csv", partial(ranked, account), Limits(seconds=0.1))


def test_no_entity_of_an_xml_file_is_followed(client: httpx.Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("do not tell", encoding="utf-8")
    text = f'<!DOCTYPE USEBIO [<!ENTITY s SYSTEM "file://{secret}">]><USEBIO>&s;</USEBIO>'
    answer = client.post("/events", files={"files": ("x.xml", text.encode())})
    assert answer.status_code == 422
    assert "do not tell" not in answer.text


def test_an_amended_number_cannot_run_away(client: httpx.Client) -> None:
    query = "kind=pairs&entrants=71&sessions=2&strength_factor=31.7"
    page = client.get(f"/calculators/acbl-sof-2020?{query}&set.first_exponent=99999999")
    assert "an amended number is here at most" in page.text
    many = client.get("/calculators/sbu-clubs-2016?kind=pairs&winners=1&pairs=19999")
    assert "a page works out at most 1000 of them" in many.text


def test_a_failure_tells_a_reference_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from honours.web.events.service import EventService

    def broken(*_: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(EventService, "rulebooks", broken)
    with serving(Settings(data=tmp_path)) as address:
        answer = httpx.get(f"{address}/calculators")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "in the log it is" in answer.text


def test_only_this_machine_is_listened_to() -> None:
    assert Settings().local
    assert not replace(Settings(), host="0.0.0.0").local


def test_every_defence_has_the_test_it_names() -> None:
    root = Path(__file__).parents[2]
    text = (root / "docs/evidence/security.md").read_text(encoding="utf-8")
    named = 0
    for row in (line for line in text.splitlines() if line.startswith("| ")):
        for part in row.strip("| ").rpartition(" | ")[2].split(";"):
            files = re.findall(r"`(tests/[\w/]+\.py)`", part)
            for test in re.findall(r"`(test_\w+)`", part):
                named += 1
                assert f"def {test}(" in (root / files[0]).read_text(encoding="utf-8"), test
    assert named > 30
