"""Several years in which holdings grow by what each rule pays: inflation that begets inflation.

Each year is the corpus again, with the same people in the same places but with the holdings they
would have by then. A rule that depends on holdings pays more as they grow; any other pays the same.
Only events that all the rulebooks award are played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.corpus import Corpus, each_shard, pieces_of
from honours.lab.intervals import change_interval
from honours.lab.left_out import (
    as_rulebook,
    awarded_by_all,
    hold_back_few,
    more,
    sentence,
)
from honours.lab.result import Answer, Frame, Progress, headline, unwatched
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Ints, Shard, in_a_row
from honours.lab.sides import check_holdings, name_of
from honours.lab.store import MISSING
from honours.lab.tables import UNITS
from honours.lab.tallies import EventTotals, award_all
from honours.model.message import Message, joined

HORIZON = 60
"""Years looked ahead for half of the members to hold the top rank."""
_RUNS, _FOLLOWED, _NEAR = 60, 2500, 50
_KEEP = 0.6
_POINT = UNITS["holding"].denominator
Floats = NDArray[np.float64]
PAYS = Message("what a rulebook pays is points to players; a mean holding is per member")
ASSUMED = Message(
    "Ranks in years to come: a member gains as in the year seen, or as another with a like "
    "holding; who leaves is replaced by somebody with nothing. How many leave is assumed, and "
    "moves the counts more than the rule does. Intervals are for members like these, who are drawn "
    "again in each run."
)


@dataclass(frozen=True, slots=True)
class _Start:
    """The starting state of a shard: which events all rulebooks award, and each member's
    holding."""

    number: int
    common: NDArray[np.bool_]
    player: Ints
    holding: Ints
    totals: EventTotals


def _start(books: Sequence[Rulebook], shard: Shard) -> _Start:
    awarded = award_all(books, shard)
    who = np.unique(shard.player).astype(np.int64)
    last = np.empty(1 + int(shard.player.max(initial=-1)), np.int64)
    last[shard.player] = np.arange(len(shard.player))
    held = shard.holding[last[who]].astype(np.int64)
    return _Start(shard.number, awarded.common, who, held, awarded.totals)


def _year(
    book: Rulebook, held: Ints, common: Mapping[int, NDArray[np.bool_]], shard: Shard
) -> tuple[int, Ints, Ints, Ints]:
    """Return the payments of a year in a shard, by event and by member."""
    keep, known = common[shard.number], held[shard.player]
    then = np.where(known != MISSING, known, shard.holding).astype(np.int32)
    awards = award_shard(book, replace(shard, holding=then))
    each = awards.each_player(shard) * keep[shard.event_of_entrant[shard.entrant_of_player]]
    totals = np.add.reduceat(awards.to_players(shard), shard.entrant_offsets[:-1])
    who = np.unique(shard.player).astype(np.int64)
    paid = np.bincount(shard.player, each, len(held)).astype(np.int64)[who]
    return shard.number, totals[keep], who, paid


@dataclass(frozen=True, slots=True)
class _Years:
    """The payments of a rulebook year by year, in every event, and the mean holding at the
    beginning of each; with what each member held at first and gained in the first year."""

    rulebook: Rulebook
    paid: Sequence[Ints]
    held: Sequence[float]
    holding: Floats
    gain: Floats

    def change(self) -> Message:
        """Say what the last year pays, compared with the first."""
        before, after = (float(self.paid[k].sum()) for k in (0, -1))
        sure = change_interval(self.paid[0], self.paid[-1])
        return Message(
            "{name} would pay {change} as holdings grow by {held:.1f}%",
            name=name_of(self.rulebook),
            change=more(100 * (after / before - 1), sure) if before else Message("nothing"),
            held=100 * (self.held[-1] / self.held[0] - 1),
        )


def _statement(
    years: Sequence[_Years], ranks: Sequence[Mapping[str, Any]], left: Mapping[str, int]
) -> Message:
    text = Message(
        "In year {last}, compared with year {first}: {changes}, in {events}{ranks}",
        last=len(years[0].paid),
        first=1,
        changes=joined("; ", [one.change() for one in years]),
        events=awarded_by_all(len(years[0].paid[0])),
        ranks=joined("", map(_half, ranks)),
    )
    return sentence(text, left)


def _half(row: Mapping[str, Any]) -> Message:
    """Say when half of the members hold the rank, as part of a sentence."""
    named = {"rulebook": row["rulebook"], "rank": row["rank"]}
    if row["half hold it in year"] is None:
        return Message(
            "; under {rulebook} half of the members do not hold {rank:,} within {years} years",
            **named,
            years=HORIZON,
        )
    return Message(
        "; under {rulebook} half of the members hold {rank:,} in year {year} ({low}–{high})",
        **named,
        year=row["half hold it in year"],
        low=row["at the earliest (95%)"],
        high=row["at the latest (95%)"] or "…",
    )


def grow(
    corpus: Corpus,
    rulebooks: Sequence[str | Rulebook],
    years: int,
    progress: Progress = unwatched,
    on: str = "",
    rank: int = 2500,
    leave: int = 6,
) -> Answer:
    """Play the corpus for a number of years under each rulebook, and say when half of the members
    will hold ``rank`` if ``leave`` per cent of them leave every year."""
    books = [as_rulebook(book) for book in rulebooks]
    for book in books:
        check_holdings(book)
    begun, steps = list[_Start](), len(pieces_of(corpus)) + len(books) * years
    for start in each_shard(corpus, partial(_start, books), on):
        begun.append(start)
        progress(len(begun), steps)
    totals = in_a_row([start.totals for start in begun])
    hold_back_few(totals.members)
    common = {start.number: start.common for start in begun}
    done, grown, ranks = len(begun), list[_Years](), list[dict[str, Any]]()
    first = _held_by_all(begun)
    seen = first != MISSING
    for book in books:
        held = first
        paid, means = list[Ints](), list[float]()
        one = _Years(book, paid, means, held[seen] / _POINT, np.zeros(int(seen.sum())))
        for _ in range(years):
            means.append(float(held[seen].mean()) / _POINT)
            parts, got = dict[int, Ints](), np.zeros(len(held), np.int64)
            for number, in_events, who, gained in each_shard(
                corpus, partial(_year, book, held, common), on
            ):
                parts[number] = in_events
                got[who] += gained
            paid.append(np.concatenate([parts[number] for number in sorted(parts)]))
            if len(paid) == 1:
                one.gain[:] = got[seen] / SCALE
            held = np.where(seen, held + got * _POINT // SCALE, held)
            done += 1
            told = _statement([one], (), totals.left) if len(paid) > 1 else ""
            progress(done, steps, headline(corpus, told))
        grown.append(one)
        if paid[0].sum():
            drift = float(paid[-1].sum() / paid[0].sum()) ** (1 / max(1, years - 1)) - 1
            half = half_holds(one.holding, one.gain, rank, leave / 100, drift)
            ranks.append({"rulebook": name_of(book), **half})
    rows: list[dict[str, Any]] = [{"year": year + 1} for year in range(years)]
    for one in grown:
        pays = Message("{name} pays", name=name_of(one.rulebook))
        mean = Message("{name} mean holding", name=name_of(one.rulebook))
        for row, year, before in zip(rows, one.paid, one.held, strict=True):
            row |= {pays: float(year.sum()) / SCALE, mean: before}
    return Answer.about(
        corpus,
        Message("Holdings that grow by what each rule pays"),
        _statement(grown, ranks, totals.left),
        [
            Frame.of(Message("Holdings that grow by what each rule pays"), rows, PAYS),
            Frame.of(Message("When half of the members hold a rank"), ranks),
        ],
        [ASSUMED] if ranks else [],
        books,
        left=totals.left,
    )


def _held_by_all(begun: Sequence[_Start]) -> Ints:
    """Every member's holding."""
    last = max((int(start.player.max(initial=-1)) for start in begun), default=0)
    held = np.full(1 + last, MISSING, np.int64)
    for start in sorted(begun, key=lambda s: s.number):
        held[start.player] = start.holding
    if (held == MISSING).all():
        raise InputError("no holding of any player is known: there is nothing that could grow")
    return held


