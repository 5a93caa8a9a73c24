"""`honours accounts`: who may sign in to a server that many people use."""

from __future__ import annotations

import click

from honours.cli.messages import say
from honours.model.message import Message, joined, word
from honours.web.accounts.roles import ROLES


@click.command("accounts")
@click.argument("name", required=False)
@click.option("--role", type=click.Choice([str(role) for role in ROLES]))
@click.option("--club", default="", metavar="NAME", help="Where the role is held; else everywhere.")
@click.option("--remove", is_flag=True, help="Let them sign in no longer.")
@click.option("--token", is_flag=True, help="Make a token for a program of theirs.")
@click.option("--data", type=click.Path(file_okay=False), help="The server's data folder.")
@click.option(
    "--database",
    default="",
    envvar="HONOURS_DATABASE",
    metavar="postgresql://…",
    help="The server's database.",
)
def command(
    name: str | None,
    role: str | None,
    club: str,
    remove: bool,
    token: bool,
    data: str | None,
    database: str,
) -> None:
    """List, add and change the accounts of a server.

    \b
    Example:
      honours accounts "A. Secretary" --role secretary --club "Aberdeen BC"
    """
    from pathlib import Path

    from honours.web.accounts.store import Accounts
    from honours.web.settings import Settings, data_folder

    settings = Settings(data=Path(data) if data else data_folder(), database=database)
    accounts = Accounts(settings.accounts_at)
    if name and remove:
        accounts.remove(name)
    elif name and token:
        say(accounts.token(name))
    elif name and role:
        accounts.set(name, role, _password(name in {one.name for one in accounts.all()}), club)
    for account in accounts.all() if not token else ():
        roles = (
            Message(
                "{role} at {club}",
                role=word(one.role),
                club=one.club or Message("every club"),
            )
            for one in account.grants
        )
        say(joined(": ", (account.name, joined(", ", roles))))


def _password(known: bool) -> str:
    """Asked for twice; nothing keeps the one there is."""
    ask = "Password (nothing keeps the one there is)" if known else "Password"
    default = "" if known else None
    password: str = click.prompt(
        ask, default=default, show_default=False, hide_input=True, confirmation_prompt=True
    )
    return password
