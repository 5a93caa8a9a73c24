"""The commands of the ledger about people and kinds of points."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.declared import argument, option
from honours.cli.folders import counting
from honours.cli.ledger_options import F, LedgerCommand, answer, public_option, reading, writing
from honours.cli.messages import say_table
from honours.model.member import DETAILS
from honours.model.message import Message


@writing
def import_members(
    at: LedgerCommand,
    file: str = argument("FILE", type=click.Path(dir_okay=False)),
    rulebook: str | None = option("Whose points the opening balances are.", "ID"),
    why: str = option("The reason, if balances are corrected.", "TEXT"),
    day: str = option("The balances' day; today.", "YYYY-MM-DD", "--date"),
) -> None:
    """Add and change members from a CSV.

    Columns: number, name (or first and last), visitor, opted_out. With --rulebook, a column
    called like a kind of points (local, national, …) holds opening balances. The same list again
    changes nothing; a balance that differs from the posted one needs --why.

    \b
    Example:
      honours ledger members import try/members.csv --rulebook sbu-clubs-2016 --dry-run
    """
    from dataclasses import asdict

    from honours.formats.reading import iso_day
    from honours.ledger.answers import enrolment_answer
    from honours.ledger.enrol import import_members as enrol
    from honours.rulebooks import load

    book = load(rulebook) if rulebook else None
    day = iso_day("date", day) if day else ""
    with counting() as tell:
        done = enrol(at.open(), file, at.who, book, tell, dry_run=at.dry_run, why=why, day=day)
    at.answer(enrolment_answer(done), asdict(done))


@reading
@public_option
def members(at: LedgerCommand, public: bool) -> None:
    """List the members.

    \b
    Example:
      honours ledger members list --json
    """
    from honours.ledger.members import everyone
    from honours.ledger.shapes import MEMBERS

    with at.open().reading() as connection:
        listed = [m for m in everyone(connection) if not (public and m.opted_out)]
    at.answer(MEMBERS.table(listed), [MEMBERS.data(m) for m in listed])


def _details(function: F) -> F:
    """An option for each detail that is kept of a member."""
    for detail in reversed(DETAILS):
        name = detail.name.replace("_", "-")
        both = f"--{name}/--{detail.otherwise}" if detail.is_yes_no else f"--{name}"
        function = click.option(both, detail.name, default=None, help=detail.about)(function)
    return function


@writing
@_details
def edit(
    at: LedgerCommand,
    member: str,
    name: str | None = option("", "TEXT"),
    number: str | None = option("", "TEXT"),
    **details: Any,
) -> None:
    """Change a member's name, number or wish to be published.

    \b
    Example:
      honours ledger members edit 4001 --opted-out
    """
    from honours.ledger import members as people
    from honours.ledger.shapes import MEMBERS

    wanted = {"name": name, "number": number, **details}
    changes = {key: value for key, value in wanted.items() if value is not None}
    with at.open().writing(at.dry_run, at.who) as connection:
        person = people.find(connection, member)
        people.change(connection, person.id, **changes)
        now = people.get(connection, [person.id])[person.id]
    at.answer(f"{now.title} {now.number}", MEMBERS.data(now))


@reading
def duplicates(at: LedgerCommand) -> None:
    """List members that may be one person, and the numbers members had before.

    \b
    Example:
      honours ledger members duplicates
    """
    from honours.ledger import members as people
    from honours.ledger.bulk import lots
    from honours.ledger.identify import likely_duplicates
    from honours.ledger.shapes import MEMBERS, duplicates_table

    likely: list[Any] = []
    with at.open().reading() as connection:
        found = False
        for pairs in lots(likely_duplicates(connection)):
            found = True
            if at.as_json:
                likely += [[MEMBERS.data(a), MEMBERS.data(b)] for a, b in pairs]
            else:
                say_table(duplicates_table(pairs))
        had = people.numbers_of(connection)
        names = people.get(connection, had)
    before = [
        Message(
            "{who}: before {numbers}",
            who=f"{names[i].title} {names[i].number}",
            numbers=tuple(numbers),
        )
        for i, numbers in had.items()
    ]
    earlier = [{**MEMBERS.data(names[i]), "numbers": n} for i, n in had.items()]
    none = [] if found else [Message("no likely duplicates")]
    at.answer([*none, *before], {"likely": likely, "earlier": earlier})


@writing
def kinds(
    at: LedgerCommand,
    add: str | None = option("Name a kind of your own.", "NAME"),
    colour: str = option("With --add: its colour.", "WORD"),
    rulebook: str | None = option("With --add: whose points they are.", "ID"),
) -> None:
    """List the kinds of points, or add one.

    \b
    Example:
      honours ledger lists kinds --add green --colour green --rulebook sbu-clubs-2016
    """

    from honours.errors import InputError
    from honours.ledger import kinds as points
    from honours.ledger.derive import smallest_decimals
    from honours.ledger.shapes import KINDS
    from honours.rulebooks import load

    with at.open().writing(at.dry_run, at.who) as connection:
        if add:
            if not rulebook:
                raise InputError("--add needs --rulebook, which says whose points they are")
            book = load(rulebook)
            points.ensure_scheme(connection, book)
            points.add(connection, book.body, add, colour or add, smallest_decimals(book))
        known = points.all_kinds(connection)
    answer(KINDS.table(known), [KINDS.data(k) for k in known], at.as_json, at.dry_run and bool(add))
