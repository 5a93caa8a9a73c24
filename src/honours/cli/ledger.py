"""`honours ledger`: who was awarded what, for which event, and why."""

from __future__ import annotations

import click

from honours.cli import (
    ledger_intake,
    ledger_keeping,
    ledger_lists,
    ledger_members,
    ledger_posting,
    ledger_proving,
    ledger_sending,
)
from honours.ledger.lists.declared import LISTS


@click.group("ledger")
def command() -> None:
    """Keep a ledger of members and points.

    \b
    Example, from nothing to a first statement:
      honours ledger init
      honours ledger import-members try/members.csv --rulebook sbu-clubs-2016
      honours ledger post try/club-pairs.csv kind=pairs winners=1 \\
          --as-usual --rulebook sbu-clubs-2016 --date 2017-01-14
      honours ledger statement 4001
    """


for _each in (
    ledger_keeping.init,
    ledger_members.import_members,
    ledger_members.members,
    ledger_members.edit,
    ledger_posting.post,
    ledger_intake.intake,
    ledger_intake.kept_receipts,
    ledger_posting.drafts,
    ledger_posting.release,
    ledger_posting.withdraw,
    ledger_posting.allow,
    ledger_posting.reverse,
    ledger_posting.statement,
    ledger_posting.why,
    ledger_posting.ranks,
    ledger_lists.qualify,
    ledger_lists.act,
    ledger_lists.living_points,
    *map(ledger_lists.list_command, LISTS.values()),
    ledger_lists.year,
    ledger_members.merge,
    ledger_members.duplicates,
    ledger_members.erase,
    ledger_members.kinds,
    ledger_sending.submit,
    ledger_sending.submissions,
    ledger_keeping.verify,
    ledger_proving.head,
    ledger_proving.witness,
    ledger_proving.follows,
    ledger_proving.key,
    ledger_proving.prove,
    ledger_proving.check_proof,
    ledger_proving.assert_,
    ledger_proving.assertions,
    ledger_keeping.export,
    ledger_keeping.import_,
    ledger_keeping.backup,
    ledger_keeping.restore,
    ledger_keeping.upgrade,
):
    command.add_command(_each)
