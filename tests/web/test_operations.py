"""Every operation of the ledger by Python, command, route and form: the same is done and told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from honours.cli import cli
from honours.ledger import members, operations, schema
from honours.ledger.operations import Acting, perform
from honours.ledger.store import open_ledger
from honours.web.routes import every_route
from honours.web.settings import Settings
from tests.support import ROOT
from tests.web.server import client_of

WHO, WHY = "A. Secretary", "the contract says so"
NIGHT = str(ROOT / "examples" / "club-pairs.csv")
SBU = ("kind=pairs", "winners=1", "--as-usual", "--rulebook", "sbu-clubs-2016", "--date")
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "withdraw_draft": ("drafts withdraw", {"draft": 1, "why": WHY}),
    "reverse_record": ("reverse", {"record": 2, "why": WHY}),
    "mark_submission": ("returns mark", {"submission": 1, "status": "rejected", "remark": WHY}),
    "merge_member": ("members merge", {"member": 3, "into": 2, "why": WHY}),
    "unmerge_member": ("members unmerge", {"member": 5, "why": WHY}),
    "erase_member": ("members erase", {"member": 4, "why": WHY}),
    "close_year": ("years close", {"until": "2016-12-31", "why": WHY}),
    "reopen_year": ("years reopen", {"why": WHY}),
}
"""The command of each, and what it is asked."""
OPERATIONS = [
    name
    for name, one in vars(operations).items()
    if isfunction(one) and one.__annotations__.get("at") == "Acting" and name != "perform"
]
PEOPLE = ("member", "into")
Surface = Callable[[Path, str, dict[str, Any]], Any]


def _run(*command: str) -> Any:
    done = CliRunner().invoke(cli, ["ledger", *command])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with something of everything to do something to."""
    folder = tmp_path_factory.mktemp("operations")
    at = ("--ledger", str(folder / "ledger.db"), "--by", WHO)
    _run("init", *at[:2])
    _run("members", "import", str(ROOT / "examples" / "members.csv"), *at)
    _run("post", NIGHT, *SBU, "2017-01-14", *at)
    _run("post", NIGHT, *SBU, "2017-03-03", "--title", "Held", "--draft", *at)
    _run("post", NIGHT, *SBU, "2017-06-06", "--title", "Another", "--another", *at)
    _run("members", "merge", "#5", "#6", "--why", "one", *at)
    period = ("--since", "2017-01-01", "--until", "2017-02-28")
    _run("returns", "make", *period, "--out", str(folder / "sent.xml"), *at)
    _run("years", "close", "2015-12-31", *at)
    return folder


def by_python(folder: Path, name: str, values: dict[str, Any]) -> Any:
    opened = open_ledger(str(folder / "ledger.db"))
    with opened.reading() as connection:
        known = members.get(connection, [values[one] for one in PEOPLE if one in values])
    people = {one: known[values[one]] for one in PEOPLE if one in values}
    told = perform(getattr(operations, name), Acting(opened, WHO), **values | people)
    opened.close()
    assert told.answer
    return told.data


def by_command(folder: Path, name: str, values: dict[str, Any]) -> Any:
    words = ASKED[name][0].split()
    for key, value in values.items():
        words += [f"--{key}", value] if key in ("why", "status", "remark") else []
        words += [f"#{value}"] if key in PEOPLE else []
        words += [str(value)] if key in ("draft", "record", "submission", "until") else []
    more = ["--yes"] if name == "erase_member" else []
    where = ["--ledger", str(folder / "ledger.db"), "--by", WHO, "--json"]
    told = json.loads(_run(*words, *more, *where, "--key", "mine"))
    again = json.loads(_run(*words, *more, *where, "--key", "mine"))
    assert told == again
    del told["format"]
    return told


def by_route(folder: Path, name: str, values: dict[str, Any]) -> Any:
    method, path = _routes()[name]
    asked = {"by": WHO} if name != "mark_submission" else {}
    body = {key: value for key, value in values.items() if f"{{{key}_id}}" not in path}
    filled = "/api/v1" + path.format(**{f"{key}_id": value for key, value in values.items()})
    more = {"idempotency-key": "mine"}
    with client_of(Settings(data=folder)) as client:
        answers = [
            client.request(method, filled, json=body | asked, headers=more)
            for _ in range(1 if method == "PUT" else 2)
        ]
    assert {answer.status_code for answer in answers} <= {200, 201}, answers[0].text
    assert all(answer.json() == answers[0].json() for answer in answers)
    told = answers[0].json()
    told.pop("concerns", None)
    return told


def by_form(folder: Path, name: str, values: dict[str, Any]) -> Any:
    _, path = _routes().get(f"{name}_by_form", ("", ""))
    if not path:
        return None
    fields = {f"{key}_id": value for key, value in values.items()} | values | {"by": WHO}
    with client_of(Settings(data=folder)) as client:
        answer = client.post(path.format(**fields), data=fields)
    assert answer.status_code == 303, answer.text
    return None


@cache
def _routes() -> dict[str, tuple[str, str]]:
    return {route.name: (min(route.methods or ()), route.path) for route in every_route()}


def _state(folder: Path) -> list[tuple[Any, ...]]:
    """What the ledger holds, but for when it was written and what seals it."""

    def rows(table: Any) -> Iterator[tuple[Any, ...]]:
        columns = [one for one in table.c if one.name not in ("at", "hash", "seal", "previous")]
        yield from map(tuple, connection.execute(select(*columns).order_by(*table.primary_key)))

    opened = open_ledger(str(folder / "ledger.db"))
    tables = (schema.records, schema.postings, schema.people, schema.aliases, schema.submissions)
    with opened.reading() as connection:
        state = [row for table in tables for row in rows(table)]
        drafts = select(schema.drafts.c.id, schema.drafts.c.status, schema.drafts.c.remark)
        state += map(tuple, connection.execute(drafts))
    opened.close()
    return state


def test_every_operation_is_asked_below() -> None:
    of_acts = {"record_act"}  # no bundled rulebook has acts: tests/ledger/test_living.py
    assert {*OPERATIONS} - of_acts == {*ASKED}
    assert {name for name in OPERATIONS if name not in _routes()} == set()


@pytest.mark.parametrize("name", ASKED)
def test_an_operation_is_the_same_on_every_surface(name: str, kept: Path, tmp_path: Path) -> None:
    surfaces: tuple[Surface, ...] = (by_python, by_command, by_route, by_form)
    told, states = [], []
    for surface in surfaces:
        folder = Path(shutil.copytree(kept, tmp_path / surface.__name__))
        before = _state(folder)
        told.append(surface(folder, name, ASKED[name][1]))
        states.append(_state(folder))
        if surface is by_form and f"{name}_by_form" not in _routes():
            assert states.pop() == before
    assert told[0] == told[1] == told[2]
    assert all(state == states[0] != before for state in states)
