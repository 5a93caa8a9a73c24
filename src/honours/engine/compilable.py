"""Which rulebooks the compiled way can run; the others run the exact way, event by event."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from honours.engine import formula
from honours.engine.case import aggregate
from honours.engine.rulebook import Rulebook
from honours.engine.rules import BEST, Rule

_EXACT_AGGREGATES = (*BEST, "largest_of_", "smallest_of_")
_FLOAT_SUMS = ("sum_of_", "covered_")


_reasons: dict[tuple[Callable[..., Any], ...], str] = {}


def exact_only(rulebook: Rulebook) -> str:
    """Why a rulebook cannot be compiled, or nothing where it can be."""
    functions = tuple(rule.function for rule in rulebook.rules)
    if functions not in _reasons:
        by_name = {rule.name: rule for rule in rulebook.rules}
        reasons = (_of_rule(rule, by_name) for rule in rulebook.rules)
        _reasons[functions] = next((reason for reason in reasons if reason), "")
    return _reasons[functions]


def _of_rule(rule: Rule, rules: dict[str, Rule]) -> str:
    name = rule.function.__name__
    if rule.per == "game":
        return f"{name} is per game"
    if rule.name == "award" and rule.per == "player":
        return "players of one entrant are awarded differently"
    compared = _compared(rule)
    for argument in rule.arguments:
        wanted = aggregate(argument)
        if wanted is None:
            continue
        of = rules.get(wanted.of)
        if wanted.how in _EXACT_AGGREGATES:
            return f"{name} asks for {argument}"
        if wanted.how == "rank_of_" and of and of.per == "player":
            return f"{name} ranks players"
        if wanted.how in _FLOAT_SUMS and argument in compared and (of is None or of.rounds):
            return f"{name} compares {argument}"
    return ""


def _compared(rule: Rule) -> set[str]:
    """The names in what a rule compares."""
    nodes = (n for statement in formula.body(rule.function) for n in ast.walk(statement))
    tests = (n for n in nodes if isinstance(n, ast.Compare))
    return {n.id for test in tests for n in ast.walk(test) if isinstance(n, ast.Name)}
