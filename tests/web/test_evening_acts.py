"""An act of an evening is recorded in the same name, whether a page or a program did it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.server import client_of
from tests.web.test_evening import V1, play, set_up

RULING = {"kind": "penalty", "pair": "1", "amount": "10", "unit": "percent", "why": "late"}
NAMES = [{"name": "Ann", "number": ""}, {"name": "Bob", "number": ""}]
BY_PAGE: list[tuple[str, dict[str, str]]] = [
    ("/codes", {}),
    ("/names", {"p.1.0": "Ann", "p.1.1": "Bob"}),
    ("/round", {"round": "1"}),
    ("/rulings", {**RULING, "by": "R. Uler"}),
    ("/rulings/undo", {}),
    ("/end", {}),
    ("/reopen", {}),
]
BY_PROGRAM: list[tuple[str, dict[str, Any]]] = [
    ("/codes", {}),
    ("/names", {"names": {"1": NAMES}}),
    ("/rounds", {"round": 1}),
    ("/rulings", {**RULING, "by": "R. Uler"}),
    ("/rulings/undo", {}),
    ("/end", {}),
    ("/reopen", {}),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("acts")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[httpx.Client]:
    with client_of(Settings(data=data)) as client:
        yield client


def acts(data: Path, evening: str) -> list[tuple[str, str]]:
    text = (data / "evenings" / evening / "journal.jsonl").read_text(encoding="utf-8")
    kept = [json.loads(line) for line in text.splitlines()]
    return [(act["kind"], act.get("by", "")) for act in kept if act["kind"] != "set-up"]


@pytest.mark.parametrize(
    ("director", "recorded"), [("D. Irector", "D. Irector"), ("", "the director")]
)
def test_without_accounts_it_is_the_director_who_acts(
    client: httpx.Client, data: Path, director: str, recorded: str
) -> None:
    by_page, by_program = (set_up(client, director=director) for _ in range(2))
    for evening in (by_page, by_program):
        play(client, evening)
    for path, form in BY_PAGE:
        answer = client.post(f"/evenings/{by_page}{path}", data=form)
        assert answer.status_code in (200, 303), (path, answer.text)
    for path, body in BY_PROGRAM:
        answer = client.post(f"{V1}/evenings/{by_program}{path}", json=body)
        assert answer.is_success, (path, answer.text)
    assert acts(data, by_page) == acts(data, by_program)
    who = dict(acts(data, by_page))
    assert who["ruling"] == "R. Uler"
    assert {who[kind] for kind in ("codes", "names", "round", "undo", "end")} == {recorded}
