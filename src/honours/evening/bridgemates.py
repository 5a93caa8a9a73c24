"""Bridgemates run by an evening: a client of the maker's Data Connector.

The connector takes one request a line of JSON and answers each with one. An evening's movement is
sent before play and whenever it changes; results and players' numbers are polled. It delivers at
least once: what was polled comes again until it is accepted. So everything is written to the
evening's journal under a key made from what it says, and accepted only then: nothing is lost
whichever side stops, and nothing counts twice.

On Windows the connector listens at a named pipe; elsewhere, and in tests, at a local socket.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from honours.errors import InputError
from honours.evening.board_lines import BoardLine, BoardPlace
from honours.evening.evening import Evening
from honours.evening.plan import TableRound
from honours.evening.sections import table_number
from honours.evening.store import KeptEvening
from honours.model import Contract, Denomination, Player, Seat
from honours.scoring.contracts import write_contract, write_tricks

DEVICE = "Bridgemate"
"""In whose name results of devices are entered."""
_PIPE = r"\\.\pipe\BridgeSystems.Bridgemate.DataConnectorService.ScoringProgram"
_PATIENCE = 30
_LONGEST_LINE = 16 * 2**20


class Command(IntEnum):
    """The commands that the connector takes."""

    CONNECT = 1
    DISCONNECT = 3
    INITIALIZE_EVENT = 5
    UPDATE_MOVEMENT = 6
    PUT_PARTICIPATIONS = 12
    POLL_RESULTS = 19
    POLL_PARTICIPATIONS = 21
    ACCEPT_RESULTS = 27
    ACCEPT_PARTICIPATIONS = 29
    CONTINUE_EVENT = 31


class Failure(IntEnum):
    """The reasons why the connector did not do something."""

    NONE = 0
    BUSY = 1
    NO_DATA = 2
    NO_UPDATES = 3
    MOVEMENT = 4
    VALIDATION = 5
    NO_CONNECTION = 10
    TIME_OUT = 11


_ERROR_ANSWER = 4
_START = 1 + 2 + 4 + 128
"""Start the control program, reset the devices, start reading, clear what they held."""
_PAIRS = 10
_NOTHING_NEW = (Failure.NO_DATA, Failure.NO_UPDATES)
_DENOMINATIONS = dict(enumerate("CDHSN", 1))
_SEATS = dict(enumerate(Seat, 1))
_NOT_PLAYED = -10
_ADJUSTED = "-=+"
"""Average minus, average, average plus: levels −1 to −9 are the nine pairs of them."""


class ConnectorError(InputError):
    """The connector did not do what it was asked, or is not there."""


class Channel(Protocol):
    """A way to the connector: a line there, a line back."""

    def ask(self, line: bytes) -> bytes: ...
    def close(self) -> None: ...


class _Lines:
    """A channel over something that reads and writes bytes."""

    def __init__(
        self,
        write: Callable[[bytes], Any],
        readline: Callable[[int], bytes],
        close: Callable[[], None],
    ) -> None:
        self._write, self._readline, self.close = write, readline, close

    def ask(self, line: bytes) -> bytes:
        try:
            self._write(line + b"\n")
            answer = self._readline(_LONGEST_LINE)
        except OSError as error:
            raise ConnectorError("the connector does not answer ({why})", why=error) from error
        if not answer.endswith(b"\n"):
            raise ConnectorError("the connector does not answer (it ended in the middle)")
        return answer


def open_channel(where: str = "") -> Channel:
    """The connector's pipe on Windows, or the local socket (a path, or host:port) it listens at."""
    try:
        if os.name == "nt" and not where:
            pipe = open(f"{_PIPE}.{getpass.getuser()}", "r+b", buffering=0)  # noqa: SIM115
            return _Lines(pipe.write, pipe.readline, pipe.close)
        if not where:
            raise ConnectorError(
                "the maker's connector runs on Windows: start this there, or say where it listens"
            )
        host, colon, port = where.rpartition(":")
        if colon and port.isdecimal():
            line = socket.create_connection((host, int(port)), _PATIENCE)
        else:
            line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            line.settimeout(_PATIENCE)
            try:
                line.connect(where)
            except OSError:
                line.close()
                raise
    except OSError as error:
        raise ConnectorError(
            "no connector at {where} ({why})", where=where or _PIPE, why=error
        ) from error
    file = line.makefile("rb")

    def close() -> None:
        file.close()
        line.close()

    return _Lines(line.sendall, file.readline, close)


