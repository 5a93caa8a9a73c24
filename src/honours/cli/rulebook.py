"""`honours rulebook`: what one rulebook says, and whether it holds together."""

from __future__ import annotations

from pathlib import Path

import click

from honours import clock
from honours.cli.declared import JSON, argument, as_command, option
from honours.cli.messages import say, say_answer, say_json
from honours.cli.options import chosen_rulebook, command_name, rulebook_options
from honours.cli.trust import trust_folder
from honours.engine.columns import exact_only_note
from honours.engine.rulebook.lint import RulebookCheck, faults
from honours.engine.rulebook.load import starting_files
from honours.errors import InputError
from honours.model.message import Message, mark, plural, quoted
from honours.reports.rulebook import rulebook_data, rulebook_head, rulebook_tables
from honours.rulebooks import ids


@click.group("rulebook")
def command() -> None:
    """Show a rulebook, check one, or begin one.

    \b
    Examples:
      honours rulebook show aga-category
      honours rulebook new our-club --in try/own
      honours rulebook check village-cup --rulebooks try/rulebooks
    """


@as_command("show", command)
@rulebook_options
def show(
    rulebook: str,
    rulebooks: tuple[str, ...],
    changes: tuple[str, ...],
    variant: str | None,
    as_json: bool = JSON,
) -> None:
    """Show a rulebook: what it asks, its numbers with their clauses, its choices.

    An id means its newest revision; id@1 means the first, which stays as it was released.

    \b
    Example:
      honours rulebook show sbu-clubs-2016
    """
    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    if as_json:
        say_json(rulebook_data(book))
    else:
        tables = [part for pair in rulebook_tables(book) for part in ("", *pair)]
        slow = [part for part in (exact_only_note(book),) if part]
        say_answer([rulebook_head(book), *slow, *tables])


@as_command("check", command)
@rulebook_options
def check(
    rulebook: str, rulebooks: tuple[str, ...], changes: tuple[str, ...], variant: str | None
) -> None:
    """Check a rulebook: run its examples both ways, and lint it.

    \b
    Example:
      honours rulebook check aga-category
    """
    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    checked = faults(book)
    for fault in checked.faults:
        say(fault)
    say(_in_one_line(book.id, checked))
    if checked.faults:
        raise click.exceptions.Exit(1)


def _in_one_line(rulebook_id: str, checked: RulebookCheck) -> Message:
    """Return how many examples were run, in which ways, and how many faults were found."""
    if not checked.ran:
        template = mark("{id}: {examples}, not run until the rules are corrected; {faults}")
    elif not checked.not_in_columns:
        template = mark("{id}: {examples}, exactly and in columns; {faults}")
    elif checked.in_columns:
        template = mark(
            "{id}: {examples}, exactly, of which {columns} in columns too ({why}); {faults}"
        )
    else:
        template = mark("{id}: {examples}, exactly ({why}); {faults}")
    return Message(
        template,
        id=rulebook_id,
        examples=plural("{count} example", "{count} examples", count=checked.examples),
        columns=checked.in_columns,
        why=checked.not_in_columns,
        faults=plural("{count} fault", "{count} faults", count=len(checked.faults)),
    )


@as_command("new", command)
def new(
    rulebook: str = argument("ID"),
    folder: str = option(
        "The folder of rulebooks to put it into; the current one by default.",
        "DIR",
        "--in",
        default=".",
        type=click.Path(file_okay=False),
    ),
) -> None:
    """Begin a rulebook: a folder with four small files that pass the check.

    \b
    Example:
      honours rulebook new our-club --in try/own
    """
    if rulebook in ids():
        raise InputError(
            "{rulebook} is a rulebook that comes with Honours: a folder of that id would be used "
            "instead of it. Nothing was written; name another id",
            rulebook=rulebook,
        )
    files = starting_files(rulebook, clock.now().year)
    target = Path(folder) / rulebook.replace("-", "_")
    if target.exists():
        raise InputError(
            "{target} already exists, so nothing was written; name another id", target=target
        )
    target.mkdir(parents=True)
    for name, text in files.items():
        (target / name).write_text(text, encoding="utf-8")
    trust_folder(target)
    say(Message("wrote {files} into {folder}", files=tuple(files), folder=target))
    words = [command_name(), "rulebook", "check", rulebook, "--rulebooks", str(target)]
    check_it = " ".join(map(quoted, words))
    say(Message("go on: {command}", command=check_it))
