"""Options that the commands of the ledger share, and how they answer."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.options import kept_language_option
from honours.cli.saying import chosen_language

if TYPE_CHECKING:
    from honours.model import Step
    from honours.model.table import Table

F = TypeVar("F", bound=Callable[..., Any])

NOTHING_DONE = 1
"""The exit code of a command that was asked to write and, for a good reason, did not."""


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
dry_run_option = click.option("--dry-run", is_flag=True, help="Say what would be done, do nothing.")
by_option = click.option(
    "--by",
    "who",
    default=_login,
    envvar="HONOURS_BY",
    metavar="NAME",
    help="Who does this; your login name unless said (also HONOURS_BY).",
)
public_option = click.option("--public", is_flag=True, help="Leave out who opted out.")


looking_option = click.option(
    "--dry-run", is_flag=True, expose_value=False, help="As without: this command only looks."
)


def _answering(function: F) -> F:
    return json_option(kept_language_option(function))


def reading(function: F) -> F:
    """The options of a command that only looks."""
    return looking_option(_answering(ledger_option(function)))


def copying(function: F) -> F:
    """The options of a command that writes, in nobody's name."""
    return dry_run_option(_answering(ledger_option(function)))


def writing(function: F) -> F:
    """The options of a command that writes in somebody's name."""
    return by_option(copying(function))


def answer(
    shown: str | Table | Sequence[str | Table | Step],
    data: Any,
    as_json: bool,
    dry_run: bool = False,
) -> None:
    """Print the answer in the reader's language, or as JSON; a dry run says that it was one."""
    if as_json:
        answered = {**data, "dry_run": True} if dry_run and isinstance(data, dict) else data
        click.echo(json.dumps(answered, ensure_ascii=False, indent=2))
        return
    from honours.model.message import Message
    from honours.model.table import Table
    from honours.reports.drawing import draw_answer

    parts: list[str | Table | Step] = [shown] if isinstance(shown, str | Table) else [*shown]
    if dry_run:
        parts.append(Message("(dry run: nothing was written)"))
    click.echo(draw_answer(parts, chosen_language()))
