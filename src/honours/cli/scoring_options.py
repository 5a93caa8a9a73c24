"""How to score, as options of a command: the profile, the scales, and the ranking."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.options import pairs, set_option

if TYPE_CHECKING:
    from fractions import Fraction

    from honours.model import Event
    from honours.scoring import Scored
    from honours.scoring.imp_conventions import ImpConvention
    from honours.scoring.matches import MatchRules
    from honours.scoring.profiles import Profile
    from honours.scoring.victory_points import Scale

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--profile", default="ebu", show_default=True, help="The conventions to matchpoint by."
    ),
    click.option(
        "--type",
        "event_kind",
        type=click.Choice(["pairs", "individual", "teams"]),
        help="What the entrants are, where the file does not say.",
    ),
    click.option(
        "--scoring",
        metavar="METHOD",
        help="matchpoints, cross-imps, butler, imps or board-a-match.",
    ),
    click.option("--swiss", is_flag=True, help="Every round is a match."),
    click.option("--imps", metavar="NAME", help="The conventions to score IMPs by."),
    click.option("--scale", metavar="wbf|none|FILE", help="Victory points; FILE is a table."),
    click.option(
        "--match-boards",
        type=click.IntRange(1),
        metavar="N",
        help="Boards the scale is asked for; otherwise those scored.",
    ),
    click.option("--bye", metavar="POINTS", help="What a round without a match is worth."),
    click.option("--one-match", is_flag=True, help="All that two teams played is one match."),
    click.option("--mean-of-tables", is_flag=True, help="Teams of eight: the mean, not the sum."),
    click.option("--winners", type=click.Choice(["1", "2"]), help="One list, or one a line."),
    click.option("--sections-apart", is_flag=True, help="Compare and rank each section by itself."),
    click.option(
        "--compare",
        "compared",
        default="",
        metavar="A+B,C",
        help="Which sections are compared with which, where the file does not say.",
    ),
    click.option(
        "--rank-sections",
        type=click.Choice(["together", "apart"]),
        help="Rank them otherwise than they are compared.",
    ),
    click.option(
        "--expected", type=click.IntRange(0), default=0, help="Scores every board should have."
    ),
    click.option("--strata", default="", metavar="A,B,C", help="Their order, the highest first."),
    click.option("--handicap", is_flag=True, help="A second ranking with handicaps."),
    click.option(
        "--minimum-boards",
        type=click.IntRange(0),
        default=0,
        help="Fewer are shown and not ranked.",
    ),
    click.option("--tie-break", default="", help="head-to-head, margin, tops or above-average."),
    click.option("--mean-of-sessions", is_flag=True, help="Average the sessions' percentages."),
    click.option("--each-session", is_flag=True, help="Rank every session too."),
)


def scoring_options(function: F) -> F:
    """All that says how an event is scored and ranked, with ``--set`` for its switches."""
    switch = set_option(
        "SWITCH", "Set a switch of the profile (simplified=true) or of IMPs (divisor=sum)."
    )
    return how_scored_options(switch(function))


def how_scored_options(function: F) -> F:
    """All of them but ``--set``, which a command with a rulebook has for that too."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def switches_known() -> frozenset[str]:
    """What ``--set`` may set of the scoring: switches of the profile and of IMPs."""
    from honours.scoring import imp_conventions, profiles

    return frozenset(imp_conventions.switches_known()) | frozenset(profiles.switches_known())


def score_as_chosen(event: Event, choices: dict[str, Any]) -> Scored:
    """Score an event as the options of a command say."""
    from honours.scoring import Options, score
    from honours.scoring.ruling_kinds import Played
    from honours.scoring.rulings import change

    said = Played(choices["event_kind"] or "", choices["scoring"] or "", choices["swiss"] or None)
    played = change(event, said)
    profile, convention = _conventions(choices)
    apart = choices["sections_apart"]
    options = Options(
        sections_apart=apart,
        compared=choices["compared"],
        rank_sections_apart=(choices["rank_sections"] or ("apart" if apart else "")) == "apart",
        winners=int(choices["winners"] or 0),
        strata=tuple(part.strip() for part in choices["strata"].split(",") if part.strip()),
        handicap=choices["handicap"],
        minimum_boards=choices["minimum_boards"],
        tie_break=choices["tie_break"],
        mean_of_sessions=choices["mean_of_sessions"],
        sessions_ranked=choices["each_session"],
        expected=choices["expected"],
        imps=convention,
        matches=_matches(played, choices, convention),
    )
    return score(played, profile, options)


def _conventions(choices: dict[str, Any]) -> tuple[Profile, str | ImpConvention]:
    """The profile and the convention of IMPs, each with the switches that are its own."""
    from honours.scoring import imp_conventions, profiles

    changes = pairs(choices["changes"])
    known = imp_conventions.switches_known()
    in_imps = {name: text for name, text in changes.items() if name in known}
    rest = {name: text for name, text in changes.items() if name not in known}
    profile = profiles.amend(profiles.profile(choices["profile"]), rest)
    name = choices["imps"] or imp_conventions.DEFAULT
    if not in_imps:
        return profile, name
    return profile, imp_conventions.amend(imp_conventions.imp_convention(name), in_imps)


def _matches(
    event: Event, choices: dict[str, Any], convention: str | ImpConvention
) -> MatchRules | None:
    """How matches are scored; nothing where the scorer's own default serves."""
    from honours.scoring.imp_conventions import imp_convention
    from honours.scoring.matches import MatchRules

    imps = imp_convention(convention) if isinstance(convention, str) else convention
    rules = MatchRules(
        _scale(event, choices["scale"]),
        choices["match_boards"] or 0,
        imps.average_plus,
        choices["mean_of_tables"],
        _points(choices["bye"]),
        rounds_apart=not choices["one_match"],
    )
    plain = MatchRules(_scale(event, None))
    asked = choices["scale"] or rules != plain
    return rules if asked and (event.kind == "teams" or event.swiss) else None


def _scale(event: Event, said: str | None) -> Scale | None:
    from pathlib import Path

    from honours.scoring.scale_tables import read_scale
    from honours.scoring.victory_points import WBF

    if said is None:
        return WBF if event.scoring not in ("board-a-match", "matchpoints") else None
    word = said.lower()
    if word in ("wbf", "none"):
        return WBF if word == "wbf" else None
    return read_scale(Path(said))


def _points(text: str | None) -> Fraction | None:
    from honours.engine.numbers import exact

    return None if text is None else exact(text)
