"""`honours serve`: the web application on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from honours.cli.declared import as_command, option
from honours.cli.messages import say
from honours.cli.options import rulebooks_option
from honours.model.message import Message

if TYPE_CHECKING:
    import socket

    import uvicorn

    from honours.web.settings import Settings


@as_command("serve")
@rulebooks_option()
def command(
    rulebooks: tuple[str, ...],
    port: int = option("The port to listen on; 0 takes any free one.", default=8737),
    data: str | None = option("Where events are kept.", type=click.Path(file_okay=False)),
    ledger: str = option(
        "Another ledger than the one in the data folder.", "WHERE", envvar="HONOURS_LEDGER"
    ),
    database: str = option(
        "Where ledger and accounts are; otherwise in the data folder.",
        "postgresql://…",
        envvar="HONOURS_DATABASE",
    ),
    accounts: bool = option("People sign in; see `honours accounts`."),
    host: str = option(
        "The address to listen on; any but 127.0.0.1 needs --accounts.", default="127.0.0.1"
    ),
    allow_host: tuple[str, ...] = option("A name the server answers to.", "NAME"),
    proxy: str = option("A proxy in front that says who its clients are.", "ADDRESS"),
    processes: int = option(
        "How many serve together, on the same data.", default=1, type=click.IntRange(1, 64)
    ),
    mail: str = option(
        "A mail server for links to a new password.", "smtp://…", envvar="HONOURS_MAIL"
    ),
    no_browser: bool = option("Do not open the browser."),
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
            timeout_keep_alive=75,  # longer than proxies keep one; of others see the protocol
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
            "port {port} of {host} cannot be used ({strerror}); is Honours already running? "
            "Choose another with --port; 0 takes any free one",
            port=settings.port,
            host=settings.host,
            strerror=error.strerror,
        ) from error


def _open_soon(address: str) -> None:
    """The socket listens already, so the browser waits rather than fails."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
