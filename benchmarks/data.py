"""What is measured on: results of many events, fields of many entrants, and a corpus of both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus

Columns = tuple[NDArray[Any], ...]

_BOARDS, _MEDIAN, _SPREAD = 52, 22, 0.62
"""Two sessions of 26 boards; a median of 22 tables, one event in twenty with 60 or more."""
_MISSING = 0.02
_SCORES = np.array([-620, -200, -100, -50, 90, 110, 140, 170, 420, 450, 620], np.int16)
_BLOCK = 4_000_000
_MEMBERS = 20_000
SHARD = 2_000_000
"""Results in a shard of the corpus."""
_RESULTS_A_YEAR = 2_850_000


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
    """Write a corpus of about so many results in shards; how many there are. They are years as
    ``honours lab generate`` makes them, in which no event comes again."""
    from honours.lab import store
    from honours.lab.corpus import Corpus, write_shard
    from honours.lab.generate.year import Recipe, generate

    writer, written = Corpus.create(folder, {"made": "for measuring"}), 0
    with TemporaryDirectory() as beside:
        years = generate(Path(beside, "years"), Recipe(seed, scale=count / _RESULTS_A_YEAR))
        for shard, numbers in enumerate(_shards(years)):
            tables = {
                name: _together([store.shard_file(years.folder, name, n) for n in numbers])
                for name in ("events", "entrants", "players", "results")
            }
            writer.add(write_shard(folder, shard, tables))
            written += tables["results"].num_rows
    writer.finish()
    return written


def _shards(years: Corpus) -> list[list[int]]:
    """The shards that are written as one, of about :data:`SHARD` results."""
    from honours.lab import store

    groups: list[list[int]] = []
    rows = SHARD
    for number in years.shards:
        if rows >= SHARD:
            groups.append([])
            rows = 0
        groups[-1].append(number)
        rows += store.rows_of(store.shard_file(years.folder, "results", number))
    return groups


def _together(files: list[Path]) -> Any:
    import pyarrow as pa

    from honours.lab import store

    return pa.concat_tables([store.read_table(file) for file in files]).unify_dictionaries()
