"""Checks of a rulebook: everything cited, everything used, no number but 0 and 1.

Every fault an author may make has a code and a sentence in ``faults.toml``; :meth:`Lint.fault` puts
it into words, with the file and line and the nearest right word.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import wraps
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from honours.engine.award import award
from honours.engine.columns import exact_only
from honours.engine.exact import formula
from honours.engine.graph import AWARD, BELOW_A_ROW, PLACES, opposed
from honours.engine.numbers import SCALE, WAYS
from honours.engine.ranks import TOTAL, USUAL_KINDS
from honours.engine.rulebook import ONE_COLOUR, Input, Rulebook
from honours.engine.rulebook.examples import Example, differences, examples, fields, run, stands_at
from honours.engine.rulebook.source import (
    BUILTINS,
    FUNCTIONS,
    at_line,
    callable_names,
    in_toml,
    node_line,
    nodes_of,
    short_path,
    where,
    with_line,
    with_nearest,
)
from honours.engine.rules import (
    BEST,
    COVERED,
    ENGINE_WORDS,
    PREFIXES,
    RANK,
    Aggregate,
    Rule,
    aggregate,
    public,
)
from honours.errors import HonoursError, RulebookError, UnknownName
from honours.model import Field
from honours.model.message import Message, joined, word
from honours.rings import NotInstalled, has

_TABLES = tomllib.loads((files(__package__) / "faults.toml").read_text("utf-8"))
FAULTS: Mapping[str, str] = _TABLES["faults"]
WHY: Mapping[str, str] = _TABLES["why"]
FORBIDDEN: Mapping[str, tuple[str, str]] = _TABLES["forbidden"]

_RANKED = frozenset({"entrant", "player"})
_REQUIRED = {AWARD: _RANKED, PLACES: frozenset({"field"})}
"""What the two quantities of every rulebook may be per."""


@dataclass(frozen=True, slots=True)
class _NameInToml:
    """A name that a section of ``rulebook.toml`` speaks of, what it may be and may be per."""

    section: str
    item: str
    name: str
    known: Iterable[str]
    levels: frozenset[str] = frozenset()


class Lint:
    """The checks of one rulebook, each a method that yields the sentences of its faults."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.quantities = {rule.name: rule for rule in book.rules if rule.kind == "rule"}
        self.inputs = {*book.inputs, *book.keys}
        self.known = {*(r.name for r in book.rules), *book.parameters, *book.inputs, *ENGINE_WORDS}

    def unrunnable(self) -> list[str]:
        """The faults with which no example could be run, or would tell anything."""
        checks = (self.levels, self.names_in_toml, self.words, self.names, self.calls, self.values)
        return [fault for check in checks for fault in check()]

    def all(self) -> list[str]:
        """Every fault."""
        first = self.unrunnable()
        checks = (
            self.citations,
            self.undefined,
            self.unused,
            self.bodies,
            self.example_cases,
            *(() if first else (self.unreached,)),
            self.inputs_and_dates,
            self.declared_twice,
            self.circles,
        )
        return [*first, *(fault for check in checks for fault in check())]

    # --- a fault in words -----------------------------------------------------------------------

    def fault(
        self,
        code: str,
        of: Rule | tuple[str, ...] | str,
        /,
        near: Iterable[str] | None = None,
        node: ast.AST | None = None,
        **values: object,
    ) -> str:
        """The sentence of a fault ``of`` a rule, of names in ``rulebook.toml`` or at a place; with
        the nearest to its ``name``, or ``word``, among those that are right."""
        if isinstance(of, Rule):
            at = node_line(of, node) if node else where(of)
            name = of.function.__name__ if node or of.kind != "rule" else of.name
            values = {"at": at, "rule": name, "level": of.per, **values}
        else:
            values["at"] = of if isinstance(of, str) else in_toml(self.book.id, self.book.toml, *of)
        said = Message(FAULTS[code], **values)
        wrong = str(values.get("word", values.get("name", "")))
        return said if near is None else with_nearest(said, wrong, near)

    def no_word(
        self, of: Rule | tuple[str, ...], what: str, wrong: str, words: Iterable[str], **at: Any
    ) -> str:
        """The sentence about a word that something never is."""
        return self.fault(
            "no_such_word", of, words, what=what, word=wrong, words=tuple(words), **at
        )

    def levels_of(self, name: str) -> set[str]:
        """Return the levels of a name, by all that declares it; none if it is not known."""
        levels: set[str] = {rule.per for rule in self.book.rules_for(name)}
        if name in self.book.inputs:
            levels.add(self.book.inputs[name].per)
        return levels or ({"field"} if name in self.book.parameters else set())

    def words_of(self, name: str) -> tuple[str, ...]:
        """Return the values a word may have; none for a number, or for what a rule gives."""
        declared = self.book.inputs.get(name) or self.book.parameters.get(name)
        return () if declared is None or name in self.quantities else declared.words

    # --- what cannot be run ---------------------------------------------------------------------

    def levels(self) -> Iterator[str]:
        """Arguments at a level that does not have them, and rules at a level of their own."""
        for rule in self.book.rules:
            yield from (fault for name in rule.arguments for fault in self._argument(rule, name))
            above = "previous" in rule.arguments
            best = any(name.startswith(BEST) for name in rule.arguments)
            if above and rule.per != "place":
                yield self.fault("no_place_above", rule)
            elif above and not rule.starts:
                yield self.fault("no_start", rule)
            if rule.starts and not above:
                yield self.fault("idle_start", rule, starts=rule.starts)
            if best and not rule.best:
                yield self.fault("best_of_many", rule)
            if rule.best and not best:
                yield self.fault("best_of_nothing", rule, best=rule.best)
            for key, name in (("starts", rule.starts), ("best", rule.best)):
                if (levels := self.levels_of(name)) - {"field"}:
                    yield self.fault(
                        "not_of_field", rule, key=key, name=name, below=_listed(levels)
                    )
            right = _REQUIRED.get(rule.name) if rule.kind == "rule" else None
            if right and rule.per not in right:
                yield self.fault("wrong_level", rule, right=_listed(right))

    def _argument(self, rule: Rule, name: str) -> Iterator[str]:
        wanted, of, levels = aggregate(name), opposed(name), self.levels_of(name)
        readable = {"field", rule.per, *BELOW_A_ROW.get(rule.per, ())}
        below = self.levels_of(wanted.of) if wanted and name not in self.book.inputs else set()
        if name in ("place", "tied") and rule.per == "field" and not levels:
            yield self.fault("no_place", rule, name=name)
        elif name == "tied" and rule.per == "place":
            yield self.fault("no_tie", rule)
        elif of and rule.per != "game" and self.levels_of(of) and not levels:
            yield self.fault("opponent", rule, name=name)
        elif levels and levels.isdisjoint(readable):
            how = "covered" if levels == {"place"} and rule.per in _RANKED else "sum_of"
            yield self.fault(
                "out_of_reach", rule, name=name, below=_listed(levels), instead=f"{how}_{name}"
            )
        elif wanted and below and (why := _misasked(rule, wanted, below)):
            yield self.fault(
                "aggregate", rule, name=name, of=wanted.of, below=_listed(below), why=word(WHY[why])
            )

    def names_in_toml(self) -> Iterator[str]:
        """Yield faults of names in ``rulebook.toml``: undefined, or defined at another level."""
        for one in self._named_in_toml():
            at = (one.section, one.item)
            values: dict[str, Any] = {"section": one.section, "item": one.item, "name": one.name}
            if one.name not in one.known:
                yield self.fault("undefined_in_toml", at, one.known, **values)
            elif one.levels and (levels := self.levels_of(one.name)) - one.levels:
                right = _listed(one.levels)
                yield self.fault(
                    "wrong_level_in_toml", at, below=_listed(levels), right=right, **values
                )
        for variant in self.book.variants.values():
            try:
                self.book.amend(variant.changes)
            except HonoursError as error:
                at = ("variants", variant.name)
                yield self.fault("variant", at, name=variant.name, error=error)
        name = self.book.colours.get(ONE_COLOUR, "")
        if name in self.known and not (name in self.book.inputs and self.book.inputs[name].words):
            yield self.fault("colour_of_all", ("colours", ONE_COLOUR), name=name)

    def _named_in_toml(self) -> Iterator[_NameInToml]:
        book, lists, known = self.book, self.book.lists, self.known
        own = lists.own if "own" in book.toml else ()
        for key, names in (
            ("line_when", lists.line_when),
            ("session_facts", lists.session_facts),
            ("section_facts", lists.section_facts),
            ("own", own),
        ):
            yield from (_NameInToml("lists", key, name, self.inputs) for name in names)
        for name in lists.from_overall:
            yield _NameInToml("lists", "from_overall", name, {*self.quantities, *self.inputs})
        for figure in book.figures:
            yield _NameInToml("figures", figure.name, figure.quantity, known, _RANKED)
        for colour, name in book.colours.items():
            level = "field" if colour == ONE_COLOUR else "entrant"
            yield _NameInToml("colours", colour, name, known, frozenset({level}))
        for extra, names in book.extras.items():
            yield from (_NameInToml("extras", extra, n, known, frozenset({"field"})) for n in names)
        for reading in book.readings:
            yield from (_NameInToml("choices", reading.name, name, known) for name in reading.about)
            if reading.parameter:
                yield _NameInToml("choices", reading.name, reading.parameter, book.parameters)
        for limit in book.posting:
            yield from (_NameInToml("posting", limit.clause, n, self.inputs) for n in limit.inputs)
        colours = {*book.colours, *self.words_of(book.colours.get(ONE_COLOUR, ""))} - {ONE_COLOUR}
        points = colours | {TOTAL, *USUAL_KINDS, *USUAL_KINDS.values()}
        for rank in book.ranks if colours else ():
            yield from (_NameInToml("ranks", rank.name, kind, points) for kind in rank.needs)

    def words(self) -> Iterator[str]:
        """Words that an input never is: where rules are chosen, in bodies, in [derive], and ways
        to round that there are not."""
        for rule in self.book.rules:
            yield from self._chosen_by(rule)
            yield from self._rounding(rule)
            for node in nodes_of(rule, ast.Compare):
                sides = (node.left, *node.comparators)
                texts = [s.value for s in sides if isinstance(s, ast.Constant)]
                for name in (side.id for side in sides if isinstance(side, ast.Name)):
                    words = self.words_of(name)
                    for text in texts:
                        if words and isinstance(text, str) and text not in words:
                            yield self.no_word(rule, public(name), text, words, node=node)
            if rule.asks and rule.asks not in self.book.inputs:
                yield self.fault("asks_no_input", rule, self.book.inputs, name=rule.asks)
        for line in self.book.derivations:
            words = self.words_of(line.input)
            if line.value and words and line.value not in words:
                at, name = ("derive", public(line.input)), public(line.input)
                yield self.no_word(at, name, line.value, words)

    def _chosen_by(self, rule: Rule) -> Iterator[str]:
        for name, wanted in (rule.when or {}).items():
            declared, words = self.book.inputs.get(name), self.words_of(name)
            if declared and declared.type != "word" and name not in self.quantities:
                yield self.fault("when_of_a_number", rule, name=public(name), type=declared.type)
            for one in (wanted,) if isinstance(wanted, str) else wanted:
                if words and one not in words:
                    yield self.no_word(rule, public(name), one, words)

    def _rounding(self, rule: Rule) -> Iterator[str]:
        if rule.rounds is None:
            return
        mode, name = rule.rounds.mode, rule.rounds.unit
        declared = self.book.parameters.get(mode)
        if declared and not declared.words:
            yield self.fault("rounded_by_a_number", rule, mode=mode)
        for one in declared.words if declared else (mode,):
            if one not in WAYS:
                what = Message("the rounding of {rule}", rule=rule.name)
                yield self.no_word(rule, what, one, WAYS)
        unit = self.book.parameters[name].value if name in self.book.parameters else None
        if isinstance(unit, Fraction) and unit < 0:
            yield self.fault("negative_unit", ("parameters", name), name=name, rule=rule.name)
        elif isinstance(unit, Fraction) and rule.name == AWARD and (unit * SCALE).denominator != 1:
            yield self.fault("fine_unit", rule, unit=str(unit))

    def names(self) -> Iterator[str]:
        """Inputs, parameters and rules by a name that the engine or Python has for something
        else."""
        book = self.book
        declared: list[tuple[Rule | tuple[str, ...], str]] = [
            *((("inputs", name), name) for name in book.inputs),
            *((("parameters", name), name) for name in book.parameters),
            *((rule, rule.name) for rule in self.quantities.values()),
        ]
        for of, name in declared:
            if why := _not_a_name(name):
                yield self.fault("bad_name", of, name=name, why=Message(WHY[why], name=name))
        if AWARD in book.inputs:
            yield self.fault("award_as_input", ("inputs", AWARD))

    def calls(self) -> Iterator[str]:
        """Arguments that a rule does not name one by one, and functions called with too few or too
        many."""
        signatures = {f.__name__: inspect.signature(f) for f in FUNCTIONS}
        for rule in self.book.rules:
            for name, argument in inspect.signature(rule.function).parameters.items():
                if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
                    yield self.fault("star_argument", rule, name=name)
                if argument.default is not argument.empty:
                    yield self.fault("argument_value", rule, name=name)
            for call in nodes_of(rule, ast.Call):
                name = call.func.id if isinstance(call.func, ast.Name) else ""
                if name not in signatures or name in rule.arguments:
                    continue
                given = {str(k.arg): k.value for k in call.keywords}
                try:
                    signatures[name].bind(*call.args, **given)
                except TypeError:
                    right = f"{name}({', '.join(signatures[name].parameters)})"
                    written = ast.unparse(call)
                    yield self.fault("wrong_call", rule, node=call, written=written, right=right)

    def values(self) -> Iterator[str]:
        """Tables whose rows are not in order: the last row that begins at or below a figure
        counts."""
        for name, parameter in self.book.parameters.items():
            table = parameter.value
            if not isinstance(table, tuple):
                continue
            if not table or not all(table):
                yield self.fault("no_rows", ("parameters", name), name=name)
            elif len({len(row) for row in table}) > 1 or len(table[0]) < 2:
                yield self.fault("ragged_rows", ("parameters", name), name=name)
            elif not all(one[0] < other[0] for one, other in pairwise(table)):
                yield self.fault("falling_rows", ("parameters", name), name=name)

    # --- what is not sound ----------------------------------------------------------------------

    def citations(self) -> Iterator[str]:
        """Yield what cites no clause, or says nothing about itself."""
        for parameter in self.book.parameters.values():
            if not parameter.citation.clause.strip():
                at = ("parameters", parameter.name)
                yield self.fault("uncited_parameter", at, name=parameter.name)
        for rule in self.book.rules:
            if not rule.clause.strip():
                yield self.fault("uncited", rule)
            if rule.kind == "rule" and not rule.about:
                yield self.fault("undescribed", rule)

    def undefined(self) -> Iterator[str]:
        """Yield what rules ask for and nothing defines, and what every rulebook must define."""
        book = self.book
        folded = {f"{prefix}{one}" for prefix in PREFIXES for one in (*self.known, *book.inputs)}
        near = {n for n in {*self.known, *WAYS, *folded} if not keyword.iskeyword(n)}
        for rule in book.rules:
            for name in rule.names:
                if name in self.known or name in WAYS or opposed(name) in self.known:
                    continue
                if callable(rule.function.__globals__.get(name)):
                    yield self.fault("undecorated", rule, name=name)
                else:
                    yield self.fault("undefined", rule, near, name=name)
        for name in _REQUIRED:
            if name not in self.quantities:
                at = f"{_folder(book)}/rules.py"
                yield self.fault("required", at, self.quantities, name=name)

    def unused(self) -> Iterator[str]:
        """Inputs, parameters and rules that nothing uses."""
        book = self.book
        used = {AWARD, PLACES, "date", *book.lists.line_when, *book.colours.values()}
        used |= {name for rule in book.rules for name in rule.names}
        used |= {name for names in book.extras.values() for name in names}
        used |= {figure.quantity for figure in book.figures}
        used |= {of for rule in book.rules for name in rule.arguments if (of := opposed(name))}
        used |= {"line"} if book.lists.line_words else set()
        for section, names in (("parameters", book.parameters), ("inputs", book.inputs)):
            for name in names:
                if name not in used:
                    yield self.fault("unused", (section, name), name=name)
        for name, rule in self.quantities.items():
            if name not in used:
                yield self.fault("unused_rule", rule)

    def bodies(self) -> Iterator[str]:
        """Yield what bodies of rules may not have: numbers, ways that end without a return, and
        whatever cannot be run or told."""
        for rule in self.book.rules:
            for node in nodes_of(rule, ast.Constant):
                if _is_number(node.value):
                    yield self.fault("number", rule, node=node, number=repr(node.value))
            yield from self.unreadable(rule)
            statements = list(formula.body(rule.function))
            plain = all(isinstance(one, ast.If | ast.Return) for one in statements)
            if plain and not _returns(statements):
                yield self.fault("no_return", rule)

    def unreadable(self, rule: Rule) -> Iterator[str]:
        """Yield what in a rule's body cannot be run or told, each with its line and a way out."""
        nodes = list(nodes_of(rule, ast.AST))
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in nodes:
            if isinstance(node, ast.operator | ast.cmpop):
                continue  # it has no line: what it stands in has one
            if found := _forbidden(node):
                what, instead = map(word, found)
                code = "forbidden_instead" if instead else "forbidden"
                yield self.fault(code, rule, node=node, what=what, instead=instead)
            elif isinstance(node, ast.Name) and node.id not in stored and not _is_known(rule, node):
                unknown = UnknownName("name", node.id, [*rule.arguments, *callable_names()])
                yield self.fault("unknown_name", rule, node=node, unknown=unknown)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                if name not in callable_names() and _is_known(rule, node.func):
                    yield self.fault(
                        "uncallable", rule, node=node, name=name, functions=tuple(callable_names())
                    )

    def example_cases(self) -> Iterator[str]:
        """Check that there are examples, each with where it is from."""
        cases = list(examples(self.book))
        if not cases:
            yield self.fault("no_example", at_line(f"{_folder(self.book)}/examples.toml", 1))
        for case in cases:
            if not case.published and not case.ours:
                yield self.fault("unsourced", stands_at(self.book, case.name))

    def unreached(self) -> Iterator[str]:
        """Rules no example runs through, and refusals that refuse none. An example that fails is
        the example test's matter."""
        held: dict[int, bool] = {}

        def noting(rule: Rule) -> Rule:
            @wraps(rule.function)
            def noted(*args: object, **kwargs: object) -> object:
                value = rule.function(*args, **kwargs)
                if rule.kind != "rule" and not isinstance(value, bool):
                    fault = self.fault("no_verdict", rule, value=str(value))
                    raise RulebookError("{fault}", fault=fault)
                held[id(rule.function)] = held.get(id(rule.function), False) or bool(value)
                return value

            return replace(rule, function=noted)

        traced = replace(self.book, rules=tuple(map(noting, self.book.rules)))
        failed = False
        for example in examples(self.book):
            try:
                run(traced, example, in_words=True)
            except (HonoursError, TypeError) as error:
                failed = True
                sentence = with_line(self.book.rules, error)
                yield self.fault("failed", stands_at(self.book, example.name), error=sentence)
        for rule in self.book.rules:
            ran = held.get(id(rule.function))
            if ran is None and not failed:  # what failed may have been the one to reach it
                yield self.fault("unreached", rule, rule=rule.function.__name__)
            elif ran is False and rule.kind == "refusal" and not rule.asks:
                yield self.fault("refuses_none", rule)

    def inputs_and_dates(self) -> Iterator[str]:
        """Defaults and examples of inputs that are themselves refused, ranges that hold nothing,
        what presumes or limits no input, and days that are none."""
        book = self.book
        for name, declared in book.inputs.items():
            at, least, most = ("inputs", name), declared.least, declared.most
            held = book.inputs.get(declared.holds)
            if declared.holds and (held is None or held.per != "player"):
                yield self.fault("holds_no_input", at, name=name)
            if declared.type == "word" and not declared.words:
                yield self.fault("no_words", at, name=name)
            elif least is not None and most is not None and least > most:
                yield self.fault("empty_range", at, name=name)
            else:
                yield from self._refused_values(declared)
        for rule in book.rules:
            if rule.presumes and rule.name not in book.inputs:
                yield self.fault("presumes_no_input", rule)
        days: list[date] = []
        for key in ("since", "until", "looked"):
            text = getattr(book.effective, key)
            try:
                days += [date.fromisoformat(text)] if text else []
            except ValueError:
                yield self.fault("no_day", ("effective", key), key=key, text=text)
        if book.effective.until and len(days) > 1 and days[0] > days[1]:
            yield self.fault("ends_before", ("effective", "until"))

    def _refused_values(self, declared: Input) -> Iterator[str]:
        for key, text in ((declared.unsaid, declared.default), ("example", declared.example)):
            try:
                if text:
                    declared.read(text)
            except HonoursError as error:
                at, name = ("inputs", declared.name), declared.name
                yield self.fault("refused_value", at, key=key, name=name, error=error)

    def declared_twice(self) -> Iterator[str]:
        """A parameter that is an input or a rule too, two rules of one quantity at once, and
        functions of one file by the same name, of which Python keeps the last."""
        book = self.book
        for name in book.parameters:
            if name in book.inputs:
                yield self.fault("parameter_and_input", ("parameters", name), name=name)
            if name in self.quantities:
                other = in_toml(book.id, book.toml, "parameters", name)
                yield self.fault("parameter_and_rule", self.quantities[name], other=other)
        always = [r for r in book.rules if r.kind == "rule" and not r.when]
        for one, again in combinations(always, 2):
            if one.name == again.name:
                yield self.fault("defined_twice", again, other=where(one))
        paths = {inspect.unwrap(r.function).__code__.co_filename for r in book.rules}
        for path in sorted(path for path in paths if path.endswith(".py")):
            seen: dict[str, int] = {}
            for node in ast.parse(Path(path).read_text(encoding="utf-8-sig")).body:
                if not isinstance(node, ast.FunctionDef):
                    continue
                if node.name in seen:
                    at, line = at_line(short_path(path), node.lineno), seen[node.name]
                    yield self.fault("written_twice", at, name=node.name, line=line)
                seen[node.name] = node.lineno

    def circles(self) -> Iterator[str]:
        """Quantities that are worked out from themselves, where none of them can be given."""
        inner = self.quantities.keys() - self.book.inputs.keys()
        reads = {
            name: [of for of in rule.names if of in inner and of not in (rule.when or {})]
            for name, rule in self.quantities.items()
            if name in inner
        }
        done: set[str] = set()

        def around(name: str, path: tuple[str, ...]) -> tuple[str, ...]:
            if name in path:
                return path[path.index(name) :]
            if name in done:
                return ()
            done.add(name)
            return next((c for of in reads[name] if (c := around(of, (*path, name)))), ())

        for name in reads:
            if circle := around(name, ()):
                listed = " → ".join((*circle, circle[0]))
                yield self.fault("circle", self.quantities[circle[0]], around=listed)


