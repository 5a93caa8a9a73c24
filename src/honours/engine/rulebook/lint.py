"""What a rulebook must be, checked: everything cited, everything used, no number but 0 and 1."""

from __future__ import annotations

import ast
import inspect
import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations, filterfalse, pairwise
from keyword import iskeyword
from pathlib import Path
from string import Formatter
from typing import Any

from honours.engine.award import award
from honours.engine.columns import exact_only
from honours.engine.exact import formula
from honours.engine.graph import AWARD, BELOW_A_ROW, PLACES, opposed
from honours.engine.numbers import SCALE, WAYS
from honours.engine.posting import ONE_COLOUR
from honours.engine.ranks import TOTAL, USUAL_KINDS
from honours.engine.rulebook import Input, Rulebook
from honours.engine.rulebook.examples import Example, differences, examples, fields, run, stands_at
from honours.engine.rulebook.source import (
    BUILTINS,
    FUNCTIONS,
    at_line,
    in_toml,
    node_line,
    nodes_of,
    short_path,
    unreadable,
    where,
    with_line,
    with_nearest,
)
from honours.engine.rules import (
    COVERED,
    ENGINE_WORDS,
    PREFIXES,
    RANK,
    Aggregate,
    Rule,
    aggregate,
    public,
)
from honours.errors import HonoursError, RulebookError
from honours.model import Field
from honours.model.message import Message, joined, mark
from honours.rings import NotInstalled, has

# --- what in a rulebook contradicts itself ------------------------------------------------------

_OF_ROWS = ("place", "tied")
"""What only an entrant or a place has."""


def values_of_inputs(book: Rulebook) -> Iterator[str]:
    """Defaults and examples of inputs that are themselves refused, and ranges that hold nothing."""
    for declared in book.inputs.values():
        at = in_toml(book.id, book.toml, "inputs", declared.name)
        if declared.type == "word" and not declared.words:
            yield Message(
                "{at}: {name} is a word, and words= must say which", at=at, name=declared.name
            )
        elif _holds_nothing(declared):
            yield Message("{at}: {name}: least is more than most", at=at, name=declared.name)
        else:
            yield from _refused_values(declared, at)


def _holds_nothing(declared: Input) -> bool:
    least, most = declared.least, declared.most
    return least is not None and most is not None and least > most


def _refused_values(declared: Input, at: str) -> Iterator[str]:
    for key, text in ((declared.unsaid, declared.default), ("example", declared.example)):
        try:
            if text:
                declared.read(text)
        except HonoursError as error:
            yield Message(
                "{at}: the {key} of {name} is refused: {error}",
                at=at,
                key=key,
                name=declared.name,
                error=error,
            )


def stand_ins(book: Rulebook) -> Iterator[str]:
    """Rules that presume what is no input, and limits on what players are not asked."""
    for rule in (r for r in book.rules if r.presumes and r.name not in book.inputs):
        at = where(rule)
        yield Message("{at}: {rule} presumes what is no input", at=at, rule=rule.name)
    for name, declared in book.inputs.items():
        held = book.inputs.get(declared.holds)
        if declared.holds and (held is None or held.per != "player"):
            at = in_toml(book.id, book.toml, "inputs", name)
            yield Message("{at}: {name}: holds is no input per player", at=at, name=name)


def dates(book: Rulebook) -> Iterator[str]:
    """Days of ``[effective]`` that are none, or in the wrong order."""
    days: list[date] = []
    for key in ("since", "until", "looked"):
        text = getattr(book.effective, key)
        at = in_toml(book.id, book.toml, "effective", key)
        try:
            days += [date.fromisoformat(text)] if text else []
        except ValueError:
            yield Message(
                "{at}: {key} = {text!r}: expected a day, as 2019-06-30", at=at, key=key, text=text
            )
    if len(days) == 2 and days[0] > days[1]:
        at = in_toml(book.id, book.toml, "effective", "until")
        yield Message("{at}: the edition ends before it begins", at=at)


def names_declared_twice(book: Rulebook) -> Iterator[str]:
    """A parameter that is an input or a rule too, and two rules of one quantity at once."""
    rules = {rule.name: rule for rule in book.rules if rule.kind == "rule"}
    for name in book.parameters:
        at = in_toml(book.id, book.toml, "parameters", name)
        if name in book.inputs:
            yield Message("{at}: {name} is a parameter and an input", at=at, name=name)
        if name in rules:
            yield Message(
                "{at}: rule {name} is a parameter too, in {other}",
                at=where(rules[name]),
                name=name,
                other=at,
            )
    for one, other in combinations([r for r in book.rules if r.kind == "rule"], 2):
        if one.name == other.name and not one.when and not other.when:
            yield Message(
                "{at}: {name} is defined twice, here and in {other}: when= says for which words "
                "each is",
                at=where(other),
                name=one.name,
                other=where(one),
            )