class Connector:
    """The connector, asked one thing after the other about one evening."""

    def __init__(self, channel: Channel, evening: str) -> None:
        self._channel, self.session = channel, guid(evening)

    def ask(self, command: Command, data: object = None) -> Any:
        """Ask the connector and return its answer; None where there is nothing new."""
        request = {
            "Command": int(command),
            "SessionGuid": self.session,
            "SerializedData": "" if data is None else json.dumps(data),
        }
        line = self._channel.ask(json.dumps(request).encode())
        try:
            answer = json.loads(line)
            failure, kind = answer["ErrorType"], answer["DataType"]
            told = answer["SerializedData"]
            content = json.loads(told) if told else None
            if answer["RequestCommand"] != command:
                raise ValueError("RequestCommand")
        except (ValueError, KeyError, TypeError) as error:
            raise ConnectorError(
                "the connector answers something else ({why})", why=error
            ) from error
        if failure in _NOTHING_NEW:
            return None
        if kind == _ERROR_ANSWER or failure:
            known = {one.value: one.name for one in Failure}
            why = known.get(failure, str(failure)).lower().replace("_", " ")
            raise ConnectorError("the connector refuses {what}: {why}", what=command.name, why=why)
        return content

    def close(self) -> None:
        self._channel.close()


def guid(text: str) -> str:
    """32 capital hexadecimal figures that stand for a text."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest().upper()


# --- an evening for the devices -------------------------------------------------------------------


def event_data(evening: Evening) -> dict[str, Any]:
    """An evening as the connector begins one."""
    plan = evening.plan
    year, month, day = (plan.date or "0-0-0").split("-")
    session = {
        "SessionGuid": guid(evening.id),
        "Name": plan.title,
        "Year": int(year),
        "Month": int(month),
        "Day": int(day),
        "ScoringGroups": [
            {
                "ScoringGroupNumber": 1,
                "Sections": [_section(evening, one) for one in _letters(evening)],
            }
        ],
    }
    return {"Commands": _START, "EventGuid": guid(f"event-{evening.id}"), "Sessions": [session]}


def _letters(evening: Evening) -> list[str]:
    return [section.name for section in evening.plan.sections] or [evening.plan.section or "A"]


def _section(evening: Evening, letters: str) -> dict[str, Any]:
    if evening.plan.kind != "pairs":
        raise InputError("Bridgemates can be started for pairs; this evening is of another kind")
    of = {s.name: s for s in evening.plan.sections}.get(letters)
    tables = [t for t in evening.tables if of is None or of.has(t)]
    return {
        "ScoringGroupNumber": 1,
        "Letters": letters,
        "Winners": (of.winners if of else 0) or evening.plan.winners,
        "GameType": _PAIRS,
        "Tables": [
            {
                "TableNumber": table - (of.first - 1 if of else 0),
                "Rounds": [
                    _round(evening, number, table) for number in range(1, len(evening.rounds) + 1)
                ],
            }
            for table in tables
        ],
    }


def _round(evening: Evening, number: int, table: int) -> dict[str, Any]:
    seats = evening.at_table(number, table)
    if len(seats) > 1:
        raise InputError(
            "round {round}, table {table}: some boards of the round are turned, and devices know "
            "one direction a round; choose a movement that turns whole rounds",
            round=number,
            table=evening.table_name(table),
        )
    one = seats[0] if seats else TableRound(table, (), (), ())
    boards = sorted(one.boards)
    if boards and boards != list(range(boards[0], boards[-1] + 1)):
        raise InputError(
            "round {round}, table {table}: boards {boards} do not follow one another, and devices "
            "know only boards that do",
            round=number,
            table=evening.table_name(table),
            boards=tuple(boards),
        )
    return {
        "RoundNumber": number,
        "PairNS": _number(one.ns),
        "PairEW": _number(one.ew),
        "LowBoardNumber": boards[0] if boards else 0,
        "HighBoardNumber": boards[-1] if boards else 0,
    }


def _number(side: Sequence[str]) -> int:
    """A pair's number in its section; 0 where nobody sits."""
    return int("".join(c for c in side[0] if c.isdigit())) if side else 0