def _listed(levels: Iterable[str]) -> str:
    return " / ".join(sorted(levels))


def _folder(book: Rulebook) -> str:
    return book.id.replace("-", "_")


def _misasked(rule: Rule, wanted: Aggregate, levels: set[str]) -> str:
    """Return why a rule cannot ask for an aggregate over these levels; empty if it can."""
    if wanted.how == COVERED:
        return (
            "covers_places"
            if levels != {"place"}
            else ""
            if rule.per in _RANKED
            else "entrants_tie"
        )
    if wanted.how == RANK:
        return (
            "entrants_rank"
            if not levels <= _RANKED
            else ""
            if levels == {rule.per}
            else "rank_of_level"
        )
    if levels == {"field"}:
        return "only_one"
    return "its_own" if levels == {"entrant"} and rule.per in ("entrant", "game") else ""


def _not_a_name(name: str) -> str:
    """Return why nothing of a rulebook can have this name; empty if it can."""
    reasons = {
        "keyword": keyword.iskeyword(name),
        "no_identifier": not name.isidentifier(),
        "engine_word": name in ENGINE_WORDS,
        "function": name in callable_names(),
        "aggregate": aggregate(name) is not None,
    }
    return next((why for why, holds in reasons.items() if holds), "")


def _is_number(value: object) -> bool:
    """Return whether it is a number other than 0 and 1, which every rule may name."""
    plain = isinstance(value, int | float | complex) and not isinstance(value, bool)
    return plain and value not in (0, 1)


