"""The commands of the ledger about people and kinds of points."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.folders import counting
from honours.cli.ledger_options import F, LedgerCommand, answer, public_option, reading, writing
from honours.cli.messages import confirm, say_table
from honours.model.member import DETAILS
from honours.model.message import Message


@click.command("import-members")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.option("--rulebook", metavar="ID", help="Whose points the opening balances are.")
@click.option("--why", default="", metavar="TEXT", help="The reason, if balances are corrected.")
@click.option("--date", "day", default="", metavar="YYYY-MM-DD", help="The balances' day; today.")
@writing
def import_members(at: LedgerCommand, file: str, rulebook: str | None, why: str, day: str) -> None:
    """Add and change members from a CSV.

    Columns: number, name (or first and last), visitor, opted_out. With --rulebook, a column
    called like a kind of points (local, national, …) holds opening balances. The same list again
    changes nothing; a balance that is another than was posted needs --why.

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
        done = enrol(at.open(), file, at.who, book, at.dry_run, why, day, tell)
    at.answer(enrolment_answer(done), asdict(done))


@click.command("members")
@public_option
@reading
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


@click.command("edit")
@click.argument("member")
@click.option("--name", metavar="TEXT")
@click.option("--number", metavar="TEXT")
@_details
@writing
def edit(
    at: LedgerCommand, member: str, name: str | None, number: str | None, **details: Any
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


@click.command("duplicates")
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


@click.command("merge")
@click.argument("member")
@click.argument("into", required=False)
@click.option("--undo", is_flag=True, help="Take the merger of MEMBER back.")
@click.option("--why", default="", metavar="TEXT", help="The reason.")
@writing
def merge(at: LedgerCommand, member: str, into: str | None, undo: bool, why: str) -> None:
    """Count MEMBER's postings as another member's, or no longer; nothing is moved.

    \b
    Examples:
      honours ledger members merge 4006 4005 --why "the same person, listed twice"
      honours ledger members merge 4006 --undo
    """
    from honours.errors import InputError
    from honours.ledger import members as people

    with at.open().writing(at.dry_run, at.who) as connection:
        if undo:
            first = _own_id(connection, member)
            record = people.unmerge(connection, first, at.who, why)
            text = Message("#{member} counts for itself again", member=first)
        else:
            if not into:
                raise InputError("say whom to merge into whom: MEMBER INTO")
            a, b = people.find(connection, member), people.find(connection, into)
            record = people.merge(connection, a.id, b.id, at.who, why)
            text = Message(
                "#{member} {name} counts as #{other} {other_name}; undo: merge '#{member}' --undo",
                member=a.id,
                name=a.title,
                other=b.id,
                other_name=b.title,
            )
    at.answer(text, {"record": record, "said": text})


def _own_id(connection: object, member: str) -> int:
    """The member itself, not the one it was merged into."""
    from sqlalchemy import Connection

    from honours.ledger import members as people

    assert isinstance(connection, Connection)
    if member.startswith("#") and member[1:].isdigit():
        return int(member[1:])
    known = people.by_number(connection, member)
    return known.id if known else people.by_name(connection, member)[0].id


@click.command("erase")
@click.argument("member")
@click.option(
    "--why",
    default="on request",
    show_default=True,
    metavar="TEXT",
    help="The reason, without the name.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@writing
def erase(at: LedgerCommand, member: str, why: str, yes: bool) -> None:
    """Forget a person: name and number go for good, the points stay with a bare id.

    Backups made before still hold the name. Where somebody wrote it into a title, a reason or a
    file's name, which the chain keeps for good, that is told.

    \b
    Example:
      honours ledger members erase "Alma Reed" --dry-run
    """
    from honours.ledger import members
    from honours.ledger import members as people

    opened = at.open()
    with opened.reading() as connection:
        person = people.find(connection, member)
        left = members.left_for_good(connection, people.group(connection, person.id))
    if not yes and not at.dry_run:
        confirm(Message("Forget {name} for good?", name=person.title))
    with opened.writing(at.dry_run, at.who) as connection:
        record = people.erase(connection, person.id, at.who, why)
    remarks = [
        Message("somebody wrote the name where nothing is ever taken away: {place}", place=place)
        for place in left
    ]
    at.answer(
        [Message("#{member} is nobody's name now", member=person.id), *remarks],
        {"member": person.id, "record": record, "left": [str(place) for place in left]},
    )


@click.command("kinds")
@click.option("--add", metavar="NAME", help="Name a kind of your own.")
@click.option("--colour", default="", metavar="WORD", help="With --add: its colour.")
@click.option("--rulebook", metavar="ID", help="With --add: whose points they are.")
@writing
def kinds(at: LedgerCommand, add: str | None, colour: str, rulebook: str | None) -> None:
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
                raise InputError("--add needs --rulebook: whose points they are")
            book = load(rulebook)
            points.ensure_scheme(connection, book)
            points.add(connection, book.body, add, colour or add, smallest_decimals(book))
        known = points.all_kinds(connection)
    answer(KINDS.table(known), [KINDS.data(k) for k in known], at.as_json, at.dry_run and bool(add))
