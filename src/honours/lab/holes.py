"""The gaps of a history: what a missing holding, date, class or payment counts as, how much that
touches, and whether events that are left out for it differ from the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from honours.errors import UnknownName, WrongValue
from honours.lab import store
from honours.lab.corpus import MANIFEST, Corpus
from honours.lab.tables import EVENTS, PLAYERS, UNITS
from honours.model.message import Message, plural, word

LEAVE_OUT, MEDIAN, NEAREST = "leave-out", "median", "nearest"
PREFIX = "missing."
"""Begins the key of a policy on the command: ``missing.holding=median``."""
WATCHED = ("holding", "paid", "date", "class", "kind", "sessions", "boards", "limit", "rating")
_OF_PLAYERS = ("holding", "rating", "gor", "paid")
Array = NDArray[Any]


def read_policies(given: Mapping[str, str]) -> dict[str, str]:
    """Policies by column, as a plan or a command gives them; a wrong one is an error before any
    work."""
    for column, text in given.items():
        if column not in WATCHED:
            raise UnknownName(Message("column that may be missing"), column, WATCHED)
        if text in (LEAVE_OUT, MEDIAN) or (text == NEAREST and column in _OF_PLAYERS):
            continue
        _value(column, text)
    return dict(given)


def _value(column: str, text: str) -> Any:
    """A value that stands for what is missing, as its column keeps it."""
    kind = (PLAYERS if column in _OF_PLAYERS else EVENTS).field(column).type
    try:
        if pa.types.is_date(kind):
            return date.fromisoformat(text)
        if pa.types.is_dictionary(kind):
            return text
        return round(float(text) / UNITS.get(column, 1))
    except ValueError as error:
        raise WrongValue(
            PREFIX + column, text, "expected leave-out, median, nearest or a value"
        ) from error


@dataclass(frozen=True, slots=True)
class _PlayerRows:
    """The players of a corpus, and what is needed to fill in one of their columns."""

    event: Array
    player: Array
    when: Array
    value: Array
    """NaN where it is missing."""

    def nearest(self) -> Array:
        """Return each member's value in the event nearest in time; NaN for those who have none."""
        known = np.flatnonzero(~np.isnan(self.value))
        order = known[np.lexsort((self.when[known], self.player[known]))]
        wanted = np.flatnonzero(np.isnan(self.value))
        key, ask = (self.player[r] * 2**40 + self.when[r] for r in (order, wanted))
        after = np.searchsorted(key, ask)
        found = np.full(len(wanted), np.nan)
        best = np.full(len(wanted), np.inf)
        for at in (after - 1, np.minimum(after, len(order) - 1)):
            row = order[np.clip(at, 0, len(order) - 1)] if len(order) else wanted
            own = (self.player[row] == self.player[wanted]) & (at >= 0) & (len(order) > 0)
            apart = np.where(own, abs(self.when[row] - self.when[wanted]), np.inf)
            nearer = apart < best
            found[nearer], best[nearer] = self.value[row][nearer], apart[nearer]
        return found

    def median(self) -> Array:
        """The median of the same event, or of all where nobody's in it is known."""
        known = ~np.isnan(self.value)
        order = np.lexsort((self.value, self.event))
        order = order[known[order]]
        events, first, many = np.unique(self.event[order], return_index=True, return_counts=True)
        middles = self.value[order][first + many // 2] if len(order) else np.empty(0)
        wanted = self.event[~known]
        at = np.minimum(np.searchsorted(events, wanted), max(0, len(events) - 1))
        whole = float(np.median(self.value[known])) if known.any() else np.nan
        if not len(events):
            return np.full(len(wanted), whole)
        return np.where(events[at] == wanted, middles[at], whole)


def fill(corpus: Corpus, policies: Mapping[str, str]) -> Corpus:
    """Put in what missing values count as, and keep in the manifest how many rows, events and
    points each hole touches."""
    tables = {n: _tables(corpus, n) for n in ("events", "players")}
    events, players = (pa.concat_tables(tables[n], promote_options="default") for n in tables)
    paid = _numbers(players, "paid")
    holes, changed = [], dict[str, dict[str, Any]]()
    for column in WATCHED:
        table = "players" if column in _OF_PLAYERS else "events"
        whole = players if table == "players" else events
        if column not in whole.column_names:
            continue
        missing = whole[column].is_null().to_numpy(zero_copy_only=False)
        if not missing.any():
            continue
        policy = policies.get(column, LEAVE_OUT)
        touched = np.unique(whole["event"].to_numpy()[missing])
        own = np.isin(players["event"].to_numpy(), touched)
        points = float(np.nansum(paid[own])) * float(UNITS["paid"])
        hole = {"column": column, "policy": policy, "rows": int(missing.sum())}
        hole |= {"of": len(missing), "events": len(touched), "points": round(points, 2)}
        holes.append(hole)
        if policy != LEAVE_OUT:
            changed.setdefault(table, {})[column] = _filled(column, policy, events, players)
    return _written(corpus, tables, changed, holes) if holes else corpus


def _tables(corpus: Corpus, name: str) -> list[Any]:
    return [store.read_table(store.shard_file(corpus.folder, name, n)) for n in corpus.shards]


def _numbers(table: Any, column: str) -> Array:
    if column not in table.column_names:
        return np.full(table.num_rows, np.nan)
    return table[column].cast(pa.float64()).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _filled(column: str, policy: str, events: Any, players: Any) -> Any:
    """The whole column with its holes filled; what no policy reaches stays missing."""
    if column in _OF_PLAYERS:
        value = _numbers(players, column)
        missing = np.isnan(value)
        if policy in (MEDIAN, NEAREST):
            rows = _PlayerRows(
                players["event"].to_numpy(),
                players["player"].to_numpy().astype(np.int64),
                _when(events, players["event"].to_numpy()),
                value,
            )
            found = rows.median() if policy == MEDIAN else rows.nearest()
            if policy == NEAREST:  # of whom nothing is ever known, the event's median
                found = np.where(np.isnan(found), rows.median(), found)
        else:
            found = np.full(int(missing.sum()), float(_value(column, policy)))
        value[missing] = found
        unknown = np.isnan(value)
        return pa.array(np.where(unknown, 0, np.rint(value)).astype(np.int64), mask=unknown)
    whole = events[column].combine_chunks()
    if policy != MEDIAN:
        return pc.fill_null(_plain(whole), pa.scalar(_value(column, policy)))
    counts = pc.value_counts(_plain(whole).drop_null()).to_pylist()
    usual = max(counts, key=lambda one: (one["counts"], str(one["values"])))["values"]
    return pc.fill_null(_plain(whole), pa.scalar(usual))


def _plain(column: Any) -> Any:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _when(events: Any, of: Array) -> Array:
    """The day of each row's event, or its number where days are not known."""
    numbers = events["event"].to_numpy()
    if "date" not in events.column_names or events["date"].null_count:
        return np.searchsorted(numbers, of).astype(np.int64)
    days = events["date"].cast(pa.int32()).to_numpy().astype(np.int64)
    return days[np.searchsorted(numbers, of)]  # type: ignore[no-any-return]


def _written(
    corpus: Corpus,
    tables: Mapping[str, Sequence[Any]],
    changed: Mapping[str, Mapping[str, Any]],
    holes: Sequence[Mapping[str, Any]],
) -> Corpus:
    manifest = json.loads((corpus.folder / MANIFEST).read_text(encoding="utf-8"))
    for name, columns in changed.items():
        begin = 0
        for number, table in zip(corpus.shards, tables[name], strict=True):
            end = begin + table.num_rows
            for column, values in columns.items():
                at = table.column_names.index(column)
                part = values[begin:end].cast(table.schema.field(column).type)
                table = table.set_column(at, table.schema.field(column), part)  # noqa: PLW2901
            path = store.shard_file(corpus.folder, name, number)
            store.write_table(path, table)
            manifest["digests"][path.name] = store.file_digest(path)
            begin = end
    manifest["holes"] = list(holes)
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (corpus.folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return Corpus.open(corpus.folder)


def hole_notes(corpus: Corpus) -> Iterator[Message]:
    """Yield what the corpus does not say, how much that touches, and what it counts as."""
    for hole in corpus.manifest.get("holes", ()):
        if hole["policy"] == LEAVE_OUT:
            counted = Message(
                "an answer that needs it leaves them out; missing.{column}=median, nearest or a "
                "value at import keeps them",
                column=hole["column"],
            )
        else:
            counted = Message("taken as: {policy}", policy=word(str(hole["policy"])))
        yield Message(
            "{column} is missing in {rows} of {of:,}, in {events}{points}: {counted}.",
            column=word(str(hole["column"])),
            rows=plural("{count:,} row", "{count:,} rows", count=hole["rows"]),
            of=hole["of"],
            events=plural("{count:,} event", "{count:,} events", count=hole["events"]),
            points=Message(" that paid {points:,.2f}", points=hole["points"])
            if hole["points"]
            else "",
            counted=counted,
        )


# --- events that are left out ---------------------------------------------------------------------

_EDGES = (0, 8, 16, 24, 40, 80, 160)
_FEWEST = 5


@dataclass(frozen=True, slots=True)
class AllEvents:
    """Every event of a comparison: how many entrants, of which class, how strong, and whether it
    is compared."""

    entrants: Array
    classes: Array
    strength: Array
    compared: Array

    @staticmethod
    def together(parts: Sequence[AllEvents]) -> AllEvents:
        names = ("entrants", "classes", "strength", "compared")
        return AllEvents(*(np.concatenate([getattr(p, n) for p in parts]) for n in names))

    def weighted(self, a: Array, b: Array) -> float | None:
        """The change in per cent if those compared had the sizes and classes of all."""
        _, code = np.unique(self.classes.astype(str), return_inverse=True)
        cell = code * len(_EDGES) + np.searchsorted(_EDGES, self.entrants, "right")
        every = np.bincount(cell)
        kept = np.bincount(cell[self.compared], minlength=len(every))
        weight = (every / np.maximum(kept, 1))[cell[self.compared]]
        total = float(weight @ a)
        return 100 * (float(weight @ b) / total - 1) if total > 0 else None

    def note(self, a: Array, b: Array) -> Message | None:
        """Say how those left out differ, and where the answer would be if they did not."""
        out = ~self.compared
        if out.sum() < _FEWEST or self.compared.sum() < _FEWEST:
            return None
        weighted = self.weighted(a, b)
        return Message(
            "Those left out have {out:.0f} entrants in the middle, those compared {kept:.0f}"
            "{strength}{classes}; {weighted}.",
            out=float(np.median(self.entrants[out])),
            kept=float(np.median(self.entrants[self.compared])),
            strength=self._strengths(out),
            classes=self._most(out),
            weighted=Message("nothing is paid that could be weighted")
            if weighted is None
            else Message(
                "with the sizes and classes of all events the change would be {percent:+.1f}%",
                percent=weighted,
            ),
        )

    def _strengths(self, out: Array) -> Message | str:
        known = np.isfinite(self.strength)
        if not (known & out).any() or not (known & self.compared).any():
            return ""
        return Message(
            ", and mean holdings of {out:,.0f} beside {kept:,.0f}",
            out=float(np.median(self.strength[known & out])),
            kept=float(np.median(self.strength[known & self.compared])),
        )

    def _most(self, out: Array) -> Message | str:
        """The class whose share differs most."""
        names, codes = np.unique(self.classes.astype(str), return_inverse=True)
        if len(names) < 2:
            return ""
        shares = [
            100 * np.bincount(codes[some], minlength=len(names)) / some.sum()
            for some in (out, self.compared)
        ]
        most = int(np.argmax(abs(shares[0] - shares[1])))
        return Message(
            "; {out:.0f}% of them are {name}, of those compared {kept:.0f}%",
            out=float(shares[0][most]),
            name=word(str(names[most])) if names[most] else "–",
            kept=float(shares[1][most]),
        )
