"""Several years in which holdings grow by what each rule pays: inflation that begets inflation.

Each year is the corpus again, with the same people in the same places but with the holdings they
would have by then. A rule that depends on holdings pays more as they grow; any other pays the same.
Only events that all the rulebooks award are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.lab.corpus import Corpus, each_shard, pieces_of
from honours.lab.intervals import Interval, change_interval
from honours.lab.left_out import (
    as_rulebook,
    awarded_by_all,
    counts_by_reason,
    hold_back_few,
    more,
    reasons,
    sentence,
    shard_totals,
)
from honours.lab.result import Frame, LabResult, headline, note_of
from honours.lab.shard_awards import ShardAwards, award_shard
from honours.lab.shards import Ints, Shard
from honours.lab.sides import HoldingColumn, Side, as_side, held_under, name_of
from honours.lab.store import NOT_SAID
from honours.model.message import Message, joined

# --- several years in which holdings grow by what each rule pays --------------------------------

HORIZON = 60
"""Years looked ahead for half of the members to hold the top rank."""
_RUNS, _FOLLOWED, _NEAR = 60, 2500, 50
_KEEP = 0.6
Floats = NDArray[np.float64]
PAYS = Message("what a rulebook pays is points to players; a mean holding is per member")


def _pays(name: str) -> Message:
    return Message("{name} pays", name=name)


def _mean_holding(name: str) -> Message:
    return Message("{name} mean holding", name=name)


@dataclass(frozen=True, slots=True)
class Growth(LabResult):
    """Totals and mean holdings year by year under each rulebook."""

    corpus: Corpus
    rulebooks: tuple[Rulebook, ...]
    rows: tuple[dict[str, Any], ...]
    left: Mapping[str, int] = field(default_factory=dict)
    sure: Mapping[str, Interval | None] = field(default_factory=dict)
    events: int = 0
    ranks: tuple[dict[str, Any], ...] = ()
    """How many hold a rank in years to come, under each rulebook."""

    @property
    def sides(self) -> Sequence[Side]:
        return self.rulebooks

    def table(self) -> Frame:
        held = {held_under(book).note: "" for book in self.rulebooks}
        note = joined("; ", [n for n in (note_of(self.corpus), PAYS, *held) if n])
        return Frame.of(Message("Holdings that grow by what each rule pays"), self.rows, note)

    def statement(self) -> str:
        """What the last year pays under each, compared with the first."""
        text = Message(
            "In year {last}, compared with year {first}: {changes}, in {events}",
            last=self.rows[-1]["year"],
            first=self.rows[0]["year"],
            changes=joined("; ", map(self._change, map(name_of, self.rulebooks))),
            events=awarded_by_all(self.events),
        )
        told = Message("{text}{ranks}", text=text, ranks=joined("", map(_half, self.ranks)))
        return headline(self.corpus, sentence(told if self.ranks else text, self.left))

    def _change(self, name: str) -> Message:
        """What the last year pays under a rulebook, compared with the first."""
        first, last = self.rows[0], self.rows[-1]
        before, after = first[_pays(name)], last[_pays(name)]
        sure = self.sure.get(name)
        return Message(
            "{name} would pay {change} as holdings grow by {held:.1f}%",
            name=name,
            change=more(100 * (after / before - 1), sure) if before else Message("nothing"),
            held=100 * (last[_mean_holding(name)] / first[_mean_holding(name)] - 1),
        )

    @property
    def notes(self) -> Sequence[str]:
        return (ASSUMED,) if self.ranks else ()

    def frames(self) -> list[Frame]:
        title = Message("When half of the members hold a rank")
        ranks = [Frame.of(title, self.ranks, note_of(self.corpus))] if self.ranks else []
        return [self.table(), *ranks]

    def data(self) -> dict[str, Any]:
        hashes = {name_of(b): b.hash for b in self.rulebooks}
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "table": self.table().data(),
            "ranks": list(self.ranks),
            "left_out": dict(self.left),
            "provenance": {**self.corpus.provenance(), **hashes},
        }


def _half(row: Mapping[str, Any]) -> Message:
    """When half of the members hold the rank, as part of a sentence."""
    if row["half hold it in year"] is None:
        return Message(
            "; under {rulebook} half of the members do not hold {rank:,} within {years} years",
            rulebook=row["rulebook"],
            rank=row["rank"],
            years=HORIZON,
        )
    return Message(
        "; under {rulebook} half of the members hold {rank:,} in year {year} ({low}–{high})",
        rulebook=row["rulebook"],
        rank=row["rank"],
        year=row["half hold it in year"],
        low=row["at the earliest (95%)"],
        high=row["at the latest (95%)"] or "…",
    )


@dataclass(frozen=True, slots=True)
class _Start:
    """The starting state of a shard: each player's holding, and which events all rulebooks
    award."""

    number: int
    common: NDArray[np.bool_]
    player: Ints
    holding: tuple[Ints, ...]
    """Their holdings, by rulebook."""
    left: Counter[str]
    members: frozenset[int]


def _start(books: Sequence[Rulebook], shard: Shard) -> _Start:
    totals = shard_totals(books, shard)
    common = np.logical_and.reduce(totals.awarded, axis=0)
    who = np.unique(shard.player).astype(np.int64)
    held = tuple(_by_member(held_under(book).of(shard), shard)[who] for book in books)
    return _Start(shard.number, common, who, held, totals.left, totals.members)


def _by_member(held: Ints, shard: Shard) -> Ints:
    """Members' holdings by member number, as of their last event."""
    known = np.full(int(shard.player.max(initial=-1)) + 1, NOT_SAID, np.int64)
    known[shard.player] = held
    return known


