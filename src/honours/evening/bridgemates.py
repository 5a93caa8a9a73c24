"""Bridgemates run by an evening: a client of the maker's Data Connector.

The connector takes one request a line of JSON and answers each with one. An evening's movement,
names and hands are sent before play and whenever they change; results and players' numbers are
polled. What was polled comes again until it is accepted, up to the number of its last item. So a
batch is written to the evening's journal, each item under the number that was accepted before and
its place in the batch; then the number of the last item; and only then it is accepted. After a
stop that number is accepted again before anything is polled: nothing is lost whichever side stops,
and nothing counts twice.

On Windows the connector listens at a named pipe; elsewhere, and in tests, at a local socket.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

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
    PUT_PLAYER_DATA = 11
    PUT_PARTICIPATIONS = 12
    PUT_HANDRECORDS = 13
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
_GO_ON = 1 + 4
_PAIRS = 10
_GROUP = 1
_METHODS = {"matchpoints": 10, "butler": 20, "cross-imps": 30, "imps": 20}
_SUITS = ("Spades", "Hearts", "Diamonds", "Clubs")
_QUEUES = {
    "results": (Command.POLL_RESULTS, Command.ACCEPT_RESULTS),
    "participations": (Command.POLL_PARTICIPATIONS, Command.ACCEPT_PARTICIPATIONS),
}
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
                "the Data Connector runs on Windows: run this command there, or say where it "
                "listens"
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


class Delivery(NamedTuple):
    """Everything new of a kind, and the number of its last item, by which it is accepted."""

    sent: list[dict[str, Any]]
    last: int


class Connector:
    """The connector, asked one thing after the other about one evening."""

    def __init__(self, channel: Channel, evening: str) -> None:
        self._channel, self.session = channel, guid(evening)

    def poll(self, command: Command) -> Delivery:
        """Ask for everything new of a kind."""
        answer = self.ask(command)
        sent = json.loads(answer["SerializedData"] or "null") or []
        last = answer.get("LastQueueItemId")
        if sent and not (isinstance(last, int) and last > 0):
            raise ConnectorError(
                "the connector sent something without a number, so it cannot be accepted"
            )
        return Delivery(sent, last or 0)

    def ask(self, command: Command, data: object = None) -> dict[str, Any]:
        """Ask the connector and return its answer, which may be that there is nothing new."""
        request = {
            "Command": int(command),
            "SessionGuid": self.session,
            "SerializedData": "" if data is None else json.dumps(data),
        }
        line = self._channel.ask(json.dumps(request).encode())
        try:
            answer: dict[str, Any] = json.loads(line)
            failure, kind = answer["ErrorType"], answer["DataType"]
            told = answer["SerializedData"]
            if answer["RequestCommand"] != command:
                raise ValueError("RequestCommand")
        except (ValueError, KeyError, TypeError) as error:
            raise ConnectorError(
                "the connector's answer cannot be understood ({why})", why=error
            ) from error
        if failure in _NOTHING_NEW:
            return {**answer, "SerializedData": ""}
        if kind == _ERROR_ANSWER or failure:
            known = {one.value: one.name for one in Failure}
            why = known.get(failure, str(failure)).lower().replace("_", " ")
            raise ConnectorError(
                "the connector refuses {what}: {why} {details}",
                what=command.name,
                why=why,
                details=told or "",
            )
        return answer

    def close(self) -> None:
        self._channel.close()


def guid(text: str) -> str:
    """32 capital hexadecimal figures that stand for a text."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest().upper()


# --- an evening for the devices -------------------------------------------------------------------


def event_data(evening: Evening) -> dict[str, Any]:
    """An evening as the connector begins one."""
    plan, session = evening.plan, guid(evening.id)
    if not plan.date:
        raise InputError("the evening has no date, and devices need one: set it on its page")
    year, month, day = (int(part) for part in plan.date.split("-"))
    group = {
        "SessionGuid": session,
        "ScoringGroupNumber": _GROUP,
        "ScoringMethod": _METHODS[plan.scoring],
        "Sections": [section_data(evening, one) for one in section_letters(evening)],
    }
    return {
        "Commands": _START,
        "EventGuid": session,
        "Sessions": [
            {
                "SessionGuid": session,
                "Name": plan.title,
                "Year": year,
                "Month": month,
                "Day": day,
                "ScoringGroups": [group],
            }
        ],
        "PlayerData": player_data(evening),
        "Participations": participation_data(evening),
        "Handrecords": hand_data(evening),
    }


def section_letters(evening: Evening) -> list[str]:
    """The letters by which devices know the sections."""
    return [section.name for section in evening.plan.sections] or [evening.plan.section or "A"]


def _at(evening: Evening, table: int) -> dict[str, Any]:
    """A table as devices know it: by its section, and by its number there."""
    of = next((one for one in evening.plan.sections if one.has(table)), None)
    return {
        "SessionGuid": guid(evening.id),
        "SectionLetters": of.name if of else section_letters(evening)[0],
        "TableNumber": table - (of.first - 1 if of else 0),
    }


