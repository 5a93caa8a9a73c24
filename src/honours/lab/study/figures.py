"""A figure from a source beside ours, and whether the two agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus
from honours.lab.intervals import Interval
from honours.lab.left_out import hold_back_small
from honours.lab.result import Answer, Frame, Progress, headline
from honours.lab.sides import AsPaid, Side
from honours.lab.study.now import FLIGHT_A, MID, NowReading, now_totals, readings
from honours.lab.tallies import interval_columns, tally
from honours.model.message import Message
from honours.model.verdict import (
    AGREEING,
    CONSISTENT,
    CONTRADICTED,
    FITTED,
    NOT_CHECKABLE,
    REPRODUCED,
)

_NEAR = 0.02
FRONT = {
    "2020": (
        "Now and proposed: the total",
        "What hangs on the readings",
        "Range averages",
        "Weighted average",
    ),
    "2011": ("Summary comparison", "What hangs on the readings", "Criteria", "Sample awards"),
}
"""What a board looks at first, by the beginnings of the titles."""
_FLIGHTS = ("A", "open", "mid", "gold-rush")
_RULE = Message("by the rule alone: it says nothing of the corpus")
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """A figure that a source prints, what the corpus gives for it, and how certain that is.
    ``range`` has the two ends if the source gives a range. ``by_rule`` marks a figure that needs no
    corpus: it shows that the rulebook is the source's, and nothing about the history; ``fitted``
    one that is made from inputs which no source prints."""

    name: str
    source: float | None
    ours: float | None
    interval: Interval | None = None
    range: Ends | None = None
    by_rule: bool = False
    fitted: bool = False

    @property
    def verdict(self) -> str:
        """As `honours conform` has it: what the rule alone decides is the source's figure, or is
        not; one of the corpus can only be near it, or have it in its interval."""
        if self.ours is None or (self.source is None and self.range is None):
            return NOT_CHECKABLE
        if self.range is not None:
            return CONSISTENT if self.range[0] <= self.ours <= self.range[1] else CONTRADICTED
        assert self.source is not None
        if self.by_rule:
            if f"{self.ours:.2f}" != f"{self.source:.2f}":
                return CONTRADICTED
            return FITTED if self.fitted else REPRODUCED
        within = self.interval is not None and self.source in self.interval
        near = abs(self.ours - self.source) <= max(0.006, _NEAR * abs(self.source))
        return CONSISTENT if within or near else CONTRADICTED

    def row(self) -> dict[str, Any]:
        source = self.source if self.range is None else f"{self.range[0]:,g} – {self.range[1]:,g}"
        return {
            "figure": self.name,
            "source": source,
            "ours": self.ours,
            **interval_columns(self.interval),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class History:
    """The subject of a study: a corpus, what was won in it, and the cluster to do the work."""

    corpus: Corpus
    side: Side
    on: str = ""
    now: NowReading = field(default_factory=NowReading)


Parts = Mapping[str, Callable[[], Iterable[StudyFigure]]]
Tables = dict[str, tuple[StudyFigure, ...]]
"""The tables of a source's analysis in its order."""


def done_in_order(
    source: str,
    history: History,
    book: Rulebook,
    parts: Parts,
    progress: Progress,
    notes: Sequence[str] = (),
) -> Answer:
    """The tables of a study one after the other, reporting after each how many figures agree so
    far; its report has what it says with four charts on its first pages, then the tables."""
    corpus, side = history.corpus, history.side
    hold_back_small(corpus)
    tables: Tables = {}
    for done, (name, figures) in enumerate(parts.items()):
        known = headline(corpus, _agreeing(source, side, tables)) if tables else ""
        progress(done, len(parts), known)
        tables[name] = tuple(figures())
    progress(len(parts), len(parts))
    about = Message("won is what was paid")
    if not isinstance(side, AsPaid):
        about = Message(
            "won is what {side} pays: the corpus does not say what was paid", side=side.id
        )
    frames = []
    for name, own in tables.items():
        of_rule = all(figure.by_rule for figure in own)
        rows = [figure.row() for figure in own]
        frames.append(Frame.of(name, rows, _RULE if of_rule else about, of_rule=of_rule))
    notes = [*notes, *(without_figures(name) for name, own in tables.items() if not own)]
    if not isinstance(side, AsPaid):
        title = Message("What depends on our readings of the current rule: change in %")
        told = readings(corpus, history.now, book, _FLIGHTS, history.on)
        frames.append(Frame.of(title, told, about))
        found = now_totals(corpus, history.now, book, history.on)
        said = history.now.words(found is not None and found.from_corpus > 0)
        notes = [said, *notes, FLIGHT_A, MID]
    return Answer.about(
        corpus,
        Message("The study of {source} again", source=source),
        _agreeing(source, side, tables),
        frames,
        notes,
        [side],
        front=FRONT[source],
    )


def _agreeing(source: str, side: Side, tables: Tables) -> Message:
    """Say how many figures agree, of those that depend on the corpus and on the rule alone."""
    figures = [figure for own in tables.values() for figure in own]
    of_corpus = [figure.verdict for figure in figures if not figure.by_rule]
    of_rule = [figure.verdict for figure in figures if figure.by_rule]
    return Message(
        "{yes} of {all} figures of the source of {source} agree with those of the corpus, by "
        "what {side} pays; {open} cannot be worked out from it; {rule_yes} of {rule_all} that "
        "the rule alone decides agree.",
        yes=sum(verdict in AGREEING for verdict in of_corpus),
        all=len(of_corpus) - of_corpus.count(NOT_CHECKABLE),
        source=source,
        side=side.id,
        open=of_corpus.count(NOT_CHECKABLE),
        rule_yes=sum(verdict in AGREEING for verdict in of_rule),
        rule_all=len(of_rule),
    )


def without_figures(table: str) -> Message:
    """Say why a table of the source is missing from a study."""
    return Message(
        "“{table}” is left out: this corpus, with what is taken for won, has nothing to work it "
        "out from.",
        table=table,
    )


def changes_beside_won(
    history: History, book: Rulebook, whole: Ends, by_flight: Mapping[str, Ends]
) -> Iterator[StudyFigure]:
    """Yield what a rulebook pays relative to what was won, in per cent: overall, and in the flights
    that the source mentions. Where the corpus does not say what was paid, by the reading of *now*,
    in two-session regionals."""
    paid = isinstance(history.side, AsPaid)
    sums = tally(history.corpus, history.side, book, history.on) if paid else None
    found = None if paid else now_totals(history.corpus, history.now, book, history.on)
    for flight, ends in {"": whole, **by_flight}.items():
        name = Message("flight {flight}", flight=flight) if flight else Message("all events")
        if sums is not None:
            own = sums.by(["flight"]).get((flight,)) if flight else sums.total
            percent, sure = (own.percent, own.interval) if own else (None, None)
        elif found is not None:
            percent, sure = found.change(0, flight)
            percent = percent if sure else None
        else:
            return
        if percent is not None or found is not None:
            yield StudyFigure(name, None, percent, sure, ends)