def _holding(book: Rulebook, held: Ints, shard: Shard) -> Shard:
    """The shard with its members' holdings replaced."""
    known, what = held[shard.player], held_under(book)
    return what.instead(shard, np.where(known != NOT_SAID, known, what.of(shard)))


def _year(
    book: Rulebook,
    held: Ints,
    common: Mapping[int, NDArray[np.bool_]],
    shard: Shard,
) -> tuple[int, Ints, Ints, Ints]:
    """What a year pays in a shard: by event, and how much to each member."""
    keep = common[shard.number]
    awards = award_shard(book, _holding(book, held, shard))
    each = awards.each_player(shard) * keep[shard.event_of_entrant[shard.entrant_of_player]]
    totals = np.add.reduceat(awards.to_players(shard), shard.entrant_offsets[:-1])
    who = np.unique(shard.player).astype(np.int64)
    paid = np.bincount(shard.player, each, len(held)).astype(np.int64)[who]
    return shard.number, totals[keep], who, paid


def grow(
    corpus: Corpus,
    rulebooks: Sequence[str | Rulebook],
    years: int,
    progress: Callable[..., None] = lambda *_: None,
    on: str = "",
    rank: int = 2500,
    leave: int = 6,
) -> Growth:
    """Play the corpus for a number of years under each rulebook, and say when half of the members
    will hold ``rank`` if ``leave`` per cent of them leave every year."""
    books = tuple(as_rulebook(b) for b in rulebooks)
    begun, steps = [], len(pieces_of(corpus)) + len(books) * years
    for start in each_shard(corpus, partial(_start, books), on):
        begun.append(start)
        progress(len(begun), steps)
    hold_back_few(frozenset[int]().union(*(start.members for start in begun)))
    held = [_held_by_all(begun, k) for k in range(len(books))]
    common = {start.number: start.common for start in begun}
    rows: list[dict[str, Any]] = [{"year": year + 1} for year in range(years)]
    sure: dict[str, Interval | None] = {}
    left = sum((start.left for start in begun), Counter[str]())
    events = sum(int(own.sum()) for own in common.values())
    done = steps - len(books) * years
    ranks: list[dict[str, Any]] = []
    for book, own in zip(books, held, strict=True):
        paid: list[Ints] = []
        gains: list[Ints] = []
        for totals, got in _grow_under(corpus, book, own, common, rows, on):
            paid.append(totals)
            gains.append(got)
            sure[name_of(book)] = change_interval(paid[0], paid[-1])
            done += 1
            known = Growth(corpus, (book,), tuple(rows[: len(paid)]), left, sure, events)
            progress(done, steps, known.statement() if len(paid) > 1 else "")
        if not held_under(book).is_rating and paid[0].sum():
            drift = float(paid[-1].sum() / paid[0].sum()) ** (1 / max(1, years - 1)) - 1
            seen = own != NOT_SAID
            pools = own[seen] / held_under(book).one, gains[0][seen] / SCALE
            ranks.append(
                {"rulebook": name_of(book), **half_holds(*pools, rank, leave / 100, drift)}
            )
    return Growth(corpus, books, tuple(rows), left, sure, events, tuple(ranks))


