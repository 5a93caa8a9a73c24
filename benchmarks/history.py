"""A history in one Parquet file, from the file to a comparison with what was paid.

``python -m benchmarks.history --events 100000``: the time pandas needs to read the file is the
measure; starts of programs and what is compiled once are left aside. Prints the most memory used,
and the same by CPU time of all threads, which others on the machine disturb less.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from honours.lab.corpus import Corpus

_ENTRANTS = 40
_AT_ONCE = 5000


def write_history(path: Path, events: int, seed: int = 1) -> None:
    """Pairs events, every one different: who plays, what they hold and what they were paid."""
    random = np.random.default_rng(seed)
    held = np.round(random.lognormal(6.3, 1.4, 200_000), 2)
    writer = None
    for first in range(0, events, _AT_ONCE):
        many = min(_AT_ONCE, events - first)
        event = np.repeat(np.arange(first, first + many), _ENTRANTS)
        place = np.tile(np.arange(1, _ENTRANTS + 1), many)
        people = np.argsort(random.random((many, 4 * _ENTRANTS)), axis=1)[:, : 2 * _ENTRANTS]
        who = (people + random.integers(0, len(held) - 4 * _ENTRANTS, (many, 1))).reshape(-1, 2)
        paid = np.where(place <= 12, np.round(20 * 0.8**place, 2), 0.0)
        table = pa.table(
            {
                "event": 7_000_000_000 + event,
                "date": (np.datetime64("2015-01-01") + event % 2000).astype("datetime64[D]"),
                "class": pa.array(np.where(event % 2, "Regional", "Sectional")).dictionary_encode(),
                "kind": pa.array(np.full(len(event), "Pairs")).dictionary_encode(),
                "sessions": (1 + event % 2).astype(np.int8),
                "place": place.astype(np.int16),
                "player1": 1_000_000_000 + who[:, 0],
                "holding1": held[who[:, 0]],
                "player2": 1_000_000_000 + who[:, 1],
                "holding2": held[who[:, 1]],
                "paid": paid,
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


Seconds = tuple[float, float]
"""By the clock, and of CPU."""


def measure(folder: Path, events: int, times: int) -> dict[str, Seconds]:
    """Seconds of reading by pandas, of the import and of the comparison, each the best."""
    path, warm = folder / "history.parquet", folder / "warm.parquet"
    write_history(path, events)
    write_history(warm, 50)
    Corpus.take(warm, folder / "warm").compare("as-paid", "acbl-sof-2020")
    never = (float("inf"), float("inf"))
    best: dict[str, Seconds] = {"pandas": never, "import": never, "compare": never}
    for _ in range(times):
        for name, before in best.items():
            if name == "import":
                shutil.rmtree(folder / "corpus", ignore_errors=True)
            begun, worked = perf_counter(), process_time()
            if name == "pandas":
                pd.read_parquet(path)
            elif name == "import":
                Corpus.take(path, folder / "corpus")
            else:
                Corpus.open(folder / "corpus").compare("as-paid", "acbl-sof-2020")
            took = (perf_counter() - begun, process_time() - worked)
            best[name] = (min(before[0], took[0]), min(before[1], took[1]))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        load = os.getloadavg()[0]
        best = measure(Path(folder), options.events, options.times)
    base = best["pandas"]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{options.events:,} events of {_ENTRANTS}: pandas reads the file in {base[0]:.2f} s")
    print(f"load {load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end")
    for k, how in enumerate(("by the clock", "of CPU")):
        ratios = {name: seconds[k] / base[k] for name, seconds in best.items()}
        print(f"{how}: import {ratios['import']:.1f} ×, compare {ratios['compare']:.1f} ×")
    print(f"at most {most:,.0f} MB, pandas' own reading in them")


if __name__ == "__main__":
    main()
