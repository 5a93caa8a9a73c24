"""What is measured on: results of many events, fields of many entrants, and a corpus of both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = tuple[NDArray[Any], ...]

_BOARDS, _MEDIAN, _SPREAD = 52, 22, 0.62
"""Two sessions of 26 boards; a median of 22 tables, one event in twenty with 60 or more."""
_MISSING = 0.02
_SCORES = np.array([-620, -200, -100, -50, 90, 110, 140, 170, 420, 450, 620], np.int16)
_BLOCK = 4_000_000
_MEMBERS = 20_000
SHARD = 2_000_000
"""Results in a shard of the corpus."""


def results(count: int, seed: int = 1) -> Columns:
    """About so many results: event, board, ns, ew, score. One in fifty is missing.

    Beyond four million the same come again, as other events.
    """
    block = _block(min(count, _BLOCK), seed)
    times = max(1, round(count / len(block[0])))
    event, *others = block
    step = int(event[-1]) + 1
    repeated = np.tile(event, times) + np.repeat(
        np.arange(times, dtype=np.int32) * step, len(event)
    )
    return (repeated.astype(np.int32), *(np.tile(column, times) for column in others))


def _block(count: int, seed: int) -> Columns:
    random = np.random.default_rng(seed)
    many = max(1, round(count / (_BOARDS * _MEDIAN * np.exp(_SPREAD**2 / 2))))
    tables = np.clip(random.lognormal(np.log(_MEDIAN), _SPREAD, many), 4, 400).astype(np.int64)
    rows = tables * _BOARDS
    each = np.repeat(tables, rows)
    within = np.arange(len(each)) - np.repeat(np.cumsum(rows) - rows, rows)
    board, table = within // each, within % each
    kept = (random.random(len(each)) >= _MISSING) | (board == 0)
    columns = (
        np.repeat(np.arange(many), rows).astype(np.int32),
        board.astype(np.uint8),
        table.astype(np.uint16),
        (each + (table + board // 2) % each).astype(np.uint16),
        random.choice(_SCORES, len(each)),
    )
    return tuple(column[kept] for column in columns)


@dataclass(frozen=True, slots=True)
class Fields:
    """Pairs events of two sessions: entrants in order of place, two holdings each."""

    sizes: NDArray[np.int64]
    place: NDArray[np.uint16]
    tied: NDArray[np.uint16]
    holding: NDArray[np.int32]

    @property
    def offsets(self) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum(self.sizes)))

    @property
    def columns(self) -> Columns:
        return self.place, self.tied, self.holding


def fields(events: int, seed: int = 1) -> Fields:
    """So many events of 8 to 70 pairs, some tied in twos, holdings of 20,000 members."""
    random = np.random.default_rng(seed)
    sizes = random.integers(8, 71, events)
    total = int(sizes.sum())
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    place = (np.arange(total) - np.repeat(starts, sizes) + 1).astype(np.uint16)
    tied = np.ones(total, np.uint16)
    first = starts[random.random(events) < 0.2] + 2  # a tie of two for third
    place[first + 1] = place[first]
    tied[first] = tied[first + 1] = 2
    return Fields(sizes, place, tied, random.choice(_holdings(random), 2 * total))


def _holdings(random: np.random.Generator) -> NDArray[np.int32]:
    """In hundredths of a masterpoint."""
    members = np.exp(random.normal(6.6, 1.4, _MEMBERS)) * 100
    held: NDArray[np.int32] = np.minimum(members, 4_000_000).astype(np.int32)
    return held


def corpus(folder: Path, count: int, seed: int = 1) -> int:
    """Write a corpus of about so many results in shards; how many there are.

    It is a tenth of a federation-year as ``honours lab generate`` makes it, again and again as
    other events.
    """
    from honours.lab.corpus import Corpus, write_shard
    from honours.lab.generate.year import Recipe, generate

    with TemporaryDirectory() as beside:
        year = generate(Path(beside, "year"), Recipe(seed, scale=0.1))
        tables = {name: year.table(name) for name in ("events", "entrants", "players", "results")}
    events, rows = tables["events"].num_rows, tables["results"].num_rows
    times = max(1, round(SHARD / rows))
    shards = max(1, round(count / rows / times))
    writer = Corpus.create(folder, {"made": "for measuring"})
    for shard in range(shards):
        first = shard * times * events
        moved = {name: _repeated(table, times, events, first) for name, table in tables.items()}
        writer.add(write_shard(folder, shard, moved))
    writer.finish()
    return int(shards * times * rows)


def _repeated(table: Any, times: int, events: int, first: int) -> Any:
    """A table so many times, every time as other events."""
    import pyarrow as pa

    ids = table["event"].to_numpy()
    moved = [pa.array(ids + np.int32(first + k * events)) for k in range(times)]
    whole = pa.concat_tables([table] * times).unify_dictionaries()
    return whole.set_column(0, table.schema.field("event"), pa.chunked_array(moved))
