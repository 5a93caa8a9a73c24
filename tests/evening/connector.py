"""A stand-in for the maker's Data Connector: the same lines of JSON over a local socket, results
that are delivered until they are accepted, and faults where a test asks for them."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

OK, ERROR, RESULTS, PLAYERS = 1, 4, 12, 11
NO_UPDATES = 3


class StandIn:
    """What the devices hold. ``faults`` says of the nth request whether the line drops before it
    is done or before it is answered."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self.sections: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []
        self.players: list[dict[str, Any]] = []
        self.accepted = {"results": 0, "players": 0}
        self.commands: list[int] = []
        self.faults: dict[int, str] = {}
        self.clients: list[Any] = []

    def send(self, **result: Any) -> None:
        """A device sends a result."""
        self.results.append({"Id": len(self.results) + 1, **result})

    def type_number(self, **player: Any) -> None:
        """A player types a number in."""
        self.players.append({"Id": len(self.players) + 1, **player})

    def _answer(self, command: int, data: Any) -> tuple[int, int, Any]:
        match command:
            case 5 | 31:
                self.events.append(data)
            case 6:
                self.sections.append(data)
            case 19 | 21:
                kind, held = (
                    ("results", self.results) if command == 19 else ("players", self.players)
                )
                new = [one for one in held if one["Id"] > self.accepted[kind]]
                return (RESULTS if command == 19 else PLAYERS, 0 if new else NO_UPDATES, new)
            case 27 | 29:
                kind = "results" if command == 27 else "players"
                self.accepted[kind] = max(self.accepted[kind], data["Id"])
            case 99:
                return ERROR, 5, None
        return OK, 0, None

    def _serve(self, line: socket.socket) -> None:
        with closing(line), line.makefile("rb") as file:
            for text in file:
                asked = json.loads(text)
                self.commands.append(asked["Command"])
                fault = self.faults.pop(len(self.commands), "")
                if fault == "before":
                    return
                told = asked["SerializedData"]
                kind, failure, data = self._answer(
                    asked["Command"], json.loads(told) if told else None
                )
                if fault == "after":
                    return
                answer = {
                    "RequestCommand": asked["Command"],
                    "SessionGuid": asked["SessionGuid"],
                    "DataType": kind,
                    "ErrorType": failure,
                    "SerializedData": "" if data is None else json.dumps(data),
                }
                line.sendall(json.dumps(answer).encode() + b"\n")

    @contextmanager
    def listening(self) -> Iterator[StandIn]:
        """Take one client after the other."""
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as door:
            door.bind(str(self.path))
            door.listen()

            def take() -> None:
                with suppress(OSError):
                    while True:
                        with suppress(ConnectionError, ValueError):
                            self._serve(door.accept()[0])

            thread = threading.Thread(target=take, daemon=True)
            thread.start()
            yield self
            door.shutdown(socket.SHUT_RDWR)
        thread.join()
