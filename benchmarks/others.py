"""The same work as queries: Polars, DuckDB and pandas. Each gives what ours gives, to the unit.

Scoring: a result's matchpoints are its rank among the board's scores (ties the mean), so that with
all boards full (as they are here) tenths are 10 · (2 · (rank − 1)); then totals, percentages and
ranks. Awards: the 2020 formula in floats, ties sharing by running sums of the place curve.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.data import Columns, Fields

NAMES = ("event", "board", "ns", "ew", "score")


def polars_scores(columns: Columns) -> Any:
    """event, entrant, points and place, in order."""
    import polars as pl

    results = pl.DataFrame(dict(zip(NAMES, columns, strict=True))).lazy()
    over = ["event", "board"]
    marked = results.with_columns(
        ((pl.col("score").rank("average").over(over) - 1) * 20).round().cast(pl.Int64).alias("mp"),
        ((pl.len().over(over) - 1) * 20).cast(pl.Int64).alias("top"),
    )
    lost = (pl.col("top") - pl.col("mp")).alias("mp")
    sides = pl.concat(
        [
            marked.select("event", pl.col("ns").alias("entrant"), "mp", "top"),
            marked.select("event", pl.col("ew").alias("entrant"), lost, "top"),
        ]
    )
    tally = sides.group_by("event", "entrant").agg(pl.col("mp").sum(), pl.col("top").sum())
    ranked = tally.with_columns(
        (20000 * pl.col("mp") + pl.col("top")).floordiv(2 * pl.col("top")).alias("percentage"),
        (pl.col("mp") / pl.col("top")).rank("min", descending=True).over("event").alias("place"),
    )
    return ranked.sort("event", "entrant").collect().select("event", "entrant", "mp", "place")


DUCKDB_SCORES = """
with marked as (
  select event, ns, ew,
         20 * (rank() over (partition by event, board order by score) - 1)
         + 10 * (count(*) over (partition by event, board, score) - 1) as mp,
         20 * (count(*) over (partition by event, board) - 1) as top
  from results
), sides as (
  select event, ns as entrant, mp, top from marked
  union all select event, ew, top - mp, top from marked
), tally as (
  select event, entrant, sum(mp)::bigint as mp, sum(top)::bigint as top
  from sides group by event, entrant
)
select event, entrant, mp, rank() over (partition by event order by mp / top desc) as place,
       (20000 * mp + top) // (2 * top) as percentage
