"""`honours ledger qualify`: who qualifies for an invitational tournament."""

from __future__ import annotations

import click

from honours.cli.ledger_options import LedgerCommand, reading
from honours.cli.options import rulebooks_option


@click.command("qualify")
@click.argument("register", type=click.Path(exists=True, dir_okay=False))
@rulebooks_option()
@reading
def qualify(at: LedgerCommand, register: str, rulebooks: tuple[str, ...]) -> None:
    """List who qualifies for an invitational tournament.

    REGISTER is a TOML file: the period, how many of the best results count, how many qualify, the
    least category, and the tournaments that were designated. Each invitational has its own.

    \b
    Example:
      honours ledger qualify try/masters.toml
    """
    from honours.ledger.qualify import qualification, qualification_answer, qualification_data
    from honours.ledger.registers import read_register

    asked = read_register(register)
    with at.open().reading() as connection:
        qualified = qualification(connection, asked, rulebooks)
    at.answer(qualification_answer(qualified), qualification_data(qualified))
