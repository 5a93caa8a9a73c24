"""`honours calc`: the awards for bare figures, without a file."""

from __future__ import annotations

from honours.cli.declared import argument, as_command, option
from honours.cli.messages import chosen_language, say, say_json
from honours.cli.options import chosen_rulebook, pairs, rulebook_options
from honours.engine.award import calculate
from honours.reports.awards import calculation_data, calculation_text


@as_command("calc")
@rulebook_options
def command(
    rulebook: str,
    rulebooks: tuple[str, ...],
    changes: tuple[str, ...],
    variant: str | None,
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    ties: str = option("Places that are shared, e.g. 3-4,7-9.", "FROM-TO"),
    explain: bool = option("Show how the figures come about, clause by clause."),
    place: int = option("With --explain: the place to explain.", "N", default=1),
    as_json: bool = option("One JSON object.", None, "--json"),
) -> None:
    """Work out awards from bare figures.

    \b
    Examples:
      honours calc sbu-clubs-2016 kind=pairs winners=1 pairs=18
      honours calc acbl-sof-2020 entrants=71 kind=pairs sessions=2 strength_factor=31.7 --explain
      honours calc aga-category mean_rating=7.93 players=20 --ties 3-4 --json
      honours calc acbl-sof-2020 kind=pairs sessions=2 masterpoints=900+300,500+40,120+80,60+5

    What is known of each entrant or player is told from the first place down: commas between
    entrants, a plus between the players of one; a single value is meant of everybody.

    What a rulebook may be told: honours rulebook show ID
    """
    book = chosen_rulebook(rulebook, rulebooks, changes, variant)
    facts = pairs(given)
    awards = calculate(book, facts, ties)
    if as_json:
        data = calculation_data(book, facts, awards, explain)
        say_json(data)
    else:
        say(calculation_text(book, awards, place if explain else None, chosen_language()))
