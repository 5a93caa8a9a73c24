"""What a rulebook must be, checked: everything cited, everything used, no number but 0 and 1."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import filterfalse
from keyword import iskeyword
from string import Formatter

from honours.engine.aggregates import PREFIXES, aggregate
from honours.engine.exact import formula
from honours.engine.graph import BELOW_A_ROW
from honours.engine.resolved_names import opposed
from honours.engine.rounding import WAYS
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.asked_levels import CHECKS as LEVELS
from honours.engine.rulebook.asked_levels import out_of_reach
from honours.engine.rulebook.bodies import node_line, unreadable
from honours.engine.rulebook.consistency import CHECKS as CONSISTENCY
from honours.engine.rulebook.examples import examples, run, stands_at
from honours.engine.rulebook.nearest import with_nearest
from honours.engine.rulebook.source_lines import at_line, in_toml, where, with_line
from honours.engine.rulebook.spelling import CHECKS as SPELLING
from honours.engine.rulebook.written import CHECKS as WRITTEN
from honours.engine.rules import ENGINE_WORDS, Rule
from honours.errors import HonoursError, RulebookError
from honours.model.message import Message, mark


def unrunnable(rulebook: Rulebook) -> list[str]:
    """Faults with which no example could be run, or would tell anything."""
    checks = (*LEVELS, *SPELLING, *WRITTEN)
    return [fault for check in checks for fault in check(rulebook)]


def lint(rulebook: Rulebook) -> list[str]:
    """Every fault of the rulebook, as sentences."""
    first = unrunnable(rulebook)
    checks = (
        _uncited,
        _undefined,
        _undefined_elsewhere,
        _levels,
        _starts,
        _best,
        _messages,
        _unused,
        _numbers,
        _bodies,
        _comparisons,
        _no_examples,
        *(() if first else (_unreached,)),
        _about,
        *CONSISTENCY,
    )
    return [*first, *(fault for check in checks for fault in check(rulebook))]


def _uncited(book: Rulebook) -> Iterator[str]:
    for parameter in book.parameters.values():
        if not parameter.citation.clause.strip():
            at = _in_toml(book, "parameters", parameter.name)
            yield Message("{at}: parameter {name} cites no clause", at=at, name=parameter.name)
    for rule in book.rules:
        if not rule.clause.strip():
            yield Message("{at}: rule {rule} cites no clause", at=where(rule), rule=rule.name)


def _about(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        if rule.kind == "rule" and not rule.about:
            name = rule.function.__name__
            yield Message(
                "{at}: rule {rule} says nothing about itself (docstring)", at=where(rule), rule=name
            )
    for required in ("award", "places"):
        if not list(book.rules_for(required)):
            rules = {rule.name for rule in book.rules if rule.kind == "rule"}
            file = f"{_folder(book)}/rules.py"
            fault = Message("{at}: no rule defines {name}", at=file, name=required)
            yield with_nearest(fault, required, rules)


def _names(rule: Rule) -> Iterator[str]:
    """Every quantity, parameter or input a rule depends on."""
    for name in rule.arguments:
        wanted = aggregate(name)
        if wanted:
            yield wanted.of
        elif name not in ENGINE_WORDS:
            yield name
    yield from rule.when or {}
    yield from filter(None, (rule.starts, rule.best))
    if rule.rounds:
        yield rule.rounds.unit
        yield rule.rounds.mode


def _undefined(book: Rulebook) -> Iterator[str]:
    rules = {r.name for r in book.rules}
    known = {*rules, *book.parameters, *book.inputs, *ENGINE_WORDS, *WAYS}
    for rule in book.rules:
        for name in _names(rule):
            if name not in known and opposed(name) not in known:
                fault = Message(
                    "{at}: rule {rule} asks for {name}, which nothing defines",
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )
                if callable(rule.function.__globals__.get(name)):
                    yield Message("{fault}: function {name} has no @rule", fault=fault, name=name)
                    continue
                folded = {f"{prefix}{one}" for prefix in PREFIXES for one in (*rules, *book.inputs)}
                yield with_nearest(fault, name, {*filterfalse(iskeyword, known), *folded})


_SPEAKING = {
    "figures": mark("{at}: figure {item} is {name}, which nothing defines"),
    "colours": mark("{at}: colour {item} is {name}, which nothing defines"),
    "extras": mark("{at}: extra {item} has {name}, which nothing defines"),
    "choices": mark("{at}: choice {item} is about {name}, which nothing defines"),
}


def _undefined_elsewhere(book: Rulebook) -> Iterator[str]:
    """What figures, colours, extras, choices and variants speak of, and nothing defines."""
    known = {r.name for r in book.rules} | {*book.parameters, *book.inputs, *ENGINE_WORDS}
    speaking = [
        *(("figures", f.name, f.quantity) for f in book.figures),
        *(("colours", colour, name) for colour, name in book.colours.items()),
        *(("extras", extra, name) for extra, names in book.extras.items() for name in names),
        *(("choices", r.choice.name, name) for r in book.readings for name in r.about),
    ]
    for section, item, name in speaking:
        if name not in known:
            at = _in_toml(book, section, item)
            fault = Message(_SPEAKING[section], at=at, item=item, name=name)
            yield with_nearest(fault, name, known)
    for variant in book.variants.values():
        try:
            book.amend(variant.changes)
        except HonoursError as error:
            yield Message(
                "{at}: variant {name}: {error}",
                at=_in_toml(book, "variants", variant.name),
                name=variant.name,
                error=error,
            )


def _in_toml(book: Rulebook, *names: str) -> str:
    return in_toml(book.id, book.toml, *names)


def _folder(book: Rulebook) -> str:
    return book.id.replace("-", "_")


_COVERING = ("entrant", "player")
"""What may tie, and so cover several places."""


def _levels(book: Rulebook) -> Iterator[str]:
    """A rule reads what is per the field, per its own row or per what that belongs to."""
    for rule in book.rules:
        readable = ("field", rule.per, *BELOW_A_ROW.get(rule.per, ()))
        for name in rule.arguments:
            levels = {r.per for r in book.rules_for(name)}
            if levels and levels.isdisjoint((*readable, "place")) and name not in book.inputs:
                yield out_of_reach(rule, name, " / ".join(sorted(levels)), f"sum_of_{name}")
            if levels == {"place"} and "place" not in readable:
                how = "covered" if rule.per in _COVERING else "sum_of"
                yield out_of_reach(rule, name, "place", f"{how}_{name}")


def _starts(book: Rulebook) -> Iterator[str]:
    """What goes down the places begins somewhere."""
    for rule in book.rules:
        if "previous" in rule.arguments and rule.per == "place" and not rule.starts:
            yield Message(
                "{at}: rule {rule} builds on the place above (previous): starts= must name what "
                "the first place has",
                at=where(rule),
                rule=rule.name,
            )


def _best(book: Rulebook) -> Iterator[str]:
    """``sum_of_best_x`` and ``best`` go together."""
    for rule in book.rules:
        asks = any((a := aggregate(n)) and a.fold and a.fold.best for n in rule.arguments)
        if asks and not rule.best:
            yield Message(
                "{at}: rule {rule} takes the best of many: best= must say how many",
                at=where(rule),
                rule=rule.name,
            )
        if rule.best and not asks:
            yield Message(
                "{at}: rule {rule} says best={best!r} and takes the best of nothing",
                at=where(rule),
                rule=rule.name,
                best=rule.best,
            )


def _messages(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for name in _spoken_of(rule.message):
            if name not in rule.arguments:
                fault = Message(
                    "{at}: the message of {rule} speaks of {name}, which is no argument of it",
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )
                yield with_nearest(fault, name, rule.arguments)


def _spoken_of(message: str) -> list[str]:
    """What a message has in braces; nothing where they do not close, which is told elsewhere."""
    try:
        return [name for _, name, _, _ in Formatter().parse(message) if name is not None]
    except ValueError:
        return []


def _unused(book: Rulebook) -> Iterator[str]:
    used = {name for rule in book.rules for name in _names(rule)} | {"award", "places", "date"}
    used |= {name for names in book.extras.values() for name in names}
    used |= {*(f.quantity for f in book.figures), *book.colours.values()}
    used |= {of for r in book.rules for n in r.arguments if (of := opposed(n))}
    used |= {*book.lists.line_when, *(("line",) if book.lists.line_words else ())}
    for name in [*book.parameters, *book.inputs]:
        if name not in used:
            at = _in_toml(book, "parameters" if name in book.parameters else "inputs", name)
            yield Message("{at}: {name} is declared and used by no rule", at=at, name=name)
    for rule in book.rules:
        if rule.kind == "rule" and rule.name not in used:
            yield Message("{at}: rule {rule} is used by nothing", at=where(rule), rule=rule.name)


def _numbers(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for node in _nodes(rule):
            if isinstance(node, ast.Constant) and _is_number(node.value):
                yield Message(
                    "{at}: rule {rule} has the number {number}: numbers are parameters, each with "
                    "the clause that states it",
                    at=node_line(rule, node),
                    rule=rule.function.__name__,
                    number=repr(node.value),
                )


def _is_number(value: object) -> bool:
    """A number other than 0 and 1, which every rule may name."""
    plain = isinstance(value, int | float | complex) and not isinstance(value, bool)
    return plain and value not in (0, 1)


def _nodes(rule: Rule) -> Iterator[ast.AST]:
    for statement in formula.body(rule.function):
        yield from ast.walk(statement)


def _bodies(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        yield from unreadable(rule)


def _comparisons(book: Rulebook) -> Iterator[str]:
    """``if`` compares only inputs, parameters and rounded or tabulated quantities."""
    for rule in book.rules:
        if rule.kind != "rule" or rule.tabulated:
            continue
        for node in _nodes(rule):
            if isinstance(node, ast.If | ast.IfExp):
                for name in _compared(node.test):
                    if _never_rounded(book, name):
                        yield Message(
                            "{at}: rule {rule} compares {name}, never rounded: round it, or use "
                            "up_to",
                            at=node_line(rule, node),
                            rule=rule.function.__name__,
                            name=name,
                        )


def _compared(test: ast.expr) -> Iterator[str]:
    return (n.id for n in ast.walk(test) if isinstance(n, ast.Name))


def _never_rounded(book: Rulebook, name: str) -> bool:
    """Whether a float could stand on the wrong side of a limit: never so for what is given, whole
    or rounded, nor for the number, rank or sum of such."""
    if name == "previous":
        return True
    wanted = aggregate(name)
    if wanted is not None:
        if wanted.how in ("count_of_", "rank_of_"):
            return False
        return wanted.how == "mean_of_" or _never_rounded(book, wanted.of)
    return any(r.rounds is None and not r.tabulated for r in book.rules_for(name))


def _no_examples(book: Rulebook) -> Iterator[str]:
    cases = list(examples(book))
    if not cases:
        at = at_line(f"{_folder(book)}/examples.toml", 1)
        yield Message("{at}: there is no example, each as [[example]]", at=at)
    for case in cases:
        if not case.published and not case.ours:
            yield Message(
                "{at}: it says neither where it is published, nor how you came by it (ours)",
                at=stands_at(book, case.name),
            )


def _unreached(book: Rulebook) -> Iterator[str]:
    """Rules no example runs through, and refusals that refuse none. An example that fails is the
    example test's matter."""
    reached: dict[int, bool] = {}
    traced, failed = _traced(book, reached), False
    for example in examples(book):
        try:
            run(traced, example, in_words=True)
        except (HonoursError, TypeError) as error:
            failed = True
            sentence = with_line(book.rules, error)
            yield Message("{at}: {error}", at=stands_at(book, example.name), error=sentence)
    for rule in book.rules:
        name, held = rule.function.__name__, reached.get(id(rule.function))
        if held is None and failed:
            continue  # what failed may have been the one to reach it
        if held is None:
            yield Message("{at}: no example reaches {rule}", at=where(rule), rule=name)
        elif rule.kind == "refusal" and not rule.asks and not held:
            yield Message("{at}: no example is refused by {rule}", at=where(rule), rule=name)


def _traced(book: Rulebook, reached: dict[int, bool]) -> Rulebook:
    """The rulebook with each rule noting that it ran, and whether it ever held."""
    from dataclasses import replace
    from functools import wraps

    def noting(rule: Rule) -> Rule:
        @wraps(rule.function)
        def noted(*args: object, **kwargs: object) -> object:
            value = rule.function(*args, **kwargs)
            if rule.kind != "rule" and not isinstance(value, bool):
                raise RulebookError(
                    "{at}: {rule} gives {value!r}: expected yes or no, as a comparison gives",
                    at=where(rule),
                    rule=rule.name,
                    value=str(value),
                )
            reached[id(rule.function)] = reached.get(id(rule.function), False) or bool(value)
            return value

        return replace(rule, function=noted)

    return replace(book, rules=tuple(noting(r) for r in book.rules))
