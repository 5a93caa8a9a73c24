"""The commands of what is done to the ledger, made from its operations."""

from __future__ import annotations

from functools import wraps
from typing import Any, get_type_hints

import click

from honours.cli.ledger_options import LedgerCommand, key_option, writing
from honours.cli.messages import confirm
from honours.cli.options import rulebooks_option
from honours.ledger import members, operations
from honours.ledger.operations import Acting, Operation, perform
from honours.model.member import Member
from honours.model.message import Message, mark


def operation_command(operation: Operation, *examples: str, asking: str = "") -> click.Command:
    """The command of an operation; ``asking`` is what somebody confirms first."""
    hints = get_type_hints(operation, include_extras=True)
    people = [name for name, kind in hints.items() if kind is Member]

    @wraps(operation)
    def command(
        at: LedgerCommand, rulebooks: tuple[str, ...], key: str, yes: bool = True, **given: Any
    ) -> None:
        opened = at.open()
        with opened.reading() as connection:
            for name in people:
                given[name] = members.find(connection, given[name], itself=True)
        if not (yes or at.dry_run):
            confirm(Message(asking, name=given["member"].title))
        done = perform(operation, Acting(opened, at.who, at.dry_run, rulebooks), key, **given)
        at.answer(done.answer, done.data)

    command.__name__ = operation.__name__.partition("_")[0]
    command.__annotations__ = hints | dict.fromkeys(people, str)
    title = "Examples" if len(examples) > 1 else "Example"
    shown = "\n".join(("\b", f"{title}:", *(f"  honours ledger {one}" for one in examples)))
    command.__doc__ = f"{operation.__doc__}\n\n{shown}"
    if asking:
        command = click.option("--yes", is_flag=True, help="Do not ask.")(command)
    return writing(key_option(rulebooks_option()(command)))


withdraw = operation_command(operations.withdraw_draft, 'drafts withdraw 1 --why "scored again"')
reverse = operation_command(operations.reverse_record, 'reverse 2 --why "the session was void"')
merge = operation_command(
    operations.merge_member, 'members merge 4006 4005 --why "the same person, listed twice"'
)
unmerge = operation_command(operations.unmerge_member, 'members unmerge 4006 --why "two after all"')
erase = operation_command(
    operations.erase_member,
    'members erase "Alma Reed" --dry-run',
    asking=mark("Forget {name} for good?"),
)
act = operation_command(
    operations.record_act,
    'members act attended 4001 --event "World Championship" --date 2026-05-02',
)
mark_return = operation_command(
    operations.mark_submission,
    "returns mark 1 --status sent",
    'returns mark 1 --status rejected --remark "wrong number for A. Reed"',
)
close = operation_command(operations.close_year, "years close 2017-12-31")
reopen = operation_command(
    operations.reopen_year, 'years reopen --why "the Open was never sent in"'
)
