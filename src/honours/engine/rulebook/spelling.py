"""Words of a rulebook that nothing has: of an input, of a rounding, in a comparison or a list."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from honours.engine.posting import ONE_COLOUR
from honours.engine.ranks import TOTAL, USUAL_KINDS
from honours.engine.rounding import WAYS
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.bodies import node_line, nodes_of
from honours.engine.rulebook.nearest import with_nearest
from honours.engine.rulebook.source_lines import in_toml, where
from honours.engine.written_names import public
from honours.model.message import Message


def _words_of(book: Rulebook, name: str) -> tuple[str, ...]:
    """What a word may be; nothing of a number, or of what a rule gives."""
    declared = book.inputs.get(name) or book.parameters.get(name)
    return () if declared is None or list(book.rules_for(name)) else declared.words


def _no_word(at: str, what: str, word: str, words: Iterable[str]) -> str:
    known = tuple(words)
    fault = Message(
        "{at}: {what} is never {word!r} but {words}", at=at, what=what, word=word, words=known
    )
    return with_nearest(fault, word, known)


def in_when(book: Rulebook) -> Iterator[str]:
    """Rules for words that an input never is, or for the words of a number."""
    for rule in book.rules:
        for name, wanted in (rule.when or {}).items():
            words = _words_of(book, name)
            declared = book.inputs.get(name)
            if declared and declared.type != "word" and not list(book.rules_for(name)):
                yield Message(
                    "{at}: rule {rule}: when= chooses by words, and {name} is a {type}",
                    at=where(rule),
                    rule=rule.function.__name__,
                    name=public(name),
                    type=declared.type,
                )
                continue
            for word in (wanted,) if isinstance(wanted, str) else tuple(wanted):
                if words and word not in words:
                    yield _no_word(where(rule), public(name), str(word), words)


def compared(book: Rulebook) -> Iterator[str]:
    """Bodies that compare an input with a word it never is."""
    for rule in book.rules:
        for node in nodes_of(rule, ast.Compare):
            sides = (node.left, *node.comparators)
            names = [side.id for side in sides if isinstance(side, ast.Name)]
            for word in (s.value for s in sides if isinstance(s, ast.Constant)):
                for name in names if isinstance(word, str) else ():
                    words = _words_of(book, name)
                    if words and word not in words:
                        yield _no_word(node_line(rule, node), public(name), str(word), words)


def roundings(book: Rulebook) -> Iterator[str]:
    """Ways to round that there are not."""
    for rule in book.rules:
        mode = rule.rounds.mode if rule.rounds else ""
        declared = book.parameters.get(mode)
        words = declared.words if declared else (mode,) if mode else ()
        if declared and not words:
            yield Message(
                "{at}: rule {rule} is rounded the way {mode} says, which is a number",
                at=where(rule),
                rule=rule.name,
                mode=mode,
            )
        for word in words:
            if word not in WAYS:
                what = Message("the rounding of {rule}", rule=rule.name)
                yield _no_word(where(rule), what, word, WAYS)


def asked(book: Rulebook) -> Iterator[str]:
    """Refusals that ask for an input there is not."""
    for rule in book.rules:
        if rule.asks and rule.asks not in book.inputs:
            fault = Message(
                "{at}: {rule} asks for {name}, which is no input",
                at=where(rule),
                rule=rule.name,
                name=rule.asks,
            )
            yield with_nearest(fault, rule.asks, book.inputs)


def in_toml_sections(book: Rulebook) -> Iterator[str]:
    """Names in [lists], [choices] and [[ranks]] that nothing declares."""
    lists, rules = book.lists, {rule.name for rule in book.rules if rule.kind == "rule"}
    inputs = {public(name) for name in book.inputs} | {*book.inputs}
    colours = {*book.colours, *_words_of(book, book.colours.get(ONE_COLOUR, ""))} - {ONE_COLOUR}
    points = colours | {TOTAL, *USUAL_KINDS, *USUAL_KINDS.values()}
    named = [
        *(("lists", "line_when", name, inputs) for name in lists.line_when),
        *(("lists", "session_facts", name, inputs) for name in lists.session_facts),
        *(("lists", "section_facts", name, inputs) for name in lists.section_facts),
        *(("lists", "from_overall", name, rules | inputs) for name in lists.from_overall),
        *(("lists", "own", name, inputs) for name in lists.own if "own" in book.toml),
        *(
            ("choices", reading.choice.name, reading.choice.parameter, {*book.parameters})
            for reading in book.readings
            if reading.choice.parameter
        ),
        *(
            ("ranks", rank.name, kind, points)
            for rank in book.ranks
            for kind in rank.needs
            if colours
        ),
    ]
    for section, item, name, known in named:
        if name not in known:
            at = in_toml(book.id, book.toml, section, item)
            fault = Message(
                "{at}: {section}, {item}: nothing is called {name}",
                at=at,
                section=section,
                item=item,
                name=name,
            )
            yield with_nearest(fault, name, known)


def derived(book: Rulebook) -> Iterator[str]:
    """Words of [derive] that the input never is."""
    for line in book.derivations:
        words = _words_of(book, line.input)
        if line.value and words and line.value not in words:
            at = in_toml(book.id, book.toml, "derive", public(line.input))
            yield _no_word(at, public(line.input), line.value, words)


def colour_of_all(book: Rulebook) -> Iterator[str]:
    """``all`` of [colours], whose words are those of an input."""
    name = book.colours.get(ONE_COLOUR, "")
    if name and not (name in book.inputs and book.inputs[name].words):
        yield Message(
            "{at}: all points of a list have the colour that {name} says, which must be an input "
            "that is a word",
            at=in_toml(book.id, book.toml, "colours", ONE_COLOUR),
            name=name,
        )


CHECKS: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    in_when,
    compared,
    roundings,
    asked,
    in_toml_sections,
    derived,
    colour_of_all,
)
"""Every check of this module, for the lint."""