def _returns(statements: list[ast.stmt]) -> bool:
    last = statements[-1] if statements else None
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return)


def _forbidden(node: ast.AST) -> tuple[str, str] | None:
    """Return the name of a construct rules may not have and a substitute, or ``None``."""
    kinds: Sequence[ast.AST] = [node]
    match node:
        case ast.BinOp(op=op):
            kinds = [op]
        case ast.Compare(ops=ops):
            kinds = ops
        case ast.Attribute(attr=name) if name != "get":
            return f".{name}", ""
    named = [type(kind).__name__ for kind in kinds]
    found = next((FORBIDDEN[name] for name in named if name in FORBIDDEN), None)
    if found is None and isinstance(node, ast.stmt) and not isinstance(node, ast.If | ast.Return):
        return Message("a statement {kind}", kind=named[0]), ""
    return found


def _is_known(rule: Rule, node: ast.Name) -> bool:
    """Return whether a name is an argument, or something of the file or of Python that is for
    rules: a function of Python, or of another library, gives floats or rounds by itself."""
    name = node.id
    if name in rule.arguments or name in BUILTINS:
        return True
    missing = object()
    thing = rule.function.__globals__.get(name, getattr(builtins, name, missing))
    home = str(getattr(thing, "__module__", "") or "")
    foreign = callable(thing) and not home.startswith(("honours", "__main__"))
    return thing is not missing and not foreign


