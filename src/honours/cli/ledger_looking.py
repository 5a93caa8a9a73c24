"""The commands of the ledger that look at people: statements, reasons, ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.cli.ledger_options import LedgerCommand, reading

if TYPE_CHECKING:
    pass


@reading
def statement(at: LedgerCommand, member: str) -> None:
    """Show a member's postings and balances; MEMBER is a number or a name.

    \b
    Example:
      honours ledger statement "Alma Reed"
    """
    from honours.ledger import members
    from honours.ledger.shapes import statement_answer, statement_data
    from honours.ledger.statement import statement as statement_of

    with at.open().reading() as connection:
        shown = statement_of(connection, members.find(connection, member))
    at.answer(statement_answer(shown), statement_data(shown))


@reading
def why(at: LedgerCommand, posting: int) -> None:
    """Explain a posting, as it was explained when it was made.

    \b
    Example:
      honours ledger why 8
    """
    from honours.ledger.answers import reason_answer
    from honours.ledger.shapes import reason_data
    from honours.ledger.statement import reason

    with at.open().reading() as connection:
        because = reason(connection, posting)
    at.answer(reason_answer(because), reason_data(because))
