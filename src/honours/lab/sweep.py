"""A parameter over a grid: what every value of it would pay, in the events that all award."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from honours.engine.rulebook import Rulebook
from honours.lab.answers import as_rulebook, more
from honours.lab.caveats import headline, note_of
from honours.lab.corpus import Corpus
from honours.lab.event_totals import EventTotals, event_totals
from honours.lab.frame import Frame
from honours.lab.intervals import change_interval
from honours.lab.left_out import left_out
from honours.lab.sides import name_of
from honours.model.message import Message, joined

AS_IT_IS = "as it is"
FIGURES = Message(
    "total: points to players; mean first: what each player of a winner gets; from and to: the "
    "change in per cent"
)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Totals by value of a parameter; the first line is the rulebook as it is."""

    corpus: Corpus
    rulebook: Rulebook
    parameter: str
    rows: tuple[dict[str, Any], ...]
    left: Mapping[str, int] = field(default_factory=dict)

    def table(self) -> Frame:
        title = f"{name_of(self.rulebook)} with other values of {self.parameter}"
        note = joined("; ", [n for n in (note_of(self.corpus), FIGURES) if n])
        return Frame.of(title, self.rows, note)

    def statement(self) -> str:
        """The extremes in a sentence."""
        ends = sorted(self.rows[1:], key=lambda r: r["total"])
        if not ends:
            return "no values were asked for"
        sentences = [f"{self.parameter}={r['value']} would pay {_change(r)}" for r in _ends(ends)]
        left = left_out(self.left)
        text = (
            f"{', and '.join(sentences)}, compared with {name_of(self.rulebook)}, in "
            f"{self.rows[0]['events']:,} events that all of them award"
        )
        return headline(self.corpus, f"{text}; {left}." if left else f"{text}.")

    def provenance(self) -> dict[str, str]:
        return {**self.corpus.provenance(), "rulebook": self.rulebook.hash}

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement())}</p>{self.table().html()}"

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "table": self.table().data(),
            "left_out": dict(self.left),
            "provenance": self.provenance(),
        }


def _ends(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [rows[0]] if len(rows) == 1 else [rows[0], rows[-1]]


def _change(row: Mapping[str, Any]) -> str:
    """``3.8% less (−4.1 to −3.5)``, or what it pays where nothing was paid before."""
    if row["change %"] is None:
        return f"{row['total']:,.2f} points to players where nothing is paid"
    shown = more(row["change %"])
    low, high = row["from (95%)"], row["to (95%)"]
    return shown if low is None or shown == "the same" else f"{shown} ({low:+.1f} to {high:+.1f}%)"


def sweep(
    corpus: Corpus,
    rulebook: str | Rulebook,
    parameter: str,
    values: Sequence[object],
    progress: Callable[..., None] | None = None,
    on: str = "",
) -> Sweep:
    """What the corpus would be paid with each value of a parameter."""
    book = as_rulebook(rulebook)
    books = [book, *(book.amend({parameter: value}) for value in values)]
    names = [AS_IT_IS, *map(str, values)]

    def swept(totals: EventTotals) -> Sweep:
        rows = tuple({"value": name, **_row(totals, k)} for k, name in enumerate(names))
        return Sweep(corpus, book, parameter, rows, dict(totals.left))

    totals = event_totals(corpus, books, progress, on, lambda known: swept(known).statement())
    return swept(totals)


def _row(totals: EventTotals, k: int) -> dict[str, Any]:
    base, own = totals.to_players(0), totals.to_players(k)
    interval = change_interval(base, own)
    return {
        "total": totals.total(k),
        "mean first": totals.mean_first(k),
        "players paid": totals.players_paid(k),
        "events": totals.events,
        "change %": 100 * float(own.sum() / base.sum() - 1) if base.sum() else None,
        "from (95%)": interval.low if interval else None,
        "to (95%)": interval.high if interval else None,
    }
