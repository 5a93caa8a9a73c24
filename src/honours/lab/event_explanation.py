"""An event under two rulebooks: what each place is paid, as the 2020 source prints it, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from honours.lab.answers import amounts_of, event_awards
from honours.lab.bands import stratum_name
from honours.lab.compared_sides import Side, name_of
from honours.lab.corpus import Corpus
from honours.lab.frame import Frame, about
from honours.lab.tables import LINES
from honours.model import Award, Step
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class EventExplanation:
    """An event by place under A and under B, and the two explanations of its largest award."""

    event: int
    places: Frame
    a: Award
    b: Award

    @property
    def why(self) -> tuple[Step, Step]:
        return self.a.why, self.b.why

    def _repr_html_(self) -> str:
        from honours.engine.exact.explanation import render_html

        return self.places.html() + "".join(map(render_html, self.why))


def explain_event(corpus: Corpus, a: Side, b: Side, event: int) -> EventExplanation:
    """Award an event under both, and explain the largest award of each, worked out exactly."""
    ours, theirs = amounts_of(corpus, a, event), amounts_of(corpus, b, event)
    rows = _rows(corpus, event, ours, theirs)
    title = about(Message("Event {event} by place", event=event), f"A {name_of(a)}, B {name_of(b)}")
    largest = (_largest(corpus, a, event, ours), _largest(corpus, b, event, theirs))
    return EventExplanation(event, Frame.of(title, rows), *largest)


def _largest(corpus: Corpus, side: Side, event: int, amounts: Mapping[int, Fraction]) -> Award:
    entrant = max(amounts, key=lambda number: amounts[number])
    return event_awards(corpus, side, event, [entrant])[entrant]


def _rows(
    corpus: Corpus, event: int, ours: Mapping[int, Fraction], theirs: Mapping[int, Fraction]
) -> list[dict[str, Any]]:
    """Every entrant paid by either, first to last, and the total."""
    shard, row = corpus.find(event)
    shard = shard.only([row])
    stratified = len(set(shard.stratum)) > 1
    rows: list[dict[str, Any]] = []
    total = [Fraction(0), Fraction(0)]
    for k in sorted(range(len(shard.entrant)), key=lambda k: (_line(shard, k), shard.place[k])):
        number = int(shard.entrant[k])
        pair = [amounts.get(number, Fraction(0)) for amounts in (ours, theirs)]
        total = [t + amount for t, amount in zip(total, pair, strict=True)]
        if any(pair):
            listed = {"line": LINES[_line(shard, k)]} if _line(shard, k) else {}
            if stratified:
                listed["stratum"] = stratum_name(int(shard.stratum[k]))
            amounts = {"A": float(pair[0]), "B": float(pair[1])}
            rows.append({"place": str(int(shard.place[k])), **listed, **amounts})
    return [*rows, {"place": Message("Total"), "A": float(total[0]), "B": float(total[1])}]


def _line(shard: Any, k: int) -> int:
    return 0 if shard.line is None else int(shard.line[k])


def without_members(step: Step) -> Step:
    """An explanation whose means and sums do not list the members they are taken over."""
    return replace(step, parts=(), uses=tuple(map(without_members, step.uses)))
