"""The developers' page: what it shows for every operation works as it stands."""

import html
import re
import shlex
import subprocess
from pathlib import Path

import httpx
import pytest

from honours.demo import FILES, file
from honours.web.app import unguarded
from honours.web.settings import Settings
from tests.support import needs_tool


def _shown(client: httpx.Client) -> list[tuple[str, str, str]]:
    page = client.get("/developers").text
    calls = re.findall(
        r"<h2><code>(\S+ \S+)</code></h2>.*?<code>(.*?)</code></pre>.*?<code>(.*?)</code>",
        page,
        re.S,
    )
    return [(html.unescape(a), html.unescape(b), html.unescape(c)) for a, b, c in calls]


def test_every_operation_is_shown(client: httpx.Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    operations = sum(len(methods) for methods in described["paths"].values())
    assert len(_shown(client)) == operations > 40


def test_what_is_shown_is_python(client: httpx.Client) -> None:
    for name, _, code in _shown(client):
        compile(code, name, "eval")


@pytest.mark.parametrize(
    "name", ["GET /rulebooks", "POST /calculations", "POST /events", "GET /corpora"]
)
def test_what_is_shown_for_a_command_line_works(
    client: httpx.Client, name: str, tmp_path: Path
) -> None:
    needs_tool("curl")
    (tmp_path / "tuesday.csv").write_bytes(file(FILES[0]).read_bytes())
    [command] = [curl for shown, curl, _ in _shown(client) if shown == name]
    words = shlex.split(command.replace("\\\n", " "))
    run = subprocess.run(
        [*words, "--silent", "--fail"], cwd=tmp_path, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_who_does_something_is_asked_for_where_nobody_signs_in(tmp_path: Path) -> None:
    """As the server asks for it; with accounts it is whoever signed in."""
    alone, together = (
        unguarded(Settings(data=tmp_path, accounts=accounts)).openapi()["components"]["schemas"]
        for accounts in (False, True)
    )
    for name in ("PostingRequest", "SubmissionRequest", "Body_take_in_files"):
        assert "by" in alone[name]["required"], name
        assert "by" not in together[name].get("required", []), name
