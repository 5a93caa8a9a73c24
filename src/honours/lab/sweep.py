"""A parameter varied over a grid: what each value would pay, in the events that all of them
award."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.intervals import Interval, change_interval
from honours.lab.left_out import (
    EventTotals,
    as_rulebook,
    awarded_by_all,
    event_totals,
    events_to_try,
    failing,
    more,
    sentence,
)
from honours.lab.result import Frame, LabResult, Progress, headline, note_of, unwatched
from honours.lab.sides import Side, name_of
from honours.model.message import Message, every, joined

AS_IT_IS = Message("as it is")
FIGURES = Message(
    "total: points to players; mean first: what each player of a winner gets; from and to: the "
    "change in per cent"
)


@dataclass(frozen=True, slots=True)
class Sweep(LabResult):
    """Totals by value of a parameter; the first row is the rulebook as it is."""

    corpus: Corpus
    rulebook: Rulebook
    parameter: str
    rows: tuple[dict[str, Any], ...]
    left: Mapping[str, int] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    """Values with which the rule cannot be worked out."""

    @property
    def sides(self) -> Sequence[Side]:
        return (self.rulebook,)

    @property
    def notes(self) -> Sequence[str]:
        return [_failed(self.rulebook, self.parameter, self.failed)] if self.failed else []

    def frames(self) -> list[Frame]:
        return [self.table()]

    def table(self) -> Frame:
        title = Message(
            "{rulebook} with other values of {parameter}",
            rulebook=name_of(self.rulebook),
            parameter=self.parameter,
        )
        note = joined("; ", [n for n in (note_of(self.corpus), FIGURES) if n])
        return Frame.of(title, self.rows, note)

    def statement(self) -> str:
        """The extremes in a sentence."""
        ends = sorted(self.rows[1:], key=lambda r: r["total"])
        if not ends:
            return Message("no values were asked for")
        text = Message(
            "{changes}, compared with {rulebook}, in {events}",
            changes=every(map(self._change, [ends[0]] if len(ends) == 1 else [ends[0], ends[-1]])),
            rulebook=name_of(self.rulebook),
            events=awarded_by_all(self.rows[0]["events"]),
        )
        return headline(self.corpus, sentence(text, self.left))

    def _change(self, row: Mapping[str, Any]) -> Message:
        return Message(
            "{parameter}={value} would pay {change}",
            parameter=self.parameter,
            value=row["value"],
            change=_change(row),
        )

    def provenance(self) -> dict[str, str]:
        return {**self.corpus.provenance(), "rulebook": self.rulebook.hash}

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "table": self.table().data(),
            "left_out": dict(self.left),
            "failed": list(self.failed),
            "provenance": self.provenance(),
        }


def _change(row: Mapping[str, Any]) -> Message:
    """``3.8% less (−4.1 to −3.5)``, or the amount if nothing was paid before."""
    if row["change %"] is None:
        return Message("{points:,.2f} points to players where nothing is paid", points=row["total"])
    low, high = row["from (95%)"], row["to (95%)"]
    return more(row["change %"], None if low is None else Interval(low, high))


def sweep(
    corpus: Corpus,
    rulebook: str | Rulebook,
    parameter: str,
    values: Sequence[object],
    progress: Progress = unwatched,
    on: str = "",
) -> Sweep:
    """What the corpus would be paid with each value of a parameter. A value is left out if the
    rule fails with it in every event of a first trial."""
    book = as_rulebook(rulebook)
    amended = {str(value): book.amend({parameter: value}) for value in values}
    few = events_to_try(corpus, book)
    failed = tuple(v for v, own in amended.items() if few and failing(own, few) == len(few.ids))
    if failed and len(failed) == len(amended):
        raise InputError(_failed(book, parameter, failed))
    books = [book, *(own for value, own in amended.items() if value not in failed)]
    names = [AS_IT_IS, *(value for value in amended if value not in failed)]

    def swept(totals: EventTotals) -> Sweep:
        rows = tuple({"value": name, **_row(totals, k)} for k, name in enumerate(names))
        return Sweep(corpus, book, parameter, rows, dict(totals.left), failed)

    totals = event_totals(corpus, books, progress, on, lambda known: swept(known).statement())
    return swept(totals)


def _failed(book: Rulebook, parameter: str, values: Sequence[str]) -> Message:
    return Message(
        "{rulebook} with {values} cannot be worked out in any of the events that were tried first.",
        rulebook=name_of(book),
        values=every(f"{parameter}={value}" for value in values),
    )


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