def forecast(
    holding: Floats,
    gain: Floats,
    ranks: Sequence[float],
    years: int = 5,
    runs: int = 200,
    leave: float = 0.06,
    drift: float = 0.0,
    sampled: bool = False,
) -> Ints:
    """Return how many hold each rank, by run and year. A year's gain is a member's own, or that
    of one with a like holding from a resample of the members seen; payments grow by ``drift`` a
    year. If the members are ``sampled``, they are drawn again in each run, since others might have
    been here."""
    random = np.random.default_rng(1)
    order = np.argsort(holding)
    gains, held = gain[order], holding[order]
    counts = np.empty((runs, years + 1, len(ranks)), np.int64)
    for run in range(runs):
        who = np.arange(len(gain))
        if sampled:
            who = random.integers(0, len(gain), len(gain))
        mp, own = holding[who].astype(np.float64), gain[who]
        pool = np.sort(random.integers(0, len(gain), len(gain)))
        of_pool, pool_gains = held[pool], gains[pool]
        counts[run, 0] = [(mp >= rank).sum() for rank in ranks]
        for year in range(1, years + 1):
            near = random.integers(-_NEAR, _NEAR + 1, len(mp))
            like = pool_gains[np.clip(np.searchsorted(of_pool, mp) + near, 0, len(pool) - 1)]
            got = np.where(random.random(len(mp)) < _KEEP, own, like)
            mp = mp + got * (1 + drift) ** year
            gone = random.random(len(mp)) < leave
            fresh = random.integers(0, max(1, len(gain) // 10), gone.sum())
            mp[gone], own[gone] = 0.0, gains[fresh]
            counts[run, year] = [(mp >= rank).sum() for rank in ranks]
    return counts


def half_holds(
    holding: Floats, gain: Floats, rank: int, leave: float, drift: float
) -> dict[str, Any]:
    """The year in which half of the members hold a rank, with its interval for members like these;
    none if that is beyond the horizon."""
    now = float((holding >= rank).mean())
    if len(holding) > _FOLLOWED:
        some = np.random.default_rng(1).choice(len(holding), _FOLLOWED, replace=False)
        holding, gain = holding[some], gain[some]
    counts = forecast(holding, gain, (rank,), HORIZON, _RUNS, leave, drift, True)[:, :, 0]
    reached = counts >= len(holding) / 2
    first = np.where(reached.any(1), reached.argmax(1), HORIZON + 1)
    years = [float(np.percentile(first, share)) for share in (50, 2.5, 97.5)]
    shares = [100 * float(c) / len(holding) for c in np.percentile(counts[:, 5], (50, 2.5, 97.5))]
    whole = [None if year > HORIZON else round(year) for year in years]
    return {
        "rank": rank,
        "hold it now %": 100 * now,
        "in 5 years %": shares[0],
        "from (95%)": shares[1],
        "to (95%)": shares[2],
        "half hold it in year": whole[0],
        "at the earliest (95%)": whole[1],
        "at the latest (95%)": whole[2],
    }
