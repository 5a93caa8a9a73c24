"""The *now* of the sources: the general formula with the pairs' factor, strata paid as well as the
whole field, and the tables of concurrent events credited. Each is a reading with a switch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Rulebook
from honours.errors import UnknownName, WrongValue
from honours.lab import sides
from honours.lab.corpus import Corpus, each_shard
from honours.lab.generate.calendar import STRATA
from honours.lab.intervals import Interval, change_interval
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Ints, Shard, in_a_row, ranked
from honours.lab.store import MISSING
from honours.lab.tables import LIMITS
from honours.model.message import Message, mark
from honours.rulebooks import load

MOST_CREDIT = 3
"""Times its own tables an event may be credited with (handbook)."""
USUAL_CREDIT = 1.5
TRIED = (0.0, 1.0, 1.5, 2.0, 3.0)
EDITIONS = ("2017", "2011")
_HIGHEST = "100000"
READING = mark(
    "Now is the general formula, edition {edition}{pairs}; {strata}; unrestricted events of two "
    "sessions at regionals and sectionals are credited with {credit}. These are "
    "readings; the table of readings says what hangs on each."
)
MID = Message(
    "Midflights cannot be met: no source has a factor M for a limit above 2,500; the line of the "
    "game files gives 0.75 at 3,000, and the statement of the source needs about 1. Not settled."
)
FLIGHT_A = Message(
    "Flight A has a lower event beside it at every tournament: it needs a credit of two to three "
    "times its own tables, open events about one and a half."
)


@dataclass(frozen=True, slots=True)
class NowReading:
    """A reading of *now*; ``credit`` in times an event's own tables, or what the corpus shows of
    other events of the tournament on the same day."""

    credit: float | None = None
    strata: bool = True
    edition: str = "2017"

    @staticmethod
    def of(said: Mapping[str, Sequence[str]] | None) -> NowReading:
        """A reading as a question gives it."""
        words = {key: values[0] for key, values in (said or {}).items()}
        for key in words:
            if key not in ("credit", "strata", "edition"):
                raise UnknownName(Message("reading of now"), key, ("credit", "strata", "edition"))
        edition = words.get("edition", EDITIONS[0])
        if edition not in EDITIONS:
            raise UnknownName(Message("edition"), edition, EDITIONS)
        try:
            credit = float(words["credit"]) if words.get("credit") else None
        except ValueError as error:
            raise WrongValue("credit", words["credit"], "expected a number, e.g. 1.5") from error
        return NowReading(credit, words.get("strata", "yes") != "no", edition)

    @property
    def rulebook(self) -> Rulebook:
        """The rule; a limit above those seen counts on the line of those seen."""
        more = {"highest_limit_2017": _HIGHEST} if self.edition == "2017" else {}
        return load("acbl-general").amend({"edition": self.edition, **more})

    def words(self, from_corpus: bool) -> Message:
        pairs = Message(": pairs by 1.25") if self.edition == "2017" else Message(": pairs by 1")
        strata = Message("every stratum is paid by its own tables and limit, the best list counts")
        credit: Message | str = Message(
            "{credit:g} times their own tables", credit=self.credit or 0
        )
        if self.credit is None:
            credit = (
                Message("the tables of the tournament's other events of the day, at most thrice")
                if from_corpus
                else Message("{credit:g} times their own tables", credit=USUAL_CREDIT)
            )
        return Message(
            READING,
            edition=self.edition,
            pairs=pairs,
            strata=strata if self.strata else Message("the whole field's list alone is paid"),
            credit=credit,
        )


def _credited(shard: Shard) -> NDArray[np.bool_]:
    """The events that concurrent tables are credited to."""
    events, many = shard.events, len(shard.ids)
    none = np.zeros(many, np.int64)
    limits, restricted = (events.get(n, none) for n in ("limit", "restrictions"))
    own = (limits == 0) & np.isin(restricted, (0, MISSING)) & (events.get("sessions", none) == 2)
    classes = np.asarray(events.get("class", np.full(many, ""))).astype(str)
    flights = np.asarray(events.get("flight", np.full(many, ""))).astype(str)
    own &= np.isin(classes, ("regional", "sectional")) & (flights != "online")
    credited: NDArray[np.bool_] = np.asarray(own, np.bool_)
    return credited


def concurrent(shard: Shard) -> Ints | None:
    """The tables of the other events of the same tournament and day; none if nothing tells it, or
    no tournament has two."""
    tournament, day = (shard.events.get(n) for n in ("tournament", "date"))
    if tournament is None or day is None:
        return None
    known = (tournament != MISSING) & (day != MISSING)
    _, at = np.unique(np.stack([tournament, day], 1).astype(np.int64), axis=0, return_inverse=True)
    at = np.reshape(at, -1)
    tables = np.ceil(sides.tables_of(shard)) * known
    beside = np.bincount(at, tables)[at] - tables
    return beside.astype(np.int64) if (beside > 0).any() else None


def _lower(shard: Shard, k: int) -> Shard | None:
    """The entrants of stratum ``k`` and below as events of their own, with the limit of the
    stratum."""
    limits = _limits(shard, k)
    own = (shard.stratum >= k) & (limits > 0)[shard.event_of_entrant]
    many = np.add.reduceat(own.astype(np.int64), shard.entrant_offsets[:-1])
    events = np.flatnonzero(many >= 2)
    own &= (many >= 2)[shard.event_of_entrant]
    if not own.any():
        return None
    rows = np.flatnonzero(own)
    place, tied = ranked(shard.event_of_entrant[rows], shard.place[rows].astype(np.int64))
    part = shard.only(events, rows)
    return replace(
        part,
        events={**part.events, "limit": limits[events]},
        stratum=np.zeros(len(rows), np.uint8),
        place=place.astype(np.uint16),
        tied=tied.astype(np.uint16),
        line=None,
        of_entrants={},
        of_players={},
    )


def _limits(shard: Shard, k: int) -> Ints:
    """The upper limit of a stratum, by event: as the corpus has it, or as the synthetic year parts
    its flights; 0 where it is not known."""
    column = shard.events.get(LIMITS[k]) if k < len(LIMITS) else None
    if column is not None:
        return np.where(column == MISSING, 0, column).astype(np.int64)
    flights = shard.events.get("flight")
    if flights is None:
        return np.zeros(len(shard.ids), np.int64)
    known = {name: limits[k - 1] for name, limits in STRATA.items() if len(limits) >= k}
    return np.array([known.get(str(f), 0) for f in np.asarray(flights)], np.int64)


def now_amounts(
    reading: NowReading, credits: Sequence[float | None], shard: Shard
) -> tuple[list[Ints], NDArray[np.bool_]]:
    """Return the payment to each player of an entrant, for every credit, and the events refused."""
    book, beside = reading.rulebook, concurrent(shard)
    own = np.ceil(sides.tables_of(shard)).astype(np.int64)
    lowest = np.zeros(len(shard.entrant), np.int64)
    for k in (1, 2) if reading.strata else ():
        lower = _lower(shard, k)
        if lower is not None:
            rows = np.flatnonzero(np.isin(_keys(shard), _keys(lower)))
            lowest[rows] = np.maximum(lowest[rows], award_shard(book, lower).amounts)
    amounts, refused = [], np.zeros(len(shard.ids), np.bool_)
    for credit in credits:
        usual = (credit if credit is not None else USUAL_CREDIT) * own
        shown = beside if credit is None and beside is not None else usual
        extra = np.where(_credited(shard), np.minimum(MOST_CREDIT * own, shown), 0)
        tables = (own + np.rint(extra)).astype(np.int64)
        awards = award_shard(book, replace(shard, events={**shard.events, "tables": tables}))
        amounts.append(np.maximum(awards.amounts, lowest))
        refused |= awards.refused
    return amounts, refused


def _keys(shard: Shard) -> Ints:
    keys: Ints = shard.ids[shard.event_of_entrant].astype(np.int64) << 16 | shard.entrant
    return keys


@dataclass(frozen=True, slots=True)
class NowTotals:
    """Points to players by event: now for every credit, and by the rule proposed."""

    flights: NDArray[Any]
    now: NDArray[np.int64]
    proposed: Ints
    from_corpus: int
    """How many pieces tell what was concurrent."""

    def change(self, credit: int, flight: str = "") -> tuple[float | None, Interval | None]:
        """The change in per cent, with its interval, in a flight or in all events."""
        own = np.ones(len(self.flights), np.bool_) if not flight else self.flights == flight
        now, proposed = self.now[credit][own], self.proposed[own]
        if not own.any() or not now.sum():
            return None, None
        return 100 * float(proposed.sum() / now.sum() - 1), change_interval(now, proposed)


def _totals(
    reading: NowReading, credits: Sequence[float | None], book: Rulebook, shard: Shard
) -> NowTotals | None:
    events = shard.events
    sessions, classes = events.get("sessions"), events.get("class")
    if sessions is None or classes is None:
        return None
    flights = np.asarray(events.get("flight", np.full(len(shard.ids), ""))).astype(str)
    rows = np.flatnonzero(
        (sessions == 2) & (np.asarray(classes).astype(str) == "regional") & (flights != "online")
    )
    if not len(rows):
        return None
    found = concurrent(shard) is not None
    part = shard.only(rows)
    paid = award_shard(book, part)
    amounts, refused = now_amounts(reading, credits, part)
    keep = ~refused & ~paid.refused
    starts, sizes = part.entrant_offsets[:-1], np.diff(part.player_offsets)
    now = np.stack([np.add.reduceat(a * sizes, starts)[keep] for a in amounts])
    proposed = np.add.reduceat(paid.to_players(part), starts)[keep]
    return NowTotals(flights[rows][keep], now, proposed, int(found))


def now_totals(
    corpus: Corpus, reading: NowReading, book: Rulebook, on: str = ""
) -> NowTotals | None:
    """Now beside a rule in two-session regionals: by the reading first, then by each credit that
    is tried."""
    credits = (reading.credit, *TRIED)
    work = partial(_totals, reading, credits, book)
    parts = [part for part in each_shard(corpus, work, on) if part is not None]
    return in_a_row(parts) if parts else None


def readings(
    corpus: Corpus, reading: NowReading, book: Rulebook, by_flight: Sequence[str], on: str = ""
) -> Iterator[dict[str, Any]]:
    """Yield what hangs on each reading: the change in per cent by credit, with and without strata,
    and by the other edition."""
    ways = (
        (Message("as read"), reading),
        (Message("the whole field's list alone"), replace(reading, strata=False)),
        (
            Message("the other edition (pairs by 1)"),
            replace(reading, edition=EDITIONS[EDITIONS[0] == reading.edition]),
        ),
    )
    for name, way in ways:
        found = now_totals(corpus, way, book, on)
        if found is None:
            continue
        for flight in ("", *by_flight):
            row: dict[str, Any] = {"now": name, "events": flight or Message("all events")}
            for k, credit in enumerate(TRIED, 1):
                row[Message("credit {times:g}", times=credit)] = found.change(k, flight)[0]
            if any(isinstance(value, float) for value in row.values()):
                yield row