def sections_data(before: Evening, now: Evening) -> list[dict[str, Any]]:
    """The sections whose movement is another one now."""
    old = {letters: _section(before, letters) for letters in _letters(before)}
    return [
        section
        for letters in _letters(now)
        if (section := _section(now, letters)) != old.get(letters)
    ]


def players_data(evening: Evening) -> list[dict[str, Any]]:
    """Return who sits where in the first round, by name and number."""
    players: list[dict[str, Any]] = []
    for seats in evening.rounds[0] if evening.rounds else ():
        letters = evening.section_of(seats.table) or "A"
        of = next((s for s in evening.plan.sections if s.has(seats.table)), None)
        for side, directions in (
            (seats.ns, (Seat.NORTH, Seat.SOUTH)),
            (seats.ew, (Seat.EAST, Seat.WEST)),
        ):
            for player, direction in zip(
                evening.names.get(side[0], ()) if side else (), directions, strict=False
            ):
                first, _, last = player.name.rpartition(" ")
                players.append(
                    {
                        "SectionLetters": letters,
                        "TableNumber": seats.table - (of.first - 1 if of else 0),
                        "Direction": 1 + tuple(Seat).index(direction),
                        "PlayerNumber": player.number,
                        "FirstName": first,
                        "LastName": last,
                    }
                )
    return players


# --- what the devices say -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """A result as a device sent it: its id at the connector, where, who, and what happened."""

    id: int
    place: BoardPlace
    ns: str
    ew: str
    text: str

    @property
    def key(self) -> str:
        """The same for the same result, however often it is delivered."""
        said = (self.id, *self.place, self.ns, self.ew, self.text)
        return f"bridgemate-{self.id}-{guid(repr(said))[:12]}"


def device_result(evening: Evening, sent: Mapping[str, Any]) -> DeviceResult:
    """The result that a device sent; what cannot be understood is an InputError."""
    try:
        prefix = str(sent["SectionLetters"]) if evening.plan.sections else ""
        place = BoardPlace(
            int(sent["RoundNumber"]), _table(evening, sent), int(sent["BoardNumber"])
        )
        ns, ew = (f"{prefix}{int(sent[side])}" for side in ("PairNorthSouth", "PairEastWest"))
        return DeviceResult(int(sent["Id"]), place, ns, ew, _text(sent))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "a device sent {sent}, which is no result", sent=json.dumps(sent)[:200]
        ) from error


def _table(evening: Evening, sent: Mapping[str, Any]) -> int:
    """The table of the evening that something was sent from."""
    letters = str(sent["SectionLetters"]) if evening.plan.sections else ""
    return table_number(evening.plan.sections, f"{letters}{int(sent['TableNumber'])}")


def _text(sent: Mapping[str, Any]) -> str:
    """Return what happened, as on a traveller."""
    level = int(sent["Level"])
    if level == 0:
        return "pass"
    if level == _NOT_PLAYED:
        return "np"
    if level < 0:
        ns, ew = divmod(-level - 1, 3)
        return f"A{_ADJUSTED[ns]}{_ADJUSTED[ew]}"
    contract = Contract(
        level,
        Denomination(_DENOMINATIONS[int(sent["Denomination"])]),
        _SEATS[int(sent["DeclarerDirection"])],
        int(sent["Stake"]),
    )
    return f"{write_contract(contract)} {write_tricks(contract, int(sent['TotalTricks']))}"


# --- running them ---------------------------------------------------------------------------------