def functions_written_twice(book: Rulebook) -> Iterator[str]:
    """Functions of one file by the same name: Python keeps the last, silently."""
    for path in sorted({inspect.unwrap(rule.function).__code__.co_filename for rule in book.rules}):
        seen: dict[str, int] = {}
        for node in ast.parse(Path(path).read_text(encoding="utf-8-sig")).body:
            if isinstance(node, ast.FunctionDef):
                if node.name in seen:
                    yield Message(
                        "{at}: function {name} is in line {line} already: only the last counts",
                        at=at_line(short_path(path), node.lineno),
                        name=node.name,
                        line=seen[node.name],
                    )
                seen[node.name] = node.lineno


def circles(book: Rulebook) -> Iterator[str]:
    """Quantities that are worked out from themselves, where none of them can be given."""
    rules = {rule.name: rule for rule in book.rules if rule.kind == "rule"}
    reads = {
        name: [n for n in _read_by(rule) if n in rules and n not in book.inputs]
        for name, rule in rules.items()
        if name not in book.inputs
    }
    done: set[str] = set()
    for name in reads:
        circle = _circle(name, reads, [], done)
        if circle:
            yield Message(
                "{at}: {around} goes in a circle",
                at=where(rules[circle[0]]),
                around=" → ".join((*circle, circle[0])),
            )


def _read_by(rule: Rule) -> Iterator[str]:
    for name in rule.arguments:
        wanted = aggregate(name)
        yield wanted.of if wanted else name
    if rule.starts:
        yield rule.starts


def _circle(name: str, reads: dict[str, list[str]], path: list[str], done: set[str]) -> list[str]:
    if name in path:
        return path[path.index(name) :]
    if name in done:
        return []
    for read in reads.get(name, ()):
        if circle := _circle(read, reads, [*path, name], done):
            done |= set(circle)
            return circle
    done.add(name)
    return []


def places_of_a_field(book: Rulebook) -> Iterator[str]:
    """A rule of the whole list has no place."""
    for rule in book.rules:
        for name in _OF_ROWS:
            if rule.per == "field" and name in rule.arguments and name not in book.inputs:
                yield Message(
                    "{at}: rule {rule} asks for {name} and is per field, which has none: "
                    'per="entrant", or for place per="place"',
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )


def arguments_with_defaults(book: Rulebook) -> Iterator[str]:
    for rule in book.rules:
        for name, argument in inspect.signature(rule.function).parameters.items():
            if argument.default is not inspect.Parameter.empty:
                yield Message(
                    "{at}: rule {rule} gives {name} a value of its own: numbers are parameters, "
                    "each with the clause that states it",
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )


def ends_without_a_value(book: Rulebook) -> Iterator[str]:
    """Bodies of ``if`` and ``return`` that may come to their end without a ``return``."""
    for rule in book.rules:
        try:
            statements = formula.body(rule.function)
        except (HonoursError, OSError, TypeError, SyntaxError):
            continue
        plain = all(isinstance(one, ast.If | ast.Return) for one in statements)
        if plain and not _returns(statements):
            yield Message(
                "{at}: rule {rule} returns nothing on one of its ways: end it with a return",
                at=where(rule),
                rule=rule.name,
            )


def _returns(statements: tuple[ast.stmt, ...] | list[ast.stmt]) -> bool:
    last = statements[-1] if statements else None
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return)


CONSISTENCY: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    values_of_inputs,
    stand_ins,
    dates,
    names_declared_twice,
    functions_written_twice,
    circles,
    places_of_a_field,
    arguments_with_defaults,
    ends_without_a_value,
)
"""Every check of this module, for the lint."""


# --- words of a rulebook that nothing has -------------------------------------------------------


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


SPELLING: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    in_when,
    compared,
    roundings,
    asked,
    in_toml_sections,
    derived,
    colour_of_all,
)
"""Every check of this module, for the lint."""


# --- what is asked for at a level that does not have it -----------------------------------------

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


LEVELS: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    aggregates,
    places_above,
    opponents,
    inputs_below,
    required,
    shown,
)
"""What must hold before any example can be run."""


# --- what an author wrote that cannot be meant --------------------------------------------------


