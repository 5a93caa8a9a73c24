"""Which inputs the awards of an event rest on though nobody said them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from honours.engine.graph import Graph
from honours.engine.rulebook import Input, Rulebook
from honours.engine.written_names import public
from honours.errors import HonoursError
from honours.model import Awards, Origin


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
        graph = _graph(book, awards)
        for one in known:
            declared = book.input(one.name)
            taken.setdefault(one.name, declared.shown(one.value))
            rule = graph.case.active(declared.name)
            if rule.presumes == "usual" if rule else declared.unsaid == "usual":
                usual.add(one.name)
            if rule:
                follows.setdefault(one.name, set()).update(_below(graph, declared.name))
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


def _graph(book: Rulebook, awards: Awards) -> Graph:
    standings = awards.field.standings
    carried = {name for s in standings for name in s.facts}
    carried |= {name for s in standings for p in s.entrant.players for name in p.facts}
    return Graph(book, awards.field.facts, carried & book.inputs.keys())


def _below(graph: Graph, name: str) -> set[str]:
    try:
        return {public(below) for below in graph.below((name,))}
    except HonoursError:  # what it is made of is missing in part
        return set()
