"""A parameter varied over a grid: what each value would pay, in the events that all of them
award."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.intervals import Interval, change_interval
from honours.lab.left_out import as_rulebook, awarded_by_all, more, sentence
from honours.lab.result import Answer, Frame, Progress, about, headline, unwatched
from honours.lab.sides import name_of
from honours.lab.tallies import EventTotals, event_totals, events_to_try, failing, interval_columns
from honours.model.message import Message, every

AS_IT_IS = Message("as it is")
FIGURES = Message(
    "total: points to players; mean first: what each player of a winner gets; from and to: the "
    "change in per cent"
)


def sweep(
    corpus: Corpus,
    rulebook: str | Rulebook,
    parameter: str,
    values: Sequence[object],
    progress: Progress = unwatched,
    on: str = "",
) -> Answer:
    """Answer what the corpus would be paid with each value of a parameter. A value is left out if
    the rule fails with it in every event of a first trial."""
    book = as_rulebook(rulebook)
    amended = {str(value): book.amend({parameter: value}) for value in values}
    few = events_to_try(corpus, book)
    failed = [v for v, own in amended.items() if few and failing(own, few) == len(few.ids)]
    told = Message(
        "{rulebook} with {values} cannot be worked out in any of the events that were tried first.",
        rulebook=name_of(book),
        values=every(f"{parameter}={value}" for value in failed) if failed else "",
    )
    if failed and len(failed) == len(amended):
        raise InputError(told)
    books = {AS_IT_IS: book} | {v: own for v, own in amended.items() if v not in failed}

    def rows(totals: EventTotals) -> list[dict[str, Any]]:
        return [{"value": name, **_row(totals, k)} for k, name in enumerate(books)]

    def so_far(totals: EventTotals) -> str:
        return headline(corpus, _sentence(book, parameter, rows(totals), totals.left))

    totals = event_totals(corpus, list(books.values()), progress, on, so_far)
    found = rows(totals)
    return Answer.about(
        corpus,
        Message("Other values of {parameter}", parameter=parameter),
        _sentence(book, parameter, found, totals.left),
        [Frame.of(about(Message("By value"), f"{name_of(book)}, {parameter}"), found, FIGURES)],
        [told] if failed else [],
        [book],
        left=totals.left,
        values={"failed": failed},
    )


def _row(totals: EventTotals, k: int) -> dict[str, Any]:
    base, own, events = totals.points[0], totals.points[k], totals.events
    return {
        "total": totals.total(k),
        "mean first": float(totals.firsts[k].mean()) / SCALE if events else 0.0,
        "players paid": int(totals.paid[k].sum()),
        "events": events,
        "change %": 100 * float(own.sum() / base.sum() - 1) if base.sum() else None,
        **interval_columns(change_interval(base, own)),
    }


def _sentence(
    book: Rulebook, parameter: str, rows: Sequence[Mapping[str, Any]], left: Mapping[str, int]
) -> Message:
    """The extremes in a sentence."""
    ends = sorted(rows[1:], key=lambda row: row["total"])
    if not ends:
        return Message("no values were asked for")
    text = Message(
        "{changes}, compared with {rulebook}, in {events}",
        changes=every(_change(parameter, row) for row in (ends[0], *ends[1:][-1:])),
        rulebook=name_of(book),
        events=awarded_by_all(rows[0]["events"]),
    )
    return sentence(text, left)


def _change(parameter: str, row: Mapping[str, Any]) -> Message:
    """``p=0.7 would pay 3.8% less (−4.1 to −3.5)``, or the amount if nothing was paid before."""
    low, high = row["from (95%)"], row["to (95%)"]
    change = Message("{points:,.2f} points to players where nothing is paid", points=row["total"])
    if row["change %"] is not None:
        change = more(row["change %"], None if low is None else Interval(low, high))
    named = {"parameter": parameter, "value": row["value"]}
    return Message("{parameter}={value} would pay {change}", **named, change=change)