def names(book: Rulebook) -> Iterator[str]:
    """Inputs, parameters and rules by a name that the engine or Python has for something else."""
    declared = [
        *((in_toml(book.id, book.toml, "inputs", n), n) for n in book.inputs),
        *((in_toml(book.id, book.toml, "parameters", n), n) for n in book.parameters),
        *((where(rule), rule.name) for rule in book.rules if rule.kind == "rule"),
    ]
    for at, name in declared:
        why = _not_a_name(name)
        if why:
            yield Message("{at}: {name} cannot be called so: {why}", at=at, name=name, why=why)
    if AWARD in book.inputs:
        at = in_toml(book.id, book.toml, "inputs", AWARD)
        yield Message("{at}: award is what the rules work out, and no input", at=at)


def _not_a_name(name: str) -> Message | None:
    """Why nothing of a rulebook can have this name; None where it can."""
    if keyword.iskeyword(name):
        return Message("Python has the word; as {name}_ it is {name} to people", name=name)
    if not name.isidentifier():
        return Message("no argument of a rule could be; use letters, digits and _")
    if name in ENGINE_WORDS:
        return Message("the engine has the word")
    if name in BUILTINS or name in {function.__name__ for function in FUNCTIONS}:
        return Message("it is a function that rules may use")
    if aggregate(name):
        return Message("an argument that begins so is an aggregate")
    return None


def arguments(book: Rulebook) -> Iterator[str]:
    """``*args`` and ``**kwargs``: a rule names all that it depends on."""
    for rule in book.rules:
        for name, argument in inspect.signature(rule.function).parameters.items():
            if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
                yield Message(
                    "{at}: rule {rule} has *{name}: a rule names each of its arguments",
                    at=where(rule),
                    rule=rule.name,
                    name=name,
                )