from tally order by event, entrant
"""


def duckdb_scores(columns: Columns) -> Any:
    import duckdb
    import pyarrow as pa

    results = pa.table(dict(zip(NAMES, columns, strict=True)))
    with duckdb.connect() as connection:
        connection.register("results", results)
        return connection.sql(DUCKDB_SCORES).to_arrow_table()


def pandas_scores(columns: Columns) -> Any:
    import pandas as pd

    frame = pd.DataFrame(dict(zip(NAMES, columns, strict=True)))
    boards = frame.groupby(["event", "board"])["score"]
    frame["mp"] = ((boards.rank() - 1) * 20).round().astype("int64")
    frame["top"] = (boards.transform("size") - 1) * 20
    ns = frame[["event", "ns", "mp", "top"]].rename(columns={"ns": "entrant"})
    ew = frame[["event", "ew", "mp", "top"]].rename(columns={"ew": "entrant"})
    ew["mp"] = ew["top"] - ew["mp"]
    tally = pd.concat([ns, ew]).groupby(["event", "entrant"], as_index=False).sum()
    ratio = tally["mp"] / tally["top"]
    tally["percentage"] = (20000 * tally["mp"] + tally["top"]) // (2 * tally["top"])
    tally["place"] = ratio.groupby(tally["event"]).rank("min", ascending=False)
    return tally


# --- awards -----------------------------------------------------------------------------------


def curve_table(most: int) -> tuple[Any, Any, Any]:
    """The proposal's relative awards of every size up to ``most`` as running sums, two sessions:
    given to all contestants ready, since it is the same small table for each."""
    sizes, places, totals = [], [], []
    depth = [(0, 0), (6, 3), (12, 4), (16, 5), (21, 6)]
    for n in range(1, most + 1):
        quarter = -(-n // 4)
        paid = max(quarter, [p for start, p in depth if start <= n][-1])
        counted = n if n <= 100 else 100 * (n / 100) ** (2 / 3)
        first = 2 / 30 * (counted * 2) ** 0.6
        decay = 1 - first / (0.07 * n * 2) * (quarter / (quarter + 2))
        value, running = first, 0.0
        sizes.append(n), places.append(0), totals.append(0.0)
        for x in range(1, most + 2):
            if x > 1:
                value *= min(decay**2, 0.8) if x == 2 else decay ** (2 * (1 - (x - 2) / paid))
            running += value if x <= paid else 0.0
            sizes.append(n), places.append(x), totals.append(running)
    return np.array(sizes), np.array(places), np.array(totals)


def polars_awards(found: Fields, curve: tuple[Any, Any, Any]) -> Any:
    """Cents of every entrant, in order."""
    import polars as pl

    size, place, total = curve
    table = pl.DataFrame({"size": size, "upto": place, "total": total}).lazy()
    event = np.repeat(np.arange(len(found.sizes)), found.sizes)
    frame = pl.DataFrame(
        {"event": event, "size": np.repeat(found.sizes, found.sizes), "place": found.place,
         "tied": found.tied, "a": found.holding[::2], "b": found.holding[1::2]}
    ).lazy()  # fmt: skip
    power = [(pl.max_horizontal(pl.col(c) / 100, 300.0)) ** 0.4 for c in ("a", "b")]
    strong = frame.with_columns(((power[0] + power[1]) / 2).mean().over("event").alias("f"))
    before = strong.with_columns((pl.col("place") - 1).alias("upto")).join(
        table, on=["size", "upto"], how="left", maintain_order="left"
    )
    after = before.with_columns((pl.col("upto") + pl.col("tied")).alias("end")).join(
        table, left_on=["size", "end"], right_on=["size", "upto"], how="left",
        suffix="_end", maintain_order="left",
    )  # fmt: skip
    shared = pl.col("f") * (pl.col("total_end") - pl.col("total")) / pl.col("tied")
    cents = (shared * 100 + 0.5).floor()
    return after.select(pl.when(cents >= 100).then(cents).otherwise(0).alias("cents")).collect()


DUCKDB_AWARDS = """
with strong as (
  select *, avg((pow(greatest(a / 100, 300.0), 0.4) + pow(greatest(b / 100, 300.0), 0.4)) / 2)
            over (partition by event) as f from entrants
), shared as (
  select row, floor(f * (high.total - low.total) / tied * 100 + 0.5) as cents
  from strong
  join curve low on low.size = strong.size and low.upto = place - 1
  join curve high on high.size = strong.size and high.upto = place - 1 + tied
)
select case when cents >= 100 then cents else 0 end as cents from shared order by row
"""


def duckdb_awards(found: Fields, curve: tuple[Any, Any, Any]) -> Any:
    import duckdb
    import pyarrow as pa

    event = np.repeat(np.arange(len(found.sizes)), found.sizes)
    entrants = pa.table(
        {"row": np.arange(len(event)), "event": event, "place": found.place, "tied": found.tied,
         "size": np.repeat(found.sizes, found.sizes), "a": found.holding[::2],
         "b": found.holding[1::2]}
    )  # fmt: skip
    table = pa.table(dict(zip(("size", "upto", "total"), curve, strict=True)))
    with duckdb.connect() as connection:
        connection.register("entrants", entrants)
        connection.register("curve", table)
        return connection.sql(DUCKDB_AWARDS).to_arrow_table()


def pandas_awards(found: Fields, curve: tuple[Any, Any, Any]) -> Any:
    import pandas as pd

    event = np.repeat(np.arange(len(found.sizes)), found.sizes)
    power = np.maximum(found.holding / 100, 300.0) ** 0.4
    frame = pd.DataFrame({"event": event, "p": (power[::2] + power[1::2]) / 2})
    strength = frame.groupby("event")["p"].transform("mean").to_numpy()
    wide = int(curve[1].max()) + 1
    totals = curve[2].reshape(-1, wide)
    size = np.repeat(found.sizes, found.sizes) - 1
    share = totals[size, found.place - 1 + found.tied] - totals[size, found.place - 1]
    cents = np.floor(strength * share / found.tied * 100 + 0.5)
    return pd.DataFrame({"cents": np.where(cents >= 100, cents, 0)})
