"""`honours browser`: the edition that needs no server."""

from __future__ import annotations

from pathlib import Path

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.messages import say
from honours.model.message import Message
from honours.places import own_folder


@as_command("browser")
def command(
    folder: str = argument("OUT", type=click.Path(file_okay=False)),
    parts: str | None = option(
        "Where the parts made for browsers are kept; npm and pip fetch them on first use.",
        "DIR",
        type=click.Path(file_okay=False),
    ),
) -> None:
    """Write the edition that runs in a browser: files for any web space.

    It is made with node and npm. Nothing is sent to the web space but requests for its files:
    events, names, rulings and the ledger stay in the visitor's browser.

    \b
    Example:
      honours browser honours-in-the-browser
    """
    from honours.web.browser.edition import write_edition

    kept = Path(parts) if parts else own_folder("cache") / "browser"
    size = write_edition(Path(folder), kept)
    done = Message(
        "wrote {folder}: a browser downloads {megabytes} MB once, and more when somebody "
        "asks for a PDF",
        folder=folder,
        megabytes=round(size / 1e6, 1),
    )
    say(done)
