"""`honours site`: a results site of plain files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.folders import check_apart, conclude, each_event
from honours.cli.messages import say
from honours.cli.options import language_option
from honours.cli.reporting import ReportRequest, award_options, report_request
from honours.model.message import mark, plural
from honours.pipeline import Report
from honours.reports import views
from honours.reports.site import ListedEvent, check_folder, write_index, write_site


@as_command("site")
@language_option
@award_options(required=False)
def command(
    language: str,
    file: str = argument(type=click.Path()),
    folder: str = argument("OUT_DIR", type=click.Path()),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    force: bool = option("Write into a folder that is not empty."),
    **choices: Any,
) -> None:
    """Make a results site of plain files: standings, scorecards, boards, awards with reasons.

    Put OUT_DIR on any web server, or open its index.html. Every page stands alone: no scripts, no
    requests to anywhere else. With --rulebook, awards are shown, each with how it came about.

    FILE may be a folder: every event of its files has a site of its own in OUT_DIR, and an index
    leads to them.

    \b
    Example:
      honours site try/tuesday.csv tuesday-site --as-usual --rulebook sbu-clubs-2016
    """
    choice = report_request(choices, given)
    if Path(file).is_dir():
        _folder(Path(file), Path(folder), force, choice, language)
        return
    written = write_site(choice.report(choice.account(file)), folder, force, language)
    pages = plural(
        "wrote {file} and {count} more page",
        "wrote {file} and {count} more pages",
        count=len(written) - 1,
        file=written[0],
    )
    say(pages)


def _folder(source: Path, target: Path, force: bool, choice: ReportRequest, language: str) -> None:
    check_apart(source, target)
    check_folder(target, force)

    def make(name: str, report: Report) -> ListedEvent:
        write_site(report, target / name, force, language)
        return ListedEvent(name, report.account.title, views.subtitle(report))

    outcomes = each_event(source, choice, make)
    events = [event for _, made in outcomes.done for event in made]
    if events:
        index = write_index(target, source.resolve().name, events, language)
        say(
            plural(
                "wrote {file}, which leads to {count} event",
                "wrote {file}, which leads to {count} events",
                count=len(events),
                file=index,
            )
        )
    conclude(outcomes, mark("{done} shown, {failed} not"))
