"""The sides of a comparison: a rulebook, or what was really paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.lab.reading import NOT_SAID
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus
    from honours.lab.shards import Ints, Shard

AS_PAID = "as-paid"
"""What stands in the place of a rulebook's id for what the corpus says was paid."""


@dataclass(frozen=True, slots=True)
class AsPaid:
    """What was paid, as the corpus has it: a side to compare with, to fit and to audit."""

    unit: str = ""
    id: str = AS_PAID
    hash: str = AS_PAID
    amended: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


Side: TypeAlias = Rulebook | AsPaid


def as_side(named: str | Side, corpus: Corpus | None = None) -> Side:
    """A side by name: ``as-paid``, or the bundled rulebook of that id."""
    from honours.rulebooks import load

    if not isinstance(named, str):
        return named
    if named != AS_PAID:
        return load(named)
    about = {} if corpus is None else corpus.manifest.get("about", {})
    return AsPaid(str(about.get("unit", "")))


def paid_players(shard: Shard) -> tuple[Ints, Ints]:
    """What every player was paid, and the rows of the events of which that is not known."""
    told = shard.of_players.get("paid")
    if told is None:
        return np.zeros(len(shard.player), np.int64), np.arange(len(shard.ids))
    unsaid = told == NOT_SAID
    of = shard.event_of_entrant[shard.entrant_of_player[unsaid]]
    return np.where(unsaid, 0, told).astype(np.int64), np.unique(of)


def different_units(a: Side, b: Side) -> Message | None:
    """Why the points of two sides cannot be set against each other, if they cannot."""
    units = (a.unit, b.unit)
    same = not all(units) or (
        units[0] == units[1] and (not a.body or not b.body or a.body == b.body)
    )
    if same:
        return None
    return Message(
        "{a} pays in {unit_a} of {body_a} and {b} in {unit_b} of {body_b}: "
        "only the shares of what each pays are compared",
        a=a.id,
        unit_a=a.unit,
        body_a=a.body or "?",
        b=b.id,
        unit_b=b.unit,
        body_b=b.body or "?",
    )
