"""A server killed in the middle of an upload and of a posting: nothing lost, nothing doubled.

That it is in the middle is made certain from outside: a body is sent by half, folders are counted
while they appear, a lock of the database is waited for or found taken.
"""

import os
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from honours.demo import FILES, file
from honours.ledger.store import open_ledger
from honours.ledger.verify import verify
from honours.web.events.store import EventStore, Upload
from honours.web.http.problems import InTheWay
from scripts.served import Served, served, start
from tests.ledger import postgres

pytestmark = pytest.mark.slow
V1 = "/api/v1"
BOOK = {
    "rulebook": "sbu-clubs-2016",
    "as_usual": True,
    "given": {"winners": "1"},
    "by": "W",
    "another": True,
}
NIGHTS = [f"2017-01-{day:02}" for day in range(1, 31)]
SEVERAL = 40
_PATIENCE = 60


def _upload(address: str, night: str, content: bytes) -> httpx.Response:
    files, headers = {"file": (f"{night}.csv", content)}, {"idempotency-key": night}
    return httpx.post(f"{address}{V1}/events", files=files, headers=headers, timeout=_PATIENCE)


def _post(address: str, event: str, night: str) -> httpx.Response:
    asked: dict[str, Any] = {**BOOK, "date": night, "title": f"Night {night}"}
    path = f"{address}{V1}/events/{event}/postings"
    headers = {"idempotency-key": night}
    return httpx.post(path, json=asked, headers=headers, timeout=_PATIENCE)


def _kill(server: Served) -> None:
    server.process.kill()
    server.process.wait(20)
    assert server.process.stdout is not None
    server.process.stdout.close()


@contextmanager
def _asking(work: Callable[[], object]) -> Iterator[threading.Thread]:
    """Somebody asks, and sees a server that is gone."""

    def ask() -> None:
        with suppress(httpx.HTTPError):
            work()

    asker = threading.Thread(target=ask)
    asker.start()
    yield asker
    asker.join(_PATIENCE)


def _until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not come to the middle"
        time.sleep(0.001)


# --- uploads --------------------------------------------------------------------------------------


