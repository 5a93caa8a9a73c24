"""Several years with holdings that grow by what each rule pays: inflation that begets inflation.

Each year is the corpus again, the same people in the same places, with the holdings they would
have by then. A rule that looks at holdings pays more as they grow; one that does not, the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.answers import as_rulebook, more, name_of
from honours.lab.award import SCALE, award_shard
from honours.lab.corpus import Corpus
from honours.lab.frame import Frame
from honours.lab.shards import Shard


@dataclass(frozen=True, slots=True)
class Growth:
    """Totals and mean holdings year by year under each rulebook."""

    corpus: Corpus
    rulebooks: tuple[Rulebook, ...]
    rows: tuple[dict[str, Any], ...]

    def table(self) -> Frame:
        return Frame.of("Holdings that grow by what each rule pays", self.rows)

    def statement(self) -> str:
        """What the last year pays under each, compared with the first."""
        first, last = self.rows[0], self.rows[-1]
        said = []
        for book in self.rulebooks:
            name = name_of(book)
            change = 100 * (last[f"{name} pays"] / first[f"{name} pays"] - 1)
            held = 100 * (last[f"{name} mean holding"] / first[f"{name} mean holding"] - 1)
            said.append(f"{name} would pay {more(change)} as holdings grow by {held:.1f}%")
        return f"In year {last['year']}, compared with year {first['year']}: {'; '.join(said)}."

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement())}</p>{self.table().html()}"

    def data(self) -> dict[str, Any]:
        hashes = {name_of(b): b.hash for b in self.rulebooks}
        return {
            "statement": self.statement(),
            "table": self.table().data(),
            "provenance": {**self.corpus.provenance(), **hashes},
        }


def grow(
    corpus: Corpus,
    rulebooks: Sequence[str | Rulebook],
    years: int,
    progress: Callable[[int, int], None] | None = None,
) -> Growth:
    """Play the corpus so many years under each rulebook."""
    books = tuple(as_rulebook(b) for b in rulebooks)
    shards = [s for s in corpus if len(s.ids)]
    rows: list[dict[str, Any]] = [{"year": year + 1} for year in range(years)]
    done = 0
    for book in books:
        for _ in _grow_under(book, shards, rows):
            done += 1
            if progress:
                progress(done, len(books) * years)
    return Growth(corpus, books, tuple(rows))


def _grow_under(
    book: Rulebook, shards: list[Shard], rows: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Fill in the years one after the other, giving each when it is done."""
    members = 1 + max(int(s.player.max(initial=0)) for s in shards)
    held = np.full(members, -1, np.int64)
    for shard in shards:
        held[shard.player] = shard.holding
    seen = held >= 0
    if not seen.any():
        raise InputError("no holding of any player is known: there is nothing that could grow")
    name = name_of(book)
    for row in rows:
        paid = np.zeros(members, np.int64)
        for shard in shards:
            awards = award_shard(book, replace(shard, holding=held[shard.player].astype(np.int32)))
            np.add.at(paid, shard.player, awards.amounts[shard.entrant_of_player])
        row[f"{name} pays"] = float(paid.sum()) / SCALE
        row[f"{name} mean holding"] = float(held[seen].mean()) / 100
        held[seen] += paid[seen] * 100 // SCALE
        yield row
