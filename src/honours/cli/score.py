"""`honours score`: from results to standings, travellers, scorecards and reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from honours.cli.options import pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honours.model import Event
    from honours.scoring import Options, Scored
    from honours.scoring.profiles import Profile
    from honours.scoring.rulings import Ruling

SHEETS = ("travellers", "scorecards", "matrix")


@click.command("score")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--profile", default="ebu", show_default=True, help="The conventions to score by.")
@click.option("--set", "changes", multiple=True, metavar="SWITCH=VALUE", help="Set a switch of it.")
@click.option("--scoring", metavar="METHOD", help="matchpoints, cross-imps, butler, imps, …")
@click.option("--imps", metavar="NAME", help="The conventions to score IMPs by.")
@click.option("--winners", type=click.Choice(["1", "2"]), help="One list, or one a line.")
@click.option("--sections-apart", is_flag=True, help="Compare and rank each section by itself.")
@click.option("--expected", type=int, default=0, help="Scores every board should have.")
@click.option("--handicap", is_flag=True, help="A second ranking with handicaps.")
@click.option("--minimum-boards", type=int, default=0, help="Fewer are shown and not ranked.")
@click.option("--tie-break", default="", help="head-to-head, tops or above-average.")
@click.option("--mean-of-sessions", is_flag=True, help="Average the sessions' percentages.")
@click.option("--explain", metavar="BOARD|PAIR", help="How a board or a total came about.")
@click.option("--travellers", is_flag=True, help="Every board with all its results.")
@click.option("--scorecards", is_flag=True, help="Every pair with all its boards.")
@click.option("--matrix", is_flag=True, help="Pairs against boards.")
@click.option("--no-rulings", is_flag=True, help="Leave the rulings file aside.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="The standings as CSV.")
def command(file: str, **choices: Any) -> None:
    """Score a file of results and rank the entrants.

    FILE is a CSV or TSV with a header (board, ns, ew, contract, declarer, tricks, or score), or
    travellers typed in. Rulings are read from FILE.rulings.toml; see `honours rule --help`.

    \b
    Example:
      honours score tuesday.csv --profile acbl --explain "board 7"
    """
    from honours.cli.events import read_ruled
    from honours.scoring import score

    ruled = read_ruled(file)
    event = ruled.as_read if choices["no_rulings"] else ruled.event
    rulings = () if choices["no_rulings"] else ruled.rulings
    scored = score(_method(event, choices), _profile(choices), _options(choices))
    click.echo(_rendered(scored, rulings, choices), nl=not choices["as_csv"])


def _method(event: Event, choices: dict[str, Any]) -> Event:
    from dataclasses import replace

    return replace(event, scoring=choices["scoring"]) if choices["scoring"] else event


def _profile(choices: dict[str, Any]) -> Profile:
    from honours.scoring.profiles import amend, profile

    return amend(profile(choices["profile"]), pairs(choices["changes"]))


def _options(choices: dict[str, Any]) -> Options:
    from honours.scoring import Options

    named = {"imps": choices["imps"]} if choices["imps"] else {}
    return Options(
        sections_apart=choices["sections_apart"],
        rank_sections_apart=choices["sections_apart"],
        winners=int(choices["winners"] or 0),
        handicap=choices["handicap"],
        minimum_boards=choices["minimum_boards"],
        tie_break=choices["tie_break"],
        mean_of_sessions=choices["mean_of_sessions"],
        expected=choices["expected"],
        **named,
    )


def _rendered(scored: Scored, rulings: Sequence[Ruling], choices: dict[str, Any]) -> str:
    from honours.reports.scores import scored_csv

    if choices["as_json"]:
        return _json(scored, rulings, choices)
    return scored_csv(scored) if choices["as_csv"] else _text(scored, rulings, choices)


def _text(scored: Scored, rulings: Sequence[Ruling], choices: dict[str, Any]) -> str:
    from honours.engine.explanation import render_text
    from honours.reports import travellers
    from honours.reports.scores import scored_text
    from honours.scoring.why import explain

    if choices["explain"]:
        return "\n\n".join(map(render_text, explain(scored, choices["explain"])))
    asked = [name for name in SHEETS if choices[name]]
    if not asked:
        return scored_text(scored, rulings)
    return "\n\n".join(travellers.as_text(getattr(travellers, name)(scored)) for name in asked)


def _json(scored: Scored, rulings: Sequence[Ruling], choices: dict[str, Any]) -> str:
    import json

    from honours.engine.explanation import to_data
    from honours.reports import travellers
    from honours.reports.scores import scored_data
    from honours.scoring.why import explain

    data = scored_data(scored, rulings)
    for name in SHEETS:
        if choices[name]:
            data[name] = list(travellers.as_data(getattr(travellers, name)(scored)))
    if choices["explain"]:
        data["explanation"] = [to_data(step) for step in explain(scored, choices["explain"])]
    return json.dumps(data, ensure_ascii=False, indent=2)
