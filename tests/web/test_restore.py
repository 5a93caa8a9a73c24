"""A copy of the ledger brought back in the browser: seen before it is done, with a reason, and
the ledger of before kept."""

import gzip
import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from honours.errors import InputError
from honours.processes import Processes
from honours.web.http.problems import InTheWay
from honours.web.jobs.service import Jobs
from honours.web.ledger import service
from honours.web.ledger.restoring import LedgerCopies
from honours.web.settings import Settings
from tests.web.server import client_of

WHY = {"by": "A. Secretary", "why": "the disk failed"}


def _brought_in(client: httpx.Client, content: bytes) -> tuple[str, str]:
    """Where a copy is looked at, and what is said of it once it was read."""
    sent = client.post("/ledger/restore", files={"backup": ("ledger.backup.gz", content)})
    path = sent.headers["location"]
    for _ in range(600):
        page = client.get(path).text
        if "Reading and verifying" not in page:
            return path, page
        time.sleep(0.1)
    raise AssertionError("the copy was never read")


def _adds(client: httpx.Client, name: str) -> None:
    added = client.post("/ledger/people/new", data={"name": name, "by": "A", "why": "joined"})
    assert added.is_redirect


def test_a_copy_is_brought_back(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        assert "/ledger/restore" in client.get("/ledger").text  # also where there is none yet
        event = client.post("/demo").headers["location"]
        copy = client.get("/ledger/backup").content
        _adds(client, "Later Comer")
        held = {"by": "A. Secretary", "day": "2020-03-03", "new": "yes"}
        client.post(f"{event}/draft?rulebook=sbu-clubs-2016&as_usual=yes", data=held)
        client.post("/ledger/drafts/1/release", data=held)
        path, page = _brought_in(client, copy)
        assert "is as it was written" in page
        assert re.search(r"Posted since.*Tuesday pairs", page, re.DOTALL)
        assert "Later Comer" in client.get("/ledger/members?find=later").text  # nothing is done yet
        assert client.post(path, data={"by": "A. Secretary", "why": " "}).status_code == 422
        assert client.post(path, data=WHY).is_redirect
        assert "Later Comer" not in client.get("/ledger/members?find=later").text
        assert "Tuesday pairs" not in client.get("/ledger/lists?list=promotions").text
        restored = client.get("/ledger/restore").text
        assert "the disk failed" in restored
        [aside] = tmp_path.glob("ledger.before-*.db")
        assert aside.name in restored
        _adds(client, "After Comer")  # it goes on from there
        assert client.post(path, data=WHY).status_code == 404


def test_what_is_no_copy_changes_nothing(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        client.post("/demo")
        copy = client.get("/ledger/backup").content
        wrong = gzip.compress(gzip.decompress(copy).replace(b"Alma Reed", b"Alma Read"))
        for content in (b"no copy", copy[: len(copy) // 2], wrong):
            path, page = _brought_in(client, content)
            assert 'role="alert"' in page
            assert client.post(path, data=WHY).status_code == 422
        assert "Alma Reed" in client.get("/ledger/members").text
        assert not list(tmp_path.glob("ledger.before-*"))


def test_a_ledger_is_there_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at any step on the way, the ledger of before or the copy is in its place."""
    content = {"own": b"before", "copy": b"after"}
    steps: list[str] = []

    def stops_at(step: int) -> None:
        def counted(name: str, done: Callable[..., Any]) -> Callable[..., Any]:
            def either(*given: Any) -> Any:
                steps.append(name)
                if len(steps) == step:
                    raise KeyboardInterrupt
                return done(*given)

            return either

        monkeypatch.setattr(os, "link", counted("link", os.link))
        monkeypatch.setattr(shutil, "move", counted("move", shutil.move))
        monkeypatch.setattr(Path, "replace", counted("replace", os.replace))

    for step in range(1, 5):
        folder = tmp_path / str(step)
        folder.mkdir()
        copy, own = folder / "copy.db", folder / "ledger.db"
        copy.write_bytes(content["copy"])
        own.write_bytes(content["own"])
        steps.clear()
        with monkeypatch.context() as monkeypatch:
            stops_at(step)
            with suppress(KeyboardInterrupt):
                service.LedgerService(Settings(data=folder)).replace_with(copy, "then")
        held = [path.read_bytes() for path in sorted(folder.glob("*.db*"))]
        assert own.read_bytes() in content.values()
        assert content["own"] in held
    assert steps == ["move", "link", "replace"]
    assert own.read_bytes() == content["copy"]


def test_of_two_clicks_the_second_does_nothing(tmp_path: Path) -> None:
    own, aside = tmp_path / "ledger.db", tmp_path / "ledger.before-then.db"
    own.write_bytes(b"before")
    for name in ("first.db", "second.db"):
        (tmp_path / name).write_bytes(name.encode())
    ledgers = service.LedgerService(Settings(data=tmp_path))
    assert ledgers.replace_with(tmp_path / "first.db", "then") == aside.name
    for again, stamp in (("second.db", "then"), ("first.db", "later")):
        with pytest.raises(InTheWay):
            ledgers.replace_with(tmp_path / again, stamp)
    assert (own.read_bytes(), aside.read_bytes()) == (b"first.db", b"before")


def test_a_copy_that_was_altered_is_not_put_in_place(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    jobs = Jobs(Processes())
    copies = LedgerCopies(service.LedgerService(settings), jobs)
    copies._reading["0" * 16] = ("old.backup", jobs.ended("restoring", {"verdict": "altered"}))
    with pytest.raises(InputError, match="not found sound"):
        copies.put_in_place("0" * 16, "Eve", "why not")
