"""A history in one Parquet file, from the file to a comparison with what was paid.

``python -m benchmarks.history --events 100000``: the time pandas needs to read the file is the
measure; starts of programs and what is compiled once are left aside. Prints the most memory used.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from honours.lab.corpus import Corpus
from honours.lab.history.take import take

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


def measure(folder: Path, events: int, times: int) -> dict[str, float]:
    """Seconds of reading by pandas, of the import and of the comparison, each the best."""
    path, warm = folder / "history.parquet", folder / "warm.parquet"
    write_history(path, events)
    write_history(warm, 50)
    take([str(warm)], folder / "warm").corpus.compare("as-paid", "acbl-sof-2020")
    found = {"pandas": float("inf"), "import": float("inf"), "compare": float("inf")}
    for _ in range(times):
        for name in ("pandas", "import", "compare"):
            if name == "import":
                shutil.rmtree(folder / "corpus", ignore_errors=True)
            begun = perf_counter()
            if name == "pandas":
                pd.read_parquet(path)
            elif name == "import":
                take([str(path)], folder / "corpus")
            else:
                Corpus.open(folder / "corpus").compare("as-paid", "acbl-sof-2020").statement()
            found[name] = min(found[name], perf_counter() - begun)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=2)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), told.events, told.times)
    base = found["pandas"]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{told.events:,} events of {_ENTRANTS}: pandas reads the file in {base:.2f} s")
    print(f"import {found['import'] / base:.1f} ×, compare {found['compare'] / base:.1f} ×")
    print(f"at most {most:,.0f} MB, pandas' own reading in them")


if __name__ == "__main__":
    main()
