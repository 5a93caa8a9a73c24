"""Options that the commands of the ledger share, and how they answer."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

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


def reading(function: F) -> F:
    """The options of a command that only looks."""
    return looking_option(json_option(ledger_option(function)))


def copying(function: F) -> F:
    """The options of a command that writes, in nobody's name."""
    return dry_run_option(json_option(ledger_option(function)))


def writing(function: F) -> F:
    """The options of a command that writes in somebody's name."""
    return by_option(copying(function))


def answer(text: str, data: Any, as_json: bool, dry_run: bool = False) -> None:
    """Print the answer as text or as JSON; a dry run says that it was one."""
    if as_json:
        told = {**data, "dry_run": True} if dry_run and isinstance(data, dict) else data
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        click.echo(f"{text}\n(dry run: nothing was written)" if dry_run else text)
