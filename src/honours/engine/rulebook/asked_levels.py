"""What is asked for at a level that does not have it: the rank of a field, what a tie covers of
something that is not per place, an award of the whole list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from honours.engine.aggregates import COVERED, RANK, Aggregate, aggregate
from honours.engine.graph import AWARD, BELOW_A_ROW, PLACES
from honours.engine.posting import ONE_COLOUR
from honours.engine.resolved_names import opposed
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.source_lines import in_toml, where
from honours.engine.rules import Rule
from honours.model.message import Message, mark

_RANKED = frozenset({"entrant", "player"})
_PER_ENTRANT: Mapping[str, frozenset[str]] = {
    AWARD: _RANKED,
    PLACES: frozenset({"field"}),
}
"""What the two quantities of every rulebook may be per."""


def levels_of(book: Rulebook, name: str) -> set[str]:
    """What a name is per, by all that declares it; nothing where it is not known."""
    levels: set[str] = {rule.per for rule in book.rules_for(name)}
    if name in book.inputs:
        levels.add(book.inputs[name].per)
    return levels or ({"field"} if name in book.parameters else set())


def aggregates(book: Rulebook) -> Iterator[str]:
    """Aggregates of what has nothing below the rule that asks for them."""
    for rule in book.rules:
        for name in rule.arguments:
            wanted = aggregate(name)
            levels = levels_of(book, wanted.of) if wanted and name not in book.inputs else set()
            fault = _misasked(rule, wanted, levels) if wanted and levels else None
            if fault:
                yield Message(
                    "{at}: rule {rule} is per {level} and asks for {name}, and {of} is per "
                    "{below}: {why}",
                    at=where(rule),
                    rule=rule.name,
                    level=rule.per,
                    name=name,
                    of=wanted.of if wanted else "",
                    below=" / ".join(sorted(levels)),
                    why=fault,
                )


def _misasked(rule: Rule, wanted: Aggregate, levels: set[str]) -> Message | None:
    """Why a rule cannot ask for an aggregate of what is per these levels; None where it can."""
    if wanted.how == COVERED:
        if levels != {"place"}:
            return Message("a tie covers only what is per place")
        return None if rule.per in _RANKED else Message("only an entrant may be tied")
    if wanted.how == RANK:
        if not levels <= _RANKED:
            return Message("only entrants and players have a rank")
        return None if levels == {rule.per} else Message("give the rank a rule of that level")
    if levels == {"field"}:
        return Message("there is only one of it")
    if levels == {"entrant"} and rule.per in ("entrant", "game"):
        return Message("that is its own; a rule per field goes over all entrants")
    return None


def places_above(book: Rulebook) -> Iterator[str]:
    """``previous`` and ``tied`` where there is no place above, or nobody who ties."""
    for rule in book.rules:
        if "previous" in rule.arguments and rule.per != "place":
            yield Message(
                "{at}: rule {rule} is per {level} and asks for previous: only a rule "
                'per="place" has a place above',
                at=where(rule),
                rule=rule.name,
                level=rule.per,
            )
        if "tied" in rule.arguments and rule.per == "place":
            yield Message(
                "{at}: rule {rule} is per place and asks for tied: a place by itself is not "
                'shared; a rule per="entrant" asks how many tie',
                at=where(rule),
                rule=rule.name,
            )
        yield from _beginnings(book, rule)


def _beginnings(book: Rulebook, rule: Rule) -> Iterator[str]:
    """``starts`` and ``best``, which are of the whole field."""
    if rule.starts and "previous" not in rule.arguments:
        yield Message(
            "{at}: rule {rule} says starts={starts!r} and does not ask for previous",
            at=where(rule),
            rule=rule.name,
            starts=rule.starts,
        )
    for key, name in (("starts", rule.starts), ("best", rule.best)):
        if levels_of(book, name) - {"field"}:
            yield Message(
                "{at}: rule {rule}: {key}={name!r} is per {level}, and must be per field",
                at=where(rule),
                rule=rule.name,
                key=key,
                name=name,
                level=" / ".join(sorted(levels_of(book, name))),
            )


def opponents(book: Rulebook) -> Iterator[str]:
    """``opponent_x`` in a rule that is about no game."""
    for rule in book.rules:
        for name in rule.arguments:
            of = opposed(name)
            if of and rule.per != "game" and levels_of(book, of) and not levels_of(book, name):
                yield Message(
                    "{at}: rule {rule} is per {level} and asks for {name}: only a rule "
                    'per="game" has an opponent',
                    at=where(rule),
                    rule=rule.name,
                    level=rule.per,
                    name=name,
                )


def inputs_below(book: Rulebook) -> Iterator[str]:
    """Inputs of entrants, players or games that a rule above them asks for as if there were one."""
    for rule in book.rules:
        readable = {"field", rule.per, *BELOW_A_ROW.get(rule.per, ())}
        for name in rule.arguments:
            level = book.inputs[name].per if name in book.inputs else "field"
            if level not in readable and not list(book.rules_for(name)):
                yield out_of_reach(rule, name, level, f"sum_of_{name}")


def out_of_reach(rule: Rule, name: str, below: str, instead: str) -> Message:
    """What a rule asks for although it is per something that the rule has many of."""
    return Message(
        "{at}: rule {rule} is per {level} and asks for {name}, which is per {below}: "
        "ask for {instead}",
        at=where(rule),
        rule=rule.name,
        level=rule.per,
        name=name,
        below=below,
        instead=instead,
    )


def required(book: Rulebook) -> Iterator[str]:
    """Awards of the whole list, and numbers of paid places that each entrant would have."""
    for rule in book.rules:
        levels = _PER_ENTRANT.get(rule.name) if rule.kind == "rule" else None
        if levels and rule.per not in levels:
            yield Message(
                "{at}: rule {rule} is per {level}, and must be per {right}",
                at=where(rule),
                rule=rule.name,
                level=rule.per,
                right=" / ".join(sorted(levels)),
            )


_SHOWN = {
    "figures": mark("{at}: figure {item} is {name}, per {level}: it must be per {right}"),
    "colours": mark("{at}: colour {item} is {name}, per {level}: it must be per {right}"),
    "extras": mark("{at}: extra {item} has {name}, per {level}: it must be per {right}"),
}


def shown(book: Rulebook) -> Iterator[str]:
    """Figures, colours and extras that are not per what has them."""
    colours = [(c, name, c == ONE_COLOUR) for c, name in book.colours.items()]
    asked = [
        *(("figures", f.name, f.quantity, _RANKED) for f in book.figures),
        *(
            ("colours", colour, name, frozenset({"field" if of_all else "entrant"}))
            for colour, name, of_all in colours
        ),
        *(
            ("extras", extra, name, frozenset({"field"}))
            for extra, names in book.extras.items()
            for name in names
        ),
    ]
    for section, item, name, right in asked:
        levels = levels_of(book, name)
        if levels - right:
            yield Message(
                _SHOWN[section],
                at=in_toml(book.id, book.toml, section, item),
                item=item,
                name=name,
                level=" / ".join(sorted(levels)),
                right=" / ".join(sorted(right)),
            )


CHECKS: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    aggregates,
    places_above,
    opponents,
    inputs_below,
    required,
    shown,
)
"""What must hold before any example can be run."""
