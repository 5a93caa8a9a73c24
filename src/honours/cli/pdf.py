"""`honours pdf`: documents to print and to send."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from honours.cli.folders import check_apart, conclude, each_event
from honours.cli.messages import say
from honours.cli.options import force_option, language_option, write_out
from honours.cli.reporting import ReportRequest, award_options, report_request
from honours.files import PDF, write_file
from honours.model.message import mark, plural
from honours.pipeline import Report
from honours.reports.pdf import make_pdf

KINDS = ("results", "scorecards", "certificates", "award-list", "explanation")


@click.command("pdf")
@click.argument("file", type=click.Path())
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--kind", type=click.Choice(KINDS), default="results", show_default=True)
@click.option("-o", "--output", type=click.Path(), metavar="PDF", help="Else FILE-KIND.pdf, here.")
@click.option("--entrant", default="", help="Whose scorecard, or whose award to explain.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option(
    "--fonts",
    multiple=True,
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Fonts for letters typst's own lack (Chinese, …); may be repeated.",
)
@language_option
@force_option
@award_options(required=False)
def command(
    file: str,
    given: tuple[str, ...],
    kind: str,
    output: str | None,
    entrant: str,
    paper: str,
    fonts: tuple[str, ...],
    force: bool,
    language: str,
    **choices: Any,
) -> None:
    """Make a PDF: a results sheet, scorecards, certificates, awards, one explained.

    FILE may be a folder: every event of its files has a PDF in the folder PDF, else FILE-KIND.

    \b
    Examples:
      honours pdf try/tuesday.csv
      honours pdf try/tuesday.csv --kind scorecards --entrant 11
      honours pdf try/tuesday.csv --kind explanation --entrant 11 --as-usual \\
          --rulebook sbu-clubs-2016
    """
    choice = report_request(choices, given)

    def typeset(report: Report) -> bytes:
        return make_pdf(report, kind, entrant, paper, fonts, language)

    if Path(file).is_dir():
        _folder(
            Path(file),
            Path(output or f"{Path(file).resolve().name}-{kind}"),
            force,
            choice,
            typeset,
        )
        return
    made = typeset(choice.report(choice.account(file)))
    target = output or f"{Path(file).stem}-{kind}.pdf"
    say(write_out(target, made, PDF, force))


def _folder(
    source: Path,
    target: Path,
    force: bool,
    choice: ReportRequest,
    typeset: Callable[[Report], bytes],
) -> None:
    check_apart(source, target)
    target.mkdir(parents=True, exist_ok=True)

    def make(name: str, report: Report) -> None:
        write_file(target / f"{name}.pdf", typeset(report), PDF, force)

    outcomes = each_event(source, choice, make)
    written = plural(
        "wrote {count} PDF into {folder}",
        "wrote {count} PDFs into {folder}",
        count=sum(len(made) for _, made in outcomes.done),
        folder=target,
    )
    say(written)
    conclude(outcomes, mark("{done} typeset, {failed} not"))
