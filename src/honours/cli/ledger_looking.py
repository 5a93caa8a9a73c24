"""The commands of the ledger that look at people: statements, reasons, ranks."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from honours.cli.declared import option
from honours.cli.ledger_options import LedgerCommand, public_option, reading
from honours.cli.messages import say_table
from honours.cli.options import rulebooks_option
from honours.errors import InputError
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.ledger.answers import Answer


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


@reading
@public_option
@rulebooks_option()
def ranks(
    at: LedgerCommand,
    public: bool,
    rulebooks: tuple[str, ...],
    member: str | None = option("One member, with every promotion and its event.", "WHO"),
    limit: int | None = option("Only so many of a scheme.", "N", type=click.IntRange(1)),
    after: str | None = option("Those that follow a member.", "WHO"),
    on: str | None = option("As they were on that day.", "YYYY-MM-DD"),
) -> None:
    """Show everybody's rank and what the next one needs.

    \b
    Examples:
      honours ledger lists ranks --member 4001
      honours ledger lists ranks --limit 10 --after 4001
      honours ledger lists ranks --on 2017-09-01
    """
    from honours.formats.reading import iso_day
    from honours.ledger import kinds, members
    from honours.ledger import ranks as ranking
    from honours.ledger.checkpoint import line_of
    from honours.ledger.list_tables import rungs_on
    from honours.ledger.shapes import PROMOTIONS, RANKS

    if on and after:
        raise InputError("--after goes on from a place of today: leave it out with --on")
    data: list[Any] = []
    parts: Answer = []
    shown = False
    with at.open().reading() as connection:
        kept = line_of(connection)
        for scheme in dict.fromkeys(k.scheme for k in kinds.all_kinds(connection)):
            steps = ranking.ladder(scheme, rulebooks)
            if on:
                found = members.find(connection, member).id if member else None
                then = rungs_on(connection, scheme, steps, iso_day("on", on))
                wanted = (rung for rung in then if found in (None, rung.member.id))
                rungs, promoted = list(islice(wanted, limit)), []
            elif not (member or limit or at.as_json):
                place = members.find(connection, after).id if after else None
                for some in ranking.parts(connection, scheme, steps, place, public):
                    say_table(RANKS.table(some, scheme))
                shown = True
                continue
            elif member:
                who = members.find(connection, member)
                rungs = ranking.rungs_of(connection, scheme, steps, [who.id])
                promoted = ranking.history(connection, who.id, scheme, steps)
            else:
                place = members.find(connection, after).id if after else None
                rungs = ranking.listed(connection, scheme, steps, limit, place, public)
                promoted = []
            rungs = [r for r in rungs if not (public and r.member.opted_out)]
            parts.append(RANKS.table(rungs, scheme))
            parts += [PROMOTIONS.table(promoted)] if promoted else []
            data.append(
                {
                    "scheme": scheme,
                    "members": [RANKS.data(r) for r in rungs],
                    "promotions": [PROMOTIONS.data(p) for p in promoted],
                    "checkpoint": kept,
                }
            )
        if public:
            parts.append(Message("The ledger's checkpoint: {line}", line=kept))
    if parts or not shown:
        at.answer(parts or Message("no points yet"), data)