ASSUMED = Message(
    "Ranks in years to come: a member gains as in the year seen, or as another with a like "
    "holding; who leaves is replaced by somebody with nothing. How many leave is assumed, and "
    "moves the counts more than the rule does."
)


def forecast(
    holding: Floats,
    gain: Floats,
    ranks: Sequence[float],
    years: int = 5,
    runs: int = 200,
    leave: float = 0.06,
    drift: float = 0.0,
    seed: int = 1,
) -> Ints:
    """How many hold each rank, by run and year. A year's gain is a member's own, or that of one
    with a like holding from a resample of the members seen; payments grow by ``drift`` a year."""
    random = np.random.default_rng(seed)
    order = np.argsort(holding)
    gains, held = gain[order], holding[order]
    counts = np.empty((runs, years + 1, len(ranks)), np.int64)
    for run in range(runs):
        mp, own = holding.astype(np.float64).copy(), gain.copy()
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
    """The year in which half of the members hold a rank, with its interval; none if that is beyond
    the horizon."""
    if len(holding) > _FOLLOWED:
        some = np.random.default_rng(1).choice(len(holding), _FOLLOWED, replace=False)
        holding, gain = holding[some], gain[some]
    counts = forecast(holding, gain, (rank,), HORIZON, _RUNS, leave, drift)[:, :, 0]
    reached = counts >= len(holding) / 2
    first = np.where(reached.any(1), reached.argmax(1), HORIZON + 1)
    years = [float(np.percentile(first, share)) for share in (50, 2.5, 97.5)]
    shares = [100 * float(c) / len(holding) for c in np.percentile(counts[:, 5], (50, 2.5, 97.5))]
    whole = [None if year > HORIZON else round(year) for year in years]
    return {
        "rank": rank,
        "hold it now %": 100 * float(counts[0, 0]) / len(holding),
        "in 5 years %": shares[0],
        "from (95%)": shares[1],
        "to (95%)": shares[2],
        "half hold it in year": whole[0],
        "at the earliest (95%)": whole[1],
        "at the latest (95%)": whole[2],
    }


def _held_by_all(begun: Sequence[_Start], book: int) -> Ints:
    """Every member's holding, of the kind that the given rulebook takes into account."""
    last = max((int(start.player.max(initial=-1)) for start in begun), default=0)
    held = np.full(1 + last, NOT_SAID, np.int64)
    for start in sorted(begun, key=lambda s: s.number):
        held[start.player] = start.holding[book]
    if (held == NOT_SAID).all():
        raise InputError("no holding of any player is known: there is nothing that could grow")
    return held


