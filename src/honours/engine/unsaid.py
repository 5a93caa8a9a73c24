"""The inputs the awards of an event rest on though nobody said them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from honours.engine.graph import Graph
from honours.engine.numbers import exact
from honours.engine.rulebook import NOT_EXACT, Input, Parameter, Rulebook
from honours.engine.rulebook.source import nodes_of
from honours.engine.rules import public
from honours.errors import HonoursError, InputError, UnknownName, WrongValue
from honours.model import Awards, Field, Origin, Standing, Value
from honours.model.vocabulary import VOCABULARY

# --- which inputs the awards of an event rest on though nobody said them ------------------------


@dataclass(frozen=True, slots=True)
class UnsaidInput:
    """An input, what is taken for it, and whether that is the usual answer. ``same`` is another of
    which this says the same in other words: boards or matches; the answer to what it ``follows``
    may settle it."""

    declared: Input
    taken: str
    usual: bool
    same: str = ""
    follows: frozenset[str] = frozenset()


def unsaid_inputs(book: Rulebook, lists: Sequence[Awards]) -> list[UnsaidInput]:
    """The inputs that awards depend on and nobody said: defaults, and what a rule presumes."""
    taken: dict[str, str] = {}
    follows: dict[str, set[str]] = {}
    usual: set[str] = set()
    for awards in lists:
        assumed = (k for k in awards.known if k.origin is Origin.ASSUMED and k.used)
        known = [k for k in assumed if k.name in book.keys]
        standings = awards.field.standings
        carried = {name for s in standings for name in s.facts}
        carried |= {name for s in standings for p in s.entrant.players for name in p.facts}
        graph = Graph(book, awards.field.facts, carried & book.inputs.keys())
        for one in known:
            declared = book.input(one.name)
            taken.setdefault(one.name, declared.shown(one.value))
            rule = graph.active(declared.name)
            if rule.presumes == "usual" if rule else declared.unsaid == "usual":
                usual.add(one.name)
            with suppress(HonoursError):  # what it is made of is missing in part
                below = graph.below((declared.name,)) if rule else ()
                follows.setdefault(one.name, set()).update(map(public, below))
    for line in book.derivations:  # the answer to what is derived settles what it is derived from
        for fact in {*(line.when or {})} - {line.input}:
            follows.setdefault(fact, set()).add(public(line.input))
    found = []
    for name, declared in ((public(n), d) for n, d in book.inputs.items() if public(n) in taken):
        settling = follows.get(name, set()) & taken.keys() - {name}
        same = sorted(n for n in settling if declared.must_agree and book.input(n).must_agree)
        unsaid = UnsaidInput(
            declared, taken[name], name in usual, "".join(same[:1]), frozenset(settling)
        )
        found.append(unsaid)
    return found


# --- which values an unknown may have -----------------------------------------------------------

MOST = 10
"""As many numbers are tried near the present one; of words all are."""


def alternatives(book: Rulebook, declared: Input, taken: str = "") -> list[Value]:
    """Return what an input may be besides what is taken for it. A number has a piece between
    each two turning points: both ends of every piece are tried, and the neighbours of the
    present value."""
    if declared.type == "word":
        return [word for word in declared.words if word != taken]
    if declared.is_text:
        return []
    turns = {*declared.named.values(), *turning_points(book, declared.name)}
    text = taken or declared.default or ""
    number = Fraction(text) if re.fullmatch(r"\d+([./]\d+)?", text) else max(turns, default=1)
    start = Fraction(declared.named.get(text, number))
    near = {start + 1, start - 1, start * 2}
    if turns:
        near |= {start + 2, Fraction(ceil(start / 2))}
    tried = near | turns | {t + 1 for t in turns} | {t - 1 for t in turns}
    fit = [v for v in tried if v != start and _may_be(declared, v)]
    return sorted(sorted(fit, key=lambda v: (v not in near, abs(v - start)))[:MOST])


def far_alternatives(declared: Input) -> list[Value]:
    """Numbers of every size, for one that is compared with another quantity: there a rule turns
    where no number of the rulebook says."""
    if declared.is_text:
        return []
    return [v for k in (1, 3, 5) if _may_be(declared, v := Fraction(10**k))]


def spread(book: Rulebook, declared: Input) -> list[Value]:
    """A few values of something of which nothing is known: of a number where rules turn."""
    turns = sorted(turning_points(book, declared.name))
    fit = [v for v in turns if v > 0 and _may_be(declared, v)]
    return [*fit] if declared.type != "word" and len(fit) > 1 else alternatives(book, declared)


def turning_points(book: Rulebook, name: str) -> set[Fraction]:
    """The numbers that rules compare an input with or look up by it, also where a rule only passes
    it on under another name."""
    points: set[Fraction] = set()
    names, waiting = {name}, [name]
    while waiting:
        now = waiting.pop()
        for rule in (r for r in book.rules if now in r.arguments):
            returned = [r.value for r in nodes_of(rule, ast.Return)]
            if len(returned) == 1 and isinstance(returned[0], ast.Name) and rule.name not in names:
                names.add(rule.name)
                waiting.append(rule.name)
            for kind in (ast.Compare, ast.Call, ast.Subscript):
                for node in nodes_of(rule, kind):
                    points.update(_beside(book, node, now))
    return points


def _beside(book: Rulebook, node: ast.AST, name: str) -> Iterator[Fraction]:
    inside = list(ast.walk(node))
    names = {n.id for n in inside if isinstance(n, ast.Name)}
    if name in names:
        yield from (p for n in names for p in _numbers(book.parameters.get(n)))
        constants = (n.value for n in inside if isinstance(n, ast.Constant))
        yield from (Fraction(value) for value in constants if isinstance(value, int))


def _numbers(parameter: Parameter | None) -> Iterator[Fraction]:
    value = parameter.value if parameter else None
    if isinstance(value, Fraction):
        yield value
    elif isinstance(value, tuple):
        yield from (row[0] for row in value if row)
    elif isinstance(value, Mapping):
        yield from (Fraction(key) for key in value if str(key).isdecimal())


def _may_be(declared: Input, value: Fraction) -> bool:
    try:
        declared.check(value)
    except InputError:
        return value in declared.named.values()
    return True


# --- a ranking list as somebody made it in Python or sent it ------------------------------------


class _Every(frozenset[str]):
    """All names there are."""

    def __contains__(self, name: object) -> bool:
        return True


EVERY = _Every()


def checked_list(field: Field, keys: frozenset[str] = EVERY, by_score: bool = True) -> Field:
    """The list with its ties counted from its places and its numbers exact; an error names
    what no file could say. ``keys`` are the facts a rulebook takes besides those everybody knows;
    without them every name is let through. A knockout's places are not ``by_score``."""
    facts = _facts(field.facts, keys, "")
    entrants, ids = facts.get("entrants"), [s.entrant.id for s in field.standings]
    if entrants is not None and field.standings and entrants != len(ids):
        raise WrongValue("entrants", str(entrants), "the list has {listed}", listed=len(ids))
    if twice := [one for one, count in Counter(ids).items() if count > 1]:
        raise InputError("two entrants {id!r} in one list", id=twice[0])
    standings = [_standing(standing, keys) for standing in field.standings]
    _check_places(standings, by_score)
    tied = Counter(standing.place for standing in standings)
    counted = tuple(replace(s, tied=tied[s.place]) for s in standings)
    return replace(field, facts=facts, standings=counted)


