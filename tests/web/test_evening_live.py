"""The stream of an evening, what a killed server finds when it is back, and how it stops."""

import asyncio
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx

from honours.evening.plan import EveningPlan, with_movement
from honours.evening.store import Evenings
from honours.movements.generators import howell
from honours.web.evening.stream import Hub
from scripts.served import Served, start
from tests.web.test_evening import Phone, play, set_up

V1 = "/api/v1"


def test_who_listens_hears_of_every_change(tmp_path: Path) -> None:
    server = start(tmp_path)
    heard: list[str] = []
    try:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            evening = set_up(client)
            phone = Phone(client, evening, 1)
            code = client.get(f"{V1}/evenings/{evening}/codes").json()["screen"]
            listening = threading.Thread(
                target=_listen, args=(f"{server.address}/screen/{code}/stream", heard)
            )
            listening.start()
            _until(lambda: len(heard) == 1)
            board = phone.boards()[0]
            phone.sends("result", board, text="3NT S =")
            _until(lambda: heard[-1] == "data: 2")
            phone.sends("confirm", board, side="EW", seen=1)
            _until(lambda: heard[-1] == "data: 3")
    finally:
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(30)
        assert server.process.stdout is not None
        server.process.stdout.close()
    listening.join(30)
    assert not listening.is_alive()


def _listen(address: str, heard: list[str]) -> None:
    try:
        with httpx.stream("GET", address, timeout=60) as answer:
            heard += (line for line in answer.iter_lines() if line.startswith("data:"))
    except httpx.HTTPError:
        return


def _until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_hub_lets_everybody_go() -> None:
    async def listened() -> list[str]:
        hub = Hub()
        parts = [part async for part in _closing(hub)]
        assert hub.listening("e") == 0
        return parts

    async def _closing(hub: Hub) -> AsyncIterator[str]:
        async for part in hub.changes("e", lambda: 7):
            yield part
            if part.startswith("id:"):
                hub.close()

    with_loop: list[list[str]] = []
    thread = threading.Thread(target=lambda: with_loop.append(asyncio.run(listened())))
    thread.start()
    thread.join(30)
    assert with_loop == [["retry: 2000\n\n", "id: 7\ndata: 7\n\n"]]


def test_an_evening_that_ended_is_an_event_when_the_server_is_back(tmp_path: Path) -> None:
    """Killed after the end was on the disk and before the event was."""
    server = start(tmp_path)
    with httpx.Client(base_url=server.address, timeout=60) as client:
        evening = set_up(client)
        play(client, evening)
    _kill(server)
    kept = Evenings(tmp_path).get(evening)
    assert kept is not None
    kept.do("end", "Dora")
    again = start(tmp_path)
    with httpx.Client(base_url=again.address, timeout=60) as client:
        assert client.get(f"{V1}/events/{evening}").status_code == 200
    _kill(again)
    # And one whose event was half written is written again.
    (tmp_path / "events" / evening / "results").write_bytes(b"{")
    third = start(tmp_path)
    with httpx.Client(base_url=third.address, timeout=60) as client:
        assert client.get(f"{V1}/events/{evening}").status_code == 200
    _kill(third)


def _kill(server: Served) -> None:
    server.process.kill()
    server.process.wait(20)
    assert server.process.stdout is not None
    server.process.stdout.close()


def test_an_evening_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    evenings = Evenings(tmp_path)
    plan = with_movement(EveningPlan("Tuesday"), howell(4), 2)
    first = evenings.begin(plan, "D", key="tuesday")
    assert evenings.begin(plan, "D", key="tuesday").id == first.id
    (evenings.folder / ".new-0123456789ab").mkdir()
    assert [kept.id for kept in Evenings(tmp_path).all()] == [first.id]
    evenings.tidy()
    assert [path.name for path in evenings.folder.iterdir()] == [first.id]
