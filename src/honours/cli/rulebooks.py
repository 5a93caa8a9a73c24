"""`honours rulebooks`: which rulebooks there are."""

from __future__ import annotations

import click

from honours.cli.options import rulebooks_option
from honours.reports.tables import text_table


@click.command("rulebooks")
@rulebooks_option()
@click.option("--json", "as_json", is_flag=True, help="A JSON list.")
def command(rulebooks: tuple[str, ...], as_json: bool) -> None:
    """List the rulebooks.

    \b
    Example:
      honours rulebooks --json
    """
    import json

    from honours.rulebooks import ids, load

    books = [load(i, rulebooks) for i in ids(rulebooks)]
    if as_json:
        rows = [
            {
                "id": b.id,
                "title": b.title,
                "body": b.body,
                "edition": b.edition,
                "revision": b.revision,
                "hash": b.hash,
            }
            for b in books
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        click.echo(text_table(("ID", "BODY", "TITLE"), [(b.id, b.body, b.title) for b in books]))
