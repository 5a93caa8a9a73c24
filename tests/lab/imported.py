"""What a corpus that was made from files awards, in the order of the files."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus
from honours.lab.shard_awards import award_shard
from honours.model import Standing
from honours.pipeline import Report


def in_order(report: Report) -> list[Standing]:
    """Everybody as the corpus numbers them."""
    lists = sorted(report.lists, key=lambda f: f.line == "EW")
    everybody = [s for f in lists for s in sorted(f.standings, key=lambda s: s.place)]
    return [s for s in everybody if not (report.scored and s.entrant.is_barred)]


def amounts_of(corpus: Corpus, book: Rulebook) -> tuple[list[list[Fraction]], Mapping[int, str]]:
    """What a rulebook awards, event by event, and why it awards some of them nothing."""
    shard = corpus.read(0)
    paid = award_shard(book, shard)
    spans = zip(shard.entrant_offsets[:-1], shard.entrant_offsets[1:], strict=True)
    amounts = [[Fraction(int(n), SCALE) for n in paid.amounts[a:b]] for a, b in spans]
    return amounts, {b.event: b.why for b in paid.bad}
