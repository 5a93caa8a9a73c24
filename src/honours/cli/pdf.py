"""`honours pdf`: documents to print and to send."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.folders import check_apart, conclude, each_event
from honours.cli.messages import say
from honours.cli.options import force_option, language_option, write_out
from honours.cli.reporting import ReportRequest, award_options, report_request
from honours.files import PDF, write_file
from honours.model.message import mark, plural
from honours.pipeline import Report
from honours.reports.pdf import make_pdf

KINDS = ("results", "scorecards", "certificates", "award-list", "explanation")


@as_command("pdf")
@language_option
@force_option
@award_options(required=False)
def command(
    force: bool,
    language: str,
    file: str = argument(type=click.Path()),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    kind: str = option(default="results", type=click.Choice(KINDS)),
    output: str | None = option(
        "Else FILE-KIND.pdf, here.", "PDF", "-o", "--output", type=click.Path()
    ),
    entrant: str = option("Whose scorecard, or whose award to explain."),
    paper: str = option(default="a4", type=click.Choice(["a4", "letter"])),
    fonts: tuple[str, ...] = option(
        "Fonts for letters typst's own lack (Chinese, …); may be repeated.",
        "DIR",
        type=click.Path(exists=True, file_okay=False),
    ),
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
