"""What a rulebook must be, checked: everything cited, everything used, no number but 0 and 1."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from string import Formatter

from honours.engine.aggregates import aggregate
from honours.engine.case import opposed
from honours.engine.exact import formula
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.bodies import unreadable
from honours.engine.rulebook.examples import examples, run, stands_at
from honours.engine.rulebook.source_lines import where
from honours.engine.rules import ENGINE_WORDS, ROUNDED, Rule
from honours.errors import HonoursError, UnknownName


def lint(rulebook: Rulebook) -> list[str]:
    """Every fault of the rulebook, as sentences."""
    checks = (
        _uncited,
        _undefined,
        _best,
        _messages,
        _unused,
        _numbers,
        _bodies,
        _comparisons,
        _unreached,
        _about,
    )
    return [fault for check in checks for fault in check(rulebook)]


def _uncited(book: Rulebook) -> Iterator[str]:
    for parameter in book.parameters.values():
        if not parameter.citation.clause.strip():
            yield f"parameter {parameter.name} cites no clause"
    for rule in book.rules:
        if not rule.clause.strip():
            yield f"{where(rule)}: rule {rule.name} cites no clause"


def _about(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        if rule.kind == "rule" and not rule.about:
            name = rule.function.__name__
            yield f"{where(rule)}: rule {name} says nothing about itself (docstring)"
    for required in ("award", "places"):
        if not list(book.rules_for(required)):
            rules = {rule.name for rule in book.rules if rule.kind == "rule"}
            yield f"{book.id}/rules.py: no rule defines {required}{near(required, rules)}"


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
    known = {*rules, *book.parameters, *book.inputs, *ENGINE_WORDS, *ROUNDED}
    for rule in book.rules:
        for name in _names(rule):
            of = opposed(name) if rule.per == "game" else None
            if name not in known and of not in known:
                meant = near(name, known)
                asks = f"rule {rule.name} asks for {name}"
                yield f"{where(rule)}: {asks}, which nothing defines{meant}"
    yield from _undefined_figures(book, known)
    for reading in book.readings:
        for name in reading.about:
            if name not in known:
                yield f"choice {reading.choice.name} is about {name}, which nothing defines"


def _undefined_figures(book: Rulebook, known: Set[str]) -> Iterator[str]:
    figures = {f"figure {f.name}": f.quantity for f in book.figures}
    colours = {f"colour {colour}": quantity for colour, quantity in book.colours.items()}
    for what, quantity in (figures | colours).items():
        if quantity not in known:
            yield f"{what} is {quantity}, which nothing defines{near(quantity, known)}"


def near(name: str, known: Iterable[str]) -> str:
    """The nearest right word, as a question."""
    close = UnknownName("name", name, sorted(known)).nearest
    return f"; did you mean {close!r}?" if close else ""


def _best(book: Rulebook) -> Iterator[str]:
    """``sum_of_best_x`` and ``best`` go together."""
    for rule in book.rules:
        asks = any((a := aggregate(n)) and a.fold and a.fold.best for n in rule.arguments)
        if asks and not rule.best:
            yield f"{where(rule)}: rule {rule.name} takes the best of many: best= must say how many"
        if rule.best and not asks:
            says = f"rule {rule.name} says best={rule.best!r}"
            yield f"{where(rule)}: {says} and takes the best of nothing"


def _messages(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for _, name, _, _ in Formatter().parse(rule.message):
            if name is not None and name not in rule.arguments:
                meant = near(name, rule.arguments)
                yield (
                    f"{where(rule)}: the message of {rule.name} speaks of {name}, "
                    f"which is no argument of it{meant}"
                )


def _unused(book: Rulebook) -> Iterator[str]:
    used = {name for rule in book.rules for name in _names(rule)} | {"award", "places", "date"}
    used |= {name for names in book.extras.values() for name in names}
    used |= {*(f.quantity for f in book.figures), *book.colours.values()}
    used |= {of for r in book.rules for n in r.arguments if (of := opposed(n))}
    used |= {*book.lists.line_when, *(("line",) if book.lists.line_words else ())}
    for name in [*book.parameters, *book.inputs]:
        if name not in used:
            yield f"{book.id}/rulebook.toml: {name} is declared and used by no rule"
    for rule in book.rules:
        if rule.kind == "rule" and rule.name not in used:
            yield f"{where(rule)}: rule {rule.name} is used by nothing"


def _numbers(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for node in _nodes(rule):
            if isinstance(node, ast.Constant) and _is_number(node.value):
                yield (
                    f"{where(rule)}: rule {rule.function.__name__} has the number {node.value!r}: "
                    "numbers are parameters, each with the clause that states it"
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
                        yield (
                            f"{where(rule)}: rule {rule.function.__name__} compares {name}, "
                            "never rounded: round it, or use up_to"
                        )


def _compared(test: ast.expr) -> Iterator[str]:
    return (n.id for n in ast.walk(test) if isinstance(n, ast.Name))


def _never_rounded(book: Rulebook, name: str) -> bool:
    """Whether a float could stand on the wrong side of a limit: never so for what is given, whole
    or rounded, nor for the number, rank, sum or largest of such."""
    if name == "previous":
        return True
    wanted = aggregate(name)
    if wanted is not None:
        if wanted.how in ("count_of_", "rank_of_"):
            return False
        return wanted.how in ("mean_of_", "mean_of_best_") or _never_rounded(book, wanted.of)
    return any(r.rounds is None and not r.tabulated for r in book.rules_for(name))


def _unreached(book: Rulebook) -> Iterator[str]:
    """Rules no example runs through. An example that fails is the example test's matter."""
    reached: set[int] = set()
    traced = _traced(book, reached)
    for example in examples(book):
        try:
            run(traced, example)
        except (HonoursError, TypeError) as error:
            yield f"{stands_at(book, example.name)}: {error}"
    for rule in book.rules:
        if id(rule.function) not in reached:
            yield f"{where(rule)}: no example reaches {rule.function.__name__}"


def _traced(book: Rulebook, reached: set[int]) -> Rulebook:
    """The rulebook with each rule noting that it ran."""
    from dataclasses import replace
    from functools import wraps

    def noting(rule: Rule) -> Rule:
        @wraps(rule.function)
        def noted(*args: object, **kwargs: object) -> object:
            reached.add(id(rule.function))
            return rule.function(*args, **kwargs)

        return replace(rule, function=noted)

    return replace(book, rules=tuple(noting(r) for r in book.rules))
