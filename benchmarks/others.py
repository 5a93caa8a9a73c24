"""The same work as queries: Polars, DuckDB, pandas, and awards in NumPy too. Each gives what ours
gives, to the unit.

Scoring: on a board with n scores out of E expected, a score that is ranked r (ties the mean) has
a deviation from average of E·(2r − 1 − n)/n, rounded to tenths with a half towards average; then
totals, percentages and ranks. Awards: the 2020 formula in floats, ties sharing by running sums of
the place curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.data import Columns, Fields

NAMES = ("event", "board", "ns", "ew", "score")


@dataclass(frozen=True, slots=True)
class Scores:
    """North-South's matchpoints of every result, and of every entrant in order: points, place,
    how many share it, and percentage."""

    matchpoints: Any
    entrants: Any


def polars_scores(columns: Columns) -> Scores:
    import polars as pl

    results = pl.DataFrame(dict(zip(NAMES, columns, strict=True))).lazy()
    over = ["event", "board"]
    counted = results.with_columns(
        (2 * pl.col("score").rank("average").over(over)).round().cast(pl.Int64).alias("r"),
        pl.len().over(over).cast(pl.Int64).alias("n"),
    ).with_columns(pl.col("n").max().over("event").alias("e"))
    p = 10 * pl.col("e") * (pl.col("r") - 1 - pl.col("n"))
    size = (2 * p.abs() + pl.col("n") - 1).floordiv(2 * pl.col("n"))
    marked = counted.with_columns(
        (10 * (pl.col("e") - 1) + p.sign() * size).alias("mp"),
        (20 * (pl.col("e") - 1)).alias("top"),
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
        (pl.col("mp") / pl.col("top")).alias("ratio"),
    ).with_columns(
        pl.col("ratio").rank("min", descending=True).over("event").alias("place"),
        pl.len().over("event", "ratio").alias("tied"),
    )
    each, entrants = pl.collect_all(
        [marked.select("mp"), ranked.sort("event", "entrant")], engine="streaming"
    )
    return Scores(each["mp"], entrants)


DUCKDB_MARKED = """
create temp table marked as with counted as (
  select row, event, ns, ew,
         2 * rank() over (partition by event, board order by score)
         + count(*) over (partition by event, board, score) - 1 as r,
         count(*) over (partition by event, board) as n
  from results
), expected as (
  select *, max(n) over (partition by event) as e from counted
)
select row, event, ns, ew, 20 * (e - 1) as top,
       10 * (e - 1) + sign(r - 1 - n) * ((20 * e * abs(r - 1 - n) + n - 1) // (2 * n)) as mp
from expected
"""
DUCKDB_SCORES = """
with sides as (
  select event, ns as entrant, mp, top from marked
  union all select event, ew, top - mp, top from marked
), tally as (
  select event, entrant, sum(mp)::bigint as mp, sum(top)::bigint as top
  from sides group by event, entrant
)
select event, entrant, mp, rank() over (partition by event order by mp / top desc) as place,
       count(*) over (partition by event, mp / top) as tied,
       (20000 * mp + top) // (2 * top) as percentage
from tally order by event, entrant
"""


def duckdb_scores(columns: Columns) -> Scores:
    import duckdb
    import pyarrow as pa

    named = dict(zip(NAMES, columns, strict=True))
    results = pa.table({"row": np.arange(len(columns[0]), dtype=np.int32), **named})
    with duckdb.connect() as connection:
        connection.register("results", results)
        connection.sql(DUCKDB_MARKED)
        each = connection.sql("select mp from marked order by row").to_arrow_table()
        return Scores(each["mp"], connection.sql(DUCKDB_SCORES).to_arrow_table())


def pandas_scores(columns: Columns) -> Scores:
    import pandas as pd

    frame = pd.DataFrame(dict(zip(NAMES, columns, strict=True)))
    boards = frame.groupby(["event", "board"], sort=False)["score"]
    r, n = (2 * boards.rank()).round().astype("int64"), boards.transform("size")
    e = n.groupby(frame["event"], sort=False).transform("max")
    p = 10 * e * (r - 1 - n)
    frame["mp"] = 10 * (e - 1) + np.sign(p) * ((2 * p.abs() + n - 1) // (2 * n))
    frame["top"] = 20 * (e - 1)
    ns = frame[["event", "ns", "mp", "top"]].rename(columns={"ns": "entrant"})
    ew = frame[["event", "ew", "mp", "top"]].rename(columns={"ew": "entrant"})
    ew["mp"] = ew["top"] - ew["mp"]
    tally = pd.concat([ns, ew]).groupby(["event", "entrant"], as_index=False).sum()
    ratio = tally["mp"] / tally["top"]
    tally["percentage"] = (20000 * tally["mp"] + tally["top"]) // (2 * tally["top"])
    tally["place"] = ratio.groupby(tally["event"]).rank("min", ascending=False)
    tally["tied"] = ratio.groupby([tally["event"], ratio]).transform("size")
    return Scores(frame["mp"], tally)


# --- awards -----------------------------------------------------------------------------------


def curve_table(most: int) -> tuple[Any, Any, Any]:
    """The proposal's relative awards of every size up to ``most`` as running sums, two sessions:
    size, places summed and total."""
    rows: list[tuple[int, int, float]] = []
    depth = [(0, 0), (6, 3), (12, 4), (16, 5), (21, 6)]
    for n in range(1, most + 1):
        quarter = -(-n // 4)
        paid = max(quarter, [p for start, p in depth if start <= n][-1])
        counted = n if n <= 100 else 100 * (n / 100) ** (2 / 3)
        first = 2 / 30 * (counted * 2) ** 0.6
        decay = 1 - first / (0.07 * n * 2) * (quarter / (quarter + 2))
        value, running = first, 0.0
        rows.append((n, 0, 0.0))
        for x in range(1, most + 2):
            if x > 1:
                value *= min(decay**2, 0.8) if x == 2 else decay ** (2 * (1 - (x - 2) / paid))
            running += value if x <= paid else 0.0
            rows.append((n, x, running))
    size, place, total = zip(*rows, strict=True)
    return np.array(size), np.array(place), np.array(total)


def polars_awards(fields: Fields) -> Any:
    """Cents of every entrant, in order."""
    import polars as pl

    size, place, total = curve_table(int(fields.sizes.max()))
    table = pl.DataFrame({"size": size, "upto": place, "total": total}).lazy()
    event = np.repeat(np.arange(len(fields.sizes)), fields.sizes)
    frame = pl.DataFrame(
        {
            "event": event,
            "size": np.repeat(fields.sizes, fields.sizes),
            "place": fields.place,
            "tied": fields.tied,
            "a": fields.holding[::2],
            "b": fields.holding[1::2],
        }
    ).lazy()
    power = [(pl.max_horizontal(pl.col(c) / 100, 300.0)) ** 0.4 for c in ("a", "b")]
    strong = frame.with_columns(((power[0] + power[1]) / 2).mean().over("event").alias("f"))
    before = strong.with_columns((pl.col("place") - 1).alias("upto")).join(
        table, on=["size", "upto"], how="left", maintain_order="left"
    )
    after = before.with_columns((pl.col("upto") + pl.col("tied")).alias("end")).join(
        table,
        left_on=["size", "end"],
        right_on=["size", "upto"],
        how="left",
        suffix="_end",
        maintain_order="left",
    )
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


def duckdb_awards(fields: Fields) -> Any:
    import duckdb
    import pyarrow as pa

    event = np.repeat(np.arange(len(fields.sizes)), fields.sizes)
    entrants = pa.table(
        {
            "row": np.arange(len(event)),
            "event": event,
            "place": fields.place,
            "tied": fields.tied,
            "size": np.repeat(fields.sizes, fields.sizes),
            "a": fields.holding[::2],
            "b": fields.holding[1::2],
        }
    )
    curve = curve_table(int(fields.sizes.max()))
    table = pa.table(dict(zip(("size", "upto", "total"), curve, strict=True)))
    with duckdb.connect() as connection:
        connection.register("entrants", entrants)
        connection.register("curve", table)
        return connection.sql(DUCKDB_AWARDS).to_arrow_table()


def pandas_awards(fields: Fields) -> Any:
    import pandas as pd

    event = np.repeat(np.arange(len(fields.sizes)), fields.sizes)
    held = pd.DataFrame({"a": fields.holding[::2], "b": fields.holding[1::2]})
    power = (held / 100).clip(lower=300.0) ** 0.4
    frame = pd.DataFrame(
        {
            "event": event,
            "size": np.repeat(fields.sizes, fields.sizes),
            "tied": fields.tied,
            "upto": fields.place.astype(np.int64) - 1,
            "p": power.mean(axis=1),
        }
    )
    frame["f"] = frame.groupby("event", sort=False)["p"].transform("mean")
    frame["end"] = frame["upto"] + frame["tied"]
    size, place, total = curve_table(int(fields.sizes.max()))
    curve = pd.DataFrame({"size": size, "upto": place, "total": total})
    low = frame.merge(curve, how="left", on=["size", "upto"])
    high = frame.merge(curve.rename(columns={"upto": "end"}), how="left", on=["size", "end"])
    cents = np.floor(frame["f"] * (high["total"] - low["total"]) / frame["tied"] * 100 + 0.5)
    return pd.DataFrame({"cents": cents.where(cents >= 100, 0)})


def numpy_awards(fields: Fields) -> Any:
    power = np.maximum(fields.holding / 100, 300.0) ** 0.4
    pairs = (power[::2] + power[1::2]) / 2
    strength = np.add.reduceat(pairs, fields.offsets[:-1]) / fields.sizes
    _, place, total = curve_table(int(fields.sizes.max()))
    totals = total.reshape(-1, int(place.max()) + 1)
    size, start = np.repeat(fields.sizes, fields.sizes) - 1, fields.place.astype(np.int64) - 1
    share = (totals[size, start + fields.tied] - totals[size, start]) / fields.tied
    cents = np.floor(np.repeat(strength, fields.sizes) * share * 100 + 0.5)
    return {"cents": np.where(cents >= 100, cents, 0)}
