"""`honours award`: what a list of standings is awarded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from honours.cli.options import chosen_rulebook, pairs, rulebook_options

if TYPE_CHECKING:
    from honours.model import Field


@click.command("award")
@click.argument("file", type=click.Path(dir_okay=False))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--rulebook", required=True, metavar="ID", help="Which rulebook awards.")
@rulebook_options
@click.option("--profile", default="ebu", show_default=True, help="For results: how to score.")
@click.option("--explain", metavar="ENTRANT", help="Show why this entrant gets what it gets.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="A CSV of entrants, players and awards.")
def command(
    file: str,
    given: tuple[str, ...],
    rulebook: str,
    rulebooks: tuple[str, ...],
    changes: tuple[str, ...],
    variant: str | None,
    profile: str,
    explain: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Award the entrants of a file: standings, or results, which are scored first.

    FILE is any file Honours reads (see honours show). Standings may be a CSV or TSV with a header:
    pair (or team, name), score or place, and what the rulebook asks of entrants and players
    (player1, masterpoints1, boards, won, stratum, …). Equal scores are ties. KEY=VALUE says what
    the file does not: class=regional, sessions=2.

    \b
    Example:
      honours award examples/club-pairs.csv kind=pairs sessions=2 class=regional \\
          --rulebook acbl-sof-2020 --explain 3
    """
    import json

    from honours.engine.lists import award_event
    from honours.reports.awards import event_csv, event_data, event_text

    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    awards = award_event(book, _ranking_lists(file, profile), pairs(given))
    if as_json:
        click.echo(json.dumps(event_data(book, awards, explain), ensure_ascii=False, indent=2))
    elif as_csv:
        click.echo(event_csv(awards), nl=False)
    else:
        click.echo(event_text(book, awards, explain))


def _ranking_lists(file: str, profile: str) -> tuple[Field, ...]:
    """The lists a file gives, or those that scoring its results makes."""
    from honours.cli.events import read_ruled
    from honours.formats.detect import holds_results, read_rankings
    from honours.scoring import score
    from honours.scoring.lists import award_lists
    from honours.scoring.profiles import profile as named

    if not holds_results(file):
        return read_rankings(file).lists
    return award_lists(score(read_ruled(file).event, named(profile)))
