"""Options of commands, made from the declarations of the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from honours.cli.options import pairs, set_option
from honours.model import Event
from honours.pipeline.options import SCORING, SWITCHES, Option, chosen_options
from honours.pipeline.scoring import score_as_chosen as scored
from honours.scoring import ScoredEvent

F = TypeVar("F", bound=Callable[..., Any])


def declared(options: Iterable[Option]) -> Callable[[F], F]:
    """A command's options as they are declared, in their order."""

    def decorate(function: F) -> F:
        for option in reversed(tuple(options)):
            function = click.option(option.flag, option.name, **_settings(option))(function)
        return function

    return decorate


def _settings(option: Option) -> dict[str, Any]:
    settings: dict[str, Any] = {"help": option.help}
    if option.metavar:
        settings["metavar"] = option.metavar
    if option.kind == "flag":
        return settings | {"is_flag": True}
    if option.kind == "pairs":
        return settings | {"multiple": True}
    if option.kind == "word":
        return settings | {"type": click.Choice(list(option.words))}
    if option.kind == "count":
        return settings | {"type": click.IntRange(option.least)}
    if option.kind == "file":
        return settings | {"type": click.Path(exists=True, dir_okay=False)}
    if option.default:
        settings |= {"default": option.default, "show_default": True}
    return settings


def scoring_options(function: F) -> F:
    """All that says how an event is scored and ranked, with ``--set`` for its switches."""
    switch = set_option(
        "SWITCH", "Set a switch of the profile (simplified=true) or of IMPs (divisor=sum)."
    )
    return how_scored_options(switch(function))


def how_scored_options(function: F) -> F:
    """All of them but ``--set``, which a command with a rulebook has for that too."""
    return declared(SCORING)(function)


def score_as_chosen(event: Event, choices: dict[str, Any]) -> ScoredEvent:
    """Score an event as the options of a command say."""
    return scored(event, scoring_choices(choices))


def scoring_choices(choices: dict[str, Any]) -> dict[str, Any]:
    """The scoring options of a command, as the pipeline takes them."""
    values = {option.name: choices[option.name] for option in SCORING}
    return chosen_options({**values, SWITCHES: pairs(choices["changes"])})
