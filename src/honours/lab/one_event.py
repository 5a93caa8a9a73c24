"""One event of a corpus under two rulebooks: its places, and why its winner is paid that amount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honours.engine.exact.explanation import to_data
from honours.lab.caveats import note_of, notes_of
from honours.lab.compare import Comparison
from honours.lab.compared_sides import Side, as_side, name_of
from honours.lab.corpus import Corpus
from honours.lab.event_explanation import EventExplanation, explain_event, without_members
from honours.lab.frame import Frame
from honours.lab.result import Progress, unwatched
from honours.model import Step
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.report import Answer


@dataclass(kw_only=True)
class EventComparison(Comparison):
    """B compared with A in one event."""

    explanation: EventExplanation

    def statement(self) -> Message:
        return Message(
            "The largest award of event {event} would be {theirs} by {b}, compared with {ours} by "
            "{a}.",
            event=self.explanation.event,
            ours=self.explanation.a.shown,
            theirs=self.explanation.b.shown,
            a=name_of(self.a),
            b=name_of(self.b),
        )

    def frames(self, events: int = 0) -> Iterator[Frame]:
        del events
        yield self.explanation.places

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report of the comparison, which lists no members."""
        from honours.lab.report import Answer, explanation_name

        del progress, whole
        name = explanation_name(self.explanation.event)
        why = [without_members(step) for step in self.explanation.why]
        statements = [self.statement(), *notes_of(self.corpus, self.a, self.b)]
        return Answer(
            name,
            statements,
            [*self.frames()],
            self.provenance(),
            [(name, why)],
            plain=self.data(why),
            told=(*statements, *self.frames(), *self.explanation.why),
            sides=(name_of(self.a), name_of(self.b)),
        )

    def data(self, why: Sequence[Step] = ()) -> dict[str, Any]:
        a, b = why or self.explanation.why
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "places": self.explanation.places.data(),
            "why": {"a": to_data(a), "b": to_data(b)},
            "provenance": self.provenance(),
        }


def compare_event(corpus: Corpus, a: str | Side, b: str | Side, event: int | str) -> Comparison:
    """Compare two sides in an event, given by its number or its owner's id."""
    sides = as_side(a, corpus), as_side(b, corpus)
    number = event if isinstance(event, int) else corpus.number_of(event)
    explanation = explain_event(corpus, *sides, number)
    return EventComparison(corpus, *sides, explanation=explanation)
