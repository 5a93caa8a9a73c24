"""`honours award`: what a list of standings is awarded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.folders import Made, say_made
from honours.cli.messages import say_json
from honours.cli.options import language_option, pairs
from honours.cli.reporting import ReportRequest, award_options, report_request
from honours.errors import Asked, InputError
from honours.model.message import Message, joined, mark
from honours.pipeline import Account, Report
from honours.reports.awards import event_data, event_text, players_table
from honours.reports.provenance import questions_data
from honours.rulebooks import ids, load


@as_command("award")
@award_options(required=False)
@language_option
def command(
    language: str,
    file: str = argument(type=click.Path()),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    explain: str | None = option("Explain the award of an entrant, by number or name.", "ENTRANT"),
    check: bool = option(
        "Compare with what the file awarded; without --rulebook, find the one that did."
    ),
    as_json: bool = option("One JSON object; of a folder, a list.", None, "--json"),
    as_csv: bool = option("A CSV of entrants, players and awards.", None, "--csv"),
    **choices: Any,
) -> None:
    """Award the entrants of a file: standings, or results, which are scored first.

    FILE is any file Honours reads (see honours show), or a folder of them. Standings may be a CSV
    or TSV with a header: pair (or team, name), score or place, and what the rulebook asks of
    entrants and players (player1, masterpoints1, boards, won, stratum, …). Equal scores are ties.
    KEY=VALUE says what the file does not: class=regional, sessions=2. Holdings and ratings may
    come from a member list (--members): by number, then by name; similar names are only suggested.
    If an award depends on something nobody said, the command asks, shows what each answer pays, and
    ends with exit code 3. --as-usual confirms everything that is hardly ever different.

    \b
    Examples:
      honours award try/club-pairs.csv kind=pairs sessions=2 class=regional \\
          limit=none --as-usual --rulebook acbl-sof-2020 --explain 3
      honours award try/go-open.txt --as-usual --rulebook aga-category --section open \\
          qualifier=yes minimum_category=none --members try/go-members.csv
    """
    choice = report_request(choices, () if check else given)
    shape = "json" if as_json else "csv" if as_csv else "text"

    def work(path: Path) -> Made:
        if check:
            return _checked(choice.accounts(path), choice, pairs(given), choices, as_json)
        account = choice.account(path)
        if choice.book is None:
            raise _unnamed(account, choices["rulebooks"])
        return _rendered(choice.report(account), shape, explain, language)

    try:
        say_made(file, work, as_json, mark("{done} awarded, {failed} not"))
    except Asked as asked:
        if as_json:
            say_json({"questions": questions_data(asked.questions)})
        raise


def _unnamed(account: Account, folders: Sequence[str]) -> InputError:
    """Return the error that no rulebook was named: which fit, as they would be typed, and why."""
    from honours.pipeline.rulebook_choice import few_fitting, paying

    few = few_fitting(account, [load(name, folders) for name in ids(folders)])
    lines = [
        Message(
            "honours award {file!q} --rulebook {id}  ({title}, {body}: {why})",
            file=account.called,
            id=fit.book.id,
            title=fit.book.title,
            body=fit.book.body,
            why=Message("{why}; also {ids}", why=fit.why, ids=tuple(o.book.id for o in others))
            if others
            else fit.why,
        )
        for fit, *others in paying(account, few)
    ]
    return InputError(
        "{file}: by which rulebook? Those that fit:\n  {lines}",
        file=account.called,
        lines=joined("\n  ", lines),
    )


def _checked(
    accounts: Sequence[Account],
    choice: ReportRequest,
    given: dict[str, str],
    choices: dict[str, Any],
    as_json: bool,
) -> Made:
    """Compare what the file awarded with ours, by the rulebook named or by all of them; of a file
    of several events all that say what was awarded."""
    from honours.cli.checking import check_answer
    from honours.pipeline.checking.awards import check_awards, says_awards
    from honours.pipeline.checking.figures import joined_checks

    folders = choices["rulebooks"]
    books = [load(name, folders) for name in ids(folders)]
    if choice.book is not None:
        books = [choice.book, *(book for book in books if book.id != choice.book.id)]
    chosen = choice.book.id if choice.book else ""
    telling = [account for account in accounts if says_awards(account)] or accounts[:1]
    checked = [(a.title, check_awards(a, books, given, chosen, choice.scoring)) for a in telling]
    return check_answer(joined_checks(checked), as_json)


def _rendered(report: Report, shape: str, explain: str | None, language: str) -> Made:
    assert report.book is not None
    assert report.awards is not None
    if shape == "json":
        return event_data(report.book, report.awards, explain)
    if shape == "csv":
        return (players_table(report.awards),)
    return event_text(report.book, report.awards, explain, language)
