"""The connections of a server: those that send their request slowly, or not at all, or do not take
its answer, are closed, and no address has too many."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from honours.web.settings import Settings


class PatientProtocol(H11Protocol):
    """Waits for the head of a request, and for its answer to be taken, so long and no longer."""

    head_seconds: ClassVar[float] = 10
    answer_seconds: ClassVar[float] = 60
    from_one_address: ClassVar[int] = 100
    trusted: ClassVar[str] = ""
    """The address of a proxy, which has as many connections as it likes, and keeps them open: one
    that is closed here while it sends a request on it would be an error to whoever asked."""
    _open: ClassVar[Counter[str]] = Counter()

    _address = ""
    _own = False
    _timer: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        self._open[self._address] += 1
        _send_at_once(transport)
        super().connection_made(transport)
        # Another process of the server has no address.
        self._own = self._address in ("", self.trusted)
        if not self._own and self._open[self._address] > self.from_one_address:
            transport.abort()
        else:
            self._wait_for_a_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open[self._address] -= 1
        if self._open[self._address] <= 0:
            del self._open[self._address]
        self._timer = _stop(self._timer)
        self._unread = _stop(self._unread)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_a_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait_for_a_head()

    def _wait_for_a_head(self) -> None:
        """Time runs from when a request could begin until its head is whole."""
        cycle: RequestResponseCycle | None = self.cycle
        working = cycle is not None and not cycle.response_complete
        if working or self.transport.is_closing():
            self._timer = _stop(self._timer)
        elif self._timer is None and not self._own:
            self._timer = self._later(self.head_seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self._later(self.answer_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread = _stop(self._unread)

    def _later(self, seconds: float, then: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, then)


def _send_at_once(transport: Any) -> None:
    """Do not keep the end of an answer back for 40 ms, until its beginning was acknowledged:
    asyncio sees to it only for sockets that it opens itself."""
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _stop(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    if timer is not None:
        timer.cancel()
    return None


def protocol_for(settings: Settings) -> type[PatientProtocol]:
    """The protocol of one server, with its settings and its own count of connections."""
    chosen = {
        "head_seconds": settings.head_seconds,
        "answer_seconds": settings.answer_seconds,
        "from_one_address": -(-settings.from_one_address // settings.processes),
        "trusted": settings.proxy,
        "_open": Counter(),
    }
    return type("PatientProtocol", (PatientProtocol,), chosen)