def _check_places(standings: Sequence[Standing], by_score: bool) -> None:
    """Refuse places that leave one out, or that the scores they follow turn round."""
    best: Standing | None = None
    ordered = sorted(standings, key=lambda s: s.place)
    for above, one in enumerate(ordered):
        if one.place != above + 1 and (not above or ordered[above - 1].place != one.place):
            raise InputError(
                "{who}: place {place} with {above} above it",
                who=one.entrant.title,
                place=one.place,
                above=above,
            )
        if one.score is None or not by_score:
            continue
        if best and best.score is not None and best.place < one.place and best.score < one.score:
            raise InputError(
                "{who}: place {place} has a higher score than place {better}",
                who=one.entrant.title,
                place=one.place,
                better=best.place,
            )
        best = one


def _standing(standing: Standing, keys: frozenset[str]) -> Standing:
    who = standing.entrant.title
    place: object = standing.place
    if isinstance(place, bool) or not isinstance(place, int) or place < 1:
        raise InputError(
            "{who}: place {place!r} is not a whole number from 1 on", who=who, place=place
        )
    return replace(
        standing,
        entrant=standing.entrant.with_players(
            lambda p: replace(p, facts=_facts(p.facts, keys, p.name or who))
        ),
        score=None if standing.score is None else _read_number(standing.score, "score", who),
        facts=_facts(standing.facts, keys, who),
    )


def _facts(facts: Mapping[str, object], keys: frozenset[str], who: str) -> dict[str, Value]:
    read: dict[str, Value] = {}
    for name, value in facts.items():
        stem = name.partition(".")[0].removesuffix("_scale")
        if stem not in VOCABULARY and stem not in keys:
            raise UnknownName("fact", name, sorted({*VOCABULARY, *keys}))
        numeric = name in VOCABULARY and VOCABULARY[name].type in ("number", "count")
        is_text = isinstance(value, str) and not numeric
        read[name] = str(value) if is_text else _read_number(value, name, who)
    return read


def _read_number(value: object, name: str, who: str) -> Fraction:
    key = f"{who}: {name}" if who else name
    try:
        return exact(value)
    except TypeError as error:
        raise WrongValue(key, str(value), NOT_EXACT) from error
    except InputError as error:
        raise WrongValue(key, str(value), "not a number") from error
