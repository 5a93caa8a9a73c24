"""The commands of the ledger about what goes to the federation, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from honours.cli.declared import argument, option
from honours.cli.ledger_options import LedgerCommand, reading, writing
from honours.cli.messages import say
from honours.cli.options import force_option, replaces
from honours.errors import InputError
from honours.model.message import Message, plural

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from honours.ledger.submissions import Submission
    from honours.model import Event
    from honours.reports.sending import Concern


@writing
@force_option
def submit(
    at: LedgerCommand,
    force: bool,
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    target: str | None = option("The file to write.", "NEW", "--out"),
    receiver: str | None = option(
        "Check every event as this receiver would; otherwise none is.",
        None,
        "--to",
        type=click.Choice(["sbu", "ebu", "honours"]),
    ),
    since: str | None = option("The first day of the period.", "YYYY-MM-DD"),
    until: str | None = option("Its last day.", "YYYY-MM-DD"),
    club: str = option("Whose events, if there are several.", "NAME"),
    again: int | None = option("Write the file of this submission once more.", "SUBMISSION"),
) -> None:
    """Write the pending awards of a period as a file for the federation.

    It is one USEBIO document with an event for each award. An award that was reversed after it was
    sent is an event with negative points. With --to each event is checked first as the receiver
    would, and a file that it would reject is not made. KEY=VALUE says what the ledger does not
    (charge, club_number, guests, version). Nothing is sent over a network.

    The file has what is in the ledger. Only a server knows whether one of its events has changed
    since it was posted; a file made there leaves such an event out.

    \b
    Examples:
      honours ledger returns make --since 2017-01-01 --until 2017-01-31 --out january.xml
      honours ledger returns make again.xml --again 1
    """
    from honours.files import XML, new_file
    from honours.ledger import submissions as sending

    if again is None and not (since and until):
        raise InputError("which period? Say e.g. --since 2017-01-01 --until 2017-01-31")
    file, details = _target(given, target)
    check = _checking(receiver, details)
    opened = at.open()
    replaced = replaces(file, XML, force)
    with nullcontext() if at.dry_run else new_file(file, XML, replaced) as beside:
        if again is None:
            period = (str(since), str(until))
            then = _writing(beside, check, details)
            made = sending.submit(opened, *period, at.who, at.dry_run, club, then=then)
        else:
            with opened.reading() as connection:
                made = sending.find(connection, again)
                _writing(beside, check, details)(connection, made)
    text = plural(
        "submission {number}: {count} record in {file}",
        "submission {number}: {count} records in {file}",
        count=len(made.records),
        number=made.id,
        file=file,
    )
    data = {"submission": made.id, "records": list(made.records), "file": file}
    if replaced:
        text = Message("{submission}, which was replaced", submission=text)
    at.answer(text, data)


def _target(given: tuple[str, ...], target: str | None) -> tuple[str, dict[str, str]]:
    """The file to write, by --out or as the first argument, and what is said beside it."""
    from honours.cli.options import pairs

    names = [one for one in given if "=" not in one]
    if len(names) + (target is not None) != 1:
        raise InputError("which file? Say e.g. --out january.xml")
    return target or names[0], pairs([one for one in given if "=" in one])


_Check = Callable[["Sequence[Event]"], "tuple[Event, ...]"]


def _checking(receiver: str | None, details: dict[str, str]) -> _Check:
    """Looks at every event as the receiver would; gives them as it takes them."""
    if receiver is None:
        if details:
            raise InputError(
                "{details}=…: KEY=VALUE is for a receiver: name it with --to",
                details=next(iter(details)),
            )
        return _with_numbers_noted

    def check(events: Sequence[Event]) -> tuple[Event, ...]:
        from honours.reports.sending import checked_return

        made, concerns = checked_return(events, receiver, details)
        for concern in concerns:
            say(_mended_in_the_ledger(concern).text, err=True)
        return made

    return check


def _with_numbers_noted(events: Sequence[Event]) -> tuple[Event, ...]:
    """All as they are; whoever has no number is told of, as a receiver would."""
    from honours.ledger.submissions import unnumbered

    for concern in unnumbered(events):
        say(Message("Warning: {concern}", concern=concern), err=True)
    return tuple(events)


def _mended_in_the_ledger(concern: Concern) -> Concern:
    """A number that is missing is added to the ledger: a period has no file of results."""
    if not concern.lacks:
        return concern
    mend = Message("add it: honours ledger members edit NAME --number NUMBER")
    if concern.lacks == "number or guest":
        mend = Message("{mend}, or say guests={who}", mend=mend, who="NAME")
    return replace(concern, mend=mend)


def _writing(
    file: Path | None, check: _Check, details: dict[str, str]
) -> Callable[[Connection, Submission], None]:
    """Writes a submission's document; a dry run has no file to write to."""
    from honours.formats.usebio import VERSIONS, write_usebio
    from honours.ledger.submissions import events

    def write(connection: Connection, made: Submission) -> None:
        version = details.get("version", VERSIONS[0])
        checked = check(events(connection, made.id))
        document = write_usebio(*checked, version=version).data
        if file:
            file.write_bytes(document)

    return write


@reading
def submissions(at: LedgerCommand) -> None:
    """Show what is pending, sent and rejected; what was rejected is pending again.

    \b
    Example:
      honours ledger returns list
    """
    from honours.ledger import submissions as sending
    from honours.ledger.answers import overview_answer
    from honours.ledger.shapes import PENDING, SUBMISSIONS

    with at.open().reading() as connection:
        pending, made = sending.overview(connection)
    data = {
        "pending": [PENDING.data(r) for r in pending],
        "submissions": [SUBMISSIONS.data(s) for s in made],
    }
    at.answer(overview_answer(pending, made), data)