def _grow_under(
    corpus: Corpus,
    book: Rulebook,
    held: Ints,
    common: Mapping[int, NDArray[np.bool_]],
    rows: list[dict[str, Any]],
    on: str,
) -> Iterator[tuple[Ints, Ints]]:
    """Fill in the rows of the years in turn, yielding each year's payments by event and by
    member."""
    name, seen, one = name_of(book), held != NOT_SAID, held_under(book).one
    for row in rows:
        paid = np.zeros(len(held), np.int64)
        parts: dict[int, Ints] = {}
        work = partial(_year, book, held, common)
        for number, totals, who, got in each_shard(corpus, work, on):
            parts[number] = totals
            paid[who] += got
        whole = np.concatenate([parts[number] for number in sorted(parts)])
        row[_pays(name)] = float(whole.sum()) / SCALE
        row[_mean_holding(name)] = float(held[seen].mean()) / one
        held = np.where(seen, held + paid * one // SCALE, held)
        yield whole, paid


# --- what players held and won in an event or on one of its days --------------------------------

Only = Mapping[str, Sequence[str]]

HOLDING = HoldingColumn("holding")
NOT_HELD = Message("it does not say what any of its players held")
NOT_OF_THESE = Message("it is not of the events that were asked for")


@dataclass(frozen=True, slots=True)
class PlayerDays:
    """Player-days: the holding, the points won, the event and the member of each."""

    holding: Floats
    won: Floats
    event: NDArray[np.int64]
    member: NDArray[np.int64]


def sample_of(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    on: str = "",
) -> PlayerDays:
    """The player-days of events with that many sessions, by what a side pays.

    ``only`` keeps events with certain words: ``{"class": ("regional",)}``.
    """
    return sample_and_left(corpus, named, sessions, only, on)[0]


def sample_and_left(
    corpus: Corpus,
    named: str | Side,
    sessions: int = 2,
    only: Only | None = None,
    on: str = "",
    taken: Callable[[int, Sequence[PlayerDays]], None] = lambda _done, _days: None,
) -> tuple[PlayerDays, Counter[str]]:
    """The player-days of events with that many sessions, by what a side pays, and the events
    left out by reason; ``taken`` receives the parts so far after every piece."""
    side = as_side(named, corpus)
    work = partial(_days_and_left, side, sessions, only)
    parts = []
    for part in each_shard(corpus, work, on):
        parts.append(part)
        taken(len(parts), [days for _, days, _ in parts])
    parts.sort(key=lambda part: part[0])
    left = sum((out for _, _, out in parts), Counter[str]())
    return together([days for _, days, _ in parts]), left


def _days_and_left(
    side: Side, sessions: int, only: Only | None, shard: Shard
) -> tuple[int, PlayerDays, Counter[str]]:
    left = Counter(str(bad.why) for bad in shard.bad)
    if not len(shard.ids):
        return shard.number, together([]), left
    held = held_under(side)
    chosen = _chosen(shard, None if held.is_rating else sessions, only)
    awards = award_shard(side, shard)
    if awards.refused.any():
        left += counts_by_reason(*reasons(side, shard, awards), chosen)
    left[NOT_OF_THESE] += int((~chosen).sum())
    known = np.zeros(len(shard.ids), np.bool_)
    known[shard.event_of_entrant[shard.entrant_of_player[held.of(shard) != NOT_SAID]]] = True
    left[NOT_HELD] += int((chosen & ~awards.refused & ~known).sum())
    return shard.number, _days(awards, shard, chosen, held), +left


def player_days(side: Side, shard: Shard, sessions: int, only: Only | None) -> PlayerDays:
    """The player-days of one shard."""
    return _days(award_shard(side, shard), shard, _chosen(shard, sessions, only), HOLDING)


def _chosen(shard: Shard, sessions: int | None, only: Only | None) -> NDArray[np.bool_]:
    chosen = np.ones(len(shard.ids), np.bool_)
    day = {} if sessions is None else {"sessions": (str(sessions),)}
    for column, words in {**day, **(only or {})}.items():
        if column not in shard.events:
            raise UnknownName("column of the events", column, shard.events)
        chosen &= np.isin(shard.events[column].astype(str), list(words))
    return chosen


def _days(
    awards: ShardAwards, shard: Shard, chosen: NDArray[np.bool_], held: HoldingColumn
) -> PlayerDays:
    event, own = shard.event_of_entrant[shard.entrant_of_player], held.of(shard)
    keep = (chosen & ~awards.refused)[event] & (own != NOT_SAID)
    won = awards.each_player(shard)[keep] / SCALE
    whole = (shard.ids[event[keep]], shard.player[keep])
    return PlayerDays(own[keep] / float(held.one), won, *(ids.astype(np.int64) for ids in whole))


def together(parts: Sequence[PlayerDays]) -> PlayerDays:
    """The player-days of several shards joined into one sample."""
    none, no_ids = np.empty(0), np.empty(0, np.int64)
    return PlayerDays(
        np.concatenate([*(part.holding for part in parts), none]),
        np.concatenate([*(part.won for part in parts), none]),
        np.concatenate([*(part.event for part in parts), no_ids]),
        np.concatenate([*(part.member for part in parts), no_ids]),
    )