def section_data(evening: Evening, letters: str) -> dict[str, Any]:
    """A section with its movement, as the connector begins or changes one."""
    if evening.plan.kind != "pairs":
        raise InputError(
            "Bridgemates can be started only for pairs; this evening is of another kind"
        )
    of = {s.name: s for s in evening.plan.sections}.get(letters)
    tables = [t for t in evening.tables if of is None or of.has(t)]
    numbers = range(1, len(evening.rounds) + 1)
    return {
        "SessionGuid": guid(evening.id),
        "ScoringGroupNumber": _GROUP,
        "ScoringGroupScoringMethod": _METHODS[evening.plan.scoring],
        "Letters": letters,
        "Winners": (of.winners if of else 0) or evening.plan.winners,
        "GameType": _PAIRS,
        "Tables": [
            {
                **_at(evening, table),
                "Rounds": [{**_at(evening, table), **_round(evening, n, table)} for n in numbers],
            }
            for table in tables
        ],
    }


def _round(evening: Evening, number: int, table: int) -> dict[str, Any]:
    seats = evening.at_table(number, table)
    if len(seats) > 1:
        raise InputError(
            "round {round}, table {table}: only some boards are arrow-switched, and "
            "Bridgemates switch whole rounds; choose a movement that does",
            round=number,
            table=evening.table_name(table),
        )
    one = seats[0] if seats else TableRound(table, (), (), ())
    boards = sorted(one.boards) if one.is_played else []
    if boards and boards != list(range(boards[0], boards[-1] + 1)):
        raise InputError(
            "round {round}, table {table}: boards {boards} are not consecutive, and "
            "Bridgemates need consecutive boards",
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


def player_data(evening: Evening) -> list[dict[str, Any]]:
    """The players who have a number, by which devices look their names up."""
    numbered = {p.number: p for _, _, p in _seated(evening) if p.number}
    session = guid(evening.id)
    return [
        {"SessionGuid": session, "PlayerNumber": number, **_names(player)}
        for number, player in numbered.items()
    ]


def participation_data(evening: Evening) -> list[dict[str, Any]]:
    """The players at their seats of the first round, each by number or, without one, by name."""
    return [
        {
            **_at(evening, table),
            "RoundNumber": 1,
            "Direction": 1 + tuple(Seat).index(seat),
            **({"PlayerNumber": player.number} if player.number else _names(player)),
        }
        for table, seat, player in _seated(evening)
    ]


def _seated(evening: Evening) -> Iterator[tuple[int, Seat, Player]]:
    """Everybody whose name is known, at their tables and seats of the first round."""
    for seats in evening.rounds[0] if evening.rounds else ():
        for side, directions in (
            (seats.ns, (Seat.NORTH, Seat.SOUTH)),
            (seats.ew, (Seat.EAST, Seat.WEST)),
        ):
            players = evening.names.get(side[0], ()) if side else ()
            for player, direction in zip(players, directions, strict=False):
                if player.name:
                    yield seats.table, direction, player


def _names(player: Player) -> dict[str, str]:
    first, _, last = player.name.rpartition(" ")
    return {"FirstName": first, "LastName": last}


def hand_data(evening: Evening) -> list[dict[str, Any]]:
    """The hands of the boards that are known; those of one section serve the whole group."""
    known = {number: cards_of(board.deal) for number, board in evening.deals.items()}
    return [
        {
            "SessionGuid": guid(evening.id),
            "ScoringGroupNumber": _GROUP,
            "SectionLetters": section_letters(evening)[0],
            "BoardNumber": number,
            **{
                f"{seat.name.title()}{suit}": cards
                for seat, hand in zip(Seat, hands, strict=True)
                for suit, cards in zip(_SUITS, hand, strict=True)
            },
        }
        for number, hands in sorted(known.items())
        if hands
    ]


def cards_of(deal: str) -> list[list[str]]:
    """The four suits of each hand of a deal in PBN, from North; nothing where a hand is missing."""
    first, _, dealt = deal.partition(":")
    hands = [hand.split(".") for hand in dealt.split()]
    if first not in tuple("NESW") or [len(hand) for hand in hands] != [4, 4, 4, 4]:
        return []
    start = "NESW".index(first)
    return hands[-start:] + hands[:-start] if start else hands


# --- what the devices say -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """A result as a device sent it: where, who, and what happened."""

    place: BoardPlace
    ns: str
    ew: str
    text: str


def device_result(evening: Evening, sent: Mapping[str, Any]) -> DeviceResult:
    """The result that a device sent; what cannot be understood is an InputError."""
    if sent.get("IsDeleted"):
        raise InputError("a device deleted a result: {sent}", sent=json.dumps(sent)[:200])
    try:
        prefix = str(sent["SectionLetters"]) if evening.plan.sections else ""
        place = BoardPlace(
            int(sent["RoundNumber"]), _table(evening, sent), int(sent["BoardNumber"])
        )
        ns, ew = (f"{prefix}{int(sent[side])}" for side in ("PairNorthSouth", "PairEastWest"))
        return DeviceResult(place, ns, ew, _text(sent))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "a device sent {sent}, which is not a result", sent=json.dumps(sent)[:200]
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

    def begin(self) -> None:
        """Start the devices with the evening as it stands, or go on where they were."""
        now = self._kept.now()
        self._connector.ask(Command.CONNECT)
        if now.devices:
            going_on = {"EventGuid": guid(now.id), "Commands": _GO_ON}
            self._connector.ask(Command.CONTINUE_EVENT, going_on)
            for queue, (_, accept) in _QUEUES.items():
                if taken := now.devices.get(queue):
                    self._connector.ask(accept, taken)
            return
        self._connector.ask(Command.INITIALIZE_EVENT, event_data(now))
        self._note({name: digest for name, digest, _, _ in _parts(now)})

    def tell_changes(self) -> int:
        """Send the sections, names and hands that have changed since they were sent; how many."""
        now = self._kept.now()
        changed = [part for part in _parts(now) if now.devices.get(part[0]) != part[1]]
        for name, digest, command, data in changed:
            if data:
                self._connector.ask(command, data)
            self._note({name: digest})
        return len(changed)

    def _note(self, known: Mapping[str, str | int]) -> None:
        """Keep in the journal what the devices were told, or what was taken from them."""
        self._kept.do("devices", DEVICE, content={"known": known})

    def take_results(self) -> Iterator[tuple[DeviceResult, BoardLine | None]]:
        """Enter what is new, each with the line as it stands then, and accept it when all of it is
        kept."""
        now, batch, keys = self._polled("results")
        for key, one in zip(keys, batch.sent, strict=True):
            try:
                result = device_result(now, one)
            except InputError as error:
                self._kept.do("stray", DEVICE, key, {"sent": one, "why": str(error)})
            else:
                said = {"ns": result.ns, "ew": result.ew, "text": result.text}
                act = {**result.place._asdict(), **said}
                done = self._kept.do("device", DEVICE, key, act)
                yield result, done.evening.line(result.place)
        self._accept("results", batch)

    def take_players(self) -> int:
        """Enter the numbers that players typed in, then accept them; how many there were."""
        now, batch, keys = self._polled("participations")
        for key, one in zip(keys, batch.sent, strict=True):
            try:
                names = _typed(now, one)
            except InputError as error:
                self._kept.do("stray", DEVICE, key, {"sent": one, "why": str(error)})
            else:
                now = self._kept.do("names", DEVICE, key, {"names": names}).evening
        self._accept("participations", batch)
        return len(batch.sent)

    def _polled(self, queue: str) -> tuple[Evening, Delivery, list[str]]:
        """The evening now, everything new in a queue, and a key for each: the same whenever it is
        delivered again, since that begins after what was accepted."""
        now, batch = self._kept.now(), self._connector.poll(_QUEUES[queue][0])
        since = f"{queue}-{now.devices.get(queue, 0)}"
        digests = (guid(json.dumps(one, sort_keys=True))[:12] for one in batch.sent)
        return now, batch, [f"{since}-{n}-{digest}" for n, digest in enumerate(digests)]

    def _accept(self, queue: str, batch: Delivery) -> None:
        if batch.sent:
            self._note({queue: batch.last})
            self._connector.ask(_QUEUES[queue][1], batch.last)

    def end(self) -> None:
        """Tell the connector that this was all, whether or not it still listens."""
        with suppress(ConnectorError):
            self._connector.ask(Command.DISCONNECT)
        self._connector.close()


def _parts(evening: Evening) -> Iterator[tuple[str, str, Command, Any]]:
    """All that devices are told of an evening: each part with its name, a digest of what it says,
    and the command that changes it."""
    parts: list[tuple[str, Command, Any]] = [
        (f"section-{one}", Command.UPDATE_MOVEMENT, section_data(evening, one))
        for one in section_letters(evening)
    ]
    parts.append(("player data", Command.PUT_PLAYER_DATA, player_data(evening)))
    parts.append(("seats", Command.PUT_PARTICIPATIONS, participation_data(evening)))
    parts.append(("hands", Command.PUT_HANDRECORDS, hand_data(evening)))
    for name, command, data in parts:
        yield name, guid(json.dumps(data)), command, data


def _typed(evening: Evening, sent: Mapping[str, Any]) -> dict[str, list[dict[str, str]]]:
    """The players of the pair at whose table somebody typed a number or a name."""
    try:
        number = max(1, int(sent.get("RoundNumber") or 1))
        seats = evening.at_table(number, _table(evening, sent))[0]
        direction = int(sent["Direction"]) - 1
        pair = (seats.ns if direction % 2 == 0 else seats.ew)[0]
    except (InputError, KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(
            "a device sent {sent}, and nobody sits there", sent=json.dumps(sent)[:200]
        ) from error
    players = [*evening.names.get(pair, ()), Player(""), Player("")][:2]
    typed = " ".join(filter(None, (sent.get("FirstName"), sent.get("LastName"))))
    before = players[direction // 2]
    players[direction // 2] = Player(typed or before.name, str(sent.get("PlayerNumber") or ""))
    return {pair: [{"name": p.name, "number": p.number} for p in players]}
