"""`honours award`: what a list of standings is awarded."""

from __future__ import annotations

import click

from honours.cli.options import chosen_rulebook, pairs, rulebook_options


@click.command("award")
@click.argument("file", metavar="STANDINGS", type=click.Path(dir_okay=False))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--rulebook", required=True, metavar="ID", help="Which rulebook awards.")
@rulebook_options
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
    explain: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Award a list of entrants with scores or places.

    STANDINGS is a CSV or TSV with a header: pair (or team, name), score or place, and what the
    rulebook asks of entrants and players (player1, masterpoints1, boards, won, stratum, …). Equal
    scores are ties. KEY=VALUE says what the list does not: class=regional, sessions=2.

    \b
    Example:
      honours award examples/standings.csv kind=pairs sessions=2 class=regional \\
          --rulebook acbl-sof-2020 --explain 3
    """
    import json

    from honours.engine.lists import award_event
    from honours.formats.detect import read_rankings
    from honours.reports.awards import event_csv, event_data, event_text

    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    standings = read_rankings(file)
    awards = award_event(book, standings.lists, pairs(given))
    if as_json:
        click.echo(json.dumps(event_data(book, awards, explain), ensure_ascii=False, indent=2))
    elif as_csv:
        click.echo(event_csv(awards), nl=False)
    else:
        click.echo(event_text(book, awards, explain))
