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

    Each is shown in its newest revision.

    \b
    Example:
      honours rulebooks --json
    """
    import json

    from honours.rulebooks import ids, load, revisions

    books = [load(i, rulebooks) for i in ids(rulebooks)]
    if as_json:
        listing = [
            {
                "id": b.id,
                "title": b.title,
                "body": b.body,
                "edition": b.edition,
                "revision": b.revision,
                "revisions": list(revisions(b.id, rulebooks)),
                "standing": b.standing.status,
                "hash": b.hash,
            }
            for b in books
        ]
        click.echo(json.dumps(listing, ensure_ascii=False, indent=2))
    else:
        rows = [(b.id, str(b.revision), b.standing.status, b.body, b.title) for b in books]
        click.echo(text_table(("ID", "REVISION", "STANDING", "BODY", "TITLE"), rows))
