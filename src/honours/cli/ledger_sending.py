"""The commands of the ledger about what goes to the federation, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from honours.cli.ledger_options import answer, writing
from honours.cli.options import force_option, replaces
from honours.errors import InputError, how_many

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from honours.ledger.submissions import Submission


@click.command("submit")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--since", metavar="YYYY-MM-DD", help="The first day of the period.")
@click.option("--until", metavar="YYYY-MM-DD", help="Its last day.")
@click.option("--club", default="", metavar="NAME", help="Whose events, if there are several.")
@click.option("--again", type=int, metavar="SUBMISSION", help="Write one's file once more.")
@force_option
@writing
def submit(
    file: str,
    since: str | None,
    until: str | None,
    club: str,
    again: int | None,
    force: bool,
    ledger: str,
    as_json: bool,
    who: str,
    dry_run: bool,
) -> None:
    """Make the file for the federation of what is pending of a period.

    One USEBIO document with an event for each award; what was taken back after it was sent is an
    event with negative points.

    \b
    Examples:
      honours ledger submit january.xml --since 2017-01-01 --until 2017-01-31
      honours ledger submit january.xml --again 1
    """
    from honours.files import XML, new_file
    from honours.ledger import submissions as sending
    from honours.ledger.store import open_ledger

    if again is None and not (since and until):
        raise InputError("which period? Say e.g. --since 2017-01-01 --until 2017-01-31")
    opened = open_ledger(ledger)
    replaced = replaces(file, XML, force)
    with nullcontext() if dry_run else new_file(file, XML, replaced) as beside:
        if again is None:
            period = (str(since), str(until))
            made = sending.submit(opened, *period, who, dry_run, club, _writing(beside))
        else:
            with opened.reading() as connection:
                made = sending.find(connection, again)
                _writing(beside)(connection, made)
    text = f"submission {made.id}: {how_many(len(made.records), 'record')} in {file}"
    data = {"submission": made.id, "records": list(made.records), "file": file}
    answer(f"{text}, which was replaced" if replaced else text, data, as_json, dry_run)


def _writing(file: Path | None) -> Callable[[Connection, Submission], None]:
    """Writes a submission's document; a dry run has no file to write to."""
    from honours.ledger.submission_file import usebio

    def write(connection: Connection, made: Submission) -> None:
        document = usebio(connection, made.id)
        if file:
            file.write_bytes(document)

    return write


@click.command("submissions")
@click.option("--mark", type=int, metavar="SUBMISSION", help="Note what became of one.")
@click.option("--status", type=click.Choice(["pending", "sent", "rejected"]))
@click.option("--remark", default="", metavar="TEXT", help="The reason of a rejection.")
@writing
def submissions(
    mark: int | None,
    status: str | None,
    remark: str,
    ledger: str,
    as_json: bool,
    who: str,  # noqa: ARG001
    dry_run: bool,
) -> None:
    """Show what is pending, sent and rejected; what was rejected is pending again.

    \b
    Examples:
      honours ledger submissions --mark 1 --status sent
      honours ledger submissions --mark 1 --status rejected --remark "wrong number for A. Reed"
    """
    from dataclasses import asdict

    from honours.ledger import submissions as sending
    from honours.ledger.shown import overview_text
    from honours.ledger.store import open_ledger

    opened = open_ledger(ledger)
    if mark is not None:
        if status is None:
            raise InputError("--mark needs --status: pending, sent or rejected")
        sending.mark(opened, mark, status, remark, dry_run)
    with opened.reading() as connection:
        pending, made = sending.overview(connection)
    data = {
        "pending": [dict(r._mapping) for r in pending],
        "submissions": [asdict(s) for s in made],
    }
    answer(overview_text(pending, made), data, as_json, dry_run)
