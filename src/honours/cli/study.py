"""`honours study`: the analyses of the sources, done again on any corpus."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.lab_answers import answer_options, on_option, own_rulebooks
from honours.cli.lab_questions import ask


@click.command("study")
@click.argument("corpus", type=click.Path())
@click.option("--source", type=click.Choice(["2020", "2011"]), default="2020", show_default=True)
@click.option(
    "--won", default="", metavar="as-paid|ID", help="What was won; as paid if it is told."
)
@on_option
@own_rulebooks
@answer_options
def command(
    corpus: str, source: str, won: str, address: str, folders: tuple[str, ...], **forms: Any
) -> None:
    """Do a source's study again on a history of your own.

    The study of 2020 or of 2011, table by table, with the source's figures beside. On a history
    that says what was paid it is the study itself; on a synthetic year it shows which of the
    source's figures that reproduces.

    \b
    Examples:
      honours study year
      honours study year --source 2011 --won acbl-sof-2020
    """
    book, _, amended = won.partition(" ")
    fields = {"corpus": corpus, "source": source, "a": book, "a_with": amended}
    ask("study", fields, "tables", folders, address, forms)