def lint(rulebook: Rulebook) -> list[str]:
    """Every fault of the rulebook, as sentences."""
    return Lint(rulebook).all()


# --- whether a rulebook holds together ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RulebookCheck:
    """The number of a rulebook's examples, everything that is wrong, and how many of the examples
    ran in columns too; if not all of them, why not. None ``ran`` if the rules cannot run."""

    examples: int
    faults: list[str]
    in_columns: int
    not_in_columns: str = ""
    ran: bool = True


def faults(rulebook: Rulebook) -> RulebookCheck:
    """Run every example both ways, and the lint."""
    cases, wrong = list(examples(rulebook)), lint(rulebook)
    if Lint(rulebook).unrunnable():
        unsound: list[str] = [Message("lint: {fault}", fault=fault) for fault in wrong]
        return RulebookCheck(len(cases), unsound, in_columns=0, ran=False)
    problems: list[str] = []
    runnable: list[Example] = []
    for case in cases:
        try:
            differing = differences(case, run(rulebook, case))
            runnable.append(case)
        except HonoursError as error:
            differing = [with_line(rulebook.rules, error)]
        problems += [joined(": ", (stands_at(rulebook, case.name), fault)) for fault in differing]
    why = _not_in_columns(rulebook)
    if not why:
        problems += column_differences(rulebook, runnable)
        why = _out_of_columns(rulebook, runnable)
    in_columns = 0 if why else len(runnable)
    if not why and in_columns < len(cases):
        why = Message("the others end in an error before that")
    problems += [Message("lint: {fault}", fault=one) for one in wrong if one not in problems]
    return RulebookCheck(len(cases), problems, in_columns, why)


