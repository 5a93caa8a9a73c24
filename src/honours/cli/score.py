"""`honours score`: from results to standings, travellers, scorecards and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from honours.cli.checking import check_answer
from honours.cli.folders import Made, say_made
from honours.cli.messages import say
from honours.cli.options import event_option, language_option
from honours.cli.reporting import with_listed_members
from honours.cli.scoring_options import (
    declared,
    score_as_chosen,
    scoring_choices,
    scoring_options,
)
from honours.engine.exact.explanation import render_text, to_data
from honours.model.message import joined, mark
from honours.pipeline import Account, ranked, read_account, read_accounts
from honours.pipeline.checking.figures import joined_checks
from honours.pipeline.checking.places import check_places
from honours.pipeline.checking.scores import check_scores
from honours.pipeline.go import explain_place
from honours.pipeline.options import AWARDING, some
from honours.reports import travellers
from honours.reports.drawing import draw_data, draw_text
from honours.reports.standings import all_rankings, given_table, scored_data, scored_text
from honours.scoring import ScoredEvent, profiles
from honours.scoring.rulings import Ruling
from honours.scoring.why import explain

SHEETS = ("travellers", "scorecards", "matrix")


@click.command("score")
@click.argument("file", type=click.Path())
@event_option
@scoring_options
@declared(some(AWARDING, "members", "confirm", "answers", "date"))
@click.option(
    "--explain", metavar="BOARD|PAIR|PLAYER", help="How a board, a total or a place came about."
)
@click.option("--travellers", is_flag=True, help="Every board with all its results.")
@click.option("--scorecards", is_flag=True, help="Every pair with all its boards.")
@click.option("--matrix", is_flag=True, help="Pairs against boards.")
@click.option(
    "--check", is_flag=True, help="Compare with what the file published, and say why it differs."
)
@click.option(
    "--against",
    metavar="FILE",
    type=click.Path(),
    help="With --check: the wall list of a go program's tournament, or its file for a list.",
)
@language_option
@click.option("--no-rulings", is_flag=True, help="Leave the rulings file aside.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object; of a folder, a list.")
@click.option("--csv", "as_csv", is_flag=True, help="The standings as CSV.")
def command(file: str, **choices: Any) -> None:
    """Score a file of results and rank the entrants.

    FILE is a CSV or TSV with a header (board, ns, ew, contract, declarer, tricks, or score), or
    travellers typed in, or any other file of results (see honours show), or a folder of them. Lists
    are shown as they are, and the players of a go tournament placed by its own criteria.
    Rulings are read from FILE.rulings.toml; see `honours rule --help`.

    \b
    Examples:
      honours score try/tuesday.csv --profile acbl --explain "board 7"
      honours score try/published.csv --check
    """
    verdict = mark("{done} scored, {failed} not")
    say_made(file, lambda path: _scored(path, choices), choices["as_json"], verdict)


def _scored(file: Path, choices: dict[str, Any]) -> Made:
    if choices["check"]:
        return _checked(file, choices)
    account = read_account(file, choices["event"], as_ruled=not choices["no_rulings"])
    account = with_listed_members(account, choices)
    if account.played is None:
        return _listed(account, choices)
    report = ranked(account, scoring_choices(choices))
    for note in report.notes:
        say(joined(": ", (account.called, note)), err=True)
    assert report.scored is not None
    return _rendered(report.scored, account.rulings, choices)


def _checked(file: Path, choices: dict[str, Any]) -> Made:
    """Compare what the file published with ours, for all of its events unless one is named."""
    ruled = not choices["no_rulings"]
    accounts = read_accounts(file, as_ruled=ruled)
    if choices["event"]:
        accounts = (read_account(file, choices["event"], as_ruled=ruled),)
    if all(account.played is None for account in accounts):
        lists = [(a.title, check_places(a, choices["against"] or "")) for a in accounts]
        return check_answer(joined_checks(lists), choices["as_json"])
    chosen = choices["profile"] or (profiles.DEFAULT if choices["changes"] else "")
    events = [account.event for account in accounts]
    checked = check_scores(events, chosen, lambda event: score_as_chosen(event, choices))
    return check_answer(checked, choices["as_json"])


def _listed(account: Account, choices: dict[str, Any]) -> Made:
    """The ranking lists of a file that has no results of bridge: as given, or of go."""
    report = ranked(account, scoring_choices(choices))
    if choices["explain"]:
        step = explain_place(account.content, report.lists, choices["explain"])
        if choices["as_json"]:
            return {"title": account.title, "explanation": [to_data(step)]}
        return render_text(step, choices["language"])
    tables = tuple(given_table(field, report) for field in report.lists)
    if choices["as_json"]:
        return {"title": account.title, "lists": [draw_data(table) for table in tables]}
    if choices["as_csv"]:
        return tables
    for note in report.notes:
        say(joined(": ", (account.called, note)), err=True)
    return "\n\n".join(draw_text(table, choices["language"]) for table in tables)


def _rendered(scored: ScoredEvent, rulings: Sequence[Ruling], choices: dict[str, Any]) -> Made:
    if choices["as_json"]:
        return _data(scored, rulings, choices)
    return (all_rankings(scored),) if choices["as_csv"] else _text(scored, rulings, choices)


def _text(scored: ScoredEvent, rulings: Sequence[Ruling], choices: dict[str, Any]) -> str:
    if choices["explain"]:
        return "\n\n".join(
            render_text(step, choices["language"]) for step in explain(scored, choices["explain"])
        )
    asked = [name for name in SHEETS if choices[name]]
    if not asked:
        return scored_text(scored, rulings, choices["language"])
    tables = [table for name in asked for table in getattr(travellers, name)(scored)]
    return "\n\n".join(draw_text(table, choices["language"]) for table in tables)


def _data(
    scored: ScoredEvent, rulings: Sequence[Ruling], choices: dict[str, Any]
) -> dict[str, Any]:
    data = scored_data(scored, rulings)
    for name in SHEETS:
        if choices[name]:
            data[name] = [draw_data(table) for table in getattr(travellers, name)(scored)]
    if choices["explain"]:
        data["explanation"] = [to_data(step) for step in explain(scored, choices["explain"])]
    return data
