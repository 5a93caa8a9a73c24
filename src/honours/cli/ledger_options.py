"""Options that the commands of the ledger share, and how they answer."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.declared import as_command
from honours.cli.messages import say_answer, say_json
from honours.cli.options import kept_language_option

if TYPE_CHECKING:
    from honours.ledger.store import Ledger
    from honours.model import Step
    from honours.model.table import Table

    Shown = str | Table | Sequence[str | Table | Step]

F = TypeVar("F", bound=Callable[..., Any])


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


ledger_option = click.option(
    "--ledger",
    default="honours.db",
    show_default=True,
    envvar="HONOURS_LEDGER",
    metavar="WHERE",
    help="A file, or postgresql://… (also HONOURS_LEDGER).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="As JSON.")
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Show what would be done, and change nothing."
)
by_option = click.option(
    "--by",
    "who",
    default=_login,
    envvar="HONOURS_BY",
    metavar="NAME",
    help="Who does this; your login name unless said (also HONOURS_BY).",
)
signed_by_option = click.option(
    "--signed-by",
    multiple=True,
    metavar="KEY",
    help="Whose signature a checkpoint must have; may be repeated.",
)
key_option = click.option(
    "--key",
    default="",
    metavar="TEXT",
    help="A key of your own: asked again under it, nothing is done again.",
)
public_option = click.option("--public", is_flag=True, help="Leave out who opted out.")


looking_option = click.option(
    "--dry-run",
    is_flag=True,
    expose_value=False,
    help="No difference: this command changes nothing.",
)


@dataclass(frozen=True, slots=True)
class LedgerCommand:
    """The options of every command of the ledger: which ledger, who asks, and how to answer."""

    ledger: str
    as_json: bool
    who: str = ""
    dry_run: bool = False

    def open(self) -> Ledger:
        """The ledger."""
        from honours.ledger.store import open_ledger

        return open_ledger(self.ledger)

    def answer(self, shown: Shown, data: Any) -> None:
        """Print the answer; a dry run says that it was one."""
        answer(shown, data, self.as_json, self.dry_run)


Command = Callable[..., None]


def _together(function: Command) -> Command:
    """The command, which takes these options as one value before its own."""

    @wraps(function)
    def command(**options: Any) -> None:
        names = [one.name for one in fields(LedgerCommand) if one.name in options]
        function(LedgerCommand(**{name: options.pop(name) for name in names}), **options)

    return command


def _answering(function: Command) -> Command:
    return json_option(kept_language_option(ledger_option(function)))


def reading(function: Command) -> click.Command:
    """A command that only looks."""
    return as_command()(looking_option(_answering(_together(function))))


def copying(function: Command) -> click.Command:
    """A command that writes, in nobody's name."""
    return as_command()(dry_run_option(_answering(_together(function))))


def writing(function: Command) -> click.Command:
    """A command that writes in somebody's name."""
    return as_command()(by_option(dry_run_option(_answering(_together(function)))))


def answer(
    shown: Shown,
    data: Any,
    as_json: bool,
    dry_run: bool = False,
) -> None:
    """Print the answer in the reader's language, or as JSON; a dry run says that it was one."""
    if as_json:
        answered = {**data, "dry_run": True} if dry_run and isinstance(data, dict) else data
        say_json(answered)
        return
    from honours.model.message import Message
    from honours.model.table import Table

    parts: list[str | Table | Step] = [shown] if isinstance(shown, str | Table) else [*shown]
    if dry_run:
        parts.append(Message("(dry run: nothing was written)"))
    say_answer(parts)
