"""`honours accounts`: who may sign in to a server that many people use, and what they may do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from honours.cli.declared import JSON, argument, as_command, option
from honours.cli.lazy import CommandGroup
from honours.cli.messages import say, say_json, say_table
from honours.model.message import Message, joined, word
from honours.model.rights import ACTIONS, EVERY_CLUB, ROLES

if TYPE_CHECKING:
    from honours.web.accounts.administration import Administration

CLUB = option("Where; else at every club.", "NAME")


def _of_a_server(function: Callable[..., None]) -> Callable[..., None]:
    """The options that say which server; the command is handed its accounts, as an administrator
    of every club has them."""

    @wraps(function)
    def command(data: str | None, database: str, **options: Any) -> None:
        from pathlib import Path

        from honours.web.accounts.administration import Administration
        from honours.web.accounts.roles import UserAccount, granted
        from honours.web.accounts.store import Accounts
        from honours.web.settings import Settings, data_folder

        settings = Settings(data=Path(data) if data else data_folder(), database=database)
        everywhere = UserAccount("", (granted(EVERY_CLUB, "administrator"),))
        function(Administration(Accounts(settings.accounts_at), everywhere), **options)

    del command.__annotations__["office"]  # which no shell gives
    where = click.option(
        "--database",
        default="",
        envvar="HONOURS_DATABASE",
        metavar="postgresql://…",
        help="The server's database.",
    )
    folder = click.option(
        "--data", type=click.Path(file_okay=False), help="The server's data folder."
    )
    return folder(where(command))


@click.group("accounts", cls=CommandGroup)
def command() -> None:
    """List, add and change the accounts of a server, and the roles they may have.

    \b
    Example:
      honours accounts give "A. Secretary" secretary --club "Aberdeen BC"
    """


@as_command("list", command)
@_of_a_server
def everybody(office: Administration, as_json: bool = JSON) -> None:
    """List everybody who may sign in, with their roles.

    \b
    Example:
      honours accounts list
    """
    if as_json:
        roles = {
            one.name: [{"role": held.role, "club": held.club} for held in one.grants]
            for one in office.everybody()
        }
        say_json([{"name": name, "roles": held} for name, held in roles.items()])
        return
    if not office.everybody():
        say(Message("nobody may sign in yet"))
    for account in office.everybody():
        held = (
            Message("{role} at {club}", role=word(one.role), club=one.club or Message("every club"))
            for one in account.grants
        )
        say(joined(": ", (account.name, joined(", ", held))))


@as_command("give", command)
@_of_a_server
def give(office: Administration, name: str, role: str, club: str = CLUB) -> None:
    """Give somebody a role at a club; a new account gets a password.

    \b
    Example:
      honours accounts give "A. Scorer" scorer --club "Aberdeen BC"
    """
    office.accounts.role(role)
    office.grant(name, role, _password(office.accounts.find(name) is not None), club)
    where = club or Message("every club")
    say(Message("{name} is {role} at {club}", name=name, role=word(role), club=where))


@as_command("take", command)
@_of_a_server
def take(office: Administration, name: str, club: str = CLUB) -> None:
    """Take a role at a club away, or the whole account.

    \b
    Examples:
      honours accounts give "A. Scorer" scorer --club "Aberdeen BC"
      honours accounts take "A. Scorer" --club "Aberdeen BC"
    """
    office.take(name, club)
    say(Message("took the role of {name} away", name=name))


@as_command("token", command)
@_of_a_server
def token(
    office: Administration,
    name: str,
    label: str = option("What for.", "TEXT"),
    role: str = option("The most it may do.", "ROLE"),
    club: str = CLUB,
) -> None:
    """Make a token for somebody's program; it is shown only once.

    \b
    Examples:
      honours accounts give "A. Scorer" scorer
      honours accounts token "A. Scorer" --label "results page" --role viewer
    """
    from honours.web.accounts.keys import TokenWish

    say(office.of(name).token(name, TokenWish(label=label, role=role, club=club)))


@as_command("roles", command)
@_of_a_server
def roles(office: Administration, as_json: bool = JSON) -> None:
    """List the roles there are, and what each lets somebody do.

    \b
    Example:
      honours accounts roles
    """
    from honours.model.table import headed, table

    known = {
        role: [action for action in ACTIONS if action in held]
        for role, held in office.accounts.roles().items()
    }
    if as_json:
        say_json(
            [
                {"role": role, "actions": held, "built_in": role in ROLES}
                for role, held in known.items()
            ]
        )
        return
    columns = [headed("role"), headed("actions")]
    rows = [[word(role), joined(", ", map(word, held))] for role, held in known.items()]
    say_table(table("roles", columns, rows))


@as_command("role", command)
@_of_a_server
def role(
    office: Administration,
    role: str,
    actions: tuple[str, ...] = argument(type=click.Choice([*ACTIONS])),
    remove: bool = option("Take a role away that nobody has."),
) -> None:
    """Make a role of some actions, or take one away.

    \b
    Examples:
      honours accounts role auditor read look audit
      honours accounts role auditor --remove
    """
    if remove:
        office.accounts.drop_role(role)
        say(Message("took the role {role} away", role=role))
    else:
        office.accounts.set_role(role, actions)
        say(joined(": ", (word(role), joined(", ", map(word, actions)))))


def _password(known: bool) -> str:
    """Asked for twice; nothing keeps the one there is."""
    ask = "Password (nothing keeps the one there is)" if known else "Password"
    default = "" if known else None
    password: str = click.prompt(
        ask, default=default, show_default=False, hide_input=True, confirmation_prompt=True
    )
    return password
