"""`honours accounts`: who may sign in to a server that many people use."""

from __future__ import annotations

import click


@click.command("accounts")
@click.argument("name", required=False)
@click.option("--role", type=click.Choice(["viewer", "scorer", "secretary", "administrator"]))
@click.option("--remove", is_flag=True, help="Let them sign in no longer.")
@click.option("--token", is_flag=True, help="Make a token for a program of theirs.")
@click.option("--data", type=click.Path(file_okay=False), help="The server's data folder.")
def command(
    name: str | None, role: str | None, remove: bool, token: bool, data: str | None
) -> None:
    """List, add and change the accounts of a server.

    \b
    Example:
      honours accounts "A. Secretary" --role secretary
    """
    from pathlib import Path

    from honours.web.accounts import Accounts
    from honours.web.settings import data_folder

    accounts = Accounts(Path(data) if data else data_folder())
    if name and remove:
        accounts.remove(name)
    elif name and token:
        click.echo(accounts.token(name))
    elif name and role:
        accounts.set(
            name, role, click.prompt("Password", hide_input=True, confirmation_prompt=True)
        )
    for account in accounts.all() if not token else ():
        click.echo(f"{account.name}: {account.role}")
