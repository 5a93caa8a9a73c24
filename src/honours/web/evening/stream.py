"""The listeners of an evening, who are woken when something was done and ask what they want."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from weakref import WeakSet

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from honours.evening.store import KeptEvening
from honours.model.message import Message

MOST_LISTENERS = 500
_LOOK_AGAIN = 2.0
"""Seconds after which a listener looks by itself, for what another process of the server did, and
is told that the server is there: a page that hears nothing for twice as long says so."""


class _Listener:
    def __init__(self, evening: str) -> None:
        self.evening = evening
        self.loop = asyncio.get_running_loop()
        self.woken = asyncio.Event()
        self.ended = False


class Hub:
    """The listeners of every evening of a server."""

    def __init__(self) -> None:
        self._listeners: set[_Listener] = set()
        _HUBS.add(self)

    def listening(self, evening: str) -> int:
        """Return how many listen to an evening."""
        return sum(one.evening == evening for one in self._listeners)

    def wake(self, evening: str) -> None:
        """Something was done; from any thread."""
        for one in tuple(self._listeners):
            if one.evening == evening:
                _set(one)

    def close(self) -> None:
        """Let every listener go: a server that stops would wait for them."""
        for one in tuple(self._listeners):
            one.ended = True
            _set(one)

    async def changes(self, evening: str, now: Callable[[], int]) -> AsyncIterator[str]:
        """The number of the last act, whenever there was one more, as server-sent events."""
        listener = _Listener(evening)
        self._listeners.add(listener)
        last_sent = 0
        try:
            yield "retry: 2000\n\n"
            while not listener.ended:
                listener.woken.clear()
                number = await run_in_threadpool(now)
                if number != last_sent:
                    last_sent = number
                    yield f"id: {number}\ndata: {number}\n\n"
                else:
                    yield "event: beat\ndata: \n\n"
                await _woken(listener.woken)
        finally:
            self._listeners.discard(listener)


async def _woken(event: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(event.wait(), _LOOK_AGAIN)
    except TimeoutError:
        return


def _set(listener: _Listener) -> None:
    if not listener.loop.is_closed():
        listener.loop.call_soon_threadsafe(listener.woken.set)


_HUBS: WeakSet[Hub] = WeakSet()


def close_all() -> None:
    """Let the listeners of this process go."""
    for hub in tuple(_HUBS):
        hub.close()


def check_room(hub: Hub, evening: str) -> None:
    """Refuse a listener too many."""
    if hub.listening(evening) >= MOST_LISTENERS:
        raise HTTPException(503, Message("Too many are watching this evening already."))


def streamed(hub: Hub, kept: KeptEvening) -> StreamingResponse:
    """An evening for one more listener, as server-sent events."""
    check_room(hub, kept.id)
    changes = hub.changes(kept.id, lambda: kept.now().number)
    return StreamingResponse(changes, media_type="text/event-stream")
