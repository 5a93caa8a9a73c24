"""Commands and the server on a Windows Python, under wine: the figures are those of this system.

Run by `./check windows`. numpy crashes in Debian's wine itself, so that the lab, Parquet and the
second way of `rulebook check` are not tried there; on Windows they have wheels of their own.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.web.test_evening import V1, Phone, set_up
from tests.windows.wine import Windows

pytestmark = pytest.mark.windows

BOOK = ("--rulebook", "sbu-clubs-2016")
NIGHT = "try/tuesday.csv"
COMMANDS = (
    "--version",
    "demo",
    "demo --write try",
    f"show {NIGHT}",
    "show try/go-open.txt",
    "show try/league.csv",
    f"score {NIGHT}",
    f"score {NIGHT} --json",
    "score try/league.csv",
    f"award {NIGHT} --rulebook sbu-clubs-2016",
    f"award {NIGHT} --rulebook sbu-clubs-2016 --as-usual --explain 11",
    f"award {NIGHT} --rulebook sbu-clubs-2016 --as-usual --csv",
    f"award {NIGHT} --rulebook sbu-clubs-2016 --as-usual --json",
    f"--language fr award {NIGHT} --rulebook sbu-clubs-2016",
    "award try/published.csv --check",
    "calc sbu-clubs-2016 kind=pairs winners=1 pairs=18 --explain",
    "calc acbl-sof-2020 kind=pairs entrants=71 sessions=2 strength_factor=31.7 --ties 3-4",
    "calc aga-category mean_rating=7.93 players=20 --explain",
    "calc egf-2021 --help",
    "calc sbu-clubs-2016 kind=nonsense",
    "rulebooks",
    "rulebook show sbu-clubs-2016",
    "rulebook show acbl-sof-2020 --json",
    "rulebooks --rulebooks try/rulebooks",
    "movement --pairs 14 --boards 24",
    "movement --pairs 18 --boards 24 --kind howell",
    "conform aga",
    f"convert {NIGHT} night.xml --rulebook sbu-clubs-2016 --as-usual",
    f"convert {NIGHT} night.json",
    f"site {NIGHT} pages --rulebook sbu-clubs-2016 --as-usual",
    f"site {NIGHT} pages --rulebook sbu-clubs-2016 --as-usual",
    f"rule {NIGHT} --help",
    f"submit {NIGHT} --help",
    "ledger init",
    "ledger init",
    f"ledger post {NIGHT} --rulebook sbu-clubs-2016 --date 2017-01-10 --as-usual",
    "ledger members list",
    "ledger audit verify",
    "season --help",
    "accounts --help",
    "completion bash",
    "show nothing-there.csv",
)
FILES = ("night.xml", "night.json", "pages/index.html")


@pytest.fixture(scope="module")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Windows:
    made = Windows(tmp_path_factory.mktemp("windows"))
    made.make()
    return made


def same(text: str) -> list[str]:
    """The lines without what differs between systems: how a path is written."""
    return [line.rstrip() for line in text.replace("\\", "/").splitlines()]


def test_commands_print_what_they_print_here(windows: Windows, tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    for folder in (there, here):
        folder.mkdir()
    differing = []
    for line in COMMANDS:
        words = line.split()
        under_wine = windows.run(*words, within=there)
        ours = subprocess.run(
            [sys.executable, "-m", "honours", *words],
            cwd=here,
            capture_output=True,
            text=True,
            check=False,
        )
        here_said, there_said = (
            [*same(run.stdout), f"exit code {run.returncode}"] for run in (ours, under_wine)
        )
        if here_said != there_said and "verify" not in line:
            difference = unified_diff(here_said, there_said, lineterm="", n=0)
            differing.append("\n".join((line, *difference, under_wine.stderr[-400:])))
    assert not differing, "\n\n".join(differing)
    for name in FILES:
        assert (there / name).read_bytes() == (here / name).read_bytes(), name
    assert windows.run("pdf", NIGHT, within=there).returncode == 0
    assert next(there.glob("*.pdf")).read_bytes()[:5] == b"%PDF-"


@pytest.fixture
def served(windows: Windows, tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    words = ("serve", "--no-browser", "--port", str(port), "--data", "data")
    server = windows.start(*words, within=tmp_path)
    try:
        for _ in range(240):
            try:
                httpx.get(address, timeout=10)
                break
            except httpx.HTTPError:
                assert server.poll() is None
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.communicate(timeout=60)


def test_an_evening_by_its_server(served: str, browser: Browser) -> None:
    with httpx.Client(base_url=served, timeout=120, headers={"origin": served}) as client:
        evening = set_up(client)
        phones = [Phone(client, evening, table) for table in range(1, 5)]
        rounds = len(phones[0].state()["rounds"])
        for number in range(1, rounds + 1):
            begun = client.post(f"{V1}/evenings/{evening}/rounds", json={"round": number})
            assert begun.status_code < 300 or number == 1, begun.text
            for phone in phones:
                for board in phone.boards(number):
                    sent = phone.sends("result", board, text="1nt n =", round=number)
                    assert sent.status_code == 200, sent.text
                    phone.sends("confirm", board, side="EW", seen=1, round=number)
        assert len(client.get(f"{V1}/evenings/{evening}/lines").json()) == 4 * 14
    context = browser.new_context()
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(f"{served}/evenings/{evening}")
    expect(page.locator("main table").first).to_be_visible()
    page.goto(served)
    page.locator("#files").set_input_files(
        str(Path(__file__).parents[2] / "src/honours/demo/examples/tuesday.csv")
    )
    page.wait_for_url("**/events/*")
    page.goto(f"{page.url}/awards?rulebook=sbu-clubs-2016&entrant=11")
    expect(page.locator("main")).to_contain_text("36")
    context.close()
