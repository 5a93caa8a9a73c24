"""The commands of the ledger about the ledger itself: making, checking, copying."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from honours.cli.declared import argument, option
from honours.cli.ledger_options import (
    LedgerCommand,
    copying,
    public_option,
    reading,
    signed_by_option,
)
from honours.cli.options import force_option, replaces, rulebooks_option
from honours.model.message import Message, plural

if TYPE_CHECKING:
    from honours.ledger.verify import Verification

EXIT = {"sound": 0, "altered": 1, "unexplained": 3}
"""The exit code of `verify` for each verdict."""


@copying
def init(at: LedgerCommand) -> None:
    """Make a new, empty ledger.

    \b
    Example:
      honours ledger init --ledger club.db
    """
    from honours.ledger.store import create_ledger

    made = create_ledger(at.ledger, dry_run=at.dry_run)
    at.answer(
        Message("a new ledger at {place}", place=made.where),
        {"ledger": made.where},
    )


@reading
@rulebooks_option()
@signed_by_option
def verify(
    at: LedgerCommand,
    rulebooks: tuple[str, ...],
    signed_by: tuple[str, ...],
    every: bool = option("With --json: the verdict of every posting."),
    head: str | None = option("A checkpoint somebody kept, or a file of one.", "LINE"),
    after: str | None = option(
        "Only what was added since a checkpoint that was verified then.", "FILE", "--from"
    ),
    processes: int | None = option(
        "How many derive at once; of a long ledger, as many as there are cores.",
        "N",
        type=click.IntRange(1, 64),
    ),
) -> None:
    """Check everything that is written, and derive every award again.

    The exit code is 0 if the ledger is sound; 1 if something in it was altered; 3 if it is as it
    was written but an award cannot be explained: its rulebook is not installed, or its text
    differs. Rulebooks of others are run only if you confirm them, by their content.

    With --head it also says whether the ledger continues a checkpoint: how much was added since,
    and which records were rewritten.

    \b
    Examples:
      honours ledger audit verify --json --every
      honours ledger audit verify --head checkpoint.json
      honours ledger audit verify --from checkpoint.json
    """
    from honours.ledger.checkpoint import check_signatures, read_checkpoint
    from honours.ledger.verify import processes_for
    from honours.ledger.verify import verify as check

    before = read_checkpoint(head) if head else None
    if before:
        check_signatures(before, signed_by)
    opened = at.open()
    verified = check(
        opened,
        rulebooks,
        before,
        every=every and at.as_json,
        processes=processes or processes_for(opened),
        after=read_checkpoint(after) if after else None,
    )
    _verified(at, verified, EXIT[verified.verdict])


@copying
@public_option
@force_option
def export(
    at: LedgerCommand,
    public: bool,
    force: bool,
    folder: str = argument(type=click.Path(file_okay=False)),
    form: str = option(
        "", None, "--format", default="csv", type=click.Choice(["csv", "parquet", "json"])
    ),
) -> None:
    """Write everything into a folder, a file for each table.

    \b
    Example:
      honours ledger copies export out --format json
    """
    from honours.ledger.copies import export as write

    counts = write(at.open(), folder, form, public, at.dry_run, force)
    text = ", ".join(f"{n} {name}" for name, n in counts.items())
    at.answer(f"{folder}: {text}", counts)


def _verified(at: LedgerCommand, verified: Verification, code: int) -> None:
    from honours.ledger.answers import verification_answer, verification_data

    at.answer(verification_answer(verified), verification_data(verified))
    if code:
        raise SystemExit(code)


@copying
@force_option
def backup(
    at: LedgerCommand, force: bool, file: str = argument(type=click.Path(dir_okay=False))
) -> None:
    """Write a backup into one file, while others may go on working.

    \b
    Example:
      honours ledger copies backup honours-2017-01-14.backup
    """
    from honours.files import BACKUP
    from honours.ledger.copies import backup as write

    opened = at.open()
    count = write(opened, file, at.dry_run, replaces(file, BACKUP, force))
    at.answer(
        plural("{file}: {count:,} row", "{file}: {count:,} rows", count=count, file=file),
        {"file": file, "rows": count},
    )


@copying
def restore(at: LedgerCommand, file: str = argument(type=click.Path(dir_okay=False))) -> None:
    """Make a new ledger from a backup, on either database, and verify it.

    \b
    Example:
      honours ledger copies restore honours-2017-01-14.backup --ledger again.db
    """
    from honours.ledger.copies import restore as read

    verified = read(file, at.ledger, at.dry_run)
    # It is good if nothing in it was altered, whether or not its rulebooks are here too.
    _verified(at, verified, EXIT["altered"] if verified.verdict == "altered" else 0)


def _versions(was: str, now: str) -> Message:
    if was == now:
        return Message("version {now} already", now=now)
    return Message("version {was} → {now}", was=was, now=now)


@copying
def upgrade(at: LedgerCommand) -> None:
    """Bring a ledger made by an older Honours to this version. Make a backup first.

    \b
    Example:
      honours ledger copies upgrade --dry-run
    """
    from honours.ledger.store import upgrade_ledger

    was, now = upgrade_ledger(at.ledger, at.dry_run)
    at.answer(_versions(was, now), {"from": was, "to": now})
