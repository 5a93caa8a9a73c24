"""What a rulebook gives besides an award: further figures and colours of points of an entrant, and
extras of the field."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from honours.engine.exact.field_aggregates import Scope
from honours.engine.exact.working import Working
from honours.engine.numbers import show
from honours.engine.posting import ONE_COLOUR
from honours.engine.rulebook import FigureRule
from honours.errors import MissingInput, RulebookError
from honours.model import Figure, Player, Step


def figures_of(working: Working, entrant: int) -> tuple[Figure, ...]:
    """The further figures of an entrant and of its players; none of what was not told enough for,
    nor where these words have no rule for it."""
    return tuple(
        figure
        for declared in working.rulebook.figures
        if working.case.active(declared.quantity)
        for figure in _figures(working, declared, entrant)
    )


def _figures(working: Working, declared: FigureRule, entrant: int) -> Iterator[Figure]:
    level = working.graph.level(declared.quantity)
    players = working.field.standings[entrant].entrant.players
    try:
        if level == "player":
            for nth, player in enumerate(players or (None,)):
                yield _figure(working, declared, Scope("player", entrant, nth), player)
        else:
            yield _figure(working, declared, Scope("entrant", entrant), None)
    except MissingInput:
        return


def _figure(working: Working, declared: FigureRule, scope: Scope, player: Player | None) -> Figure:
    working.graph.level_read(declared.quantity, scope.level)
    step = working.step(declared.quantity, scope)
    text = _shown(step, declared.decimals)
    unit = f" {declared.unit}" if declared.unit else ""
    return Figure(declared.name, step.value, text + unit, step, player)


def _shown(step: Step, places: int | None) -> str:
    if places is None or not isinstance(step.value, Fraction):
        return step.shown
    return show(step.value, places)


def colours_of(working: Working, entrant: int, amount: Fraction) -> dict[str, Fraction]:
    """The kinds of points an award is made of, leaving out those that are zero."""
    declared = working.rulebook.colours
    if ONE_COLOUR in declared:
        return _of_one_colour(working, declared[ONE_COLOUR], amount)
    if not declared:
        return {}
    scope = Scope("entrant", entrant)
    for quantity in declared.values():
        working.graph.level_read(quantity, "entrant")
    colours = {c: working.number(q, scope) for c, q in declared.items()}
    total = sum(colours.values(), Fraction(0))
    if total != amount:
        listed = ", ".join(f"{colour} {show(points)}" for colour, points in colours.items())
        raise RulebookError(
            "{id}: the colours ({listed}) make {total}, the award is {amount}",
            id=working.rulebook.id,
            listed=listed,
            total=show(total),
            amount=show(amount),
        )
    return {colour: points for colour, points in colours.items() if points}


def _of_one_colour(working: Working, quantity: str, amount: Fraction) -> dict[str, Fraction]:
    """All points of a list in the colour that a quantity of it names, where one does."""
    try:
        named = quantity in working.field.facts or working.case.active(quantity)
        return {working.step(quantity).shown: amount} if named and amount else {}
    except MissingInput:
        return {}


def extras_of(working: Working) -> dict[str, dict[str, str]]:
    """Further answers a rulebook declares for some words, e.g. a Swiss match's win and draw."""
    extras: dict[str, dict[str, str]] = {}
    for name, quantities in working.rulebook.extras.items():
        defined = (q for q in quantities if working.case.active(q))
        shown = {q: text for q in defined if (text := _extra(working, q))}
        if shown:
            extras[name] = shown
    return extras


def _extra(working: Working, quantity: str) -> str:
    """An extra whose own inputs were not given was not asked for."""
    working.graph.level_read(quantity, "field")
    try:
        return working.step(quantity).shown
    except MissingInput:
        return ""
