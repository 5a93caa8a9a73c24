"""`honours watch`: a file that grows, scored and awarded whenever it does."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from honours import clock
from honours.cli.messages import chosen_language, say
from honours.cli.options import pairs, rulebook_in, rulebook_options
from honours.cli.scoring_options import declared
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.evening.results import ranked_so_far
from honours.evening.watching import send, versions
from honours.language import words
from honours.model.message import Message, joined
from honours.pipeline import inquired, read_account
from honours.pipeline.options import AWARDING, some
from honours.reports import views
from honours.reports.drawing import draw_text

_NEVER_ENDS = 0


@click.command("watch")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--rulebook", metavar="ID", help="Say what each place would be awarded.")
@rulebook_options
@declared(some(AWARDING, "as_usual"))
@click.option("--evening", default="", metavar="ID", help="Send it to this evening of a server.")
@click.option(
    "--to",
    "server",
    default="http://127.0.0.1:8737",
    show_default=True,
    help="The server's address.",
)
@click.option(
    "--token",
    default="",
    envvar="HONOURS_TOKEN",
    show_envvar=True,
    help="A token of somebody who scores there; better in the environment.",
)
@click.option("--every", default=2.0, show_default=True, help="Seconds between two looks.")
@click.option(
    "--times", type=click.IntRange(0), default=_NEVER_ENDS, help="Stop after so many changes."
)
def command(**options: Any) -> None:
    """Score and award a file again whenever it grows, during play.

    FILE is a Bridgemate's .bws, or what OpenGotha or pairgoth wrote after a round. It prints the
    standings with what each place would be awarded; with --evening the file goes to a watched
    evening of a server, whose pages and big screen show the same. Ctrl-C stops it.

    \b
    Examples:
      honours watch try/tuesday.csv --as-usual --rulebook sbu-clubs-2016 winners=1 \\
          --times 1
    """
    path = Path(options["file"])
    book = rulebook_in(options)
    with suppress(KeyboardInterrupt):  # which is how it is meant to end
        for number, content in enumerate(versions(path, options["every"]), 1):
            _taken(path, content, book, options)
            if number == options["times"]:
                return


def _taken(path: Path, content: bytes, book: Rulebook | None, options: dict[str, Any]) -> None:
    """One look; what is wrong with it is said, and the next one may be right."""
    at = clock.here().strftime("%H:%M:%S")
    try:
        if options["evening"]:
            new = send(options["server"], options["evening"], path.name, content, options["token"])
            sent = Message("sent") if new else Message("nothing new")
            say(Message("{clock}  {file}: {what}", clock=at, file=path.name, what=sent))
        else:
            shown = _standings(path, book, pairs(options["given"]), options["as_usual"])
            say(f"{at}  {path.name}\n\n{shown}")
    except HonoursError as error:
        if options["times"]:
            raise
        say(joined("  ", (at, error.message)), err=True)


def _standings(path: Path, book: Rulebook | None, given: dict[str, str], as_usual: bool) -> str:
    report = ranked_so_far(read_account(path))
    if book is not None:
        report = inquired(report, book, given, as_usual)
    language = chosen_language()
    tables = [draw_text(table.used(), language) for table in views.standings(report)]
    notes = [f"- {words(one, language)}" for one in (*report.notes, *views.rule_notes(report))]
    return "\n\n".join([*tables, "\n".join(notes)]).rstrip() + "\n"