def calls(book: Rulebook) -> Iterator[str]:
    """Functions called with too few or too many arguments."""
    signatures = {f.__name__: inspect.signature(f) for f in FUNCTIONS}
    for rule in book.rules:
        for call in nodes_of(rule, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name not in signatures or name in rule.arguments:
                continue
            try:
                signatures[name].bind(*call.args, **{str(k.arg): k.value for k in call.keywords})
            except TypeError:
                right = ", ".join(signatures[name].parameters)
                yield Message(
                    "{at}: rule {rule} calls {written}: it is {right}",
                    at=node_line(rule, call),
                    rule=rule.function.__name__,
                    written=ast.unparse(call),
                    right=f"{name}({right})",
                )


_WRONG_ROWS = {
    "empty": mark("{at}: table {name} has no rows"),
    "ragged": mark("{at}: the rows of table {name} are not equally long"),
    "order": mark(
        "{at}: the rows of table {name} do not rise: each holds from its first figure on"
    ),
}


def rows(book: Rulebook) -> Iterator[str]:
    """Tables whose rows are not in order: the last row that begins at or below a figure counts."""
    for name, parameter in book.parameters.items():
        if not isinstance(parameter.value, tuple):
            continue
        wrong = _wrong_rows(parameter.value)
        if wrong:
            yield Message(
                _WRONG_ROWS[wrong], at=in_toml(book.id, book.toml, "parameters", name), name=name
            )


def _wrong_rows(table: tuple[tuple[Fraction, ...], ...]) -> str:
    if not table or not all(table):
        return "empty"
    if len({len(row) for row in table}) > 1 or len(table[0]) < 2:
        return "ragged"
    firsts = [row[0] for row in table]
    return "" if all(a < b for a, b in pairwise(firsts)) else "order"


def messages(book: Rulebook) -> Iterator[str]:
    """Messages that say nothing, and braces that do not close."""
    for rule in book.rules:
        if rule.kind == "rule":
            continue
        if not rule.message.strip():
            yield Message("{at}: {rule} has no message", at=where(rule), rule=rule.name)
        try:
            list(Formatter().parse(rule.message))
        except ValueError:
            yield Message(
                "{at}: the message of {rule} has a brace too many or too few",
                at=where(rule),
                rule=rule.name,
            )


def units(book: Rulebook) -> Iterator[str]:
    """Awards rounded to what no decimals hold, and units that are less than nothing."""
    for rule in book.rules:
        name = rule.rounds.unit if rule.rounds else ""
        unit = book.parameters[name].value if name in book.parameters else None
        if not isinstance(unit, Fraction):
            continue
        if unit < 0:
            yield Message(
                "{at}: {unit} is what {rule} is rounded to, and cannot be negative",
                at=in_toml(book.id, book.toml, "parameters", name),
                unit=name,
                rule=rule.name,
            )
        elif rule.name == AWARD and (unit * SCALE).denominator != 1:
            yield Message(
                "{at}: an award is rounded in steps of {unit}: points are kept to four decimals",
                at=where(rule),
                unit=str(unit),
            )


WRITTEN: tuple[Callable[[Rulebook], Iterator[Any]], ...] = (
    names,
    arguments,
    calls,
    rows,
    messages,
    units,
)
"""Every check of this module, for the lint."""


# --- what a rulebook must be, checked -----------------------------------------------------------


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


# --- whether a rulebook holds together ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RulebookCheck:
    """How many examples a rulebook has, everything that is wrong, and how many of the examples ran
    in columns too; if not all of them, why not. None ``ran`` if the rules cannot run."""

    examples: int
    faults: list[str]
    in_columns: int
    left_out: str = ""
    ran: bool = True


def faults(rulebook: Rulebook) -> RulebookCheck:
    """Every example both ways of running, and the lint."""
    cases = list(examples(rulebook))
    if unrunnable(rulebook):
        unsound: list[str] = [Message("lint: {fault}", fault=fault) for fault in lint(rulebook)]
        return RulebookCheck(len(cases), unsound, in_columns=0, ran=False)
    problems: list[str] = []
    runnable: list[Example] = []
    for case in cases:
        try:
            wrong = differences(case, run(rulebook, case))
            runnable.append(case)
        except HonoursError as error:
            wrong = [with_line(rulebook.rules, error)]
        problems += [joined(": ", (stands_at(rulebook, case.name), fault)) for fault in wrong]
    why = _not_in_columns(rulebook)
    if not why:
        problems += column_differences(rulebook, runnable)
        why = _out_of_columns(rulebook, runnable)
    in_columns = 0 if why else len(runnable)
    if not why and in_columns < len(cases):
        why = Message("the others end in an error before that")
    more = [fault for fault in lint(rulebook) if fault not in problems]
    problems += [Message("lint: {fault}", fault=fault) for fault in more]
    return RulebookCheck(len(cases), problems, in_columns, why)


def _not_in_columns(rulebook: Rulebook) -> str:
    """Why none of a rulebook's examples can run in columns."""
    if why := exact_only(rulebook):
        return Message("{why}: it cannot be run in columns", why=why)
    if not has("numpy"):
        return NotInstalled("lab").message
    if any(fault for rule in rulebook.rules for fault in unreadable(rule)):
        return Message("not run in columns before the rules are mended")
    return ""


def column_differences(rulebook: Rulebook, cases: list[Example]) -> Iterator[str]:
    """Where columns give another award than the exact way, example by example."""
    for book, members in _variants(rulebook, cases):
        yield from both_ways(
            book, [(case.name, field) for case in members for field in fields(book, case)]
        )


def _out_of_columns(rulebook: Rulebook, cases: list[Example]) -> str:
    """Why some of the examples are derived the exact way whatever is asked."""
    from honours.engine.columns.award import not_in_columns

    reasons = (
        not_in_columns(book, [field for case in members for field in fields(book, case)])
        for book, members in _variants(rulebook, cases)
    )
    return next(filter(None, reasons), "")


def _variants(rulebook: Rulebook, cases: list[Example]) -> Iterator[tuple[Rulebook, list[Example]]]:
    """The rulebook as the examples amend it, each variant with its examples."""
    variants: dict[tuple[tuple[str, str], ...], list[Example]] = {}
    for case in cases:
        changes = tuple(sorted((k, str(v)) for k, v in case.changes.items()))
        variants.setdefault(changes, []).append(case)
    for changes, members in variants.items():
        yield rulebook.amend(dict(changes)), members


def both_ways(rulebook: Rulebook, named: list[tuple[str, Field]]) -> Iterator[str]:
    """Where columns give another award than the exact way, field by field."""
    from honours.engine.columns.award import award_fields

    in_columns = award_fields(rulebook, [field for _, field in named])
    for (name, field), ours in zip(named, in_columns, strict=True):
        awards = award(rulebook, field, in_words=False)
        right = None if awards.refusal else [a.amount for a in awards.schedule]
        if right != ours:
            yield Message(
                "{case}: exactly {exact}, in columns {columns}",
                case=name,
                exact=_text(right),
                columns=_text(ours),
            )


def _text(amounts: list[Fraction] | None) -> str:
    if amounts is None:
        return Message("refused")
    return " ".join(f"{float(a):g}" for a in amounts)
