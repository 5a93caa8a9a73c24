"""A parameter over a grid: what every value of it would pay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.lab.answers import as_rulebook, more, name_of
from honours.lab.award import SCALE, award_shard
from honours.lab.corpus import Corpus
from honours.lab.frame import Frame
from honours.lab.shards import Shard


@dataclass(frozen=True, slots=True)
class Sweep:
    """Totals by value of a parameter; the first line is the rulebook as it is."""

    corpus: Corpus
    rulebook: Rulebook
    parameter: str
    rows: tuple[dict[str, Any], ...]

    def table(self) -> Frame:
        title = f"{name_of(self.rulebook)} with other values of {self.parameter}"
        return Frame.of(title, self.rows)

    def statement(self) -> str:
        """The extremes in a sentence."""
        ends = sorted(self.rows[1:], key=lambda r: r["total"])
        if not ends:
            return "no values were asked for"
        said = (
            f"{self.parameter}={r['value']} would pay {more(r['change %'] or 0.0)}"
            for r in (ends[0], ends[-1])
        )
        return f"{', and '.join(said)}, compared with {name_of(self.rulebook)}."

    def provenance(self) -> dict[str, str]:
        return {**self.corpus.provenance(), "rulebook": self.rulebook.hash}

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement())}</p>{self.table().html()}"

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "table": self.table().data(),
            "provenance": self.provenance(),
        }


def totals(book: Rulebook, shards: Sequence[Shard]) -> dict[str, Any]:
    """Points to players, the mean first award and how many get something."""
    total, firsts, events, paid = 0, 0, 0, 0
    for shard in shards:
        awards = award_shard(book, shard)
        players = np.diff(shard.player_offsets)
        total += int((awards.amounts * players).sum())
        first = np.maximum.reduceat(awards.amounts, shard.entrant_offsets[:-1])
        firsts += int(first[~awards.refused].sum())
        events += int((~awards.refused).sum())
        paid += int(players[awards.amounts > 0].sum())
    mean = firsts / SCALE / events if events else 0.0
    return {"total": total / SCALE, "mean first": mean, "players paid": paid, "events": events}


def sweep(
    corpus: Corpus,
    rulebook: str | Rulebook,
    parameter: str,
    values: Sequence[object],
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """What the corpus would be paid with each value of a parameter."""
    book = as_rulebook(rulebook)
    shards = [s for s in corpus if len(s.ids)]
    base = totals(book, shards)
    rows = [{"value": "as it is", **base, "change %": 0.0}]
    for done, value in enumerate(values, 1):
        found = totals(book.amend({parameter: value}), shards)
        change = 100 * (found["total"] / base["total"] - 1) if base["total"] else None
        rows.append({"value": str(value), **found, "change %": change})
        if progress:
            progress(done, len(values))
    return Sweep(corpus, book, parameter, tuple(rows))
