"""`honours bridgemates`: an evening's table devices, started and read."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.messages import say
from honours.errors import UnknownName
from honours.evening.board_lines import BoardLine
from honours.evening.bridgemates import (
    Connector,
    ConnectorError,
    DeviceResult,
    Devices,
    open_channel,
)
from honours.evening.evening import Evening
from honours.evening.store import Evenings
from honours.model.message import Message

_NEVER_ENDS = 0


@as_command("bridgemates")
def command(
    evening: str = argument("EVENING"),
    data: str | None = option("The server's data folder.", type=click.Path(file_okay=False)),
    connector: str = option(
        "Where the Data Connector listens, if not at its pipe: a socket, or host:port.", "WHERE"
    ),
    every: float = option("Seconds between two looks.", default=2.0),
    times: int = option("Stop after so many looks.", default=_NEVER_ENDS, type=click.IntRange(0)),
) -> None:
    """Start the Bridgemates of an evening and take in what is entered at them.

    EVENING is the number in the evening's address. The maker's Data Connector must run on this
    machine. Every result is saved before it is acknowledged. If the connector or this command
    stops, start it again: nothing is lost and nothing counts twice. Ctrl-C stops it.

    \b
    Example:
      honours bridgemates 3fa94c01b2d7 --data my-events
    """
    from honours.web.settings import data_folder

    kept = Evenings(Path(data) if data else data_folder()).get(evening)
    if kept is None:
        raise UnknownName("evening", evening, [])
    looks = 0
    with suppress(KeyboardInterrupt):  # which is how it is meant to end
        while True:
            try:
                devices = Devices(kept, Connector(open_channel(connector), kept.id))
            except ConnectorError as error:
                if times:
                    raise
                say(error.message, err=True)
                time.sleep(every)
                continue
            try:
                devices.begin()
                say(
                    Message("The Bridgemates have the evening {title}", title=kept.now().plan.title)
                )
                while not kept.now().ended:
                    devices.tell_changes()
                    for result, line in devices.take_results():
                        _say_result(kept.now(), result, line)
                    devices.take_players()
                    looks += 1
                    if looks == times:
                        return
                    time.sleep(every)
                return
            except ConnectorError as error:
                if times:
                    raise
                say(error.message, err=True)
            finally:
                devices.end()
            time.sleep(every)


def _say_result(evening: Evening, result: DeviceResult, line: BoardLine | None) -> None:
    place = {
        "round": result.place.round,
        "table": evening.table_name(result.place.table),
        "board": result.place.board,
    }
    if line is None:
        say(
            Message(
                "round {round}, table {table}, board {board}: {text} was set aside for the "
                "director; {ns} and {ew} do not play that board there",
                text=result.text,
                ns=result.ns,
                ew=result.ew,
                **place,
            ),
            err=True,
        )
    elif line.rival:
        say(
            Message(
                "round {round}, table {table}, board {board}: the device says {text}; {line} "
                "stays until the director decides",
                text=line.rival,
                line=line.shown,
                **place,
            ),
            err=True,
        )
    else:
        say(
            Message("round {round}, table {table}, board {board}: {line}", line=line.shown, **place)
        )
