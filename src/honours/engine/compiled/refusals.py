"""The refusals of many fields at once: which applies first, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import Bools, Ints, NotInColumns
from honours.engine.compiled.columns import ColumnWorking
from honours.engine.compiled.shapes import distinct
from honours.engine.graph import Graph, OperationKind
from honours.engine.numbers import short
from honours.engine.rulebook import Rulebook
from honours.engine.rules import Rule
from honours.errors import HonoursError
from honours.model import Value
from honours.model.message import Message

OWN_FIGURE = "…"
"""Replaces a figure specific to an event in a reason that is counted."""


@dataclass(frozen=True, slots=True)
class RefusalAsked:
    """A refusal, checked for the fields (rows of the batch) that earlier ones left."""

    rule: Rule
    working: ColumnWorking
    fields: Ints
    holds: Bools
    doubtful: Bools

    @property
    def refused(self) -> Ints:
        return self.fields[self.holds & ~self.doubtful]

    @property
    def unsure(self) -> Ints:
        """The fields for which a float is too near a limit to tell."""
        return self.fields[self.doubtful]


def asked_in_turn(graph: Graph, batch: Batch, refusals: Iterable[Rule]) -> Iterator[RefusalAsked]:
    """Check each refusal in turn for the fields that earlier ones left."""
    live, fields = batch, np.arange(batch.count("field"))
    working = ColumnWorking(graph.rulebook, live, graph)
    for rule in refusals:
        asked = RefusalAsked(rule, working, fields, *working.holds(rule, "field"))
        yield asked
        left = ~asked.holds & ~asked.doubtful
        if not left.all():
            fields, live = fields[left], live.take(left)
            working = ColumnWorking(graph.rulebook, live, graph)


def why_refused(rulebook: Rulebook, batch: Batch) -> tuple[Ints, list[Message]]:
    """The number of the reason why each field is refused, and the reasons, in which figures
    specific to an event are left open; -1 if columns cannot tell."""
    codes = np.full(batch.count("field"), -1, np.int64)
    reasons: list[Message] = []
    graph = Graph(rulebook, batch.given(), batch.below)
    try:
        for asked in asked_in_turn(graph, batch, graph.refusals("field")):
            rows = np.flatnonzero(asked.holds & ~asked.doubtful)
            if len(rows) and not asked.rule.asks:
                own, messages = _reasons(asked, rows)
                codes[asked.fields[rows]] = own + len(reasons)
                reasons += messages
    except (HonoursError, NotInColumns):
        pass  # something is missing, or columns cannot express it: the exact way can tell
    return codes, reasons


def _reasons(asked: RefusalAsked, rows: Ints) -> tuple[Ints, list[Message]]:
    """What a refusal says for the rows it refuses, each wording once."""
    working, rule = asked.working, asked.rule
    columns = {name: working.shared(name) for name in rule.arguments}
    words = [
        column.coded(len(asked.fields))[0][rows] for column in columns.values() if column.is_word
    ]
    examples, of = distinct(words, len(rows))
    reasons = []
    for row in rows[examples].tolist():
        values = {
            name: _in_words(column.at(row))
            if column.is_word or working.graph.operation(name).kind is OperationKind.NUMBER
            else OWN_FIGURE
            for name, column in columns.items()
        }
        reasons.append(Message(rule.message, **values))
    return of, reasons


def _in_words(value: Value) -> str:
    return Message(value) if isinstance(value, str) else short(value)
