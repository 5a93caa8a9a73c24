"""A stand-in for the maker's Data Connector: the same lines of JSON over a local socket, the
demands that its documentation makes on what it is sent, results that are delivered until they are
accepted, and faults where a test asks for them."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

OK, ERROR, RESULTS, PLAYERS = 1, 4, 12, 11
NO_UPDATES, INVALID = 3, 5
_CARDS = sorted("AKQJT98765432")
_FIRST_ID = 40
"""Items of other queues came before: numbers do not begin at 1, nor follow one another."""


class StandIn:
    """What the devices hold. ``faults`` says of the nth request whether the line drops before it
    is done or before it is answered."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self.sections: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []
        self.players: list[dict[str, Any]] = []
        self.hands: list[dict[str, Any]] = []
        self.seats: list[dict[str, Any]] = []
        self.known: set[str] = set()
        self.accepted = {"results": 0, "players": 0}
        self.commands: list[int] = []
        self.faults: dict[int, str] = {}
        self.clients: list[Any] = []

    def send(self, **result: Any) -> None:
        """A device sends a result."""
        self.results.append(result)

    def type_number(self, **player: Any) -> None:
        """A player types a number in."""
        self.players.append(player)

    def waiting(self) -> int:
        """How many results were not accepted yet."""
        return len(self.results) - self.accepted["results"]

    def _answer(self, command: int, data: Any) -> tuple[int, int, Any, int]:
        match command:
            case 19 | 21:
                kind, held = (
                    ("results", self.results) if command == 19 else ("players", self.players)
                )
                new = held[self.accepted[kind] :]
                last = _FIRST_ID + 2 * len(held) if new else 0
                return (RESULTS if command == 19 else PLAYERS, 0 if new else NO_UPDATES, new, last)
            case 27 | 29:
                kind = "results" if command == 27 else "players"
                self.accepted[kind] = max(self.accepted[kind], (data - _FIRST_ID) // 2)
            case 5 | 6 | 11 | 12 | 13 | 31 if not self._put(command, data):
                return ERROR, INVALID, f"command {command}", 0
        return OK, 0, None, 0

    def _put(self, command: int, data: Any) -> bool:
        """Take what was sent, if it is as the documentation has it."""
        valid = True
        match command:
            case 5:
                valid = data["Commands"] == 135 and valid_event(data)
                self.events.append(data)
                self.known |= {one["PlayerNumber"] for one in data["PlayerData"]}
                self.seats, self.hands = data["Participations"], data["Handrecords"]
            case 31:  # other commands are of the beginning alone
                valid = set(data) == {"EventGuid", "Commands"} and not data["Commands"] & ~53
            case 6:
                valid = valid_section(data, data["SessionGuid"])
                self.sections.append(data)
            case 11:
                self.known |= {one["PlayerNumber"] for one in data}
            case 12:
                valid = all(valid_seat(one, self.known) for one in data)
                self.seats = data
            case 13:
                valid = all(map(valid_hands, data))
                self.hands = data
        return valid

    def _serve(self, line: socket.socket) -> None:
        with closing(line), line.makefile("rb") as file:
            for text in file:
                asked = json.loads(text)
                self.commands.append(asked["Command"])
                fault = self.faults.pop(len(self.commands), "")
                if fault == "before":
                    return
                told = asked["SerializedData"]
                kind, failure, data, last = self._answer(
                    asked["Command"], json.loads(told) if told else None
                )
                if fault == "after":
                    return
                answer = {
                    "RequestCommand": asked["Command"],
                    "SessionGuid": asked["SessionGuid"],
                    "DataType": kind,
                    "ErrorType": failure,
                    "LastQueueItemId": last,
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


def valid_event(data: dict[str, Any]) -> bool:
    """Whether an event is one as the maker describes it: each part named as what it is part of."""
    [session] = data["Sessions"]
    [group] = session["ScoringGroups"]
    own, known = session["SessionGuid"], {one["PlayerNumber"] for one in data["PlayerData"]}
    return (
        len(own) == 32
        and own == own.upper() == group["SessionGuid"]
        and session["Year"] >= 2000
        and group["ScoringMethod"] in (10, 20, 30)
        and all(valid_section(one, own) for one in group["Sections"])
        and all(one["LastName"] for one in data["PlayerData"])
        and len(known) == len(data["PlayerData"])
        and all(valid_seat(one, known) for one in data["Participations"])
        and all(map(valid_hands, data["Handrecords"]))
    )


def valid_section(section: dict[str, Any], session: str) -> bool:
    """Whether a section's tables and rounds say where they belong, and sit-outs have no boards."""
    for table in section["Tables"]:
        at = {
            "SessionGuid": session,
            "SectionLetters": section["Letters"],
            "TableNumber": table["TableNumber"],
        }
        numbers = [one["RoundNumber"] for one in table["Rounds"]]
        if not at.items() <= table.items() or numbers != [*range(1, len(numbers) + 1)]:
            return False
        for one in table["Rounds"]:
            played = bool(one["PairNS"] and one["PairEW"])
            if not at.items() <= one.items() or played != bool(one["LowBoardNumber"]):
                return False
    return bool(section["SessionGuid"] == session and section["ScoringGroupNumber"] == 1)


def valid_seat(one: dict[str, Any], known: set[str]) -> bool:
    """Whether somebody sits in a first seat by a number that is known, or else by name."""
    number, name = one.get("PlayerNumber"), one.get("LastName")
    there = one["Direction"] in (1, 2, 3, 4) and one["RoundNumber"] in (0, 1)
    return bool(there and (number in known and not name if number else name))


def valid_hands(one: dict[str, Any]) -> bool:
    """Whether a hand record deals every card of each suit once."""
    seats = ("North", "East", "South", "West")
    return all(
        sorted("".join(one[f"{seat}{suit}"] for seat in seats)) == _CARDS
        for suit in ("Spades", "Hearts", "Diamonds", "Clubs")
    )
