"""A few events on which an amended rulebook is tried before a whole corpus.

A rulebook that fails mostly fails in nearly all events, and each failure has to be found by the
exact engine: minutes for a value that leads nowhere.
"""

from __future__ import annotations

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Shard

_TRIED = 40


def events_to_try(corpus: Corpus, book: Rulebook) -> Shard | None:
    """Some events that a rulebook awards, if there are any."""
    shard = corpus.read(corpus.shards[0]) if corpus.shards else None
    if shard is None or not len(shard.ids):
        return None
    rows = np.unique(np.linspace(0, len(shard.ids) - 1, _TRIED).astype(np.int64))
    some = shard.only(rows)
    some = some.only(np.flatnonzero(~award_shard(book, some).refused))
    return some if len(some.ids) else None


def failing(book: Rulebook, events: Shard | None) -> int:
    """In how many of these events a rulebook cannot be worked out."""
    return 0 if events is None else len({bad.event for bad in award_shard(book, events).bad})
