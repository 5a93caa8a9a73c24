"""The gaps of a history: what a missing holding, date, class or payment counts as, how much that
touches, and whether events that are left out for it differ from the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.errors import UnknownName, WrongValue
from honours.lab.corpus import Corpus
from honours.lab.tables import EVENTS, PLAYERS, UNITS
from honours.model.message import Message, plural, word

LEAVE_OUT, MEDIAN, NEAREST = "leave-out", "median", "nearest"
PREFIX = "missing."
"""Begins the key of a policy on the command: ``missing.holding=median``."""
WATCHED = ("holding", "paid", "date", "class", "kind", "sessions", "boards", "limit", "rating")
OF_PLAYERS = ("holding", "rating", "gor", "paid")
Array = NDArray[Any]


def read_policies(given: Mapping[str, str]) -> dict[str, str]:
    """Policies by column, as a plan or a command gives them; a wrong one is an error before any
    work."""
    for column, text in given.items():
        if column not in WATCHED:
            raise UnknownName(Message("column that may be missing"), column, WATCHED)
        if text in (LEAVE_OUT, MEDIAN) or (text == NEAREST and column in OF_PLAYERS):
            continue
        value_of(column, text)
    return dict(given)


def value_of(column: str, text: str) -> Any:
    """A value that stands for what is missing, as its column keeps it."""
    kind = (PLAYERS if column in OF_PLAYERS else EVENTS).field(column).type
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