def test_killed_when_half_of_an_upload_has_come(tmp_path: Path) -> None:
    content = file(FILES[0]).read_bytes()
    server = start(tmp_path)
    sent = {"file": ("a.csv", content)}
    whole = httpx.Request("POST", f"{server.address}{V1}/events", files=sent)
    body = whole.read()
    head = "".join(f"{name}: {text}\r\n" for name, text in whole.headers.items())
    with socket.create_connection((whole.url.host, whole.url.port or 80)) as half:
        half.sendall(f"POST {V1}/events HTTP/1.1\r\n{head}\r\n".encode() + body[: len(body) // 2])
        assert httpx.get(f"{server.address}{V1}/events").json()["total"] == 0
        _kill(server)
    with served(tmp_path) as again:
        assert httpx.get(f"{again.address}{V1}/events").json()["total"] == 0
        assert _upload(again.address, "a", content).status_code == 201
        assert httpx.get(f"{again.address}{V1}/events").json()["total"] == 1


def _week() -> bytes:
    """The standings of several events, long enough that keeping each takes a while."""
    rows = "".join(f"Night {n},A,1\nNight {n},B,2\n" for n in range(SEVERAL))
    return f"event,pair,place\n{rows}".encode() + b"\n" * (2 << 20)


def test_killed_while_the_events_of_an_upload_are_kept(tmp_path: Path) -> None:
    events = tmp_path / "events"

    def written() -> int:
        return len(list(events.glob(".new-*/*/about.json")))

    server = start(tmp_path)
    with _asking(lambda: _upload(server.address, "week", _week())):
        _until(lambda: 0 < written() < SEVERAL)
        _kill(server)
    assert 0 < written() < SEVERAL
    with served(tmp_path) as again:
        assert httpx.get(f"{again.address}{V1}/events").json()["total"] == 0
        assert list(events.iterdir()) == []
        first = _upload(again.address, "week", _week())
        assert [one["title"] for one in first.json()] == [f"Night {n}" for n in range(SEVERAL)]
        assert _upload(again.address, "week", _week()).json() == first.json()
    assert len(list(events.iterdir())) == SEVERAL  # and nothing half done beside them


def test_what_was_written_whole_is_moved_into_place_at_the_next_start(tmp_path: Path) -> None:
    store = EventStore(tmp_path)
    kept = store.add(Upload("week.csv", b"event,pair,place\n"), ["Monday", "Tuesday"])
    whole = tmp_path / "events" / ".whole-0123456789ab"
    whole.mkdir()
    store.file(kept[1].id).parent.rename(whole / kept[1].id)
    assert [one.title for one in EventStore(tmp_path).all()] == ["Monday"]
    again = EventStore(tmp_path)
    again.tidy()
    assert sorted(one.title for one in again.all()) == ["Monday", "Tuesday"]
    assert not whole.exists()


def test_a_key_of_another_file_keeps_nothing_of_this_one(tmp_path: Path) -> None:
    store = EventStore(tmp_path)
    store.add(Upload("a.csv", b"one", key="k"), ["Monday"])
    with pytest.raises(InTheWay):
        store.add(Upload("b.csv", b"other", key="k"), ["Tuesday", "Wednesday"])
    assert [one.title for one in store.all()] == ["Monday"]


def test_a_full_disk_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("honours.files.flush", full)
    with pytest.raises(OSError, match="No space"):
        EventStore(tmp_path).add(Upload("a.csv", b"one"), ["Monday"])
    assert list((tmp_path / "events").iterdir()) == []


# --- postings -------------------------------------------------------------------------------------


def _event(folder: Path, *options: str) -> str:
    with served(folder, *options) as server:
        kept = _upload(server.address, "all", file(FILES[0]).read_bytes()).json()
        event: str = kept[0]["id"]
        assert _post(server.address, event, NIGHTS[0]).status_code == 201
    return event


def _nothing_lost_or_doubled(
    folder: Path, where: str, event: str, nights: list[str], *options: str
) -> None:
    with served(folder, *options) as server:
        first, again = ([_post(server.address, event, n) for n in nights] for _ in range(2))
        assert all(one.status_code == 201 for one in first)
        assert [one.json() for one in first] == [one.json() for one in again]
        records = httpx.get(f"{server.address}{V1}/ledger/records").json()
    assert sorted(one["date"] for one in records["items"]) == nights
    with closing(open_ledger(where)) as ledger:
        assert verify(ledger).sound


def _is_locked(ledger: Path) -> bool:
    """Whether somebody is in the middle of writing."""
    with closing(sqlite3.connect(ledger, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        connection.execute("ROLLBACK")
        return False


def _stopped_in_the_middle(server: Served, ledger: Path, asker: threading.Thread) -> bool:
    """Stop the server while it writes; whether the lock is still taken when it stands still."""
    while asker.is_alive():
        if _is_locked(ledger):
            os.kill(server.process.pid, signal.SIGSTOP)
            if _is_locked(ledger):
                return True
            os.kill(server.process.pid, signal.SIGCONT)
    return False


def test_killed_in_the_middle_of_a_posting_in_sqlite(tmp_path: Path) -> None:
    event, ledger = _event(tmp_path), tmp_path / "ledger.db"
    server = start(tmp_path)
    asked = 1
    for night in NIGHTS[1:]:
        asked += 1
        with _asking(partial(_post, server.address, event, night)) as asker:
            caught = _stopped_in_the_middle(server, ledger, asker)
            if caught:
                _kill(server)
                break
    assert caught, "no posting was caught in the middle"
    _nothing_lost_or_doubled(tmp_path, str(ledger), event, NIGHTS[:asked])


@pytest.mark.long
def test_killed_in_the_middle_of_a_posting_in_postgresql(
    tmp_path: Path, postgres_socket: str
) -> None:
    where = postgres.another_database(postgres_socket)
    options = ("--database", where)
    event = _event(tmp_path, *options)
    server = start(tmp_path, *options)
    with psycopg.connect(where) as holder:
        # The answer is written last: whoever waits for this lock has written all the rest.
        holder.execute("LOCK TABLE requests IN SHARE MODE")
        with _asking(lambda: _post(server.address, event, NIGHTS[1])):
            with psycopg.connect(where, autocommit=True) as looker:
                _until(lambda: _waits_with_postings(looker))
            _kill(server)
        holder.rollback()
    _nothing_lost_or_doubled(tmp_path, where, event, NIGHTS[:2], *options)


def _waits_with_postings(looker: psycopg.Connection[Any]) -> bool:
    """Whether somebody who has written postings waits to write a request's answer."""
    row = looker.execute(
        "SELECT count(*) FROM pg_locks AS waits JOIN pg_locks AS has ON has.pid = waits.pid"
        " WHERE NOT waits.granted AND waits.relation = 'requests'::regclass"
        " AND has.granted AND has.relation = 'postings'::regclass"
        " AND has.mode = 'RowExclusiveLock'"
    ).fetchone()
    return row is not None and row[0] > 0
