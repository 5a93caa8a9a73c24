"""`honours season`: the club's competitions over a year."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.lazy import NOTHING_DONE
from honours.cli.ledger_options import (
    answer,
    by_option,
    dry_run_option,
    json_option,
    looking_option,
)
from honours.cli.messages import say
from honours.cli.options import kept_language_option, repeated_command, rulebooks_option
from honours.cli.scoring_options import declared
from honours.errors import InputError
from honours.ledger.answers import Answer, promotions_answer, what_to_do
from honours.ledger.post import post
from honours.ledger.season import awards as seasonal
from honours.ledger.season.awards import award_data, awards_text
from honours.ledger.season.plan import Competition, read_season
from honours.ledger.season.standings import standings_data, standings_table
from honours.ledger.shapes import PROMOTIONS
from honours.ledger.sources import read_ranked
from honours.ledger.store import Ledger, open_ledger
from honours.model.message import Message, joined, word
from honours.pipeline import Report
from honours.pipeline.options import DECIDING, OF_EACH, option_values, options_changed, some

ledger_option = click.option(
    "--ledger",
    envvar="HONOURS_LEDGER",
    metavar="WHERE",
    help="The ledger with the year's events and nominations (also HONOURS_LEDGER).",
)
DECIDED = some(DECIDING, "correct", "why", "overrule")
competition_option = click.option(
    "--competition", default="", metavar="TITLE", help="Which one, if the file has several."
)


@click.group("season")
def command() -> None:
    """Work out the club's competitions over a year.

    \b
    Example:
      honours season standings try/season/year.toml
    """


def _opened(ledger: str | None) -> Ledger | None:
    return open_ledger(ledger) if ledger else None


def _as_said(competition: Competition, choices: dict[str, Any]) -> Competition:
    """The competition with its events scored as the command says; its file comes second."""
    return replace(
        competition, options={**competition.options, **options_changed(OF_EACH, choices)}
    )


def _read(path: Path, options: Mapping[str, Any]) -> Report:
    """An event of a season; what a person should know of it goes to standard error."""
    report = read_ranked(path, options)
    for note in report.notes:
        say(joined(": ", (str(path), note)), err=True)
    return report


@as_command("standings", command)
@competition_option
@declared(OF_EACH)
@ledger_option
@json_option
@kept_language_option
@looking_option
def standings(
    competition: str,
    ledger: str | None,
    as_json: bool,
    file: str = argument(type=click.Path(dir_okay=False)),
    everybody: bool = option("Those who have not qualified too.", None, "--all"),
    **choices: Any,
) -> None:
    """Show a competition's table: average, each date, played, qualified.

    \b
    Example:
      honours season standings try/season/year.toml --all
    """
    season = read_season(file)
    chosen = _as_said(season.competition(competition), choices)
    ranked = seasonal.standings(season, chosen, _opened(ledger), _read)
    answer(standings_table(ranked, everybody), standings_data(ranked), as_json)


@as_command("award", command)
@competition_option
@declared(OF_EACH)
@rulebooks_option()
@declared(DECIDED)
@ledger_option
@by_option
@dry_run_option
@json_option
@kept_language_option
def award(
    competition: str,
    rulebooks: tuple[str, ...],
    ledger: str | None,
    who: str,
    dry_run: bool,
    as_json: bool,
    file: str = argument(type=click.Path(dir_okay=False)),
    posting: bool = option("Post the awards in the ledger.", None, "--post"),
    **choices: Any,
) -> None:
    """Award a competition's bonus, final or championship, or say what the rules refuse.

    \b
    Example:
      honours season award try/season/year.toml
    """
    season = read_season(file)
    book = seasonal.rulebook_of(season, rulebooks)
    opened = _opened(ledger)
    chosen = _as_said(season.competition(competition), choices)
    awards = seasonal.award(season, chosen, book, opened, _read)
    data: list[Any] = [award_data(book, each) for each in awards]
    shown: Answer = [awards_text(book, awards)]
    if posting:
        if opened is None:
            raise InputError("--post needs a ledger: say which with --ledger")
        events = [seasonal.to_post(season, each, book) for each in awards if each.awards]
        asked = {"who": who, "dry_run": dry_run, **option_values(DECIDED, choices)}
        shown += _posted(opened, events, data, asked)
    answer(shown, data, as_json, dry_run and posting)
    if any(one.get("status") in ("differs", "not permitted") for one in data):
        raise SystemExit(NOTHING_DONE)


def _posted(ledger: Ledger, events: list[Any], data: list[Any], asked: dict[str, Any]) -> Answer:
    lines: Answer = [""]
    for event in events:
        outcome = post(ledger, event, another=True, **asked)
        about = {"event": event.title, "status": word(outcome.status)}
        if outcome.record:
            about["record"] = str(outcome.record)
            lines.append(Message("{event}: {status}, record {record}", **about))
        else:
            lines.append(Message("{event}: {status}", **about))
        lines += what_to_do(outcome.status, repeated_command())
        lines += [f"  {difference}" for difference in outcome.difference]
        lines += promotions_answer(outcome.promotions)
        data.append(
            {
                "posted": event.title,
                "status": outcome.status,
                "record": outcome.record,
                "difference": list(outcome.difference),
                "promotions": [PROMOTIONS.data(p) for p in outcome.promotions],
            }
        )
    return lines
