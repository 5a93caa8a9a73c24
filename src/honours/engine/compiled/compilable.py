"""Which rulebooks the compiled way can run; the others run the exact way, event by event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from honours.engine.graph import AWARD
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule

_reasons: dict[tuple[Callable[..., Any], ...], str] = {}


def exact_only(rulebook: Rulebook) -> str:
    """Why a rulebook cannot be compiled, or nothing where it can be."""
    functions = tuple(rule.function for rule in rulebook.rules)
    if functions not in _reasons:
        reasons = (_of_rule(rule) for rule in rulebook.rules)
        _reasons[functions] = next((reason for reason in reasons if reason), "")
    return _reasons[functions]


def _of_rule(rule: Rule) -> str:
    if rule.per == "game":
        return f"{rule.function.__name__} is per game"
    if rule.name == AWARD and rule.per == "player":
        return "players of one entrant are awarded differently"
    return ""
