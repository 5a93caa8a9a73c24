"""`honours pdf`: documents to print and to send."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.reporting import award_options

KINDS = ("results", "scorecards", "certificates", "explanation")


@click.command("pdf")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--kind", type=click.Choice(KINDS), default="results", show_default=True)
@click.option("-o", "--output", type=click.Path(), metavar="PDF", help="Else FILE-KIND.pdf, here.")
@click.option("--entrant", default="", help="Whose scorecard, or whose award to explain.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--fonts", multiple=True, metavar="DIR",
              type=click.Path(exists=True, file_okay=False),
              help="Fonts for letters typst's own lack (Chinese, …); may be repeated.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@award_options(required=False)
def command(
    file: str, given: tuple[str, ...], kind: str, output: str | None, entrant: str, paper: str,
    fonts: tuple[str, ...], force: bool, **choices: Any,
) -> None:  # fmt: skip
    """Make a PDF: a results sheet, scorecards, a list of awards, one award explained.

    \b
    Examples:
      honours pdf try/tuesday.csv
      honours pdf try/tuesday.csv --kind scorecards --entrant 11
      honours pdf try/tuesday.csv --kind explanation --entrant 11 --rulebook sbu-clubs-2016
    """
    from pathlib import Path

    from honours.cli.reporting import asked
    from honours.reports.pdf import make_pdf
    from honours.reports.writing import write_file

    choice = asked(choices, given)
    made = make_pdf(choice.report(choice.account(file)), kind, entrant, paper, fonts)
    target = output or f"{Path(file).stem}-{kind}.pdf"
    write_file(target, made, force)
    click.echo(f"wrote {target}")
