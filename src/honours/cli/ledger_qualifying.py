"""`honours ledger qualify`: who qualifies for an invitational tournament."""

from __future__ import annotations

import click

from honours.cli.ledger_options import answer, reading
from honours.cli.options import rulebooks_option


@click.command("qualify")
@click.argument("register", type=click.Path(exists=True, dir_okay=False))
@rulebooks_option()
@reading
def qualify(register: str, rulebooks: tuple[str, ...], ledger: str, as_json: bool) -> None:
    """List who qualifies for an invitational tournament.

    REGISTER is a TOML file: the period, how many of the best results count, how many qualify, the
    least category, and the tournaments that were designated. Each invitational has its own.

    \b
    Example:
      honours ledger qualify try/masters.toml
    """
    from honours.ledger.qualify import qualification, qualification_answer, qualification_data
    from honours.ledger.registers import read_register
    from honours.ledger.store import open_ledger

    asked = read_register(register)
    with open_ledger(ledger).reading() as connection:
        qualified = qualification(connection, asked, rulebooks)
    answer(qualification_answer(qualified), qualification_data(qualified), as_json)
