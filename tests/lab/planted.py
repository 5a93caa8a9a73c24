"""How often intervals hold the truth, counted on planted histories.

    python -m tests.lab.planted [--histories 100] [predict rate fair placement gaming growth]

Histories of the same kind are made up from different seeds, and each question is asked of all of
them. Every figure that a table gives with the ends of a 95% interval is looked at: the truth is its
mean over the other histories; of grades it is the grade that was planted. Printed is the share of
histories whose interval holds it, and at the end the least of them. A share of 100 histories is
itself known to ± 0.04 only, of 1,000 to ± 0.014.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from honours.lab.corpus import Corpus, write_shard
from honours.lab.generate.clubs import club_tables, season
from honours.lab.growth import half_holds
from honours.lab.result import Answer
from honours.lab.skill import rated

BOOKS = ["acbl-sof-2011", "acbl-sof-2020"]
KINDS = ("predict", "rate", "fair", "placement", "gaming", "growth")
Figure = tuple[str, float, float, float]


def told(answer: Answer) -> Iterator[Figure]:
    """Every figure of an answer that has an interval: its name, its value and both ends."""
    for frame in answer.frames:
        for row in frame:
            words = [str(v) for c, v in row.items() if isinstance(v, str) or c == "grade"]
            for column, value in row.items():
                low, high = (row.get(f"{column} {end} (95%)") for end in ("from", "to"))
                half = row.get("± (95%)") if column == "times the open game" else None
                if half:
                    low, high = value - half, value + half
                if isinstance(value, float) and low is not None and high is not None:
                    yield f"{frame.name}: {', '.join(words)}: {column}", value, low, high


def history(seed: int, folder: Path, clubs: int) -> Corpus:
    """A season of club games with known skill."""
    made = season(seed, clubs=clubs, members=60, weeks=24)
    writer = Corpus.create(folder, {})
    writer.add(write_shard(folder, 0, club_tables(made, np.arange(len(made.held)), 0, 17_000)))
    return writer.finish()


def asked(kind: str, seed: int, clubs: int) -> Iterator[Figure]:
    """The figures of a question about one history."""
    if kind == "growth":
        yield from _growth(seed)
        return
    if kind == "gaming":
        yield from told(Corpus.gaming(None, [BOOKS[1]], runs=2000, seed=seed))
        return
    with TemporaryDirectory() as place:
        corpus = history(seed, Path(place) / "corpus", clubs)
        if kind == "predict":
            yield from told(corpus.predict(["MP^0.4", "log(MP+10)", "rating"]))
        elif kind == "fair":
            yield from told(corpus.fair(["sbu-clubs-2016", "vbl-2017"]))
        else:
            yield from told(corpus.rate() if kind == "rate" else corpus.placement())


def _growth(seed: int) -> Iterator[Figure]:
    """What a sample of the members of a large federation tells of all of them, and what a small
    federation tells of others like it."""
    for members, drawn in ((20_000, 20_000), (20_000, 1500)):
        random = np.random.default_rng(0)
        holding = random.lognormal(6, 1.5, members)
        gain = 1.5 * holding**0.7 * random.lognormal(0, 0.8, members)
        who = np.random.default_rng(seed).permutation(members)[:drawn]
        row = half_holds(holding[who], gain[who], 1000, 0.02, 0.01)
        name = f"{drawn:,} members: "
        yield f"{name}in 5 years %", row["in 5 years %"], row["from (95%)"], row["to (95%)"]
        year, first = row["half hold it in year"], row["at the earliest (95%)"]
        if year and first:
            last = float(row["at the latest (95%)"] or 61)
            yield f"{name}half hold it in year", float(year), float(first), last


def grades(seed: int, clubs: int) -> tuple[int, int]:
    """How many grades lie in their intervals, of how many: within a club, since the level of all
    is arbitrary."""
    made = season(seed, clubs=clubs, members=100, weeks=40)
    results, members = made.results(), len(made.held)
    ratings = rated(results, members, False)
    played = np.bincount(results.player, minlength=members) > 0
    off = (ratings.grade - made.grade)[played]
    return int((abs(off - off.mean()) < 1.96 * ratings.errors()[played]).sum()), len(off)


def covered(kind: str, histories: int, clubs: int) -> dict[str, float]:
    """The share of histories whose interval holds the truth, by figure."""
    found = defaultdict[str, list[tuple[float, float, float]]](list)
    for seed in range(histories):
        for name, *figures in asked(kind, seed, clubs):
            found[name].append((figures[0], figures[1], figures[2]))
    shares = {}
    for name, own in found.items():
        if len(own) < 0.9 * histories:
            continue  # an event of one history, or a group that few have
        value, low, high = np.array(own).T
        truth = (value.sum() - value) / (len(value) - 1)
        shares[name] = float(np.mean((low <= truth) & (truth <= high)))
    return shares


def main() -> None:
    """Count, and print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--clubs", type=int, default=12)
    given = parser.parse_args()
    least = {}
    for kind in given.kinds or KINDS:
        for name, share in covered(kind, given.histories, given.clubs).items():
            least[f"{kind}: {name}"] = share
            print(f"{share:6.3f}  {kind}: {name}", flush=True)
        if kind == "rate":
            for clubs in (given.clubs, 60):
                hits, of = np.sum([grades(seed, clubs) for seed in range(3)], axis=0)
                least[f"rate: grades of {clubs} clubs"] = hits / of
                print(f"{hits / of:6.3f}  rate: grades of {clubs} clubs", flush=True)
    print("least:", *min((share, name) for name, share in least.items()))


if __name__ == "__main__":
    main()
