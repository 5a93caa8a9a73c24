"""`honours serve`: the web application on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from honours.cli.messages import say
from honours.cli.options import rulebooks_option
from honours.model.message import Message

if TYPE_CHECKING:
    import socket

    import uvicorn

    from honours.web.settings import Settings


@click.command("serve")
@click.option("--port", default=8737, show_default=True, help="0 takes any that is free.")
@click.option("--data", type=click.Path(file_okay=False), help="Where events are kept.")
@rulebooks_option()
@click.option(
    "--ledger",
    default="",
    envvar="HONOURS_LEDGER",
    metavar="WHERE",
    help="Another ledger than the one in the data folder.",
)
@click.option(
    "--database",
    default="",
    envvar="HONOURS_DATABASE",
    metavar="postgresql://…",
    help="Where ledger and accounts are; otherwise in the data folder.",
)
@click.option("--accounts", is_flag=True, help="People sign in; see `honours accounts`.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Others need --accounts.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A name the server answers to.")
@click.option(
    "--proxy", default="", metavar="ADDRESS", help="A proxy in front that says who its clients are."
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many serve together, on the same data.",
)
@click.option(
    "--mail",
    default="",
    envvar="HONOURS_MAIL",
    metavar="smtp://…",
    help="A mail server for links to a new password.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def command(
    port: int,
    data: str | None,
    rulebooks: tuple[str, ...],
    ledger: str,
    database: str,
    accounts: bool,
    host: str,
    allow_host: tuple[str, ...],
    proxy: str,
    processes: int,
    mail: str,
    no_browser: bool,
) -> None:
    """Score, award and calculate in the browser, on this machine.

    \b
    Example:
      honours serve --data my-events
      honours serve --accounts --proxy 127.0.0.1 --allow-host results.example.org
    """
    from pathlib import Path

    from honours.web.settings import LOOPBACK, Settings, data_folder

    settings = Settings(
        data=Path(data) if data else data_folder(),
        host=host,
        port=port,
        hosts=(*LOOPBACK, *allow_host),
        rulebooks=rulebooks,
        ledger=ledger,
        database=database,
        accounts=accounts,
        proxy=proxy,
        processes=processes,
        mail=mail,
    )
    run(settings, browser=not no_browser)


def run(settings: Settings, browser: bool) -> None:
    """Serve until interrupted; the browser opens once there is something to open. What the server
    keeps has names in it, and is its owner's alone to read."""
    import os
    from contextlib import suppress

    from honours.processes.pool import importing

    with importing():
        import uvicorn

        from honours.web.app import check, create_app
        from honours.web.http.protocol import protocol_for
        from honours.web.together import serve_together

    def serve(settings: Settings, *sockets: socket.socket) -> None:
        config = uvicorn.Config(
            create_app(settings),
            log_level="warning",
            server_header=False,
            http=protocol_for(settings),
            ws="none",
            proxy_headers=bool(settings.proxy),
            forwarded_allow_ips=settings.proxy or None,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=5,
        )
        # Ctrl-C is how it is meant to end.
        with suppress(KeyboardInterrupt):
            _server(config).run(sockets=list(sockets))

    os.umask(0o077)
    with _listening(settings) as listening:
        address = f"http://{settings.host}:{listening.getsockname()[1]}/"
        running = Message(
            "Honours is at {address} (Ctrl-C stops it; events are in {folder})",
            address=address,
            folder=settings.data,
        )
        check(settings)
        say(running)
        if browser:
            _open_soon(address)
        if settings.processes == 1:
            serve(settings, listening)
        else:
            serve_together(settings, listening, serve)


def _server(config: uvicorn.Config) -> uvicorn.Server:
    """A server that hangs up on those who listen to an evening before it stops, instead of waiting
    for them."""
    import uvicorn

    from honours.web.evening.stream import close_all

    class Ending(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            close_all()
            await super().shutdown(sockets)

    return Ending(config)


def _listening(settings: Settings) -> socket.socket:
    """The socket, or what to do where it cannot be had."""
    import socket

    from honours.errors import InputError

    try:
        return socket.create_server((settings.host, settings.port))
    except OSError as error:
        raise InputError(
            "port {port} of {host} cannot be listened to ({strerror}); is Honours "
            "running already? --port takes another one, 0 any that is free",
            port=settings.port,
            host=settings.host,
            strerror=error.strerror,
        ) from error


def _open_soon(address: str) -> None:
    """The socket listens already, so the browser waits rather than fails."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
