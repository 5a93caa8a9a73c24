"""`honours watch`: a file that grows, scored and awarded whenever it does."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from honours import clock
from honours.cli.declared import GIVEN, argument, as_command, option
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


@as_command("watch")
@rulebook_options
@declared(some(AWARDING, "as_usual"))
def command(
    file: str = argument(type=click.Path(exists=True, dir_okay=False)),
    given: tuple[str, ...] = GIVEN,
    rulebook: str | None = option("Say what each place would be awarded.", "ID"),
    evening: str = option("Send it to this evening of a server.", "ID"),
    server: str = option("The server's address.", None, "--to", default="http://127.0.0.1:8737"),
    token: str = option(
        "A token of somebody who scores there; better in the environment.",
        envvar="HONOURS_TOKEN",
        show_envvar=True,
    ),
    every: float = option("Seconds between two looks.", default=2.0),
    times: int = option("Stop after so many changes.", default=_NEVER_ENDS, type=click.IntRange(0)),
    **amended: Any,
) -> None:
    """Score and award a file again whenever it grows, during play.

    FILE is a Bridgemate's .bws, or what OpenGotha or pairgoth wrote after a round. It prints the
    standings with what each place would be awarded; with --evening the file goes to a watched
    evening of a server, whose pages and big screen show the same. Ctrl-C stops it.

    \b
    Examples:
      honours watch try/tuesday.csv --as-usual --rulebook sbu-clubs-2016 winners=1 \\
          --times 1
    """
    path, book = Path(file), rulebook_in({"rulebook": rulebook, **amended})

    def look(content: bytes) -> None:
        """One look; what is wrong with it is said, and the next one may be right."""
        at = clock.here().strftime("%H:%M:%S")
        try:
            if evening:
                new = send(server, evening, path.name, content, token)
                sent = Message("sent") if new else Message("nothing new")
                say(Message("{clock}  {file}: {what}", clock=at, file=path.name, what=sent))
            else:
                shown = _standings(path, book, pairs(given), amended["as_usual"])
                say(f"{at}  {path.name}\n\n{shown}")
        except HonoursError as error:
            if times:
                raise
            say(joined("  ", (at, error.message)), err=True)

    with suppress(KeyboardInterrupt):  # which is how it is meant to end
        for number, content in enumerate(versions(path, every), 1):
            look(content)
            if number == times:
                return


def _standings(path: Path, book: Rulebook | None, given: dict[str, str], as_usual: bool) -> str:
    report = ranked_so_far(read_account(path))
    if book is not None:
        report = inquired(report, book, given, as_usual)
    language = chosen_language()
    tables = [draw_text(table.used(), language) for table in views.standings(report)]
    notes = [f"- {words(one, language)}" for one in (*report.notes, *views.rule_notes(report))]
    return "\n\n".join([*tables, "\n".join(notes)]).rstrip() + "\n"
