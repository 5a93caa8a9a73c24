"""`honours site`: a results site of plain files."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.reporting import award_options


@click.command("site")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.argument("folder", metavar="OUT_DIR", type=click.Path())
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@award_options(required=False)
def command(file: str, folder: str, given: tuple[str, ...], force: bool, **choices: Any) -> None:
    """Make a results site of plain files: standings, scorecards, boards, awards with reasons.

    Put OUT_DIR on any web server, or open its index.html. Every page stands alone: no scripts, no
    requests to anywhere else. With --rulebook, awards are shown, each with how it came about.

    \b
    Example:
      honours site try/tuesday.csv tuesday-site --rulebook sbu-clubs-2016
    """
    from honours.cli.reporting import asked
    from honours.reports.site import write_site

    choice = asked(choices, given)
    written = write_site(choice.report(choice.account(file)), folder, force)
    click.echo(f"wrote {written[0]} and {len(written) - 1} more pages")