class Devices:
    """The Bridgemates of one evening, begun, told of changes, and asked for what is new."""

    def __init__(self, kept: KeptEvening, connector: Connector) -> None:
        self._kept, self._connector = kept, connector
        self._told: Evening | None = None

    def begin(self) -> None:
        """Start the devices with the evening as it stands, or go on where they were."""
        now = self._kept.now()
        data = event_data(now)
        self._connector.ask(Command.CONNECT)
        if any(line.by == DEVICE for line in now.lines.values()) or now.devices:
            self._connector.ask(Command.CONTINUE_EVENT, data)
        else:
            self._connector.ask(Command.INITIALIZE_EVENT, data)
            if players := players_data(now):
                self._connector.ask(Command.PUT_PARTICIPATIONS, players)
            self._kept.do("devices", DEVICE, "devices-begun", {})
        self._told = now

    def tell_changes(self) -> int:
        """Send what has changed in the movement since it was last sent; how many sections did."""
        now = self._kept.now()
        if self._told is None or now.rounds == self._told.rounds:
            return 0
        changed = sections_data(self._told, now)
        for section in changed:
            self._connector.ask(Command.UPDATE_MOVEMENT, section)
        self._told = now
        return len(changed)

    def _polled(self, command: Command) -> list[dict[str, Any]]:
        """Return what is new; each has an id, without which it could never be accepted."""
        sent = self._connector.ask(command) or []
        if not all(isinstance(one, dict) and isinstance(one.get("Id"), int) for one in sent):
            raise ConnectorError("the connector sends something without an id")
        return list(sent)

    def take_results(self) -> Iterator[tuple[DeviceResult, BoardLine | None]]:
        """Enter what is new and accept each when it is kept, with the line as it stands then."""
        sent = self._polled(Command.POLL_RESULTS)
        now = self._kept.now()
        for one in sorted(sent, key=lambda one: int(one["Id"])):
            try:
                result = device_result(now, one)
            except InputError as error:
                unread = {"sent": one, "why": str(error)}
                key = f"bridgemate-{guid(json.dumps(one, sort_keys=True))}"
                self._kept.do("stray", DEVICE, key, unread)
            else:
                said = {"ns": result.ns, "ew": result.ew, "text": result.text}
                act = {**result.place._asdict(), **said}
                done = self._kept.do("device", DEVICE, result.key, act)
                yield result, done.evening.line(result.place)
            self._connector.ask(Command.ACCEPT_RESULTS, {"Id": int(one["Id"])})

    def take_players(self) -> int:
        """Enter the numbers that players typed in, then accept them; how many there were."""
        sent = self._polled(Command.POLL_PARTICIPATIONS)
        if not sent:
            return 0
        now = self._kept.now()
        names = dict(_typed_numbers(now, sent))
        digest = guid(json.dumps(sent, sort_keys=True))
        if names:
            self._kept.do("names", DEVICE, f"bridgemate-players-{digest}", {"names": names})
        self._connector.ask(Command.ACCEPT_PARTICIPATIONS, {"Id": max(int(p["Id"]) for p in sent)})
        return len(sent)

    def end(self) -> None:
        """Tell the connector that this was all, whether or not it still listens."""
        with suppress(ConnectorError):
            self._connector.ask(Command.DISCONNECT)
        self._connector.close()


def _typed_numbers(
    evening: Evening, sent: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The players of each pair with the numbers typed at its table in the first round."""
    typed: dict[str, dict[int, str]] = {}
    for one in sent:
        seats = evening.at_table(1, _table(evening, one))
        direction = int(one["Direction"]) - 1
        side = (seats[0].ns if direction % 2 == 0 else seats[0].ew) if seats else ()
        if side:
            typed.setdefault(side[0], {})[direction // 2] = str(one["PlayerNumber"])
    for who, numbers in typed.items():
        known = (*evening.names.get(who, ()), Player(""), Player(""))[:2]
        yield (
            who,
            [
                {"name": player.name, "number": numbers.get(k, player.number)}
                for k, player in enumerate(known)
            ],
        )
