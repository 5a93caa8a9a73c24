"""`honours ledger`: who was awarded what, for which event, and why."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import cache

import click

from honours.cli import ledger_looking
from honours.cli.lazy import CommandGroup, completing


class _LedgerGroup(CommandGroup):
    """A group that loads its commands together when one is asked for, but for the few that only
    look at a member."""

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        return _every()

    @commands.setter
    def commands(self, _commands: MutableMapping[str, click.Command]) -> None:
        """They are those below."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        looking = {"statement": ledger_looking.statement, "why": ledger_looking.why}
        if cmd_name in looking:
            return completing(looking[cmd_name])
        return super().get_command(ctx, cmd_name)


@click.group("ledger", cls=_LedgerGroup)
def command() -> None:
    """Keep a ledger of members and points.

    \b
    Example, from nothing to a first statement:
      honours ledger init
      honours ledger members import try/members.csv --rulebook sbu-clubs-2016
      honours ledger post try/club-pairs.csv kind=pairs winners=1 \\
          --as-usual --rulebook sbu-clubs-2016 --date 2017-01-14
      honours ledger statement 4001
    """


def _group(name: str, about: str, example: str, **commands: click.Command) -> click.Group:
    shown = "\n".join((about, "", "\b", "Example:", f"  {example}"))
    made = CommandGroup(name, help=shown)
    for called, one in commands.items():
        made.add_command(one, called.strip("_").replace("_", "-"))
    return made


@cache
def _every() -> dict[str, click.Command]:
    from honours.cli import (
        ledger_intake,
        ledger_keeping,
        ledger_lists,
        ledger_members,
        ledger_operations,
        ledger_posting,
        ledger_proving,
        ledger_sending,
    )
    from honours.ledger.lists import LISTS

    every = (
        ledger_keeping.init,
        _group(
            "members",
            "Keep the members.",
            "honours ledger members list",
            list=ledger_members.members,
            import_=ledger_members.import_members,
            edit=ledger_members.edit,
            merge=ledger_operations.merge,
            unmerge=ledger_operations.unmerge,
            duplicates=ledger_members.duplicates,
            act=ledger_operations.act,
            erase=ledger_operations.erase,
        ),
        ledger_posting.post,
        _group(
            "drafts",
            "Look at what waits for release, and release it.",
            "honours ledger drafts list",
            list=ledger_posting.drafts,
            release=ledger_posting.release,
            withdraw=ledger_operations.withdraw,
            allow=ledger_posting.allow,
        ),
        ledger_operations.reverse,
        _group(
            "years",
            "Close a year, so that what comes late counts in the next.",
            "honours ledger years close 2017-12-31 --dry-run",
            list=ledger_intake.closed_years,
            close=ledger_operations.close,
            reopen=ledger_operations.reopen,
        ),
        ledger_looking.statement,
        ledger_looking.why,
        _group(
            "lists",
            "List ranks, the points of a period, everybody, a year.",
            "honours ledger lists ranks",
            **{one.name: ledger_lists.list_command(one) for one in LISTS.values()},
            qualify=ledger_lists.qualify,
            year=ledger_lists.year,
            kinds=ledger_members.kinds,
        ),
        _group(
            "returns",
            "Take in what clubs send, and send what is awarded.",
            "honours ledger returns receipts",
            intake=ledger_intake.intake,
            receipts=ledger_intake.kept_receipts,
            decide=ledger_intake.decide,
            make=ledger_sending.submit,
            list=ledger_sending.submissions,
            mark=ledger_operations.mark_return,
        ),
        _group(
            "audit",
            "Verify the ledger, and prove what is in it.",
            "honours ledger audit verify",
            verify=ledger_keeping.verify,
            head=ledger_proving.head,
            witness=ledger_proving.witness,
            follows=ledger_proving.follows,
            key=ledger_proving.key,
            prove=ledger_proving.prove,
            check_proof=ledger_proving.check_proof,
            assert_=ledger_proving.assert_,
            assertions=ledger_proving.assertions,
        ),
        _group(
            "copies",
            "Export the ledger, back it up, restore it, upgrade it.",
            "honours ledger copies backup honours-2017-01-14.backup",
            export=ledger_keeping.export,
            backup=ledger_keeping.backup,
            restore=ledger_keeping.restore,
            upgrade=ledger_keeping.upgrade,
        ),
    )
    return {str(one.name): one for one in every}