def _not_in_columns(rulebook: Rulebook) -> str:
    """Return why none of a rulebook's examples can run in columns."""
    if why := exact_only(rulebook):
        return Message("{why}: it cannot be run in columns", why=why)
    if not has("numpy"):
        return NotInstalled("lab").message
    checks = Lint(rulebook)
    if any(fault for rule in rulebook.rules for fault in checks.unreadable(rule)):
        return Message("not run in columns until the rules are corrected")
    return ""


def column_differences(rulebook: Rulebook, cases: list[Example]) -> Iterator[str]:
    """Yield where columns give another award than the exact way, example by example."""
    for book, members in _variants(rulebook, cases):
        yield from both_ways(
            book, [(case.name, field) for case in members for field in fields(book, case)]
        )


def _out_of_columns(rulebook: Rulebook, cases: list[Example]) -> str:
    """Return why some of the examples are derived the exact way whatever is asked."""
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
    """Yield where columns give another award than the exact way, field by field."""
    from honours.engine.columns.award import award_fields

    in_columns = award_fields(rulebook, [field for _, field in named])
    for (name, field), ours in zip(named, in_columns, strict=True):
        awards = award(rulebook, field, in_words=False)
        right = None if awards.refusal else [a.amount for a in awards.schedule]
        if right != ours:
            shown = {"exact": _text(right), "columns": _text(ours)}
            yield Message(FAULTS["columns_differ"], at=name, **shown)


def _text(amounts: list[Fraction] | None) -> str:
    if amounts is None:
        return Message("refused")
    return " ".join(f"{float(a):g}" for a in amounts)
