"""A figure from a source beside ours, and whether the two agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from honours.engine.rulebook import Rulebook
from honours.lab.compare import compare
from honours.lab.corpus import Corpus
from honours.lab.intervals import Interval
from honours.lab.left_out import hold_back_small
from honours.lab.result import Frame, LabResult, Progress, headline, note_of, unwatched
from honours.lab.sides import AsPaid, Side
from honours.lab.study.now import FLIGHT_A, MID, NowReading, now_totals, readings
from honours.model.message import Message, joined
from honours.model.verdict import (
    AGREEING,
    CONSISTENT,
    CONTRADICTED,
    FITTED,
    NOT_CHECKABLE,
    REPRODUCED,
)

if TYPE_CHECKING:
    from honours.lab.report import Answer

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
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """What a source prints, what the corpus gives, and how certain that is. ``range`` has the
    two ends if the source gives a range. ``by_rule`` marks a figure that needs no corpus: it
    shows that the rulebook is the source's, and nothing about the history; ``fitted`` one that is
    made from inputs which no source prints."""

    name: str
    source: float | None
    ours: float | None
    interval: Interval | None = None
    range: tuple[float, float] | None = None
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
            "from (95%)": self.interval.low if self.interval else None,
            "to (95%)": self.interval.high if self.interval else None,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Study(LabResult):
    """The tables of a source's analysis in its order."""

    source: str
    corpus: Corpus
    side: Side
    tables: tuple[tuple[str, tuple[StudyFigure, ...]], ...]
    notes: tuple[str, ...] = field(default=())
    readings: tuple[Mapping[str, Any], ...] = field(default=())
    """What hangs on the readings of *now*: the change in per cent by each."""

    def frames(self) -> list[Frame]:
        paid = Message("won is what was paid")
        ruled = Message(
            "won is what {side} pays: the corpus does not say what was paid", side=self.side.id
        )
        about = paid if isinstance(self.side, AsPaid) else ruled
        note = joined("; ", [n for n in (note_of(self.corpus), about) if n])
        rule = Message("by the rule alone: it says nothing of the corpus")
        return [
            Frame.of(
                name,
                [figure.row() for figure in figures],
                rule if all(figure.by_rule for figure in figures) else note,
            )
            for name, figures in self.tables
            if figures
        ] + self._readings(note)

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report: what it says with four charts on its first pages, then the tables."""
        return replace(super(Study, self).answer(progress, whole), front=FRONT[self.source])

    def _readings(self, note: str) -> list[Frame]:
        title = Message("What hangs on the readings of now: change in %")
        return [Frame.of(title, self.readings, note)] if self.readings else []

    @property
    def heading(self) -> Message:
        return Message("The study of {source} again", source=self.source)

    def statement(self) -> str:
        return headline(self.corpus, self._verdict())

    def _verdict(self) -> Message:
        """How many figures agree: those that depend on the corpus, and those that depend on the
        rule alone."""
        figures = [figure for _, own in self.tables for figure in own]
        of_corpus = [figure.verdict for figure in figures if not figure.by_rule]
        of_rule = [figure.verdict for figure in figures if figure.by_rule]
        return Message(
            "{yes} of {all} figures of the source of {source} agree with those of the corpus, by "
            "what {side} pays; {open} cannot be worked out from it; {rule_yes} of {rule_all} that "
            "the rule alone decides agree.",
            yes=sum(verdict in AGREEING for verdict in of_corpus),
            all=len(of_corpus) - of_corpus.count(NOT_CHECKABLE),
            source=self.source,
            side=self.side.id,
            open=of_corpus.count(NOT_CHECKABLE),
            rule_yes=sum(verdict in AGREEING for verdict in of_rule),
            rule_all=len(of_rule),
        )

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "notes": list(self.notes),
            "tables": {frame.title: frame.data() for frame in self.frames()},
            "provenance": {**self.corpus.provenance(), "won": self.side.hash},
        }


@dataclass(frozen=True, slots=True)
class History:
    """What a study is about: a corpus, what was won in it, and the cluster to do the work."""

    corpus: Corpus
    side: Side
    on: str = ""
    now: NowReading = field(default_factory=NowReading)


def done_in_order(
    source: str,
    history: History,
    book: Rulebook,
    parts: Sequence[tuple[str, Callable[[], Iterable[StudyFigure]]]],
    progress: Callable[..., None],
    notes: tuple[str, ...] = (),
) -> Study:
    """The tables of a study one after the other, reporting after each how many figures agree so
    far."""
    hold_back_small(history.corpus)
    tables: list[tuple[str, tuple[StudyFigure, ...]]] = []
    made = Study(source, history.corpus, history.side, (), notes)
    for done, (name, figures) in enumerate(parts):
        progress(done, len(parts), made.statement() if tables else "")
        tables.append((name, tuple(figures())))
        empty = [without_figures(name) for name, own in tables if not own]
        made = Study(source, history.corpus, history.side, tuple(tables), (*notes, *empty))
    progress(len(parts), len(parts))
    if isinstance(history.side, AsPaid):
        return made
    told = tuple(readings(history.corpus, history.now, book, _FLIGHTS, history.on))
    found = now_totals(history.corpus, history.now, book, history.on)
    said = history.now.words(found is not None and found.from_corpus)
    return replace(made, notes=(said, *made.notes, FLIGHT_A, MID), readings=told)


def without_figures(table: str) -> Message:
    """Why a table of the source is missing from a study."""
    return Message(
        "“{table}” is left out: this corpus, with what is taken for won, has nothing to work it "
        "out from.",
        table=table,
    )


def changes_beside_won(
    history: History, book: Rulebook, whole: Ends, by_flight: Mapping[str, Ends]
) -> Iterator[StudyFigure]:
    """What a rulebook pays relative to what was won, in per cent: overall, and in the flights
    that the source mentions. Where the corpus does not say what was paid, by the reading of
    *now*, in two-session regionals."""
    if isinstance(history.side, AsPaid):
        comparison = compare(history.corpus, history.side, book, on=history.on)
        total = comparison.total
        yield StudyFigure(Message("all events"), None, total.percent, total.interval, whole)
        for (flight,), own in comparison.by("flight").sums.items():
            if flight in by_flight:
                name = Message("flight {flight}", flight=flight)
                yield StudyFigure(name, None, own.percent, own.interval, by_flight[flight])
        return
    found = now_totals(history.corpus, history.now, book, history.on)
    for flight, ends in {"": whole, **by_flight}.items() if found else ():
        percent, sure = found.change(0, flight) if found else (None, None)
        name = Message("flight {flight}", flight=flight) if flight else Message("all events")
        yield StudyFigure(name, None, percent if sure else None, sure, ends)
