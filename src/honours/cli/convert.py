"""`honours convert`: a file of one kind as a file of another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.folders import check_apart, conclude, each_file
from honours.cli.messages import say
from honours.cli.options import force_option, write_out
from honours.cli.reporting import ReportRequest, award_options, report_request
from honours.errors import InputError
from honours.files import kind_of
from honours.formats.detect import files_of
from honours.model.message import Message, mark
from honours.reports.convert import ENDINGS, converted_file, needs_ranking, target_kind

KINDS = ("usebio", "results", "standings", "json")


@as_command("convert")
@force_option
@award_options(required=False)
def command(
    force: bool,
    source: str = argument("A", type=click.Path()),
    target: str = argument("B", type=click.Path()),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    kind: str | None = option(
        "The kind of B; otherwise its ending decides.", None, "--to", type=click.Choice(KINDS)
    ),
    **choices: Any,
) -> None:
    """Write a file as one of another kind, with awards if a rulebook is named.

    B ends in .xml (USEBIO), .csv (results or standings) or .json. A USEBIO file with awards is the
    file that was read, with master points added and nothing else changed. Data that B cannot store
    is listed. If A is a folder, so is B, and --to says the kind.

    \b
    Examples:
      honours convert try/tuesday.csv tuesday.xml
      honours convert tuesday.xml awarded.xml --as-usual --rulebook sbu-clubs-2016
      honours convert try/season/saturdays converted --to json
    """
    choice = report_request(choices, given)
    if Path(source).is_dir():
        _folder(Path(source), Path(target), kind, force, choice)
    else:
        say(_convert(Path(source), Path(target), kind, force, choice))


def _convert(
    source: Path, target: Path, kind: str | None, force: bool, choice: ReportRequest
) -> str:
    account = choice.account(source)
    kind = kind or target_kind(account, target, choice.book is not None)
    report = choice.report(account) if choice.book or needs_ranking(kind) else None
    written = converted_file(choice.as_chosen(account), kind, report)
    wrote = write_out(target, written.data, kind_of(f"out{ENDINGS[kind]}"), force)
    for lost in written.lost:
        say(Message("{file} has no place for {what}", file=target, what=lost), err=True)
    return wrote


def _folder(
    source: Path, target: Path, kind: str | None, force: bool, choice: ReportRequest
) -> None:
    if kind is None:
        raise InputError(
            "{source} is a folder: say --to {kinds}", source=source, kinds=tuple(KINDS)
        )
    check_apart(source, target)

    def work(file: Path) -> None:
        # The whole name is kept, so that night.bws and night.csv do not become one file.
        where = target / file.relative_to(source).parent / f"{file.name}{ENDINGS[kind]}"
        where.parent.mkdir(parents=True, exist_ok=True)
        _convert(file, where, kind, force, choice)

    outcomes = each_file(files_of([str(source)]), work)
    conclude(outcomes, mark("{done} converted, {failed} not"))
