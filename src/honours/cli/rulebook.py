"""`honours rulebook`: what one rulebook says, and whether it holds together."""

from __future__ import annotations

import click

from honours.cli.options import chosen_rulebook, rulebook_options
from honours.errors import how_many


@click.group("rulebook")
def command() -> None:
    """Show a rulebook, or check one.

    \b
    Examples:
      honours rulebook show aga-category
      honours rulebook check village-cup --rulebooks try/rulebooks
    """


@command.command("show")
@click.argument("rulebook")
@rulebook_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(
    rulebook: str,
    rulebooks: tuple[str, ...],
    changes: tuple[str, ...],
    variant: str | None,
    as_json: bool,
) -> None:
    """Show a rulebook: what it asks, its numbers with their clauses, its choices.

    An id means its newest revision; id@1 means the first, which stays as it was released.

    \b
    Examples:
      honours rulebook show sbu-clubs-2016
      honours rulebook show sbu-clubs-2016@1
    """
    import json

    from honours.reports.rulebook import rulebook_data, rulebook_text

    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    if as_json:
        click.echo(json.dumps(rulebook_data(book), ensure_ascii=False, indent=2))
    else:
        click.echo(rulebook_text(book))


@command.command("check")
@click.argument("rulebook")
@rulebook_options
def check(
    rulebook: str, rulebooks: tuple[str, ...], changes: tuple[str, ...], variant: str | None
) -> None:
    """Check a rulebook: its examples both ways of running, and the lint.

    \b
    Example:
      honours rulebook check aga-category
    """
    from honours.engine.checking import faults

    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    count, found = faults(book)
    for fault in found:
        click.echo(fault)
    click.echo(
        f"{book.id}: {how_many(count, 'example')}, exactly and compiled; "
        f"{how_many(len(found), 'fault')}"
    )
    if found:
        raise click.exceptions.Exit(1)
