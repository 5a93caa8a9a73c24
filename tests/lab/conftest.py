"""A small corpus that all tests of the lab share, and one made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honours.lab import store
from honours.lab.corpus import Corpus
from honours.lab.generate.year import Recipe, generate
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS, RESULTS, table_of


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A hundredth of a federation-year."""
    return generate(tmp_path_factory.mktemp("corpus") / "year", Recipe(seed=3, scale=0.01))


def small_tables(first: int, events: int) -> dict[str, Any]:
    """Club evenings of eight pairs, with the results of two boards."""
    ids, pairs = np.arange(first, first + events), 8
    event = np.repeat(ids, pairs)
    entrant = np.tile(np.arange(pairs), events)
    lines = np.repeat(ids, pairs)
    board = np.tile(np.repeat([0, 1], pairs // 2), events)
    ns = np.tile(np.arange(pairs // 2), 2 * events)
    return {
        "events": table_of(
            {"event": ids, "kind": ["pairs"] * events, "boards": [24] * events}, EVENTS
        ),
        "entrants": table_of(
            {"event": event, "entrant": entrant, "place": entrant + 1, "tied": entrant * 0 + 1},
            ENTRANTS,
        ),
        "players": table_of(
            {
                "event": np.repeat(event, 2),
                "entrant": np.repeat(entrant, 2),
                "player": np.arange(2 * len(event)),
            },
            PLAYERS,
        ),
        "results": table_of(
            {"event": lines, "board": board, "ns": ns, "ew": ns + pairs // 2, "score": 10 * ns},
            RESULTS,
        ),
    }


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two shards of six events, two events a row group; to be spoilt."""
    folder = tmp_path / "small"
    writer = Corpus.create(folder, {})
    for shard in range(2):
        for name, table in small_tables(6 * shard, 6).items():
            path = store.shard_file(folder, name, shard)
            rows = 2 * table.num_rows // 6
            store.write_table(path, table, rows)
            writer.add({path.name: store.file_digest(path)})
    writer.finish()
    return folder
